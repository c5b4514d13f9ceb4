"""Where words stand on the page as it is shown, when they were read from a copy that was turned or levelled."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from docbeam.extractors.ocr.word_table import SHARE_DIGITS
from docbeam.schemas.records import Word


@dataclass(frozen=True, slots=True)
class Pose:
    """How a copy came about: a page of `size` pixels was turned clockwise by a right angle or none, then counter-clockwise
    by `levelled_degrees` on a sheet that grew with it.
    """

    size: tuple[int, int]
    turned_degrees: int = 0
    levelled_degrees: float = 0.0


def placed(words: Iterable[Word], pose: Pose) -> tuple[Word, ...]:
    """Return words of the copy with their boxes on the page: the upright box around each turned one."""
    if not pose.turned_degrees and not pose.levelled_degrees:
        return tuple(words)
    return tuple(_placed(word, pose) for word in words)


def _placed(word: Word, pose: Pose) -> Word:
    right, bottom = word.left + word.width, word.top + word.height
    corners = [_origin(x, y, pose) for x in (word.left, right) for y in (word.top, bottom)]
    lefts, tops = [min(max(x, 0.0), 1.0) for x, _ in corners], [min(max(y, 0.0), 1.0) for _, y in corners]
    left, top = round(min(lefts), SHARE_DIGITS), round(min(tops), SHARE_DIGITS)
    width, height = round(max(lefts) - min(lefts), SHARE_DIGITS), round(max(tops) - min(tops), SHARE_DIGITS)
    return replace(word, left=left, top=top, width=width, height=height)


def _origin(x: float, y: float, pose: Pose) -> tuple[float, float]:
    """Return where a point of the copy lies on the page, both in shares."""
    x, y = _unlevelled(x, y, pose)
    match pose.turned_degrees:
        case 90:
            return y, 1 - x
        case 180:
            return 1 - x, 1 - y
        case 270:
            return 1 - y, x
    return x, y


def _unlevelled(x: float, y: float, pose: Pose) -> tuple[float, float]:
    if not pose.levelled_degrees:
        return x, y
    width, height = pose.size if pose.turned_degrees in (0, 180) else pose.size[::-1]
    sine, cosine = math.sin(math.radians(pose.levelled_degrees)), math.cos(math.radians(pose.levelled_degrees))
    sheet_width = width * abs(cosine) + height * abs(sine)
    sheet_height = width * abs(sine) + height * abs(cosine)
    right, down = (x - 0.5) * sheet_width, (y - 0.5) * sheet_height
    return (cosine * right - sine * down) / width + 0.5, (sine * right + cosine * down) / height + 0.5
