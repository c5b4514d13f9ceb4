"""Which of several alternative bodies is the text: the plain one, unless it is a stub or says less than the other.

Source: RFC 2046, 5.1.4; for stubs, what mail programs really put there.
"""

from __future__ import annotations

import re
from collections import Counter

# Scripts that are written without spaces: each letter counts as a word.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
LIST_NUMBER = re.compile(r"^[ \t]*\d{1,3}[.)][ \t]", re.MULTILINE)
URL = re.compile(r"https?://\S+|mailto:\S+|www\.\S+")
STUB = re.compile(
    r"\bHTML\b|view (?:this|the) (?:e-?mail|message)|(?:does not|doesn't|unable to|cannot|can't) (?:support|display|read)|"
    r"(?:e-?mail|mail) (?:client|program|reader)|web ?browser|online ansehen|navigateur",
    re.IGNORECASE,
)
MAX_STUB_WORDS = 80
COVERED = 0.8  # of one body's words are in the other: they say the same


def better(texts: list[tuple[str, str]]) -> str:
    """Return the text of the alternatives, given as media type and text: one, or all where they say different things."""
    if not texts:
        return ""
    plain = next((text for kind, text in texts if kind == "text/plain"), None)
    rich = next((text for kind, text in reversed(texts) if kind != "text/plain"), None)
    if plain is None or rich is None:
        return texts[-1][1]
    if not plain.strip() or not rich.strip():
        return plain if plain.strip() else rich
    plain_words, rich_words = _words(plain), _words(rich)
    if not plain_words:
        return rich
    if not rich_words or _share(rich_words, plain_words) >= COVERED:
        return "\n\n".join((plain, *_other_figures(plain_words, rich)))
    if _is_stub(plain, plain_words, rich_words) or _share(plain_words, rich_words) >= COVERED:
        return rich
    return f"{plain.rstrip()}\n\n{rich.strip()}"


def _other_figures(plain_words: Counter[str], rich: str) -> list[str]:
    """Return the lines of the other body with figures that the plain one does not have: they say something else there."""
    lines = []
    for line in rich.split("\n"):
        words = WORD.findall(URL.sub(" ", LIST_NUMBER.sub("", line)))
        if any(word.isdecimal() and word not in plain_words for word in words):
            lines.append(line.strip())
    return ["\n".join(lines)] if lines else []


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(URL.sub(" ", LIST_NUMBER.sub("", text)).lower()))


def _share(words: Counter[str], others: Counter[str]) -> float:
    return sum((words & others).values()) / max(1, sum(words.values()))


def _is_stub(plain: str, words: Counter[str], others: Counter[str]) -> bool:
    count = sum(words.values())
    return count <= MAX_STUB_WORDS and 2 * count <= sum(others.values()) and STUB.search(plain) is not None
