"""What the stories of one Word document share: notes, comments, numbering, sections, drawings and the text so far.

Source: ECMA-376-1 17.10 (headers and footers), 17.11 (notes), 17.13.4 (comments).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.docx.numbering import Numbering, counted
from docbeam.extractors.ooxml.docx.paragraphs import hidden_styles
from docbeam.extractors.ooxml.docx.tables import header_styles
from docbeam.extractors.ooxml.graphics import Graphics
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xml import Element, R, W
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.story_lines import StoryLines
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_VARIABLES = 100
Emit = Callable[[str], None]
ReadStory = Callable[["Book", str, Element, Emit], None]


@dataclass(slots=True)
class Note:
    """A footnote, endnote or comment: its element, its part, and its mark once something refers to it."""

    element: Element
    part: str
    mark: str = ""
    is_done: bool = False


class Book(StoryLines):
    """The state of one document while it is read."""

    def __init__(self, package: Package, main: str, out: TextBuilder, read_story: ReadStory, depth: int) -> None:
        super().__init__(out)
        self.package = package
        self.main = main
        self.depth = depth  # of imports inside imports
        self.imports = 0
        self.described: set[str] = set()  # descriptions of tables that are told
        self.hidden_runs = self.deletions = 0
        self.graphics = Graphics(package, out)
        styles = self._optional("styles")
        self.numbering = Numbering(self._optional("numbering"), styles)
        self.header_styles = header_styles(styles)
        self.hidden_styles = hidden_styles(styles)
        self.notes = {kind: self._read_notes(kind) for kind in ("footnote", "endnote", "comment")}
        self._read_story = read_story
        self._sections: list[Element] = []
        self._margins_seen: set[str] = set()
        self._marked = {"footnote": 0, "endnote": 0}
        self._table_chars = 0
        self._warned: set[tuple[str, str]] = set()

    def count_in_table(self, chars: int) -> None:
        """Count text that waits in cells for its row. Raises Full when there is far more of it than the document may have."""
        self._table_chars += chars
        if self._table_chars > 2 * self.out.options.max_extracted_chars:
            self.out.stop(TruncationReason.MAX_EXTRACTED_CHARS)

    def warn_once(self, code: WarningCode, part: str, message: str) -> None:
        """Record a warning the first time."""
        if (part, message) not in self._warned:
            self._warned.add((part, message))
            self.out.warn(code, part, message)

    def refer(self, kind: str, key: str) -> str:
        """Count a reference and return its mark: [1] for footnotes, [i] for endnotes, nothing for comments."""
        note = self.notes[kind].get(key)
        if note is None:
            self.warn_once(WarningCode.ENTRY_MISSING, self.main, f"{kind} {key[:20]!r} is referred to and is not there")
            return ""
        if kind == "comment":
            return ""
        if not note.mark:
            self._marked[kind] += 1
            number = self._marked[kind]
            note.mark = f"[{number if kind == 'footnote' else counted(number, 'lowerRoman')}]"
        return note.mark

    def note(self, kind: str, key: str, emit: Emit) -> None:
        """Emit a footnote or comment that was referred to; endnotes wait for the end of the document."""
        note = self.notes[kind].get(key)
        if note is not None and kind != "endnote":
            self._emit_note(kind, note, emit)

    def begin_sections(self, root: Element) -> None:
        """Find the sections of the document and emit the headers of the first."""
        self._sections = [section for section in root.iter(W + "sectPr") if section.getparent().tag in (W + "pPr", W + "body")]
        if self._sections:
            self._margins(self._sections[0], "headerReference")

    def end_section(self, section: Element) -> None:
        """Emit the footers of a section that ends and the headers of the next one."""
        self._margins(section, "footerReference")
        if section in self._sections:
            following = self._sections.index(section) + 1
            del self._sections[: following - 1]
            if len(self._sections) > 1:
                self._margins(self._sections[1], "headerReference")

    def end_document(self) -> None:
        """Emit the footers of what is left of the sections, then the endnotes and all that nothing refers to."""
        for section in self._sections:  # a file with several bodies ends more than one
            self._margins(section, "headerReference")
            self._margins(section, "footerReference")
        for kind, notes in self.notes.items():
            self.emit("")
            for note in sorted(notes.values(), key=lambda note: not note.mark):
                self._emit_note(kind, note, self.emit)

    def variables(self) -> list[str]:
        """Return the document variables of the settings, which fields and programs use, as `name = value`."""
        settings = self._optional("settings")
        found = () if settings is None else settings.iterfind(f"{W}docVars/{W}docVar")
        return [f"{node.get(W + 'name', '')} = {node.get(W + 'val', '')}" for node in islice(found, MAX_VARIABLES)]

    def _margins(self, section: Element, name: str) -> None:
        """Emit headers or footers: each part once, and each text once."""
        for reference in sorted(section.findall(W + name), key=lambda found: found.get(W + "type") != "first"):
            relation = self.package.rels(self.main).get(reference.get(R + "id", ""))
            if relation is None or relation.is_external or relation.target in self._margins_seen:
                continue
            self._margins_seen.add(relation.target)
            root = self.package.xml_or_warn(relation.target, self.out)
            if root is None:
                continue
            lines: list[str] = []
            self._read_story(self, relation.target, root, lines.append)
            shown = "\n".join(line for line in map(without_anchors, lines) if line.strip())
            if shown and shown not in self._margins_seen:
                self._margins_seen.add(shown)
                self.emit("")
                for line in lines:
                    if line.strip():
                        self.emit(line)
                self.emit("")
            elif anchors := anchors_in("".join(lines)):
                self.emit(anchors)

    def _emit_note(self, kind: str, note: Note, emit: Emit) -> None:
        if note.is_done:
            return
        note.is_done = True
        lines: list[str] = []
        self._read_story(self, note.part, note.element, lines.append)
        lines = [line.strip() for line in lines if line.strip()]
        if not any(map(without_anchors, lines)):
            if lines:
                emit("".join(lines))
            return
        if kind == "comment":
            author = " ".join(note.element.get(W + "author", "").split())
            emit(f"[Comment{' by ' + author if author else ''}: " + "\n".join(lines) + "]")
            return
        emit(f"{note.mark or '[' + kind + ']'} {lines[0]}")
        for line in lines[1:]:
            emit(line)

    def _optional(self, kind: str) -> Element | None:
        for relation in self.package.related(self.main, kind):
            return self.package.xml_or_warn(relation.target, self.out)
        return None

    def _read_notes(self, kind: str) -> dict[str, Note]:
        notes: dict[str, Note] = {}
        for relation in self.package.related(self.main, kind + "s"):
            root = self.package.xml_or_warn(relation.target, self.out)
            for element in _notes_in(root, kind):
                notes.setdefault(element.get(W + "id", ""), Note(element, relation.target))
        return notes


def _notes_in(root: Element | None, kind: str) -> Iterator[Element]:
    for element in () if root is None else root.iter(W + kind):
        if element.get(W + "type", "normal") == "normal":  # not the line that sets notes off
            yield element
