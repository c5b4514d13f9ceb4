"""The reading order of shapes: the file's order, put right only where one shape plainly stands above or before another.

The file's order is the order of drawing. It keeps cards, columns and steps together, which sorting by rows tears apart;
but a title or a lead drawn last comes last. So shapes keep their order except where one is wholly above another in the
same column, or wholly left of another in the same row. Among rectangles that don't overlap this has no cycles.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

MAX_SHAPES = 200  # pairs are compared; a slide with more keeps the file's order
SLACK = 0.1  # of the smaller side: how far shapes may overlap and still count as apart


class Box(NamedTuple):
    """Where a shape stands, in EMU."""

    left: int
    top: int
    right: int
    bottom: int


def reading_order(boxes: Sequence[Box | None]) -> list[int]:
    """Return the indexes of the shapes in reading order; a shape whose box isn't known is bound by none."""
    count = len(boxes)
    if count > MAX_SHAPES or count < 2:
        return list(range(count))
    after: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for one, first in enumerate(boxes):
        for other, second in enumerate(boxes):
            if one != other and first is not None and second is not None and _is_before(first, second):
                after[one].append(other)
                waits[other] += 1
    ready = [index for index in range(count) if not waits[index]]
    order: list[int] = []
    placed = [False] * count
    while len(order) < count:
        index = heapq.heappop(ready) if ready else placed.index(False)  # a cycle: overlapping shapes
        if placed[index]:
            continue
        placed[index] = True
        order.append(index)
        for other in after[index]:
            waits[other] -= 1
            if not waits[other] and not placed[other]:
                heapq.heappush(ready, other)
    return order


def _is_before(first: Box, second: Box) -> bool:
    across = _overlap(first.left, first.right, second.left, second.right)
    down = _overlap(first.top, first.bottom, second.top, second.bottom)
    if across > 0.5 and down <= SLACK:
        return first.top + first.bottom < second.top + second.bottom
    return down > 0.5 and across <= SLACK and first.left + first.right < second.left + second.right


def _overlap(start: int, end: int, other_start: int, other_end: int) -> float:
    """Return how much two spans overlap, as a share of the shorter one."""
    shorter = min(end - start, other_end - other_start)
    common = min(end, other_end) - max(start, other_start)
    return common / shorter if shorter > 0 else float(common >= 0)
