"""Elements by how they are shown: blocks and their breaks, what is never shown, and the numbers of list items.

Source: HTML Standard, 15.3 (flow content) and 4.4.5 (ol).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

Leave = Callable[[], None] | None  # what is to be done at an element's end

LINE, BLANK = 1, 2  # breaks before and after a block: the end of the line, a blank line

LINE_NAMES = (
    "address article aside body center dd details dialog div dt fieldset figcaption footer form frameset header hgroup html "
    "legend li listing main nav noframes object optgroup search section summary td th tr tbody thead tfoot"
)
BLANK_NAMES = "p h1 h2 h3 h4 h5 h6 blockquote dl figure hr pre plaintext xmp table caption"
BLOCKS = dict.fromkeys(LINE_NAMES.split(), LINE) | dict.fromkeys(BLANK_NAMES.split(), BLANK)
PREFORMATTED = frozenset(("pre", "listing", "plaintext", "xmp"))

NOT_SHOWN_NAMES = (
    "head script style template title meta link base noembed param source track datalist rp col colgroup embed frame"
)
NOT_SHOWN = frozenset(NOT_SHOWN_NAMES.split())
INSTEAD_NAMES = "noscript audio video canvas meter progress applet"
INSTEAD = frozenset(INSTEAD_NAMES.split())  # their text is for browsers that can't do better

RAISED = dict(zip("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ", strict=True))
ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class Skip(Exception):
    """The children of an element are not to be walked."""


def nothing() -> None:
    """End an element whose breaks its own handler has made."""


def item_number(value: str | None) -> int | None:
    """Return the number that a start or value attribute gives, or None."""
    match = re.match(r"\s*(-?\d{1,9})", value or "")
    return int(match[1]) if match else None


def numeral(number: int, kind: str) -> str:
    """Return an item's number in the kind of its list: 1, a, A, i or I."""
    if kind in "aA" and number > 0:
        letters = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            letters = chr(97 + rest) + letters
        return letters.upper() if kind == "A" else letters
    if kind in "iI" and 0 < number < 4000:
        letters = ""
        for value, letter in ROMAN:
            count, number = divmod(number, value)
            letters += letter * count
        return letters.upper() if kind == "I" else letters
    return str(number)


def text_of(node: LexborNode) -> str:
    """Return all text in an element, as it is written."""
    return node.text(deep=True)


def children(node: LexborNode) -> list[LexborNode]:
    """Return the nodes right below a node."""
    found, child = [], node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found
