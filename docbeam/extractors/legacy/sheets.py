"""What the two binary kinds of workbook share: a sheet as it is collected, and its page as the text shows it.

A page is laid out as the one of an Open XML workbook: name, header, rows, comments, drawings, footer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.ooxml.xlsx.format_code import BUILT_IN
from docbeam.extractors.ooxml.xlsx.formulas import column_letters
from docbeam.extractors.ooxml.xlsx.grid import Cells, Grid, grid_lines
from docbeam.extractors.ooxml.xlsx.header_footer import header_footer_lines
from docbeam.extractors.ooxml.xlsx.headers import header_rows
from docbeam.extractors.ooxml.xlsx.numbers import Show, general, shower
from docbeam.extractors.ooxml.xlsx.strings import one_line
from docbeam.extractors.pictures import without_anchors
from docbeam.schemas.vocabulary import PageKind, TruncationReason, WarningCode

ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}  # fmt: skip
STATES = ("visible", "hidden", "veryHidden")


def rk_number(value: int) -> float:
    """Return the number that 32 bits hold: a whole number or the upper half of a double, either of them times 100."""
    if value & 2:
        number = float((value >> 2) - (1 << 30 if value & 0x80000000 else 0))
    else:
        number = struct.unpack("<d", struct.pack("<Q", (value & 0xFFFFFFFC) << 32))[0]
    return number / 100 if value & 1 else number


class Formats:
    """The number formats of a workbook and which of them each cell style uses."""

    def __init__(self) -> None:
        self.codes: dict[int, str] = dict(BUILT_IN)
        self.styles: list[int] = []
        self.is_1904 = False
        self._shows: dict[int, Show] = {}

    def show(self, style: int) -> Show:
        """Return the function that shows the numbers of a style; an unknown style is General."""
        found = self._shows.get(style)
        if found is None:
            index = self.styles[style] if 0 <= style < len(self.styles) else 0
            found = self._shows[style] = self.show_format(index)
        return found

    def show_format(self, index: int) -> Show:
        """Return the function that shows numbers by the index of their format."""
        code = self.codes.get(index, "General")
        return general if code == "General" else shower(code, self.is_1904)


@dataclass
class Sheet:
    """A sheet while it is read. Rows may come in any order, cells of a row too."""

    rows: dict[int, Cells] = field(default_factory=dict)
    chars: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)  # kind, text with its codes
    comments: list[tuple[int, int, str, str]] = field(default_factory=list)  # row, column, author, text
    boxes: list[str] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: int = 0
    filtered: tuple[int, int] | None = None  # the first and last row of a filter's range
    frozen_rows: int = 0
    pictures: int = 0
    shown_pictures: list[int] = field(default_factory=list)  # by their numbers in the workbook's store
    lost_strings: int = 0
    is_cut: bool = False  # at the deadline
    is_broken: bool = False  # ends before its last record

    def put(self, row: int, column: int, text: str) -> None:
        """Set a cell."""
        if text:
            self.rows.setdefault(row, []).append((column, text))
            self.chars += len(text) + 1

    def is_full(self, out: TextBuilder) -> bool:
        """Say whether more cells can't be shown anyway."""
        return self.chars > out.options.max_extracted_chars

    def lines(self, out: TextBuilder) -> list[str]:
        """Return the rows as lines, as the options want tables."""
        grid = Grid(out.options.max_extracted_chars)
        for row in sorted(self.rows):
            cells = dict(self.rows[row])  # the last value of a cell counts
            grid.add(row, sorted(cells.items()))
        return grid_lines(grid, header_rows((), self.filtered, self.frozen_rows, grid.filled()), out)


def add_sheet(out: TextBuilder, family: str, number: int, name: str, sheet: Sheet, boxes: Iterable[str] = ()) -> bool:
    """Add a sheet's page and say whether it has text besides its name. Raises Full where the sheet is cut."""
    headers, footers = header_footer_lines(sheet.headers, name)
    lines = [*headers, *sheet.lines(out)]
    if not sheet.is_cut:
        around: list[str] = []
        try:
            around += _bounded(chain(_comment_lines(sheet), sheet.boxes, boxes), out)
        except Full:
            sheet.is_cut = True
        lines += ["", *around] if any(map(without_anchors, around)) else around
    lines += footers
    for key, count in ((f"{family}.hiddenRows", len(sheet.hidden_rows & sheet.rows.keys())),
                       (f"{family}.hiddenColumns", sheet.hidden_columns)):  # fmt: skip
        if count:
            out.meta(key, int(out.metadata.get(key, 0)) + count)
    shown = lines if out.options.page_markers else [name, *lines]  # a marker has the name already
    out.page(number, "\n".join(shown), kind=PageKind.SHEET, label=name)
    if sheet.is_cut:
        out.stop(TruncationReason.DEADLINE)
    return any(map(without_anchors, lines))


def name_sheets(out: TextBuilder, family: str, sheets: list[tuple[str, str]]) -> None:
    """Record the sheets (name and state) in the metadata."""
    out.meta(f"{family}.sheetCount", len(sheets))
    out.meta(f"{family}.sheetNames", "; ".join(name for name, _ in sheets))
    out.meta(f"{family}.hiddenSheets", "; ".join(name for name, state in sheets if state != "visible"))


def warn_no_text(out: TextBuilder) -> None:
    """Say that no sheet has text."""
    out.warn(WarningCode.NO_TEXT, "document", "no sheet has text besides its name")


def _bounded(lines: Iterable[str], out: TextBuilder) -> Iterator[str]:
    chars = 0
    for line in lines:
        yield line
        chars += len(line)
        if chars > out.options.max_extracted_chars:
            return


def _comment_lines(sheet: Sheet) -> Iterator[str]:
    for row, column, author, text in sorted(sheet.comments):
        author, text = one_line(author), one_line(text)
        if author:  # Excel writes the author's name into the note as well
            text = text.removeprefix(f"{author}:").lstrip()
        head = " ".join(part for part in (f"{column_letters(column)}{row + 1}", author) if part)
        if text:
            yield f"{head}: {text}"
