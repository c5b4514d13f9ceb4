"""Letters behind the codes of symbol fonts: Symbol, Wingdings, Wingdings 2 and 3, Webdings.

Source: Adobe's Symbol encoding (unicode.org, VENDORS/ADOBE/symbol.txt) and Microsoft's Wingdings chart; only signs
with an accepted Unicode equivalent. Word writes the codes as 0xF020–0xF0FF.
"""

from __future__ import annotations

import re

PRIVATE = re.compile("[\uf020-\uf0ff]")
_BULLET = "•"

_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"  # 0x20–0x7E
_SYMBOL_HIGH = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\uf8ff〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"  # 0xA0–0xFE
)
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3A: "🖥", 0x3F: "✍", 0x41: "✌", 0x46: "☞", 0x4A: "☺",
    0x4B: "😐", 0x4C: "☹", 0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄", 0x55: "✞", 0x58: "✠", 0x59: "✡", 0x5A: "☪",
    0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆",
    0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x7A: "⌘", 0x7B: "❀", 0x7C: "✿", 0x7D: "❝", 0x7E: "❞",
    **{0x80 + n: sign for n, sign in enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿")},
    0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪", 0xA8: "□", 0xAA: "✦", 0xAB: "★",
    0xAC: "✶", 0xAD: "✴", 0xAE: "✹", 0xAF: "✵", 0xB6: "☆", 0xD5: "⌫", 0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←",
    0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE3: "↖", 0xE4: "↗", 0xE5: "↙", 0xE6: "↘", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨",
    0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xF4: "⇳", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x56: "⊗", 0x57: "⊗", 0x97: "●", 0x98: "•",
    0x99: "·", 0x9A: "⬤", 0x9B: "○", 0xA0: "■", 0xA1: "▪", 0xA2: "■", 0xA3: "□", 0xA4: "□", 0xAE: "◆", 0xB1: "◆",
}  # fmt: skip
_WINGDINGS_3 = {0x22: "↖", 0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x70: "▲", 0x71: "▼", 0x74: "◀", 0x75: "▶",
                0x7D: "▶", 0x84: "◀"}  # fmt: skip
_WEBDINGS = {0x32: "▸", 0x33: "◀", 0x34: "▶", 0x35: "▲", 0x36: "▼", 0x3C: "■", 0x3D: "●", 0x61: "✓", 0x72: "✗",
             0x6E: "●", 0x67: "■", 0x63: "□", 0x9E: "☒"}  # fmt: skip
_SYMBOL = {0x20 + n: sign for n, sign in enumerate(_SYMBOL_LOW)} | {0xA0 + n: sign for n, sign in enumerate(_SYMBOL_HIGH)}
_FONTS = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
}


def is_symbol_font(font: str) -> bool:
    """Say whether the font draws signs in place of letters."""
    return font.lower() in _FONTS


def symbol(font: str, code: int) -> str:
    """Return the sign that a font draws for a code; the code's own character where the font or the sign isn't known."""
    low = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    known = _FONTS.get(font.lower())
    if known is not None and low in known:
        return known[low]
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def symbol_text(font: str, text: str) -> str:
    """Return text that is set in a symbol font as the signs that a reader sees."""
    if is_symbol_font(font):
        return "".join(symbol(font, ord(char)) for char in text)
    return without_private(text)


def without_private(text: str) -> str:
    """Return text whose symbol font isn't known, with Symbol's bullet as one; other private codes stay as they are."""
    return text.replace("\uf0b7", _BULLET)


def bullet(font: str, text: str) -> str:
    """Return the sign of a list's bullet; signs that can't be told become •."""
    sign = symbol_text(font, text)
    return _BULLET if not sign or PRIVATE.search(sign) else sign
