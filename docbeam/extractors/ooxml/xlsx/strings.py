"""Text of cells: rich runs without their phonetic guides, `_xHHHH_` escapes, and the shared string table read on demand.

Source: ECMA-376-1, 18.4.8 (si), 18.4.12 (t), 18.4.6 (rPh), 22.9.2.19 (ST_Xstring).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docbeam.extractors.ooxml.xml import Element

_ESCAPE = re.compile(r"((?:_x[0-9A-Fa-f]{4}_)+)")
_BREAKS = re.compile(r"[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff]")


def unescaped(text: str) -> str:
    """Return a text with its escapes decoded: `_x000A_` is a line feed, `_x005F_x000A_` the letters of one."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: _decoded(match[1]), text)


def one_line(text: str) -> str:
    """Return a cell's text on one line: a row of the sheet is a line of the content, so breaks and tabs become a space."""
    if text.isprintable():
        return text.strip()
    pieces = (piece.strip() for piece in _BREAKS.split(text))
    return _CONTROLS.sub("", " ".join(piece for piece in pieces if piece))


def rich_text(element: Element) -> str:
    """Return the text of a string item, a comment or an inline string: its own `t` or those of its runs, without rPh."""
    parts = []
    for child in element:
        tag = child.tag
        if not isinstance(tag, str):
            continue
        if tag.endswith("}t"):
            parts.append(child.text or "")
        elif tag.endswith("}r"):
            parts += [leaf.text or "" for leaf in child if isinstance(leaf.tag, str) and leaf.tag.endswith("}t")]
    return unescaped("".join(parts))


class SharedStrings:
    """The shared string table, read as far as it is asked for: a sheet that stops at a cap leaves the rest unread."""

    def __init__(self, items: Iterator[Element]) -> None:
        self._items = items
        self._read: list[str] = []

    def get(self, index: int) -> str | None:
        """Return the string at an index on one line, or None if the table has no such string."""
        if index < 0:
            return None
        while len(self._read) <= index:
            item = next(self._items, None)
            if item is None:
                return None
            self._read.append(one_line(rich_text(item)))
        return self._read[index]


def _decoded(escapes: str) -> str:
    units = bytes.fromhex(escapes.replace("_x", "").replace("_", ""))
    return units.decode("utf-16-be", "replace")
