"""Reads a document and all that is in it, for the tests of mail."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory

OPTIONS = ExtractOptions()


@dataclass(frozen=True)
class Row:
    """One document of a tree: its text and warnings, or why there is none."""

    path: str
    media_type: str
    extracted: Extracted | None
    category: ErrorCategory | None

    @property
    def content(self) -> str:
        return self.extracted.content if self.extracted is not None else ""


def rows(data: bytes, name: str = "mail.eml", options: ExtractOptions = OPTIONS, depth: int = 0) -> list[Row]:
    """Return the document and everything embedded in it, parents first."""
    reading = read_document(Source(data=data, name=name), options)
    found = [Row(name, reading.media_type, reading.extracted, reading.error and reading.error.category)]
    for member in reading.extracted.members if reading.extracted is not None else ():
        if member.file is None:
            found.append(Row(member.path, member.media_type or "", None, member.problem and member.problem[0]))
            continue
        content = Path(member.file).read_bytes()
        os.unlink(member.file)
        if depth < 5:
            found += rows(content, member.path, options, depth + 1)
    return found


def read(data: bytes | str, name: str = "mail.eml", options: ExtractOptions = OPTIONS) -> Extracted:
    """Return the document's own reading."""
    row = rows(data.encode() if isinstance(data, str) else data, name, options)[0]
    assert row.extracted is not None, row.category
    return row.extracted


def codes(extracted: Extracted) -> list[str]:
    """Return the codes of the warnings."""
    return [notice.code.value for notice in extracted.warnings]
