"""Comments and text boxes of a sheet: OBJ says what an object is, TXO holds its text, NOTE the cell of a comment.

Source: [MS-XLS] 2.4.181 (Obj), 2.5.143 (FtCmo), 2.4.329 (TxO), 2.4.179 (Note); for BIFF5 OpenOffice.org's documentation
of the Excel file format.
"""

from __future__ import annotations

import struct

from docbeam.extractors.legacy.office_art import DRAWING, GROUP, art_records, pictures_of, shape_words, shapes_in
from docbeam.extractors.legacy.sheets import Sheet
from docbeam.extractors.legacy.xls.book import BIFF8, Book
from docbeam.extractors.legacy.xls.records import Fragments, Record, fragments, wide_string
from docbeam.extractors.ooxml.xlsx.strings import one_line

_OBJECT, _TEXT_OBJECT, _NOTE, _DRAWING = 0x5D, 0x1B6, 0x1C, 0xEC
_PICTURE, _COMMENT = 0x08, 0x19
_OLD_TEXT_KINDS = (0x00, 0x06, 0x07, 0x0B, 0x0C, 0x0D, 0x0E, 0x13)
MAX_OBJECTS = 50_000  # of one sheet


class Objects:
    """Collects a sheet's objects; comments wait for the record that says which cell they belong to."""

    def __init__(self, book: Book, sheet: Sheet) -> None:
        self._book = book
        self._sheet = sheet
        self._kind, self._id = -1, -1
        self._comments: dict[int, str] = {}
        self._drawing: list[bytes] = []  # shapes, in pieces between the records of their objects
        self._count = 0

    def take(self, record: Record) -> None:
        """Take a record if it is about an object."""
        if record.kind == _DRAWING:
            self._drawing += fragments(self._book.data, record)
        if record.kind not in (_OBJECT, _TEXT_OBJECT, _NOTE) or self._count > MAX_OBJECTS:
            return
        self._count += 1
        if record.kind == _OBJECT and len(record.data) >= 10:
            self._object(record.data)
        elif record.kind == _TEXT_OBJECT and len(record.data) >= 14:
            self._text(record)
        elif record.kind == _NOTE and len(record.data) >= 6:
            self._note(record.data)

    def finish(self) -> None:
        """Keep the text of comments that no cell claims, the words of WordArt and what pictures are described as."""
        for text in self._comments.values():
            self._add_box(text)
        self._comments.clear()
        data = b"".join(self._drawing)
        for record in art_records(data):
            if record.kind == DRAWING:
                for group in (page for page in art_records(data, record.start, record.end) if page.kind == GROUP):
                    shapes = [properties for _, properties in shapes_in(data, group)]
                    for properties in shapes:
                        self._add_box(shape_words(properties))
                    self._sheet.shown_pictures += pictures_of(shapes)

    def _add_box(self, text: str) -> None:
        lines = [line for paragraph in text.replace("\r", "\n").split("\n") if (line := one_line(paragraph))]
        self._sheet.boxes += lines
        self._sheet.chars += sum(map(len, lines))

    def _object(self, data: bytes) -> None:
        if self._book.version == BIFF8:
            if data[:4] == b"\x15\0\x12\0":
                self._kind, self._id = struct.unpack_from("<HH", data, 4)
                self._sheet.pictures += self._kind == _PICTURE
        else:
            self._kind, self._id = struct.unpack_from("<HH", data, 4)
            self._sheet.pictures += self._kind == _PICTURE
            self._old_text(data)

    def _text(self, record: Record) -> None:
        count = struct.unpack_from("<H", record.data, 10)[0]
        parts = fragments(self._book.data, record)[1:]
        if not count or not parts or not parts[0]:
            return
        reader = Fragments(parts)
        is_wide = reader.number(1) & 1
        letters = reader.letters(count, bool(is_wide))
        if self._kind == _COMMENT:
            self._comments[self._id] = letters
        else:
            self._add_box(letters)

    def _note(self, data: bytes) -> None:
        row, column, _, key = struct.unpack("<HHHH", data[:8].ljust(8, b"\0"))
        if self._book.version == BIFF8:
            text = self._comments.pop(key, "")
            if text:
                self._sheet.comments.append((row, column, wide_string(data, 8)[0], text))
            return
        text = data[6:].decode(self._book.codec, "replace")
        if row == 0xFFFF and self._sheet.comments:
            row, column, _, start = self._sheet.comments.pop()
            text = start + text
        self._sheet.comments.append((row, column, "", text))

    def _old_text(self, data: bytes) -> None:
        """Take the text of a BIFF5 text box: its length stands at a fixed place, its letters after name and macro."""
        if self._kind != 0x06 or len(data) < 70:
            return
        count = struct.unpack_from("<H", data, 44)[0]
        name_bytes = data[70] + 1 if len(data) > 70 and struct.unpack_from("<H", data, 30)[0] else 0
        macro_bytes = struct.unpack_from("<H", data, 26)[0]
        at = 70 + name_bytes + (name_bytes & 1) + macro_bytes
        self._add_box(data[at : at + count].decode(self._book.codec, "replace"))
