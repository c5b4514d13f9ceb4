"""Tables of a Word document: rows to the table writer.

A row that only lays out the page (one cell, a table in a cell, a cell of many paragraphs) gives its cells one under the
other, so that reading order holds and nested rows never run into the outer one.
"""

from __future__ import annotations

from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.docx.tables import MAX_CHARS_IN_CELL, MAX_PARAGRAPHS_IN_CELL
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.tables import TableWriter

MAX_CELLS = 200  # in a row; Word has 64
Emit = Callable[[str], None]


class Table:
    """One table while it is read."""

    def __init__(self, out: TextBuilder, emit: Emit) -> None:
        self.writer = TableWriter(out, header_rows=0, emit=emit)
        self._out = out
        self._cells: list[list[str]] = []
        self._lines: list[str] = []
        self._has_table = False
        self._has_columns = False

    def add(self, line: str) -> None:
        """Add a line to the cell."""
        self._lines.append(line)

    def add_table(self, line: str) -> None:
        """Add a line of a table in the cell."""
        self._has_table = True
        self._lines.append(line)

    def end_cell(self) -> None:
        """Finish the cell."""
        self._cells.append(self._lines)
        self._lines = []
        if len(self._cells) > MAX_CELLS:
            self.end_row(is_header=False)

    def end_row(self, *, is_header: bool) -> None:
        """Write the row. Raises Full."""
        if any(line.strip() for line in self._lines):
            self._cells.append(self._lines)
        cells, self._cells, self._lines = self._cells, [], []
        has_table, self._has_table = self._has_table, False
        filled = [[line for line in map(without_anchors, lines) if line.strip()] for lines in cells]
        self._has_columns = self._has_columns or len(filled) > 1
        is_long = any(len(lines) > MAX_PARAGRAPHS_IN_CELL or sum(map(len, lines)) > MAX_CHARS_IN_CELL for lines in filled)
        is_omitted = self._out.options.tables == "omit" and self._has_columns and not has_table
        if (has_table or is_long or len(filled) == 1) and not is_omitted:
            self.writer.between(line for lines in cells for line in lines if line.strip())
        elif filled:
            self.writer.row([" ".join(" ".join(lines).split()) for lines in filled], is_header=is_header)
            if anchors := anchors_in("".join(line for lines in cells for line in lines)):
                self.writer.aside([anchors])

    def end(self) -> None:
        """Write what is left of a row that has no end, and finish the table. Raises Full."""
        self.end_row(is_header=False)
        self.writer.end()
