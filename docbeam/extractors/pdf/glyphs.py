"""The glyphs of a page with their places, turned so that most of its text runs to the right and y grows downwards.

Costs about four calls a character, so only pages that need geometry take this way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container
from ctypes import byref, c_double
from dataclasses import dataclass

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.letters import JOINT, NOTHING, symbol
from docbeam.extractors.pdf.page import OpenPage, font_name

MIN_GAP_HEIGHTS, MIN_GAP_POINTS = 1.0, 4.0  # a gap that parts words even where PDFium made no space of it
CELLS = re.compile(r"(?<!\S)(?:[\d.,%$€£–—*+-]{2,}|[A-Z✓✗x]{2,4})(?!\S)")  # numbers and marks as narrow cells hold them
FOOTNOTE = re.compile(r"(?:^|\n)(\d{1,3})(?=[A-Z][a-z])")
RAISED_HEIGHT = 0.8  # of the capital behind it; a digit on the line is as high
ANGLE_PROBES = 9  # letters of a page that are asked for their angle

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


def text_turn(page: OpenPage) -> int:
    """Return how many quarter turns counter-clockwise most of the page's letters stand, whatever the page's rotation."""
    if page.turn is None:
        count = page.char_count
        asked = range(0, count, max(count // ANGLE_PROBES, 1))
        angles = [pdfium_c.FPDFText_GetCharAngle(page.text_page, index) for index in asked]
        turns = [-round(angle / (math.pi / 2)) % 4 for angle in angles if angle >= 0]  # it counts clockwise
        page.turn = max(range(4), key=turns.count) if turns else 0
        if page.turn and _is_mirrored(page, count // 2):
            page.turn = int(pdfium_c.FPDFPage_GetRotation(page.page))
    return page.turn


def _is_mirrored(page: OpenPage, index: int) -> bool:
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFText_GetMatrix(page.text_page, index, matrix)
    return bool(matrix.a * matrix.d - matrix.b * matrix.c < 0)


def turned_upright(page: OpenPage) -> bool:
    """Turn a page whose text lies on its side, and say whether it did: PDFium would sort such lines by their ends."""
    turn = text_turn(page)
    if turn == pdfium_c.FPDFPage_GetRotation(page.page):
        return False
    pdfium_c.FPDFPage_SetRotation(page.page, turn)
    return page.read_again()


def to_display(page: OpenPage) -> Callable[[float, float, float, float], Box]:
    """Return the function that turns a box (left, bottom, right, top) of the page so that its text runs to the right."""
    turn = text_turn(page)

    def upright(left: float, bottom: float, right: float, top: float) -> Box:
        if turn == 1:
            return bottom, left, top, right
        if turn == 2:
            return -right, bottom, -left, top
        if turn == 3:
            return -top, -right, -bottom, -left
        return left, -top, right, -bottom

    return upright


def from_display(page: OpenPage) -> Callable[[float, float, float, float], Box]:
    """Return the function that turns such a box back into one (left, bottom, right, top) of the page."""
    turn = text_turn(page)

    def turned(x0: float, y0: float, x1: float, y1: float) -> Box:
        if turn == 1:
            return y0, x0, y1, x1
        if turn == 2:
            return -x1, y0, -x0, y1
        if turn == 3:
            return -y1, -x1, -y0, -x0
        return x0, -y1, x1, -y0

    return turned


def is_wide(gap: float, height: float) -> bool:
    """Say whether a gap between two glyphs is one between words, by any measure."""
    return gap > max(MIN_GAP_HEIGHTS * height, MIN_GAP_POINTS)


def glyph_lines(page: OpenPage, aliases: Container[int] = (), visible: Box | None = None) -> list[Line]:
    """Return PDFium's lines in its order. A line that ends in a joined hyphen ends with a JOINT.

    `visible` leaves out what lies outside that box (in page units) and counts it in the page. Words that PDFium glues over
    a wide gap are parted.
    """
    text_page, box = page.text_page, to_display(page)
    get_unicode, get_box = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetCharBox
    is_generated, is_hyphen = pdfium_c.FPDFText_IsGenerated, pdfium_c.FPDFText_IsHyphen
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    places = byref(left), byref(right), byref(bottom), byref(top)
    lines: list[Line] = []
    line: Line = []
    page.outside = 0
    for index in range(page.char_count):
        code = get_unicode(text_page, index)
        if code in (10, 13):
            if line:
                lines.append(line)
                line = []
            continue
        if not get_box(text_page, index, *places):
            continue
        here = left.value, bottom.value, right.value, top.value
        if visible and not _overlaps(here, visible):
            page.outside += code > 32
            continue
        text = chr(code) if 32 <= code < 0x110000 else NOTHING
        if code == 2 and is_hyphen(text_page, index) == 1:
            text = JOINT
        elif code not in aliases and (0 < code < 32 or 0xE000 <= code <= 0xF8FF):
            text = symbol(code, font_name(page, index))
        glyph = Glyph(text, *box(*here), code == 32 and is_generated(text_page, index) == 1)
        if line and is_wide(glyph.x0 - line[-1].x1, glyph.y1 - glyph.y0) and not (text.isspace() or line[-1].text.isspace()):
            line.append(Glyph(" ", line[-1].x1, glyph.y0, glyph.x0, glyph.y1, True))
        line.append(glyph)
        if text == JOINT:
            lines.append(line)
            line = []
    if line:
        lines.append(line)
    return lines


def cuts_at_gaps(page: OpenPage, text: str) -> list[int]:
    """Return the indexes in a text, PDFium's character for character, before which there is a wide gap but no blank.

    It takes a string whose gaps are all wide for a spaced-out word, but `3 0` in a table is two cells and not thirty.
    """
    text_page, get_box, box = page.text_page, pdfium_c.FPDFText_GetCharBox, to_display(page)
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    places = byref(left), byref(right), byref(bottom), byref(top)
    cuts = []
    for cell in CELLS.finditer(text):
        end = None
        for index in range(cell.start(), cell.end()):
            get_box(text_page, index, *places)
            x0, y0, x1, y1 = box(left.value, bottom.value, right.value, top.value)
            if end is not None and is_wide(x0 - end, y1 - y0):
                cuts.append(index)
            end = x1
    return cuts


def cuts_after_notes(page: OpenPage, text: str) -> list[int]:
    """Return the indexes in such a text behind the small raised number that opens a footnote, where PDFium makes no space."""
    cuts = []
    for match in FOOTNOTE.finditer(text):
        number, word = _height(page, match.end(1) - 1), _height(page, match.end(1))
        if number < RAISED_HEIGHT * word:
            cuts.append(match.end(1))
    return cuts


def _height(page: OpenPage, index: int) -> float:
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium_c.FPDFText_GetCharBox(page.text_page, index, byref(left), byref(right), byref(bottom), byref(top))
    return right.value - left.value if text_turn(page) % 2 else top.value - bottom.value


def _overlaps(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def line_box(line: Line) -> Box:
    """Return the box around the inked glyphs of a line, or around all if none is inked."""
    inked = [glyph for glyph in line if not glyph.text.isspace()] or line
    return (
        min(glyph.x0 for glyph in inked),
        min(glyph.y0 for glyph in inked),
        max(glyph.x1 for glyph in inked),
        max(glyph.y1 for glyph in inked),
    )
