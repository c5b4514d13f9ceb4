"""The records of a BIFF12 part, streamed as the part is unpacked. Source: [MS-XLSB] 2.1.4 (records), 2.5.168 (XLWideString)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import FATAL, Package
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_RECORD_BYTES = 4 << 20  # a cell's text has 32 767 letters, and as many runs
CHECK_EVERY_RECORDS = 1_024
_MISSING = 0xFFFFFFFF


def records(package: Package, part: str, out: TextBuilder) -> Iterator[tuple[int, bytes]]:
    """Yield kind and content of a part's records; a part that is missing or broken gives those before, and a warning.

    Raises: Full at the deadline; ExtractionError at the caps of the whole file.
    """
    if not package.has(part):
        out.warn(WarningCode.ENTRY_MISSING, part, "the document refers to this part, and it is not in the package")
        out.cut(TruncationReason.DAMAGED)
        return
    buffer, at, count = b"", 0, 0
    problem = None
    try:
        for chunk in package.chunks(part):
            buffer = buffer[at:] + chunk
            at = 0
            while (found := _header(buffer, at)) is not None:
                kind, start, end = found
                if end > len(buffer):
                    break
                at = end
                count += 1
                if count % CHECK_EVERY_RECORDS == 0:
                    out.check_deadline()
                yield kind, buffer[start:end]
            if len(buffer) - at > MAX_RECORD_BYTES:
                problem = f"a record of more than {MAX_RECORD_BYTES} bytes"
                break
    except ExtractionError as error:
        if error.category in FATAL:
            raise
        problem = error.message
    if problem is None and at < len(buffer):
        problem = "the last record is cut off"
    if problem is not None:
        out.warn(WarningCode.PART_DAMAGED, part, problem)
        out.cut(TruncationReason.DAMAGED)


def wide_string(data: bytes, at: int) -> tuple[str, int]:
    """Return the string at an offset and where it ends; a missing one is empty."""
    if at + 4 > len(data):
        return "", len(data)
    count = struct.unpack_from("<I", data, at)[0]
    if count == _MISSING:
        return "", at + 4
    end = at + 4 + count * 2
    raw = data[at + 4 : end]
    return raw[: len(raw) & ~1].decode("utf-16-le", "replace"), end


def _header(buffer: bytes, at: int) -> tuple[int, int, int] | None:
    """Return kind, start and end of the content of a record, or None if its header isn't all there."""
    size = len(buffer)
    if at + 2 > size:
        return None
    kind = buffer[at]
    at += 1
    if kind & 0x80:
        kind = (kind & 0x7F) | (buffer[at] & 0x7F) << 7
        at += 1
    length = 0
    for shift in (0, 7, 14, 21):
        if at >= size:
            return None
        byte = buffer[at]
        at += 1
        length |= (byte & 0x7F) << shift
        if not byte & 0x80:
            break
    return kind, at, at + length
