"""The glyphs of a page with their places, in display coordinates (y grows downwards), grouped into PDFium's lines.

Costs about four calls a character, so only pages that need geometry take this way.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from ctypes import byref, c_double
from dataclasses import dataclass

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.letters import JOINT, NOTHING, PRIVATE_USE, symbol
from docbeam.extractors.pdf.page import OpenPage, font_name

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class Glyph:
    """One character and its box. `is_generated`: a space that PDFium made of a gap."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    is_generated: bool = False


Line = list[Glyph]


def to_display(page: OpenPage) -> Callable[[float, float, float, float], Box]:
    """Return the function that turns a box (left, bottom, right, top) of the page into one as displayed."""
    width, height = page.size()
    turn = pdfium_c.FPDFPage_GetRotation(page.page)

    def upright(left: float, bottom: float, right: float, top: float) -> Box:
        if turn == 1:
            return bottom, left, top, right
        if turn == 2:
            return width - right, bottom, width - left, top
        if turn == 3:
            return width - top, height - right, width - bottom, height - left
        return left, height - top, right, height - bottom

    return upright


def glyph_lines(page: OpenPage, aliases: Container[int] = ()) -> list[Line]:
    """Return PDFium's lines in its order. A line that ends in a joined hyphen ends with a JOINT."""
    text_page, box = page.text_page, to_display(page)
    get_unicode, get_box = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetCharBox
    is_generated = pdfium_c.FPDFText_IsGenerated
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    places = byref(left), byref(right), byref(bottom), byref(top)
    lines: list[Line] = []
    line: Line = []
    for index in range(page.char_count):
        code = get_unicode(text_page, index)
        if code in (10, 13):
            if line:
                lines.append(line)
                line = []
            continue
        if not get_box(text_page, index, *places):
            continue
        place = box(left.value, bottom.value, right.value, top.value)
        text = JOINT if code == 2 else chr(code) if 32 <= code < 0x110000 else NOTHING
        if code not in aliases and PRIVATE_USE.match(text):
            text = symbol(code, font_name(page, index))
        line.append(Glyph(text, *place, code == 32 and is_generated(text_page, index) == 1))
        if code == 2:
            lines.append(line)
            line = []
    if line:
        lines.append(line)
    return lines


def line_box(line: Line) -> Box:
    """Return the box around the inked glyphs of a line, or around all if none is inked."""
    inked = [glyph for glyph in line if not glyph.text.isspace()] or line
    return (
        min(glyph.x0 for glyph in inked),
        min(glyph.y0 for glyph in inked),
        max(glyph.x1 for glyph in inked),
        max(glyph.y1 for glyph in inked),
    )
