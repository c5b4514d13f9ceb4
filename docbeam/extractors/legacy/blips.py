"""Pictures of Office's binary files: the store that shapes refer to by number, and pictures that stand in a row of text.

Source: [MS-ODRAW] 2.2.20 (OfficeArtBStoreContainer), 2.2.32 (OfficeArtFBSE), 2.2.23 to 2.2.31 (blips).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from functools import cached_property

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.office_art import DRAWING_GROUP, HEADER_BYTES, Art, art_records
from docbeam.extractors.package_pictures import metafile_lines_of
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

STORE, ENTRY = 0xF001, 0xF007
ENTRY_BYTES = 36  # of an entry of the store, before the name
EMF, WMF, PICT, JPEG, PNG, DIB, TIFF, JPEG_CMYK = 0xF01A, 0xF01B, 0xF01C, 0xF01D, 0xF01E, 0xF01F, 0xF029, 0xF02A
METAFILES, BITMAPS = (EMF, WMF, PICT), (JPEG, PNG, DIB, TIFF, JPEG_CMYK)
METAFILE_HEADER_BYTES = 34
ID_BYTES = 16
# The instances with which a blip has two ids before its data, not one
TWO_IDS = frozenset((0x3D5, 0x217, 0x543, 0x46B, 0x6E3, 0x6E1, 0x7A9, 0x6E5))
MAX_ENTRIES = 100_000
MAX_METAFILE_BYTES = 16 << 20  # unpacked; of those that are looked through for words
NO_DATA = "a picture; text in it is not recognised: its data is not in the document"
NAME = re.compile(r"picture ([0-9]{1,9})")


class Blips:
    """The store of pictures of one document. `delay` gives the stream in which pictures stand that are not in the store."""

    def __init__(self, data: bytes, delay: Callable[[], bytes], out: TextBuilder) -> None:
        self._data = data
        self._delay = delay
        self._out = out
        self._seen: set[int] = set()

    def lines(self, number: int) -> list[str]:
        """Hand out picture `number` (from 1), the first time; return the lines that stand in its place."""
        if number in self._seen:
            return []
        self._seen.add(number)
        name = f"picture {number}"
        blip = self._blip(self._entries[number - 1]) if 1 <= number <= len(self._entries) else None
        if blip is None:  # it is linked, or the file is broken
            self._out.warn(WarningCode.NEEDS_OCR, name, NO_DATA)
            return []
        if blip[1].kind in (EMF, WMF):
            try:
                return metafile_lines_of(blip_bytes(*blip, MAX_METAFILE_BYTES), name, self._out)
            except ExtractionError:
                pass
        return list(filter(None, [self._out.picture(name)]))

    def picture(self, part: str, most_bytes: int) -> bytes:
        """Return the bytes of the picture that `part` names. Raises: ExtractionError CORRUPT."""
        named = NAME.fullmatch(part)
        number = int(named[1]) if named else 0
        blip = self._blip(self._entries[number - 1]) if 1 <= number <= len(self._entries) else None
        if blip is None:
            raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not in the document's store of pictures")
        return blip_bytes(*blip, most_bytes)

    @cached_property
    def _entries(self) -> list[Art]:
        """The places of the store; a shape's number counts them from 1."""
        for group in art_records(self._data):
            for store in art_records(self._data, group.start, group.end) if group.kind == DRAWING_GROUP else ():
                if store.kind == STORE:
                    found = art_records(self._data, store.start, store.end)
                    return [record for record, _ in zip(found, range(MAX_ENTRIES), strict=False)]
        return []

    def _blip(self, entry: Art) -> tuple[bytes, Art] | None:
        if entry.kind != ENTRY:
            return (self._data, entry) if entry.kind in (*METAFILES, *BITMAPS) else None
        if entry.end - entry.start < ENTRY_BYTES:
            return None
        inner = entry.start + ENTRY_BYTES + self._data[entry.start + 33]
        if inner + HEADER_BYTES < entry.end:
            found, data = next(art_records(self._data, inner, entry.end), None), self._data
        else:
            at, data = struct.unpack_from("<I", self._data, entry.start + 28)[0], self._delay()
            found = next(art_records(data, at), None) if at < len(data) else None
        return (data, found) if found is not None and found.kind in (*METAFILES, *BITMAPS) else None


def inline_blip(data: bytes, start: int, end: int) -> Art | None:
    """Return the first picture among the records of a range, or None."""
    for record in art_records(data, start, end):
        if record.kind in (*METAFILES, *BITMAPS):
            return record
        if record.kind == ENTRY and record.end - record.start > ENTRY_BYTES:
            inner = record.start + ENTRY_BYTES + data[record.start + 33]
            if (found := inline_blip(data, inner, record.end)) is not None:
                return found
    return None


def blip_bytes(data: bytes, record: Art, most_bytes: int) -> bytes:
    """Return the file of a picture. Raises: ExtractionError STREAM_DECOMPRESSION_FAIL, TOO_LARGE_DECOMPRESSED."""
    from docbeam.extractors.image.metafile import bitmap_file  # late: Pillow costs more than most documents

    at = record.start + ID_BYTES * (2 if record.instance in TWO_IDS else 1)
    if record.kind in BITMAPS:
        found = data[at + 1 : record.end]
        return bitmap_file(found) or found if record.kind == DIB else found
    header = data[at : at + METAFILE_HEADER_BYTES]
    body = data[at + METAFILE_HEADER_BYTES : record.end]
    if len(header) < METAFILE_HEADER_BYTES or header[32] != 0:
        return body
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(body, most_bytes)
    except zlib.error as error:
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"a drawing: {error}") from error
    if unpacker.unconsumed_tail:
        raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"a drawing unpacks past {most_bytes} bytes")
    return found
