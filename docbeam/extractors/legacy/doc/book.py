"""What the stories of one Word document share: characters, formatting, notes, lists, sections and the text so far."""

from __future__ import annotations

import struct
from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.doc.fib import DRAWINGS, WORD_97, Fib
from docbeam.extractors.legacy.doc.fonts import Fonts
from docbeam.extractors.legacy.doc.formatting import Run, read_paragraphs, read_runs
from docbeam.extractors.legacy.doc.lists import Lists
from docbeam.extractors.legacy.doc.notes import MARGINS, Note, Notes, margins, section_ends
from docbeam.extractors.legacy.doc.pictures import inline_lines
from docbeam.extractors.legacy.doc.pieces import read_characters
from docbeam.extractors.legacy.doc.styles import Styles
from docbeam.extractors.legacy.office_art import OPTIONS, SHAPE, art_records, drawn_pictures, options, shape_words
from docbeam.extractors.ooxml.symbols import symbol_text
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

CHECK_EVERY_PARAGRAPHS = 64  # reading the clock costs more than a short paragraph
MIN_WIDTH_PIXELS, MIN_HEIGHT_PIXELS = 100, 40  # as shown; smaller pictures are signs and rules, not text
TWIPS_PER_PIXEL = 15
NAMED_PICTURE = 0x66  # a linked one, whose name stands before its shape
MAX_INLINE_BYTES = 65_536  # of a shape before its picture
MAX_NOTE_DEPTH = 3  # a comment in a footnote in a text box
Emit = Callable[[str], None]
ReadStory = Callable[["Book", int, int, Emit], None]


