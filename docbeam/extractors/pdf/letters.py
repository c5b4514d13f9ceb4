"""From PDFium's characters to letters that a reader sees: hyphens joined, ligatures spelled, symbols named, rubbish marked.

Sources: ISO 32000-2, 9.10 (extraction of text content) and Annex D (Symbol and ZapfDingbats); the Wingdings chart of
Unicode L2/12-368. A glyph whose letter nobody knows comes out as U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

JOINT = "\x02"  # PDFium's own sign of a hyphen that it took for one of a line's end
NOTHING = "\ufffd"  # a glyph whose letter is unknown

# What the plain path can't pass on: controls, soft hyphens, ligatures, private use, lone surrogates, noncharacters.
ODD = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u200b\u2010\u2028\u2029\u2060\ufb00-\ufb06\ufeff\ufffd-\uffff\ud800-\udfff\ue000-\uf8ff]"
)
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
INVISIBLE = (0x200B, 0x2060, 0xFEFF)

# Symbol's own codes, as fonts without a Unicode map put them at U+F000 and up.
_SYMBOL = {
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **{0x2D: "−", 0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±"},
    **{0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…"},
    **{0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇"},
    **{0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒"},
    **{0xE2: "®", 0xE3: "©", 0xE4: "™", 0xE5: "∑", 0xF2: "∫", 0x22: "∀", 0x24: "∃", 0x27: "∋", 0x40: "≅", 0x5E: "⊥", 0x7E: "∼"},
}
_WINGDINGS = {
    **{0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖"},
    **{0x77: "⬥", 0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA2: "○", 0xA4: "◉", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xB2: "✧", 0xB7: "•"},
    **{0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒"},
    **{0xFE: "☑", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x4A: "☺", 0x4C: "☹"},
}

_BULLETS = frozenset({0xA7, 0xB7, 0xD8, 0xFC})

# Adobe's corporate codes for the pieces of tall brackets, and its marks (Adobe Glyph List, corporate use subarea).
_ADOBE = dict(enumerate("®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", start=0xF8E8))

# TeX's fonts for mathematics, codes below 32, whose glyph names no standard list has (The TeXbook, appendix F).
_TEX_SYMBOLS = dict(enumerate("−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻"))
_TEX = {
    "CMEX": dict(enumerate("()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\")),
    "CMSY": _TEX_SYMBOLS,
    "CMBSY": _TEX_SYMBOLS,
    "MSAM": {0x03: "□", 0x04: "■"},
}

_UNSPLIT = frozenset({"self", "non", "well", "cross", "half", "full", "high", "low", "long", "short", "large", "small"})
_COUNTS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"})
_ENDINGS = frozenset({"ness", "ment", "ments", "ings", "ened", "ening", "ence", "ways", "wise", "self", "ever", "sense"})
_LINKS = frozenset({"of", "the", "to", "and", "in", "by", "on", "up", "at", "or", "de", "la", "le", "du", "en", "an", "a"})
_JOINT_PARTS = re.compile(rf"([\w'’-]*){JOINT}[ \n]*([\w'’]*)")
_LATE_JOINT = re.compile("(?<=[^\\W\\d_])[\u2010\xad][ \t]*\n(?=[^\\W\\d_])")


def symbol(code: int, font: str) -> str:
    """Return the letter of a code without Unicode, private-use or below 32, by its font's name; U+FFFD if nobody knows."""
    name = font.upper()
    if code < 0x20:
        return next((table.get(code, NOTHING) for font_of, table in _TEX.items() if font_of in name), NOTHING)
    if code in _ADOBE:
        return _ADOBE[code]
    low = code - 0xF000
    if "WINGDING" in name:
        return _WINGDINGS.get(low, NOTHING)
    if "SYMBOL" in name:
        return _SYMBOL.get(low, NOTHING)
    if low in _BULLETS:  # as word processors write them, whatever the font's name
        return _WINGDINGS[low]
    return chr(low) if 0x20 < low < 0x7F else NOTHING


def cleaned(text: str, table: Mapping[int, str | None], before: str) -> tuple[str, int]:
    """Return text with odd characters resolved, and how many had to be marked as unknown.

    `table` is TABLE or one with aliases; `before` is text from earlier in the document, which hyphens are judged by.
    """
    if not ODD.search(text):
        return text, 0
    if "\u2010" in text or "\xad" in text:
        text = _LATE_JOINT.sub(JOINT, text)
    if JOINT in text:
        text = joined_hyphens(text, before)
    text = text.translate(table)
    return text, text.count(NOTHING)


def joined_hyphens(text: str, before: str) -> str:
    """Return text without JOINT: a word broken at a line's end is one word, a compound keeps its hyphen.

    What the document does elsewhere decides first; then rules that hold in most languages.
    """
    seen = f"{before}\n{text}".lower()

    def joined(match: re.Match[str]) -> str:
        left, right = match[1], match[2]
        return f"{left}-{right}" if _keeps_hyphen(left, right, seen) else left + right

    return _JOINT_PARTS.sub(joined, text)


def _keeps_hyphen(left: str, right: str, seen: str) -> bool:
    if not left or not right or not left[-1].isalpha() or not right[0].isalpha():
        return True
    if right[0].isupper() and not (left.isupper() and len(left) > 1):
        return True
    if (left + right).lower() in seen:
        return False
    if f"{left}-{right}".lower() in seen:
        return True
    last = left.lower().rsplit("-", 1)[-1]
    if "-" in left and last in _LINKS:
        return True
    return (last in _UNSPLIT or last in _COUNTS) and len(right) >= 4 and right.lower() not in _ENDINGS


def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {code: NOTHING for code in (*range(0x20), *range(0xE000, 0xF900), 0xFFFE, 0xFFFF)}
    table |= {code: NOTHING for code in range(0xD800, 0xE000)}
    table |= {code: bytes([code]).decode("cp1252", "replace") for code in range(0x7F, 0xA0)}
    table |= {0x7F: NOTHING, 0xA0: " ", 0xAD: None, 0x0C: "\n", 0x2010: "-", 0x2028: "\n", 0x2029: "\n"}
    table |= LIGATURES
    table |= {code: None for code in INVISIBLE}
    for code in (0x09, 0x0A, 0x0D):
        del table[code]
    return table


TABLE = _table()
