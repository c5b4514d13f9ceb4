"""What the tests of legacy Office share: a document through the engine, and the golden documents."""

from __future__ import annotations

import os
from pathlib import Path

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory

GOLDEN = Path(__file__).parents[2] / "golden" / "legacy"


def reading(data: bytes, name: str, options: ExtractOptions | None = None) -> Reading:
    return read_document(Source(data=data, name=name), options or ExtractOptions())


def read(data: bytes, name: str, options: ExtractOptions | None = None) -> Extracted:
    found = reading(data, name, options)
    assert found.extracted is not None, found.error
    for member in found.extracted.members:
        if member.file is not None:
            os.unlink(member.file)
    return found.extracted


def failure(data: bytes, name: str) -> ErrorCategory:
    found = reading(data, name)
    assert found.error is not None
    return found.error.category


def golden(name: str) -> Extracted:
    return read((GOLDEN / name).read_bytes(), name)
