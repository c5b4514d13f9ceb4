"""The walk over text: paragraphs, lists, sections, tables and what hangs on them, to lines.

Elements that aren't known are walked through, so text in them is not lost. Source: ODF 1.3 part 3, 5 to 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docbeam.extractors.odf import frames, tables
from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.names import DC, DRAWN, OFFICE, SKIPPED, TABLE, TEXT, XLINK, Element, local_name, number
from docbeam.extractors.odf.numbering import ListPlace
from docbeam.extractors.pictures import without_anchors
from docbeam.schemas.vocabulary import WarningCode

MAX_LEVELS = 50  # of nesting; each costs a few Python frames. Deeper text is kept without its layout
MAX_SPACES = 200  # that one text:s makes
MAX_INDENT = 8  # levels of lists that are indented further
LINE_END = re.compile(r" +\n")
SPACES = re.compile(r"[ \t\r\n]+")
Emit = Callable[[str], None]

_PARAGRAPHS = frozenset((TEXT + "p", TEXT + "h"))
_SIGNS = {TEXT + "tab": "\t", TEXT + "line-break": "\n"}


class Line:
    """The text of one paragraph: runs of white space become one space, and none at its beginning."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._drops_space = True

    def text(self, text: str) -> None:
        """Add text as it stands in the file."""
        text = SPACES.sub(" ", text)
        if self._drops_space:
            text = text.lstrip(" ")
        if text:
            self.parts.append(text.replace("\u00ad", ""))
            self._drops_space = text[-1] == " "

    def raw(self, text: str) -> None:
        """Add text whose spaces count."""
        if text:
            self.parts.append(text)
            self._drops_space = False

    def __str__(self) -> str:
        text = "".join(self.parts).rstrip()
        return LINE_END.sub("\n", text) if "\n" in text else text


