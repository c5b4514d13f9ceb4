"""Serial numbers as dates, times and durations, by the date tokens of a format code.

A date whose day and month are both numbers, and whose year does not come first, is shown in ISO form: 03/04/18 means
two days, and which one is lost once the program's locale is. All others are shown as their code says.
Source: ECMA-376-1, 18.17.4 (dates and times, both base systems) and 18.8.31 (date tokens).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from docbeam.extractors.ooxml.xlsx.calendar_names import Names, names_for
from docbeam.extractors.ooxml.xlsx.format_code import Section, Token

LAST_SERIAL = 2_958_466  # the day after 9999-12-31
EPOCH_1900 = datetime(1899, 12, 30)
EPOCH_1904 = datetime(1904, 1, 1)
LEAP_BUG_SERIAL = 61  # serials below count a 29 February 1900 that never was
ERAS = (  # first day, initial, one character, name
    (datetime(2019, 5, 1), "R", "令", "令和"),
    (datetime(1989, 1, 8), "H", "平", "平成"),
    (datetime(1926, 12, 25), "S", "昭", "昭和"),
    (datetime(1912, 7, 30), "T", "大", "大正"),
    (datetime(1868, 1, 25), "M", "明", "明治"),
)
CLOCK = ("date", "elapsed")
ISO_DATE = (Token("date", "yyyy"), Token("literal", "-"), Token("date", "mm"), Token("literal", "-"), Token("date", "dd"))


class DateFormat:
    """A section of a format code that shows dates, times or durations."""

    def __init__(self, section: Section, is_1904: bool) -> None:
        self._tokens = date_tokens(section)
        self._is_1904 = is_1904
        self._is_elapsed = section.has("elapsed")
        self._is_half = section.has("half")
        self._names = names_for(next((token.text for token in section.tokens if token.kind == "locale"), ""))
        self._places = max((len(token.text.partition(".")[2]) for token in self._tokens if token.kind in CLOCK), default=0)

    def shown(self, value: float) -> str | None:
        """Return a serial number in this format, or None if it is no date (negative, or past the year 9999)."""
        if not abs(value) < LAST_SERIAL or (value < 0 and not self._is_elapsed):
            return None
        seconds = round(abs(value) * 86_400, min(self._places, 3))
        moment = _moment(seconds, self._is_1904)
        shown = "".join(self._token_shown(token, moment, seconds) for token in self._tokens)
        return "-" + shown if value < 0 else shown

    def _token_shown(self, token: Token, moment: datetime, seconds: float) -> str:
        kind, text = token
        if kind == "literal":
            return text
        if kind == "half":
            return (text.upper() if len(text) > 3 else text).split("/")[moment.hour >= 12]
        if kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[text[0]]
            whole, _, zeros = text.partition(".")
            return str(int(seconds // unit)).zfill(len(whole)) + f"{seconds % 1:.{len(zeros)}f}"[1:]
        return self._part_shown(text, moment, seconds) if kind == "date" else ""

    def _part_shown(self, text: str, moment: datetime, seconds: float) -> str:
        letter, size = text[0], len(text)
        if letter == "y":
            return f"{moment.year:04}" if size > 2 else f"{moment.year % 100:02}"
        if letter == "b":
            return str(moment.year + 543)[-4 if size > 2 else -2 :]
        if letter in "ge":
            return _era(letter, size, moment)
        if letter in "mda" and size > 2:
            return _named(letter, size, moment, self._names)
        if letter == "s" and "." in text:
            whole, _, zeros = text.partition(".")
            return f"{seconds % 60:.{len(zeros)}f}".rjust(len(zeros) + 1 + len(whole), "0")
        if letter == "h":
            return str((moment.hour % 12 or 12) if self._is_half else moment.hour).zfill(size)
        number = {"m": moment.month, "d": moment.day, "n": moment.minute, "s": moment.second}.get(letter, 0)
        return str(number).zfill(size)


def date_tokens(section: Section) -> tuple[Token, ...]:
    """Return a date section's tokens with minutes told from months (as `n`), and ambiguous dates in ISO form."""
    tokens = _with_fractions(section.tokens)
    clock = [index for index, token in enumerate(tokens) if token.kind in CLOCK]
    for place, index in enumerate(clock):
        text = tokens[index].text
        if text in ("m", "mm") and tokens[index].kind == "date":
            before = tokens[clock[place - 1]].text if place else ""
            after = tokens[clock[place + 1]].text if place + 1 < len(clock) else ""
            if before[:1] in ("h", "s") or after[:1] == "s":
                tokens[index] = Token("date", "n" * len(text))
    if not any(token.kind == "date" and token.text[0] == "g" for token in tokens):  # e is the era's year only after g
        tokens = [Token("date", "yyyy") if token.kind == "date" and token.text[0] == "e" else token for token in tokens]
    return _unambiguous(tuple(tokens))


def _with_fractions(tokens: tuple[Token, ...]) -> list[Token]:
    """Return the tokens with `[s]` and a following `.00` as one; other slashes, points and digits are themselves."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        is_fraction = token == Token("mark", ".") or (token == Token("digit", "0") and last is not None and "." in last.text)
        if last is not None and last.kind == "elapsed" and last.text[0] == "s" and is_fraction:
            joined[-1] = Token("elapsed", last.text + token.text)
        else:
            joined.append(Token("literal", token.text) if token.kind in ("mark", "digit") else token)
    return joined


def _unambiguous(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    places = [(index, token.text) for index, token in enumerate(tokens) if token.kind == "date" and token.text[0] in "ymdeg"]
    letters = "".join(text[0] for _, text in places)
    if letters not in ("dmy", "mdy") or any(len(text) > 2 for _, text in places if text[0] != "y"):
        return tokens
    first, last = places[0][0], places[-1][0]
    between = "".join(token.text for token in tokens[first : last + 1] if token.kind == "literal").strip()
    return tokens[:first] + ISO_DATE + tokens[last + 1 :] if set(between) <= set("/-") else tokens


def _moment(seconds: float, is_1904: bool) -> datetime:
    days = seconds / 86_400
    base = EPOCH_1904 if is_1904 else EPOCH_1900
    if not is_1904 and days < LEAP_BUG_SERIAL - 1:
        base += timedelta(days=1)
    try:
        return base + timedelta(seconds=seconds)
    except OverflowError:
        return base


def _named(letter: str, size: int, moment: datetime, names: Names) -> str:
    if letter == "m":
        month = moment.month - 1
        return names.short_months[month] if size == 3 else names.months[month][: 1 if size == 5 else None]
    day = moment.weekday()
    return names.short_days[day] if size == 3 else names.days[day]


def _era(letter: str, size: int, moment: datetime) -> str:
    for first, *names in ERAS:
        if moment >= first:
            return names[min(size, 3) - 1] if letter == "g" else str(moment.year - first.year + 1).zfill(size)
    return "" if letter == "g" else str(moment.year)
