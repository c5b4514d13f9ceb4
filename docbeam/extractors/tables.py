"""Tables to text, one way for all formats: rows go in as they are read, lines come out under the caps of a TextBuilder."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docbeam.extractors.bounded import TextBuilder

BREAKS = re.compile(r"\s*[\t\r\n\v\f\x85\u2028\u2029]\s*")  # inside a cell: a row stays one line


class TableWriter:
    """Writes one table, row by row.

    table = TableWriter(out, header_rows=1)  # as the format marks them; None where it marks none
    for cells in rows:
        table.row(cells)
    table.end()
    """

    def __init__(self, out: TextBuilder, *, header_rows: int | None = None) -> None:
        self._out = out
        self._header_rows = header_rows

    def row(self, cells: Sequence[str]) -> None:
        """Add a row; a merged cell has its text in its first place and empty texts in the others. Raises Full."""
        self._out.line("\t".join(BREAKS.sub(" ", cell.strip()) for cell in cells))

    def end(self) -> None:
        """Finish the table: a table that had only header rows is not lost. Raises Full."""
