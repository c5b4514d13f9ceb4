"""The walk over one story of a Word document (body, header, footer, note, comment): paragraphs and runs to lines.

What is deleted by tracked changes is left out, what is inserted stays; elements that aren't known are walked through, so
text in them is not lost. Source: ECMA-376-1 17 (WordprocessingML).
"""

from __future__ import annotations

from collections.abc import Callable

from docbeam.extractors.ooxml.docx.book import Book
from docbeam.extractors.ooxml.docx.drawings import drawing_lines
from docbeam.extractors.ooxml.docx.fields import Fields
from docbeam.extractors.ooxml.docx.paragraphs import Properties, flat_lines, is_hiding
from docbeam.extractors.ooxml.docx.tables import table_lines
from docbeam.extractors.ooxml.docx.tags import DRAWN, IN_RUNS, MATH, NOTES, SIGNS, SKIPPED
from docbeam.extractors.ooxml.equations import equation_text
from docbeam.extractors.ooxml.symbols import PRIVATE, is_symbol_font, symbol, symbol_text, without_private
from docbeam.extractors.ooxml.xml import MC, Element, R, W, chosen_branch, local_name
from docbeam.schemas.vocabulary import WarningCode

MAX_LEVELS = 60  # of nesting; each costs a few Python frames. Deeper text is kept without its layout
Emit = Callable[[str], None]
ReadImported = Callable[[Book, str, str], list[str]]

_P, _R, _T, _TBL, _ALT = W + "p", W + "r", W + "t", W + "tbl", MC + "AlternateContent"
_RPR, _RFONTS = W + "rPr", W + "rFonts"
_OF_RUN = (_RFONTS, W + "vanish", W + "rStyle")


