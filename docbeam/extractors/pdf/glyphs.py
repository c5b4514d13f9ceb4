"""The glyphs of a page with their places, turned so that most of its text runs to the right and y grows downwards.

Costs a call a character, so only pages that need geometry take this way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container
from dataclasses import dataclass

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import char_box, rect
from docbeam.extractors.pdf.letters import JOINT, NOTHING, symbol
from docbeam.extractors.pdf.page import OpenPage, font_name, raw_text

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


def text_runs(page: OpenPage) -> list[Box]:
    """Return the boxes of the page's text runs, in the file's order; asked twice, they are read once."""
    if page.runs is None:
        box, count = to_display(page), pdfium_c.FPDFText_CountRects(page.text_page, 0, -1)
        page.runs = [box(left, bottom, right, top) for left, top, right, bottom in filter(None, map(rect(page), range(count)))]
    return page.runs


def is_wide(gap: float, height: float) -> bool:
    """Say whether a gap between two glyphs is one between words, by any measure."""
    return gap > max(MIN_GAP_HEIGHTS * height, MIN_GAP_POINTS)


def glyph_lines(page: OpenPage, aliases: Container[int] = (), visible: Box | None = None) -> list[Line]:
    """Return PDFium's lines in its order. A line that ends in a joined hyphen ends with a JOINT.

    `visible` leaves out what lies outside that box (in page units) and counts it in the page. Words that PDFium glues over
    a wide gap are parted.
    """
    codes, read, box, is_upright = _codes(page), char_box(page), to_display(page), text_turn(page) == 0
    text_page, is_generated, is_hyphen = page.text_page, pdfium_c.FPDFText_IsGenerated, pdfium_c.FPDFText_IsHyphen
    lines: list[Line] = []
    line: Line = []
    last: Glyph | None = None
    page.outside = 0
    for index, code in enumerate(codes):
        if code in (10, 13):
            if line:
                lines.append(line)
                line, last = [], None
            continue
        place = read(index)
        if not place:
            continue
        left, right, bottom, top = place
        if visible and not (left <= visible[2] and visible[0] <= right and bottom <= visible[3] and visible[1] <= top):
            page.outside += code > 32
            continue
        if code > 32 and not 0xE000 <= code <= 0xF8FF:
            text = chr(code) if code < 0x110000 else NOTHING
        elif code == 2 and is_hyphen(text_page, index) == 1:
            text = JOINT
        elif code not in (0, 9, 32) and code not in aliases:
            text = symbol(code, font_name(page, index))
        else:
            text = chr(code) if code else NOTHING
        x0, y0, x1, y1 = (left, -top, right, -bottom) if is_upright else box(left, bottom, right, top)
        is_far = last is not None and x0 - last.x1 > MIN_GAP_POINTS and is_wide(x0 - last.x1, y1 - y0)
        if last and is_far and not (text.isspace() or last.text.isspace()):
            line.append(Glyph(" ", last.x1, y0, x0, y1, True))
        last = Glyph(text, x0, y0, x1, y1, code == 32 and is_generated(text_page, index) == 1)
        line.append(last)
        if text == JOINT:
            lines.append(line)
            line, last = [], None
    if line:
        lines.append(line)
    return lines


def _codes(page: OpenPage) -> list[int]:
    """Return the code of every character: from the text where each has one unit in it and none is in doubt."""
    text, get_unicode = raw_text(page.text_page, page.char_count), pdfium_c.FPDFText_GetUnicode
    if len(text) != page.char_count:
        return [get_unicode(page.text_page, index) for index in range(page.char_count)]
    return [get_unicode(page.text_page, index) if code >= 0xD800 else code for index, code in enumerate(map(ord, text))]


def cuts_at_gaps(page: OpenPage, text: str) -> list[int]:
    """Return the indexes in a text, PDFium's character for character, before which there is a wide gap but no blank.

    It takes a string whose gaps are all wide for a spaced-out word, but `3 0` in a table is two cells and not thirty.
    """
    read, box = char_box(page), to_display(page)
    cuts = []
    for cell in CELLS.finditer(text):
        end = None
        for index in range(cell.start(), cell.end()):
            left, right, bottom, top = read(index) or (0.0, 0.0, 0.0, 0.0)
            x0, y0, x1, y1 = box(left, bottom, right, top)
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
    left, right, bottom, top = char_box(page)(index) or (0.0, 0.0, 0.0, 0.0)
    return right - left if text_turn(page) % 2 else top - bottom


def line_box(line: Line) -> Box:
    """Return the box around the inked glyphs of a line, or around all if none is inked."""
    inked = [glyph for glyph in line if not glyph.text.isspace()] or line
    return (
        min(glyph.x0 for glyph in inked),
        min(glyph.y0 for glyph in inked),
        max(glyph.x1 for glyph in inked),
        max(glyph.y1 for glyph in inked),
    )
