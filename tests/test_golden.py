"""Every golden document reads as the text beside it says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.golden.pairs import FOLDER, pairs, text_of

PICTURES = (".jpg", ".png", ".tif", ".webp")


@pytest.mark.parametrize(("document", "expected"), pairs(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_golden_document_reads_as_its_text_says(document: Path, expected: Path) -> None:
    if document.suffix in PICTURES and not shutil.which("tesseract"):
        pytest.skip("Tesseract is not installed here")
    assert text_of(document) == expected.read_text(encoding="utf-8").rstrip("\n")


def test_every_folder_names_its_sources() -> None:
    folders = {path.parent for path, _ in pairs()}
    assert len(folders) >= 8
    for folder in folders:
        named = (folder / "SOURCES.md").read_text()
        for document, _ in pairs():
            if document.parent == folder:
                assert document.name in named, f"{document.name} has no source in {folder.name}/SOURCES.md"
