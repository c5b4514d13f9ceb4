"""One sheet's records: its cells as text, comments, text boxes, charts, headers and footers.

Source: [MS-XLS] 2.4 (records by name); OpenOffice.org's documentation of the Excel file format for BIFF2 to BIFF7.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.legacy.sheets import ERRORS, Sheet, rk_number
from docbeam.extractors.legacy.xls.book import BIFF2, BIFF8, BOF, CHART, END, Book, begin_of
from docbeam.extractors.legacy.xls.objects import Objects
from docbeam.extractors.legacy.xls.records import Fragments, Record, byte_string, fragments, records, wide_string
from docbeam.extractors.ooxml.xlsx.strings import one_line

CHECK_EVERY_RECORDS = 1_024
MAX_DEPTH = 8  # of substreams: a chart in a sheet is one inside another
_OLD_CELLS = (0x02, 0x03, 0x04, 0x05)
_HEADER = 0x14
_SERIES_TEXT = 0x100D


def read_sheet(book: Book, offset: int, out: TextBuilder) -> Sheet:
    """Return the sheet whose BOF record stands at an offset; `is_cut` if the deadline passed before its end."""
    reader = _SheetReader(book, out)
    depth = 0
    reader.sheet.is_broken = True
    try:
        for count, record in enumerate(records(book.data, offset)):
            if count % CHECK_EVERY_RECORDS == 0:
                out.check_deadline()
            if record.kind in BOF and (begin := begin_of(record)):
                depth += 1
                reader.is_chart = begin[1] == CHART or (reader.is_chart and depth > 1)
            elif record.kind == END:
                depth -= 1
                reader.is_chart = False
                if depth <= 0:
                    reader.sheet.is_broken = False
                    break
            elif depth <= MAX_DEPTH:
                reader.take(record)
            if reader.sheet.is_full(out):
                reader.sheet.is_broken = False
                break
    except Full:
        reader.sheet.is_cut, reader.sheet.is_broken = True, False
    return reader.finished()


class _SheetReader:
    def __init__(self, book: Book, out: TextBuilder) -> None:
        self._book = book
        self._out = out
        self.sheet = Sheet()
        self.is_chart = False
        self._waiting: tuple[int, int] | None = None  # a formula's cell whose text comes in the next record
        self._objects = Objects(book, self.sheet)
        self._chart_words: dict[str, None] = {}
        self._is_frozen = False
        self._style = 0  # of BIFF2's IXFE record
        self._takers: dict[int, Callable[[Record], None]] = {
            0xFD: self._shared_string, 0x27E: self._rk, 0xBD: self._many_rk, 0x203: self._number, 0x03: self._number,
            0x02: self._small_number, 0x204: self._label, 0x04: self._label, 0xD6: self._label, 0x205: self._boolean,
            0x05: self._boolean, 0x06: self._formula, 0x206: self._formula, 0x406: self._formula, 0x207: self._string,
            0x07: self._string, 0x208: self._row, 0x08: self._row, 0x7D: self._columns, 0x14: self._margin,
            0x15: self._margin, 0x89C: self._more_margins, 0x44: self._style_index,
            0x41: self._pane, 0x23E: self._window,
        }  # fmt: skip

    def take(self, record: Record) -> None:
        """Take one record of the sheet or of a chart in it."""
        if self.is_chart:
            if record.kind == _SERIES_TEXT and len(record.data) > 3:
                self._chart_text(record)
            elif record.kind in (0x1B6, 0x5D):
                self._objects.take(record)
            return
        taker = self._takers.get(record.kind)
        if taker is not None:
            if len(record.data) >= 2:
                taker(record)
        else:
            self._objects.take(record)

    def finished(self) -> Sheet:
        """Return the sheet with what waits until its end."""
        self._objects.finish()
        self.sheet.boxes += self._chart_words
        return self.sheet

    def _is_old(self, record: Record) -> bool:
        """Say whether a record is laid out as in BIFF2, whatever the version of the stream."""
        return record.kind in _OLD_CELLS or (record.kind == 0x06 and self._book.version == BIFF2)

    def _cell(self, record: Record) -> tuple[int, int, int, int]:
        """Return row, column, style and the offset of the value."""
        data = record.data
        row, column = struct.unpack_from("<HH", data)
        if self._is_old(record):
            style = data[4] & 0x3F
            return row, column, self._style if style == 0x3F else style, 7
        return row, column, struct.unpack_from("<H", data, 4)[0], 6

    def _show(self, record: Record, style: int, value: float) -> str:
        if self._is_old(record) and not self._book.formats.styles:
            return self._book.formats.show_format(record.data[5] & 0x3F)(value)
        return self._book.formats.show(style)(value)

    def _number(self, record: Record) -> None:
        data = record.data
        if len(data) >= 14:
            row, column, style, at = self._cell(record)
            if at + 8 <= len(data):
                self.sheet.put(row, column, self._show(record, style, struct.unpack_from("<d", data, at)[0]))

    def _small_number(self, record: Record) -> None:
        if len(record.data) >= 9:
            row, column, style, _ = self._cell(record)
            self.sheet.put(row, column, self._show(record, style, float(struct.unpack_from("<H", record.data, 7)[0])))

    def _rk(self, record: Record) -> None:
        if len(record.data) >= 10:
            row, column, style, value = struct.unpack_from("<HHHI", record.data)
            self.sheet.put(row, column, self._book.formats.show(style)(rk_number(value)))

    def _many_rk(self, record: Record) -> None:
        data = record.data
        if len(data) < 10:
            return
        row, column = struct.unpack_from("<HH", data)
        for index in range((len(data) - 6) // 6):
            style, value = struct.unpack_from("<HI", data, 4 + index * 6)
            self.sheet.put(row, column + index, self._book.formats.show(style)(rk_number(value)))

    def _shared_string(self, record: Record) -> None:
        if len(record.data) >= 10:
            row, column, _, index = struct.unpack_from("<HHHI", record.data)
            text = self._book.strings.get(index)
            if text is None:
                self.sheet.lost_strings += 1
            self.sheet.put(row, column, text or "")

    def _label(self, record: Record) -> None:
        data = record.data
        if len(data) < 8:
            return
        row, column, _, at = self._cell(record)
        if self._book.version == BIFF8 and not self._is_old(record):
            self.sheet.put(row, column, one_line(Fragments(self._parts(record, at)).rich_string()))
        else:
            length_bytes = 1 if self._is_old(record) else 2  # Microsoft Graph writes old records with new strings
            self.sheet.put(row, column, one_line(self._book.text(data, at, length_bytes)))

    def _parts(self, record: Record, at: int) -> list[bytes]:
        parts = fragments(self._book.data, record)
        return [parts[0][at:], *parts[1:]]

    def _boolean(self, record: Record) -> None:
        data = record.data
        if len(data) < 8:
            return
        row, column, _, at = self._cell(record)
        value, is_error = data[at], data[at + 1] if at + 1 < len(data) else 0
        self.sheet.put(row, column, _named(value, bool(is_error)))

    def _formula(self, record: Record) -> None:
        data = record.data
        if len(data) < 15:
            return
        row, column, style, at = self._cell(record)
        result = data[at : at + 8]
        if result[6:8] != b"\xff\xff":
            self.sheet.put(row, column, self._show(record, style, struct.unpack("<d", result.ljust(8, b"\0"))[0]))
        elif result[0] == 0:
            self._waiting = (row, column)
        elif result[0] in (1, 2):
            self.sheet.put(row, column, _named(result[2], result[0] == 2))

    def _string(self, record: Record) -> None:
        if self._waiting is None:
            return
        if self._book.version == BIFF8 and record.kind != 0x07:
            text = Fragments(self._parts(record, 0)).rich_string()
        else:
            parts = fragments(self._book.data, record)
            text = byte_string(b"".join(parts), 0, 1 if record.kind == 0x07 else 2, self._book.codec)[0]
        self.sheet.put(*self._waiting, one_line(text))
        self._waiting = None

    def _row(self, record: Record) -> None:
        data = record.data
        if self._book.version != BIFF2 and len(data) >= 16 and data[12] & 0x20:
            self.sheet.hidden_rows.add(struct.unpack_from("<H", data)[0])

    def _columns(self, record: Record) -> None:
        data = record.data
        if len(data) >= 10 and data[8] & 1:
            first, last = struct.unpack_from("<HH", data)
            self.sheet.hidden_columns += max(min(last, 0xFF) - first + 1, 0)

    def _margin(self, record: Record) -> None:
        text = self._book.text(record.data, 0, 2 if self._book.version == BIFF8 else 1)
        self.sheet.headers.append(("oddHeader" if record.kind == _HEADER else "oddFooter", text))

    def _more_margins(self, record: Record) -> None:
        """Take the header and footer of even pages and of the first page."""
        data = record.data
        if len(data) < 38:
            return
        at = 38
        counts = struct.unpack_from("<HHHH", data, 30)
        for count, kind in zip(counts, ("evenHeader", "evenFooter", "firstHeader", "firstFooter"), strict=True):
            if count and at + 3 <= len(data):
                text, at = wide_string(data, at)
                self.sheet.headers.append((kind, text))

    def _pane(self, record: Record) -> None:
        if len(record.data) >= 4:
            self.sheet.frozen_rows = struct.unpack_from("<H", record.data, 2)[0] if self._is_frozen else 0

    def _window(self, record: Record) -> None:
        self._is_frozen = bool(record.data[0] & 8)

    def _style_index(self, record: Record) -> None:
        self._style = struct.unpack_from("<H", record.data)[0]

    def _chart_text(self, record: Record) -> None:
        if self._book.version == BIFF8:
            text = wide_string(record.data, 2, 1)[0]
        else:
            text = byte_string(record.data, 2, 1, self._book.codec)[0]
        if text := one_line(text):
            self._chart_words[text] = None


def _named(value: int, is_error: bool) -> str:
    return ERRORS.get(value, "#ERROR!") if is_error else "TRUE" if value else "FALSE"
