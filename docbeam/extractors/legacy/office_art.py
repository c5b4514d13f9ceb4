"""Office's drawings: records in records, the shapes of groups, and what the properties of a shape say.

Source: [MS-ODRAW] 2.2 (records), 2.3 (properties).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docbeam.extractors.ooxml.graphics import alt_text

HEADER_BYTES = 8
MAX_LEVELS = 60  # groups in groups
MAX_SHAPES = 100_000
GROUP, SHAPE, SHAPE_PROPERTIES, OPTIONS, CLIENT_TEXT = 0xF003, 0xF004, 0xF00A, 0xF00B, 0xF00D
CHILD_ANCHOR, CLIENT_ANCHOR, CLIENT_DATA, TERTIARY_OPTIONS = 0xF00F, 0xF010, 0xF011, 0xF122
DRAWING, DRAWING_GROUP = 0xF002, 0xF000
PICTURE, WORD_ART, DESCRIPTION = 0x104, 0xC0, 0x381


class Art(NamedTuple):
    """One record: kind, instance, whether it holds records, and where its content stands in the data."""

    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


def art_records(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Art]:
    """Yield the records side by side in a range; a record that runs over its end is cut."""
    end = len(data) if end is None else min(end, len(data))
    while start + HEADER_BYTES <= end:
        first, kind, size = struct.unpack_from("<HHI", data, start)
        start += HEADER_BYTES
        yield Art(kind, first >> 4, first & 0xF == 0xF, start, min(start + size, end))
        start += size


def options(data: bytes, record: Art) -> dict[int, int | bytes]:
    """Return the properties of a shape: numbers, and the bytes of those that are longer."""
    count = min(record.instance, (record.end - record.start) // 6)
    at = record.start + count * 6
    found: dict[int, int | bytes] = {}
    for index in range(count):
        number, value = struct.unpack_from("<HI", data, record.start + index * 6)
        if number & 0x8000:
            found[number & 0x3FFF] = data[at : min(at + value, record.end)]
            at += value
        else:
            found[number & 0x3FFF] = value
    return found


def wide_text(value: int | bytes | None) -> str:
    """Return the text of a property, an empty one if it has none."""
    return value.decode("utf-16-le", "replace").partition("\0")[0] if isinstance(value, bytes) else ""


def shape_children(data: bytes) -> dict[int, list[int]]:
    """Return, for each group right on a page of Word's drawings, the ids of the shapes in it."""
    found: dict[int, list[int]] = {}
    for page in word_drawings(data):
        for group in art_records(data, page.start, page.end):
            if group.kind == GROUP:
                ids = shape_ids(data, group)
                found[ids[0] if ids else 0] = ids[1:]
    return found


def drawn_words(data: bytes) -> dict[int, str]:
    """Return the words of Word's drawings by the shapes' ids: what WordArt is drawn from, what pictures are described as."""
    found: dict[int, str] = {}
    for page in word_drawings(data):
        for key, properties in shapes_in(data, page):
            if text := shape_words(properties):
                found[key] = text
    return found


def shape_words(properties: dict[int, int | bytes]) -> str:
    """Return the words that WordArt is drawn from, else what a picture is described as, on one line."""
    if words := " ".join(wide_text(properties.get(WORD_ART)).split()):
        return words
    is_picture = isinstance(properties.get(PICTURE), int)
    return alt_text(wide_text(properties.get(DESCRIPTION))) if is_picture else ""


def drawn_pictures(data: bytes) -> list[int]:
    """Return the numbers of the pictures that Word's drawings show, each once, in their order."""
    return pictures_of(properties for page in word_drawings(data) for _, properties in shapes_in(data, page))


def pictures_of(shapes: Iterable[dict[int, int | bytes]]) -> list[int]:
    """Return the numbers of the pictures that shapes with these properties show, each once."""
    found = (properties.get(PICTURE) for properties in shapes)
    return list(dict.fromkeys(number for number in found if isinstance(number, int) and number))


def word_drawings(data: bytes) -> Iterator[Art]:
    """Yield the root groups of Word's drawings: of the body, of headers."""
    at = len(data)
    for record in art_records(data):
        if record.kind == DRAWING_GROUP:
            at = record.end
            break
    while at < len(data):  # each drawing follows a byte that says which text it belongs to
        drawing = next(art_records(data, at + 1), None)
        if drawing is None or drawing.kind != DRAWING:
            return
        for page in art_records(data, drawing.start, drawing.end):
            if page.kind == GROUP:
                yield page
        at = drawing.end


def shapes_in(data: bytes, group: Art) -> Iterator[tuple[int, dict[int, int | bytes]]]:
    """Yield id and properties of every shape in a group, those in inner groups too."""
    waiting = [(group, 0)]
    count = 0
    while waiting and count < MAX_SHAPES:
        record, level = waiting.pop()
        children = list(art_records(data, record.start, record.end))
        if record.kind == SHAPE:
            count += 1
            key, properties = 0, dict[int, int | bytes]()
            for child in children:
                if child.kind == SHAPE_PROPERTIES and child.end - child.start >= 4:
                    key = struct.unpack_from("<I", data, child.start)[0]
                elif child.kind == OPTIONS:
                    properties.update(options(data, child))
            yield key, properties
        elif level < MAX_LEVELS:
            waiting += [(child, level + 1) for child in reversed(children) if child.kind in (GROUP, SHAPE)]


def shape_ids(data: bytes, group: Art) -> list[int]:
    """Return the ids of the shapes in a group, the group's own first."""
    return [key for key, _ in shapes_in(data, group)]
