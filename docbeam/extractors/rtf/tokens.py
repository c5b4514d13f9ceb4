r"""The tokens of RTF, found by one expression, and the fast way over a group that is not read.

Source: Rich Text Format specification 1.9.1, "RTF syntax".
"""

from __future__ import annotations

import re

# Text, a run of \'hh, a control word with its number, a brace, a control symbol. Line ends and NUL are no text.
TOKEN = re.compile(
    rb"([^\\{}\r\n\0]+)"
    rb"|((?:\\'[0-9a-fA-F]{2})+)"
    rb"|\\([a-zA-Z]{1,40})(-?[0-9]{1,12})? ?"
    rb"|([{}])"
    rb"|\\([^a-zA-Z])"
    rb"|[\r\n\0]+|\\",
    re.DOTALL,
)
TEXT, HEX, WORD, NUMBER, BRACE, SYMBOL = range(1, 7)
_IN_SKIPPED = re.compile(rb"\\bin([0-9]{1,10}) ?|\\.|[{}]", re.DOTALL)


def group_end(data: bytes, at: int) -> int:
    """Return the place of the brace that closes the group in which `at` is, or the end of the data."""
    depth = 1
    while match := _IN_SKIPPED.search(data, at):
        at = match.end()
        if match[1] is not None:
            at += int(match[1])
        elif match[0] == b"{":
            depth += 1
        elif match[0] == b"}":
            depth -= 1
            if depth == 0:
                return match.start()
    return len(data)
