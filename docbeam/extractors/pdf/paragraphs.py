"""Blank lines where a page leaves clearly more room between two lines than its lines have; never within a paragraph.

Double-spaced text and the rows of a table have even distances and stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from docbeam.extractors.pdf.calls import loose_boxes
from docbeam.extractors.pdf.glyphs import LINE, Line, to_display
from docbeam.extractors.pdf.page import OpenPage

WIDER = 1.4  # times the usual distance of lines of that size; a line with a fraction or a raised letter stays under
WIDER_BY_INK = 1.6  # where sizes are judged by the letters' ink, which is less even than their font's box
MIN_DISTANCES = 3  # of a page before one is usual
MOST_HEIGHTS = 2.5  # a distance of more heights is none between lines of a paragraph
ASIDE_HEIGHTS = 15.0  # a line that begins so far to the side stands elsewhere
EVEN, EVEN_RUN = 0.12, 3  # distances that differ by less, so many in a row, are a table's rows or a spaced list
TAB = "\t"  # between the cells of a ruled table
ENDS = ".:;!?…»”\"')]"


class Start(NamedTuple):
    """Where a line stands: its span in the text, and the box of its first letter; y grows downwards."""

    start: int
    end: int
    x0: float
    y0: float
    y1: float


def line_starts(page: OpenPage, text: str) -> list[Start]:
    """Return the lines of PDFium's text, character for character, with their places."""
    box = to_display(page)
    spans = [match.span() for match in LINE.finditer(text)]
    places = loose_boxes(page, [start for start, _ in spans])
    out = []
    for (start, end), (has_place, left, top, right, bottom) in zip(spans, places, strict=True):
        if has_place:
            x0, y0, _, y1 = box(left, bottom, right, top)
            out.append(Start(start, end, x0, y0, y1))
    return out


def blanks_between(starts: Sequence[Start], text: str) -> list[int]:
    """Return the indexes of the lines that a blank line goes before."""
    return [at for at in _wide(starts, WIDER) if not _runs_on(text[starts[at - 1].end - 1], text[starts[at].start])]


def blanks_among(lines: list[Line]) -> set[int]:
    """Return the indexes of the lines of glyphs that a blank line goes before."""
    inked = [[glyph for glyph in line if not glyph[0].isspace()] or line for line in lines]
    starts = [
        Start(at, at, line[0].x0, min([glyph[2] for glyph in line]), median([glyph[4] for glyph in line]))
        for at, line in enumerate(inked)
    ]
    is_row = [any([glyph[0] == TAB for glyph in line]) for line in lines]
    return {
        at
        for at in _wide(starts, WIDER_BY_INK)
        if not (is_row[at - 1] and is_row[at]) and not _runs_on(inked[at - 1][-1].text, inked[at][0].text)
    }


def _runs_on(last: str, first: str) -> bool:
    return first.islower() and last not in ENDS


def _wide(starts: Sequence[Start], wider: float) -> list[int]:
    steps = [_step(a[2], a[3], a[4], b[2], b[3], b[4]) for a, b in pairwise(starts)]
    near = [step / height for step, height in steps if 0.3 * height < step < MOST_HEIGHTS * height]
    if len(near) < MIN_DISTANCES:
        return []
    usual = wider * median(near)
    return [at + 1 for at, (step, height) in enumerate(steps) if step > usual * height > 0 and not _is_even(steps, at)]


def _step(last_x0: float, last_y0: float, last_y1: float, x0: float, y0: float, y1: float) -> tuple[float, float]:
    """Return how far a line stands below the one before it, 0 if it stands elsewhere, and the height of the larger one."""
    height, last_height = y1 - y0, last_y1 - last_y0
    if last_height > height:
        height = last_height
    is_elsewhere = abs(x0 - last_x0) > ASIDE_HEIGHTS * height
    return (0.0 if is_elsewhere else y1 - last_y1), height


def _is_even(steps: list[tuple[float, float]], at: int) -> bool:
    step = steps[at][0]
    first = last = at
    while first > 0 and abs(steps[first - 1][0] - step) < EVEN * step:
        first -= 1
    while last + 1 < len(steps) and abs(steps[last + 1][0] - step) < EVEN * step:
        last += 1
    return last - first + 1 >= EVEN_RUN
