"""The headings of a Markdown document. Source: CommonMark 0.31, 4.2 and 4.3 (ATX and setext headings), 4.5 (fenced code)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

MAX_HEADINGS = 100
MAX_CHARS = 200  # of one heading
_LINE = re.compile(
    r"^ {0,3}(?:(`{3,}|~{3,})|#{1,6}(?:[ \t]+([^\n]*))?$|(=+|-+)[ \t]*$|([^\s#>|*+-][^\n]*))|^(?:[ \t]*$|[^\n])", re.MULTILINE
)
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:(?!---|\.\.\.)[^\n]*\n){0,500}(?:---|\.\.\.)[ \t]*(?:\n|$)")


def markdown_headings(text: str) -> list[str]:
    """Return the texts of the headings, in their order, up to MAX_HEADINGS."""
    front = _FRONT_MATTER.match(text)
    return list(islice(_headings(text, front.end() if front else 0), MAX_HEADINGS))


def _headings(text: str, start: int) -> Iterator[str]:
    fence = before = ""
    for line in _LINE.finditer(text, start):
        mark, title, underline, words = line.groups()
        if fence:
            if mark and mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
            continue
        if mark:
            fence = mark
        elif underline and before:
            yield before[:MAX_CHARS]
        elif title and (shown := _CLOSING.sub("", title).strip()):
            yield shown[:MAX_CHARS]
        before = words.strip() if words else ""
