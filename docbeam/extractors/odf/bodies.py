"""The body of a text document, fed child by child: blocks, the rows of its tables, headers, footers and endnotes."""

from __future__ import annotations

from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.margins import margin_lines
from docbeam.extractors.odf.names import BODIES, STYLE, TABLE, TEXT, Element
from docbeam.extractors.odf.story import Story, note_lines
from docbeam.extractors.odf.tables import ROW, TableReader

MAX_NAMES = 100  # of hidden sections in the metadata


class TextBody:
    """Reads office:text. Every method raises Full when the text is full."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._story = Story(book)
        self._table: TableReader | None = None
        self._hidden: list[str] = []
        self.page_count: int | None = None

    def open(self, element: Element) -> None:
        """Begin the body, a section, a table or a group of rows."""
        tag = element.tag
        if tag in BODIES:
            self._margins("header")
        elif tag == TABLE + "table":
            self._book.emit("")
            self._table = TableReader(self._story, self._book.emit)
        elif tag == TEXT + "section":
            is_hidden = element.get(TEXT + "display") == "none" or element.get(TEXT + "is-hidden") == "true"
            if is_hidden or self._book.styles.is_hidden("section", element.get(STYLE + "style-name")):
                self._hidden.append(element.get(TEXT + "name", "")[:200])

    def unit(self, element: Element) -> None:
        """Read one element as a whole."""
        if self._table is None:
            self._story.block(element, self._book.emit)
        elif element.tag == ROW:
            self._table.row(element)
        else:
            self._story.block(element, self._book.emit)

    def close(self, element: Element) -> None:
        """End the body, a section, a table or a group of rows."""
        if element.tag == TABLE + "table" and self._table is not None:
            table, self._table = self._table, None
            table.end()
            self._book.emit("")
        elif element.tag in BODIES:
            self._end()

    def finish(self, family: str) -> None:
        """Finish a table that was cut, and record what was hidden."""
        if self._table is not None:
            table, self._table = self._table, None
            with self._book.out.until_full():
                table.end()
        self._book.out.meta(f"{family}.hiddenSections", "; ".join(name or "?" for name in self._hidden[:MAX_NAMES]))

    def _end(self) -> None:
        book = self._book
        book.emit("")
        for mark, body in book.endnotes:
            note_lines(book, mark, body, book.emit, 1)
        for value in book.left_controls():
            book.emit(value)
        self._margins("footer")

    def _margins(self, kind: str) -> None:
        lines = margin_lines(self._book, kind)
        for line in ["", *lines, ""] if lines else []:
            self._book.emit(line)
