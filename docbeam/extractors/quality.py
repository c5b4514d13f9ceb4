"""How usable a text is, from 0 (garbage) to 1, in any language and script: by its characters alone, without a dictionary.

| fault | what is measured |
|---|---|
| unknown | replacement characters, private use, controls, codes that Unicode does not have |
| names | `(cid:12)`, `/G12/G34`, `uni0041` in place of letters |
| signs | more signs of many kinds than letters and digits, as codes without a map to letters make |
| accents | Latin words of accented letters alone: another script in a Western code page |
| mojibake | UTF-8 read byte by byte |
| neighbours | letters side by side that stand so in no language of their script (letter_pairs.py) |
| torn | tokens of scraps of letters with signs between them, as poor recognition leaves |
| case | words of a small letter and capitals: one Cyrillic code page read as another |
| scripts | words of several scripts |
| rare | Chinese, Japanese or Korean without the characters that every text has |
| loose | vowel signs and accents without a letter to stand on |

Each fault has a range, from what honest texts have to what none has; the score is what the faults leave. Little text proves
little. Numbers, part lists, code, formulas and digests have few words, and so little that can be wrong with words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

from docbeam.extractors.alphabets import HANGUL, KANJI, SIMPLIFIED, TRADITIONAL
from docbeam.extractors.characters import kind
from docbeam.extractors.language import sampled
from docbeam.extractors.letter_pairs import excess_levels, folded

GARBAGE = 0.5  # a text with a lower score is of no use
FIRST_LOOK = (3, 120)  # windows of a longer text and their characters: enough for one without any fault in them
SECOND_LOOK = (6, 200)  # for all others; more of a text gives no other score
MOST_OF_A_SIGN = 0.08  # of the characters that count: leaders and rules are many of one kind
LEADERS = frozenset("._-=*·")
TYPED = 0x2000  # signs below it are those of code pages; arrows, boxes and pictures above it are drawn on purpose
CENTRE, WIDTH = -0.3, 0.8  # excess of levels in a text that is half garbage, and how far to either side it is none or all
CHANCE = 4.0  # excess that chance gives a single pair of letters
LEAST_SHIFTED, SHIFT_GAINS, FEWEST_SHIFTED = (
    -2.0,
    2.0,
    20,
)  # excess of words that may be shifted, its fall, and pairs of letters
ABBREVIATED = 4  # letters of an abbreviation, at most
CAPITALS = 1.2  # words in capitals for each short one, in a text that is in capitals

WORD = re.compile(r"(?<![^\W_])(?:[\u0900-\u0963\u0e00-\u0e4e]{3,}|[^\W\d_]{3,24})(?![^\W_])")
GLYPH_NAMES = re.compile(r"\(cid:\d+\)|(?:/[A-Za-z]{1,6}\d{1,5}){3,}|\b(?:uni[0-9A-F]{4}|(?:glyph|cid|index)\d+)\b")
# A lead byte of UTF-8 and a byte behind it, as Latin-1 and Windows-1252 show them.
MOJIBAKE = re.compile(
    "[\u00c2-\u00ef][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a€™]"
)
COMMON = frozenset(SIMPLIFIED + TRADITIONAL + KANJI + HANGUL)
WIDE = frozenset(("han", "kana", "hangul"))
TEARS = "|~^;:!`[]{}\\"
TEAR = re.compile(rf"[^\W\d_][{re.escape(TEARS)}]+(?=[^\W\d_])")
SOLID = re.compile(r"[^\W\d_]{4}")
JOINERS = frozenset("\u200c\u200d\u25cc")  # what a mark may stand on beside letters

FAULTS = {
    "unknown": "glyphs without a known letter",
    "names": "names of glyphs in place of letters",
    "signs": "signs in place of letters",
    "torn": "scraps of letters, as poor recognition leaves",
    "neighbours": "its letters make words of no language",
    "accents": "accented letters in place of another script",
    "mojibake": "UTF-8 read byte by byte",
    "case": "letters of another code page",
    "scripts": "words of several scripts",
    "rare": "characters that no text has so many of",
    "loose": "accents without letters",
}


class Quality(NamedTuple):
    """The score of a text, and the name of its worst fault, empty if it has none."""

    score: float
    fault: str

    @property
    def is_garbage(self) -> bool:
        """Say whether the text is of no use."""
        return self.score < GARBAGE


def text_quality(text: str, *, is_guessed: bool = False) -> Quality:
    """Return how usable a text is.

    `is_guessed`: something else speaks against the letters, such as a font without a map to Unicode; then a short text needs
    words in it to be believed.
    """
    first = sampled(text, *FIRST_LOOK)
    faults = _Sample(first, is_guessed).faults()
    if any(faults.values()) and len(first) < len(text):
        faults = _Sample(sampled(text, *SECOND_LOOK), is_guessed).faults()
    worst = max(faults, key=faults.__getitem__, default="")
    return Quality(math.prod(1.0 - fault for fault in faults.values()), worst if worst and faults[worst] > 0 else "")


class _Sample:
    """The characters of a text, counted."""

    def __init__(self, text: str, is_guessed: bool) -> None:
        self.text = text
        self.is_guessed = is_guessed
        self.counts = Counter(text)
        self.kinds: Counter[str] = Counter()
        self.groups: Counter[str] = Counter()
        self.accented = 0  # Latin letters beyond ASCII
        for char, count in self.counts.items():
            name, group = kind(char)
            self.kinds[name] += count
            if name == "letter":
                self.groups[group] += count
                self.accented += count if char > "\x7f" and group == "latin" else 0
        self.size = len(text) - self.kinds["space"]
        self.letters = self.kinds["letter"]
        self.in_words = 0.0  # share of the letters and digits

    def faults(self) -> dict[str, float]:
        """Return the faults, each from 0 to 1; none for blank text."""
        if not self.size:
            return {}
        found = {
            "unknown": _ramp(self.kinds["unknown"] / self.size, 0.06, 0.32),
            "names": self._names(),
            "signs": self._signs(),
            "torn": self._torn(),
        }
        if self.letters:
            all_words = WORD.findall(self.text)
            words = _words(all_words)
            self.in_words = sum([len(word) for word in all_words if word in words]) / (self.letters + self.kinds["digit"])
            found["neighbours"] = self._neighbours(words)
            if not self.text.isascii():
                found |= self._beyond_ascii(words)
        return found

    def _beyond_ascii(self, words: set[str]) -> dict[str, float]:
        pairs = len(MOJIBAKE.findall(self.text)) if self.accented else 0
        cased = [word for word in words if word[0].islower() and word[1:].isupper()] if self.groups["cyrillic"] else []
        return {
            "accents": self._accents("".join(words) or (self.text if self.is_guessed else "")),
            "mojibake": _ramp(2 * pairs / self.letters, 0.03, 0.25) * self._enough(self.letters, 5, 30),
            "case": _ramp(len(cased) / max(len(words), 1), 0.2, 0.6) * self._enough(len(words), 4, 12),
            "scripts": self._scripts(),
            "rare": self._rare(),
            "loose": self._loose(),
        }

    def _enough(self, number: float, none: float, all: float) -> float:
        """Return how much a measure of `number` things proves."""
        return 1.0 if self.is_guessed and number else _ramp(number, none, all)

    def _names(self) -> float:
        if self.kinds["digit"] < 0.1 * self.size:
            return 0.0
        return _ramp(sum(map(len, GLYPH_NAMES.findall(self.text))) / self.size, 0.1, 0.4)

    def _signs(self) -> float:
        most = max(MOST_OF_A_SIGN * self.size, 1.0)
        share = 0.0
        for char, count in self.counts.items():
            if char < chr(TYPED) and kind(char).name == "sign":
                share += count if self.is_guessed and char not in LEADERS else min(count, most)
        share /= self.size
        return _ramp(share, 0.3, 0.5) if self.is_guessed else _ramp(share, 0.4, 0.6) * _ramp(self.size, 8, 40)

    def _torn(self) -> float:
        """Measure scraps: tokens with signs between their letters and without a run of four letters."""
        signs = sum(self.counts[sign] for sign in TEARS)
        if signs < 0.02 * self.size or self.kinds["digit"] > 0.25 * self.size:
            return 0.0
        tokens = [token for token in self.text.split() if len(token) > 1]
        solid = {token for token in tokens if SOLID.search(token)}
        torn = sum(len(token) for token in tokens if token not in solid and TEAR.search(token))
        share = sum(len(token) for token in tokens if token in solid) / self.size
        return _ramp(torn / self.size, 0.04, 0.12) * _ramp(0.75 - share, 0.0, 0.15) * _ramp(self.size, 40, 120)

    def _neighbours(self, words: set[str]) -> float:
        found = excess_levels(words)
        if not found:
            return 0.0
        level, most = sum(found) / len(found), CENTRE + CHANCE / math.sqrt(len(found))
        if level < min(most - WIDTH, LEAST_SHIFTED):
            return 0.0
        if found := excess_levels(word for word in words if not _is_specimen(word)):
            level = sum(found) / len(found)
        if level > LEAST_SHIFTED and len(found) >= FEWEST_SHIFTED and _is_shifted(words, level):
            return self._enough(self.in_words, 0.1, 0.35)
        return (
            _ramp(level, most - WIDTH, most + WIDTH) * self._enough(self.in_words, 0.1, 0.35) * self._enough(len(found), 28, 72)
        )

    def _accents(self, letters: str) -> float:
        if self.accented < 0.3 * self.groups["latin"]:
            return 0.0
        latin = [letter for letter in letters if kind(letter).group == "latin"]
        share = sum(letter > "\x7f" for letter in latin) / max(len(latin), 1)
        return _ramp(share, 0.5, 0.8) * self._enough(len(latin), 8, 30) * len(latin) / max(len(letters), 1)

    def _scripts(self) -> float:
        rest = self.letters - self.groups[""] - max(self.groups.values())
        if rest < 0.04 * self.letters:
            return 0.0
        turns = neighbours = 0
        for one, other in pairwise(map(kind, self.text)):
            if one.group and other.group:
                neighbours += 1
                turns += one.group != other.group and not (one.group in WIDE or other.group in WIDE)
        return _ramp(turns / max(neighbours, 1), 0.08, 0.3) * self._enough(neighbours, 8, 30)

    def _rare(self) -> float:
        wide = sum(self.groups[group] for group in WIDE)
        if not wide:
            return 0.0
        common = sum(count for char, count in self.counts.items() if char in COMMON) + self.groups["kana"]
        return _ramp(0.25 - common / wide, 0.0, 0.2) * self._enough(wide, 20, 60) * wide / self.size

    def _loose(self) -> float:
        marks = self.kinds["mark"]
        if not marks:
            return 0.0
        loose = sum(
            kind(char).name == "mark" and kind(before).name not in ("letter", "mark") and before not in JOINERS
            for before, char in pairwise(" " + self.text)
        )
        return _ramp(loose / marks, 0.2, 0.6) * _ramp(marks / self.size, 0.03, 0.12)


def _words(found: list[str]) -> set[str]:
    """Return the words without abbreviations, unless all is in capitals: they need not be possible in a language."""
    words = set(found)
    short = {word for word in words if len(word) <= ABBREVIATED and (word.isupper() or len(set(word)) == 1)}
    capitals = sum(word.isupper() for word in words)
    return words if capitals > CAPITALS * len(short) else words - short


def _is_shifted(words: set[str], level: float) -> bool:
    """Say whether the letters of Latin words become likely where each stands for the one so many places before it."""
    small = folded(" ".join(words))
    for by in range(1, len(ascii_lowercase)):
        found = excess_levels(small.translate(_shift(by)).split())
        if found and sum(found) / len(found) < min(level - SHIFT_GAINS, LEAST_SHIFTED):
            return True
    return False


@lru_cache(maxsize=32)
def _shift(by: int) -> dict[int, int]:
    return str.maketrans(ascii_lowercase, ascii_lowercase[by:] + ascii_lowercase[:by])


def _is_specimen(word: str) -> bool:
    """Say whether half of the letters are in the order of the alphabet, as samples of a font have them."""
    return 2 * sum(ord(other) - ord(one) in (0, 1, 2) for one, other in pairwise(word.lower())) >= len(word) - 1


def _ramp(value: float, none: float, all: float) -> float:
    return min(max((value - none) / (all - none), 0.0), 1.0)
