"""The document's characters, put together from pieces of the main stream, and where each byte of it ends up.

Source: [MS-DOC] 2.4.1 (retrieving text), 2.8.35 (PlcPcd), 2.9.177 (Pcd), 2.9.38 (Clx).
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from docbeam.extractors.legacy.doc.fib import CLX, WORD_97, Fib, positions

MAX_PIECES = 50_000  # a document that was saved fast for years has some thousand
_COMPRESSED = 0x40000000
_SIMPLE_DELETED = 0x41  # Prm0's index for a deletion mark
# Windows-1252 with the five unused codes as they are.
LATIN = bytes(range(256)).decode("cp1252", "replace").replace("\ufffd", "?")
_LATIN_TABLE = {code: char for code, char in enumerate(LATIN) if char != "?" and code >= 0x80}


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start` to `end` stand from byte `offset` on, `width` bytes each; `properties` are changes to all of them."""

    start: int
    end: int
    offset: int
    width: int
    properties: bytes


@dataclass(frozen=True, slots=True)
class Characters:
    """All characters of a document, one for each position (a UTF-16 unit, or a byte in Word 6), and its pieces."""

    text: str
    pieces: tuple[Piece, ...]
    is_broken: bool

    def spans(self, start_byte: int, end_byte: int, starts: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans of characters that stand in a range of bytes; `starts` is by_offset()."""
        found = []
        index = max(bisect_right(starts, (start_byte, len(starts))) - 1, 0)
        while index < len(starts) and starts[index][0] < end_byte:
            piece = self.pieces[starts[index][1]]
            low = max(start_byte - piece.offset, 0) // piece.width
            high = min(-(-(end_byte - piece.offset) // piece.width), piece.end - piece.start)
            if low < high:
                found.append((piece.start + low, piece.start + high))
            index += 1
        return found

    def by_offset(self) -> list[tuple[int, int]]:
        """Return the pieces' offsets and indexes, sorted."""
        return sorted((piece.offset, index) for index, piece in enumerate(self.pieces))


def read_characters(fib: Fib) -> Characters:
    """Return the characters of a document; without a piece table, those of one piece."""
    pieces, is_broken = _pieces(fib)
    total = sum(fib.counts)
    texts, at, kept = [], 0, []
    for piece in pieces:
        raw = fib.main[piece.offset : piece.offset + (piece.end - piece.start) * piece.width]
        text = _units(raw) if piece.width == 2 else _bytes(raw, fib)
        if len(text) < piece.end - piece.start:
            is_broken = True
        kept.append(Piece(at, at + len(text), piece.offset, piece.width, piece.properties))
        at += piece.end - piece.start
        texts.append(text.ljust(piece.end - piece.start, "\0") if at < total else text)
        if at > total + len(fib.main):  # pieces that lie over each other
            is_broken = True
            break
    return Characters("".join(texts), tuple(kept), is_broken or at < total)


def _pieces(fib: Fib) -> tuple[list[Piece], bool]:
    clx = fib.part(CLX)
    changes: list[bytes] = []
    at = 0
    while at + 3 <= len(clx) and clx[at] == 1:
        size = struct.unpack_from("<H", clx, at + 1)[0]
        changes.append(clx[at + 3 : at + 3 + size])
        at += 3 + size
    if at + 5 > len(clx) or clx[at] != 2:
        return _one_piece(fib), fib.version == WORD_97 or fib.is_complex
    starts, items = positions(clx[at + 5 : at + 5 + struct.unpack_from("<I", clx, at + 1)[0]], 8)
    pieces: list[Piece] = []
    for start, end, item in zip(starts, starts[1:], items, strict=False):
        offset, change = struct.unpack_from("<IH", item, 2)
        width = 2
        if fib.version != WORD_97:
            width = 2 if fib.is_wide else 1
        elif offset & _COMPRESSED:
            offset, width = (offset & ~_COMPRESSED) // 2, 1
        if len(pieces) >= MAX_PIECES:
            return pieces, True
        if start < end and end - start <= len(fib.main):
            pieces.append(Piece(start, end, offset & 0x3FFFFFFF, width, _changes(change, changes)))
    return pieces, not pieces


def _one_piece(fib: Fib) -> list[Piece]:
    total = sum(fib.counts)
    width = 2 if (fib.version == WORD_97 or fib.is_wide) and fib.last - fib.first >= 2 * total else 1
    end = min(max(total, 0), max(len(fib.main) - fib.first, 0) // width)
    return [Piece(0, end, fib.first, width, b"")] if end > 0 else []


def _changes(change: int, changes: list[bytes]) -> bytes:
    """Return the modifiers of a piece's Prm: one of a list, or a deletion mark."""
    if change & 1:
        index = change >> 1
        return changes[index] if index < len(changes) else b""
    if (change >> 1) & 0x7F == _SIMPLE_DELETED and change >> 8:
        return b"\x00\x08\x01"
    return b""


def _units(raw: bytes) -> str:
    """Return UTF-16 units, one character each: positions count them, so that halves of a pair stay apart here."""
    raw = raw[: len(raw) & ~1]
    text = raw.decode("utf-16-le", "surrogatepass") if not _has_pairs(raw) else ""
    return text or "".join(map(chr, array("H", raw)))


def _has_pairs(raw: bytes) -> bool:
    return any(0xD8 <= byte < 0xE0 for byte in raw[1::2])


def _bytes(raw: bytes, fib: Fib) -> str:
    text = raw.decode("latin-1")
    return text if fib.version != WORD_97 else text.translate(_LATIN_TABLE)
