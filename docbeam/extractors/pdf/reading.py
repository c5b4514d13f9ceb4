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

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf import letters
from docbeam.extractors.pdf.annotations import Annotations, annotations
from docbeam.extractors.pdf.glyphs import Line, glyph_lines
from docbeam.extractors.pdf.page import OpenPage, raw_text
from docbeam.extractors.pdf.placing import placed
from docbeam.extractors.pdf.reading_order import in_order, order_needed
from docbeam.extractors.pdf.right_to_left import logical

BEFORE_CHARS = 60_000  # text of earlier pages that hyphens are judged by
PROBES = 24  # letters of a page that are asked whether their font has a map
FONT_NAME_BYTES = 256
LOST = "\ufffe"


@dataclass(slots=True)
class PageText:
    """The text of a page. `unknown` counts glyphs without a known letter, `guessed` is the share of letters without a map."""

    text: str
    unknown: int = 0
    guessed: float = 0.0
    files: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Reader:
    """Reads pages, and remembers what later pages need: earlier text and the aliases of a mended document."""

    table: Mapping[int, str | None] = field(default_factory=lambda: letters.TABLE)
    before: str = ""

    def read(self, page: OpenPage) -> PageText:
        """Return a page's text. Raises LettersLost if the document should be mended first."""
        raw = raw_text(page.text_page, page.char_count)
        added = annotations_of(page)
        order = order_needed(page, raw)
        if order or (added and added.items) or letters.RIGHT_TO_LEFT.search(raw):
            lines = glyph_lines(page)
            lines = in_order(lines, order) if order else lines
            lines = [logical(line) for line in lines]
            lines = placed(lines, added.items) if added else lines
            text = text_of(lines)
        else:
            text = with_joints(page, raw).replace("\r\n", "\n")
        text = with_symbols(page, text) if letters.PRIVATE_USE.search(text) else text
        text, unknown = letters.cleaned(text, self.table, self.before)
        text = tidy(text)
        notes = [note for note in added.notes if "".join(note.split()) not in "".join(text.split())] if added else []
        text = "\n".join([part for part in (text, *notes) if part])
        self.before = f"{self.before}\n{text}"[-BEFORE_CHARS:]
        return PageText(text, unknown, guessed_share(page), added.files if added else [])


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
    out = []
    for at, letter in enumerate(raw):
        if letter == LOST:
            index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(page.text_page, at)
            is_hyphen = index >= 0 and pdfium_c.FPDFText_IsHyphen(page.text_page, index) == 1
            letter = letters.JOINT if is_hyphen else letters.NOTHING
        out.append(letter)
    return "".join(out)


def tidy(text: str) -> str:
    """Return text without blanks at line ends and without blank lines at both ends."""
    if " \n" in text:
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    return text.strip()
