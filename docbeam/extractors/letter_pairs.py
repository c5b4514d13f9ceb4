"""How likely the neighbours of letters are in any language of their script: diacritics and case are left out.

Source: the Universal Declaration of Human Rights in 466 translations (letter_tables.py); every language counts the same. A
level is the negative logarithm of a pair's share, in steps of 0.3 from 3.0 on; the last stands for pairs of no language.
Words of a language stay, in the mean, under the level that LEAST_GARBAGE gives for its script; shuffled letters lie above it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from docbeam.extractors.letter_tables import TABLES

LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"
EDGE, OTHER = "_", "?"  # the begin and end of a word; a letter that is in no table
SPELLED = dict(zip("ıøœæßđłðþəɛɔŋɓɗƙƴħŧɨʉɩʋɣɖƒɲɪʊς", "iooesdldteeonbdkyhtiuiugdfniuσ", strict=True))
RANGES = {
    "latin": "a-z\u00c0-\u02af\u1e00-\u1eff",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "hebrew": "\u05d0-\u05ea",
    "arabic": "\u0620-\u065f\u066e-\u06d3",
    "devanagari": "\u0900-\u0963\u0970-\u097f",
    "thai": "\u0e00-\u0e4e",
}
LEAST_GARBAGE = {"latin": 12, "cyrillic": 14, "greek": 13, "hebrew": 12, "arabic": 14, "devanagari": 15, "thai": 17}
OTHERS = dict(zip(RANGES, "\x01\x02\x03\x04\x05\x06\x07", strict=True))  # OTHER, by script


class _Folds(dict[int, str]):
    """A letter without its diacritics, small, and OTHER of its script if its table lacks it; found once for each letter."""

    def __missing__(self, code: int) -> str:
        self[code] = found = "".join(map(_known, bare(chr(code).lower())))
        return found


_FOLDS = _Folds()


def bare(letter: str) -> str:
    """Return a small letter without its diacritics."""
    if "\u0900" <= letter <= "\u0fff":
        return letter  # marks are vowels there
    parts = unicodedata.normalize("NFD", letter)
    return "".join(SPELLED.get(part, part) for part in parts if not unicodedata.combining(part))


def _known(letter: str) -> str:
    for script, (letters, _) in TABLES.items():
        if letter in letters:
            return letter
        if re.match(f"[{RANGES[script]}]", letter):
            return OTHERS[script]
    return letter


def folded(text: str) -> str:
    """Return the text in small letters without diacritics."""
    return text.lower() if text.isascii() else text.translate(_FOLDS)


def excess_levels(words: Iterable[str]) -> list[int]:
    """Return for all neighbours in some words how far their levels lie above LEAST_GARBAGE; without a table there are none."""
    edged = folded(f"{EDGE}{EDGE.join(words)}{EDGE}")
    return [level for level in map(_levels().get, pairwise(edged)) if level is not None]


@cache
def _levels() -> dict[tuple[str, str], int]:
    found = {}
    for script, (letters, rows) in TABLES.items():
        names = EDGE + OTHERS[script] + letters
        for at, level in enumerate(rows):
            pair = names[at // len(names)], names[at % len(names)]
            found[pair] = LEVELS.index(level) - LEAST_GARBAGE[script]
    del found[EDGE, EDGE]
    return found
