"""Pictures that stand in the text of a Word document: their place in the Data stream is their name.

Source: [MS-DOC] 2.9.191 (PICF), 2.9.192 (PICFAndOfficeArtData).
"""

from __future__ import annotations

import hashlib
import re
import struct

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.blips import EMF, MAX_METAFILE_BYTES, NO_DATA, WMF, blip_bytes, inline_blip
from docbeam.extractors.legacy.office_art import Art
from docbeam.extractors.package_pictures import metafile_lines_of
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

NAMED = 0x66  # a linked one, whose name stands before its shape
OLD_METAFILE = 8  # the data is a Windows metafile without a header
NAME = re.compile(r"picture at byte ([0-9]{1,10}) of the Data stream")


def inline_lines(data: bytes, location: int, seen: set[bytes], out: TextBuilder) -> list[str]:
    """Hand out the picture at a place of the Data stream, unless it was seen; return the lines that stand in its place."""
    name = f"picture at byte {location} of the Data stream"
    place = _place(data, location)
    key = b"%d" % location if place is None else place[1] if place[0] is None else data[place[0].start : place[0].end]
    key = hashlib.sha256(key).digest()
    if key in seen:
        return []
    seen.add(key)
    if place is None:
        out.warn(WarningCode.NEEDS_OCR, name, NO_DATA)
        return []
    record, raw = place
    if record is None or record.kind in (EMF, WMF):
        try:
            drawing = raw if record is None else blip_bytes(data, record, MAX_METAFILE_BYTES)
            return metafile_lines_of(drawing, name, out)
        except ExtractionError:
            pass
    return list(filter(None, [out.picture(name)]))


def inline_picture(data: bytes, part: str, most_bytes: int) -> bytes:
    """Return the bytes of the picture that `part` names. Raises: ExtractionError CORRUPT."""
    named = NAME.fullmatch(part)
    place = _place(data, int(named[1])) if named else None
    if place is None:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not in the document")
    record, raw = place
    return raw if record is None else blip_bytes(data, record, most_bytes)


def _place(data: bytes, location: int) -> tuple[Art | None, bytes] | None:
    """Return the record of a picture, or the bytes of one that is no record; None where there is none."""
    if location + 36 > len(data):
        return None
    size, header_bytes, kind = struct.unpack_from("<IHH", data, location)
    at, end = location + header_bytes, min(location + size, len(data))
    if kind == NAMED and at < len(data):
        at += 1 + data[at]
    if kind == OLD_METAFILE:
        return None, data[at:end]
    record = inline_blip(data, at, end)
    return None if record is None else (record, b"")
