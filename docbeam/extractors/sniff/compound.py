"""OLE2 compound files by the streams in their root: Word, Excel, PowerPoint, Outlook, encrypted OOXML and others.

Source: [MS-CFB]; [MS-DOC] 2.5.1 (fEncrypted); [MS-XLS] 2.4.117 (FilePass); [MS-PPT] 2.3.2 (headerToken); [MS-OFFCRYPTO].
"""

from __future__ import annotations

import struct
from typing import BinaryIO, NamedTuple

from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import ErrorCategory

MAX_DIRECTORY_SECTORS = 1_024  # 4 096 entries; a broken chain ends there too
MAX_MINI_SECTORS = 4_096  # steps along the root's chain to a small stream
ENTRY_BYTES = 128
END_OF_CHAIN = 0xFFFFFFFA  # and everything above is no sector

OOXML_TYPES = frozenset((*MediaType.WORD, *MediaType.SPREADSHEET, *MediaType.PRESENTATION, MediaType.XLSB))
LEGACY_TYPES = frozenset((MediaType.DOC, MediaType.XLS, MediaType.PPT, MediaType.MSG))
BY_STREAM = (
    ("worddocument", MediaType.DOC),
    ("workbook", MediaType.XLS),
    ("book", MediaType.XLS),
    ("powerpoint document", MediaType.PPT),
    ("pp40", MediaType.PPT),
    ("__properties_version1.0", MediaType.MSG),
    ("__nameid_version1.0", MediaType.MSG),
    ("visiodocument", "application/vnd.visio"),
    ("quill", "application/vnd.ms-publisher"),
    ("matost", "application/vnd.ms-works"),
    ("mm", "application/vnd.ms-works"),
    ("props9", "application/vnd.ms-project"),
    ("props12", "application/vnd.ms-project"),
    ("props14", "application/vnd.ms-project"),
    ("fileheader", "application/vnd.hancom.hwp"),
)
MSI_CLASS = bytes.fromhex("84100c0000000000c000000000000046")


class Stream(NamedTuple):
    """A directory entry: its name in lower case, kind (1 storage, 2 stream, 5 root), links, class, first sector and size."""

    name: str
    kind: int
    links: tuple[int, int, int]
    class_id: bytes
    first_sector: int
    size_bytes: int


