r"""Fonts and the code pages of their bytes: \fcharset, \cpg, a script in the font's name, the document's \ansicpg.

Source: RTF 1.9.1, "Font table" and "Character set".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from docbeam.extractors.legacy.code_pages import codec_of_charset, codec_of_page
from docbeam.extractors.ooxml.symbols import is_symbol_font

MAX_FONTS = 20_000  # fonts of one document
SYMBOL_CHARSET, DEFAULT_CHARSET, ANSI_CHARSET = 2, 1, 0
ANSI = "cp1252"
_MAC = {
    78: 932, 79: 949, 80: 936, 81: 950, 83: 10005, 84: 10004, 85: 10006, 86: 10081, 87: 874, 88: 10029, 89: 10007,
    179: 1256, 180: 1256, 181: 1255, 254: 437, 255: 850,
}  # fmt: skip
_BY_NAME = (
    (re.compile(r"\bCyr$", re.IGNORECASE), "cp1251"), (re.compile(r"\bCE$"), "cp1250"), (re.compile(r"\bTur$"), "cp1254"),
    (re.compile(r"\bGreek$"), "cp1253"), (re.compile(r"\bBaltic$"), "cp1257"), (re.compile(r"\(Hebrew\)$"), "cp1255"),
    (re.compile(r"\(Arabic\)$"), "cp1256"), (re.compile(r"\(Vietnamese\)$"), "cp1258"), (re.compile(r"\(Thai\)$"), "cp874"),
)  # fmt: skip


@dataclass(slots=True)
class Font:
    """One font of the table."""

    name: str = ""
    charset: int | None = None
    page: int | None = None


class Fonts:
    """The font table of one document."""

    def __init__(self) -> None:
        self.document = ANSI
        self.has_page = False  # the document names its code page
        self.default = -1
        self._fonts: dict[int, Font] = {}
        self._codecs: dict[int, str] = {}
        self._symbols: dict[int, str] = {}

    def font(self, number: int) -> Font:
        """Return the font with a number, a new one if the table has none yet."""
        self._codecs.clear()
        self._symbols.clear()
        if number not in self._fonts and len(self._fonts) >= MAX_FONTS:
            return Font()
        return self._fonts.setdefault(number, Font())

    def use_page(self, page: int) -> None:
        """Take the document's code page."""
        self._codecs.clear()
        self.document = codec_of_page(page) if page > 0 else ANSI
        self.has_page = page > 0

    def use_charset(self, codec: str) -> None:
        """Take the document's character set (mac, pc, pca), unless a code page says more."""
        if not self.has_page:
            self._codecs.clear()
            self.document = codec

    def codec(self, number: int) -> str:
        """Return the codec of the bytes that are set in a font."""
        codec = self._codecs.get(number)
        if codec is None:
            codec = self._codecs[number] = self._codec(self._fonts.get(number))
        return codec

    def symbol_font(self, number: int) -> str:
        """Return the name of a font that draws signs in place of letters, or an empty text."""
        name = self._symbols.get(number)
        if name is None:
            font = self._fonts.get(number)
            name = self._symbols[number] = font.name if font is not None and is_symbol_font(font.name) else ""
        return name

    def is_eastern(self, number: int) -> bool:
        """Say whether a font is for Hebrew, Arabic or Thai."""
        return self.codec(number) in ("cp1255", "cp1256", "cp874")

    def _codec(self, font: Font | None) -> str:
        if font is None:
            return self.document
        if font.page:
            return codec_of_page(font.page)
        if font.charset in _MAC:
            return codec_of_page(_MAC[font.charset])
        if font.charset is not None and (codec := codec_of_charset(font.charset)):
            return codec
        named = next((codec for ending, codec in _BY_NAME if ending.search(font.name)), None)
        if named:
            return named
        if font.charset == ANSI_CHARSET and self._has_fonts_for_document():
            return ANSI
        return self.document

    def _has_fonts_for_document(self) -> bool:
        """Say whether a font has the document's own code page: then fonts marked as ANSI are really Western."""
        wanted = self.document
        return any(
            font.charset not in (None, ANSI_CHARSET) and codec_of_charset(font.charset or 0) == wanted
            for font in self._fonts.values()
        )
