"""Whether the first row of delimited text names its columns: a guess from the rows, as the format has no mark for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

LOOK_ROWS = 50  # below the first one
LOOK_COLUMNS = 200
MAX_NAME_CHARS = 80  # a longer text is no column's name
MAX_VALUE_CHARS = 100  # a longer text is no single value
VALUE = re.compile(
    r"""[-+(]?\s?[$€£¥]?\s?\d[\d.,:/' \u00a0T+-]*[%)Z]?   # numbers, money, dates, times
    |\S+@\S+\.\S+ | (?:https?|s3|gs|ftp)://\S+ | (?:true|false|null|none|nan|n/?a)""",
    re.VERBOSE | re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")  # names a column beside words


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether the first of some rows holds names: short, all different, no values, unlike what stands below them.

    Without any column of values below, names are taken for a header if each is a few words, and none of them comes again
    in its column.
    """
    if len(rows) < 2:
        return False
    names = [cell.strip() for cell in rows[0][:LOOK_COLUMNS]]
    while names and not names[-1]:
        names.pop()
    named = [name for name in names if name]
    if len(named) < max(1, len(names) - 1) or len({name.casefold() for name in named}) < len(named):
        return False
    if all(map(YEAR.fullmatch, named)) or any(not _is_name(name) for name in named):
        return False
    columns = [_column(rows[1 : LOOK_ROWS + 1], at) for at in range(len(names))]
    if any(cells and 2 * sum(map(_is_value, cells)) > len(cells) for cells in columns):
        return True
    return len(names) > 1 and all(name not in cells for name, cells in zip(names, columns, strict=True)) and _is_terse(names)


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME_CHARS and (YEAR.fullmatch(text) is not None or not _is_value(text))


def _column(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    return [cell for row in rows if at < len(row) and (cell := row[at].strip())]


def _is_value(cell: str) -> bool:
    return len(cell) <= MAX_VALUE_CHARS and VALUE.fullmatch(cell) is not None


def _is_terse(names: Sequence[str]) -> bool:
    """Say whether the names look like names of columns: a few words each, without sentences' ends."""
    return all(len(name.split()) <= 5 and not name.endswith((".", "!", "?", ",", ";")) for name in names)
