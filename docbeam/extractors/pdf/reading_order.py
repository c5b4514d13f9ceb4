"""Reading order where PDFium's own is wrong: columns that the file stores row by row, and vertical lines (vertical.py).

PDFium follows the file's order, which is nearly always the author's. `jumps_sideways` is a cheap look at the rectangles
of the text runs, of long pages at three spots only; pages without a jump over wide gaps are right as they are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import rect
from docbeam.extractors.pdf.glyphs import NOWHERE, Box, Line, from_display, text_runs, text_turn, to_display
from docbeam.extractors.pdf.page import OpenPage, bounded_text
from docbeam.extractors.pdf.vertical import EAST_ASIAN, from_the_right, is_vertical

MAX_RECTS = 20_000  # a page with more is a drawing, and its order is nobody's
MIN_ROWS = 4  # rows that must cross a gutter before it is one
MIN_GAP_HEIGHTS = 0.8  # width of a gutter in heights of its runs; spaces between words stay under 0.6
MIN_GUTTER_POINTS = 7.0  # narrower ones are justified lines of small letters
MIN_FREE = 0.5  # of a gutter that a line has to leave free to be two
MIN_COLUMN_HEIGHTS = 9.0  # narrower cells are a table's: about 18 letters
MIN_FULL_ROWS = 0.5  # share of lines that reach the column's edge in running text; cells of a table seldom do
FULL_ROW = 0.82  # of the column's width
MIN_WORDS = 4  # a line of a column
MAX_DIGITS = 0.2  # of its letters
SAMPLE_ROWS = 24
WINDOWS, WINDOW_RECTS = 3, 24  # where a page with many rectangles is looked at first
MIN_JUMPS = 3  # over wide gaps in one of them; single ones are headers and the ends of lists


@dataclass(frozen=True, slots=True)
class Order:
    """What a page needs: gutters between columns (their x from and to, from the left), or its vertical lines sorted."""

    gutters: tuple[tuple[float, float], ...] = ()
    is_vertical: bool = False


@dataclass(slots=True)
class Run:
    """Neighbouring rectangles on one row."""

    x0: float
    y0: float
    x1: float
    y1: float


def jumps_sideways(page: OpenPage) -> bool:
    """Say whether the page jumps over wide gaps on its rows, as crossed columns and tables do."""
    count = pdfium_c.FPDFText_CountRects(page.text_page, 0, -1)
    return 2 <= count <= MAX_RECTS and any(_may_cross(page, window) for window in _windows(count))


def order_needed(page: OpenPage, text: str, jumps: bool) -> Order | None:
    """Return what has to be put in order, None for a page that is right as PDFium gives it."""
    if EAST_ASIAN.search(text) and is_vertical(page):
        return Order(is_vertical=True)
    if not jumps:
        return None
    gutters = _gutters(page, _runs(text_runs(page)))
    return Order(gutters=gutters) if gutters else None


def in_order(lines: list[Line], order: Order) -> list[Line]:
    """Return the lines in reading order; a line that crosses a gutter between two columns is split there."""
    if order.is_vertical:
        return from_the_right(lines)
    return list(_by_column(lines, order.gutters))


def _windows(count: int) -> Iterator[range]:
    if count <= WINDOWS * WINDOW_RECTS:
        yield range(count)
        return
    for window in range(WINDOWS):
        start = (2 * window + 1) * count // (2 * WINDOWS) - WINDOW_RECTS // 2
        yield range(start, start + WINDOW_RECTS)


def _may_cross(page: OpenPage, indexes: range) -> bool:
    """Say whether the file's order jumps sideways over a wide gap. Kept plain: every page comes here."""
    if text_turn(page):
        runs = _runs(_boxes(page, indexes))
        return sum(_is_jump(a, b) for a, b in pairwise(runs)) >= MIN_JUMPS
    last_right, last_bottom, last_height, jumps = 1e9, 0.0, 0.0, 0
    for x, top, right, y in filter(None, map(rect(page), indexes)):
        height = top - y
        gap = x - last_right
        if gap > MIN_GUTTER_POINTS and gap > MIN_GAP_HEIGHTS * last_height and abs(y - last_bottom) < 1.2 * last_height:
            jumps += 1
        last_right, last_bottom, last_height = right, y, height
    return jumps >= MIN_JUMPS


def _boxes(page: OpenPage, indexes: range) -> Iterator[Box]:
    box = to_display(page)
    for left, top, right, bottom in filter(None, map(rect(page), indexes)):
        yield box(left, bottom, right, top)


def _runs(boxes: Iterable[Box]) -> list[Run]:
    runs: list[Run] = []
    last = Run(0.0, 0.0, NOWHERE, 0.0)
    for x0, y0, x1, y1 in boxes:
        gap, height = x0 - last.x1, last.y1 - last.y0
        if gap > -2 and (gap < MIN_GUTTER_POINTS or gap < MIN_GAP_HEIGHTS * height) and _is_same_row(last, y0, y1):
            last.x1, last.y0, last.y1 = max(x1, last.x1), min(y0, last.y0), max(y1, last.y1)
        else:
            last = Run(x0, y0, x1, y1)
            runs.append(last)
    return runs


