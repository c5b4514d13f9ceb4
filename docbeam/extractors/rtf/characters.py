"""Fonts, code pages and characters: which bytes and code points become which letters.

Source: RTF 1.9.1, "Character set", "Font table", "Unicode RTF", "Character formatting properties".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.rtf.reader import MAX_UC
from docbeam.extractors.rtf.tokens import group_end

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

Word = Callable[["RtfDocument", "int | None"], None]
_FONT = re.compile(rb"\\f([0-9]{1,9})((?:(?!\\f[0-9])[^;])*);?", re.DOTALL)
_CHARSET, _PAGE = re.compile(rb"\\fcharset([0-9]{1,5})"), re.compile(rb"\\cpg([0-9]{1,6})")
_NO_NAME = re.compile(rb"\{\\\*[^{}]*\}?|\\[a-zA-Z]+-?[0-9]* ?|\\'..|[{}\r\n]")


def _charset(document: RtfDocument, codec: str) -> None:
    document.flush()
    document.fonts.use_charset(codec)


def _font_table(document: RtfDocument, number: int | None) -> None:
    end = group_end(document.data, document.at)
    for match in _FONT.finditer(document.data, document.at, end):
        font = document.fonts.font(int(match[1]))
        charset, page = _CHARSET.search(match[2]), _PAGE.search(match[2])
        font.charset = int(charset[1]) if charset else None
        font.page = int(page[1]) if page else None
        font.name = _NO_NAME.sub(b"", match[2]).decode("latin-1").strip()[:100]
    document.skip_group(end)


def _set_font(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.font = number or 0


def _set_associated(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.associated = number or 0


def _direction(document: RtfDocument, is_right_to_left: bool) -> None:
    document.flush()
    document.group.is_right_to_left = is_right_to_left


def _plain(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.reset_characters(document.fonts.default)


def _default_font(document: RtfDocument, number: int | None) -> None:
    document.fonts.default = number if number is not None else -1
    document.group.font = document.fonts.default


def _deleted(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.is_deleted = number != 0


def _hidden(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.is_hidden = number != 0


def _uc(document: RtfDocument, number: int | None) -> None:
    document.group.uc = min(max(number if number is not None else 1, 0), MAX_UC)


def _unicode(document: RtfDocument, number: int | None) -> None:
    if number is not None:
        document.unicode(number)


def _binary(document: RtfDocument, number: int | None) -> None:
    document.at = min(document.at + max(number or 0, 0), len(document.data))


def _ansi_pages(document: RtfDocument, number: int | None) -> None:
    """Take the Unicode half of a text that is written twice."""
    first = document.data.find(b"{", document.at, document.at + 100)
    if first >= 0:
        document.at = min(group_end(document.data, first + 1) + 1, len(document.data))


WORDS: dict[str, Word] = {
    "ansicpg": lambda document, number: document.fonts.use_page(number or 0),
    "mac": lambda document, number: _charset(document, "mac_roman"),
    "pc": lambda document, number: _charset(document, "cp437"),
    "urtf": lambda document, number: _charset(document, "utf_8"),
    "pca": lambda document, number: _charset(document, "cp850"),
    "deff": _default_font, "fonttbl": _font_table, "f": _set_font, "af": _set_associated,
    "rtlch": lambda document, number: _direction(document, True),
    "ltrch": lambda document, number: _direction(document, False),
    "plain": _plain, "deleted": _deleted, "v": _hidden, "uc": _uc, "u": _unicode, "bin": _binary, "upr": _ansi_pages,
}  # fmt: skip
