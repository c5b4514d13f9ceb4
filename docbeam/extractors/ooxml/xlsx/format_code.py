"""Number format codes, taken apart: sections by sign or condition, and their tokens.

Source: ECMA-376-1, 18.8.30 (numFmt built-in codes) and 18.8.31 (numFmts, the grammar of a code).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

MAX_CODE_CHARS = 1_000  # Excel takes 255; a longer code is no format
MAX_SECTIONS = 4  # positive; negative; zero; text

# 5 to 8, 37 to 44: a file that uses the currency of its locale spells the code out; without it the symbol is unknown.
# 27 to 36 and 50 to 58 are East Asian dates whose form depends on the program's language: shown in ISO form.
BUILT_IN = {
    **dict.fromkeys((0, 49), "General"),
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??"},
    **{14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm"},
    **{21: "h:mm:ss", 22: "m/d/yy h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0"},
    **dict.fromkeys((5, 6, 37, 38, 41, 42), "#,##0;(#,##0)"),
    **dict.fromkeys((7, 8, 39, 40, 43, 44), "#,##0.00;(#,##0.00)"),
    **dict.fromkeys((27, 28, 29, 30, 31, 34, 35, 36), "yyyy-mm-dd"),
    **dict.fromkeys((50, 51, 52, 53, 54, 55, 56, 57, 58), "yyyy-mm-dd"),
    **{32: "h:mm", 33: "h:mm:ss"},
}

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}

_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | _(?P<space>.)
    | \*(?P<fill>.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General)
    | (?P<half>AM/PM|A/P|上午/下午)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?|g+|e+|b+|a{3,4})
    | (?P<digit>[0\#?])
    | (?P<mark>[.,%/@;])
    | (?P<literal>.)
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?[0-9.]+(?:E[+-]?[0-9]+)?)\s*", re.IGNORECASE)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)


class Token(NamedTuple):
    """One token of a section. Kinds: literal, digit, mark, exponent, date, elapsed, half, general, locale."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a format code. `condition` is a comparison and its number, if the section has one."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None

    def has(self, *kinds: str) -> bool:
        """Say whether the section has a token of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)

    def admits(self, value: float) -> bool:
        """Say whether the section's condition holds; one without a condition admits all."""
        return self.condition is None or COMPARISONS[self.condition[0]](value, self.condition[1])


def sections_of(code: str) -> tuple[Section, ...]:
    """Return the sections of a format code, at most MAX_SECTIONS; an overlong code has none."""
    if len(code) > MAX_CODE_CHARS:
        return ()
    sections: list[Section] = []
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(code + ";"):
        kind, text = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "mark" and text == ";":
            sections.append(Section(tuple(tokens), condition))
            tokens, condition = [], None
        elif kind == "bracket" and (found := _CONDITION.fullmatch(text)):
            condition = (found[1], _number(found[2]))
        else:
            tokens += _token(kind, text)
    return tuple(sections[:MAX_SECTIONS])


def _token(kind: str, text: str) -> list[Token]:
    if kind == "bracket":
        if _ELAPSED.fullmatch(text):
            return [Token("elapsed", text.lower())]
        if text.startswith("$"):  # a currency symbol and a locale: [$€-407]
            symbol, _, locale = text[1:].rpartition("-") if "-" in text else (text[1:], "", "")
            return ([Token("literal", symbol)] if symbol else []) + ([Token("locale", locale)] if locale else [])
        return []  # colours, digit shapes
    if kind == "fill":
        return []
    if kind == "space":
        return [Token("literal", " ")]
    if kind in ("quoted", "escaped"):
        return [Token("literal", text)]
    return [Token(kind, text.lower() if kind == "date" else text)]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
