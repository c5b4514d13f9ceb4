"""One page from PDFium's characters to text, and only as costly as the page needs.

| what the page has                                      | what is done                       |
|--------------------------------------------------------|------------------------------------|
| plain letters in the file's order                      | PDFium's text as it is             |
| hyphens, ligatures, symbols, unknown letters           | letters.py                         |
| letters that the font's map loses                      | mend.py, once a document           |
| crossed columns, vertical lines, right-to-left letters | glyphs.py, then the module for it  |
| form values, typewriter text, notes                    | annotations.py, placing.py         |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf import letters
from docbeam.extractors.pdf.annotations import Annotations, annotations
from docbeam.extractors.pdf.flat_text import widened
from docbeam.extractors.pdf.glyphs import Line, glyph_lines
from docbeam.extractors.pdf.page import OpenPage, font_name, raw_text
from docbeam.extractors.pdf.placing import placed
from docbeam.extractors.pdf.reading_order import EAST_ASIAN, in_order, order_needed
from docbeam.extractors.pdf.right_to_left import logical

BEFORE_CHARS = 60_000  # text of earlier pages that hyphens are judged by
SHORT_CHARS = 200  # a page with fewer may have lost its text
PROBES, MANY_PROBES = 24, 200  # letters of a page that are asked whether their font has a map
LOST = "\ufffe"  # also where PDFium joined a hyphen, until with_joints has told them apart
HALF = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class PageText:
    """The text of a page.

    `unknown` counts glyphs without a known letter, `guessed` is the share of letters whose font has no map to Unicode;
    `has_lost_letters`: mending the fonts' maps may bring letters back.
    """

    text: str
    unknown: int = 0
    guessed: float = 0.0
    has_lost_letters: bool = False
    files: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Reader:
    """Reads pages, and remembers what later pages need: earlier text and the aliases of a mended document."""

    aliases: Mapping[int, str] = field(default_factory=dict)
    before: str = ""

    def read(self, page: OpenPage) -> PageText:
        """Return a page's text."""
        raw = raw_text(page.text_page, page.char_count)
        if (len(raw) < SHORT_CHARS or EAST_ASIAN.search(raw)) and widened(page):
            raw = raw_text(page.text_page, page.char_count)
        raw = with_joints(page, raw)
        added = annotations_of(page)
        order = order_needed(page, raw)
        if order or (added and added.items) or letters.RIGHT_TO_LEFT.search(raw):
            lines = glyph_lines(page, self.aliases)
            lines = in_order(lines, order) if order else lines
            lines = [logical(line) for line in lines]
            lines = placed(lines, added.items) if added else lines
            text = text_of(lines)
        else:
            text = (with_symbols(page, raw) if not self.aliases and letters.PRIVATE_USE.search(raw) else raw).replace("\r\n", "\n")
        text, unknown = letters.cleaned(text, {**letters.TABLE, **self.aliases} if self.aliases else letters.TABLE, self.before)
        text = tidy(text)
        notes = [note for note in added.notes if "".join(note.split()) not in "".join(text.split())] if added else []
        text = "\n".join([part for part in (text, *notes) if part])
        self.before = f"{self.before}\n{text}"[-BEFORE_CHARS:]
        return PageText(text, unknown, guessed_share(page), has_lost_letters(raw), added.files if added else [])


def annotations_of(page: OpenPage) -> Annotations | None:
    """Return what annotations add to the page; asking a page without any costs one call."""
    return annotations(page) if pdfium_c.FPDFPage_GetAnnotCount(page.page) > 0 else None


def text_of(lines: list[Line]) -> str:
    """Return the text of lines; a line that ends in a joint runs on into the next."""
    out = []
    for line in lines:
        text = "".join(glyph.text for glyph in line)
        out.append(text if text.endswith(letters.JOINT) else text + "\n")
    return "".join(out)


def with_joints(page: OpenPage, raw: str) -> str:
    """Return the text with hyphens told from lost letters: PDFium writes U+FFFE for both."""
    if LOST not in raw:
        return raw
    out, end = [], 0
    for match in re.finditer(LOST, raw):
        index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(page.text_page, match.start())
        is_hyphen = index >= 0 and pdfium_c.FPDFText_IsHyphen(page.text_page, index) == 1
        out += [raw[end : match.start()], letters.JOINT if is_hyphen else LOST]
        end = match.end()
    return "".join([*out, raw[end:]])


def has_lost_letters(raw: str) -> bool:
    """Say whether PDFium dropped letters or kept half of one."""
    return LOST in raw or HALF.search(raw) is not None


def with_symbols(page: OpenPage, raw: str) -> str:
    """Return the text with private-use codes of symbol fonts as the symbols that they draw."""
    out, end = [], 0
    for match in letters.PRIVATE_USE.finditer(raw):
        index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(page.text_page, match.start())
        out += [raw[end : match.start()], letters.symbol(ord(match[0]), font_name(page, index))]
        end = match.end()
    return "".join([*out, raw[end:]])


def guessed_share(page: OpenPage) -> float:
    """Return the share of letters whose font has no map to Unicode, so that PDFium passes their codes on as letters."""
    count, has_error, text_page = page.char_count, pdfium_c.FPDFText_HasUnicodeMapError, page.text_page
    for probes in (PROBES, MANY_PROBES):
        step = max(count // probes, 1)
        asked = [has_error(text_page, index) == 1 for index in range(step // 2, count, step)]
        if not any(asked):
            return 0.0
    return sum(asked) / len(asked)


def tidy(text: str) -> str:
    """Return text without blanks at line ends and without blank lines at both ends."""
    if " \n" in text:
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    return text.strip()
