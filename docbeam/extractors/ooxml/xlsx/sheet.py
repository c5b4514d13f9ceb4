"""One sheet: its cells as text, streamed from the part; hidden rows and columns, header and footer.

The dimension that a file claims is not read. Source: ECMA-376-1, 18.3.1 (worksheets), 18.3.1.4 (c), 18.18.11 (cell types).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.formulas import Formulas, column_index, column_letters
from docbeam.extractors.ooxml.xlsx.grid import Cells, Grid
from docbeam.extractors.ooxml.xlsx.headers import frozen_rows, rows_of
from docbeam.extractors.ooxml.xlsx.numbers import general
from docbeam.extractors.ooxml.xlsx.stream import elements
from docbeam.extractors.ooxml.xlsx.strings import SharedStrings, one_line, rich_text, unescaped
from docbeam.extractors.ooxml.xlsx.styles import Styles
from docbeam.extractors.ooxml.xml import Element, local_name

# The last ones have no text; there can be a million of them, so they too are freed one by one.
TAGS = (
    "{*}row",
    "{*}cols",
    "{*}headerFooter",
    "{*}sheetViews",
    "{*}autoFilter",
    "{*}mergeCell",
    "{*}hyperlink",
    "{*}dataValidation",
    "{*}conditionalFormatting",
    "{*}scenario",
)
DIGITS = "0123456789"
MAX_PROMPTS = 1_000  # of a sheet; each has up to 255 characters
SAFE_DIGITS = 15  # a shorter whole number is shown as it is written
BOOLEANS = {"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}


@dataclass
class Sheet:
    """What was read of a sheet. The lists hold the names of cells."""

    grid: Grid
    header_footer: list[tuple[str, str]] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0
    formulas_without_value: list[str] = field(default_factory=list)
    lost_strings: list[str] = field(default_factory=list)
    rich_values: list[str] = field(default_factory=list)  # pictures in cells, linked data types
    frozen_rows: int = 0
    filtered: tuple[int, int] | None = None  # first and last row of the filter
    prompts: dict[str, None] = field(default_factory=dict)  # each once
    is_cut: bool = False

    def add_scenario(self, scenario: Element) -> None:
        """Take the name and the comment of a what-if scenario, and the values that it would set."""
        cells = (f"{cell.get('r', '')} = {cell.get('val', '')}" for cell in scenario if local_name(cell) == "inputCells")
        words = (one_line(unescaped(scenario.get(name, ""))) for name in ("name", "comment"))
        text = ": ".join(filter(None, (*words, ", ".join(cells))))
        if text and len(self.prompts) < MAX_PROMPTS:
            self.prompts.setdefault(f"[Scenario: {text}]")

    def add_prompts(self, validation: Element) -> None:
        """Take the words that are shown to who fills in a cell, and to who fills it in wrongly."""
        for kind in ("prompt", "error"):
            words = (one_line(unescaped(validation.get(name, ""))) for name in (f"{kind}Title", kind))
            text = ": ".join(filter(None, words))
            if text and len(self.prompts) < MAX_PROMPTS:
                self.prompts.setdefault(f"[{kind.capitalize()}: {text}]")


def read_sheet(package: Package, part: str, strings: SharedStrings, styles: Styles, out: TextBuilder) -> Sheet:
    """Return a sheet's cells and what belongs to them; `is_cut` if the deadline passed before its end."""
    sheet = Sheet(Grid(out.options.max_extracted_chars))
    reader = _RowReader(sheet, strings, styles)
    try:
        for element in elements(package, part, TAGS, out):
            kind = local_name(element)
            if kind == "row":
                reader.read(element)
                if sheet.grid.is_full:
                    break
            elif kind == "cols":
                sheet.hidden_columns += sum(_hidden_span(column) for column in element)
            elif kind == "sheetViews":
                sheet.frozen_rows = frozen_rows(element)
            elif kind == "autoFilter":
                sheet.filtered = rows_of(element.get("ref", ""))
            elif kind == "dataValidation":
                sheet.add_prompts(element)
            elif kind == "scenario":
                sheet.add_scenario(element)
            elif kind == "headerFooter":
                sheet.header_footer += [(local_name(child), unescaped(child.text or "")) for child in element]
    except Full:
        sheet.is_cut = True
    return sheet


class _RowReader:
    def __init__(self, sheet: Sheet, strings: SharedStrings, styles: Styles) -> None:
        self._sheet = sheet
        self._strings = strings
        self._styles = styles
        self._formulas = Formulas()
        self._columns: dict[str, int] = {}
        self._row = -1

    def read(self, row: Element) -> None:
        number = row.get("r", "")
        self._row = int(number) - 1 if number.isascii() and number.isdigit() else self._row + 1
        cells: Cells = []
        column, is_sorted = -1, True
        for cell in row:
            place = self._column(cell.get("r"))
            if place is None:
                place = column + 1
            is_sorted = is_sorted and place > column
            column = place
            if len(cell) and (text := self._text(cell, column)):
                cells.append((column, text))
        if not is_sorted:
            cells.sort(key=lambda cell: cell[0])
        self._sheet.grid.add(self._row, cells)
        if cells and row.get("hidden") in ("1", "true"):
            self._sheet.hidden_rows += 1

    def _column(self, reference: str | None) -> int | None:
        if not reference:
            return None
        letters = reference.rstrip(DIGITS)
        index = self._columns.get(letters)
        if index is None:
            plain = letters.replace("$", "").upper()
            if not (plain.isascii() and plain.isalpha() and len(plain) <= 3):
                return None
            index = self._columns[letters] = column_index(plain)
        return index

    def _text(self, cell: Element, column: int) -> str:
        value = formula = inline = None
        kind = cell.get("t")
        for child in cell:
            tag = child.tag
            if tag.endswith("}v"):
                value = child.text or ("" if kind == "str" else None)  # a formula's result can be an empty text
            elif tag.endswith("}f"):
                formula = child
            elif tag.endswith("}is"):
                inline = child
        if formula is not None:
            source = self._formulas.source(formula, (self._row, column))
            if value is None:
                self._sheet.formulas_without_value.append(self._name(column))
                return source
        if inline is not None:
            return one_line(rich_text(inline))
        if kind == "e" and cell.get("vm"):  # the error is for programs that don't know rich values
            self._sheet.rich_values.append(self._name(column))
            return ""
        return "" if value is None else self._shown(value, kind, cell.get("s"), column)

    def _shown(self, value: str, kind: str | None, style: str | None, column: int) -> str:
        if kind == "s":
            index = value.strip()
            text = self._strings.get(int(index)) if index.isascii() and index.isdigit() else None
            if text is None:
                self._sheet.lost_strings.append(self._name(column))
            return text or ""
        if kind is None or kind == "n":
            show = self._styles.show(style)
            if show is general and value.isdecimal() and len(value) < SAFE_DIGITS and value[0] != "0":
                return value
            try:
                return show(float(value))
            except ValueError:
                return one_line(value)
        if kind == "b":
            return BOOLEANS.get(value.strip(), value)
        if kind == "d":
            return one_line(value).removesuffix("T00:00:00").replace("T", " ", 1)
        return one_line(unescaped(value))

    def _name(self, column: int) -> str:
        return f"{column_letters(column)}{self._row + 1}"


def _hidden_span(column: Element) -> int:
    if column.get("hidden") not in ("1", "true"):
        return 0
    first, last = column.get("min", ""), column.get("max", "")
    return max(int(last) - int(first) + 1, 0) if first.isdigit() and last.isdigit() else 0
