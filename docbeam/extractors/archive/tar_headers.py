"""The headers of a tar file: V7, ustar, GNU and pax, one after the other, with damage stepped over.

Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header"; the GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

BLOCK_BYTES = 512
ASCII = bytes(range(128))
MAX_EXTENDED_BYTES = 1 << 20  # of a header that only describes the next; honest ones have some hundred
LONG_NAME, LONG_LINK, PAX, PAX_SOLARIS, PAX_GLOBAL = b"L", b"K", b"x", b"X", b"g"
HARD_LINK, SYMBOLIC_LINK, FOLDER, SPARSE = b"1", b"2", b"5", b"S"
DEVICES = {b"3": "a character device", b"4": "a block device", b"6": "a FIFO"}
WITHOUT_DATA = frozenset((HARD_LINK, SYMBOLIC_LINK, FOLDER, *DEVICES))
NOT_FILES = frozenset((FOLDER, b"V", b"D", b"N"))  # folders, labels, GNU's lists of folders and old long names
Pax = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class TarEntry:
    """One entry: its name and link's target as stored, the type's letter, and where its data lie in the file."""

    raw_name: bytes
    kind: bytes
    size_bytes: int
    offset: int
    raw_link: bytes = b""
    is_sparse: bool = False


class TarReader:
    """Walks a tar file. `problems` collects what is broken, as pairs of part and sentence."""

    def __init__(self, file: BinaryIO, check_deadline: Callable[[], None]) -> None:
        self._file = file
        self._check_deadline = check_deadline
        self.file_bytes = file.seek(0, 2)
        self.problems: list[tuple[str, str]] = []
        self._global: Pax = {}

    def entries(self) -> Iterator[TarEntry]:
        """Yield all entries but those that only describe the next one. Raises what `check_deadline` raises."""
        at = 0
        pending: Pax = {}
        is_lost = False
        while at + BLOCK_BYTES <= self.file_bytes:
            self._check_deadline()
            block = self._at(at, BLOCK_BYTES)
            if not is_header(block):
                if not is_lost and block.strip(b"\0"):
                    self.problems.append((f"byte {at}", "no header where one should be; read on from the next one"))
                    is_lost = True
                at += BLOCK_BYTES
                continue
            is_lost = False
            kind = block[156:157]
            size = number(block[124:136])
            data_start = at + BLOCK_BYTES
            if kind in (LONG_NAME, LONG_LINK, PAX, PAX_SOLARIS, PAX_GLOBAL):
                self._describe(kind, data_start, size, pending)
            else:
                known = self._global | pending
                entry = _entry(block, known, data_start, size)
                if kind == SPARSE:
                    data_start = self._behind_sparse_map(block, data_start)
                size = 0 if kind in WITHOUT_DATA and not known.get("size") else entry.size_bytes
                pending = {}
                yield entry
            at = data_start + -(-max(size, 0) // BLOCK_BYTES) * BLOCK_BYTES
        if self.file_bytes - at > 0 and self._at(at, BLOCK_BYTES).strip(b"\0"):
            self.problems.append((f"byte {at}", "the file ends inside a header"))

    @property
    def comment(self) -> str:
        """The comment on the archive as a whole; git writes its commit there."""
        return self._global.get("comment", b"").decode("utf-8", "replace")

    def chunks(self, entry: TarEntry, size: int = 1 << 20) -> Iterator[bytes]:
        """Yield the data of an entry, as far as the file has it."""
        at, left = entry.offset, entry.size_bytes
        while left > 0 and (data := self._at(at, min(size, left))):
            at += len(data)
            left -= len(data)
            yield data

    def _describe(self, kind: bytes, start: int, size: int, pending: Pax) -> None:
        if size > MAX_EXTENDED_BYTES:
            self.problems.append((f"byte {start}", f"a header extension of {size} bytes, limit {MAX_EXTENDED_BYTES}"))
            return
        data = self._at(start, max(size, 0))
        if kind in (LONG_NAME, LONG_LINK):
            pending["path" if kind == LONG_NAME else "linkpath"] = data.split(b"\0", 1)[0]
        elif kind == PAX_GLOBAL:
            self._global |= pax_records(data)
        else:
            pending |= pax_records(data)

    def _behind_sparse_map(self, block: bytes, at: int) -> int:
        is_continued = block[482:483] not in (b"\0", b"0", b"")
        while is_continued and at + BLOCK_BYTES <= self.file_bytes:
            is_continued = self._at(at, BLOCK_BYTES)[504:505] not in (b"\0", b"0", b"")
            at += BLOCK_BYTES
        return at

    def _at(self, offset: int, size: int) -> bytes:
        if offset >= self.file_bytes:
            return b""
        self._file.seek(offset)
        return self._file.read(size)


def is_header(block: bytes) -> bool:
    """Say whether a block's checksum is right, counted in bytes without or, as old programs did, with a sign."""
    checksum = number(block[148:156])
    if checksum <= 0:
        return False
    rest = block[:148] + b" " * 8 + block[156:]
    return checksum == sum(rest) or checksum == sum(rest) - 256 * len(rest.translate(None, ASCII))


def number(field: bytes) -> int:
    """Return an octal number, or one in base 256; 0 for what is neither."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    digits = field.replace(b"\0", b" ").split()
    return int(digits[0], 8) if digits and not digits[0].strip(b"01234567") else 0


def pax_records(data: bytes) -> Pax:
    """Return the records of a pax header, as far as their lengths are right."""
    records: Pax = {}
    at = 0
    while at < len(data):
        length, space, _ = data[at : at + 20].partition(b" ")
        if not space or not length.isdigit() or int(length) < 5:
            break
        key, _, value = data[at + len(length) + 1 : at + int(length) - 1].partition(b"=")
        records[key.decode("utf-8", "replace")] = value
        at += int(length)
    return records


def _entry(block: bytes, known: Pax, data_start: int, size: int) -> TarEntry:
    name = block[:100].split(b"\0", 1)[0]
    if block[257:263] == b"ustar\0" and (prefix := block[345:500].split(b"\0", 1)[0]):
        name = prefix + b"/" + name
    stated = known.get("size", b"")
    if stated.isdigit() and len(stated) < 20:
        size = int(stated)
    kind = block[156:157]
    name = known.get("GNU.sparse.name") or known.get("path") or name
    return TarEntry(
        name,
        FOLDER if kind in (b"0", b"\0") and name.endswith(b"/") else kind,
        size,
        data_start,
        known.get("linkpath") or block[157:257].split(b"\0", 1)[0],
        kind == SPARSE or any(key.startswith("GNU.sparse.") for key in known),
    )
