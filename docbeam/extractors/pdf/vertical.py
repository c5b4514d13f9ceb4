"""Vertical lines, as Japanese and Chinese books have them: PDFium reads them from the left, a reader from the right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import byref, c_double
from itertools import pairwise
from statistics import median

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.glyphs import Line, line_box, to_display
from docbeam.extractors.pdf.page import OpenPage

PROBES = 40  # pairs of neighbouring letters that are asked for their places
MOST = 0.6  # of these
EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_vertical(page: OpenPage) -> bool:
    """Say whether most letters stand under the one before them, by a sample."""
    count, get_origin = page.char_count, pdfium_c.FPDFText_GetCharOrigin
    x, y = c_double(), c_double()
    places, box = (byref(x), byref(y)), to_display(page)
    below = asked = 0
    for index in range(0, count - 1, max(count // PROBES, 1)):
        if get_origin(page.text_page, index, *places):
            first = box(x.value, y.value, x.value, y.value)
            if get_origin(page.text_page, index + 1, *places):
                second = box(x.value, y.value, x.value, y.value)
                asked += 1
                below += second[1] - first[1] > 2 * abs(second[0] - first[0])
    return below > MOST * asked


def from_the_right(lines: list[Line]) -> list[Line]:
    """Rebuild vertical lines from their glyphs and sort them: tiers from the top, in each the lines from the right."""
    tiers: list[tuple[float, list[tuple[float, Line]]]] = []
    for box, line in sorted(((line_box(line), line) for line in _vertical_lines(lines)), key=lambda item: item[0][1]):
        if not tiers or tiers[-1][0] - box[1] < 0.5 * (box[3] - box[1]):
            tiers.append((box[3], []))
        floor, tier = tiers[-1]
        tier.append((box[2], line))
        tiers[-1] = (max(floor, box[3]), tier)
    return [line for _, tier in tiers for _, line in sorted(tier, key=lambda item: -item[0])]


def _vertical_lines(lines: list[Line]) -> Iterator[Line]:
    """Split PDFium's lines where the next glyph is not below or beside the last one on its row."""
    for line in lines:
        glyphs = [glyph for glyph in line if not glyph.is_generated]
        pitch = median([abs(b.y0 - a.y0) for a, b in pairwise(glyphs)]) if len(glyphs) > 1 else 0.0
        piece: Line = []
        for glyph in glyphs:
            if piece and abs(glyph.x1 - piece[-1].x1) > pitch and glyph.y0 < piece[-1].y0 - pitch / 2:
                yield piece
                piece = []
            piece.append(glyph)
        if piece:
            yield piece
