"""The shapes of one slide (p:spTree) to lines: text boxes, groups, tables, charts, diagrams, pictures.

Source: ECMA-376-1 19.3 (PresentationML), 21.1.3 (tables).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.drawing import body_lines, paragraph_text
from docbeam.extractors.ooxml.graphics import Graphics, description, shape_size
from docbeam.extractors.ooxml.pptx.order import Box, reading_order
from docbeam.extractors.ooxml.pptx.paragraphs import outline_lines
from docbeam.extractors.ooxml.xml import MC, A, Element, P, R, chosen_branch, local_name
from docbeam.extractors.tables import TableWriter
from docbeam.schemas.vocabulary import WarningCode

MAX_LEVELS = 60  # groups in groups; deeper text is kept without its order
TITLES = ("title", "ctrTitle")
FOOTERS = ("ftr", "dt", "sldNum")
Emit = Callable[[str], None]

_SHAPES = frozenset(P + name for name in ("sp", "grpSp", "graphicFrame", "pic", "cxnSp"))


@dataclass(slots=True)
class Placeholder:
    """A shape's place on the layout: its type (body if none is given) and number."""

    type: str
    index: str


PlaceOf = Callable[[Placeholder], "Box | None"]


class ShapeReader:
    """Reads the shapes of one part. `wanted` says which placeholders are read, None standing for shapes that are none."""

    def __init__(self, part: str, out: TextBuilder, graphics: Graphics, place_of: PlaceOf, is_rtl: bool = False) -> None:
        self.part = part
        self.out = out
        self.graphics = graphics
        self._place_of = place_of
        self._is_rtl = is_rtl

    def read(self, tree: Element, emit: Emit, wanted: Callable[[str | None], bool] = lambda kind: True) -> None:
        """Emit the text of a shape tree: titles first, footers last, the others in reading order."""
        self._tree(tree, emit, wanted, 0)

    def _tree(self, tree: Element, emit: Emit, wanted: Callable[[str | None], bool], level: int) -> None:
        if level > MAX_LEVELS:
            self.out.warn(WarningCode.PART_DAMAGED, self.part, "nested too deeply; the text there is kept without its order")
            for line in body_lines(tree):
                emit(line)
            return
        self.out.check_deadline()
        shapes = sorted(_shapes(tree), key=_is_decoration)  # those without words bind no others
        kinds = [_kind(shape) for shape in shapes]
        order = reading_order([None if _is_decoration(shape) else self._box(shape) for shape in shapes])
        order.sort(key=lambda index: 0 if kinds[index] in TITLES else 2 if kinds[index] in FOOTERS else 1)
        for index in order:
            if wanted(kinds[index]):
                self._shape(shapes[index], emit, wanted, level)

    def _shape(self, shape: Element, emit: Emit, wanted: Callable[[str | None], bool], level: int) -> None:
        self.out.check_deadline()
        name = local_name(shape)
        if name == "grpSp":
            self._described(shape, emit)
            self._tree(shape, emit, wanted, level + 1)
        elif name == "graphicFrame":
            self._frame(shape, emit)
        elif name == "pic":
            self._described(shape, emit)
            self._pictures(shape, emit)
        else:
            body = shape.find(P + "txBody")
            if body is not None:
                lines = list(outline_lines(body))
                self._count_hidden(shape, lines)
                for line in lines:
                    emit(line)
            self._described(shape, emit)
            self._pictures(shape, emit)

    def _frame(self, frame: Element, emit: Emit) -> None:
        self._described(frame, emit)
        for node in frame.iter(A + "tbl", "{*}chart", "{*}relIds", P + "oleObj"):
            name = local_name(node)
            if name == "tbl":
                emit("")
                write_table(node, self.out, emit)
                emit("")
            elif name == "oleObj":
                self._pictures(frame, emit)  # the preview of the object
            elif any(key.startswith(R) for key in node.attrib):
                emit("")
                for line in self.graphics.lines(self.part, node):
                    emit(line)
                emit("")

    def _count_hidden(self, shape: Element, lines: list[str]) -> None:
        properties = _properties(shape)
        if properties is not None and properties.get("hidden") in ("1", "true") and any(line.strip() for line in lines):
            self.out.meta("pptx.hiddenShapes", int(self.out.metadata.get("pptx.hiddenShapes", 0)) + 1)

    def _described(self, shape: Element, emit: Emit) -> None:
        properties = _properties(shape)
        if properties is not None and (text := description(properties)):
            emit(text)

    def _pictures(self, shape: Element, emit: Emit) -> None:
        for blip in shape.iter(A + "blip"):
            for line in self.graphics.picture(self.part, blip.get(R + "embed"), shape_size(shape)):
                emit(line)

    def _box(self, shape: Element) -> Box | None:
        box = self._left_to_right_box(shape)
        return Box(-box.right, box.top, -box.left, box.bottom) if box is not None and self._is_rtl else box

    def _left_to_right_box(self, shape: Element) -> Box | None:
        found = shape.find(P + "xfrm") if shape.tag == P + "graphicFrame" else shape.find(f"{P}spPr/{A}xfrm")
        if shape.tag == P + "grpSp":
            found = shape.find(f"{P}grpSpPr/{A}xfrm")
        box = None if found is None else box_of(found)
        if box is None and (place := placeholder(shape)) is not None:
            return self._place_of(place)
        return box


