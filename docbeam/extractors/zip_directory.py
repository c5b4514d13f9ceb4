"""The directory of a ZIP file, read entry by entry under a cap, and its local headers where the directory is lost.

Sizes, ZIP64, bytes before the archive and behind it, and entries that share their data are looked at; nothing is unpacked here.
Source: PKWARE APPNOTE 6.3.10, 4.3 and 4.5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import BinaryIO

MAX_END_BYTES = 65_557 + 4_096  # end record, longest comment, and some rubbish behind it
MAX_END_RECORDS = 16  # a comment can hold the signature of an end record
SCAN_BYTES = 65_536  # read at a time in the search for local headers, once more for each
LOCAL, CENTRAL, END, END_64 = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06"
WRAPS_AT = 0x10000  # a count of entries that was written without ZIP64
IN_ZIP64 = 0xFFFFFFFF
ENCRYPTED, DESCRIPTOR, UTF8 = 0x1, 0x8, 0x800  # general purpose flags
UNICODE_PATH = 0x7075


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """One entry. `offset` is that of its local header in the file; `crc` and `file_size` are None where nobody says them.

    `compressed_bytes` is the most that its data can have. `is_overlapped`: its data runs into another entry's.
    """

    raw_name: bytes
    flags: int
    method: int
    compressed_bytes: int
    file_size: int | None
    crc: int | None
    offset: int
    host: int = 0
    attributes: int = 0
    date: int = 0
    extra: bytes = b""
    comment: bytes = b""
    is_overlapped: bool = False

    @property
    def is_encrypted(self) -> bool:
        """Whether a password is needed."""
        return bool(self.flags & ENCRYPTED)

    @property
    def name(self) -> str:
        """The name as UTF-8, or as the code page of the first PCs, which is the default."""
        try:
            return self.raw_name.decode("utf-8")
        except UnicodeDecodeError:
            return self.raw_name.decode("cp437")


@dataclass(frozen=True, slots=True)
class ZipDirectory:
    """The entries in the directory's order, at most one more than the limit; `problem` says what is broken, if anything."""

    entries: list[ZipEntry] = field(default_factory=list)
    comment: bytes = b""
    problem: str | None = None


def read_directory(file: BinaryIO, limit: int) -> ZipDirectory:
    """Return the directory. It ends early at `limit` + 1 entries: so many that the caller knows there are too many."""
    size = file.seek(0, 2)
    tail_start = max(0, size - MAX_END_BYTES)
    file.seek(tail_start)
    tail = file.read(MAX_END_BYTES)
    end = len(tail)
    best = ZipDirectory(problem="there is no end record")
    for _ in range(MAX_END_RECORDS):
        end = tail.rfind(END, 0, end)
        if end < 0:
            break
        found = _directory_before(file, tail, tail_start, end, limit)
        if found.problem is None:
            return found
        if len(found.entries) > len(best.entries) or not best.entries:
            best = found
    return best


def _directory_before(file: BinaryIO, tail: bytes, tail_start: int, end: int, limit: int) -> ZipDirectory:
    if end + 22 > len(tail):
        return ZipDirectory(problem="the end record is cut")
    count, directory_bytes, offset, comment_bytes = struct.unpack("<HIIH", tail[end + 10 : end + 22])
    place = tail_start + end
    if IN_ZIP64 in (directory_bytes, offset) or count == WRAPS_AT - 1:
        record = tail.rfind(END_64, 0, end)
        if record >= 0 and record + 56 <= end:
            count, directory_bytes, offset = struct.unpack("<QQQ", tail[record + 32 : record + 56])
            place = tail_start + record
    comment = tail[end + 22 : end + 22 + comment_bytes]
    for start in dict.fromkeys((place - directory_bytes, offset)):  # the first is right also behind a program that unpacks it
        if not 0 <= start <= place or (count and not _is_at(file, start, CENTRAL)):
            continue
        entries = _central_entries(file, start, place, start - offset, limit)
        is_short = len(entries) <= limit and len(entries) % WRAPS_AT != count % WRAPS_AT
        problem = f"it lists {count} entries, {len(entries)} can be read" if is_short else None
        return ZipDirectory(_with_overlaps(entries), comment, problem)
    return ZipDirectory(comment=comment, problem=f"it is not where the end record says, at byte {offset}")


