"""Numbers as Excel shows them: a format code compiled to a function from value to text.

Colours, fill characters and column widths are left out; where a code can't show a value (a date past the year 9999) or
would hide it (`;;;`), the value is shown as General does.
Source: ECMA-376-1, 18.8.31 (numFmts); for General, what Excel and LibreOffice show.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache

from docbeam.extractors.ooxml.xlsx.dates import DateFormat
from docbeam.extractors.ooxml.xlsx.format_code import Section, Token, sections_of

Show = Callable[[float], str]

SIGNIFICANT_DIGITS = 15  # what a binary double keeps of any decimal number; the rest is noise
GENERAL_DECIMALS = 10  # as LibreOffice's General; Excel shows fewer where the column is narrow
PLAIN_BELOW = 1e15  # larger whole numbers have lost digits, and are shown with an exponent
MAX_PLAIN_DECIMALS = 30  # Excel's limit
CACHED_DATES = 4_096  # a column of dates repeats itself
MAX_FORMATTED = 1e28  # Decimal's precision; larger values are shown as General does


@lru_cache(maxsize=4096)
def shower(code: str, is_1904: bool = False) -> Show:
    """Return the function that shows a number by a format code."""
    sections = sections_of(code)
    if not sections or code == "General":
        return general
    shows = [_section_show(section, is_1904) for section in sections[:3]]

    def show(value: float) -> str:
        index, hides_sign = _chosen(sections[:3], value)
        text = None if index is None else shows[index](abs(value) if hides_sign else value)
        text = general(value) if text is None else text.strip()
        return text or general(value)

    return show


def general(value: float) -> str:
    """Return a number as the General format shows it: no binary noise, no needless zeros."""
    if value.is_integer() and abs(value) < PLAIN_BELOW:
        return str(int(value))
    shortest = repr(value)
    if len(shortest) <= GENERAL_DECIMALS and "e" not in shortest and "n" not in shortest:
        return shortest
    if not math.isfinite(value):
        return "#NUM!"
    size = abs(value)
    if size >= PLAIN_BELOW or size < 1e-4:
        mantissa, _, exponent = f"{value:.{SIGNIFICANT_DIGITS - 1 if size >= 1 else GENERAL_DECIMALS - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}E{exponent}"
    decimals = min(GENERAL_DECIMALS, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(size)))
    return f"{value:.{max(decimals, 0)}f}".rstrip("0").rstrip(".")


def _chosen(sections: tuple[Section, ...], value: float) -> tuple[int | None, bool]:
    """Return the index of a value's section (None if no condition holds), and whether it is for negative numbers alone."""
    if any(section.condition for section in sections):
        for index, section in enumerate(sections):
            if section.admits(value):
                comparison, limit = section.condition or ("", 0.0)
                is_negative_only = (comparison[:1] == "<" and limit == 0) or (index == 1 and not comparison)
                return index, value < 0 and is_negative_only
        return None, False
    if value < 0 and len(sections) > 1:
        return 1, True
    return (2, False) if value == 0 and len(sections) > 2 else (0, False)


def _section_show(section: Section, is_1904: bool) -> Callable[[float], str | None]:
    if section.has("date", "elapsed"):
        return lru_cache(maxsize=CACHED_DATES)(DateFormat(section, is_1904).shown)
    if section.has("general"):
        return lambda value: "".join(
            general(value) if kind == "general" else _literal(kind, text) for kind, text in section.tokens
        )
    if not section.has("digit"):
        if Token("mark", "@") in section.tokens:
            return general
        literal = "".join(_literal(*token) for token in section.tokens)
        return lambda value: literal
    if section.has("exponent"):
        return _Pattern(section.tokens).scientific
    if any(token == Token("mark", "/") for token in section.tokens):
        return _Fraction(section.tokens).shown
    return _Pattern(section.tokens).shown


def _literal(kind: str, text: str) -> str:
    return text if kind == "literal" or (kind == "mark" and text in "%/") else ""


