"""Lines for JSON that was written without any: one a property or element, flat arrays on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docbeam.extractors.json.grammar import TOKEN

LONG_LINE_CHARS = 1_000  # that a person writes in no line; a chunk of text is about as long
MAX_INDENT = 20  # levels; deeper ones are set at this one, or nesting alone would make a text grow by its square
FLAT = re.compile(r"\[[^\[\]{}]{0,300}\]|\{\s*\}")


def is_crammed(text: str) -> bool:
    """Say whether the text has lines that nobody can read."""
    return len(text) > LONG_LINE_CHARS * (text.count("\n") + 1)


def lines_of(text: str) -> Iterator[str]:
    """Yield the pieces of a valid text, with line ends and indentation between them."""
    at = depth = 0
    while match := TOKEN.match(text, at):
        mark = match[2]
        token = match[match.lastindex or 0]
        start = match.end() - len(token)
        at = match.end()
        if mark in ("[", "{") and (flat := FLAT.match(text, start)):
            at = flat.end()
            yield " ".join(flat[0].split()) if '"' not in flat[0] else flat[0]
        elif mark in ("[", "{"):
            depth += 1
            yield mark + _line_end(depth)
        elif mark in ("]", "}"):
            depth -= 1
            yield _line_end(depth) + mark
        elif mark == ",":
            yield mark + _line_end(depth)
        elif mark == ":":
            yield ": "
        else:
            yield token


def _line_end(depth: int) -> str:
    return "\n" + "  " * min(depth, MAX_INDENT)
