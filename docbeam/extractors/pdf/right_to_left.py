"""Hebrew and Arabic lines in logical order.

PDFium turns right-to-left runs around, but orders the runs of a line (table cells, dates, Latin words) from the left
and also turns around the letters of a glyph that stands for several. Both are put right here by geometry.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

from docbeam.extractors.pdf.glyphs import Glyph, Line
from docbeam.extractors.pdf.letters import RIGHT_TO_LEFT

LAM = "\u0644"
ALEFS = "\u0622\u0623\u0625\u0627"
STRONG_RIGHT, STRONG_LEFT, NEUTRAL = "R", "L", ""


def logical(line: Line) -> Line:
    """Return the line's glyphs in logical order; a line without right-to-left letters comes back as it is."""
    text = "".join([glyph[0] for glyph in line])
    if text.isascii() or not RIGHT_TO_LEFT.search(text):
        return line
    right = sum(1 for glyph in line if RIGHT_TO_LEFT.match(glyph.text))
    if not right:
        return line
    line = _letters_of_glyphs(line)
    left = sum(1 for glyph in line if glyph.text.isalpha()) - right
    if right <= left:
        return line
    runs = _runs(line)
    ordered = sorted(runs, key=lambda run: -_middle(run))
    if ordered == runs:
        return line
    return _joined(ordered)


def _letters_of_glyphs(line: Line) -> Line:
    """Put the letters of one glyph back into their order: they share a box."""
    out: Line = []
    for _, group in groupby(line, key=lambda glyph: (glyph.x0, glyph.x1, glyph.y0, bool(RIGHT_TO_LEFT.match(glyph.text)))):
        letters = list(group)
        is_turned = len(letters) > 1 and RIGHT_TO_LEFT.match(letters[0].text)
        is_ligature = len(letters) == 2 and letters[0].text == LAM and letters[1].text in ALEFS
        out += reversed(letters) if is_turned and not is_ligature else letters
    return out


def _runs(line: Line) -> list[Line]:
    """Split a line where its direction changes or where the next glyph is not beside the last one."""
    height = max(glyph.y1 - glyph.y0 for glyph in line)
    runs: list[Line] = []
    direction = NEUTRAL
    last: Glyph | None = None
    for glyph in line:
        kind = _direction(glyph)
        is_inked = not glyph.text.isspace() and not unicodedata.combining(glyph.text[0])
        is_far = is_inked and last is not None and max(glyph.x0 - last.x1, last.x0 - glyph.x1) > height
        if not runs or is_far or (kind and direction and kind != direction):
            runs.append([])
            direction = NEUTRAL
        runs[-1].append(glyph)
        direction = direction or kind
        last = glyph if is_inked else last
    return runs


def _direction(glyph: Glyph) -> str:
    if glyph.text.isdigit():  # Arabic digits too run from the left
        return STRONG_LEFT
    if not glyph.text.isalpha():
        return NEUTRAL
    return STRONG_RIGHT if RIGHT_TO_LEFT.match(glyph.text) else STRONG_LEFT


def _middle(run: Line) -> float:
    inked = [glyph for glyph in run if not glyph.text.isspace()] or run
    return (min(glyph.x0 for glyph in inked) + max(glyph.x1 for glyph in inked)) / 2


def _joined(runs: list[Line]) -> Line:
    out: Line = []
    for run in runs:
        first = next((at for at, glyph in enumerate(run) if not glyph.text.isspace()), None)
        if first is None:
            continue
        start, had_space = run[first], bool(out) and out[-1].text.isspace()
        if out and not had_space and (first > 0 or out[-1].x0 - start.x1 > 0.2 * (start.y1 - start.y0)):
            out.append(Glyph(" ", start.x0, start.y0, start.x0, start.y1, True))
        out += run[first:]
    return out
