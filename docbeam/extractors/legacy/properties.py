"""Property sets: title, author, dates and the like of a compound file, in its code page.

Source: [MS-OLEPS] 2.21 (PropertySetStream); [MS-OSHARED] 2.3.3.2.1 (summary) and 2.3.3.2.2 (document summary).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from datetime import datetime

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile, file_time
from docbeam.extractors.legacy.code_pages import DEFAULT, UTF_16, codec_of_page
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence

SUMMARY, DOCUMENT_SUMMARY = "\x05SummaryInformation", "\x05DocumentSummaryInformation"
MAX_STREAM_BYTES = 1 << 20  # thumbnails lie in there too
MAX_PROPERTIES = 200
CODE_PAGE = 1
_SHORT, _LONG, _TEXT, _WIDE_TEXT, _TIME = 2, 3, 30, 31, 64
_SUMMARY_NAMES = {
    2: "title", 3: "subject", 4: "author", 5: "keywords", 6: "description", 7: "template", 8: "lastModifiedBy",
    9: "revision", 11: "lastPrinted", 12: "created", 13: "modified", 14: "pages", 18: "application",
}  # fmt: skip
_DOCUMENT_NAMES = {2: "category", 7: "slides", 14: "manager", 15: "company"}
_LIFTED = ("created", "modified")
Value = str | int | datetime


def finished(
    compound: CompoundFile | None,
    out: TextBuilder,
    family: str,
    *,
    is_whole: bool,
    page_count: int | None = None,
    opened: Mapping[str, bytes] | None = None,
) -> Extracted:
    """Return what was collected, with the document's properties as metadata and title, author and dates lifted.

    `opened` are streams of an encrypted document that take the place of the compound file's own.
    """
    values = {} if compound is None else read_properties(compound, opened or {})
    for name, value in values.items():
        if name not in _LIFTED:
            out.meta(f"{family}.{name}", value.isoformat() if isinstance(value, datetime) else value)
    created, modified = (values.get(name) for name in _LIFTED)
    return out.extracted(
        page_count=page_count,
        confidence=Confidence.DETERMINISTIC if is_whole else Confidence.HEURISTIC,
        title=_line(values.get("title")),
        author=_line(values.get("author")),
        created_at=created if isinstance(created, datetime) else None,
        modified_at=modified if isinstance(modified, datetime) else None,
    )


def read_properties(compound: CompoundFile, opened: Mapping[str, bytes]) -> dict[str, Value]:
    """Return the properties that have a name here; a broken set has fewer."""
    found: dict[str, Value] = {}
    for stream, names in ((SUMMARY, _SUMMARY_NAMES), (DOCUMENT_SUMMARY, _DOCUMENT_NAMES)):
        entry, data = compound.find(stream), opened.get(stream.lower())
        if data is None:
            data = b"" if entry is None else compound.read(entry, MAX_STREAM_BYTES)
        for number, value in _properties(data):
            if number in names and value not in ("", 0):
                found.setdefault(names[number], value)
    return found


def code_page(compound: CompoundFile) -> str:
    """Return the codec of the document's properties, which is the one of the computer that wrote them."""
    entry = compound.find(SUMMARY)
    data = b"" if entry is None else compound.read(entry, MAX_STREAM_BYTES)
    codec = next((value for number, value in _properties(data) if number == CODE_PAGE), 0)
    found = codec_of_page(codec & 0xFFFF) if isinstance(codec, int) else DEFAULT
    return DEFAULT if found == UTF_16 else found


def _properties(data: bytes) -> Iterator[tuple[int, Value]]:
    """Yield number and value of the properties of a stream's first set."""
    if len(data) < 48 or data[:2] != b"\xfe\xff":
        return
    start = struct.unpack("<I", data[44:48])[0]
    if start + 8 > len(data):
        return
    count = min(struct.unpack("<I", data[start + 4 : start + 8])[0], MAX_PROPERTIES, (len(data) - start - 8) // 8)
    places = dict(struct.iter_unpack("<II", data[start + 8 : start + 8 + count * 8]))
    page = _value(data, start + places.get(CODE_PAGE, len(data)), "cp1252")
    codec = codec_of_page(page & 0xFFFF if isinstance(page, int) else 0)
    for number, offset in places.items():
        value = _value(data, start + offset, codec)
        if value is not None:
            yield number, value


def _value(data: bytes, at: int, codec: str) -> Value | None:
    if at + 8 > len(data):
        return None
    kind, size = struct.unpack("<II", data[at : at + 8])
    if kind == _SHORT:
        return int.from_bytes(data[at + 4 : at + 6], "little")
    if kind == _LONG:
        return int(size)
    if kind == _TEXT:
        return _text(data[at + 8 : at + 8 + size], codec)
    if kind == _WIDE_TEXT:
        return _text(data[at + 8 : at + 8 + size * 2], UTF_16)
    if kind == _TIME and at + 12 <= len(data):
        return file_time(struct.unpack("<Q", data[at + 4 : at + 12])[0])
    return None


def _text(data: bytes, codec: str) -> str:
    text = data.decode(codec, "replace").partition("\0")[0]
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _line(value: Value | None) -> str | None:
    return value[:1000] if isinstance(value, str) and value else None
