"""What hangs on a place of the text: footnotes, endnotes, comments, text boxes; and the headers of sections.

Source: [MS-DOC] 2.3 (document parts), 2.8 (PLCs), 2.9.4 (ATRDPre10), 2.9.110 (FTXBXS), 2.8.37 (PlcfSpa).
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from dataclasses import dataclass

from docbeam.extractors.legacy.doc import fib as parts
from docbeam.extractors.legacy.doc.fib import WORD_97, Fib, positions
from docbeam.extractors.legacy.office_art import drawn_words, shape_children
from docbeam.extractors.ooxml.docx.numbering import counted

MAX_NOTES = 100_000
FIRST_MARGIN = 6  # the stories before are the lines that set notes off
MARGINS = ("even header", "odd header", "even footer", "odd footer", "first header", "first footer")
Place = tuple[int, int]  # first position and the one behind the last


@dataclass(slots=True)
class Note:
    """A footnote, endnote, comment or text box: its text, its author if it has one, and its mark once it is referred to."""

    kind: str
    place: Place
    author: str = ""
    mark: str = ""
    is_done: bool = False
    text: str = ""  # of a shape whose words are drawn


class Notes:
    """Notes by the position that refers to them, and text boxes by the position of their anchor."""

    def __init__(self, fib: Fib) -> None:
        self._counts = {"footnote": 0, "endnote": 0}
        self.by_position: dict[int, list[Note]] = {}
        self.custom: list[int] = []  # positions of notes with a mark of their own, sorted
        self.all: list[Note] = []
        self._read(fib, "footnote", (parts.FOOTNOTE_REFS, parts.FOOTNOTE_TEXTS), "footnotes", 2)
        self._read(fib, "comment", (parts.COMMENT_REFS, parts.COMMENT_TEXTS), "comments", 20 if fib.version != WORD_97 else 30)
        self._read(fib, "endnote", (parts.ENDNOTE_REFS, parts.ENDNOTE_TEXTS), "endnotes", 2)
        self.custom.sort()
        self._read_boxes(fib)

    def refer(self, position: int) -> str:
        """Count the note that a position refers to and return its mark: [1], [i]; nothing for comments and text boxes."""
        for note in self.by_position.get(position, ()):
            if note.kind in self._counts:
                if not note.mark:
                    self._counts[note.kind] += 1
                    number = self._counts[note.kind]
                    note.mark = f"[{number if note.kind == 'footnote' else counted(number, 'lowerRoman')}]"
                return note.mark
        return ""

    def next_custom(self, start: int, end: int) -> int | None:
        """Return the first position of a range that refers to a note whose mark is written out."""
        index = bisect_left(self.custom, start)
        return self.custom[index] if index < len(self.custom) and self.custom[index] < end else None

    def _read(self, fib: Fib, kind: str, indexes: tuple[int, int], story: str, item_bytes: int) -> None:
        references, items = positions(fib.part(indexes[0]), item_bytes)
        texts, _ = positions(fib.part(indexes[1]), 0)
        start, end = fib.story(story)
        if not items and end > start:  # Word 6 keeps the references to endnotes elsewhere
            self.all.append(Note(kind, (start, end)))
        authors = _authors(fib) if kind == "comment" else []
        for index, item in enumerate(items[:MAX_NOTES]):
            if index + 1 >= len(texts):
                break
            place = (min(start + texts[index], end), min(start + texts[index + 1], end))
            author = _author(item, authors, fib.version != WORD_97) if kind == "comment" else ""
            note = Note(kind, place, author)
            self.all.append(note)
            self.by_position.setdefault(references[index], []).append(note)
            if kind != "comment" and not any(item):
                self.custom.append(references[index])

    def _read_boxes(self, fib: Fib) -> None:
        """Read the text boxes of the body and of headers; one whose anchor isn't found is left for the end."""
        drawings = fib.part(parts.DRAWINGS)
        groups, words = shape_children(drawings), drawn_words(drawings)
        for texts_index, shapes_index, story, base in (
            (parts.BOX_TEXTS, parts.SHAPES, "text boxes", 0),
            (parts.HEADER_BOX_TEXTS, parts.HEADER_SHAPES, "header text boxes", fib.story("headers")[0]),
        ):
            texts, items = positions(fib.part(texts_index), 22)
            anchors, shapes = positions(fib.part(shapes_index), 26)
            places: dict[int, int] = {}
            for position, shape in zip(anchors, shapes, strict=False):
                top = struct.unpack_from("<I", shape)[0]
                for member in (top, *groups.get(top, ())):
                    places.setdefault(member, base + position)
                    if text := words.pop(member, ""):
                        drawn = Note("box", (0, 0), text=text)
                        self.all.append(drawn)
                        self.by_position.setdefault(base + position, []).append(drawn)
            start, end = fib.story(story)
            boxes = [Note("box", (start, end))] if end > start and not items else []
            keys = [-1] * len(boxes)
            for index, item in enumerate(items[:MAX_NOTES]):
                is_reusable, key = struct.unpack_from("<8xH4xI", item)
                if not is_reusable:
                    boxes.append(Note("box", (min(start + texts[index], end), min(start + texts[index + 1], end))))
                    keys.append(key)
            for box, key in zip(boxes, keys, strict=True):
                self.all.append(box)
                if key in places:
                    self.by_position.setdefault(places[key], []).append(box)


def margins(fib: Fib) -> list[dict[str, Place]]:
    """Return the headers and footers of each section, those that have text of their own."""
    texts, _ = positions(fib.part(parts.HEADERS), 0)
    start, end = fib.story("headers")
    sections: list[dict[str, Place]] = []
    for first in range(FIRST_MARGIN, len(texts) - 1, len(MARGINS)):
        found = {}
        for name, low, high in zip(MARGINS, texts[first:], texts[first + 1 :], strict=False):
            if low < high <= end - start + 1:
                found[name] = (start + low, min(start + high, end))
        sections.append(found)
    return sections


def section_ends(fib: Fib) -> list[int]:
    """Return the positions where sections end."""
    ends, _ = positions(fib.part(parts.SECTIONS), 12)
    return ends[1:]


def _authors(fib: Fib) -> list[str]:
    data = fib.part(parts.COMMENT_AUTHORS)
    is_word_6 = fib.version != WORD_97
    names: list[str] = []
    at = 0
    while at + 2 <= len(data) and len(names) < MAX_NOTES:
        count = data[at] if is_word_6 else struct.unpack_from("<H", data, at)[0]
        at += 1 if is_word_6 else 2
        size = count * (1 if is_word_6 else 2)
        names.append(data[at : at + size].decode(fib.codec if is_word_6 else "utf-16-le", "replace"))
        at += size
    return names


def _author(item: bytes, authors: list[str], is_word_6: bool) -> str:
    index = struct.unpack_from("<H", item, 10 if is_word_6 else 20)[0]
    if index < len(authors) and authors[index].strip():
        return " ".join(authors[index].split())
    if is_word_6:
        return item[1 : 1 + min(item[0], 9)].decode("cp1252", "replace")
    return item[2 : 2 + 2 * min(item[0], 9)].decode("utf-16-le", "replace")
