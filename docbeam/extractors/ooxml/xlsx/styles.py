"""Cell styles, of which only the number format matters here. Source: ECMA-376-1, 18.8.10 (cellXfs), 18.8.31 (numFmts)."""

from __future__ import annotations

from docbeam.extractors.ooxml.xlsx.format_code import BUILT_IN
from docbeam.extractors.ooxml.xlsx.numbers import Show, general, shower
from docbeam.extractors.ooxml.xlsx.strings import unescaped
from docbeam.extractors.ooxml.xml import Element, local_name


class Styles:
    """Shows numbers by the index of their cell's style; without a styles part, all as General."""

    def __init__(self, root: Element | None, is_1904: bool) -> None:
        self._is_1904 = is_1904
        self._codes = dict(BUILT_IN)
        self._formats: list[int] = []
        self._shows: dict[str, Show] = {}
        for group in () if root is None else root:
            if local_name(group) == "numFmts":
                self._codes.update((_number(item.get("numFmtId")), unescaped(item.get("formatCode", ""))) for item in group)
            elif local_name(group) == "cellXfs":
                self._formats = [_number(item.get("numFmtId")) for item in group]

    def show(self, style: str | None) -> Show:
        """Return the function that shows the numbers of a style; an unknown style is General."""
        key = style or "0"
        found = self._shows.get(key)
        if found is None:
            index = _number(key)
            code = self._codes.get(self._formats[index], "General") if 0 <= index < len(self._formats) else "General"
            found = self._shows[key] = general if code == "General" else shower(code, self._is_1904)
        return found


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
