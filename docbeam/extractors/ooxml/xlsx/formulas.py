"""The source of formulas without a value; a shared formula is written out for each cell that shares it.

Source: ECMA-376-1, 18.3.1.40 (f) and 18.17 (formulas).
"""

from __future__ import annotations

import re

from docbeam.extractors.ooxml.xlsx.strings import one_line, unescaped
from docbeam.extractors.ooxml.xml import Element

_PIECE = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)([0-9]{1,7})(?![\w.(!]))""")
_PREFIX = re.compile(r"_xlfn\.|_xlws\.|_xlpm\.")
Place = tuple[int, int]  # row and column, both from 0


class Formulas:
    """The shared formulas of one sheet, remembered by their index."""

    def __init__(self) -> None:
        self._shared: dict[str, tuple[str, Place]] = {}

    def source(self, element: Element, place: Place) -> str:
        """Return a formula with its equals sign, or an empty text if the file has none for this cell."""
        text = element.text or ""
        index = element.get("si")
        if element.get("t") == "shared" and index is not None:
            if text:
                self._shared.setdefault(index, (text, place))
            elif index in self._shared:
                text, home = self._shared[index]
                text = _moved(text, place[0] - home[0], place[1] - home[1])
        return "=" + one_line(_PREFIX.sub("", unescaped(text))) if text else ""


def column_index(letters: str) -> int:
    """Return a column's index from 0 by its letters."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return index - 1


def column_letters(index: int) -> str:
    """Return a column's letters by its index from 0."""
    letters = ""
    index += 1
    while index > 0:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _moved(text: str, rows: int, columns: int) -> str:
    def shifted(match: re.Match[str]) -> str:
        whole, fixed_column, letters, fixed_row, digits = match.groups()
        if letters is None:
            return whole
        column = letters if fixed_column else column_letters(column_index(letters) + columns)
        row = digits if fixed_row else str(int(digits) + rows)
        return f"{fixed_column}{column}{fixed_row}{row}"

    return _PIECE.sub(shifted, text)
