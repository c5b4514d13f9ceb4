"""Taking untrusted JSON apart by type: every function raises Malformed for what a sound child can't have sent."""

from __future__ import annotations

import math
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

from docbeam.extractors.sandbox.frames import Malformed

MAX_COUNT = 1 << 53  # page numbers and offsets; larger ones are no honest count

W = TypeVar("W", bound=Enum)


class Fields:
    """An untrusted JSON object whose fields are taken by type. Every method raises Malformed."""

    def __init__(self, value: Any) -> None:
        if type(value) is not dict:
            raise Malformed("not an object")
        self._value = value

    def get(self, key: str) -> Any:
        """Return a field that may be null but not missing."""
        if key not in self._value:
            raise Malformed(f"{key}: missing")
        return self._value[key]

    def text(self, key: str) -> str:
        """Return a text."""
        return text_of(self.get(key))

    def text_or_none(self, key: str) -> str | None:
        """Return a text or None."""
        value = self.get(key)
        return None if value is None else text_of(value)

    def count(self, key: str) -> int:
        """Return a whole number from 0."""
        return count_of(self.get(key))

    def count_or_none(self, key: str) -> int | None:
        """Return a whole number from 0, or None."""
        value = self.get(key)
        return None if value is None else count_of(value)

    def share_or_none(self, key: str) -> float | None:
        """Return a number from 0 to 1, or None."""
        return share_of(self.get(key))

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.get(key)
        if type(value) is not bool:
            raise Malformed(f"{key}: neither true nor false")
        return value

    def moment_or_none(self, key: str) -> datetime | None:
        """Return an aware datetime, or None."""
        value = self.text_or_none(key)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value)
        except ValueError as error:
            raise Malformed(f"{key}: not a date") from error
        if moment.tzinfo is None:
            raise Malformed(f"{key}: no time zone")
        return moment


def list_of(value: Any) -> list[Any]:
    """Return a list."""
    if type(value) is not list:
        raise Malformed("not a list")
    return value


def row_of(value: Any, *kinds: type) -> list[Any]:
    """Return a list of exactly these types."""
    if type(value) is not list or [type(item) for item in value] != list(kinds):
        raise Malformed(f"not a row of {len(kinds)}")
    return [text_of(item) if type(item) is str else item for item in value]


def text_of(value: Any) -> str:
    """Return a text that UTF-8 can hold, without NUL."""
    if type(value) is not str or "\x00" in value or not (value.isascii() or _is_unicode(value)):
        raise Malformed("not a text that UTF-8 can hold")
    return value


def _is_unicode(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def count_of(value: Any) -> int:
    """Return a whole number from 0."""
    if type(value) is not int or not 0 <= value < MAX_COUNT:
        raise Malformed("not a count")
    return value


def share_of(value: Any) -> float | None:
    """Return a number from 0 to 1, or None."""
    if value is None:
        return None
    if type(value) not in (int, float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise Malformed("not a share from 0 to 1")
    return float(value)


def word_of(kind: type[W], value: str) -> W:
    """Return a word of a vocabulary."""
    try:
        return kind(value)
    except ValueError as error:
        raise Malformed(f"{kind.__name__}: an unknown word") from error
