"""What can be found in a workbook stream whose globals are broken: the begins of sheets, their names, the shared strings.

Records have no marks to find them by, so that each candidate is checked against what must follow it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from docbeam.extractors.legacy.xls.book import BIFF8, Book, Listed, Strings
from docbeam.extractors.legacy.xls.records import CONTINUE, Record, fragments
from docbeam.extractors.ooxml.xlsx.strings import one_line

SHEET_BEGINS = (b"\x09\x08\x10\0\0\x06\x10\0", b"\x09\x08\x08\0\0\x05\x10\0")  # of BIFF8 and BIFF5
MAX_SHEETS = 1_000
MAX_CANDIDATES = 10_000
_BOUND_SHEET, _SST, _EXTENDED_SST, _END = b"\x85\0", b"\xfc\0", 0xFF, 0x0A


def salvaged_sheets(book: Book) -> list[Listed]:
    """Return the sheets that begin anywhere in the stream, in its order, with the names that point to them."""
    places = sorted(place for start in SHEET_BEGINS for place in _places(book.data, start))[:MAX_SHEETS]
    names: dict[int, str] = {}
    for place in _places(book.data, _BOUND_SHEET):
        if place + 12 <= len(book.data):
            size, offset = struct.unpack_from("<HI", book.data, place + 2)
            if 8 <= size <= 80 and offset in places:
                names.setdefault(offset, one_line(book.text(book.data[place + 4 : place + 4 + size], 6, 1)))
    return [Listed(names.get(place) or f"Sheet{number}", "visible", 0, place) for number, place in enumerate(places, 1)]


def salvage_strings(book: Book) -> None:
    """Find the shared strings of a book that has none."""
    if book.version != BIFF8 or book.strings.get(0) is not None:
        return
    data = book.data
    for place in _places(data, _SST):
        if place + 12 > len(data):
            return
        size, total, unique = struct.unpack_from("<HII", data, place + 2)
        end = place + 4 + size
        following = struct.unpack_from("<H", data, end)[0] if end + 2 <= len(data) else _END
        if size >= 8 and 0 < unique <= total and following in (CONTINUE, _EXTENDED_SST, _END):
            book.strings = Strings(fragments(data, Record(0xFC, data[place + 4 : end], end)))
            return


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    place = data.find(wanted)
    for _ in range(MAX_CANDIDATES):
        if place < 0:
            return
        yield place
        place = data.find(wanted, place + 1)
