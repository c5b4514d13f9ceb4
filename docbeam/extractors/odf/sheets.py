"""Sheets of a spreadsheet: every cell as it is shown, comments and shapes after the cells, repeats within bounds.

The text of a cell is what its program showed: dates, percentages, currencies and results of formulas need no arithmetic.
Source: ODF 1.3 part 3, 9.1 (tables), 19.385 (office:value-type), 19.675 and 19.678 (repeated columns and rows).
"""

from __future__ import annotations

from itertools import islice

from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.frames import drawing_lines
from docbeam.extractors.odf.margins import margin_lines
from docbeam.extractors.odf.names import BODIES, DC, DRAWN, OFFICE, TABLE, TEXT, Element, number
from docbeam.extractors.odf.story import SPACES, Story, comment_lines
from docbeam.extractors.odf.tables import CELL, COVERED, HEADER_ROWS, MAX_REPEATED_ROWS, ROW
from docbeam.extractors.ooxml.xlsx.formulas import column_letters
from docbeam.extractors.ooxml.xlsx.grid import Cells, Grid, grid_lines
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.schemas.vocabulary import PageKind, TruncationReason, WarningCode

MAX_COLUMNS = 16_384  # of the largest sheets of today's programs
MAX_REPEATED_CELLS = 1_024  # copies of a cell that has text
MAX_ROWS = 1 << 30
MAX_PROMPTS, MAX_NAMES = 1_000, 200
_HIDDEN = ("collapse", "filter")
_VALUES = ("string-value", "date-value", "time-value", "boolean-value", "value")


