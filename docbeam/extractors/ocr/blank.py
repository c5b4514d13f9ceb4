"""Whether a page has nothing to read: paper with a scanner's grain, specks, edges and punch holes is blank.

An engine takes up to half a minute over such pages, as it looks for words in every direction. A page counts as blank
only if no mark on it could be a letter, so that a lone page number keeps it from being so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter, ImageOps

UNIFORM_RANGE = 24  # grey levels of 255 between the darkest and the lightest dot: paper, shade and noise
PROBE_SIDE = 800  # pixels: a page of A4 at 68 dpi, where a letter of 6 points is 4 pixels high
LETTER_PIXELS = 10  # a picture that is narrower has no room for a letter; the engine would search it all the same
LEAST_SIDE = 300  # pixels; a smaller picture has no room for edges and holes, and costs little
GROUND_RADIUS = 16  # pixels of the probe: 6 mm, wider than a letter's strokes
INK = 18  # grey levels between ink and the ground around it; pencil has 40, grain at this size under 10
MOST_INK = 0.02  # share of the probe: a page with more is not blank whatever it is
LETTER_SIDE = 3  # pixels of the probe: 1.1 mm; what is smaller in both directions is a speck
EDGE = 0.015  # share of a side: shadows of the lid and torn edges begin within it
HOLE_SIDES = range(8, 28)  # pixels of the probe: punch holes are 5 to 8 mm wide, with shadow up to 10
HOLE_ZONE, HOLE_FILL = 0.1, 0.65  # share of a side in which holes are, and least share of a hole's box that is dark
LINE_SHARE, LINE_WIDTH = 0.4, 3  # streaks and folds: longer than this share of the page, and at most so many pixels wide


def is_blank(image: Image.Image) -> bool:
    """Say whether there is nothing on a page that could be text."""
    if min(image.size) < LETTER_PIXELS:
        return True
    grey = image if image.mode == "L" else image.convert("L")
    low, high = grey.getextrema()
    if float(high) - float(low) < UNIFORM_RANGE:  # type: ignore[arg-type]
        return True
    if min(grey.size) < LEAST_SIDE:
        return False
    ink = _ink(grey)
    if ink.histogram()[255] > MOST_INK * ink.width * ink.height:
        return False
    return not any(_could_be_text(mark, ink.size) for mark in _marks(ink))


class Mark(NamedTuple):
    """Dark dots that hang together: their box in pixels and their number."""

    left: int
    top: int
    right: int
    bottom: int
    dots: int


def _ink(grey: Image.Image) -> Image.Image:
    """Return a small copy in which ink is 255 and all else 0, whether the ground is light or dark."""
    shrink = max(max(grey.size) / PROBE_SIDE, 1.0)
    size = max(int(grey.width / shrink), 1), max(int(grey.height / shrink), 1)
    probe = grey.resize(size, Image.Resampling.BOX, reducing_gap=None)
    histogram = probe.histogram()
    if sum(histogram[:128]) > sum(histogram[128:]):
        probe = ImageOps.invert(probe)
    ground = probe.filter(ImageFilter.BoxBlur(GROUND_RADIUS))
    return ImageChops.subtract(ground, probe).point(lambda level: 255 if level >= INK else 0)


def _could_be_text(mark: Mark, size: tuple[int, int]) -> bool:
    width, height = mark.right - mark.left + 1, mark.bottom - mark.top + 1
    if max(width, height) < LETTER_SIDE:
        return False
    margins = EDGE * size[0], EDGE * size[1]
    if mark.left <= margins[0] or mark.top <= margins[1]:
        return False
    if mark.right >= size[0] - 1 - margins[0] or mark.bottom >= size[1] - 1 - margins[1]:
        return False
    if min(width, height) <= LINE_WIDTH and (width > LINE_SHARE * size[0] or height > LINE_SHARE * size[1]):
        return False
    return not _is_hole(mark, width, height, size)


def _is_hole(mark: Mark, width: int, height: int, size: tuple[int, int]) -> bool:
    is_round = width in HOLE_SIDES and height in HOLE_SIDES and 0.75 < width / height < 1.33
    x, y = (mark.left + mark.right) / 2 / size[0], (mark.top + mark.bottom) / 2 / size[1]
    return is_round and min(x, 1 - x, y, 1 - y) < HOLE_ZONE and mark.dots > HOLE_FILL * width * height


def _marks(ink: Image.Image) -> Iterator[Mark]:
    """Yield the marks of a page that has little ink; dots that touch by a corner hang together."""
    width, data = ink.width, ink.tobytes()
    left = set()
    place = data.find(b"\xff")
    while place >= 0:
        left.add(place)
        place = data.find(b"\xff", place + 1)
    neighbours = (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)
    while left:
        found = [left.pop()]
        for dot in found:
            near = [dot + step for step in neighbours if dot + step in left]
            left.difference_update(near)
            found.extend(near)
        columns, rows = [dot % width for dot in found], [dot // width for dot in found]
        yield Mark(min(columns), min(rows), max(columns), max(rows), len(found))
