"""Which of two readings of a page is kept: its own text, or what was recognised in its picture.

| own text | recognised | kept |
|---|---|---|
| any | nothing | own |
| garbage | usable | recognised |
| usable | garbage | own |
| both garbage | | the one with the higher score, own if they are equal |
| both usable | | the one with more letters, recognised if they are equal: own text is a part of the picture |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from docbeam.extractors.quality import text_quality
from docbeam.schemas.records import Notice
from docbeam.schemas.vocabulary import WarningCode

OWN_KEPT = "the page's own text is garbage, and nothing better was recognised: it is kept"
RECOGNISED_KEPT = "the page's own text is garbage: the recognised text is kept"


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


def garbage_notices(choices: Iterable[Choice], named: Callable[[list[int]], str]) -> list[Notice]:
    """Return the warnings for pages whose own text is garbage: one for each reading that was kept."""
    pages: dict[str, list[int]] = {}
    for choice in choices:
        if choice.is_garbage:
            pages.setdefault(OWN_KEPT if choice.keeps_own else RECOGNISED_KEPT, []).append(choice.number)
    return [Notice(WarningCode.GARBAGE_TEXT, named(numbers), message) for message, numbers in pages.items()]


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
