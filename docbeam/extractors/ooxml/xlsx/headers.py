"""Which rows of a sheet name its columns: the header rows of its tables, of its filter, or the rows frozen at its top.

Source: ECMA-376-1, 18.5.1.2 (table), 18.3.1.2 (autoFilter), 18.3.1.66 (pane).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docbeam.extractors.ooxml.xml import Element

MAX_FROZEN_ROWS = 20  # more is no header
_RANGE = re.compile(r"\$?[A-Za-z]{1,3}\$?(\d{1,7})(?::\$?[A-Za-z]{1,3}\$?(\d{1,7}))?")


def table_rows(root: Element) -> tuple[int, int] | None:
    """Return the header row of a table part and its last row, both from 0; None for a table without a header."""
    return None if root.get("headerRowCount", "1") == "0" else rows_of(root.get("ref", ""))


def rows_of(reference: str) -> tuple[int, int] | None:
    """Return the first and last row of a range such as `A1:C9`, from 0, or None."""
    match = _RANGE.fullmatch(reference)
    return None if match is None else (int(match[1]) - 1, int(match[2] or match[1]) - 1)


def frozen_rows(views: Element) -> int:
    """Return how many rows at the top stay in sight, 0 for none."""
    for pane in views.iter("{*}pane"):
        split = pane.get("ySplit", "").partition(".")[0]
        if pane.get("state", "").startswith("frozen") and split.isascii() and split.isdigit():
            return int(split[:4]) if int(split[:4]) <= MAX_FROZEN_ROWS else 0
    return 0


def header_rows(
    tables: Iterable[tuple[int, int]], filtered: tuple[int, int] | None, frozen: int, filled: Iterable[int]
) -> dict[int, int | None]:
    """Return the header rows, each with the last row that it names, None for all below.

    Tables are the surest mark, then the filter, then frozen rows, of which the last filled one has the names.
    """
    if found := dict(tables):
        return dict(found)
    if filtered is not None:
        return {filtered[0]: None}  # rows are added below a filter without its range growing
    names = max((row for row in filled if row < frozen), default=None)
    return {} if names is None else {names: None}
