"""Golden documents, what happens when they are cut or changed, and the shared corpus where it is laid beside the checkout."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory
from tests.extractors.legacy.reading import GOLDEN, read, reading

DOCUMENTS = sorted(path for path in GOLDEN.iterdir() if path.suffix in (".doc", ".xls", ".ppt", ".xlsb"))
LEGACY = ("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
          "application/vnd.ms-excel.sheet.binary.macroenabled.12")  # fmt: skip


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_reading_twice_gives_equal_values(path: Path) -> None:
    assert read(path.read_bytes(), path.name) == read(path.read_bytes(), path.name)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_changed_and_cut_files_give_text_or_a_category(path: Path) -> None:
    whole, chance = path.read_bytes(), random.Random(7)
    for number in range(30):
        data = bytearray(whole)
        if number % 5 == 0:
            del data[chance.randrange(len(data)) :]
        for _ in range(chance.choice((1, 10, 100))):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        found = reading(bytes(data), path.name)
        if found.error is not None:
            assert found.error.category != ErrorCategory.INTERNAL, found.error


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_character_cap_cuts(path: Path) -> None:
    found = read(path.read_bytes(), path.name, ExtractOptions(max_extracted_chars=20))
    assert len(found.content) <= 20
    assert found.truncation is not None


def test_the_strings_of_the_shared_corpus_are_found(shared: Path) -> None:
    for line in (shared / "corpus" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["mime"] not in LEGACY:
            continue
        path = shared / "corpus" / entry["path"]
        found = read_document(Source(path=str(path), name=path.name), ExtractOptions())
        status = entry["expect"]["status"]
        if status == "quarantine":
            assert found.error is not None and found.error.category == ErrorCategory.ENCRYPTED_NO_KEY, path.name
        for text in entry["expect"]["contains"]:
            assert found.extracted is not None, path.name
            assert " ".join(text.split()) in " ".join(found.extracted.content.split()), path.name
        for member in found.extracted.members if found.extracted is not None else ():
            if member.file is not None:
                os.unlink(member.file)
