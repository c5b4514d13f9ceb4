"""Ruled tables as lines of cells with a tab between them, each row one line, also where a cell has several."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from docbeam.extractors.pdf.glyphs import Box, Glyph, Line, line_box
from docbeam.extractors.pdf.letters import JOINT
from docbeam.extractors.pdf.paragraphs import TAB
from docbeam.extractors.pdf.rules import Grid

MIN_FULL_ROWS = 2  # with text in two cells at least
MAX_CELL_LINES = 8  # of honest cells; more are columns of text in a frame, or rows without rules
UNRULED_LINES = 3  # in every cell of a row: its rows have no rules between them
FAR_HEIGHTS, UNRULED_PAIRS = 2.1, 2  # of a line to the next, in so many pairs of cells; lines of one cell stand closer
SIDEWAYS = 4  # heights of its letters that a line on its side climbs
TORN, MAX_TORN = 0.8, 0.1  # points between letters of one word, and share of the steps from cell to cell that tear one
LEVEL = 2.5  # points between the feet of lines that stand side by side
MAX_LETTERS = 2  # of a number, as units and marks have
UNSPACED = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]")  # Chinese and Japanese have no spaces at line ends
Cell = tuple[int, int]


def may_hold_table(runs: Iterable[Box], grid: Grid) -> bool:
    """Say, from the boxes of text runs alone, whether several rows of a grid have text in several cells."""
    left, top, right, bottom = grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1]
    rows: dict[int, set[Cell]] = defaultdict(set)
    for x0, y0, x1, y1 in runs:
        if y1 > top and y0 < bottom and x1 > left and x0 < right:
            y = (y0 + y1) / 2
            for x in (x0 + 1, (x0 + x1) / 2, x1 - 1):
                cell = grid.cell_at(x, y)
                if cell is not None:
                    rows[cell[0]].add(cell)
    return sum(len(cells) > 1 for cells in rows.values()) >= MIN_FULL_ROWS


def with_tables(lines: list[Line], grids: list[Grid]) -> list[Line]:
    """Return the lines with those of each table that can be read by its rules put into rows."""
    for grid in grids:
        lines = _with_table(lines, grid)
    return lines


def _with_table(lines: list[Line], grid: Grid) -> list[Line]:
    pieces: dict[Cell, list[Line]] = defaultdict(list)
    rest: list[Line] = []
    place = None
    crossings = torn = sideways = 0
    for line in lines:
        if line[0].y1 < grid.ys[0] or line[0].y0 > grid.ys[-1] or line[0].x0 > grid.xs[-1]:
            rest.append(line)
            continue
        sideways += 1 if _is_sideways(line) else -1
        parts = _by_cell(line, grid)
        crossings += len(parts) - 1
        torn += sum(_is_torn(one[-1], other[0]) for (_, one), (_, other) in pairwise(parts))
        outside = [glyph for cell, piece in parts if cell is None for glyph in piece]
        for cell, piece in parts:
            if cell is not None:
                pieces[cell].append(piece)
        if place is None and any(cell is not None for cell, _ in parts):
            place = len(rest)
        if any(not glyph[0].isspace() for glyph in outside):
            rest.append(outside)
    rows = _rows(pieces)
    if place is None or sideways > 0 or torn > MAX_TORN * crossings or not _is_table(rows):
        return lines
    return [*rest[:place], *_in_rows(rows, grid), *rest[place:]]


def _by_cell(line: Line, grid: Grid) -> list[tuple[Cell | None, Line]]:
    """Part a line where it goes on in another cell, or outside of all; blanks stay with the letter before them."""
    parts: list[tuple[Cell | None, Line]] = []
    left = right = top = bottom = 0.0  # the last letter's place in the grid
    for glyph in line:
        text, x0, y0, x1, y1, _ = glyph
        if parts and (text == " " or text == JOINT or text.isspace()):
            parts[-1][1].append(glyph)
            continue
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if left <= x < right and top <= y < bottom:
            parts[-1][1].append(glyph)
            continue
        cell, (left, top, right, bottom) = grid.cell_at(x, y), grid.around(x, y)
        if parts and parts[-1][0] == cell:
            parts[-1][1].append(glyph)
        else:
            parts.append((cell, [glyph]))
    return parts


def _is_sideways(line: Line) -> bool:
    height = max([glyph[4] - glyph[2] for glyph in line])
    if max([glyph[4] for glyph in line]) - min([glyph[2] for glyph in line]) <= SIDEWAYS * height:
        return False
    _, y0, _, y1 = line_box(line)
    return y1 - y0 > SIDEWAYS * height


def _is_torn(last: Glyph, first: Glyph) -> bool:
    """Say whether a word goes on over a rule, as in text that is underlined or crossed by a drawing."""
    return not last.text.isspace() and abs(first.x0 - last.x1) < TORN


def _rows(pieces: dict[Cell, list[Line]]) -> dict[int, dict[int, list[Line]]]:
    """Return the rows by their number, each with the lines of its cells by column."""
    rows: dict[int, dict[int, list[Line]]] = defaultdict(dict)
    for (row, column), lines in pieces.items():
        rows[row][column] = _in_order(lines)
    return rows


def _in_order(pieces: list[Line]) -> list[Line]:
    """Sort the pieces of a cell into lines from the top; pieces side by side are one line."""
    boxed = sorted(((line_box(piece), piece) for piece in pieces), key=lambda item: item[0][1] + item[0][3])
    lines: list[tuple[float, float, list[tuple[float, Line]]]] = []
    for (x0, y0, _, y1), piece in boxed:
        if lines and min(lines[-1][1], y1) - max(lines[-1][0], y0) > 0.5 * min(lines[-1][1] - lines[-1][0], y1 - y0):
            lines[-1][2].append((x0, piece))
        else:
            lines.append((y0, y1, [(x0, piece)]))
    return [_joined([piece for _, piece in sorted(row, key=lambda item: item[0])]) for _, _, row in lines]


def _joined(pieces: list[Line]) -> Line:
    out: Line = []
    for piece in pieces:
        is_spaced = out and out[-1].text != JOINT and not out[-1].text.isspace()
        if is_spaced and not (UNSPACED.match(out[-1].text) and UNSPACED.match(piece[0].text)):
            out.append(_between(" ", out[-1], piece[0]))
        out += piece
    return out


def _is_table(rows: dict[int, dict[int, list[Line]]]) -> bool:
    if sum(len(row) > 1 for row in rows.values()) < MIN_FULL_ROWS:
        return False
    for row in rows.values():
        counts = [len(lines) for lines in row.values()]
        if max(counts) > MAX_CELL_LINES or (len(counts) > 1 and min(counts) >= UNRULED_LINES):
            return False
        level = [pair for pair in combinations(row.values(), 2) if _are_level(*pair)]
        if any(_are_numbers(one) or _are_numbers(other) for one, other in level):
            return False  # rows without rules between them, and so are these:
        if sum(_are_far(one) for one, _ in level) >= UNRULED_PAIRS:
            return False
    return True


def _are_far(lines: list[Line]) -> bool:
    boxes = [line_box(line) for line in lines]
    return all(b[3] - a[3] > FAR_HEIGHTS * (a[3] - a[1]) for a, b in pairwise(boxes))


def _are_level(one: list[Line], other: list[Line]) -> bool:
    """Say whether two cells hold as many lines, side by side."""
    return len(one) == len(other) > 1 and all(
        abs(line_box(a)[3] - line_box(b)[3]) < LEVEL for a, b in zip(one, other, strict=True)
    )


def _are_numbers(lines: list[Line]) -> bool:
    texts = ["".join(glyph.text for glyph in line) for line in lines]
    return all(any(letter.isdigit() for letter in text) and sum(map(str.isalpha, text)) <= MAX_LETTERS for text in texts)


def _in_rows(rows: dict[int, dict[int, list[Line]]], grid: Grid) -> Iterator[Line]:
    """Yield a line for each row; a cell that is as wide as the table keeps its lines."""
    last = len(grid.xs) - 2
    for number, cells in sorted(rows.items()):
        if len(cells) == 1 and grid.cells[number, 0] == grid.cells[number, last]:
            yield from next(iter(cells.values()))
        else:
            yield _row(number, cells, grid)


def _row(number: int, cells: dict[int, list[Line]], grid: Grid) -> Line:
    """Return a row's cells as one line, with a tab wherever another cell begins, also an empty one."""
    out: Line = []
    last = min(cells)
    for column in sorted(cells):
        cell = _joined(cells[column])
        while out and out[-1].text.isspace():
            out.pop()
        if out:
            edges = sum(grid.cells[number, at] != grid.cells[number, at - 1] for at in range(last + 1, column + 1))
            out += [_between(TAB, out[-1], cell[0])] * edges
        out += cell
        last = column
    return out


def _between(text: str, last: Glyph, first: Glyph) -> Glyph:
    return Glyph(text, last.x1, first.y0, first.x0, first.y1, True)
