"""Delimited text (CSV, TSV): the delimiter found from the rows, cells as they stand in the file, one row after the other.

A quoted cell counts as one only if its closing quote stands before a delimiter or a line's end, and if it has not
swallowed whole rows; a quote that fails is a letter, so that a broken one costs its line and not the rest of the file.
Source: RFC 4180, and the files that Excel writes (`sep=;`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.csv_header import LOOK_ROWS, has_header
from docbeam.extractors.source import Source
from docbeam.extractors.tables import TableWriter
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_ROWS = 200  # enough to outvote title lines and notes
SAMPLE_CHARS = 200_000
TAB_BONUS = 1.5  # a file that calls itself tab-separated mostly is
QUOTE = '"'

_SEP_LINE = re.compile(r'"?sep=(.)"?[ \t,;]*(?:\n|$)', re.IGNORECASE)
_NUMBER = re.compile(r"[-+(]?[$€£¥]?[ ]?[0-9][0-9.,:/'\u00a0 -]*[%)]?")
_ESCAPED_QUOTE = re.compile(r"""\\"[^\s,;|"]""")


class CsvExtractor:
    """Comma-, semicolon-, tab- and pipe-separated values."""

    name = "csv"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the media type is delimited text."""
        return media_type in (MediaType.CSV, MediaType.TSV)

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the rows, in the form that `tables` asks for."""
        out = TextBuilder(options)
        decoded = decode(source.read())
        decoded.report(out)
        text, delimiter = _without_sep_line(decoded.text)
        table = Table(text, delimiter or found_delimiter(text, prefers_tab=media_type == MediaType.TSV))
        with out.until_full():
            _write_rows(table, out)
        if table.broken_quotes:
            message = (
                f"{len(table.broken_quotes)} quotes without an end, the first in line {table.broken_quotes[0]}: read as letters"
            )
            out.warn(WarningCode.PART_DAMAGED, "document", message)
        out.meta("csv.delimiter", {"\t": "tab"}.get(table.delimiter, table.delimiter))
        return out.extracted(confidence=decoded.confidence)


@dataclass
class Table:
    """Delimited text and what its reading found: the numbers of the lines with broken quotes."""

    text: str
    delimiter: str
    columns: int = 0  # what most rows have, if known: tells a quoted cell of several lines from swallowed rows

    def __post_init__(self) -> None:
        self.broken_quotes: list[int] = []
        self._has_escapes = _ESCAPED_QUOTE.search(self.text, 0, SAMPLE_CHARS) is not None  # of MySQL's kind: \\"
        if not self.columns:
            counts = Counter(line.count(self.delimiter) + 1 for line in islice(_lines(self.text), SAMPLE_ROWS))
            self.columns = counts.most_common(1)[0][0] if counts else 0

    def rows(self) -> Iterator[list[str]]:
        """Yield the rows with their cells, quotes and doubled quotes resolved."""
        text, delimiter, at, line_number = self.text, self.delimiter, 0, 0
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line_number += 1
            line = text[at:end]
            if QUOTE not in line:
                yield line.split(delimiter)
                at = end + 1
            else:
                start, (row, at) = at, self._quoted_row(at, line_number)
                yield row
                line_number += text.count("\n", start, at - 1)

    def _quoted_row(self, at: int, line_number: int) -> tuple[list[str], int]:
        """Return the row that begins at a place, and the place after its line end."""
        text, delimiter = self.text, self.delimiter
        row: list[str] = []
        while True:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            start = at
            while start < end and text[start] == " ":
                start += 1
            if start < end and text[start] == QUOTE:
                close = self._closing_quote(start + 1)
                if close >= 0:
                    row.append(text[start + 1 : close].replace('""', QUOTE))
                    at = close + 1
                    while at < len(text) and text[at] == " ":
                        at += 1
                    if at >= len(text) or text[at] == "\n":
                        return row, at + 1
                    at += 1
                    continue
                self.broken_quotes.append(line_number)
            stop = text.find(delimiter, at, end)
            if stop < 0:
                row.append(text[at:end])
                return row, end + 1
            row.append(text[at:stop])
            at = stop + 1

    def _closing_quote(self, start: int) -> int:
        """Return the place of the quote that closes a cell whose text begins at `start`, or -1."""
        text, at = self.text, start
        while (at := text.find(QUOTE, at)) >= 0:
            if text.startswith(QUOTE, at + 1):
                at += 2
                continue
            if self._has_escapes and text[at - 1] == "\\":
                at += 1
                continue
            after = at + 1
            while after < len(text) and text[after] == " ":
                after += 1
            if after >= len(text) or text[after] == "\n" or text[after] == self.delimiter:
                return -1 if self._has_swallowed_rows(text[start:at]) else at
            return -1
        return -1

    def _has_swallowed_rows(self, cell: str) -> bool:
        inner = cell.split("\n")[1:-1]
        alike = sum(line.count(self.delimiter) == self.columns - 1 for line in inner)
        return self.columns > 1 and alike * 2 > len(inner)


def found_delimiter(text: str, *, prefers_tab: bool = False) -> str:
    """Return the delimiter under which the first rows are most alike and their cells most like values."""
    sample = text[:SAMPLE_CHARS]
    if len(text) > SAMPLE_CHARS and "\n" in sample:
        sample = sample[: sample.rindex("\n")]
    scores = {delimiter: _score(sample, delimiter) for delimiter in DELIMITERS if delimiter in sample}
    if prefers_tab and "\t" in scores:
        scores["\t"] *= TAB_BONUS
    best = max(scores, key=lambda delimiter: scores[delimiter], default="")
    return best if best and scores[best] > 0 else ("\t" if prefers_tab else ",")


def _score(sample: str, delimiter: str) -> float:
    table = Table(sample, delimiter)
    rows = [row for row in islice(table.rows(), SAMPLE_ROWS) if any(cell.strip() for cell in row)]
    counts = Counter(len(row) for row in rows)
    columns = max(counts, key=lambda count: (counts[count] * (count > 1), count), default=1)
    if columns < 2:
        return 0.0
    others = [other for other in DELIMITERS if other != delimiter]
    cells = [cell for row in rows for cell in row]
    clean = sum(_is_clean(cell, others) for cell in cells)
    alike = counts[columns] / (len(rows) + len(table.broken_quotes))  # the wrong delimiter breaks quotes
    return alike * columns / (columns + 1) * (0.5 + 0.5 * clean / len(cells))


def _is_clean(cell: str, others: list[str]) -> bool:
    """Say whether a cell looks like a value; a space after the delimiter is how prose is written."""
    return bool(_NUMBER.fullmatch(cell.strip())) or not (cell.startswith(" ") or any(other in cell for other in others))


def _lines(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if end > at:
            yield text[at:end]
        at = end + 1


def _without_sep_line(text: str) -> tuple[str, str | None]:
    match = _SEP_LINE.match(text)
    return (text[match.end() :], match[1]) if match else (text, None)


def _write_rows(delimited: Table, out: TextBuilder) -> None:
    count = columns = 0
    is_after_gap = False
    rows = delimited.rows()
    first = list(islice(rows, LOOK_ROWS))
    table = TableWriter(out, header_rows=int(has_header([row for row in first if any(map(str.strip, row))])))
    try:
        for row in chain(first, rows):
            if not "".join(row).strip():
                is_after_gap = True
                out.check_deadline()
                continue
            if is_after_gap and count and out.options.tables in ("csv", "tsv"):
                table.between([""])  # in the other forms a gap would begin a new table, and the file is one
            table.row(row[: out.options.max_extracted_chars + 1])  # more cells than characters can't be shown
            is_after_gap = False
            count, columns = count + 1, max(columns, len(row))
    finally:
        table.end()
    out.meta("csv.rowCount", count)
    out.meta("csv.columnCount", columns)
    if not count:
        out.warn(WarningCode.NO_TEXT, "document", "no cell has text")
