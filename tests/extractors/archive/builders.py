"""Archives built in the tests, and what an extractor makes of them."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted

OPTIONS = ExtractOptions()


def zipped(entries: Iterable[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def read(data: bytes, name: str = "", options: ExtractOptions = OPTIONS) -> Extracted:
    reading = read_document(Source(data=data, name=name), options)
    if reading.error is not None:
        raise reading.error
    assert reading.extracted is not None
    return reading.extracted


def members(extracted: Extracted) -> dict[str, bytes | str]:
    """Return the bytes of the members, or the word of their problem, and remove their files."""
    found: dict[str, bytes | str] = {}
    for member in extracted.members:
        if member.file is None:
            assert member.problem is not None
            found[member.path] = member.problem[0].value
        else:
            with open(member.file, "rb") as file:
                found[member.path] = file.read()
            os.unlink(member.file)
    return found


def unpacked(data: bytes, name: str = "", options: ExtractOptions = OPTIONS) -> dict[str, bytes | str]:
    return members(read(data, name, options))


def problem(data: bytes, name: str = "", options: ExtractOptions = OPTIONS) -> str:
    try:
        extracted = read(data, name, options)
    except ExtractionError as error:
        return error.category.value
    members(extracted)
    return "none"
