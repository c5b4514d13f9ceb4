"""One sheet part: cells, hidden rows and columns, header and footer; and its comments. Source: [MS-XLSB] 2.4 (records)."""

from __future__ import annotations

import struct

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.legacy.sheets import ERRORS, Formats, Sheet, rk_number
from docbeam.extractors.legacy.xlsb.records import records, wide_string
from docbeam.extractors.legacy.xlsb.strings import SharedStrings
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.strings import one_line

ROW, RK, ERROR, BOOLEAN, REAL, TEXT, SHARED = 0, 2, 3, 4, 5, 6, 7
FORMULA_TEXT, FORMULA_NUMBER, FORMULA_BOOLEAN, FORMULA_ERROR, RICH_TEXT = 8, 9, 10, 11, 62
COLUMN, PANE, FILTER, MARGINS = 60, 151, 161, 479
COMMENT_AUTHOR, COMMENT, COMMENT_TEXT = 632, 635, 637
_NUMBERS = (REAL, FORMULA_NUMBER)
_BOOLEANS, _ERRORS = (BOOLEAN, FORMULA_BOOLEAN), (ERROR, FORMULA_ERROR)
_MARGIN_NAMES = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
_ROW_HIDDEN, MAX_COLUMNS = 0x10, 16_384


def read_sheet(package: Package, part: str, strings: SharedStrings, formats: Formats, out: TextBuilder) -> Sheet:
    """Return a sheet's cells and what belongs to them; `is_cut` if the deadline passed before its end."""
    sheet = Sheet()
    row = 0
    try:
        for kind, data in records(package, part, out):
            if kind == ROW and len(data) >= 12:
                row = struct.unpack_from("<I", data)[0]
                if data[11] & _ROW_HIDDEN:
                    sheet.hidden_rows.add(row)
                if sheet.is_full(out):
                    break
            elif (kind <= FORMULA_ERROR or kind == RICH_TEXT) and len(data) > 8:
                column, style = struct.unpack_from("<II", data)
                sheet.put(row, column, _shown(kind, data, formats, style & 0xFFFFFF, strings, sheet))
            else:
                _take(kind, data, sheet)
    except Full:
        sheet.is_cut = True
    return sheet


def read_comments(package: Package, part: str, sheet: Sheet, out: TextBuilder) -> None:
    """Add a sheet's comments. Raises Full at the deadline."""
    authors: list[str] = []
    place = (0, 0, "")
    for kind, data in records(package, part, out):
        if kind == COMMENT_AUTHOR:
            authors.append(wide_string(data, 0)[0])
        elif kind == COMMENT and len(data) >= 20:
            author, row, _, column = struct.unpack_from("<IIII", data)
            place = (row, column, authors[author] if author < len(authors) else "")
        elif kind == COMMENT_TEXT and len(data) > 1:
            row, column, name = place
            sheet.comments.append((row, column, name, wide_string(data, 1)[0]))


def _shown(kind: int, data: bytes, formats: Formats, style: int, strings: SharedStrings, sheet: Sheet) -> str:
    if kind == SHARED and len(data) >= 12:
        text = strings.get(struct.unpack_from("<I", data, 8)[0])
        sheet.lost_strings += text is None
        return text or ""
    if kind == RK and len(data) >= 12:
        return formats.show(style)(rk_number(struct.unpack_from("<I", data, 8)[0]))
    if kind in _NUMBERS and len(data) >= 16:
        return formats.show(style)(struct.unpack_from("<d", data, 8)[0])
    if kind in (TEXT, FORMULA_TEXT):
        return one_line(wide_string(data, 8)[0])
    if kind == RICH_TEXT:
        return one_line(wide_string(data, 9)[0])
    if kind in _BOOLEANS:
        return "TRUE" if data[8] else "FALSE"
    return ERRORS.get(data[8], "#ERROR!") if kind in _ERRORS else ""


def _take(kind: int, data: bytes, sheet: Sheet) -> None:
    if kind == COLUMN and len(data) >= 18 and data[16] & 1:
        first, last = struct.unpack_from("<II", data)
        sheet.hidden_columns += max(min(last, MAX_COLUMNS - 1) - first + 1, 0)
    elif kind == FILTER and len(data) >= 8:
        first, last = struct.unpack_from("<II", data)
        sheet.filtered = (first, last)
    elif kind == PANE and len(data) >= 29 and data[28] & 1:
        rows = struct.unpack_from("<d", data, 8)[0]
        sheet.frozen_rows = int(rows) if 0 <= rows < 1e6 else 0
    elif kind == MARGINS:
        at = 2
        for name in _MARGIN_NAMES:
            text, at = wide_string(data, at)
            if text:
                sheet.headers.append((name, text))
