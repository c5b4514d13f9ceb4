"""Tables of a text: rows go to the table writer as they are read, merged cells once, tables in cells one under the other.

Source: ODF 1.3 part 3, 9.1 (tables), 19.612 (repeated and spanned columns and rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import Full
from docbeam.extractors.odf.names import TABLE, Element, number
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.tables import TableWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbeam.extractors.odf.story import Story

MAX_COLUMNS = 1_024  # of one row, repeated and spanned ones counted
MAX_REPEATED_ROWS = 1_000  # copies of a row that has text
MAX_PARAGRAPHS_IN_CELL = 12  # more than a table of data has in one cell
MAX_CHARS_IN_CELL = 3_000
CELL, COVERED, ROW = TABLE + "table-cell", TABLE + "covered-table-cell", TABLE + "table-row"
HEADER_ROWS = TABLE + "table-header-rows"
_GROUPS = frozenset((HEADER_ROWS, TABLE + "table-rows", TABLE + "table-row-group"))


class TableReader:
    """Reads one table of a text row by row."""

    def __init__(self, story: Story, emit: Callable[[str], None]) -> None:
        self._story = story
        self._writer = TableWriter(story.book.out, emit=emit)
        story.in_table += 1
        story.tables += 1

    def row(self, row: Element) -> None:
        """Write a row, also where it is repeated. Raises Full, with the cells so far written."""
        cells: list[list[str]] = []
        is_layout, parent = False, row.getparent()
        try:
            is_layout = self._read_cells(row, cells)
        finally:
            copies = number(row.get(TABLE + "number-rows-repeated"), 1, MAX_REPEATED_ROWS)
            for _ in range(copies if any(cells) else 0):
                self._write(cells, is_layout, parent is not None and parent.tag == HEADER_ROWS)
        if self._story.in_table == 1:
            late: list[str] = []
            self._story.late_lines(late.append)
            if late:
                self._writer.between(late)

    def end(self) -> None:
        """Finish the table."""
        self._story.in_table -= 1
        self._writer.end()

    def _read_cells(self, row: Element, cells: list[list[str]]) -> bool:
        before = self._story.tables
        for cell in row:
            if cell.tag not in (CELL, COVERED) or len(cells) >= MAX_COLUMNS:
                continue
            lines: list[str] = []
            try:
                self._story.blocks(cell, lines.append)
            except Full:
                cells.append(_filled(lines))
                raise
            copies = number(cell.get(TABLE + "number-columns-repeated"), 1, MAX_COLUMNS - len(cells))
            cells.extend([_filled(lines)] * copies)
        return self._story.tables > before

    def _write(self, cells: list[list[str]], is_layout: bool, is_header: bool) -> None:
        is_layout = is_layout or len(cells) == 1
        if is_layout or any(len(lines) > MAX_PARAGRAPHS_IN_CELL or _chars(lines) > MAX_CHARS_IN_CELL for lines in cells):
            self._writer.between(line for lines in cells for line in lines)
        else:
            self._writer.row([" ".join(without_anchors(" ".join(lines)).split()) for lines in cells], is_header=is_header)
            if anchors := anchors_in("".join(line for lines in cells for line in lines)):
                self._writer.aside([anchors])


def table_lines(story: Story, table: Element, emit: Callable[[str], None]) -> None:
    """Emit the rows of a table that has been read as a whole."""
    outermost = story.in_table == 0
    if outermost:
        emit("")
    reader = TableReader(story, emit)
    try:
        for row in rows_of(table):
            reader.row(row)
    finally:
        reader.end()
    if outermost:
        emit("")


def rows_of(table: Element) -> Iterator[Element]:
    """Yield the rows of a table, also those in groups."""
    stack = list(reversed(table))
    while stack:
        node = stack.pop()
        if node.tag == ROW:
            yield node
        elif node.tag in _GROUPS:
            stack += reversed(node)


def _filled(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _chars(lines: list[str]) -> int:
    return sum(map(len, lines))
