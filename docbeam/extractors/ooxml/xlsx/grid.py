"""A sheet's filled cells as the rows of tables: columns in line over the whole sheet, header rows where the sheet marks them.

Empty rows between filled ones become one empty line, empty columns one empty cell, those at the edges nothing: a cell
in XFD1048576 costs two characters, and tables side by side or one below the other stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.tables import TableWriter
from docbeam.schemas.vocabulary import TruncationReason

MAX_PLACES_PER_CHAR = 20  # cells, filled or not, for each character that the text may have; honest sheets stay below 2
Cells = list[tuple[int, str]]


class Grid:
    """Collects rows until they have `max_chars` characters."""

    def __init__(self, max_chars: int) -> None:
        self._max_chars = max_chars
        self._chars = 0
        self._rows: list[tuple[int, Cells]] = []

    @property
    def is_full(self) -> bool:
        """Whether more rows can't be shown anyway."""
        return self._chars > self._max_chars

    def add(self, row: int, cells: Cells) -> None:
        """Add a row's filled cells, from left to right; a row without any is left out."""
        if cells:
            self._rows.append((row, cells))
            self._chars += sum(len(text) + 1 for _, text in cells)

    def filled(self) -> Iterator[int]:
        """Yield the numbers of the filled rows, from 0."""
        return (row for row, _ in self._rows)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows' numbers and cells."""
        places = self._places()
        for row, cells in self._rows:
            shown = [""] * (places[cells[-1][0]] + 1)
            for column, text in cells:
                shown[places[column]] = text
            yield row, shown

    def _places(self) -> dict[int, int]:
        places: dict[int, int] = {}
        place, previous = 0, None
        for column in sorted({column for _, cells in self._rows for column, _ in cells}):
            if previous is not None:
                place += 1 if column == previous + 1 else 2
            places[column] = place
            previous = column
        return places


def grid_lines(grid: Grid, headers: Mapping[int, int | None], out: TextBuilder) -> list[str]:
    """Return the rows as the options want tables, at most about as many as can be shown.

    `headers` has the rows that the sheet marks as headers, each with the last row below it that it names, None for all.
    """
    lines: list[str] = []
    has_names = out.options.table_headers == "auto" and out.options.tables in ("key_value", "markdown")
    table, last, previous = TableWriter(out, emit=lines.append), None, None
    chars = seen = places = 0
    max_chars = out.options.max_extracted_chars
    for row, cells in grid.rows():
        is_header = has_names and row in headers
        is_behind = last is not None and row > last
        if is_header or is_behind:
            table.end()
            table = TableWriter(out, header_rows=int(is_header), emit=lines.append)
            last = headers[row] if is_header else None
        if previous is not None and (row > previous + 1 or is_header or is_behind):
            table.between([""])
        table.row(cells)
        previous = row
        chars += sum(map(len, lines[seen:])) + len(lines) - seen
        seen = len(lines)
        places += len(cells)
        if places > MAX_PLACES_PER_CHAR * max_chars:  # cells far apart in many rows: most of the form's signs, or of the work
            out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
            break
        if chars > max_chars:
            break
    table.end()
    return lines
