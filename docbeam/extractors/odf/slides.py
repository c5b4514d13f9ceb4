"""Slides and drawing pages in order, each a page: its shapes, what its master page adds, its notes and comments.

Source: ODF 1.3 part 3, 10.2.4 (draw:page), 16.17 (presentation notes), 3.8 (presentations).
"""

from __future__ import annotations

import re

from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.names import DRAW, DRAWN, OFFICE, PRESENTATION, Element, local_name
from docbeam.extractors.odf.story import Story
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.schemas.vocabulary import PageKind, TruncationReason

MADE_NAME = re.compile(r"[^\W\d]+ ?\d+")  # by the program: page1, Folie 3
MAX_NAMES = 200  # that the metadata has
_DECLARED = ("header", "footer", "date-time")  # in the order in which they are shown


class SlideBody:
    """Reads office:presentation and office:drawing. Every method raises Full when the text is full."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._kind = PageKind.SLIDE
        self._declared: dict[tuple[str, str], str] = {}
        self._margins_seen: set[str] = set()
        self._masters_seen: set[str] = set()
        self._hidden: list[int] = []
        self._names: list[str] = []
        self._lines: list[str] = []
        self._chars = 0
        self.page_count = 0

    def open(self, element: Element) -> None:
        """Begin the body."""
        self._kind = PageKind.PAGE if element.tag == OFFICE + "drawing" else PageKind.SLIDE

    def unit(self, element: Element) -> None:
        """Read a slide or a declaration of a footer."""
        name = local_name(element)
        if element.tag == DRAW + "page":
            self._add_page(element)
        elif name.endswith("-decl"):
            key = (name.removesuffix("-decl"), element.get(PRESENTATION + "name", ""))
            self._declared[key] = " ".join("".join(element.itertext()).split())
        elif element.tag == OFFICE + "forms":
            self._book.add_forms(element)

    def close(self, element: Element) -> None:
        """End the body."""

    def finish(self, family: str) -> None:
        """Record which slides are hidden, and the names that their writers gave them."""
        self._book.out.meta(f"{family}.hiddenSlides", ", ".join(map(str, self._hidden)))
        self._book.out.meta(f"{family}.slideNames", "; ".join(self._names))

    def _add_page(self, page: Element) -> None:
        self.page_count += 1
        if not self._book.out.wants(self.page_count):
            return
        self._lines, self._chars = [], 0
        try:
            self._read_page(page)
        finally:
            lines, self._lines = self._lines, []
            self._book.out.page(self.page_count, _joined(lines), kind=self._kind)

    def _read_page(self, page: Element) -> None:
        style = page.get(DRAW + "style-name")
        if self._book.styles.is_hidden("drawing-page", style):
            self._hidden.append(self.page_count)
        for forms in page.iterchildren(OFFICE + "forms"):
            self._book.add_forms(forms)
        self._book.page_number = self.page_count
        name = " ".join((page.get(DRAW + "name") or "").split())
        if name and not MADE_NAME.fullmatch(name) and len(self._names) < MAX_NAMES:
            self._names.append(name)
        story = Story(self._book)
        for node in page:
            if node.tag in DRAWN or node.tag == DRAW + "a":
                kind = node.get(PRESENTATION + "class")
                if kind in (*_DECLARED, "page-number"):
                    self._margin(story, node)
                    continue
                story.block(node, self._emit)
                if kind == "title":
                    self._emit("")
        for value in self._book.left_controls():
            self._emit(value)
        self._master(page.get(DRAW + "master-page-name", ""))
        if self._book.styles.shows_margins(style):
            for kind in _DECLARED:
                text = self._declared.get((kind, page.get(f"{PRESENTATION}use-{kind}-name") or ""), "")
                if text and text not in self._margins_seen:
                    self._margins_seen.add(text)
                    self._emit(text)
        self._notes(page)
        for node in page.iterchildren(OFFICE + "annotation"):
            self._emit("")
            story.block(node, self._emit)

    def _margin(self, story: Story, node: Element) -> None:
        """Emit a footer that is a shape of the slide, each text once, and no page numbers."""
        lines: list[str] = []
        story.block(node, lines.append)
        text = "\n".join(line for line in map(without_anchors, lines) if line.strip())
        if text and text not in self._margins_seen and not text.isdigit():
            self._margins_seen.add(text)
            self._emit(text)
        if anchors := anchors_in("".join(lines)):
            self._emit(anchors)

    def _master(self, name: str) -> None:
        """Emit the shapes that a master page puts on its slides, on the first of them; placeholders show nothing."""
        master = self._book.styles.masters.get(name)
        if master is None or name in self._masters_seen:
            return
        self._masters_seen.add(name)
        for node in master:
            if node.tag in DRAWN and not node.get(PRESENTATION + "class") and node.get(PRESENTATION + "placeholder") != "true":
                Story(self._book).block(node, self._emit)

    def _notes(self, page: Element) -> None:
        for notes in page.iterchildren(PRESENTATION + "notes"):
            lines: list[str] = []
            for node in notes:
                if node.get(PRESENTATION + "class") not in ("page-number", "header", "footer", "date-time"):
                    Story(self._book).block(node, lines.append)
            if any(without_anchors(line).strip() for line in lines):
                for line in ["", "Notes:", *lines]:
                    self._emit(line)
            elif anchors := anchors_in("".join(lines)):
                self._emit(anchors)

    def _emit(self, line: str) -> None:
        self._lines.append(line)
        self._chars += len(line)
        if self._chars > self._book.out.options.max_extracted_chars:
            self._book.out.stop(TruncationReason.MAX_EXTRACTED_CHARS)


def _joined(lines: list[str]) -> str:
    """Join lines; blank ones set parts off, and never follow each other or stand at the ends."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")