class Story:
    """One part's, note's or comment's text. `part` is the part whose relationships its drawings use."""

    def __init__(self, book: Book, part: str, emit: Emit, imported: ReadImported) -> None:
        self.imported = imported
        self.book = book
        self.part = part
        self.emit = emit
        self.level = 0
        self.in_table = 0
        self.tables = 0  # read so far
        self._fields = Fields()
        self._carried = ""  # of paragraphs whose mark is deleted: they run on into the next one
        self._late: list[tuple[str, str]] = []  # notes and comments that wait for the end of their paragraph or row
        self._ruby: list[str] = []

    def read(self, root: Element) -> None:
        """Emit the lines of a whole story."""
        self.blocks(root, self.emit)
        self.book.deletions += sum(1 for text in root.iter(W + "delText") if text.text and text.text.strip())
        left = (self._carried + self._fields.left_open()).strip()
        self._carried = ""
        if left:
            self.emit(left)

    def blocks(self, parent: Element, emit: Emit) -> None:
        """Emit the block-level content of an element: paragraphs, tables, content controls, imported documents."""
        self.level += 1
        if self.level > MAX_LEVELS:
            self._flat(parent, emit)
        else:
            for node in parent:
                self._block(node, emit)
        self.level -= 1

    def _block(self, node: Element, emit: Emit) -> None:
        tag = node.tag
        if tag == _P:
            self._paragraph(node, emit)
        elif tag == _TBL:
            self._table(node, emit)
        elif tag in SKIPPED or not isinstance(tag, str):
            return
        elif tag == W + "altChunk":
            for line in self.imported(self.book, self.part, node.get(R + "id", "")):
                emit(line)
        elif tag == _ALT:
            branch = chosen_branch(node)
            if branch is not None:
                self.blocks(branch, emit)
        elif tag == _R or tag in MATH or tag in DRAWN:
            self._loose(node, emit)
        else:
            self.blocks(node, emit)

    def _table(self, table: Element, emit: Emit) -> None:
        self.in_table += 1
        self.tables += 1
        table_lines(self, table, emit)
        self.in_table -= 1

    def late_lines(self, emit: Emit) -> None:
        """Emit the notes and comments that were referred to since the last call."""
        late, self._late = self._late, []
        for kind, key in late:
            self.book.note(kind, key, emit)

    def _paragraph(self, paragraph: Element, emit: Emit) -> None:
        self.book.pulse()
        texts: list[str] = []
        drawn: list[Element] = []
        found = Properties(paragraph)
        self._inline(paragraph, texts, drawn)
        if self._ruby:
            self._close_ruby(texts)
        text = self._carried + "".join(texts)
        self._carried = ""
        if found.is_mark_deleted:
            self._carried = text
        else:
            self._emit_paragraph(text.rstrip(), found, emit)
        self._drawn(drawn, emit)
        if not self.in_table:
            self.late_lines(emit)
        if found.section is not None:
            self.book.end_section(found.section)

    def _emit_paragraph(self, text: str, found: Properties, emit: Emit) -> None:
        numbering = self.book.numbering
        place = numbering.of_paragraph(found.style, found.list)
        label = "" if place is None else numbering.label(*place)
        is_heading = bool(text) and not self.in_table and numbering.is_heading(found.style)
        if is_heading:
            emit("")
        if place is not None and text.strip():
            indent = "" if is_heading else "  " * min(place[1], 8)
            text = indent + (f"{label} " if label else "") + text.lstrip()
        if self.in_table:
            self.book.count_in_table(len(text))
        emit(text)

    def _loose(self, node: Element, emit: Emit) -> None:
        texts: list[str] = []
        drawn: list[Element] = []
        if node.tag == _R:
            self._run(node, texts, drawn)
        elif node.tag in MATH:
            texts.append(equation_text(node))
        else:
            drawn.append(node)
        if texts:
            emit("".join(texts))
        self._drawn(drawn, emit)

    def _inline(self, parent: Element, texts: list[str], drawn: list[Element]) -> None:
        self.level += 1
        if self.level > MAX_LEVELS:
            self._flat(parent, lambda line: texts.append(line + " "))
            self.level -= 1
            return
        for node in parent:
            tag = node.tag
            if tag == _R:
                self._run(node, texts, drawn)
            elif tag in SKIPPED or not isinstance(tag, str):
                continue
            elif tag in MATH:
                is_next = node.getprevious() is not None and node.getprevious().tag in MATH
                self._shown(texts).append((" " if is_next else "") + equation_text(node))
            elif tag == _TBL or tag in DRAWN:
                drawn.append(node)
            elif tag == _ALT:
                branch = chosen_branch(node)
                if branch is not None:
                    self._inline(branch, texts, drawn)
            elif tag in IN_RUNS:
                self._run_child(node, tag, texts, drawn)
            else:
                if tag == _P and texts:
                    texts.append("\n")
                self._inline(node, texts, drawn)
        self.level -= 1

    def _shown(self, texts: list[str]) -> list[str]:
        if self._fields.is_hidden:
            return self._fields.hidden
        if self._ruby:
            self._close_ruby(texts)
        return texts

    def _run(self, run: Element, texts: list[str], drawn: list[Element]) -> None:
        font = ""
        for node in run:
            tag = node.tag
            if tag == _T:
                text = node.text
                if text:
                    if font or not (text.isascii() or PRIVATE.search(text) is None):
                        text = symbol_text(font, text) if font else without_private(text)
                    elif "\n" in text:
                        text = text.replace("\n", " ")
                    self._shown(texts).append(text)
            elif tag == _RPR:
                for found in node.iterchildren(*_OF_RUN):
                    if found.tag == _RFONTS:
                        name = found.get(W + "ascii", "")
                        font = name if is_symbol_font(name) else ""
                    elif is_hiding(found, self.book.hidden_styles):
                        self.book.hidden_runs += 1
            else:
                self._run_child(node, tag, texts, drawn)

    def _run_child(self, node: Element, tag: str, texts: list[str], drawn: list[Element]) -> None:
        if tag in SIGNS:
            self._shown(texts).append(SIGNS[tag])
        elif tag in SKIPPED or not isinstance(tag, str):
            return
        elif tag == W + "fldChar":
            if shown := self._fields.mark(node):
                texts.append(shown)
        elif tag == W + "instrText":
            self._fields.instruct(node.text or "")
        elif tag == W + "sym":
            code = node.get(W + "char", "")
            if code and len(code) <= 6 and all(char in "0123456789abcdefABCDEF" for char in code):
                self._shown(texts).append(symbol(node.get(W + "font", ""), int(code, 16)))
        elif tag in DRAWN:
            drawn.append(node)
        elif tag == W + "ruby":
            self._add_ruby(node, texts, drawn)
        elif tag in NOTES:
            kind, key = local_name(node).removesuffix("Reference"), node.get(W + "id", "")
            mark = self.book.refer(kind, key)
            if mark and node.get(W + "customMarkFollows", "0") in ("0", "false", "off"):
                self._shown(texts).append(mark)
            self._late.append((kind, key))
        elif tag == _ALT:
            branch = chosen_branch(node)
            if branch is not None:
                self._inline(branch, texts, drawn)
        elif tag == _T:
            self._shown(texts).append(node.text or "")
        elif len(node):
            self._inline(node, texts, drawn)

    def _add_ruby(self, ruby: Element, texts: list[str], drawn: list[Element]) -> None:
        """Keep the base text whole: the reading follows the last of neighbouring rubies, in parentheses."""
        base: list[str] = []
        reading: list[str] = []
        pending, self._ruby = self._ruby, []
        for name, into in (("rubyBase", base), ("rt", reading)):
            found = ruby.find(W + name)
            if found is not None:
                self._inline(found, into, drawn)
        if self._fields.is_hidden:
            self._fields.hidden.extend(base)
            return
        texts.extend(base)
        self._ruby = [*pending, *reading]

    def _close_ruby(self, texts: list[str]) -> None:
        reading, self._ruby = "".join(self._ruby), []
        if reading:
            texts.append(f"({reading})")

    def _drawn(self, drawn: list[Element], emit: Emit) -> None:
        for node in drawn:
            if node.tag == _TBL:
                self._table(node, emit)
            else:
                drawing_lines(self, node, emit)

    def _flat(self, element: Element, emit: Emit) -> None:
        self.book.warn_once(WarningCode.PART_DAMAGED, self.part, "nested too deeply; the text there is kept without its layout")
        for line in flat_lines(element, self.book.pulse):
            emit(line)
