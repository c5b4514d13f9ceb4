"""What is kept of the text that was recognised in a picture inside a document: words and numbers, no specks.

A page of print is nothing but text; a picture may be a photo, a logo or a chart, and what an engine makes of edges and
leaves are lines of one or two signs. They go where the engine is unsure of the picture as a whole; what it is sure of stays.

| the picture's confidence | what stays |
|---|---|
| 0.85 and more | everything |
| less | lines with a word of three letters, of numbers only, or in an eastern script |
| reads as noise | lines with a long word that is sure, and the sure words beside it: the labels in a screenshot of colours |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docbeam.extractors.ocr.protocol import Recognised
from docbeam.extractors.ocr.reading import is_noise
from docbeam.schemas.records import Word

SURE = 0.85  # labels of charts and buttons of screenshots that are read well reach 0.9
UNSURE, FEW_LETTERS = 0.6, 8  # a picture that gives so little, and unsure, has no words
SURE_WORD, SURE_LETTERS = 0.85, 4  # what noise hardly ever has; "and", "the" and "ees" it has
BESIDE_WORD, BESIDE_LETTERS = 0.7, 2
WORD = re.compile(r"[^\W\d_]{3,}")
NUMBER = re.compile(r"[(+\-−–$€£¥]{0,2}\d[\d.,:/%°-]*[)%°€$]?")
# Letters of scripts from Hebrew on, but for signs: their words have marks between the letters, or no spaces
EASTERN = re.compile("[\u0590-\u1cff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufffc\U00010000-\U0001e8ff\U00020000-\U0003ffff]")
LEAST_SHARE = 0.5  # of a line's signs, blanks not counted, that are letters or digits


def kept(found: Recognised) -> Recognised:
    """Return a picture's text without specks, and without boxes."""
    confidence = found.confidence
    if confidence is None or confidence >= SURE:
        return replace(found, words=())
    if not is_noise(found):
        return replace(found, text=kept_lines(found.text, confidence), words=())
    chosen = list(filter(None, map(_sure, _lines_of_words(found))))
    words = [word for line in chosen for word in line]
    letters = sum(len(word.text) for word in words)
    if letters:
        confidence = round(sum(word.confidence * len(word.text) for word in words) / letters, 4)
    text = "\n".join(" ".join(word.text for word in line) for line in chosen)
    return replace(found, text=text, confidence=confidence, words=())


def kept_lines(text: str, confidence: float) -> str:
    """Return the lines that have a word of three letters, nothing but numbers, or a letter of an eastern script."""
    lines = [line if _is_kept(line) else "" for line in text.split("\n")]
    text = "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1])).strip("\n")
    if EASTERN.search(text):
        return text
    is_little = confidence < UNSURE and sum(map(str.isalnum, text)) < FEW_LETTERS
    return text if WORD.search(text) and not is_little else ""  # numbers alone are marks of a scale


def _is_kept(line: str) -> bool:
    if EASTERN.search(line):
        return True
    if WORD.search(line):
        signs = "".join(line.split())
        return sum(map(str.isalnum, signs)) >= LEAST_SHARE * len(signs)
    pieces = line.split()  # numbers, also with a unit or a short name
    is_number = [NUMBER.fullmatch(piece) is not None for piece in pieces]
    return any(is_number) and all(number or piece.isalpha() for number, piece in zip(is_number, pieces, strict=True))


def _lines_of_words(found: Recognised) -> list[list[Word]]:
    """Return the words of each line of the text; none where they don't fit it."""
    words = list(reversed(found.words))
    lines: list[list[Word]] = []
    for line in found.text.split("\n"):
        lines.append([])
        for piece in line.split():
            if not words or words[-1].text != piece:
                return []
            lines[-1].append(words.pop())
    return lines


def _sure(line: Sequence[Word]) -> list[Word]:
    if not any(word.confidence >= SURE_WORD and _letters(word) >= SURE_LETTERS for word in line):
        return []
    return [word for word in line if word.confidence >= BESIDE_WORD and _letters(word) >= BESIDE_LETTERS]


def _letters(word: Word) -> int:
    return sum(map(str.isalpha, word.text))