class Compound:
    """The directory of a compound file, read with bounds; a broken file simply has fewer streams."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        header = self._at(0, 512).ljust(512, b"\0")
        self._sector_bytes = 1 << min(max(struct.unpack("<H", header[30:32])[0], 7), 16)
        self._fat_sectors = struct.unpack("<109I", header[76:512])
        self._mini_cutoff = struct.unpack("<I", header[56:60])[0]
        self._fat: dict[int, tuple[int, ...]] = {}
        self._entries = self._directory(struct.unpack("<I", header[48:52])[0])
        self.root = next((entry for entry in self._entries if entry.kind == 5), None)
        self.streams = self._children()

    def start_of(self, stream: Stream, size: int) -> bytes:
        """Return the first bytes of a stream, at most one sector of them (64 for a small stream)."""
        if stream.size_bytes >= self._mini_cutoff:
            return self._at((stream.first_sector + 1) * self._sector_bytes, min(size, stream.size_bytes, self._sector_bytes))
        if self.root is None or stream.first_sector >= END_OF_CHAIN:
            return b""
        index, offset = divmod(stream.first_sector * 64, self._sector_bytes)
        if index > MAX_MINI_SECTORS:
            return b""
        sector = self.root.first_sector
        for _ in range(index):
            sector = self._next(sector)
        if sector >= END_OF_CHAIN:
            return b""
        return self._at((sector + 1) * self._sector_bytes + offset, min(size, stream.size_bytes, 64))

    def _at(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(size)

    def _next(self, sector: int) -> int:
        per_sector = self._sector_bytes // 4
        index, place = divmod(sector, per_sector)
        if sector >= END_OF_CHAIN or index >= len(self._fat_sectors):
            return END_OF_CHAIN
        if index not in self._fat:
            data = self._at((self._fat_sectors[index] + 1) * self._sector_bytes, self._sector_bytes)
            self._fat[index] = struct.unpack(f"<{per_sector}I", data.ljust(self._sector_bytes, b"\xff"))
        following: int = self._fat[index][place]
        return following

    def _directory(self, sector: int) -> list[Stream]:
        entries: list[Stream] = []
        seen: set[int] = set()
        while sector < END_OF_CHAIN and sector not in seen and len(seen) < MAX_DIRECTORY_SECTORS:
            seen.add(sector)
            data = self._at((sector + 1) * self._sector_bytes, self._sector_bytes)
            for start in range(0, len(data) - ENTRY_BYTES + 1, ENTRY_BYTES):
                entries.append(_entry(data[start : start + ENTRY_BYTES]))
            sector = self._next(sector)
        return entries

    def _children(self) -> dict[str, Stream]:
        """Return the entries right below the root: a document embedded deeper says nothing about the file."""
        found: dict[str, Stream] = {}
        waiting, seen = [self.root.links[2]] if self.root else [], set[int]()
        while waiting:
            index = waiting.pop()
            if index >= len(self._entries) or index in seen:
                continue
            seen.add(index)
            entry = self._entries[index]
            found[entry.name] = entry
            waiting += entry.links[:2]
        return found or {entry.name: entry for entry in self._entries}


def type_in_compound(source: Source, declared: str | None) -> tuple[str, ExtractionError | None]:
    """Return the type of an OLE2 file, and the problem if it is encrypted."""
    with source.open() as file:
        compound = Compound(file)
        streams = compound.streams
        if "encryptedpackage" in streams or "\x09drmcontent" in streams:
            package = declared if declared in OOXML_TYPES and declared is not None else MediaType.ENCRYPTED_OOXML
            return package, ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "the OLE2 file holds an encrypted package")
        media_type = next((media_type for name, media_type in BY_STREAM if name in streams), None)
        if media_type is not None and _is_encrypted(compound, media_type):
            return media_type, ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "the document's own encryption flag is set")
    if media_type is None and compound.root is not None and compound.root.class_id == MSI_CLASS:
        media_type = "application/x-msi"
    if media_type is None and declared in LEGACY_TYPES:
        media_type = declared  # the directory is broken; the name is all there is
    return media_type or MediaType.OLE2, None


def _is_encrypted(compound: Compound, media_type: str) -> bool:
    streams = compound.streams
    if media_type == MediaType.DOC:
        start = compound.start_of(streams["worddocument"], 64)
        return len(start) >= 12 and bool(start[11] & 1)
    if media_type == MediaType.XLS:
        stream = streams.get("workbook") or streams["book"]
        return _has_file_pass(compound.start_of(stream, 512))
    if media_type == MediaType.PPT:
        user = compound.start_of(streams["current user"], 32) if "current user" in streams else b""
        return "encryptedsummary" in streams or user[12:16] == b"\xdf\xc4\xd1\xf3"
    return False


def _has_file_pass(records: bytes) -> bool:
    """Say whether a FilePass record follows the first BOF record (with at most a few others in between)."""
    at = 0
    for _ in range(5):
        if at + 4 > len(records):
            return False
        kind, size = struct.unpack("<HH", records[at : at + 4])
        if kind == 0x2F:
            return True
        at += 4 + size
    return False


def _entry(data: bytes) -> Stream:
    name_bytes, kind = struct.unpack("<HB", data[64:67])
    name = data[: max(0, min(name_bytes, 64) - 2)].decode("utf-16-le", "replace").lower()
    first_sector, size_bytes = struct.unpack("<II", data[116:124])
    return Stream(name, kind, struct.unpack("<III", data[68:80]), data[80:96], first_sector, size_bytes)
