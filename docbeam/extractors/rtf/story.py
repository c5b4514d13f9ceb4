"""One run of text: a body, a header, a note, a shape. Paragraphs and rows of tables to lines.

Source: RTF 1.9.1, "Table definitions": a cell's paragraphs come first, the row's end afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.symbols import PRIVATE, bullet, without_private
from docbeam.extractors.pictures import without_anchors
from docbeam.extractors.tables import TableWriter
from docbeam.schemas.vocabulary import TruncationReason

MAX_TABLE_LEVELS = 30  # of tables inside cells; deeper ones are read as if they were at this level
MAX_CELLS = 4_096  # of one row
MAX_INDENT = 8  # levels of lists that are indented further
MAX_PARAGRAPHS_IN_CELL = 12  # more than a table of data has in one cell
MAX_CHARS_IN_CELL = 3_000
SURROGATE = re.compile("[\ud800-\udfff]")
Emit = Callable[[str], None]


class _Level:
    """The table at one level: the cells of its open row, the lines of its open cell."""

    def __init__(self) -> None:
        self.cells: list[list[str]] = []
        self.lines: list[str] = []
        self.is_layout = False  # a cell of the row has a table in it
        self.writer: TableWriter | None = None


class Story:
    """Collects the parts of paragraphs in `parts`; the reader says where paragraphs, cells and rows end."""

    def __init__(self, out: TextBuilder, emit: Emit) -> None:
        self.parts: list[str] = []
        self.label = ""
        self.late: list[str] = []  # notes and comments that wait for the end of their paragraph or row
        self._out = out
        self._emit = emit
        self._levels: list[_Level] = []
        self._waiting = 0

    def end_paragraph(self, table_level: int, indent: int, *, is_heading: bool = False) -> None:
        """End a paragraph; `table_level` is 0 outside tables. Raises Full."""
        text = self._taken(indent)
        if table_level > 0:
            self._level(table_level).lines.append(text)
            self._wait(len(text))
            return
        self._leave(0)
        if is_heading and text.strip():
            self._emit("")
        self._emit(text)
        self._flush_late()

    def end_cell(self, table_level: int, indent: int) -> None:
        """End a cell, and the tables that are in it. Raises Full."""
        level = self._level(table_level)
        text = self._taken(indent)
        if text.strip():
            level.lines.append(text)
        self._leave(min(max(table_level, 1), MAX_TABLE_LEVELS))
        lines, level.lines = [line for line in level.lines if line.strip()], []
        if len(level.cells) < MAX_CELLS:
            level.cells.append(lines)
        elif lines:
            level.cells[-1].extend(lines)
        self._wait(sum(map(len, lines)) + 1)

    def end_row(self, table_level: int, *, is_header: bool = False) -> None:
        """End a row. Raises Full."""
        at = min(max(table_level, 1), MAX_TABLE_LEVELS)
        if len(self._levels) >= at:
            self._leave(at)
            self._write_row(at, is_header)
        if at == 1 and self.late:
            late, self.late = self.late, []
            if any(map(without_anchors, late)):
                self._writer(1).between(late)
            else:
                self._writer(1).aside(late)

    def finish(self) -> None:
        """End what is open. Raises Full."""
        text = self._taken(0)
        if self._levels and (self._levels[-1].cells or self._levels[-1].lines):  # a row that never ends
            self._levels[-1].lines.append(text)
            text = ""
        self._leave(0)
        if text.strip():
            self._emit(text)
        self._flush_late()

    def _flush_late(self) -> None:
        if self.late and not self._levels:
            late, self.late = self.late, []
            for line in late:
                self._emit(line)

    def _taken(self, indent: int) -> str:
        text = joined(self.parts).rstrip()
        self.parts.clear()
        label, self.label = self.label, ""
        if label and text.strip():
            text = "  " * min(indent, MAX_INDENT) + f"{label} {text.lstrip()}"
        return text

    def _level(self, number: int) -> _Level:
        number = min(max(number, 1), MAX_TABLE_LEVELS)
        while len(self._levels) < number:
            if not self._levels:
                self._emit("")
            self._levels.append(_Level())
        return self._levels[number - 1]

    def _leave(self, kept: int) -> None:
        """Finish the tables above a level."""
        while len(self._levels) > kept:
            number = len(self._levels)
            level = self._levels[-1]
            lines = [line for line in level.lines if line.strip()]
            if lines:
                level.cells.append(lines)
                level.lines = []
            if level.cells:
                self._write_row(number, False)
            if level.writer is not None:
                level.writer.end()
            self._levels.pop()
            if number == 1:
                self._emit("")

    def _writer(self, number: int) -> TableWriter:
        level = self._levels[number - 1]
        if level.writer is None:
            emit = self._emit if number == 1 else self._levels[number - 2].lines.append
            level.writer = TableWriter(self._out, emit=emit)
        return level.writer

    def _write_row(self, number: int, is_header: bool) -> None:
        level = self._levels[number - 1]
        cells, level.cells = level.cells, []
        is_layout, level.is_layout = level.is_layout, False
        if number > 1:
            self._levels[number - 2].is_layout = True
        writer = self._writer(number)
        if is_layout or len(cells) == 1 or any(_is_long(lines) for lines in cells):
            writer.between(line for lines in cells for line in lines)
        elif any(cells):
            writer.row([" ".join(" ".join(lines).split()) for lines in cells], is_header=is_header)

    def _wait(self, chars: int) -> None:
        self._waiting += chars
        if self._waiting > 4 * self._out.options.max_extracted_chars:
            self._out.stop(TruncationReason.MAX_EXTRACTED_CHARS)


def _is_long(lines: list[str]) -> bool:
    return len(lines) > MAX_PARAGRAPHS_IN_CELL or sum(map(len, lines)) > MAX_CHARS_IN_CELL


def joined(parts: list[str]) -> str:
    """Return the text of parts in which UTF-16 halves stand beside each other."""
    text = "".join(parts)
    if not text.isascii():
        if SURROGATE.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if PRIVATE.search(text):
            text = without_private(text)
        text = text.replace("\u00ad", "")
    return text


def list_label(text: str) -> str:
    """Return a list's label as it is shown: private signs are bullets."""
    text = " ".join(text.split())
    return bullet("", text) if PRIVATE.search(text) else text
