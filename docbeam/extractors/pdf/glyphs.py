"""The glyphs of a page with their places, turned so that most of its text runs to the right and y grows downwards.

Costs a call a character, so only pages that need geometry take this way.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container
from functools import partial
from itertools import repeat
from typing import NamedTuple

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import char_box, char_boxes, rects
from docbeam.extractors.pdf.letters import JOINT, NOTHING, symbol
from docbeam.extractors.pdf.page import OpenPage, font_name, raw_text

MIN_GAP_HEIGHTS, MIN_GAP_POINTS = 1.0, 4.0  # a gap that parts words even where PDFium made no space of it
CELLS = re.compile(r"(?<!\S)(?:[\d.,%$€£–—*+-]{2,}|[A-Z✓✗x]{2,4})(?!\S)")  # numbers and marks as narrow cells hold them
FOOTNOTE = re.compile(r"(?:^|\n)(\d{1,3})(?=[A-Z][a-z])")
RAISED_HEIGHT = 0.8  # of the capital behind it; a digit on the line is as high
LINE = re.compile("[^\r\n]+")
ODD_LETTER = re.compile("[^ -\ud7ff]")  # a control, private use, half of a letter, or rare
ANGLE_PROBES = 9  # letters of a page that are asked for their angle

PRIVATE_USE_START, PRIVATE_USE_END = 0xE000, 0xF8FF
NOWHERE = 1e9  # the end of the letter before the first one of a line

Box = tuple[float, float, float, float]
Numbers = list[float]
Columns = tuple[Numbers, Numbers, Numbers, Numbers]


class Glyph(NamedTuple):
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
    return _UPRIGHT[text_turn(page)]


_UPRIGHT: tuple[Callable[[float, float, float, float], Box], ...] = (
    lambda left, bottom, right, top: (left, -top, right, -bottom),
    lambda left, bottom, right, top: (bottom, left, top, right),
    lambda left, bottom, right, top: (-right, bottom, -left, top),
    lambda left, bottom, right, top: (-top, -right, -bottom, -left),
)


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
        box = to_display(page)
        page.runs = [box(left, bottom, right, top) for left, top, right, bottom in rects(page)]
    return page.runs


def is_wide(gap: float, height: float) -> bool:
    """Say whether a gap between two glyphs is one between words, by any measure."""
    return gap > max(MIN_GAP_HEIGHTS * height, MIN_GAP_POINTS)


def glyph_lines(
    page: OpenPage, aliases: Container[int] = (), visible: Box | None = None, marks_generated: bool = False
) -> list[Line]:
    """Return PDFium's lines in its order. A line that ends in a joined hyphen ends with a JOINT.

    `visible` leaves out what lies outside that box (in page units) and counts it in the page. Words that PDFium glues over
    a wide gap are parted. `marks_generated` says of each space whether PDFium made it. Lines of plain letters, as most are,
    are made without a step of Python for each letter.
    """
    lefts, rights, bottoms, tops, has_place = char_boxes(page)
    text, count, page.outside = raw_text(page.text_page, page.char_count), len(has_place), 0
    letters = _Letters(
        _codes(page, text),
        _displayed(text_turn(page), lefts, rights, bottoms, tops),
        has_place,
        _shown(visible, lefts, rights, bottoms, tops) if visible else None,
        aliases,
        marks_generated,
    )
    if len(text) != count or marks_generated:
        return _careful(page, letters, 0, count)
    x0s, y0s, x1s, y1s = letters.places
    gaps = [at for at, (x0, end) in enumerate(zip(x0s[1:], x1s, strict=False), start=1) if x0 - end > MIN_GAP_POINTS]
    make = partial(tuple.__new__, Glyph)
    lines: list[Line] = []
    for match in LINE.finditer(text):
        start, end = match.span()
        span = slice(start, end)
        is_cut = letters.is_shown is not None and False in letters.is_shown[span]
        if is_cut or ODD_LETTER.search(text, start, end) or 0 in has_place[span]:
            lines += _careful(page, letters, start, end)
            continue
        line = list(map(make, zip(match[0], x0s[span], y0s[span], x1s[span], y1s[span], repeat(False))))
        for at in reversed(gaps[bisect_right(gaps, start) : bisect_left(gaps, end)]):
            last, glyph = line[at - start - 1], line[at - start]
            if is_wide(glyph.x0 - last.x1, glyph.y1 - glyph.y0) and not (last.text.isspace() or glyph.text.isspace()):
                line.insert(at - start, Glyph(" ", last.x1, glyph.y0, glyph.x0, glyph.y1, True))
        lines.append(line)
    return lines


class _Letters(NamedTuple):
    """What is known of a page's characters, by their index. `is_shown`: None if all are."""

    codes: list[int]
    places: Columns
    has_place: list[int]
    is_shown: list[bool] | None
    aliases: Container[int]
    marks_generated: bool


