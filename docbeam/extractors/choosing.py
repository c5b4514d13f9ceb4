"""Which of two readings of a page is kept: its own text, or what was recognised in its picture.

| own text | recognised | kept |
|---|---|---|
| any | nothing | own |
| garbage | usable | recognised |
| usable | garbage | own |
| both garbage | | the one with the higher score, own if they are equal |
| both usable | | the one with more letters, recognised if they are equal: own text is a part of the picture |

What a page says itself is exact: where it is little and usable, its lines that were not recognised stand above what was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from docbeam.extractors.quality import text_quality
from docbeam.schemas.records import Notice
from docbeam.schemas.vocabulary import WarningCode

OWN_KEPT = "the page's own text is garbage, and nothing better was recognised: it is kept"
RECOGNISED_KEPT = "the page's own text is garbage: the recognised text is kept"
FEW_LETTERS = 200  # titles, stamps and page numbers beside a picture; with more of them it would be the same text twice
SHORT_LINE = 3  # letters; a shorter one is in many words, and has to be one of its own
_WORD = re.compile(r"[^\W_]+")
_UNKNOWN = "\ufffd"


class Choice(NamedTuple):
    """What was decided for one page. `is_garbage`: its own text is."""

    number: int
    keeps_own: bool
    is_garbage: bool


def choose(number: int, own: str, recognised: str) -> Choice:
    """Decide between the readings of page `number`, whose own text is in doubt."""
    letters, other_letters = _letters(own), _letters(recognised)
    mine = text_quality(own, is_guessed=True)
    if not other_letters:
        return Choice(number, bool(own.strip()), mine.is_garbage)
    other = text_quality(recognised)
    if mine.is_garbage != other.is_garbage:
        keeps_own = other.is_garbage
    elif mine.is_garbage:
        keeps_own = mine.score >= other.score
    else:
        keeps_own = letters > other_letters
    return Choice(number, keeps_own, mine.is_garbage)


def completed(choice: Choice, own: str, recognised: str) -> str:
    """Return the recognised text of a page below those of its own lines that were not recognised, or not letter by letter."""
    if choice.is_garbage or not 0 < _letters(own) <= FEW_LETTERS:
        return recognised
    words = _words(recognised)
    whole, single = "".join(words), {*words}

    def is_missing(line: str) -> bool:
        key = "".join(_words(line))
        is_said = key in (single if len(key) < SHORT_LINE else whole)
        return _UNKNOWN not in line and not is_said and len(key) > 1  # a stray sign says nothing

    missing = [line for line in own.split("\n") if is_missing(line)]
    return "\n".join((*missing, "", recognised)) if missing else recognised


def garbage_notices(choices: Iterable[Choice], named: Callable[[list[int]], str]) -> list[Notice]:
    """Return the warnings for pages whose own text is garbage: one for each reading that was kept."""
    pages: dict[str, list[int]] = {}
    for choice in choices:
        if choice.is_garbage:
            pages.setdefault(OWN_KEPT if choice.keeps_own else RECOGNISED_KEPT, []).append(choice.number)
    return [Notice(WarningCode.GARBAGE_TEXT, named(numbers), message) for message, numbers in pages.items()]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
