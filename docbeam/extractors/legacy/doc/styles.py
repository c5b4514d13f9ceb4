"""The style sheet: headings, and the lists that paragraph styles belong to. Source: [MS-DOC] 2.9.271 (STSH), 2.9.260 (STD)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from docbeam.extractors.legacy.doc.fib import STYLES, WORD_97, Fib
from docbeam.extractors.legacy.doc.formatting import BODY, Paragraph, paragraph_changes

MAX_STYLES = 4_096
MAX_BASED_ON = 20  # styles on styles
HEADINGS = (*range(1, 10), 62)  # built-in numbers of Heading 1 to 9 and Title
_PARAGRAPH_KIND = 1


@dataclass(frozen=True, slots=True)
class Style:
    """A style: its built-in number, the style that it is based on, and what it says of paragraphs."""

    number: int
    based_on: int
    paragraph: Paragraph


class Styles:
    """The paragraph styles of a document by their indexes."""

    def __init__(self, fib: Fib) -> None:
        self._styles: list[Style | None] = []
        data = fib.part(STYLES)
        if len(data) < 8:
            return
        header_bytes, count, base_bytes = struct.unpack_from("<HHH", data)
        at = 2 + header_bytes
        is_word_6 = fib.version != WORD_97
        for _ in range(min(count, MAX_STYLES)):
            if at + 2 > len(data):
                break
            size = struct.unpack_from("<H", data, at)[0]
            self._styles.append(_style(data[at + 2 : at + 2 + size], base_bytes, is_word_6))
            at += 2 + size + (size & 1)

    def is_heading(self, index: int) -> bool:
        """Say whether a style, or one that it is based on, is a heading."""
        return any(style.number in HEADINGS for style in self._chain(index))

    def listed(self, paragraph: Paragraph) -> tuple[int, int] | None:
        """Return list and level of a paragraph by itself, else by its style; None if it is in no list."""
        list_id, level = paragraph.list_id, paragraph.level
        for style in self._chain(paragraph.style):
            if list_id is not None and level is not None:
                break
            list_id = style.paragraph.list_id if list_id is None else list_id
            level = style.paragraph.level if level is None else level
        return (list_id, level or 0) if list_id else None

    def _chain(self, index: int) -> list[Style]:
        found: list[Style] = []
        while index < len(self._styles) and len(found) < MAX_BASED_ON:
            style = self._styles[index]
            if style is None:
                break
            found.append(style)
            index = style.based_on
        return found


def _style(data: bytes, base_bytes: int, is_word_6: bool) -> Style | None:
    if len(data) < max(base_bytes, 6):
        return None
    first, second, third = struct.unpack_from("<HHH", data)
    style = Style(first & 0xFFF, second >> 4, BODY)
    at = base_bytes
    if is_word_6:
        at += 2 + data[at] if at < len(data) else 0
    else:
        at += 4 + 2 * struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
    if second & 0xF == _PARAGRAPH_KIND and third & 0xF and at + 2 <= len(data):
        at += at & 1 if is_word_6 else 0
        size = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
        changes = data[at + 4 : at + 2 + size]
        style = replace(style, paragraph=paragraph_changes(BODY, changes, is_word_6))
    return style
