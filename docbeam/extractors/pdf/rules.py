"""The straight lines that a page draws, as displayed, and the grids that they make: what a reader sees as a ruled table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import bounds, objects, path_points, segment_count, typed
from docbeam.extractors.pdf.glyphs import to_display
from docbeam.extractors.pdf.page import OpenPage

MAX_PATHS, MAX_SEGMENTS, MAX_PATH_SEGMENTS = 1_000, 4_000, 400  # of one page and path; one with more is a drawing
BOX_SEGMENTS = (4, 5)  # of a rectangle
LEAST_LENGTH = 6.0  # points; shorter strokes are parts of letters and marks
THICK = 3.0  # points; a filled box as thin is a line too, and lines as near are one
FAR = 1e9  # beyond every page
MAX_RULES = 600  # of one page, when those that go on in each other are joined
MAX_CELLS = 2_000  # of one grid
COVERED = 0.6  # of a cell's side that a line has to cover to close it


@dataclass(slots=True)
class Rule:
    """A horizontal or vertical line: `at` is its y or x, and it reaches from `start` to `end`."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Grid:
    """The cells between rules: edges from the left and from the top, and for each cell (row, column) the cell it is part of."""

    xs: list[float]
    ys: list[float]
    cells: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the cell around a point, None outside the grid."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        return self.cells.get((row, column))

    def around(self, x: float, y: float) -> tuple[float, float, float, float]:
        """Return the rectangle between the nearest edges around a point (left, top, right, bottom), open outside the grid."""
        row, column = bisect_right(self.ys, y), bisect_right(self.xs, x)
        xs, ys = (-FAR, *self.xs, FAR), (-FAR, *self.ys, FAR)
        return xs[column], ys[row], xs[column + 1], ys[row + 1]


def grids(page: OpenPage) -> list[Grid]:
    """Return the grids of at least two rows and columns, from the top."""
    level, upright = _rules(page)
    level, upright = _merged(level), _merged(upright)
    if len(level) < 2 or not upright or len(level) + len(upright) > MAX_RULES:
        return []
    found = [grid for rules in _connected(level, upright) if (grid := _grid(*rules)) is not None]
    return sorted(found, key=lambda grid: grid.ys[0])


def _rules(page: OpenPage) -> tuple[list[Rule], list[Rule]]:
    box = to_display(page)
    level: list[Rule] = []
    upright: list[Rule] = []
    for ax, ay, bx, by in _segments(page):
        if ax > bx:
            ax, bx = bx, ax
        if ay > by:
            ay, by = by, ay
        if by - ay > THICK < bx - ax:
            continue
        x0, y0, x1, y1 = box(ax, ay, bx, by)
        if y1 - y0 <= THICK and x1 - x0 >= LEAST_LENGTH:
            level.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= THICK and y1 - y0 >= LEAST_LENGTH:
            upright.append(Rule((x0 + x1) / 2, y0, y1))
    return level, upright


def _segments(page: OpenPage) -> Iterator[tuple[float, float, float, float]]:
    """Yield the straight segments of all paths in page units; a thin box is one segment, a small thing none."""
    read = bounds()
    paths = [thing for thing, kind in objects(page) if kind == pdfium_c.FPDF_PAGEOBJ_PATH]
    seen = len(paths)
    for thing in paths if seen <= MAX_PATHS else ():
        place = read(thing)
        if not place:
            continue
        left, bottom, right, top = place
        width, height = right - left, top - bottom
        if width <= THICK or height <= THICK:
            yield left, bottom, right, top
            continue
        count = segment_count(thing)
        if count in BOX_SEGMENTS:
            yield left, bottom, right, bottom
            yield left, top, right, top
            yield left, bottom, left, top
            yield right, bottom, right, top
        elif max(BOX_SEGMENTS) < count <= MAX_PATH_SEGMENTS and seen < MAX_SEGMENTS:
            seen += count
            if width >= LEAST_LENGTH or height >= LEAST_LENGTH:
                yield from _sides(thing, count)


def _sides(path: int, count: int) -> Iterator[tuple[float, float, float, float]]:
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(typed(path), matrix)
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    here = first = (0.0, 0.0)
    for kind, x, y, is_closing in path_points(path, count):
        there = (a * x + c * y + e, b * x + d * y + f)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            first = there
        elif kind == pdfium_c.FPDF_SEGMENT_LINETO:
            yield *here, *there
        here = there
        if is_closing:
            yield *here, *first


def _merged(rules: list[Rule]) -> list[Rule]:
    """Join lines that go on in each other."""
    out: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.at / THICK), rule.start)):
        last = out[-1] if out else None
        if last and abs(rule.at - last.at) <= THICK and rule.start <= last.end + THICK and rule.start >= last.start - THICK:
            last.end = max(last.end, rule.end)
        else:
            out.append(Rule(rule.at, rule.start, rule.end))
    return out


def _connected(level: list[Rule], upright: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Return the rules in groups that touch each other."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    left = list(level)
    todo = list(upright)
    while todo:
        rows: list[Rule] = []
        columns = [todo.pop()]
        fresh = list(columns)
        while fresh:
            touched = [row for row in left if any(_touch(row, column) for column in fresh)]
            left = [row for row in left if not any(row is one for one in touched)]
            rows += touched
            fresh = [column for column in todo if any(_touch(row, column) for row in touched)]
            todo = [column for column in todo if not any(column is one for one in fresh)]
            columns += fresh
        groups.append((rows, columns))
    return groups


def _touch(row: Rule, column: Rule) -> bool:
    return row.start - THICK <= column.at <= row.end + THICK and column.start - THICK <= row.at <= column.end + THICK


def _grid(level: list[Rule], upright: list[Rule]) -> Grid | None:
    if not level:
        return None
    xs = _edges([rule.at for rule in upright] + [min(rule.start for rule in level), max(rule.end for rule in level)])
    ys = _edges([rule.at for rule in level] + [min(rule.start for rule in upright), max(rule.end for rule in upright)])
    rows, columns = len(ys) - 1, len(xs) - 1
    if sum(b - a > LEAST_LENGTH for a, b in pairwise(ys)) < 2 or sum(b - a > LEAST_LENGTH for a, b in pairwise(xs)) < 2:
        return None
    if rows * columns > MAX_CELLS:
        return None
    grid = Grid(xs, ys)
    at_x = [[rule for rule in upright if abs(rule.at - x) <= THICK] for x in xs]
    at_y = [[rule for rule in level if abs(rule.at - y) <= THICK] for y in ys]
    for row in range(rows):
        for column in range(columns):
            own = (row, column)
            if column and not _is_closed(at_x[column], ys[row], ys[row + 1]):
                own = grid.cells[row, column - 1]
            if row and not _is_closed(at_y[row], xs[column], xs[column + 1]):
                above = grid.cells[row - 1, column]
                if own != (row, column) and own != above:
                    return None  # no rectangles: a drawing
                own = above
            grid.cells[row, column] = own
    return grid


def _edges(places: list[float]) -> list[float]:
    out: list[float] = []
    for place in sorted(places):
        if not out or place - out[-1] > THICK:
            out.append(place)
    return out


def _is_closed(rules: list[Rule], start: float, end: float) -> bool:
    covered = 0.0
    for rule in rules:
        part = min(rule.end, end) - max(rule.start, start)
        if part > 0:
            covered += part
    return covered >= COVERED * (end - start)
