"""Blocks of a page with columns in reading order, where the file stores one above or outside of its turn.

Footnotes before the text above them, headings and page numbers at the end: a block comes after those that stand above
it in its column, and keeps its turn in the file else. So a page whose order is possible stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

MAX_BLOCKS = 300  # of one page; a page with more is a drawing or a table
NEAR_ROWS = 1.2  # heights of a line that lines of one block stand apart at most
NEAR_PIECES = 2.0  # heights between pieces of one row
MIN_OVERLAP = 0.1  # of the narrower block's width, and of points
MIN_OVERLAP_POINTS = 4.0
APART_HEIGHTS = 1.0  # of its lines that a head or foot stands away from all else
MAX_FOOT_LINES = 2
COLUMN_LINES, LEVEL_HEIGHTS = 3, 2.0  # blocks of so many lines are columns; side by side if they begin as near, in heights
SLACK = 0.35  # of a line's height that a block may reach into the one below it


@dataclass(slots=True)
class Placed:
    """A line, as a span of the text, and the box of its first row; y grows downwards."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    words: int


@dataclass(slots=True)
class _Block:
    lines: list[Placed]
    x0: float
    y0: float
    x1: float
    y1: float


def blocks_from_the_top(lines: list[Placed], from_the_left: bool = True) -> list[Placed] | None:
    """Return the lines with their blocks in reading order, None if the file's order is possible or nobody's."""
    blocks = _blocks(lines)
    if not 2 <= len(blocks) <= MAX_BLOCKS:
        return None
    waits_for = _waits(blocks)
    out = _ordered(waits_for)
    if all(a < b for a, b in pairwise(out)):
        return None
    if from_the_left:
        out = _ordered([_also_beside(blocks, at, above) for at, above in enumerate(waits_for)])
    return [line for at in out for line in blocks[at].lines]


def _ordered(waits_for: list[list[int]]) -> list[int]:
    out: list[int] = []
    entered: set[int] = set()
    for at in range(len(waits_for)):
        _add(at, waits_for, out, entered)
    return out


def _add(at: int, waits_for: list[list[int]], out: list[int], entered: set[int]) -> None:
    """Add a block to the order, first those that it waits for; where they wait for each other, the file decides."""
    if at in entered:
        return
    entered.add(at)
    for other in waits_for[at]:
        _add(other, waits_for, out, entered)
    out.append(at)


def _also_beside(blocks: list[_Block], at: int, above: list[int]) -> list[int]:
    """Return what a block waits for, with the columns to its left that begin at its height."""
    block = blocks[at]
    if len(block.lines) < COLUMN_LINES:
        return above
    height = block.lines[0].y1 - block.lines[0].y0
    beside = [
        other
        for other, one in enumerate(blocks)
        if len(one.lines) >= COLUMN_LINES and one.x1 <= block.x0 and abs(one.y0 - block.y0) < LEVEL_HEIGHTS * height
    ]
    return sorted({*above, *beside})


def _blocks(lines: list[Placed]) -> list[_Block]:
    """Part the lines where the file goes on elsewhere than below or beside the line before."""
    blocks: list[_Block] = []
    for line in lines:
        block = blocks[-1] if blocks else None
        if block and _follows(block.lines[-1], line):
            block.lines.append(line)
            block.x0, block.y0 = min(block.x0, line.x0), min(block.y0, line.y0)
            block.x1, block.y1 = max(block.x1, line.x1), max(block.y1, line.y1)
        else:
            blocks.append(_Block([line], line.x0, line.y0, line.x1, line.y1))
    return blocks


def _follows(last: Placed, line: Placed) -> bool:
    height = max(min(last.y1 - last.y0, line.y1 - line.y0), 4.0)
    is_over = line.x0 < last.x1 and last.x0 < line.x1
    if is_over and line.y1 >= last.y0 and line.y0 - last.y1 < NEAR_ROWS * height:
        return True
    is_level = min(last.y1, line.y1) - max(last.y0, line.y0) > 0
    return is_level and max(line.x0 - last.x1, last.x0 - line.x1) < NEAR_PIECES * height


def _waits(blocks: list[_Block]) -> list[list[int]]:
    """Return for each block the blocks that come before it: those above it in its column, in the order of the file.

    What stands above or below all else, as titles and page numbers do, belongs to every column.
    """
    ends = _heads_and_feet(blocks)
    return [
        [
            other
            for other in range(len(blocks))
            if other != at
            and _is_above(blocks[other], blocks[at])
            and (other in ends or at in ends or _shares_column(blocks[other], blocks[at]))
        ]
        for at in range(len(blocks))
    ]


def _heads_and_feet(blocks: list[_Block]) -> set[int]:
    """Return the blocks that stand apart above or below all others; feet are short, so that no column's end is one."""
    ends: set[int] = set()
    rest = sorted(range(len(blocks)), key=lambda at: blocks[at].y0)
    while len(rest) > 1 and _is_apart(blocks[rest[0]], min(blocks[at].y0 for at in rest[1:]) - blocks[rest[0]].y1):
        ends.add(rest.pop(0))
    rest.sort(key=lambda at: blocks[at].y1)
    while len(rest) > 1 and len(blocks[rest[-1]].lines) <= MAX_FOOT_LINES:
        if not _is_apart(blocks[rest[-1]], blocks[rest[-1]].y0 - max(blocks[at].y1 for at in rest[:-1])):
            break
        ends.add(rest.pop())
    return ends


def _is_apart(block: _Block, gap: float) -> bool:
    return gap > APART_HEIGHTS * min(line.y1 - line.y0 for line in block.lines)


def _is_above(one: _Block, other: _Block) -> bool:
    first, last = other.lines[0], one.lines[-1]
    slack = SLACK * min(first.y1 - first.y0, last.y1 - last.y0)
    return one.y1 <= other.y0 + slack and one.y0 < other.y0


def _shares_column(one: _Block, other: _Block) -> bool:
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > max(MIN_OVERLAP * min(one.x1 - one.x0, other.x1 - other.x0), MIN_OVERLAP_POINTS)
