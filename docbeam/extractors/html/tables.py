"""Tables: which ones hold data and which only lay out the page, and a grid that puts merged cells in their columns once.

Source: HTML Standard, 4.9.12 (the table model).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

MAX_SPAN = 1_000  # columns or rows of one cell, as the standard caps colspan
MAX_COVERED = 512  # columns that cells from rows above cover; more is no table for people
MAX_CELL_CHARS = 2_000  # more is a part of the page, not a value
MAX_CHARS_WITH_TABLE = 200  # of a data cell that holds a small table of its own
MAX_CHARS_WITH_LIST = 400  # of a data cell that holds a list
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(slots=True)
class Shape:
    """What is in a table, as far as it tells data from layout."""

    is_presentation: bool = False
    columns: int = 0
    row_columns: int = 0
    cell_chars: int = 0
    largest_cell: int = 0
    has_table: bool = False
    has_list: bool = False
    has_heading: bool = False
    has_code: bool = False

    @property
    def is_data(self) -> bool:
        """Whether rows become lines with tabs. If not, each cell is a block of its own."""
        if self.is_presentation or self.columns < 2 or self.has_heading or self.has_code:
            return False
        limit = MAX_CHARS_WITH_TABLE if self.has_table else MAX_CHARS_WITH_LIST if self.has_list else MAX_CELL_CHARS
        return self.largest_cell <= limit


def table_shapes(root: LexborNode) -> dict[int, Shape]:
    """Return the shape of each table, by the node's address, in one pass over the tree."""
    shapes: dict[int, Shape] = {}
    open_tables: list[tuple[int, Shape]] = []
    depth = 0
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag
        if tag == "table":
            for _, outer in open_tables:
                outer.has_table = True
            shape = Shape(is_presentation=(node.attributes.get("role") or "") in ("presentation", "none"))
            shapes[node.mem_id] = shape
            open_tables = [*open_tables[-8:], (depth, shape)]  # a table further out is layout by then
        elif open_tables:
            _look(node, tag, open_tables)
        child = node.child
        if child is not None:
            node, depth = child, depth + 1
            continue
        while node is not None and node.next is None and depth > 0:
            node, depth = node.parent, depth - 1
            while open_tables and open_tables[-1][0] >= depth:
                open_tables.pop()
        if depth == 0:
            break
        while open_tables and node is not None and open_tables[-1][0] >= depth:
            open_tables.pop()
        node = node.next if node is not None else None
    return shapes


def _look(node: LexborNode, tag: str | None, open_tables: list[tuple[int, Shape]]) -> None:
    inner = open_tables[-1][1]
    if tag == "-text":
        text = node.text_content or ""
        chars = len(text) if not text.isspace() else 0
        for _, shape in open_tables:
            shape.cell_chars += chars
            shape.largest_cell = max(shape.largest_cell, shape.cell_chars)
        if "\n" in text and node.parent is not None and node.parent.tag == "pre":
            inner.has_code = True
    elif tag in ("td", "th"):
        inner.cell_chars = 0
        inner.row_columns += 1
        inner.columns = max(inner.columns, inner.row_columns)
    elif tag == "tr":
        inner.row_columns = 0
    elif tag in HEADINGS:
        inner.has_heading = True
    elif tag in ("ul", "ol"):
        inner.has_list = True


@dataclass(slots=True)
class Grid:
    """The rows of a data table: texts with their column, merged cells once."""

    chars: int = 0
    anchors: str = ""  # of the pictures in its cells, which follow the table
    _rows: list[list[tuple[int, str]]] = field(default_factory=list)
    _headers: set[int] = field(default_factory=set)  # indices of rows that a <thead> or only <th> make header rows
    _has_only_headers: bool = True  # the cells of the row so far
    _taken: dict[int, int] = field(default_factory=dict)  # column → rows below that a cell still covers
    _column: int = 0

    def row(self, *, is_header: bool = False) -> None:
        """Begin a row."""
        self._end_row()
        self._rows.append([])
        if is_header:
            self._headers.add(len(self._rows) - 1)
        self._column = 0
        self._taken = {column: rows - 1 for column, rows in self._taken.items() if rows > 1}

    def cell(self, text: str, columns: int, rows: int, *, is_header: bool = False) -> None:
        """Put a cell in the next free column of the row."""
        if not self._rows:
            self.row()
        while self._taken.get(self._column, 0) > 0:
            self._column += 1
        if text:
            self._rows[-1].append((self._column, text))
            self.chars += len(text) + 1
            self._has_only_headers = self._has_only_headers and is_header
        if rows > 1 and len(self._taken) + columns <= MAX_COVERED:
            self._taken.update(dict.fromkeys(range(self._column, self._column + columns), rows))
        self._column += columns

    def rows(self) -> Iterator[tuple[list[str], bool]]:
        """Take the rows out, with whether each is a header row; rows and columns without any text are left out."""
        self._end_row()
        rows, headers = self._rows, self._headers
        self._rows, self._headers, self.chars = [], set(), 0
        used = sorted({column for row in rows for column, _ in row})
        place = {column: at for at, column in enumerate(used)}
        for number, row in enumerate(rows):
            if row:
                cells = [""] * (place[row[-1][0]] + 1)
                for column, text in row:
                    cells[place[column]] = text
                yield cells, number in headers

    def _end_row(self) -> None:
        if self._rows and self._rows[-1] and self._has_only_headers:
            self._headers.add(len(self._rows) - 1)
        self._has_only_headers = True


def span(value: str | None) -> int:
    """Return a colspan or rowspan as a browser reads it."""
    digits = (value or "").strip()[:6]
    return min(max(1, int(digits)), MAX_SPAN) if digits.isascii() and digits.isdigit() else 1
