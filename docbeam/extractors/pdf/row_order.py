"""Lines in rows from the top, on pages of one column whose file stores blocks in another order than they stand.

Tables after all text, footnotes before it, fields of a form in the order of their making: PDFium follows the file. The boxes of
its lines cost little; a page whose lines never go up, or that has running text side by side, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docbeam.extractors.pdf.block_order import Placed, blocks_from_the_top
from docbeam.extractors.pdf.calls import char_box, rect, rect_counter
from docbeam.extractors.pdf.glyphs import LINE, Box, Glyph, Line, line_box, to_display
from docbeam.extractors.pdf.letters import JOINT, RIGHT_TO_LEFT
from docbeam.extractors.pdf.page import OpenPage
from docbeam.extractors.pdf.paragraphs import TAB, Start

MAX_LINES = 2_000  # of one page; a page with more is a drawing
MIN_WORDS = 4  # of a line of running text
MAX_PAIRS = 2  # of running lines side by side; with more of them the page has columns
MANY_UPS, MAX_PAIR_SHARE = 0.1, 0.12  # a page that goes up at so many lines is a form: more pairs, of its rows, are let pass
TALL = 3.0  # times the usual height of a line: text on its side
MAX_TALL = 0.1  # of the lines
SLACK = 0.25  # of a line's height that it may reach into the one below it
PART = re.compile("[^\ufffe]+\ufffe?|\ufffe")


def rows_from_the_top(page: OpenPage, text: str, starts: Sequence[Start]) -> list[list[tuple[int, int]]] | None:
    """Return the spans of the lines of each row in reading order, None if the file's order is right or has to stand.

    `text` is PDFium's, character for character, `starts` are its lines.
    """
    if not _may_go_up(page, starts):
        return None
    rows = _reordered(_lines(page, text))
    return None if rows is None else [[(line.start, line.end) for line in row] for row in rows]


def in_rows(lines: list[Line]) -> list[Line]:
    """Return lines of glyphs in the same way; a line and those that its JOINTs lead to stay together."""
    units: list[list[Line]] = []
    for line in lines:
        if units and units[-1][-1][-1].text == JOINT:
            units[-1].append(line)
        else:
            units.append([line])
    boxed = [Placed(at, at, *_first_row(unit[0]), _words(unit[0])) for at, unit in enumerate(units)]
    has_right = RIGHT_TO_LEFT.search("".join([glyph[0] for line in lines for glyph in line])) is not None
    rows = _reordered(boxed, from_the_left=not has_right)
    return lines if rows is None else [_merged([line for unit in row for line in units[unit.start]]) for row in rows]


def _first_row(line: Line) -> Box:
    """Return the box of a line; of a table's row, whose cells can have several lines, that of the first."""
    x0, y0, x1, y1 = line_box(line)
    if not any([glyph[0] == TAB for glyph in line]):
        return x0, y0, x1, y1
    return x0, y0, x1, y0 + median([glyph[4] - glyph[2] for glyph in line])


def _words(line: Line) -> int:
    return len("".join([glyph[0] for glyph in line]).split())


def _merged(lines: list[Line]) -> Line:
    out: Line = []
    for line in lines:
        if out and out[-1].text != JOINT:
            out.append(Glyph(" ", out[-1].x1, line[0].y0, line[0].x0, line[0].y1, True))
        out += line
    return out


def _reordered(lines: list[Placed], from_the_left: bool = True) -> list[list[Placed]] | None:
    if not 2 <= len(lines) <= MAX_LINES:
        return None
    usual = median(line.y1 - line.y0 for line in lines)
    if sum(line.y1 - line.y0 > TALL * usual for line in lines) > MAX_TALL * len(lines):
        return None
    ups, rows = _times_up(lines), _rows(lines)
    pairs = sum(sum(line.words >= MIN_WORDS for line in row) > 1 for row in rows)
    most = MAX_PAIRS if ups < MANY_UPS * len(lines) else max(MAX_PAIRS, MAX_PAIR_SHARE * len(rows))
    if ups and pairs <= most:
        return rows
    blocks = blocks_from_the_top(lines, from_the_left)
    return None if blocks is None else [[line] for line in blocks]


def _may_go_up(page: OpenPage, starts: Sequence[Start]) -> bool:
    """Say whether a line stands above all before it, or above the one before it and not to the right of its last letter."""
    highest = 1e9
    for last, (_, _, x0, y0, y1) in pairwise(starts):
        last_y0 = last[3]
        if last_y0 < highest:
            highest = last_y0
        slack = SLACK * (y1 - y0)
        if y1 < highest + slack:
            return True
        if y1 < last_y0 + slack:
            end = char_box(page)(last.end - 1)
            if not end or x0 <= to_display(page)(end[0], end[2], end[1], end[3])[2]:
                return True
    return False


def _lines(page: OpenPage, text: str) -> list[Placed]:
    box, count_rects, read = to_display(page), rect_counter(page), rect(page)
    has_joints = "\ufffe" in text
    lines: list[Placed] = []
    for match in LINE.finditer(text):
        (start, end), words = match.span(), match[0]
        first = PART.match(words) if has_joints else None
        count = count_rects(start, len(first[0]) if first else end - start)
        if count > 0:
            left, top, right, bottom = read(0)
            for index in range(1, count):
                another_left, another_top, another_right, another_bottom = read(index)
                left, bottom = min(left, another_left), min(bottom, another_bottom)
                right, top = max(right, another_right), max(top, another_top)
            lines.append(Placed(start, end, *box(left, bottom, right, top), len(words.split())))
        elif lines:
            lines[-1].end = end if text[lines[-1].end : start].strip("\r\n") else lines[-1].end
    return lines


def _times_up(lines: list[Placed]) -> int:
    """Count the lines above the one before them, but for those to its right, as the next column is."""
    return sum(line.y1 < last.y0 and line.x0 <= last.x1 for last, line in pairwise(lines))


def _rows(lines: list[Placed]) -> list[list[Placed]]:
    rows: list[list[Placed]] = []
    for line in sorted(lines, key=lambda line: (line.y0 + line.y1) / 2):
        row = rows[-1] if rows else []
        if row and _is_beside(line, row):
            row.append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _is_beside(line: Placed, row: list[Placed]) -> bool:
    first = row[0]
    overlap = min(first.y1, line.y1) - max(first.y0, line.y0)
    is_level = overlap > 0.5 * min(first.y1 - first.y0, line.y1 - line.y0)
    return is_level and all(line.x0 >= other.x1 - 1 or line.x1 <= other.x0 + 1 for other in row)
