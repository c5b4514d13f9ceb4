"""What a character is: a space, digit, letter, mark or sign, or none that text has; and the script of a letter.

Source: the categories and names of the Unicode Character Database.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

NAMES = {"cjk": "han", "hiragana": "kana", "katakana": "kana", "halfwidth": "kana", "katakana-hiragana": "kana"}  # by Unicode
GOES_WITH_ALL = (
    (0x00AA, 0x00BA),
    (0x02B0, 0x036F),
    (0x2071, 0x2BFF),
    (0xFF00, 0xFF65),
    (0x1D400, 0x1D7FF),
)  # ª µ ʰ ℓ 𝑥

JAMO = ((0x1100, 0x11FF), (0x3130, 0x318F))  # parts of Korean syllables, alone in charts and in decomposed text


class Kind(NamedTuple):
    """What a character is, and the group of scripts that a letter belongs to, empty for those that go with all."""

    name: str  # space, unknown, digit, letter, mark, sign
    group: str = ""


@lru_cache(maxsize=20_000)
def kind(char: str) -> Kind:
    """Return what a character is."""
    code, category = ord(char), unicodedata.category(char)
    if char.isspace() or category == "Cf":
        return Kind("space")
    if category[0] == "C" or char == "\ufffd":
        return Kind("unknown")
    if category[0] == "N":
        return Kind("digit")
    if category[0] == "M":
        return Kind("mark")
    if category[0] != "L":
        return Kind("sign")
    if any(first <= code <= last for first, last in GOES_WITH_ALL):
        return Kind("letter")
    if any(first <= code <= last for first, last in JAMO):
        return Kind("letter", "jamo")
    name = unicodedata.name(char, "").partition(" ")[0].lower()
    return Kind("letter", NAMES.get(name, name))