class Book:
    """The state of one document while it is read."""

    def __init__(self, fib: Fib, data: bytes, out: TextBuilder, read_story: ReadStory) -> None:
        self.fib = fib
        self.data = data  # of pictures and form fields
        self.out = out
        self.characters = read_characters(fib)
        self.fonts = Fonts(fib)
        self.styles = Styles(fib)
        self.lists = Lists(fib, self.fonts)
        self._pulses = 0
        self.runs = read_runs(fib, self.characters, self.fonts, self.pulse)
        self.paragraphs = read_paragraphs(fib, self.characters, self.pulse)
        self.notes = Notes(fib)
        self._blips = Blips(fib.part(DRAWINGS), lambda: fib.main, out)
        self._pictures_seen: set[bytes] = set()
        self._section_ends = {position: number for number, position in enumerate(section_ends(fib))}
        self._margins = margins(fib)
        self._margins_seen: set[str] = set()
        self._next_section = 0
        self._read_story = read_story
        self._was_blank = True
        self.has_text = False
        self._note_depth = 0

    def emit(self, line: str) -> None:
        """Add a line to the document's text; blank lines never follow each other. Raises Full."""
        if line.strip():
            self._was_blank = False
            self.has_text = True
            self.out.line(line)
        elif not self._was_blank:
            self._was_blank = True
            self.out.line("")

    def pulse(self) -> None:
        """Check the deadline now and then. Raises Full when it has passed."""
        self._pulses += 1
        if self._pulses % CHECK_EVERY_PARAGRAPHS == 0:
            self.out.check_deadline()

    def shown(self, start: int, end: int, run: Run) -> str:
        """Return the letters of a range: in their code page, signs of symbol fonts as signs, pairs of units joined."""
        text = self.characters.text[start:end]
        if self.fib.version != WORD_97 and not self.fib.is_wide:
            codec = self.fonts.codec(run.font) or self.fib.codec
            text = text.encode("latin-1", "replace").decode(codec, "replace")
        elif not text.isascii() and any("\ud800" <= char < "\ue000" for char in text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text if text.isascii() and run.font is None else symbol_text(self.fonts.name(run.font), text)

    def note(self, note: Note, emit: Emit) -> None:
        """Emit a footnote, comment or text box that was referred to; endnotes wait for the end of the document."""
        if note.kind != "endnote":
            self._emit_note(note, emit)

    def begin(self) -> None:
        """Emit the headers of the first section."""
        self._emit_margins(0, "header")

    def end_section(self, position: int) -> None:
        """Emit the footers of a section that ends behind a position, and the headers of the next one."""
        number = self._section_ends.get(position + 1)
        if number is not None:
            self._next_section = number + 1
            self._emit_margins(number, "footer")
            self._emit_margins(number + 1, "header")

    def end(self) -> None:
        """Emit the margins that are left, then the endnotes and all that nothing refers to."""
        for number in range(self._next_section, len(self._margins)):
            self._emit_margins(number, "header")
            self._emit_margins(number, "footer")
        self.emit("")
        for kind in ("footnote", "endnote", "comment", "box"):
            for note in sorted((note for note in self.notes.all if note.kind == kind), key=lambda note: not note.mark):
                self._emit_note(note, self.emit)

    def picture(self, location: int) -> str:
        """Return what an inline picture is described as, and its anchor if it is large enough for words."""
        return f"{self._description(location)}{self._anchor(location)}"

    def _description(self, location: int) -> str:
        header_bytes, kind = struct.unpack_from("<HH", self.data, location + 4) if location + 8 <= len(self.data) else (0, 0)
        at = location + header_bytes
        if kind == NAMED_PICTURE and at < len(self.data):
            at += 1 + self.data[at]
        for record in art_records(self.data, at, location + MAX_INLINE_BYTES) if header_bytes else ():
            if record.kind != SHAPE:
                break
            for properties in (options(self.data, part) for part in art_records(self.data, record.start, record.end)
                               if part.kind == OPTIONS):  # fmt: skip
                return shape_words(properties)
        return ""

    def _anchor(self, location: int) -> str:
        if location + 36 <= len(self.data):
            width, height, x_scale, y_scale = struct.unpack_from("<hhHH", self.data, location + 28)
            pixels = (width * x_scale / 1000 / TWIPS_PER_PIXEL, height * y_scale / 1000 / TWIPS_PER_PIXEL)
            if pixels[0] < MIN_WIDTH_PIXELS or pixels[1] < MIN_HEIGHT_PIXELS:
                return ""
        return "\n".join(inline_lines(self.data, location, self._pictures_seen, self.out))

    def drawn_pictures(self) -> None:
        """Emit the anchors of the pictures that float, behind the text: where they are drawn is not in it. Raises Full."""
        for number in drawn_pictures(self.fib.part(DRAWINGS)):
            for line in self._blips.lines(number):
                self.emit(line)

    def damaged(self, message: str) -> None:
        """Say that a part of the document is broken."""
        self.out.warn(WarningCode.PART_DAMAGED, "WordDocument", message)
        self.out.cut(TruncationReason.DAMAGED)

    def _emit_margins(self, number: int, side: str) -> None:
        """Emit the headers or footers of a section, each text once."""
        found = self._margins[number] if number < len(self._margins) else {}
        for name in sorted(MARGINS, key=lambda name: not name.startswith("first")):
            if not name.endswith(side) or name not in found:
                continue
            lines: list[str] = []
            self._read_story(self, *found[name], lines.append)
            text = "\n".join(line for line in lines if line.strip())
            if text and text not in self._margins_seen:
                self._margins_seen.add(text)
                self.emit("")
                for line in text.split("\n"):
                    self.emit(line)
                self.emit("")

    def _emit_note(self, note: Note, emit: Emit) -> None:
        if note.is_done or self._note_depth >= MAX_NOTE_DEPTH:
            return
        note.is_done = True
        lines: list[str] = [note.text] if note.text else []
        self._note_depth += 1
        self._read_story(self, *note.place, lines.append)
        self._note_depth -= 1
        lines = [line.strip() for line in lines if line.strip()]
        if not lines:
            return
        if note.kind == "comment":
            emit(f"[Comment{' by ' + note.author if note.author else ''}: " + "\n".join(lines) + "]")
            return
        if note.kind != "box":
            lines[0] = f"{note.mark or '[' + note.kind + ']'} {lines[0]}"
        for line in lines:
            emit(line)