class _Pattern:
    """Digit places and what stands between them: `#,##0.00`, `000-00-0000`, `0.0%`, `##0.0E+0`."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        places = [index for index, token in enumerate(tokens) if token.kind == "digit"]
        point = next((i for i, token in enumerate(tokens) if token == Token("mark", ".")), len(tokens))
        power = next((i for i, token in enumerate(tokens) if token.kind == "exponent"), len(tokens))
        self.tokens = tokens
        self.point = point
        self.power = power
        self.whole = [index for index in places if index < min(point, power)]
        self.decimal = [index for index in places if point < index < power][:MAX_PLAIN_DECIMALS]
        self.exponent = [index for index in places if index > power]
        self.least_exponent = sum(tokens[index].text == "0" for index in self.exponent)
        last = max(self.whole, default=-1)
        self.is_grouped = Token("mark", ",") in tokens[min(self.whole, default=0) : last + 1]
        self.scale = 3 * sum(self._commas_after(places_end) for places_end in {last, max(self.decimal, default=last)})
        self.percent = 2 * sum(token == Token("mark", "%") for token in tokens)

    def shown(self, value: float) -> str | None:
        """Return a value in this pattern, rounded half away from zero as Excel does."""
        if not abs(value) < MAX_FORMATTED:
            return None
        exact = Decimal(f"{value:.{SIGNIFICANT_DIGITS}g}").scaleb(self.percent - self.scale)
        return self._filled(self._rounded(exact), "", value < 0)

    def scientific(self, value: float) -> str | None:
        """Return a value as mantissa and exponent; several whole places mean an exponent that is their multiple."""
        if not math.isfinite(value):
            return None
        exact = Decimal(f"{abs(value):.{SIGNIFICANT_DIGITS}g}")
        step = max(len(self.whole), 1)
        exponent = exact.adjusted() // step * step if exact else 0
        rounded = self._rounded(exact.scaleb(-exponent))
        if rounded >= 10**step:
            exponent += step
            rounded = self._rounded(exact.scaleb(-exponent))
        sign = "-" if exponent < 0 else "+" if self.tokens[self.power].text.endswith("+") else ""
        return self._filled(rounded, sign + str(abs(exponent)).zfill(self.least_exponent), value < 0)

    def _commas_after(self, place: int) -> int:
        after = place + 1
        while 0 < after < len(self.tokens) and self.tokens[after] == Token("mark", ","):
            after += 1
        return after - place - 1

    def _rounded(self, exact: Decimal) -> Decimal:
        return abs(exact).quantize(Decimal(1).scaleb(-len(self.decimal)), rounding=ROUND_HALF_UP)

    def _filled(self, rounded: Decimal, exponent: str, is_negative: bool) -> str:
        whole, _, decimals = f"{rounded:f}".partition(".")
        places = {**self._whole_places(whole.lstrip("0") or "0"[: len(self.exponent)]), **self._decimal_places(decimals)}
        if self.exponent:
            places[self.exponent[0]] = exponent
        parts = ["-"] if is_negative else []
        for index, (kind, text) in enumerate(self.tokens):
            if index == self.power:
                parts.append(text[0])
            elif index == self.point:
                if any(places.get(place) for place in self.decimal):
                    parts.append(".")
            elif kind == "digit":
                parts.append(places.get(index, ""))
            else:
                parts.append(_literal(kind, text))
        return "".join(parts)

    def _whole_places(self, digits: str) -> dict[int, str]:
        filled: dict[int, str] = {}
        used = 0
        for index in reversed(self.whole):
            count = max(len(digits), 1) if index == self.whole[0] else 1
            chunk = ""
            for _ in range(count):
                digit = digits[-1:] or ("0" if self.tokens[index].text == "0" else "")
                digits = digits[:-1]
                if digit:
                    chunk = digit + ("," if self.is_grouped and used and used % 3 == 0 else "") + chunk
                    used += 1
            filled[index] = chunk
        return filled

    def _decimal_places(self, digits: str) -> dict[int, str]:
        filled: dict[int, str] = {}
        kept = False
        for index, digit in reversed(list(zip(self.decimal, digits, strict=False))):
            kept = kept or digit != "0" or self.tokens[index].text == "0"
            filled[index] = digit if kept else ""
        return filled


class _Fraction:
    """A value as a whole number and a fraction: `# ?/?`, `# ??/16`."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        slash = tokens.index(Token("mark", "/"))
        before = "".join(token.text if token.kind == "digit" else " " for token in tokens[:slash]).split()
        after = "".join(token.text for token in tokens[slash + 1 :])
        match = re.match(r" *([0-9#?]+)", after)
        below = match[1] if match else "?"
        first = next(index for index, token in enumerate(tokens) if token.kind == "digit")
        self.prefix = "".join(_literal(*token) for token in tokens[:first])
        self.suffix = after[match.end() :] if match else ""
        self.has_whole = len(before) > 1
        self.fixed = int(below) if below.isdigit() and int(below) else None
        self.most = 10 ** min(len(below), 4) - 1

    def shown(self, value: float) -> str | None:
        """Return the nearest fraction that the denominator's places allow."""
        if not abs(value) < PLAIN_BELOW:
            return None
        exact = abs(Fraction(value))
        whole = int(exact) if self.has_whole else 0
        rest = exact - whole
        if self.fixed:
            above, below = round(rest * self.fixed), self.fixed
        else:
            near = rest.limit_denominator(self.most)
            above, below = near.numerator, near.denominator
        if self.has_whole and above >= below:
            whole, above = whole + 1, 0
        fraction = f"{above}/{below}" if above or not self.has_whole else ""
        number = " ".join(part for part in (str(whole) if self.has_whole and (whole or not above) else "", fraction) if part)
        sign = "-" if value < 0 and number != "0" else ""
        return f"{sign}{self.prefix}{number}{self.suffix}"
