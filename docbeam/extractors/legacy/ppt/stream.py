"""The PowerPoint Document stream: its records, and the directory that says where the newest version of each object stands.

Source: [MS-PPT] 2.1.2 (stream), 2.3.2 (CurrentUserAtom), 2.3.3 (UserEditAtom), 2.3.4 (PersistDirectoryAtom).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.encryption.rc4 import Key
from docbeam.extractors.legacy.encrypted_summary import summary_streams
from docbeam.extractors.legacy.office_art import HEADER_BYTES, Art, art_records
from docbeam.extractors.legacy.ppt.decrypt import SESSION, WHAT, key_of_session, plain_objects, plain_pictures
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

USER_EDIT, DIRECTORY = 0x0FF5, 0x1772
DOCUMENT, SLIDE, NOTES, MASTER = 0x03E8, 0x03EE, 0x03F0, 0x03F8
ENCRYPTED_TOKEN = 0xF3D1C4DF
BEGINNING = b"\x0f\0\xe8\x03"  # of a document container
SLIDE_BEGIN, SLIDE_ATOM_BEGIN = b"\x0f\0\xee\x03", b"\x02\0\xef\x03"
MAX_EDITS = 10_000
MAX_OBJECTS = 200_000
ADOPTED = 1 << 24  # numbers from here on are no file's own
MAX_LEVELS = 30  # records in records
TAG_DATA = 0x138B  # holds records, although its header does not say so


class Stream:
    """The stream and its directory. `is_broken` says that the directory had to be replaced by a search."""

    def __init__(self, compound: CompoundFile, source: Source, out: TextBuilder) -> None:
        dual = "pp97_dualstorage/"  # beside the same presentation for version 95
        folder = dual if compound.find(f"{dual}powerpoint document") is not None else ""
        entry = compound.find(f"{folder}powerpoint document")
        self.data = compound.salvaged((BEGINNING,)) if entry is None else compound.read(entry)
        user = compound.find(f"{folder}current user")
        self._user = b"" if user is None else compound.read(user, 64)
        self.is_broken = compound.is_repaired
        self._objects: dict[int, int] = {}
        self.document_id = 0
        self._key: Key | None = None
        session = self._read_directory()
        if session is not None:
            record = self.object(session)
            if record is None or record.kind != SESSION:
                raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}, which can't be found")
            places = [(number, at) for number, at in self._objects.items() if number != session]
            self._key = key_of_session(self.body(record), source, out)
            self.data = plain_objects(self.data, self._key, places, out)

    def object(self, number: int) -> Art | None:
        """Return the record of an object by its number, or None."""
        at = self._objects.get(number)
        return None if at is None else next(art_records(self.data, at), None)

    def adopt(self, record: Art) -> int:
        """Give a record that the directory does not know a number, and return it."""
        number = ADOPTED + len(self._objects)
        self._objects[number] = record.start - HEADER_BYTES
        return number

    def document(self) -> Art | None:
        """Return the document container; without a directory that names it, the last one of the stream."""
        found = self.object(self.document_id)
        if found is not None and found.kind == DOCUMENT:
            return found
        self.is_broken = True
        return max((record for record in self.top() if record.kind == DOCUMENT), key=lambda art: art.start, default=None)

    def plain_pictures(self, data: bytes, out: TextBuilder) -> bytes:
        """Return the Pictures stream in plain."""
        return data if self._key is None else plain_pictures(data, self._key, out)

    def summary(self, compound: CompoundFile) -> dict[str, bytes]:
        """Return the streams of properties that an encrypted presentation keeps in one of their own."""
        entry = compound.find("encryptedsummary") if self._key is not None else None
        return {} if entry is None or self._key is None else summary_streams(compound.read(entry), self._key)

    def top(self) -> Iterator[Art]:
        """Yield the records of the stream that are in no other."""
        return art_records(self.data)

    def scattered_slides(self) -> Iterator[Art]:
        """Yield the slides that begin anywhere in the stream, for when the records in between are broken."""
        place = self.data.find(SLIDE_BEGIN)
        for _ in range(MAX_EDITS):
            if place < 0:
                return
            if self.data.startswith(SLIDE_ATOM_BEGIN, place + HEADER_BYTES):
                yield from itertools.islice(art_records(self.data, place), 1)
            place = self.data.find(SLIDE_BEGIN, place + 1)

    def children(self, record: Art) -> list[Art]:
        """Return the records in a record."""
        return list(art_records(self.data, record.start, record.end))

    def child(self, record: Art, kind: int, instance: int | None = None) -> Art | None:
        """Return the first record of a kind in a record, or None."""
        for found in art_records(self.data, record.start, record.end):
            if found.kind == kind and (instance is None or found.instance == instance):
                return found
        return None

    def inside(self, record: Art, kinds: tuple[int, ...], level: int = 0) -> Iterator[Art]:
        """Yield the records of some kinds anywhere in a record."""
        for found in art_records(self.data, record.start, record.end):
            if found.kind in kinds:
                yield found
            elif (found.is_container or found.kind == TAG_DATA) and level < MAX_LEVELS:
                yield from self.inside(found, kinds, level + 1)

    def body(self, record: Art) -> bytes:
        """Return a record's content."""
        return self.data[record.start : record.end]

    def wide(self, record: Art) -> str:
        """Return the content of a record that is UTF-16 text."""
        raw = self.body(record)
        return raw[: len(raw) & ~1].decode("utf-16-le", "replace").replace("\0", "")

    def _read_directory(self) -> int | None:
        """Read the directory from the newest edit back to the oldest; return the number of the encryption session, if any."""
        token, at = struct.unpack_from("<II", self._user, 12) if len(self._user) >= 20 else (0, len(self.data))
        edit = next(art_records(self.data, at), None)
        if edit is None or edit.kind != USER_EDIT:
            edits = [record for record in self.top() if record.kind == USER_EDIT]
            self.is_broken = True
            edit = edits[-1] if edits else None
        seen: set[int] = set()
        session = 0 if token == ENCRYPTED_TOKEN else None
        while edit is not None and edit.kind == USER_EDIT and edit.start not in seen and len(seen) < MAX_EDITS:
            seen.add(edit.start)
            body = self.body(edit)
            if len(body) < 20:
                break
            previous, directory, document = struct.unpack_from("<III", body, 8)
            if not session and len(body) >= 32:
                session = struct.unpack_from("<I", body, 28)[0] or session
            self.document_id = self.document_id or document
            self._add_directory(directory)
            edit = next(art_records(self.data, previous), None) if previous else None
        return session

    def _add_directory(self, at: int) -> None:
        record = next(art_records(self.data, at), None)
        if record is None or record.kind != DIRECTORY:
            self.is_broken = True
            return
        at = record.start
        while at + 4 <= record.end and len(self._objects) < MAX_OBJECTS:
            first = struct.unpack_from("<I", self.data, at)[0]
            number, count = first & 0xFFFFF, min(first >> 20, (record.end - at - 4) // 4)
            for index, offset in enumerate(struct.unpack_from(f"<{count}I", self.data, at + 4)):
                self._objects.setdefault(number + index, offset)
            at += 4 + count * 4