def _is_at(file: BinaryIO, offset: int, signature: bytes) -> bool:
    file.seek(offset)
    return file.read(4) == signature


def _central_entries(file: BinaryIO, start: int, end: int, shift: int, limit: int) -> list[ZipEntry]:
    entries: list[ZipEntry] = []
    file.seek(start)
    while start + 46 <= end and len(entries) <= limit:
        header = file.read(46)
        if header[:4] != CENTRAL or len(header) < 46:
            break
        host, flags, method, date, crc, compressed, size, *lengths, attributes, offset = struct.unpack(
            "<5xBxxHHIIIIHHH4xII", header
        )
        name_bytes, extra_bytes, _ = lengths
        rest = file.read(sum(lengths))
        start += 46 + len(rest)
        extra = rest[name_bytes : name_bytes + extra_bytes]
        size, compressed, offset = _zip64_values(extra, size, compressed, offset)
        known_size = None if size == IN_ZIP64 else size
        name, comment = rest[:name_bytes], rest[name_bytes + extra_bytes :]
        place = offset + shift
        entries.append(
            ZipEntry(name, flags, method, compressed, known_size, crc, place, host, attributes, date, extra, comment)
        )
    return entries


def extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield header id and data of an entry's extra fields; a broken one ends them."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack("<HH", extra[at : at + 4])
        yield kind, extra[at + 4 : at + 4 + size]
        at += 4 + size


def _zip64_values(extra: bytes, *values: int) -> list[int]:
    """Return the values with those that do not fit in 32 bits taken from the ZIP64 field, in its order."""
    found = list(values)
    if IN_ZIP64 in values:
        data = next((data for kind, data in extra_fields(extra) if kind == 1), b"")
        for place, value in enumerate(values):
            if value == IN_ZIP64 and len(data) >= 8:
                found[place] = struct.unpack("<Q", data[:8])[0]
                data = data[8:]
    return found


def _with_overlaps(entries: list[ZipEntry]) -> list[ZipEntry]:
    """Mark the entries whose data runs into the next entry: bombs give the same bytes to many of them."""
    order = sorted(range(len(entries)), key=lambda place: entries[place].offset)
    for place, following in pairwise(order):
        entry = entries[place]
        if entry.offset + 30 + len(entry.raw_name) + entry.compressed_bytes > entries[following].offset:
            entries[place] = replace(entry, is_overlapped=True)
    return entries


def salvaged_entries(file: BinaryIO, limit: int, scan_bytes: int | None = None) -> list[ZipEntry]:
    """Return the entries by their local headers, at most `limit` + 1: what is left of an archive without a directory.

    `scan_bytes` bounds the part of the file that is searched.
    """
    entries: list[ZipEntry] = []
    size = file.seek(0, 2)
    if scan_bytes is not None:
        size = min(size, scan_bytes)
    at = _next(file, LOCAL, 0, size)
    while at is not None and len(entries) <= limit:
        file.seek(at)
        header = file.read(30)
        if len(header) < 30:
            break
        flags, method, date, crc, compressed, unpacked, name_bytes, extra_bytes = struct.unpack("<6xHHIIIIHH", header)
        name, extra = file.read(name_bytes), file.read(extra_bytes)
        unpacked, compressed = _zip64_values(extra, unpacked, compressed)
        data_start = at + 30 + name_bytes + extra_bytes
        has_sizes = not (flags & DESCRIPTOR and compressed == 0)
        following = _next(file, LOCAL, min(data_start + compressed, size) if has_sizes else data_start, size)
        if len(name) == name_bytes:
            room = (following or size) - data_start
            entries.append(
                ZipEntry(
                    name, flags, method, compressed if has_sizes else max(0, room), unpacked if has_sizes else None,
                    crc if has_sizes else None, at, date=date, extra=extra,
                )
            )  # fmt: skip
        at = following
    return entries


def _next(file: BinaryIO, signature: bytes, start: int, end: int) -> int | None:
    """Return the offset of the next signature before `end`, or None."""
    file.seek(start)
    kept = b""
    while data := file.read(max(0, min(SCAN_BYTES, end - start))):
        found = (kept + data).find(signature)
        if found >= 0:
            return start - len(kept) + found
        start += len(data)
        kept = (kept + data)[-3:]
    return None