class Story:
    """One run of text: a body, a header, a note, a shape, a cell."""

    def __init__(self, book: Book, level: int = 0, in_table: int = 0) -> None:
        self.book = book
        self.level = level
        self.in_table = in_table
        self.tables = 0  # read so far
        self._list: ListPlace | None = None
        self._late: list[tuple[str, Element]] = []  # notes and comments that wait for the end of their paragraph or row
        self._ruby: list[str] = []

    def blocks(self, parent: Element, emit: Emit) -> None:
        """Emit the content of an element: its own stray text, paragraphs, lists, tables, shapes."""
        self.level += 1
        if self.level > MAX_LEVELS:
            self._flat(parent, emit)
        else:
            for node in parent:
                self.block(node, emit)
        self.level -= 1

    def block(self, node: Element, emit: Emit) -> None:
        """Emit one element of block level."""
        tag = node.tag
        if tag in _PARAGRAPHS:
            self._paragraph(node, emit)
        elif tag == TEXT + "list":
            self._list_of_items(node, emit)
        elif tag == TABLE + "table":
            tables.table_lines(self, node, emit)
        elif tag in DRAWN:
            frames.drawing_lines(self, node, emit)
            self._after(emit)
        elif tag == OFFICE + "annotation":
            self._comment(node, emit)
        elif tag == OFFICE + "forms":
            self.book.add_forms(node)
        elif tag == TEXT + "numbered-paragraph":
            self._numbered(node, emit)
        elif tag in SKIPPED or not isinstance(tag, str):
            if tag in (TEXT + "section-source", TABLE + "table-source") and (href := node.get(XLINK + "href")):
                self.book.links.setdefault(href[:200])
            if tag in (TEXT + "tracked-changes", TABLE + "tracked-changes"):
                self.book.name_deletions(node)
        else:
            self.blocks(node, emit)

    def late_lines(self, emit: Emit) -> None:
        """Emit the footnotes and comments that were referred to since the last call."""
        late, self._late = self._late, []
        for mark, element in late:
            if element.tag == OFFICE + "annotation":
                self._comment(element, emit)
            else:
                note_lines(self.book, mark, element, emit, self.level)

    def _after(self, emit: Emit) -> None:
        if not self.in_table:
            self.late_lines(emit)

    def _paragraph(self, node: Element, emit: Emit) -> None:
        self.book.pulse()
        line, drawn = Line(), []  # type: tuple[Line, list[Element]]
        self._inline(node, line, drawn)
        self._close_ruby(line)
        text = str(line)
        if text and self.book.styles.is_hidden("paragraph", node.get(TEXT + "style-name")):
            self.book.hidden_chars += len(text)
        self._emit_paragraph(node, text, emit)
        for element in drawn:
            frames.drawing_lines(self, element, emit)
        self._after(emit)

    def _emit_paragraph(self, node: Element, text: str, emit: Emit) -> None:
        book, place = self.book, self._list
        is_heading = node.tag == TEXT + "h" and bool(text) and not self.in_table
        if place is not None:
            written = node.find(TEXT + "number")
            shown = "" if written is None else " ".join("".join(written.itertext()).split())
            label = book.numbering.label(place, book.styles.list_of(node.get(TEXT + "style-name")), book.styles, shown)
            indent = "" if is_heading else "  " * min(place.level - 1, MAX_INDENT)
        else:
            label = book.numbering.heading(node, book.styles) if is_heading else ""
            indent = ""
        if is_heading:
            emit("")
        if text.strip() and (label or indent):
            text = indent + (f"{label} " if label else "") + text.lstrip()
        if self.in_table:
            book.wait(len(text))
        emit(text)

    def _list_of_items(self, node: Element, emit: Emit) -> None:
        outer = self._list
        self._list = place = self.book.numbering.begin_list(node, outer, self.book.styles)
        self.level += 1
        if self.level > MAX_LEVELS:
            self._flat(node, emit)
        else:
            for item in node:
                if not isinstance(item.tag, str):
                    continue
                self.book.numbering.begin_item(place, item)
                self.blocks(item, emit)
        self.level -= 1
        self._list = outer

    def _numbered(self, node: Element, emit: Emit) -> None:
        outer = self._list
        place = ListPlace(node.get(TEXT + "style-name") or "", [None] * 11, number(node.get(TEXT + "level"), 1, 10) or 1)
        self.book.numbering.begin_item(place, node)
        self._list = place
        self.blocks(node, emit)
        self._list = outer

    def _inline(self, parent: Element, line: Line, drawn: list[Element]) -> None:
        self.level += 1
        if self.level > MAX_LEVELS:
            line.text("".join(parent.itertext()))
        else:
            if parent.text:
                self._close_ruby(line)
                line.text(parent.text)
            for node in parent:
                self._inline_child(node, line, drawn)
                if node.tail:
                    self._close_ruby(line)
                    line.text(node.tail)
        self.level -= 1

    def _inline_child(self, node: Element, line: Line, drawn: list[Element]) -> None:
        tag = node.tag
        if tag == TEXT + "s":
            line.raw(" " * number(node.get(TEXT + "c"), 1, MAX_SPACES))
        elif tag in _SIGNS:
            line.raw(_SIGNS[tag])
        elif tag == TEXT + "note":
            self._note(node, line)
        elif tag == OFFICE + "annotation":
            self._late.append(("", node))
        elif tag == TEXT + "ruby":
            self._add_ruby(node, line, drawn)
        elif tag in DRAWN:
            formula = frames.formula_in(self, node)
            if formula:
                line.text(f" {formula} ")
            elif formula is None:
                drawn.append(node)
        elif tag == TABLE + "table":
            drawn.append(node)
        elif tag in SKIPPED or not isinstance(tag, str):
            return
        elif tag == TEXT + "page-number" and (node.text or "").startswith("<"):  # what it shows is not in the file
            line.text(str(self.book.page_number or ""))
        else:
            self._span(node, line, drawn)

    def _span(self, node: Element, line: Line, drawn: list[Element]) -> None:
        before = len(line.parts)
        if node.tag in _PARAGRAPHS and line.parts:
            line.raw("\n")
        self._inline(node, line, drawn)
        if node.tag == TEXT + "hidden-text" and (words := node.get(TEXT + "string-value")):
            line.text(words) if words not in "".join(line.parts[before:]) else None
        is_hidden = node.get(TEXT + "is-hidden") == "true"
        if is_hidden or self.book.styles.is_hidden("text", node.get(TEXT + "style-name")):
            self.book.hidden_chars += sum(map(len, line.parts[before:]))

    def _note(self, note: Element, line: Line) -> None:
        citation = note.find(TEXT + "note-citation")
        shown = "" if citation is None else " ".join((citation.get(TEXT + "label") or "".join(citation.itertext())).split())
        is_endnote = note.get(TEXT + "note-class") == "endnote"
        mark = f"[{shown.strip('[]')[:20] or ('endnote' if is_endnote else 'footnote')}]"
        line.raw(mark)
        for body in note.iterchildren(TEXT + "note-body"):
            if is_endnote:
                self.book.endnotes.append((mark, body))
            else:
                self._late.append((mark, body))

    def _comment(self, element: Element, emit: Emit) -> None:
        author = " ".join("".join(node.text or "" for node in element.iterchildren(DC + "creator")).split())
        text = "\n".join(comment_lines(self.book, element, self.level))
        if text:
            emit(f"[Comment{' by ' + author if author else ''}: {text}]")

    def _add_ruby(self, ruby: Element, line: Line, drawn: list[Element]) -> None:
        """Keep the base text whole: the reading follows the last of neighbouring rubies, in parentheses."""
        pending, self._ruby = self._ruby, []
        reading = Line()
        for node in ruby:
            if node.tag == TEXT + "ruby-base":
                self._inline(node, line, drawn)
            elif node.tag == TEXT + "ruby-text":
                self._inline(node, reading, drawn)
        self._ruby = [*pending, str(reading)]

    def _close_ruby(self, line: Line) -> None:
        if self._ruby:
            reading, self._ruby = "".join(self._ruby), []
            if reading:
                line.raw(f"({reading})")

    def _flat(self, element: Element, emit: Emit) -> None:
        self.book.warn_once(WarningCode.PART_DAMAGED, "document", "nested too deeply; the text is kept without its layout")
        for paragraph in element.iter(TEXT + "p", TEXT + "h"):
            self.book.pulse()
            emit(" ".join("".join(node for node in paragraph.itertext()).split()))


def comment_lines(book: Book, annotation: Element, level: int) -> list[str]:
    """Return the lines of a comment without its author and date."""
    story, lines = Story(book, level + 1), []  # type: tuple[Story, list[str]]
    for node in annotation:
        if local_name(node) not in ("creator", "date", "date-string", "creator-initials", "sender-initials"):
            story.block(node, lines.append)
    return [line.strip() for line in lines if line.strip()]


def note_lines(book: Book, mark: str, body: Element, emit: Emit, level: int) -> None:
    """Emit a footnote or endnote after its mark."""
    lines: list[str] = []
    Story(book, level + 1).blocks(body, lines.append)
    lines = [line.strip() for line in lines if line.strip()]
    if lines and not any(map(without_anchors, lines)):
        emit("".join(lines))
    elif lines:
        emit(f"{mark} {lines[0]}")
        for line in lines[1:]:
            emit(line)
