"""What the slides of one presentation share: their order, outline texts, masters, notes, headers and footers.

Source: [MS-PPT] 2.4.14.3 (SlideListWithText), 2.5.1 (Slide), 2.5.6 (Notes), 2.4.15.1 (HeadersFooters), 2.5.20 (Comment10).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.office_art import Art
from docbeam.extractors.legacy.ppt import texts as signs
from docbeam.extractors.legacy.ppt.numbering import read_schemes
from docbeam.extractors.legacy.ppt.shapes import MARGINS, NOTES_IMAGES, SCHEMES, Shape, ShapeReader, read_shapes
from docbeam.extractors.legacy.ppt.stream import Stream
from docbeam.extractors.legacy.ppt.texts import Text, read_texts
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.schemas.vocabulary import PageKind, TruncationReason, WarningCode

LIST, PERSIST, SLIDE_ATOM, NOTES_ATOM, DRAWING = 0x0FF0, 0x03F3, 0x03EF, 0x03F1, 0x040C
HEADERS_FOOTERS, HEADERS_ATOM, STRING, SHOW_INFO, COMMENT = 0x0FD9, 0x0FDA, 0x0FBA, 0x03F9, 0x2EE0
SLIDES, MASTERS, NOTES = 0, 1, 2
OF_SLIDES, OF_NOTES = 3, 4
MAX_SLIDES = 50_000
OUTLINE_STYLES, OUTLINE_HEADER = 0x0FAE, 0x0FAF
_HAS_USER_DATE, _HAS_HEADER, _HAS_FOOTER, _HIDDEN = 0x04, 0x10, 0x20, 0x04


@dataclass(slots=True)
class Listed:
    """A slide, master or notes page as the document lists it, with the texts that its shapes may refer to."""

    object_id: int
    slide_id: int
    texts: list[Text] = field(default_factory=list)


class Deck:
    """The presentation while it is read."""

    def __init__(self, stream: Stream, document: Art | None, blips: Blips, out: TextBuilder) -> None:
        self._stream = stream
        self._blips = blips
        self._out = out
        self.slides = self._listed(document, SLIDES)
        self._add_schemes(document)
        self._masters = {listed.slide_id: listed for listed in self._listed(document, MASTERS)}
        self._notes = {listed.slide_id: listed for listed in self._listed(document, NOTES)}
        self._defaults = {
            kind: None if document is None else stream.child(document, HEADERS_FOOTERS, kind) for kind in (OF_SLIDES, OF_NOTES)
        }
        self._static_seen: set[str] = set()
        self._margins_seen: set[str] = set()
        self.hidden: list[int] = []
        self.has_text = False
        self._lines: list[str] = []
        self._chars = 0

    def add_slide(self, number: int, listed: Listed) -> None:
        """Add one slide as a page. Raises Full, with what was read of the slide kept."""
        self._lines, self._chars = [], 0
        try:
            self._read_slide(number, listed)
        finally:
            text, self._lines = joined(self._lines), []
            self.has_text = self.has_text or bool(without_anchors(text))
            self._out.page(number, text, kind=PageKind.SLIDE)

    def _read_slide(self, number: int, listed: Listed) -> None:
        stream = self._stream
        slide = stream.object(listed.object_id)
        if slide is None:
            self._out.warn(WarningCode.ENTRY_MISSING, f"page {number}", "the slide is not in the file; its outline is shown")
            self._out.cut(TruncationReason.DAMAGED)
            for outlined in listed.texts:
                for line in outlined.lines({}):
                    self._emit(line)
            return
        info = stream.child(slide, SHOW_INFO)
        if info is not None and info.end - info.start >= 12 and stream.data[info.start + 10] & _HIDDEN:
            self.hidden.append(number)
        margins = self._margins(slide, OF_SLIDES)
        reader = ShapeReader(self._out, {**margins, signs.NUMBER: str(number)}, self._blips)
        reader.read(self._shapes(slide, listed.texts), self._emit)
        master_id, notes_id, flags = self._references(slide)
        for kind in (signs.GENERIC_DATE, signs.MARGIN_FOOTER):
            if (text := margins.get(kind, "")) and text not in (line.strip() for line in self._lines):
                self._emit(text)
        if flags & 1:
            self._read_master(master_id)
        self._read_notes(number, notes_id)
        self._read_comments(slide)

    def _references(self, slide: Art) -> tuple[int, int, int]:
        """Return the master's id, the id of the notes, and the flags of a slide."""
        atom = self._stream.child(slide, SLIDE_ATOM)
        if atom is None or atom.end - atom.start < 22:
            return 0, 0, 0
        master, notes, flags = struct.unpack_from("<IIH", self._stream.data, atom.start + 12)
        return master, notes, flags

    def _shapes(self, slide: Art, outline: list[Text]) -> list[Shape]:
        drawing = self._stream.child(slide, DRAWING)
        return [
            shape
            for record in (self._stream.children(drawing) if drawing is not None else ())
            for shape in read_shapes(self._stream, record, outline)
        ]

    def _read_master(self, master_id: int) -> None:
        """Emit what stands on a master besides its placeholders, the first time."""
        listed = self._masters.get(master_id)
        master = None if listed is None else self._stream.object(listed.object_id)
        if master is None:
            return
        lines: list[str] = []
        reader = ShapeReader(self._out, {}, self._blips)
        reader.read(self._shapes(master, []), lines.append, lambda shape: shape.place in (None, 0))
        for line in lines:
            if line.strip() and line not in self._static_seen:
                self._static_seen.add(line)
                self._emit(line)

    def _read_notes(self, number: int, notes_id: int) -> None:
        listed = self._notes.get(notes_id)
        page = None if listed is None else self._stream.object(listed.object_id)
        if listed is None or page is None:
            return
        margins = self._margins(page, OF_NOTES)
        reader = ShapeReader(self._out, {**margins, signs.NUMBER: ""}, self._blips)
        shapes = self._shapes(page, listed.texts)
        notes: list[str] = []
        reader.read(shapes, notes.append, lambda shape: shape.place not in (*MARGINS, *NOTES_IMAGES))
        for kind in (signs.MARGIN_HEADER, signs.GENERIC_DATE, signs.MARGIN_FOOTER):
            if (text := margins.get(kind, "")) and text not in self._margins_seen:
                self._margins_seen.add(text)
                notes.append(text)
        if not any(without_anchors(line).strip() for line in notes):
            if anchors := anchors_in("".join(notes)):
                self._emit(anchors)
        else:
            self._emit("")
            self._emit("Notes:")
            for line in notes:
                self._emit(line)

    def _read_comments(self, slide: Art) -> None:
        stream = self._stream
        for comment in stream.inside(slide, (COMMENT,)):
            words = {
                record.instance: stream.wide(record).strip() for record in stream.children(comment) if record.kind == STRING
            }
            if text := words.get(1, "").replace("\r", "\n"):
                author = " ".join(words.get(0, "").split())
                self._emit("")
                self._emit(f"[Comment{' by ' + author if author else ''}: {text}]")

    def _margins(self, page: Art, kind: int) -> dict[int, str]:
        """Return the date, header and footer that a page shows, by the kinds of the signs that stand for them."""
        stream = self._stream
        container = stream.child(page, HEADERS_FOOTERS) or self._defaults[kind]
        atom = None if container is None else stream.child(container, HEADERS_ATOM)
        if container is None or atom is None or atom.end - atom.start < 4:
            return {}
        flags = struct.unpack_from("<H", stream.data, atom.start + 2)[0]
        words = {record.instance: stream.wide(record) for record in stream.children(container) if record.kind == STRING}
        found = {}
        for bit, instance, sign in (
            (_HAS_USER_DATE, 0, signs.GENERIC_DATE),
            (_HAS_HEADER, 1, signs.MARGIN_HEADER),
            (_HAS_FOOTER, 2, signs.MARGIN_FOOTER),
        ):
            if flags & bit and (text := " ".join(words.get(instance, "").split())):
                found[sign] = text
        return found

    def _listed(self, document: Art | None, kind: int) -> list[Listed]:
        stream = self._stream
        listed: list[Listed] = []
        for container in stream.children(document) if document is not None else ():
            if container.kind != LIST or container.instance != kind:
                continue
            atoms: list[Art] = []
            for record in stream.children(container):
                if record.kind != PERSIST:
                    atoms.append(record)
                    continue
                if listed:
                    listed[-1].texts += read_texts(stream, atoms)
                atoms = []
                body = stream.body(record)
                if len(body) >= 16 and len(listed) < MAX_SLIDES:
                    listed.append(Listed(struct.unpack_from("<I", body)[0], struct.unpack_from("<I", body, 12)[0]))
            if listed:
                listed[-1].texts += read_texts(stream, atoms)
        return listed

    def _add_schemes(self, document: Art | None) -> None:
        """Give outline texts their numbers, which the document keeps apart from them, by slide and kind of text."""
        stream = self._stream
        by_text = {(listed.slide_id, text.kind): text for listed in self.slides for text in reversed(listed.texts)}
        for entry in stream.inside(document, (OUTLINE_STYLES,)) if document is not None else ():
            header, schemes = stream.child(entry, OUTLINE_HEADER), stream.child(entry, SCHEMES)
            if header is not None and schemes is not None and header.end - header.start >= 8:
                text = by_text.get(struct.unpack_from("<II", stream.data, header.start))
                if text is not None:
                    text.schemes = read_schemes(stream.body(schemes))

    def _emit(self, line: str) -> None:
        self._lines.append(line)
        self._chars += len(line)
        if self._chars > self._out.options.max_extracted_chars:
            self._out.stop(TruncationReason.MAX_EXTRACTED_CHARS)


def joined(lines: list[str]) -> str:
    """Join lines; blank ones set parts off, and never follow each other or stand at the ends."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")
