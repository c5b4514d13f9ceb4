"""OLE2 compound files: storages and streams inside one file, as legacy Office, Outlook messages and embedded objects use.

A broken file has fewer entries and shorter streams, never an endless one: no chain has more sectors than the file. A chain that
breaks off goes on with the sectors that follow, and `is_repaired` says so.
Source: [MS-CFB].
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")
MAX_DIRECTORY_SECTORS = 16_384  # 65 536 entries; a message with thousands of recipients has some 20 000
MAX_PATH_CHARS = 4_096  # storages lie in each other as deep as a file likes
MAX_RUN_BYTES = 1 << 20  # of neighbouring sectors, read at once
HEADER_BYTES = 512
ENTRY_BYTES = 128
MINI_BYTES = 64
END_OF_CHAIN = 0xFFFFFFFA  # and everything above is no sector
STORAGE, STREAM, ROOT = 1, 2, 5


@dataclass(frozen=True, slots=True)
class Entry:
    """A directory entry. `kind` is STORAGE, STREAM or ROOT; `links` are the left, right and child entries."""

    name: str
    kind: int
    links: tuple[int, int, int]
    class_id: bytes
    created: int
    modified: int
    first_sector: int
    size_bytes: int

    @property
    def key(self) -> str:
        """The name as it is looked up: case does not count."""
        return self.name.lower()


class CompoundFile:
    """A compound file that is open for reading. `limit_bytes` bounds what all reads together may return.

    compound = CompoundFile(file, options.max_decompressed_bytes)
    entry = compound.find("ObjectPool/_1/\\x01Ole10Native")
    data = compound.read(entry) if entry else b""
    """

    def __init__(self, file: BinaryIO, limit_bytes: int | None = None) -> None:
        self._file = file
        self._left = self._limit = limit_bytes
        self.file_bytes = file.seek(0, 2)
        header = self._at(0, HEADER_BYTES).ljust(HEADER_BYTES, b"\0")
        self._version = struct.unpack("<H", header[26:28])[0]
        self._sector_bytes = 1 << min(max(struct.unpack("<H", header[30:32])[0], 7), 16)
        self._max_sectors = self.file_bytes // self._sector_bytes + 1
        directory, self._mini_cutoff, mini_fat, _, difat = struct.unpack("<I4xIIII", header[48:72])
        self._fat_sectors = [sector for sector in struct.unpack("<109I", header[76:512])]
        self._fat: dict[int, tuple[int, ...]] = {}
        self._read_difat(difat)
        self._mini_fat_start = mini_fat
        self._mini: tuple[tuple[int, ...], list[int]] | None = None  # the mini FAT, and the sectors of the mini stream
        self.entries = self._directory(directory)
        self.root = next((entry for entry in self.entries if entry is not None and entry.kind == ROOT), None)
        self._folders: dict[int, dict[str, Entry]] = {}
        self._streams: dict[str, Entry] | None = None
        self.is_repaired = False  # what was read is guessed in part

    @property
    def streams(self) -> dict[str, Entry]:
        """The entries right below the root by their keys, and those that a broken directory has in no storage at all."""
        if self._streams is None:
            self._streams = dict(self.children(self.root)) if self.root is not None else {}
            reached = {id(entry) for _, entry in self.walk(self.root)} if self.root is not None else set()
            for entry in self.entries:
                if entry is not None and entry.kind != ROOT and id(entry) not in reached:
                    self._streams.setdefault(entry.key, entry)
        return self._streams

    def children(self, storage: Entry) -> dict[str, Entry]:
        """Return the entries right below a storage by their keys, in the directory's order."""
        first = storage.links[2]
        if first not in self._folders:
            self._folders[first] = {entry.key: entry for entry in self._siblings(first)}
        return self._folders[first]

    def find(self, path: str, storage: Entry | None = None) -> Entry | None:
        """Return the entry at a path below a storage (the root, if none is given), or None; case does not count."""
        folder = self.streams if storage is None else self.children(storage)
        *parents, last = path.lower().split("/")
        for name in parents:
            parent = folder.get(name)
            if parent is None or parent.kind == STREAM:
                return None
            folder = self.children(parent)
        return folder.get(last)

    def walk(self, storage: Entry | None = None) -> Iterator[tuple[str, Entry]]:
        """Yield path and entry of everything below a storage, parents first; a storage's content comes once."""
        waiting = [("", storage)]
        seen: set[int] = set()
        while waiting:
            prefix, parent = waiting.pop()
            for entry in (self.streams if parent is None else self.children(parent)).values():
                yield prefix + entry.name, entry
                if entry.kind == STORAGE and entry.links[2] not in seen:
                    seen.add(entry.links[2])
                    waiting.append((f"{prefix}{entry.name}/"[-MAX_PATH_CHARS:], entry))

    def size_of(self, entry: Entry) -> int:
        """Return a stream's size in bytes, no more than the file has."""
        return min(entry.size_bytes, self.file_bytes)

    def salvaged(self, starts: tuple[bytes, ...]) -> bytes:
        """Return what follows the first sector that begins in one of these ways, for when the directory is lost.

        Most programs write the main stream in one piece.
        """
        data = self._at(0, self.file_bytes)
        places = []
        for start in starts:
            place = data.find(start, self._sector_bytes)
            while place >= 0 and place % self._sector_bytes:
                place = data.find(start, place + 1)
            places += [place] if place >= 0 else []
        self.is_repaired = True
        return data[min(places) :] if places else b""

    def read(self, entry: Entry, limit_bytes: int | None = None) -> bytes:
        """Return a stream's bytes, at most `limit_bytes`.

        Raises: ExtractionError(TOO_LARGE_DECOMPRESSED) past the limit over all reads.
        """
        return b"".join(self.chunks(entry, limit_bytes))

    def chunks(self, entry: Entry, limit_bytes: int | None = None) -> Iterator[bytes]:
        """Yield a stream's bytes, at most MAX_RUN_BYTES at a time. Raises as read() does."""
        if entry.kind != STREAM:
            return
        left = entry.size_bytes if limit_bytes is None else min(limit_bytes, entry.size_bytes)
        is_small = entry.size_bytes < self._mini_cutoff
        sector = entry.first_sector
        for chunk in self._small(sector, left) if is_small else self._large(sector, left, goes_on=True):
            if self._left is not None:
                self._left -= len(chunk)
                if self._left < 0:
                    raise ExtractionError(
                        ErrorCategory.TOO_LARGE_DECOMPRESSED,
                        f"stream {entry.name!r}: the streams have more than {self._limit} bytes, limit {self._limit}",
                    )
            yield chunk

    def _large(self, sector: int, left: int, *, goes_on: bool = False) -> Iterator[bytes]:
        for start, count in self._runs(sector, -(-left // self._sector_bytes), goes_on=goes_on):
            data = self._at((start + 1) * self._sector_bytes, min(count * self._sector_bytes, left))
            left -= len(data)
            if data:
                yield data
            if left <= 0 or not data:
                return

    def _runs(self, sector: int, most: int, *, goes_on: bool = False) -> Iterator[tuple[int, int]]:
        """Yield first sector and count of each run of neighbouring sectors of a chain, at most `most` sectors.

        A chain that `goes_on` and breaks off goes on with the next sector: most streams lie in one piece.
        """
        most = min(most, self._max_sectors)
        longest = MAX_RUN_BYTES // self._sector_bytes
        while most > 0 and sector < END_OF_CHAIN:
            start, count = sector, 1
            sector = self._next(sector)
            while sector == start + count and count < min(most, longest):
                count += 1
                sector = self._next(sector)
            most -= count
            yield start, count
            if goes_on and most > 0 and sector >= min(END_OF_CHAIN, self._max_sectors):
                self.is_repaired = True
                sector = start + count

    def _small(self, mini_sector: int, left: int) -> Iterator[bytes]:
        """Yield the bytes of a stream in the mini stream, all at once: it is shorter than the cutoff."""
        if self._mini is None:
            self._mini = self._read_mini()
        mini_fat, sectors = self._mini
        per_sector = max(self._sector_bytes // MINI_BYTES, 1)
        parts = []
        for _ in range(min(-(-left // MINI_BYTES), len(mini_fat) or 1)):
            index, place = divmod(mini_sector, per_sector)
            if index >= len(sectors):
                break
            parts.append(self._at((sectors[index] + 1) * self._sector_bytes + place * MINI_BYTES, min(MINI_BYTES, left)))
            left -= len(parts[-1])
            if mini_sector >= len(mini_fat):
                break
            mini_sector = mini_fat[mini_sector]
        if parts:
            yield b"".join(parts)

    def _read_mini(self) -> tuple[tuple[int, ...], list[int]]:
        data = b"".join(self._large(self._mini_fat_start, self.file_bytes))
        mini_fat = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
        sectors: list[int] = []
        if self.root is not None:
            for start, count in self._runs(self.root.first_sector, self._max_sectors):
                sectors.extend(range(start, start + count))
        return mini_fat, sectors

    def _read_difat(self, sector: int) -> None:
        """Add the FAT's sectors that the header has no room for."""
        per_sector = self._sector_bytes // 4
        for _ in range(self._max_sectors // (per_sector - 1) + 1):
            data = self._at((sector + 1) * self._sector_bytes, self._sector_bytes) if sector < END_OF_CHAIN else b""
            if len(data) < self._sector_bytes or len(self._fat_sectors) > self._max_sectors + 109:
                return
            *sectors, sector = struct.unpack(f"<{per_sector}I", data)
            self._fat_sectors += sectors

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

    def _at(self, offset: int, size: int) -> bytes:
        if offset >= self.file_bytes:
            return b""
        self._file.seek(offset)
        return self._file.read(size)

    def _directory(self, sector: int) -> list[Entry | None]:
        entries: list[Entry | None] = []
        seen: set[int] = set()
        while sector < END_OF_CHAIN and sector not in seen and len(seen) < MAX_DIRECTORY_SECTORS:
            seen.add(sector)
            data = self._at((sector + 1) * self._sector_bytes, self._sector_bytes)
            for start in range(0, len(data) - ENTRY_BYTES + 1, ENTRY_BYTES):
                entries.append(_entry(data[start : start + ENTRY_BYTES], self._version))
            sector = self._next(sector)
        return entries

    def _siblings(self, first: int) -> Iterator[Entry]:
        """Yield the entries of one tree in its order; a link that was followed already leads nowhere."""
        waiting: list[tuple[int, bool]] = [(first, False)]
        seen: set[int] = set()
        while waiting:
            index, is_left_done = waiting.pop()
            if index >= len(self.entries) or (not is_left_done and index in seen):
                continue
            entry = self.entries[index]
            if entry is None or entry.kind not in (STORAGE, STREAM):
                continue
            if is_left_done:
                yield entry
                continue
            seen.add(index)
            waiting += [(entry.links[1], False), (index, True), (entry.links[0], False)]


def file_time(value: int) -> datetime | None:
    """Return a FILETIME (100 nanoseconds since 1601, UTC) as a datetime, or None for 0 and for times out of range."""
    if not 0 < value < 2_650_467_743_990_000_000:  # the year 10 000
        return None
    return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=value // 10)


def _entry(data: bytes, version: int) -> Entry | None:
    """Return a directory entry, or None for an unused one."""
    name_bytes, kind = struct.unpack("<HB", data[64:67])
    if kind not in (STORAGE, STREAM, ROOT):
        return None
    name = data[: max(0, min(name_bytes, 64) - 2)].decode("utf-16-le", "replace")
    created, modified, first_sector, size_bytes = struct.unpack("<QQIQ", data[100:128])
    if version < 4:
        size_bytes &= 0xFFFFFFFF  # version 3 leaves the upper half undefined
    return Entry(name, kind, struct.unpack("<III", data[68:80]), data[80:96], created, modified, first_sector, size_bytes)