def _careful(page: OpenPage, letters: _Letters, start: int, stop: int) -> list[Line]:
    """Return the lines of a span of characters, asking of each what it is."""
    codes, (x0s, y0s, x1s, y1s), has_place, is_shown, aliases, marks_generated = letters
    lines: list[Line] = []
    line: Line = []
    end, is_blank = NOWHERE, True
    for index in range(start, stop):
        code = codes[index]
        if code == 13 or code == 10:
            if line:
                lines.append(line)
                line, end = [], NOWHERE
            continue
        if not has_place[index]:
            continue
        if is_shown and not is_shown[index]:
            page.outside += code > 32
            continue
        x0, y0, x1, y1 = x0s[index], y0s[index], x1s[index], y1s[index]
        text, was_blank = chr(code) if 32 < code < PRIVATE_USE_START else _odd_letter(page, index, code, aliases), is_blank
        is_blank = text.isspace()
        if x0 - end > MIN_GAP_POINTS and not is_blank and not was_blank and is_wide(x0 - end, y1 - y0):
            line.append(Glyph(" ", end, y0, x0, y1, True))
        end = x1
        line.append(Glyph(text, x0, y0, x1, y1, marks_generated and code == 32 and _is_generated(page, index)))
        if text == JOINT:
            lines.append(line)
            line, end = [], NOWHERE
    if line:
        lines.append(line)
    return lines


def _shown(visible: Box, lefts: Numbers, rights: Numbers, bottoms: Numbers, tops: Numbers) -> list[bool] | None:
    """Return for each letter whether it reaches into a box (left, bottom, right, top), None if all do."""
    left, bottom, right, top = visible
    if lefts and max(lefts) <= right and left <= min(rights) and max(bottoms) <= top and bottom <= min(tops):
        return None
    places = zip(lefts, rights, bottoms, tops, strict=True)
    return [x0 <= right and left <= x1 and y0 <= top and bottom <= y1 for x0, x1, y0, y1 in places]


def _displayed(turn: int, lefts: Numbers, rights: Numbers, bottoms: Numbers, tops: Numbers) -> Columns:
    """Return the columns x0, y0, x1, y1 as displayed; to_display does the same for one box."""
    if turn == 1:
        return bottoms, lefts, tops, rights
    if turn == 2:
        return [-x for x in rights], bottoms, [-x for x in lefts], tops
    if turn == 3:
        return [-y for y in tops], [-x for x in rights], [-y for y in bottoms], [-x for x in lefts]
    return lefts, [-y for y in tops], rights, [-y for y in bottoms]


def _odd_letter(page: OpenPage, index: int, code: int, aliases: Container[int]) -> str:
    """Return the letter of a blank, a control, or a code from the private use area upwards."""
    if code > PRIVATE_USE_END or PRIVATE_USE_START > code > 32:
        return chr(code) if code < 0x110000 else NOTHING
    if code == 2 and pdfium_c.FPDFText_IsHyphen(page.text_page, index) == 1:
        return JOINT
    if code not in (0, 9, 32) and code not in aliases:
        return symbol(code, font_name(page, index))
    return chr(code) if code else NOTHING


def _is_generated(page: OpenPage, index: int) -> bool:
    return bool(pdfium_c.FPDFText_IsGenerated(page.text_page, index) == 1)


def _codes(page: OpenPage, text: str) -> list[int]:
    """Return the code of every character: from the text where each has one unit in it and none is in doubt."""
    get_unicode = pdfium_c.FPDFText_GetUnicode
    if len(text) != page.char_count:
        return [get_unicode(page.text_page, index) for index in range(page.char_count)]
    if text.isascii() or max(text) < "\ud800":
        return list(map(ord, text))
    return [get_unicode(page.text_page, index) if code >= 0xD800 else code for index, code in enumerate(map(ord, text))]


def cuts_at_gaps(page: OpenPage, text: str) -> list[int]:
    """Return the indexes in a text, PDFium's character for character, before which there is a wide gap but no blank.

    It takes a string whose gaps are all wide for a spaced-out word, but `3 0` in a table is two cells and not thirty.
    """
    read, box = char_box(page), to_display(page)
    cuts = []
    for cell in CELLS.finditer(text):
        end = NOWHERE
        for index in range(*cell.span()):
            left, right, bottom, top = read(index) or (0.0, 0.0, 0.0, 0.0)
            x0, y0, x1, y1 = box(left, bottom, right, top)
            if x0 - end > MIN_GAP_POINTS and is_wide(x0 - end, y1 - y0):
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
    inked = [glyph for glyph in line if not glyph[0].isspace()] or line
    _, x0, y0, x1, y1, _ = zip(*inked, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
