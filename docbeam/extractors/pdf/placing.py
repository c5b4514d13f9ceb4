"""Put form values and other placed texts among the lines of a page, where a reader sees them."""

from __future__ import annotations

from docbeam.extractors.pdf.annotations import Item
from docbeam.extractors.pdf.glyphs import Box, Glyph, Line, line_box

NEAR_HEIGHTS = 12.0  # how far beside a text a value still belongs to it, in line heights


def placed(lines: list[Line], items: list[Item]) -> list[Line]:
    """Return the lines with the items in them: beside text on the same row, else as lines of their own below it."""
    boxes = [line_box(line) for line in lines]
    inline: list[list[tuple[float, str]]] = [[] for _ in lines]
    below: list[list[Item]] = [[] for _ in range(len(lines) + 1)]
    for item in sorted(items, key=lambda item: (round(item.box[1]), item.box[0])):
        row = _row(lines, boxes, item.box)
        if row is None:
            below[_above(boxes, item.box)].append(item)
        else:
            text = item.text
            if item.is_mark and item.name and not _has_label(lines[row], item.box):
                text = f"{text} {item.name}"
            inline[row].append((item.box[0], text))
    out = _own_lines(below[0])
    for at, line in enumerate(lines):
        out.append(_with(line, inline[at]) if inline[at] else line)
        out += _own_lines(below[at + 1])
    return out


def _row(lines: list[Line], boxes: list[Box], place: Box) -> int | None:
    """Return the line that the place stands beside, or in whose gaps."""
    best, least = None, 0.0
    middle = (place[1] + place[3]) / 2
    for at, (x0, y0, x1, y1) in enumerate(boxes):
        overlap = min(y1, place[3]) - max(y0, place[1])
        height = max(y1 - y0, 4.0)
        if overlap < 0.4 * min(height, place[3] - place[1]) or place[3] - place[1] > 3 * height:
            continue
        distance = max(x0 - place[2], place[0] - x1, 0.0) + abs((y0 + y1) / 2 - middle)
        if distance < NEAR_HEIGHTS * height * 2 and (best is None or distance < least):
            best, least = at, distance
    return best


def _has_label(line: Line, place: Box) -> bool:
    reach = NEAR_HEIGHTS / 3 * max(place[3] - place[1], 6.0)
    return any(
        not glyph.text.isspace() and (-2 < glyph.x0 - place[2] < reach or -2 < place[0] - glyph.x1 < reach) for glyph in line
    )


def _above(boxes: list[Box], place: Box) -> int:
    """Return the number of lines up to the one that the place stands under, 0 for none."""
    best, least = 0, float("inf")
    for at, (x0, y0, x1, y1) in enumerate(boxes):
        if (y0 + y1) / 2 < (place[1] + place[3]) / 2:
            aside = max(x0 - place[2], place[0] - x1, 0.0)
            distance = max(place[1] - y1, 0.0) + 3 * aside
            if distance <= least:
                best, least = at + 1, distance
    return best


def _own_lines(items: list[Item]) -> list[Line]:
    out: list[Line] = []
    bottom = None
    for item in items:
        text = f"{item.text} {item.name}" if item.is_mark and item.name else item.text
        glyphs = _glyphs(text, item.box)
        if bottom is not None and item.box[1] < bottom - 2 and out:
            out[-1] += [*_glyphs(" ", item.box), *glyphs]
        else:
            out.append(glyphs)
        bottom = item.box[3]
    return out


def _with(line: Line, texts: list[tuple[float, str]]) -> Line:
    out = list(line)
    for x0, text in sorted(texts, reverse=True):
        at = next((i for i, glyph in enumerate(out) if not glyph.text.isspace() and glyph.x0 > x0), len(out))
        spot = out[min(at, len(out) - 1)]
        box = (x0, spot.y0, x0, spot.y1)
        before = [] if at == 0 or out[at - 1].text.isspace() else _glyphs(" ", box)
        after = [] if at == len(out) else _glyphs(" ", box)
        out[at:at] = [*before, *_glyphs(text, box), *after]
    return out


def _glyphs(text: str, box: Box) -> Line:
    return [Glyph(letter, *box) for letter in text]