class SheetBody:
    """Reads office:spreadsheet. Every method raises Full when the text is full."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._story = Story(book, in_table=1)
        self._hidden: list[str] = []
        self._hidden_rows = self._hidden_columns = 0
        self._formulas = 0
        self.page_count = 0
        self._name, self._is_open, self._row = "", False, 0
        self._grid = Grid(book.out.options.max_extracted_chars)
        self._headers: dict[int, int | None] = {}
        self._comments: list[str] = []
        self._around: list[str] = []
        self._prompts: list[str] = []
        self._definitions: list[str] = []

    def open(self, element: Element) -> None:
        """Begin the body, a sheet or a group of rows."""
        if element.tag == TABLE + "table":
            name = " ".join((element.get(TABLE + "name") or "").split())
            self._begin(name)
            if self._book.styles.is_hidden("table", element.get(TABLE + "style-name")):
                self._hidden.append(name)

    def unit(self, element: Element) -> None:
        """Read a row, columns, or the shapes of a sheet."""
        if element.tag == TABLE + "content-validations":
            self._prompts = _prompts(element)
        elif element.tag in (TABLE + "named-expressions", TABLE + "database-ranges"):
            self._definitions += _definitions(element)
        if not self._book.out.wants(self.page_count + 1):
            return
        if element.tag == ROW:
            self._read_row(element)
        elif element.tag == TABLE + "table-column":
            if element.get(TABLE + "visibility") in _HIDDEN:
                self._hidden_columns += number(element.get(TABLE + "number-columns-repeated"), 1, MAX_COLUMNS)
        else:
            self._story.block(element, self._add_around)

    def close(self, element: Element) -> None:
        """End the body or a sheet, which becomes a page."""
        if element.tag == TABLE + "table":
            self.end_page()
        elif element.tag in BODIES and (left := [*self._prompts, *self._book.left_controls()]):
            self._book.out.add("\n\n" + "\n".join(left))

    def end_page(self) -> None:
        """Add the sheet that is being read as a page, also where it is cut."""
        if not self._is_open:
            return
        self._is_open = False
        self.page_count += 1
        out = self._book.out
        lines = [self._name] if self._name and not out.options.page_markers else []
        if self.page_count == 1:
            lines += margin_lines(self._book, "header", skip_filled_in=True)
        lines += grid_lines(self._grid, self._headers, out)
        around = [line for line in (*self._comments, *self._around) if line.strip()]
        lines += ["", *around] if any(map(without_anchors, around)) else around
        if self.page_count == 1:
            lines += margin_lines(self._book, "footer", skip_filled_in=True)
        out.page(self.page_count, "\n".join(lines), kind=PageKind.SHEET, label=self._name or None)

    def finish(self, family: str) -> None:
        """Add what is left of a sheet that was cut, and record what was hidden."""
        out = self._book.out
        with out.until_full():
            self.end_page()
        out.meta(f"{family}.hiddenSheets", "; ".join(self._hidden))
        out.meta(f"{family}.definedNames", "; ".join(self._definitions))
        out.meta(f"{family}.hiddenRows", self._hidden_rows or None)
        out.meta(f"{family}.hiddenColumns", self._hidden_columns or None)
        if self._formulas:
            message = f"{self._formulas} formulas were never calculated; their sources are shown"
            out.warn(WarningCode.FORMULA_WITHOUT_VALUE, "sheets", message)

    def _begin(self, name: str) -> None:
        self._name = name
        self._is_open = bool(name)
        self._grid = Grid(self._book.out.options.max_extracted_chars)
        self._comments, self._around, self._headers, self._row = [], [], {}, 0

    def _add_around(self, line: str) -> None:
        self._around.append(line)
        self._book.wait(len(line))

    def _read_row(self, row: Element) -> None:
        self._book.pulse()
        self._is_open = True
        repeats = number(row.get(TABLE + "number-rows-repeated"), 1, MAX_ROWS)
        cells = self._cells(row)
        if cells:
            if row.get(TABLE + "visibility") in _HIDDEN:
                self._hidden_rows += repeats
            parent = row.getparent()
            if parent is not None and parent.tag == HEADER_ROWS:
                self._headers = {self._row: None}  # of several, the last has the names
            for copy in range(min(repeats, MAX_REPEATED_ROWS)):
                self._grid.add(self._row + copy, cells)
                if self._grid.is_full:
                    self._book.out.stop(TruncationReason.MAX_EXTRACTED_CHARS)
            if repeats > MAX_REPEATED_ROWS:
                message = f"row {self._row + 1} repeats {repeats} times; {MAX_REPEATED_ROWS} copies are shown"
                self._book.warn_once(WarningCode.PART_NOT_READ, self._name, message)
        self._row = min(self._row + repeats, MAX_ROWS)

    def _cells(self, row: Element) -> Cells:
        cells: Cells = []
        column = 0
        for cell in row:
            tag = cell.tag
            if tag not in (CELL, COVERED):
                continue
            repeats = number(cell.get(TABLE + "number-columns-repeated"), 1, MAX_COLUMNS)
            is_filled = len(cell) or cell.get(OFFICE + "value-type") or cell.get(TABLE + "formula")
            text = self._text(cell, column) if is_filled else ""
            if text and tag == COVERED:
                self._book.warn_once(WarningCode.PART_NOT_READ, self._name, "text in cells that a merged cell covers")
            elif text:
                last = min(column + min(repeats, MAX_REPEATED_CELLS), MAX_COLUMNS)
                cells.extend((place, text) for place in range(column, last))
            column += repeats
        return cells

    def _text(self, cell: Element, column: int) -> str:
        texts: list[str] = []
        for node in cell:
            tag = node.tag
            if tag == TEXT + "p" and not len(node):
                texts.append(SPACES.sub(" ", node.text or "").strip())
            elif tag == OFFICE + "annotation":
                self._comment(node, column)
            elif tag in DRAWN:
                drawing_lines(self._story, node, self._add_around)
            else:
                self._story.block(node, texts.append)
        self._story.late_lines(self._add_around)
        if anchors := anchors_in("".join(texts)):
            self._add_around(anchors)
        text = " ".join(without_anchors(" ".join(texts)).split())
        return text or self._value(cell)

    def _value(self, cell: Element) -> str:
        """Return the value of a cell that shows no text in the file, as programs write that only store values."""
        kind = cell.get(OFFICE + "value-type")
        value = next((value for name in _VALUES if (value := cell.get(OFFICE + name))), "")
        if value:
            if kind == "boolean":
                return value.upper()
            return " ".join(value.removesuffix("T00:00:00").split())
        formula = cell.get(TABLE + "formula")
        if formula and kind is None:
            self._formulas += 1
            return " ".join(formula[formula.find("=") :].split())
        return ""

    def _comment(self, node: Element, column: int) -> None:
        author = " ".join("".join(child.text or "" for child in node.iterchildren(DC + "creator")).split())
        text = " ".join(comment_lines(self._book, node, 1))
        if text:
            head = f"{column_letters(column)}{self._row + 1}{' ' + author if author else ''}"
            self._comments.append(f"{head}: {text}")
            self._book.wait(len(text))


def _prompts(validations: Element) -> list[str]:
    """Return the words that are shown to who fills in a cell, and to who fills it in wrongly, each once."""
    found: dict[str, None] = {}
    for message in validations.iter(TABLE + "help-message", TABLE + "error-message"):
        kind = "Prompt" if message.tag == TABLE + "help-message" else "Error"
        paragraphs = (" ".join("".join(node.itertext()).split()) for node in message.iter(TEXT + "p"))
        words = filter(None, (message.get(TABLE + "title", "").strip(), " ".join(paragraphs).strip()))
        if (text := ": ".join(words)) and len(found) < MAX_PROMPTS:
            found.setdefault(f"[{kind}: {text}]")
    return list(found)


def _definitions(names: Element) -> list[str]:
    """Return the names that the writers have given to cells and values, with what they mean."""
    found = []
    for node in islice((node for node in names if isinstance(node.tag, str)), MAX_NAMES):
        name = " ".join(node.get(TABLE + "name", "").split())
        keys = ("cell-range-address", "expression", "target-range-address")
        meaning = next((value for key in keys if (value := node.get(TABLE + key))), "")
        if name and not name.startswith("__Anonymous"):
            found.append(f"{name} = {meaning.removeprefix('of:')}" if meaning else name)
    return found