def _is_same_row(run: Run, y0: float, y1: float) -> bool:
    return min(run.y1, y1) - max(run.y0, y0) > 0.4 * min(run.y1 - run.y0, y1 - y0)


def _gutters(page: OpenPage, runs: list[Run]) -> tuple[tuple[float, float], ...]:
    """Return the x of gutters that the file's order crosses again and again, between columns of running text."""
    jumps = [(a, b) for a, b in pairwise(runs) if _is_jump(a, b)]
    if len(jumps) < MIN_ROWS:
        return ()
    found: list[tuple[float, float]] = []
    places = [b.x0 for _, b in jumps]
    for edge in sorted(set(map(round, places))):
        rows = [pair for pair, place in zip(jumps, places, strict=True) if -2.5 <= place - edge <= 2.5]
        if len(rows) < MIN_ROWS or (found and edge - found[-1][1] < 10):
            continue
        inner = max(a.x1 for a, _ in rows)
        left, right = [a for a, _ in rows], [b for _, b in rows]
        if inner < edge and _is_filled(left) and _is_filled(right) and _is_prose(page, left) and _is_prose(page, right):
            found.append((inner, edge))
    return tuple(found)


def _is_jump(a: Run, b: Run) -> bool:
    gap = b.x0 - a.x1
    if gap <= MIN_GUTTER_POINTS:
        return False
    height = max(a.y1 - a.y0, 1.0)
    return gap > MIN_GAP_HEIGHTS * height and abs(b.y1 - a.y1) < 1.2 * height


def _is_filled(column: list[Run]) -> bool:
    """Say whether runs are as long as lines of running text, and most of them as wide as the column."""
    x0, x1 = min(run.x0 for run in column), max(run.x1 for run in column)
    height = median(run.y1 - run.y0 for run in column)
    full = sum(1 for run in column if run.x1 - x0 > FULL_ROW * (x1 - x0))
    return median(run.x1 - run.x0 for run in column) > MIN_COLUMN_HEIGHTS * height and full >= MIN_FULL_ROWS * len(column)


def _is_prose(page: OpenPage, column: list[Run]) -> bool:
    """Say whether runs hold words, several a line, rather than a table's names and numbers."""
    back = from_display(page)
    texts = [bounded_text(page.text_page, back(run.x0, run.y0, run.x1, run.y1)) for run in column[:SAMPLE_ROWS]]
    letters = "".join(texts)
    if sum(map(str.isdigit, letters)) >= MAX_DIGITS * len(letters):
        return False
    return median(map(_words, texts)) >= MIN_WORDS


def _words(text: str) -> float:
    east_asian = 0 if text.isascii() else len(EAST_ASIAN.findall(text))
    return len(text.split()) + east_asian / 3


def _by_column(lines: list[Line], spans: tuple[tuple[float, float], ...]) -> Iterator[Line]:
    gutters = [(inner + edge) / 2 for inner, edge in spans]
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in lines:
        for piece, x0, x1 in _split(line, spans, gutters):
            place = bisect_left(gutters, (x0 + x1) / 2)
            if any(x0 < gutter - 1 and gutter + 1 < x1 for gutter in gutters):
                yield from _drained(columns)
                yield piece
            else:
                columns[place].append(piece)
    yield from _drained(columns)


def _split(line: Line, spans: tuple[tuple[float, float], ...], gutters: list[float]) -> Iterator[tuple[Line, float, float]]:
    """Split a line at the gutters over which it leaves most of the gap free; yield the pieces and where they begin and end."""
    starts, ends = [glyph[1] for glyph in line], [glyph[3] for glyph in line]
    x0, x1 = min(starts), max(ends)
    if not any([x0 < gap < x1 for gap in gutters]):
        yield line, x0, x1
        return
    inked = [glyph for glyph in line if not glyph[0].isspace()] or line
    starts, ends = [glyph[1] for glyph in inked], [glyph[3] for glyph in inked]
    x0, x1 = min(starts), max(ends)
    gaps = [gap for span, gap in zip(spans, gutters, strict=True) if x0 < gap < x1 and _leaves_free(starts, ends, *span)]
    if not gaps:
        yield line, x0, x1
        return
    pieces: list[Line] = [[] for _ in range(len(gaps) + 1)]
    for glyph in line:
        start, end = glyph[1], glyph[3]
        if (glyph[0] == " " or glyph[0].isspace()) and any([start <= gap <= end for gap in gaps]):
            continue
        pieces[bisect_right(gaps, (start + end) / 2)].append(glyph)
    whole = [(piece, [glyph for glyph in piece if not glyph[0].isspace()]) for piece in pieces]
    if not any(inked for _, inked in whole):
        yield line, x0, x1
    for piece, inked in whole:
        if inked:
            yield piece, min([glyph[1] for glyph in inked]), max([glyph[3] for glyph in inked])


def _leaves_free(starts: list[float], ends: list[float], inner: float, edge: float) -> bool:
    both = inner + edge
    left = max([end for start, end in zip(starts, ends, strict=True) if start + end < both], default=None)
    right = min([start for start, end in zip(starts, ends, strict=True) if start + end >= both], default=None)
    return left is not None and right is not None and right - left > max(MIN_FREE * (edge - inner), 4.0)


def _drained(columns: list[list[Line]]) -> Iterator[Line]:
    for column in columns:
        yield from column
        column.clear()
