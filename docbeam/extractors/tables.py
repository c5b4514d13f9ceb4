"""Tables to text, one way for all formats: rows go in as they are read, lines come out in the form that the options ask for.

key_value   `Name: Ann | Age: 31`, one line a row; a header's blank columns and rows without a header give bare values
markdown    GitHub's pipe tables; without a header they get an empty one
csv, tsv    one line a row
omit        nothing; the document's warnings say how many tables were left out

Source: GitHub Flavored Markdown 4.10 (tables), RFC 4180 (CSV), IANA text/tab-separated-values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from docbeam.extractors.bounded import TextBuilder

BREAKS = re.compile(r"\s*[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")  # inside a cell: a row stays one line
QUOTED = re.compile('[",]')
PIPE = re.compile(r"(\\*)\|")
MAX_WAITING_ROWS = 200  # whose widest one sets the columns of a pipe table; later ones may stand out
MAX_WAITING_CHARS = 200_000
MAX_HEADER_ROWS = 8  # above each other; more are data that someone marked
MAX_NAME_CHARS = 200  # of a header's cell; a longer text is no name that every row could repeat
PAIRS_SEPARATOR = " | "

Cells = Sequence[str]
Emit = Callable[[str], None]


class TableWriter:
    """Writes one table, row by row.

    table = TableWriter(out, header_rows=1)  # as the format marks them; None where it marks none
    for cells in rows:
        table.row(cells)
    table.end()

    `emit` takes the lines where they don't go to `out` at once.
    """

    def __init__(self, out: TextBuilder, *, header_rows: int | None = None, emit: Emit | None = None) -> None:
        self._out = out
        self._emit = emit or out.line
        self._form = _FORMS[out.options.tables]()
        self._is_auto = out.options.table_headers == "auto"
        headers = {"auto": header_rows or 0, "first_row": 1, "none": 0}[out.options.table_headers]
        self._headers_left = min(headers, MAX_HEADER_ROWS)
        self._has_text = False
        self._asides: list[str] = []

    def row(self, cells: Cells, *, is_header: bool = False) -> None:
        """Add a row; a merged cell has its text in its first place and empty texts in the others. Raises Full.

        `is_header` is for formats that mark a row when it comes and not how many there will be; it counts only above
        the first row of data.
        """
        shown = [text if (text := cell.strip()).isprintable() else BREAKS.sub(" ", text) for cell in cells]
        if not any(shown):
            self._out.check_deadline()
            return
        self._has_text = True
        is_wanted = self._headers_left or (is_header and self._is_auto and self._form.can_take_header)
        if is_wanted and max(map(len, shown)) <= MAX_NAME_CHARS:
            self._headers_left = max(self._headers_left - 1, 0)
            lines = self._form.header(shown)
        else:
            self._headers_left = 0
            lines = self._form.row(shown)
        if lines:
            self._write(lines)
        else:
            self._out.check_deadline()

    def between(self, lines: Iterable[str]) -> None:
        """Add lines that stand between rows and are none: a gap, or a row that only lays out the page. Raises Full."""
        self._write(self._form.pause())
        self._write(lines if self._out.options.tables != "omit" else filter(str.strip, lines))

    def aside(self, lines: Iterable[str]) -> None:
        """Add lines that hang on the row before and don't end the table: after the row, or after a pipe table. Raises Full."""
        if self._form.is_in_one_piece:
            self._asides += lines
        else:
            self._write(lines)

    def end(self) -> None:
        """Finish the table: a table that had only header rows is not lost. Raises Full."""
        if self._has_text and self._out.options.tables == "omit":
            self._out.omitted_tables += 1
        self._has_text = False
        self._write(self._form.end())
        asides, self._asides = self._asides, []
        self._write(asides)

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._emit(line)


class _Tsv:
    """One line a row, as it comes."""

    can_take_header = True
    is_in_one_piece = False  # a line between two rows would end the table

    def header(self, cells: Cells) -> Iterable[str]:
        return self.row(cells)

    def row(self, cells: Cells) -> Iterable[str]:
        return ("\t".join(cells).rstrip("\t"),)

    def pause(self) -> Iterable[str]:
        """Return what waits, as other lines come."""
        return ()

    def end(self) -> Iterable[str]:
        """Return what waits, as no more rows come."""
        return self.pause()


class _Csv(_Tsv):
    def row(self, cells: Cells) -> Iterable[str]:
        return (",".join([quoted(cell) for cell in cells]),)


class _Omit(_Tsv):
    def row(self, cells: Cells) -> Iterable[str]:
        return ()


