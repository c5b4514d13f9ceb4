"""The globals of a workbook: version, code page, sheets, shared strings, number formats.

Source: [MS-XLS] 2.4.21 (BOF), 2.4.28 (BoundSheet8), 2.4.126 (Format), 2.4.265 (SST), 2.4.353 (XF); OpenOffice.org's
documentation of the Excel file format for BIFF2 to BIFF7.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.code_pages import codec_of_page
from docbeam.extractors.legacy.sheets import STATES, Formats
from docbeam.extractors.legacy.xls.decrypt import decrypted
from docbeam.extractors.legacy.xls.records import Fragments, Record, byte_string, fragments, records, wide_string
from docbeam.extractors.ooxml.xlsx.strings import one_line
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

BOF, END = (0x809, 0x409, 0x209, 0x09), 0x0A
BIFF2, BIFF3, BIFF4, BIFF5, BIFF8 = 2, 3, 4, 5, 8
GLOBALS, WORKSHEET, CHART, MACRO, WORKSPACE = 0x05, 0x10, 0x20, 0x40, 0x100
_VERSIONS = {0x200: BIFF2, 0x300: BIFF3, 0x400: BIFF4, 0x500: BIFF5, 0x600: BIFF8}
_BY_BOF = {0x09: BIFF2, 0x209: BIFF3, 0x409: BIFF4}
_FORMAT, _XF = (0x1E, 0x41E), (0x43, 0x243, 0x443, 0xE0)
_CODE_PAGE, _DATE_1904, _FILE_PASS, _BOUND_SHEET, _SST = 0x42, 0x22, 0x2F, 0x85, 0xFC
_DRAWING_GROUP = 0xEB
_NAME, _BUILT_IN_NAME, _FILTER_NAME, _AREAS = 0x18, 0x20, 0x0D, (0x3B, 0x5B, 0x7B)
MAX_SHEETS = 10_000
CHECK_EVERY_RECORDS = 1_024


class Listed(NamedTuple):
    """A sheet as the globals list it. `kind` is 0 for cells, 1 for macros, 2 for a chart, 6 for Visual Basic."""

    name: str
    state: str
    kind: int
    offset: int


@dataclass
class Book:
    """What the sheets of one workbook share."""

    data: bytes
    version: int = BIFF8
    codec: str = "cp1252"
    formats: Formats = field(default_factory=Formats)
    sheets: list[Listed] = field(default_factory=list)
    strings: Strings = field(default_factory=lambda: Strings([]))
    drawing_group: list[bytes] = field(default_factory=list)  # the store of pictures, in pieces
    filters: dict[int, tuple[int, int]] = field(default_factory=dict)  # first and last row by the sheet's number

    def text(self, data: bytes, at: int, length_bytes: int = 2) -> str:
        """Return the string at an offset of a record."""
        if self.version == BIFF8:
            return wide_string(data, at, length_bytes)[0]
        return byte_string(data, at, length_bytes, self.codec)[0]


class Strings:
    """The shared strings, read as far as cells ask for them."""

    def __init__(self, parts: list[bytes]) -> None:
        self._fragments = Fragments(parts)
        self._fragments.skip(8)
        self._read: list[str] = []

    def get(self, index: int) -> str | None:
        """Return a string on one line, or None if the table has no such string."""
        while len(self._read) <= index:
            if self._fragments.is_at_end:
                return None
            self._read.append(one_line(self._fragments.rich_string()))
        return self._read[index]


def begin_of(record: Record) -> tuple[int, int] | None:
    """Return version and kind of the substream that a BOF record begins, or None if it is none."""
    if record.kind not in BOF or len(record.data) < 4:
        return None
    version, kind = struct.unpack("<HH", record.data[:4])
    return _BY_BOF.get(record.kind) or _VERSIONS.get(version & 0xF00, BIFF8), kind


def read_book(data: bytes, source: Source, out: TextBuilder, *, is_decrypted: bool = False) -> Book:
    """Return the globals of a stream: those before the first sheet, or what a stream of one sheet says of itself.

    Raises: Full at the deadline; ExtractionError ENCRYPTED_NO_KEY, or CORRUPT if the stream does not begin as a workbook does.
    """
    book = Book(data)
    all_records = records(data)
    begin = next((found for record in all_records if (found := begin_of(record))), None)
    if begin is None:
        raise ExtractionError(ErrorCategory.CORRUPT, "the workbook stream has no BOF record")
    book.version, kind = begin
    if book.version < BIFF5:
        book.formats.codes = {0: "General"}
        book.formats.styles = []
    is_globals = kind in (GLOBALS, WORKSPACE)
    formats_seen = 0
    for count, record in enumerate(all_records):
        if count % CHECK_EVERY_RECORDS == 0:
            out.check_deadline()
        if record.kind == END and (is_globals or book.version >= BIFF5):
            break
        if record.kind in BOF and kind != WORKSPACE:
            break
        if record.kind == _FILE_PASS:
            if is_decrypted:
                continue
            return read_book(decrypted(data, record.data, source, out), source, out, is_decrypted=True)
        if record.kind in _FORMAT:
            _add_format(book, record, formats_seen)
            formats_seen += 1
        else:
            _take(book, record)
    return book


def _take(book: Book, record: Record) -> None:
    kind, data = record.kind, record.data
    if kind == _CODE_PAGE and len(data) >= 2:
        book.codec = codec_of_page(struct.unpack("<H", data[:2])[0])
    elif kind == _DATE_1904 and len(data) >= 2:
        book.formats.is_1904 = data[0] == 1
    elif kind in _XF and len(data) >= 4:
        book.formats.styles.append(_format_of_style(kind, data))
    elif kind == _NAME and len(data) >= 27 and book.version == BIFF8:
        _take_filter(book, data)
    elif kind == _DRAWING_GROUP:
        book.drawing_group += fragments(book.data, record)
    elif kind == _SST:
        book.strings = Strings(fragments(book.data, record))
    elif kind == _BOUND_SHEET and len(data) >= 7 and len(book.sheets) < MAX_SHEETS:
        offset = struct.unpack("<I", data[:4])[0]
        state, sheet_kind = (data[4], data[5]) if book.version >= BIFF5 else (0, 0)
        name = one_line(book.text(data, 6 if book.version >= BIFF5 else 4, 1)) or f"Sheet{len(book.sheets) + 1}"
        book.sheets.append(Listed(name, STATES[min(state & 3, 2)], sheet_kind, offset))


def _take_filter(book: Book, data: bytes) -> None:
    """Take the range that a sheet filters, which is a hidden name of the sheet: its first row has the columns' names."""
    flags, letters, formula_bytes, sheet = struct.unpack_from("<HxBHxxH", data)
    if not flags & _BUILT_IN_NAME or letters != 1 or data[15] != _FILTER_NAME or formula_bytes < 11:
        return
    kind, _, first, last = struct.unpack_from("<BHHH", data, 16)
    if kind in _AREAS and sheet:
        book.filters[sheet] = (first, last)


def _add_format(book: Book, record: Record, index: int) -> None:
    data = record.data
    if book.version >= BIFF5:
        if len(data) >= 3:
            index = struct.unpack("<H", data[:2])[0]
            book.formats.codes[index] = book.text(data, 2, 2 if book.version == BIFF8 else 1)
    else:
        book.formats.codes[index] = book.text(data, 2 if record.kind == 0x41E else 0, 1)


def _format_of_style(kind: int, data: bytes) -> int:
    if kind == 0x43:
        return data[2] & 0x3F
    return data[1] if kind in (0x243, 0x443) else int.from_bytes(data[2:4], "little")
