"""The font table: fonts of signs, and the code pages of fonts in Word 6. Source: [MS-DOC] 2.9.286 (SttbfFfn), 2.9.84 (FFN)."""

from __future__ import annotations

from docbeam.extractors.legacy.code_pages import codec_of_charset
from docbeam.extractors.legacy.doc.fib import FONTS, WORD_97, Fib
from docbeam.extractors.ooxml.symbols import is_symbol_font

MAX_FONTS = 4_096
_NAME_AT_6, _NAME_AT_97 = 6, 40


class Fonts:
    """The fonts of a document by their indexes."""

    def __init__(self, fib: Fib) -> None:
        self._names: list[str] = []
        self._codecs: list[str | None] = []
        data = fib.part(FONTS)
        is_word_6 = fib.version != WORD_97
        at = 2 if is_word_6 else 4
        while at < len(data) and len(self._names) < MAX_FONTS:
            entry = data[at : at + data[at] + 1]
            raw = entry[_NAME_AT_6 if is_word_6 else _NAME_AT_97 :]
            name = raw.decode("cp1252" if is_word_6 else "utf-16-le", "replace").partition("\0")[0]
            self._names.append(name)
            self._codecs.append(codec_of_charset(entry[4]) if is_word_6 and len(entry) > 4 else None)
            at += len(entry)

    def name(self, index: int | None) -> str:
        """Return a font's name, an empty text if it isn't known."""
        return self._names[index] if index is not None and index < len(self._names) else ""

    def codec(self, index: int | None) -> str | None:
        """Return the codec of a font's charset, if the font says one."""
        return self._codecs[index] if index is not None and index < len(self._codecs) else None

    def matters(self, index: int) -> bool:
        """Say whether a font changes which letters its codes stand for."""
        return is_symbol_font(self.name(index)) or self.codec(index) is not None
