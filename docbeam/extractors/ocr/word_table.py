"""The words of a page as Tesseract lists them (TSV), to lines, paragraphs, boxes and confidence.

Source: the TSV renderer in Tesseract's src/api/renderer.cpp (level, page, block, paragraph, line, word, box, conf, text).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from docbeam.extractors.ocr.protocol import Recognised
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Word
from docbeam.schemas.vocabulary import ErrorCategory

SOLID_CHARS, SOLID_CONFIDENCE = 3, 0.6
SHARE_DIGITS = 5  # of a box: a tenth of a pixel of a page at 600 dpi
# Han, kana and their punctuation and wide forms: scripts whose words have no space between them
UNSPACED = re.compile(
    "[\u2e80-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


# Thai, Lao, Myanmar, Khmer and Hangul: the engine lists letters one by one, and only the gap tells a space between them
LETTER_BY_LETTER = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\uac00-\ud7af]")
SPACE_SHARE = 0.3  # of the letters' height: a narrower gap is none


class Cell(NamedTuple):
    """One word of the table. `confidence` is 0 to 1; the box is in pixels: left, top, width, height."""

    block: str
    paragraph: str
    line: str
    confidence: float
    text: str
    box: tuple[int, int, int, int] = (0, 0, 0, 0)


def recognised(tsv: str, size: tuple[int, int], languages: str, *, with_boxes: bool) -> Recognised:
    """Return what the table of an image of this size says."""
    words = list(parsed_words(tsv))
    return Recognised(
        text=joined(words),
        confidence=mean_confidence(words),
        solid=solid_share(words),
        words=boxed(words, size) if with_boxes else (),
        languages=languages,
    )


def parsed_words(tsv: str) -> Iterator[Cell]:
    """Return the words of the table in the engine's reading order; empty ones are left out.

    Raises: ExtractionError CRASHED if what should be a number is none: that is the engine's fault, not the picture's.
    """
    for row in tsv.split("\n"):
        cells = row.rstrip("\r").split("\t", 11)
        if len(cells) == 12 and cells[0] == "5" and cells[11].strip():
            try:
                left, top, width, height = map(int, cells[6:10])
                percent = float(cells[10])
                if not math.isfinite(percent):
                    raise ValueError
            except ValueError:
                raise ExtractionError(ErrorCategory.CRASHED, f"no number in the engine's table of words: {row[:80]}") from None
            confidence = min(max(percent / 100, 0.0), 1.0)
            yield Cell(cells[2], cells[3], cells[4], confidence, cells[11].strip(), (left, top, width, height))


def joined(words: Sequence[Cell]) -> str:
    """Return lines of words, with a blank line between paragraphs."""
    paragraphs = []
    for _, paragraph in groupby(words, lambda word: (word.block, word.paragraph)):
        lines = [_line(list(line)) for _, line in groupby(paragraph, lambda word: word.line)]
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def mean_confidence(words: Sequence[Cell]) -> float | None:
    """Return the mean confidence of words, weighted by their length; None without words."""
    letters = sum(len(word.text) for word in words)
    return round(sum(word.confidence * len(word.text) for word in words) / letters, 4) if letters else None


def solid_share(words: Sequence[Cell]) -> float:
    """Return the share of letters in words of three and more that are sure; noise in photos is short and unsure."""
    letters = sum(len(word.text) for word in words)
    solid = sum(len(word.text) for word in words if _is_solid(word))
    return round(solid / letters, 4) if letters else 0.0


def boxed(words: Sequence[Cell], size: tuple[int, int]) -> tuple[Word, ...]:
    """Return words with their boxes as shares of the image's width and height."""
    across, down = size
    return tuple(
        Word(
            text=word.text,
            confidence=round(word.confidence, 4),
            left=_share(word.box[0], across),
            top=_share(word.box[1], down),
            width=_share(word.box[2], across),
            height=_share(word.box[3], down),
        )
        for word in words
    )


def _line(words: Sequence[Cell]) -> str:
    text = words[0].text
    for before, word in pairwise(words):
        text += word.text if _is_unspaced(before, word) else " " + word.text
    return text


def _is_unspaced(before: Cell, word: Cell) -> bool:
    last, first = before.text[-1], word.text[0]
    if LETTER_BY_LETTER.match(last) and LETTER_BY_LETTER.match(first):
        gap = max(word.box[0] - before.box[0] - before.box[2], before.box[0] - word.box[0] - word.box[2])
        return gap < SPACE_SHARE * max(before.box[3], word.box[3])
    return bool(UNSPACED.match(last) and UNSPACED.match(first))


def _is_solid(word: Cell) -> bool:
    is_long = len(word.text) >= SOLID_CHARS or UNSPACED.match(word.text) is not None
    return is_long and word.confidence >= SOLID_CONFIDENCE


def _share(pixels: int, of: int) -> float:
    return round(min(max(pixels / of, 0.0), 1.0), SHARE_DIGITS)
