"""Reading order where PDFium's own is wrong: columns that the file stores row by row, and vertical lines (vertical.py).

PDFium follows the file's order, which is nearly always the author's. `jumps_sideways` is a cheap look at the rectangles
of the text runs, of long pages at three spots only; pages without a jump over wide gaps are right as they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import rect
from docbeam.extractors.pdf.glyphs import Box, Line, from_display, line_box, text_runs, text_turn, to_display
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
    for x0, y0, x1, y1 in boxes:
        last = runs[-1] if runs else None
        if (
            last
            and _is_same_row(last, y0, y1)
            and -2 < x0 - last.x1 < max(MIN_GAP_HEIGHTS * (last.y1 - last.y0), MIN_GUTTER_POINTS)
        ):
            last.x1, last.y0, last.y1 = max(x1, last.x1), min(y0, last.y0), max(y1, last.y1)
        else:
            runs.append(Run(x0, y0, x1, y1))
    return runs


def _is_same_row(run: Run, y0: float, y1: float) -> bool:
    return min(run.y1, y1) - max(run.y0, y0) > 0.4 * min(run.y1 - run.y0, y1 - y0)


def _gutters(page: OpenPage, runs: list[Run]) -> tuple[tuple[float, float], ...]:
    """Return the x of gutters that the file's order crosses again and again, between columns of running text."""
    jumps = [(a, b) for a, b in pairwise(runs) if _is_jump(a, b)]
    if len(jumps) < MIN_ROWS:
        return ()
    found: list[tuple[float, float]] = []
    for edge in sorted({round(b.x0) for _, b in jumps}):
        rows = [(a, b) for a, b in jumps if abs(b.x0 - edge) <= 2.5]
        if len(rows) < MIN_ROWS or (found and edge - found[-1][1] < 10):
            continue
        inner = max(a.x1 for a, _ in rows)
        left, right = [a for a, _ in rows], [b for _, b in rows]
        if inner < edge and all(_is_filled(side) and _is_prose(page, side) for side in (left, right)):
            found.append((inner, edge))
    return tuple(found)


def _is_jump(a: Run, b: Run) -> bool:
    height = max(a.y1 - a.y0, 1.0)
    return b.x0 - a.x1 > max(MIN_GAP_HEIGHTS * height, MIN_GUTTER_POINTS) and abs(b.y1 - a.y1) < 1.2 * height


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
    words = median(_words(text) for text in texts)
    letters = "".join(texts)
    digits = sum(letter.isdigit() for letter in letters)
    return words >= MIN_WORDS and digits < MAX_DIGITS * len(letters)


def _words(text: str) -> float:
    east_asian = len(EAST_ASIAN.findall(text))
    return len(text.split()) + east_asian / 3


def _by_column(lines: list[Line], spans: tuple[tuple[float, float], ...]) -> Iterator[Line]:
    gutters = [(inner + edge) / 2 for inner, edge in spans]
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in lines:
        for piece in _split(line, spans):
            x0, _, x1, _ = line_box(piece)
            place = sum(1 for gutter in gutters if gutter < (x0 + x1) / 2)
            if any(x0 < gutter - 1 and gutter + 1 < x1 for gutter in gutters):
                yield from _drained(columns)
                yield piece
            else:
                columns[place].append(piece)
    yield from _drained(columns)


def _split(line: Line, spans: tuple[tuple[float, float], ...]) -> list[Line]:
    """Split a line at the gutters over which it leaves most of the gap free."""
    inked = [glyph for glyph in line if not glyph.text.isspace()] or line
    x0, x1 = min(glyph.x0 for glyph in inked), max(glyph.x1 for glyph in inked)
    spans = tuple((inner, edge) for inner, edge in spans if x0 < (inner + edge) / 2 < x1)
    if not spans:
        return [line]
    gaps = [(inner + edge) / 2 for inner, edge in spans if _leaves_free(inked, inner, edge)]
    if not gaps:
        return [line]
    pieces: dict[int, Line] = {}
    for glyph in line:
        if glyph.text.isspace() and any(glyph.x0 <= gap <= glyph.x1 for gap in gaps):
            continue
        pieces.setdefault(bisect_right(gaps, (glyph.x0 + glyph.x1) / 2), []).append(glyph)
    whole = [pieces[key] for key in sorted(pieces)]
    return [piece for piece in whole if any(not glyph.text.isspace() for glyph in piece)] or [line]


def _leaves_free(inked: Line, inner: float, edge: float) -> bool:
    both = inner + edge
    left = max([glyph.x1 for glyph in inked if glyph.x0 + glyph.x1 < both], default=None)
    right = min([glyph.x0 for glyph in inked if glyph.x0 + glyph.x1 >= both], default=None)
    return left is not None and right is not None and right - left > max(MIN_FREE * (edge - inner), 4.0)


def _drained(columns: list[list[Line]]) -> Iterator[Line]:
    for column in columns:
        yield from column
        column.clear()
