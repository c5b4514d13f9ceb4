"""A sheet's filled cells as lines: one row a line, cells set off by tabs, columns in line over the whole sheet.

Empty rows between filled ones become one empty line, empty columns one empty cell, those at the edges nothing: a cell
in XFD1048576 costs two characters, and tables side by side or one below the other stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator

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

    def lines(self) -> Iterator[str]:
        """Yield the lines, up to the first one past `max_chars`."""
        places = self._places()
        chars, previous = 0, None
        for row, cells in self._rows:
            if chars > self._max_chars:
                return
            if previous is not None and row > previous + 1:
                yield ""
            line = _line(cells, places)
            chars += len(line) + 1
            previous = row
            yield line

    def _places(self) -> dict[int, int]:
        places: dict[int, int] = {}
        place, previous = 0, None
        for column in sorted({column for _, cells in self._rows for column, _ in cells}):
            if previous is not None:
                place += 1 if column == previous + 1 else 2
            places[column] = place
            previous = column
        return places


def _line(cells: Cells, places: dict[int, int]) -> str:
    parts = []
    at = 0
    for column, text in cells:
        place = places[column]
        if place > at:
            parts.append("\t" * (place - at))
            at = place
        parts.append(text)
    return "".join(parts)
