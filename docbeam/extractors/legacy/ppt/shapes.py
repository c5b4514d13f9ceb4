"""The shapes of one slide to lines: titles first, footers last, the others in reading order; tables row by row.

Source: [MS-PPT] 2.7 (client data), 2.13.24 (PlaceholderEnum); [MS-ODRAW] 2.2.14 (shapes), 2.2.16 (groups).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy import office_art as art
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.office_art import Art, options, wide_text
from docbeam.extractors.legacy.ppt.numbering import Scheme, read_schemes
from docbeam.extractors.legacy.ppt.stream import Stream
from docbeam.extractors.legacy.ppt.texts import REFERENCE, Text, read_texts
from docbeam.extractors.ooxml.graphics import MIN_HEIGHT_PIXELS, MIN_WIDTH_PIXELS, alt_text
from docbeam.extractors.ooxml.pptx.order import Box, reading_order
from docbeam.extractors.tables import TableWriter

PLACEHOLDER, SCHEMES = 0x0BC3, 0x0FAC
TITLES, NOTES_IMAGES = (0x01, 0x03, 0x0D, 0x0F, 0x11), (0x05, 0x0B)
DATE_PLACE, NUMBER_PLACE, FOOTER_PLACE, HEADER_PLACE = 0x07, 0x08, 0x09, 0x0A
MARGINS = (DATE_PLACE, NUMBER_PLACE, FOOTER_PLACE, HEADER_PLACE)
UNITS_PER_PIXEL = 6  # 576 a inch, 96 pixels
MAX_SHAPES = 20_000  # of one drawing
_TABLE, _GROUP_ANCHOR = 0x39F, 0xF009
Emit = Callable[[str], None]


@dataclass(slots=True)
class Shape:
    """One shape, or a group with the shapes in it."""

    box: Box | None = None
    place: int | None = None  # the placeholder that it fills
    texts: list[Text] = field(default_factory=list)
    words: str = ""  # drawn as WordArt
    description: str = ""
    picture: int = 0
    children: list[Shape] = field(default_factory=list)
    is_table: bool = False
    schemes: list[Scheme | None] = field(default_factory=list)


def read_shapes(stream: Stream, drawing: Art, outline: Sequence[Text]) -> list[Shape]:
    """Return the shapes of a drawing; `outline` has the texts that shapes only refer to."""
    left = MAX_SHAPES

    def shape_of(record: Art) -> Shape:
        shape = Shape()
        for child in art.art_records(stream.data, record.start, record.end):
            _take(stream, child, shape, outline)
        for text in shape.texts:
            text.schemes = shape.schemes or text.schemes
        return shape

    def group_of(record: Art, level: int) -> Shape:
        nonlocal left
        group: Shape | None = None
        for child in art.art_records(stream.data, record.start, record.end):
            left -= 1
            if left < 0:
                break
            if child.kind == art.SHAPE:
                shape = shape_of(child)
                if group is None:
                    group = shape
                else:
                    group.children.append(shape)
            elif child.kind == art.GROUP and level < art.MAX_LEVELS:
                group = group or Shape()
                group.children.append(group_of(child, level + 1))
        return group or Shape()

    found: list[Shape] = []
    for page in art.art_records(stream.data, drawing.start, drawing.end):
        if page.kind == art.GROUP:
            found += group_of(page, 0).children
        elif page.kind == art.SHAPE:  # the background
            found.append(shape_of(page))
    return found


def _take(stream: Stream, record: Art, shape: Shape, outline: Sequence[Text]) -> None:
    data, size = stream.data, record.end - record.start
    if record.kind in (art.OPTIONS, art.TERTIARY_OPTIONS):
        properties = options(data, record)
        picture = properties.get(art.PICTURE, 0)
        shape.picture = picture if isinstance(picture, int) and picture else shape.picture
        shape.words = wide_text(properties.get(art.WORD_ART)) or shape.words
        shape.description = wide_text(properties.get(art.DESCRIPTION)) or shape.description
        shape.is_table = shape.is_table or bool(properties.get(_TABLE))
    elif record.kind == art.CLIENT_ANCHOR and size >= 8:
        top, left, right, bottom = struct.unpack_from("<4i" if size >= 16 else "<4h", data, record.start)
        shape.box = Box(left, top, right, bottom)
    elif record.kind == art.CHILD_ANCHOR and size >= 16:
        shape.box = Box(*struct.unpack_from("<4i", data, record.start))
    elif record.kind == art.CLIENT_DATA:
        place = stream.child(record, PLACEHOLDER)
        if place is not None and place.end - place.start >= 5:
            shape.place = data[place.start + 4]
        for found in stream.inside(record, (SCHEMES,)):
            shape.schemes = read_schemes(stream.body(found))
    elif record.kind == art.CLIENT_TEXT:
        children = stream.children(record)
        shape.texts += [text for text in read_texts(stream, children) if text.letters]
        for child in children:
            if child.kind == REFERENCE and child.end - child.start >= 4:
                index = struct.unpack_from("<I", data, child.start)[0]
                shape.texts += [outline[index]] if index < len(outline) else []


class ShapeReader:
    """Emits the text of shapes. `signs` has the texts of slide number, date, header and footer by their kind."""

    def __init__(self, out: TextBuilder, signs: dict[int, str], blips: Blips) -> None:
        self._out = out
        self._signs = signs
        self._blips = blips

    def read(self, shapes: list[Shape], emit: Emit, wanted: Callable[[Shape], bool] = lambda shape: True) -> None:
        """Emit the text of shapes in reading order. Raises Full at the deadline."""
        order = reading_order([shape.box if _has_words(shape) else None for shape in shapes])
        order.sort(key=lambda index: 0 if shapes[index].place in TITLES else 2 if shapes[index].place in MARGINS else 1)
        for index in order:
            if wanted(shapes[index]):
                self._out.check_deadline()
                self._shape(shapes[index], emit, wanted)

    def _shape(self, shape: Shape, emit: Emit, wanted: Callable[[Shape], bool]) -> None:
        for line in self.lines(shape):
            emit(line)
        if description := (alt_text(shape.description) if shape.picture or shape.children else ""):
            emit(description)
        if shape.picture and _is_large(shape.box):
            for line in self._blips.lines(shape.picture):
                emit(line)
        if shape.is_table:
            emit("")
            self._table(shape, emit)
            emit("")
        elif shape.children:
            self.read(shape.children, emit, wanted)

    def lines(self, shape: Shape) -> list[str]:
        """Return the lines of a shape's own text."""
        lines = [line for text in shape.texts for line in text.lines(self._signs)]
        return lines + [" ".join(shape.words.split())] * bool(shape.words.strip())

    def _table(self, table: Shape, emit: Emit) -> None:
        """Emit a table: cells whose upper edges are level make a row; a cell's place comes from its left edge."""
        cells = [cell for cell in table.children if cell.box is not None and (cell.texts or cell.words)]
        lefts = sorted({cell.box.left for cell in table.children if cell.box is not None and cell.box.right > cell.box.left})
        rows: dict[int, list[Shape]] = {}
        for cell in cells:
            rows.setdefault(cell.box.top if cell.box else 0, []).append(cell)
        writer = TableWriter(self._out, header_rows=0, emit=emit)
        for top in sorted(rows):
            shown = [""] * len(lefts)
            for cell in rows[top]:
                column = lefts.index(cell.box.left) if cell.box and cell.box.left in lefts else 0
                text = " ".join(" ".join(self.lines(cell)).split())
                shown[column] = f"{shown[column]} {text}".strip()
            writer.row(shown)
        writer.end()


def _has_words(shape: Shape) -> bool:
    return bool(shape.texts or shape.words or shape.picture or any(_has_words(child) for child in shape.children))


def _is_large(box: Box | None) -> bool:
    if box is None:
        return True
    return (
        box.right - box.left >= MIN_WIDTH_PIXELS * UNITS_PER_PIXEL
        and box.bottom - box.top >= MIN_HEIGHT_PIXELS * UNITS_PER_PIXEL
    )
