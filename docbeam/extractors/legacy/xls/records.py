"""The records of a BIFF stream, and the text in them, which may run on over CONTINUE records.

Source: [MS-XLS] 2.1.4 (records), 2.5.293 (XLUnicodeRichExtendedString), 2.5.294 (XLUnicodeString).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

CONTINUE = 0x3C
MAX_FRAGMENTS = 100_000  # CONTINUE records behind one record: 800 MB


class Record(NamedTuple):
    """One record: its kind, its bytes, and where the next one begins."""

    kind: int
    data: bytes
    end: int


def records(data: bytes, at: int = 0) -> Iterator[Record]:
    """Yield the records of a stream from an offset on; a record that is cut off is the last one."""
    size = len(data)
    while at + 4 <= size:
        kind, length = struct.unpack_from("<HH", data, at)
        end = at + 4 + length
        yield Record(kind, data[at + 4 : end], end)
        at = end


def fragments(data: bytes, record: Record, kinds: tuple[int, ...] = (CONTINUE,)) -> list[bytes]:
    """Return a record's bytes and those of the CONTINUE records behind it."""
    found = [record.data]
    for following in records(data, record.end):
        if following.kind not in kinds or len(found) > MAX_FRAGMENTS:
            break
        found.append(following.data)
    return found


class Fragments:
    """Reads from a record that runs on; a string's letters change their width at the border of a fragment."""

    def __init__(self, parts: list[bytes]) -> None:
        self._parts = parts
        self._index = 0
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        while self._index < len(self._parts) and self._at >= len(self._parts[self._index]):
            self._index += 1
            self._at = 0
        return self._index >= len(self._parts)

    def take(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        pieces = []
        while size > 0 and not self.is_at_end:
            piece = self._parts[self._index][self._at : self._at + size]
            self._at += len(piece)
            size -= len(piece)
            pieces.append(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def number(self, size: int) -> int:
        """Return the next number of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def letters(self, count: int, is_wide: bool) -> str:
        """Return the next letters; each further fragment begins with a byte that says how wide they are there."""
        pieces: list[str] = []
        while count > 0 and self._index < len(self._parts):
            part = self._parts[self._index]
            width = 2 if is_wide else 1
            here = min(count, (len(part) - self._at) // width)
            raw = part[self._at : self._at + here * width]
            pieces.append(raw.decode("utf-16-le", "replace") if is_wide else raw.decode("latin-1"))
            self._at += here * width
            count -= here
            if count > 0:
                self._index += 1
                self._at = 1
                if self._index < len(self._parts):
                    is_wide = bool(self._parts[self._index][:1] and self._parts[self._index][0] & 1)
        return pieces[0] if len(pieces) == 1 else "".join(pieces)

    def rich_string(self) -> str:
        """Return the next XLUnicodeRichExtendedString without its formatting runs and phonetic guides."""
        count, flags = self.number(2), self.number(1)
        runs = self.number(2) if flags & 8 else 0
        extra = self.number(4) if flags & 4 else 0
        text = self.letters(count, bool(flags & 1))
        if runs or extra:
            self.skip(runs * 4 + extra)
        return text

    def skip(self, size: int) -> None:
        """Leave bytes out."""
        while size > 0 and not self.is_at_end:
            step = min(size, len(self._parts[self._index]) - self._at)
            self._at += step
            size -= step


def wide_string(data: bytes, at: int, length_bytes: int = 2) -> tuple[str, int]:
    """Return an XLUnicodeString (a ShortXLUnicodeString with 1 length byte) and where it ends."""
    count = int.from_bytes(data[at : at + length_bytes], "little")
    at += length_bytes
    if at >= len(data):
        return "", len(data)
    flags = data[at]
    at += 1
    runs = extra = 0
    if flags & 8:
        runs = int.from_bytes(data[at : at + 2], "little")
        at += 2
    if flags & 4:
        extra = int.from_bytes(data[at : at + 4], "little")
        at += 4
    end = at + count * (2 if flags & 1 else 1)
    raw = data[at:end]
    return raw.decode("utf-16-le", "replace") if flags & 1 else raw.decode("latin-1"), end + runs * 4 + extra


def byte_string(data: bytes, at: int, length_bytes: int, codec: str) -> tuple[str, int]:
    """Return a string of BIFF2 to BIFF7, in the workbook's code page, and where it ends."""
    count = int.from_bytes(data[at : at + length_bytes], "little")
    end = at + length_bytes + count
    return data[at + length_bytes : end].decode(codec, "replace"), end
