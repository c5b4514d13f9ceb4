"""One document: its state while it is read, and what waits for the end of a section or of the document.

Source: RTF 1.9.1, "Contents of an RTF file".
"""

from __future__ import annotations

from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.rtf import characters, destinations, fields, notes, paragraphs
from docbeam.extractors.rtf.properties import Properties
from docbeam.extractors.rtf.reader import Reader
from docbeam.extractors.rtf.story import Story, joined

_WORDS = {
    word.encode(): take
    for module in (characters, paragraphs, notes, fields, destinations)
    for word, take in module.WORDS.items()
}


class RtfDocument(Reader):
    """Reads a document with all that hangs on it."""

    def __init__(self, data: bytes, out: TextBuilder) -> None:
        super().__init__(data, out, _WORDS)
        self.properties: Properties = Properties()
        self.open_fields: list[fields.Field] = []
        self.date: dict[str, int] | None = None
        self.mark: tuple[list[str], int] | None = None  # where the mark of a note goes
        self.is_endnote = False
        self.counts = {"footnote": 0, "endnote": 0}
        self.endnotes: list[str] = []
        self.margins_seen: set[str] = set()
        self.footers: list[str] = []
        self.author = ""
        self.objects = self.pictures = 0
        self.pictures_seen: set[bytes] = set()  # digests

    @property
    def has_pictures(self) -> bool:
        """Whether the document shows pictures."""
        return self.pictures > 0

    def end(self) -> None:
        """Write what waits for the end of the document. Raises Full."""
        self.body.finish()
        for line in ["", *self.endnotes] if self.endnotes else []:
            self.emit(line)
        self.emit_footers()

    def tell(self, take: Callable[[list[str]], None]) -> None:
        """Let the group's text be a story of its own, whose lines go to a function at its end."""
        self.flush()
        lines: list[str] = []
        story = Story(self.out, lines.append)

        def end() -> None:
            story.finish()
            while lines and not lines[-1].strip():
                lines.pop()
            while lines and not lines[0].strip():
                lines.pop(0)
            take(lines)

        self.group.tell(story, end)

    def emit_apart(self, text: str) -> None:
        """Add lines to the document's text, with blank lines around them. Raises Full."""
        for line in ["", *text.split("\n"), ""]:
            self.emit(line)

    def emit_footers(self) -> None:
        """Add the footers of the section that ends. Raises Full."""
        footers, self.footers = self.footers, []
        for text in footers:
            self.emit_apart(text)

    def text_to(self, take: Callable[[str], None]) -> None:
        """Let the group's text go to a function."""
        self.flush()
        sink: list[str] = []
        self.group.collect(sink, lambda: take(joined(sink)))
