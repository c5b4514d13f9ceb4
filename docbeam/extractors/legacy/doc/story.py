"""The walk over one story of a Word document (body, header, note, comment, text box): characters to lines.

What is deleted by tracked changes is left out, what is inserted stays, hidden text too.
Source: [MS-DOC] 2.4.1 (text), 2.4.3 and 2.4.4 (paragraph, cell and row boundaries), 2.4.2 (special characters).
"""

from __future__ import annotations

import re

from docbeam.extractors.legacy.doc.book import Book, Emit
from docbeam.extractors.legacy.doc.fields import Fields, form_value
from docbeam.extractors.legacy.doc.formatting import Paragraph, Run
from docbeam.extractors.legacy.doc.notes import Note
from docbeam.extractors.legacy.doc.tables import Table
from docbeam.extractors.ooxml.symbols import symbol

CELL, LINE_BREAK, PAGE_BREAK, PARAGRAPH, COLUMN_BREAK = "\x07", "\x0b", "\x0c", "\r", "\x0e"
FIELD_BEGIN, FIELD_SEPARATOR, FIELD_END = "\x13", "\x14", "\x15"
PICTURE, AUTOMATIC_NOTE, COMMENT, DRAWN = "\x01", "\x02", "\x05", "\x08"
_TOKENS = re.compile(r"[\x00-\x08\n-\x1f]|[^\x00-\x08\n-\x1f]+")
_PLAIN = {LINE_BREAK: "\n", COLUMN_BREAK: "\n", "\n": "\n", "\x1e": "-"}


def read_story(book: Book, start: int, end: int, emit: Emit) -> None:
    """Emit the lines of a range of the document's characters. Raises Full."""
    Story(book, emit).read(start, end)


class Story:
    """One story while it is read."""

    def __init__(self, book: Book, emit: Emit) -> None:
        self._book = book
        self._emit = emit
        self._fields = Fields()
        self._parts: list[str] = []
        self._tables: list[Table] = []  # the one around, those in its cell, in theirs
        self._late: list[Note] = []  # notes that wait for the end of their paragraph or row

    def read(self, start: int, end: int) -> None:
        """Emit the lines of a range of characters."""
        book = self._book
        end = min(end, len(book.characters.text))
        for low, high, run in book.runs.between(start, end):
            if run.is_deleted:
                continue
            if run.symbol is not None:
                self._show(symbol(book.fonts.name(run.symbol[0]), run.symbol[1]) * min(high - low, 1000))
                continue
            for match in _TOKENS.finditer(book.characters.text, low, high):
                at, behind = match.span()
                if behind - at > 1 or match[0] >= " " or match[0] == "\t":
                    self._letters(at, behind, run)
                else:
                    self._control(match[0], at, run)
        self._finish()

    def _letters(self, start: int, end: int, run: Run) -> None:
        while (custom := self._book.notes.next_custom(start, end)) is not None:
            self._show(self._book.shown(start, custom + 1, run))
            self._refer(custom, is_shown=False)
            start = custom + 1
        if start < end:
            self._show(self._book.shown(start, end, run))

    def _control(self, char: str, at: int, run: Run) -> None:
        if char in (PARAGRAPH, CELL, PAGE_BREAK):
            self._end_paragraph(char, at)
        elif char == FIELD_BEGIN:
            self._fields.begin()
        elif char == FIELD_SEPARATOR:
            self._fields.separate()
        elif char == FIELD_END:
            self._show(self._fields.end())
        elif char in _PLAIN:
            self._show(_PLAIN[char])
        elif char == PICTURE and run.location is not None:
            self._picture(run, run.location)
        elif char in (AUTOMATIC_NOTE, COMMENT, DRAWN):
            self._refer(at, is_shown=char == AUTOMATIC_NOTE)

    def _picture(self, run: Run, location: int) -> None:
        if run.is_data:
            self._fields.value(form_value(self._book.data, location))
        elif not run.is_object:
            self._show(self._book.picture(location))

    def _refer(self, position: int, *, is_shown: bool) -> None:
        notes = self._book.notes
        mark = notes.refer(position)
        if is_shown:
            self._show(mark)
        self._late += notes.by_position.get(position, ())

    def _show(self, text: str) -> None:
        if self._fields.is_hidden:
            self._fields.instruct(text)
        elif text:
            self._parts.append(text)

    def _end_paragraph(self, char: str, at: int) -> None:
        book = self._book
        if self._fields.is_hidden and char != CELL:
            self._fields.instruct(" ")
            return
        book.pulse()
        paragraph = book.paragraphs.at(at)
        depth = max(paragraph.depth, 1) if char == CELL else paragraph.depth
        self._enter(depth)
        text, self._parts = "".join(self._parts), []
        if self._tables:
            self._end_in_table(text, char, paragraph)
            return
        self._emit_paragraph(text.rstrip(), paragraph, self._emit)
        self._emit_late()
        if char == PAGE_BREAK:
            book.end_section(at)

    def _end_in_table(self, text: str, char: str, paragraph: Paragraph) -> None:
        table = self._tables[-1]
        is_inner = len(self._tables) > 1 and char == PARAGRAPH
        if paragraph.is_row_end and (char == CELL or is_inner):
            table.end_row(is_header=paragraph.is_header_row)
            if len(self._tables) == 1 and self._late:
                late: list[str] = []
                self._emit_late(late.append)
                table.writer.between(late)
            return
        self._emit_paragraph(text.rstrip(), paragraph, table.add)
        if char == CELL or (is_inner and paragraph.is_inner_cell):
            table.end_cell()

    def _enter(self, depth: int) -> None:
        """Open or close tables until so many are open."""
        while len(self._tables) > depth:
            self._close_table()
        while len(self._tables) < depth:
            emit = self._tables[-1].add_table if self._tables else self._emit
            if not self._tables:
                emit("")
            self._tables.append(Table(self._book.out, emit))

    def _close_table(self) -> None:
        table = self._tables.pop()
        table.end()
        if not self._tables:
            self._emit("")
            self._emit_late()

    def _emit_paragraph(self, text: str, paragraph: Paragraph, emit: Emit) -> None:
        book = self._book
        listed = book.styles.listed(paragraph)
        label = book.lists.label(*listed) if listed is not None and text.strip() else ""
        is_heading = bool(text) and not self._tables and book.styles.is_heading(paragraph.style)
        if is_heading:
            emit("")
        if listed is not None and text.strip():
            indent = "" if is_heading else "  " * min(listed[1], 8)
            text = indent + (f"{label} " if label else "") + text.lstrip()
        emit(text)

    def _emit_late(self, emit: Emit | None = None) -> None:
        late, self._late = self._late, []
        for note in late:
            self._book.note(note, emit or self._emit)

    def _finish(self) -> None:
        text = "".join(self._parts) + self._fields.left_open()
        self._parts = []
        if self._tables and text.strip():
            self._tables[-1].add(text)
        self._enter(0)
        if text.strip() and not self._tables:
            self._emit(text.rstrip())
        self._emit_late()
