"""A presentation from its package: slides in order, each with its shapes, speaker notes and comments.

Source: ECMA-376-1 19 (PresentationML), 13.3 (parts); [MS-PPTX] 2.6 (threaded comments).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.document import finished, main_root
from docbeam.extractors.ooxml.drawing import body_lines
from docbeam.extractors.ooxml.graphics import Graphics
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.pptx.layouts import Layouts
from docbeam.extractors.ooxml.pptx.shapes import ShapeReader
from docbeam.extractors.ooxml.xml import A, Element, P, R
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import PageKind, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

_MARGINS = ("hdr", "ftr", "dt", "sldNum")  # of notes
_OFF = ("0", "false", "off")


class PptxExtractor:
    """Reads PowerPoint presentations, shows and templates (.pptx, .pptm, .ppsx, .ppsm, .potx, .potm)."""

    name = "pptx"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type in MediaType.PRESENTATION

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a presentation, a page for each slide.

        Raises: ExtractionError as ZipReader does; CORRUPT if there is no readable main part.
        """
        out = TextBuilder(options)
        with source.open() as file:
            package = Package(file, options)
            main = package.main_part()
            root, is_whole = main_root(package, main, out)
            deck = _Deck(package, main, out, root.get("rtl", "0") not in _OFF)
            slides = _slides(package, main, root)
            with out.until_full():
                for number in out.wanted(len(slides)):
                    deck.add_slide(number, slides[number - 1])
            with out.until_full():
                deck.name_printed(main)
            deck.graphics.warn_unread()
            out.meta("pptx.slideCount", len(slides))
            out.meta("pptx.sections", "; ".join(" ".join(found.get("name", "").split()) for found in root.iter("{*}section")))
            out.meta("pptx.hiddenSlides", ", ".join(map(str, deck.hidden)))
            return finished(package, out, self.name, is_whole, len(slides))

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the package. Raises ExtractionError as embedded_picture does."""
        return part_picture(source, part, options)


def _slides(package: Package, main: str, root: Element) -> list[str]:
    """Return the names of the slide parts in the order of the presentation; by number where it names none."""
    relations = package.rels(main)
    listed = [relations.get(entry.get(R + "id", "")) for entry in root.iter(P + "sldId")]
    slides = [relation.target for relation in listed if relation is not None and not relation.is_external]
    if slides:
        return slides
    found = [(int(match.group(1)), name) for name in package.names() if (match := _SLIDE_NAME.search(name))]
    return [name for _, name in sorted(found)]


_SLIDE_NAME = re.compile(r"^ppt/slides/slide(\d{1,8})\.xml$", re.IGNORECASE)


class _Deck:
    """What the slides of one presentation share."""

    def __init__(self, package: Package, main: str, out: TextBuilder, is_rtl: bool) -> None:
        self.is_rtl = is_rtl  # slides are read from right to left
        self.package = package
        self.out = out
        self.graphics = Graphics(package, out)
        self.layouts = Layouts(package, out, self.graphics)
        self.hidden: list[int] = []
        self._authors = _authors(package, main, out)
        self._margins_seen: set[str] = set()
        self._lines: list[str] = []
        self._chars = 0

    def name_printed(self, main: str) -> None:
        """Name the masters of notes and handouts that have words of their own, which are seen on paper only."""
        for relation in self.package.related(main, "notesMaster", "handoutMaster"):
            root = self.package.xml_or_warn(relation.target, self.out)
            tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
            lines: list[str] = []
            if tree is not None:
                reader = ShapeReader(relation.target, self.out, self.graphics, lambda place: None)
                reader.read(tree, lines.append, lambda kind: kind is None)
            if any(without_anchors(line).strip() for line in lines):
                self.out.warn(
                    WarningCode.PART_NOT_READ, relation.target, "words that are printed on each page of notes or handouts"
                )

    def add_slide(self, number: int, part: str) -> None:
        """Add one slide as a page. Raises Full, with what was read of the slide kept."""
        self._lines = []
        self._chars = 0
        try:
            self._read_slide(number, part)
        finally:
            lines, self._lines = self._lines, []
            self.out.page(number, _joined(lines), kind=PageKind.SLIDE)

    def _read_slide(self, number: int, part: str) -> None:
        root = self.package.xml_or_warn(part, self.out)
        if root is None:
            return
        if root.get("show", "1") in _OFF:
            self.hidden.append(number)
        tree = root.find(f"{P}cSld/{P}spTree")
        layout = self.layouts.of_slide(part)
        if tree is not None:
            ShapeReader(part, self.out, self.graphics, layout.place_of, self.is_rtl).read(tree, self._emit)
        if root.get("showMasterSp", "1") not in _OFF:
            layout.emit_static(self._emit)
        for blip in () if (back := root.find(f"{P}cSld/{P}bg")) is None else back.iter(A + "blip"):
            for line in self.graphics.picture(part, blip.get(R + "embed"), None):
                self._emit(line)
        self._read_notes(part)
        self._read_comments(part)

    def _read_notes(self, part: str) -> None:
        for relation in self.package.related(part, "notesSlide"):
            root = self.package.xml_or_warn(relation.target, self.out)
            tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
            if tree is None:
                continue
            reader = ShapeReader(relation.target, self.out, self.graphics, lambda place: None)
            notes: list[str] = []
            reader.read(tree, notes.append, lambda kind: kind not in (*_MARGINS, "sldImg"))
            margins: list[str] = []
            reader.read(tree, margins.append, lambda kind: kind in _MARGINS)
            notes += [line for line in margins if line not in self._margins_seen and not line.isdigit()]
            self._margins_seen.update(margins)
            if not any(without_anchors(line).strip() for line in notes):
                if anchors := anchors_in("".join(notes)):
                    self._emit(anchors)
            else:
                self._emit("")
                self._emit("Notes:")
                for line in notes:
                    self._emit(line)

    def _read_comments(self, part: str) -> None:
        for relation in self.package.related(part, "comments"):
            root = self.package.xml_or_warn(relation.target, self.out)
            for comment in () if root is None else root.iter("{*}cm", "{*}reply"):
                legacy = comment.find(P + "text")
                body = comment.find("{*}txBody")
                text = (legacy.text or "").strip() if legacy is not None else ""
                text = text or ("" if body is None else "\n".join(body_lines(body)))
                author = self._authors.get(comment.get("authorId", ""), "")
                if text:
                    self._emit("")
                    self._emit(f"[Comment{' by ' + author if author else ''}: {text}]")

    def _emit(self, line: str) -> None:
        self._lines.append(line)
        self._chars += len(line)
        if self._chars > self.out.options.max_extracted_chars:
            self.out.stop(TruncationReason.MAX_EXTRACTED_CHARS)


def _authors(package: Package, main: str, out: TextBuilder) -> dict[str, str]:
    authors: dict[str, str] = {}
    for relation in package.related(main, "commentAuthors", "authors"):
        root = package.xml_or_warn(relation.target, out)
        for author in () if root is None else root.iter("{*}cmAuthor", "{*}author"):
            authors[author.get("id", "")] = " ".join(author.get("name", "").split())
    return authors


def _joined(lines: list[str]) -> str:
    """Join lines; blank ones set parts off, and never follow each other or stand at the ends."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")