class _KeyValue(_Tsv):
    """Pairs of a header and a value. Header rows wait for the first row of data, which makes them names.

    Names of columns that turn out to be empty come at the end, without a value.
    """

    def __init__(self) -> None:
        self._headers: list[Cells] = []
        self._names: list[str] | None = None
        self._unused: set[int] = set()

    @property
    def can_take_header(self) -> bool:  # type: ignore[override]
        return self._names is None and len(self._headers) < MAX_HEADER_ROWS

    def header(self, cells: Cells) -> Iterable[str]:
        self._headers.append(cells)
        return ()

    def row(self, cells: Cells) -> Iterable[str]:
        if self._names is None:
            self._names = joined_headers(self._headers)
            self._unused = {at for at, name in enumerate(self._names) if name}
        if self._unused:
            self._unused -= {at for at, cell in enumerate(cells) if cell}
        names = self._names
        pairs = [f"{names[at]}: {cell}" if at < len(names) and names[at] else cell for at, cell in enumerate(cells) if cell]
        return (PAIRS_SEPARATOR.join(pairs),)

    def pause(self) -> Iterable[str]:
        if self._names is not None or not self._headers:
            return ()
        self._names = joined_headers(self._headers)
        return [PAIRS_SEPARATOR.join(filter(None, cells)) for cells in self._headers]

    def end(self) -> Iterable[str]:
        names, unused = self._names or [], sorted(self._unused)
        self._unused = set()
        return [PAIRS_SEPARATOR.join(f"{names[at]}:" for at in unused)] if unused else self.pause()


class _Markdown(_Tsv):
    """Pipe tables. The first rows wait until their widest one is known; after a pause the header comes again."""

    is_in_one_piece = True

    def __init__(self) -> None:
        self._headers: list[Cells] = []
        self._waiting: list[Cells] = []
        self._waiting_chars = 0
        self._columns = 0  # 0 until the table has begun
        self._is_header_shown = False

    @property
    def can_take_header(self) -> bool:  # type: ignore[override]
        is_above = not (self._waiting or self._columns or self._is_header_shown)
        return is_above and len(self._headers) < MAX_HEADER_ROWS

    def header(self, cells: Cells) -> Iterable[str]:
        self._headers.append(cells)
        return ()

    def row(self, cells: Cells) -> Iterable[str]:
        if self._columns:
            return (self._line(cells),)
        self._waiting.append(cells)
        self._waiting_chars += sum(map(len, cells))
        is_enough = len(self._waiting) == MAX_WAITING_ROWS or self._waiting_chars > MAX_WAITING_CHARS
        return self._begun() if is_enough else ()

    def pause(self) -> Iterable[str]:
        has_rows = not self._columns and (self._waiting or (self._headers and not self._is_header_shown))
        lines = list(self._begun()) if has_rows else []
        self._columns = 0
        return lines

    def _begun(self) -> Iterator[str]:
        rows, self._waiting, self._waiting_chars = self._waiting, [], 0
        self._columns = max(width(cells) for cells in [*self._headers, *rows])
        self._is_header_shown = True
        yield self._line(joined_headers(self._headers))
        yield "|" + " --- |" * self._columns
        for cells in rows:
            yield self._line(cells)

    def _line(self, cells: Cells) -> str:
        shown = cells[: max(width(cells), self._columns)]
        padded = [*map(escaped, shown), *[""] * (self._columns - len(shown))]
        return "|" + "".join([f" {cell} |" if cell else " |" for cell in padded])


_FORMS: dict[str, type[_Tsv]] = {"key_value": _KeyValue, "markdown": _Markdown, "csv": _Csv, "tsv": _Tsv, "omit": _Omit}


def joined_headers(headers: Sequence[Cells]) -> list[str]:
    """Return one name a column: header rows above each other are joined, a name that spans columns counts for all of them."""
    if len(headers) < 2:
        return list(headers[0]) if headers else []
    columns = max(map(width, headers))
    names: list[list[str]] = [[] for _ in range(columns)]
    for number, cells in enumerate(headers):
        is_last, running = number == len(headers) - 1, ""
        for at in range(columns):
            cell = cells[at] if at < len(cells) else ""
            running = cell or ("" if is_last else running)
            if running and running not in names[at][-1:]:
                names[at].append(running)
    return [" ".join(words) for words in names]


def width(cells: Cells) -> int:
    """Return the number of columns up to the last one with text."""
    return next((at for at in range(len(cells), 0, -1) if cells[at - 1]), 0)


def quoted(cell: str) -> str:
    """Return a CSV cell: in quotes where it needs them."""
    return '"' + cell.replace('"', '""') + '"' if QUOTED.search(cell) else cell


def escaped(cell: str) -> str:
    """Return a cell of a pipe table: its pipes, and backslashes before them, don't end it."""
    return PIPE.sub(r"\1\1\|", cell) if "|" in cell else cell
