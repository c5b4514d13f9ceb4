"""Shared strings and cell styles of a binary workbook.

Source: [MS-XLSB] 2.4.835 (BrtSSTItem), 2.4.697 (BrtFmt), 2.4.857 (BrtXF).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from docbeam.extractors.legacy.sheets import Formats
from docbeam.extractors.legacy.xlsb.records import wide_string
from docbeam.extractors.ooxml.xlsx.strings import one_line

STRING_ITEM, FORMAT, BEGIN_CELL_STYLES, END_CELL_STYLES, STYLE = 19, 44, 617, 618, 47


class SharedStrings:
    """The shared string table, read as far as it is asked for."""

    def __init__(self, records: Iterator[tuple[int, bytes]]) -> None:
        self._items = (data for kind, data in records if kind == STRING_ITEM)
        self._read: list[str] = []

    def get(self, index: int) -> str | None:
        """Return the string at an index on one line, or None if the table has no such string."""
        while len(self._read) <= index:
            item = next(self._items, None)
            if item is None:
                return None
            self._read.append(one_line(wide_string(item, 1)[0]))
        return self._read[index]


def read_formats(records: Iterator[tuple[int, bytes]], formats: Formats) -> None:
    """Add the number formats and cell styles of the styles part."""
    is_cell_style = False
    for kind, data in records:
        if kind in (BEGIN_CELL_STYLES, END_CELL_STYLES):
            is_cell_style = kind == BEGIN_CELL_STYLES
        elif kind == FORMAT and len(data) >= 6:
            formats.codes[struct.unpack_from("<H", data)[0]] = wide_string(data, 2)[0]
        elif kind == STYLE and is_cell_style and len(data) >= 4:
            formats.styles.append(struct.unpack_from("<H", data, 2)[0])