def box_of(transform: Element) -> Box | None:
    """Return the box of an a:xfrm or p:xfrm, or None if it has none."""
    offset, extent = transform.find(A + "off"), transform.find(A + "ext")
    if offset is None or extent is None:
        return None
    try:
        left, top = int(offset.get("x", "")), int(offset.get("y", ""))
        width, height = int(extent.get("cx", "")), int(extent.get("cy", ""))
    except ValueError:
        return None
    if transform.get("rot", "0").lstrip("-") in ("5400000", "16200000"):  # a quarter turn about the middle
        left, top, width, height = left + (width - height) // 2, top + (height - width) // 2, height, width
    return Box(left, top, left + width, top + height)


def placeholder(shape: Element) -> Placeholder | None:
    """Return the placeholder that a shape fills, or None."""
    for child in shape:
        if local_name(child).startswith("nv"):
            found = child.find(f"{P}nvPr/{P}ph")
            return None if found is None else Placeholder(found.get("type", "body"), found.get("idx", ""))
    return None


def write_table(table: Element, out: TextBuilder, emit: Emit) -> None:
    """Emit the rows of an a:tbl, merged cells once."""
    properties = table.find(A + "tblPr")
    has_header = properties is not None and properties.get("firstRow", "0") not in ("0", "false")
    writer = TableWriter(out, header_rows=int(has_header), emit=emit)
    try:
        for row in table.iter(A + "tr"):
            cells = []
            for cell in row.iter(A + "tc"):
                texts = () if cell.get("hMerge") or cell.get("vMerge") else (paragraph_text(p) for p in cell.iter(A + "p"))
                cells.append(" ".join(" ".join(texts).split()))
            writer.row(cells)
    finally:
        writer.end()


def _is_decoration(shape: Element) -> bool:
    if shape.tag in (P + "graphicFrame", P + "pic"):
        return False
    return next(shape.iter(A + "t", P + "graphicFrame", P + "pic"), None) is None


def _kind(shape: Element) -> str | None:
    place = placeholder(shape)
    return None if place is None else place.type


def _properties(shape: Element) -> Element | None:
    for child in shape:
        if local_name(child).startswith("nv"):
            return child.find(P + "cNvPr")
    return None


def _shapes(tree: Element) -> Iterator[Element]:
    """Yield the shapes of a tree, those behind markup alternatives too."""
    stack = list(reversed(tree))
    while stack:
        node = stack.pop()
        if node.tag in _SHAPES:
            yield node
        elif node.tag == MC + "AlternateContent":
            branch = chosen_branch(node)
            stack += [] if branch is None else reversed(branch)
