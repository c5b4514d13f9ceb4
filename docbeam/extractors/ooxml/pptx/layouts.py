"""Layouts and masters: where placeholders stand, and the words that they put on every slide.

The prompts of placeholders ("Click to edit Master title style") are never shown on a slide and not read.
Source: ECMA-376-1 19.3.1.39 (sldLayout), 19.3.1.42 (sldMaster).
"""

from __future__ import annotations

from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.graphics import Graphics
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.pptx.order import Box
from docbeam.extractors.ooxml.pptx.shapes import Placeholder, ShapeReader, box_of, placeholder
from docbeam.extractors.ooxml.xml import A, Element, P

_ALIKE = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}


class Layout:
    """One layout with its master. Its own words are emitted once, with the first slide that shows them."""

    def __init__(self, boxes: list[tuple[Placeholder, Box]], static: list[str]) -> None:
        self._boxes = boxes
        self._static = static

    def place_of(self, wanted: Placeholder) -> Box | None:
        """Return where a placeholder stands: the one of the same number, else the first of the same type."""
        for place, box in self._boxes:
            if wanted.index and place.index == wanted.index:
                return box
        kind = _ALIKE.get(wanted.type, wanted.type)
        for place, box in self._boxes:
            if _ALIKE.get(place.type, place.type) == kind:
                return box
        return None

    def emit_static(self, emit: Callable[[str], None]) -> None:
        """Emit the layout's own words, the first time."""
        lines, self._static = self._static, []
        if lines:
            emit("")
        for line in lines:
            emit(line)


class Layouts:
    """The layouts of a presentation, each read once."""

    def __init__(self, package: Package, out: TextBuilder, graphics: Graphics) -> None:
        self._package = package
        self._out = out
        self._graphics = graphics
        self._layouts: dict[str, Layout] = {}
        self._seen: set[str] = set()

    def of_slide(self, slide: str) -> Layout:
        """Return the layout of a slide; an empty one if it has none."""
        for relation in self._package.related(slide, "slideLayout"):
            if relation.target not in self._layouts:
                self._layouts[relation.target] = self._read(relation.target)
            return self._layouts[relation.target]
        return Layout([], [])

    def _read(self, part: str) -> Layout:
        boxes: list[tuple[Placeholder, Box]] = []
        static: list[str] = []
        root = self._read_part(part, boxes, static)
        if root is not None:
            shows_master = root.get("showMasterSp", "1") not in ("0", "false", "off")
            for relation in self._package.related(part, "slideMaster")[:1]:
                self._read_part(relation.target, boxes, static if shows_master else [])
        new = [line for line in static if line not in self._seen]
        self._seen.update(new)
        return Layout(boxes, new)

    def _read_part(self, part: str, boxes: list[tuple[Placeholder, Box]], static: list[str]) -> Element | None:
        root = self._package.xml_or_warn(part, self._out)
        tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
        if tree is None:
            return root
        for shape in tree:
            place = placeholder(shape)
            transform = shape.find(f"{P}spPr/{A}xfrm")
            if place is not None and transform is not None and (box := box_of(transform)) is not None:
                boxes.append((place, box))
        ShapeReader(part, self._out, self._graphics, lambda place: None).read(tree, static.append, lambda kind: kind is None)
        return root
