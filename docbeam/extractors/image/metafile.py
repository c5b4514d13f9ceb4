"""Windows metafiles (EMF, EMF+, WMF): the words that they write and the bitmaps that they show; lines are not drawn.

Source: [MS-EMF] 2.3.1 (bitmap records), 2.3.5 (text), [MS-EMFPLUS] 2.3.4.14 (DrawString), 2.2.2.2 (bitmaps), [MS-WMF] 2.3.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from docbeam.extractors.picture_size import HEAD_BYTES, header_size
from docbeam.extractors.pictures import is_icon

METAFILES = ("image/emf", "image/wmf")
MAX_RECORDS = 200_000  # of one drawing; large maps have some 50 000
MAX_TEXTS = 20_000
MAX_CHARS = 100_000
NEWLINE = "\n"
BITMAP_HEADERS = (12, 40, 52, 56, 64, 108, 124)  # bytes, by the kinds of DIB headers
_PLACEABLE = b"\xd7\xcd\xc6\x9a"
# EMF records with a bitmap: where offset and size of header and bits stand, from the record's begin
_EMF_BITMAPS = {76: 84, 77: 84, 80: 48, 81: 48, 114: 84, 116: 84}
_EXT_TEXT_A, _EXT_TEXT_W, _SMALL_TEXT, _COMMENT, _EOF = 83, 84, 108, 70, 14
_GLYPH_INDEX = 0x10  # the numbers are glyphs of a font, not letters
_SMALL_NO_RECT, _SMALL_CHARS = 0x100, 0x200
_PLUS, _PLUS_DRAW_STRING, _PLUS_OBJECT, _PLUS_IMAGE = b"EMF+", 0x401C, 0x4008, 5
_PLUS_BITMAP_BYTES = 28  # version, type, width, height, stride, format, kind
_WMF_TEXT, _WMF_EXT_TEXT = 0x521, 0xA32
_WMF_BITMAPS = {0xB41: 20, 0x940: 16, 0xF43: 22, 0xD33: 18}  # bytes of parameters before the bitmap
MAX_DIB_HEADER_BYTES = 124 + 4 * 256 + 12  # with its colours
_LINE_SHARE = 0.6  # of a letter's height by which texts on one line may differ


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of text and where it stands."""

    x: int
    y: int
    text: str


def is_old_metafile(data: bytes) -> bool:
    """Say whether bytes begin as a WMF without the header for placing it."""
    return data[:2] in (b"\1\0", b"\2\0") and data[2:4] == b"\x09\0" and data[4:6] in (b"\0\1", b"\0\3")


def metafile_lines(data: bytes) -> list[str]:
    """Return the lines that a drawing writes, from top to bottom; pieces on one line from left to right."""
    pieces: list[Written] = []
    chars = 0
    for piece in _texts(data):
        pieces.append(piece)
        chars += len(piece.text)
        if len(pieces) >= MAX_TEXTS or chars > MAX_CHARS:
            break
    return _laid_out(pieces)


def metafile_text(data: bytes) -> str:
    """Return what a drawing writes as it stands in a document's text, an empty text where it writes nothing."""
    lines = metafile_lines(data)
    return f"[Image text: {NEWLINE.join(lines)}]" if lines else ""


def has_bitmap(data: bytes, *, least: bool = True) -> bool:
    """Say whether a drawing shows a bitmap; with `least`, one that is large enough for text."""
    return any(not least or not is_icon(*size) for place in _bitmaps(data) if (size := place.size(data)) is not None)


def largest_bitmap(data: bytes) -> bytes | None:
    """Return the largest bitmap that a drawing shows, as a file, or None where it shows none."""
    places = [place for place in _bitmaps(data) if place.size(data) is not None]
    return max(places, key=lambda place: place.bits_bytes).file(data) if places else None


def bitmap_file(dib: bytes) -> bytes:
    """Return a device-independent bitmap, which has no header of a file, as a BMP file. Source: [MS-WMF] 2.2.2.9."""
    if len(dib) < 16:
        return b""
    header_bytes = struct.unpack_from("<I", dib)[0]
    if header_bytes not in BITMAP_HEADERS:
        return b""
    if header_bytes == 12:
        depth = struct.unpack_from("<H", dib, 10)[0]
        colours = (1 << depth) * 3 if depth <= 8 else 0
    else:
        if len(dib) < 40:
            return b""
        depth, compression = struct.unpack_from("<HI", dib, 14)
        used = struct.unpack_from("<I", dib, 32)[0]
        colours = 4 * (used or (1 << depth if depth <= 8 else 0))
        colours += 12 if compression == 3 and header_bytes == 40 else 0
    offset = 14 + header_bytes + colours
    return b"BM" + struct.pack("<IHHI", 14 + len(dib), 0, 0, min(offset, 0xFFFFFFFF)) + dib


def _laid_out(pieces: list[Written]) -> list[str]:
    """Sort pieces into lines: those that stand about level make one, pieces that follow each other closely one word."""
    heights = sorted({piece.y for piece in pieces})
    gaps = sorted(high - low for low, high in pairwise(heights))
    level = _LINE_SHARE * gaps[len(gaps) // 2] if gaps and len(pieces) > 3 else 1
    level = min(level, (heights[-1] - heights[0]) / 20) if len(heights) > 1 else level
    lines: list[tuple[int, list[Written]]] = []
    for piece in sorted(pieces, key=lambda one: (one.y, one.x)):
        if lines and abs(piece.y - lines[-1][0]) <= level:
            lines[-1][1].append(piece)
        else:
            lines.append((piece.y, [piece]))
    found = (" ".join(one.text for one in sorted(line, key=lambda one: one.x)) for _, line in lines)
    return [" ".join(text.split()) for text in found if text.strip()]


def _texts(data: bytes) -> Iterator[Written]:
    if data[40:44] != b" EMF":
        yield from _wmf_texts(data)
        return
    plus: list[Written] = []
    plain: list[Written] = []
    for kind, start, end in _emf_records(data):
        if kind in (_EXT_TEXT_A, _EXT_TEXT_W) and end - start >= 76:
            plain += _emf_text(data, kind, start, end)
        elif kind == _SMALL_TEXT and end - start >= 36:
            plain += _small_text(data, start, end)
        elif kind == _COMMENT and data[start + 12 : start + 16] == _PLUS:
            plus += _plus_texts(data, start + 16, end)
        if len(plain) > MAX_TEXTS or len(plus) > MAX_TEXTS:
            break
    yield from plain or plus  # a drawing in both forms says everything twice


def _emf_text(data: bytes, kind: int, start: int, end: int) -> Iterator[Written]:
    x, y, count, offset, flags = struct.unpack_from("<iiIII", data, start + 36)
    width = 2 if kind == _EXT_TEXT_W else 1
    if flags & _GLYPH_INDEX or offset < 40 or start + offset + count * width > end:
        return
    raw = data[start + offset : start + offset + count * width]
    yield Written(x, y, _shown(raw.decode("utf-16-le" if width == 2 else "cp1252", "replace")))


def _small_text(data: bytes, start: int, end: int) -> Iterator[Written]:
    x, y, count, flags = struct.unpack_from("<iiII", data, start + 8)
    at = start + 36 + (0 if flags & _SMALL_NO_RECT else 16)
    width = 1 if flags & _SMALL_CHARS else 2
    if not flags & _GLYPH_INDEX and at + count * width <= end:
        raw = data[at : at + count * width]
        yield Written(x, y, _shown(raw.decode("utf-16-le" if width == 2 else "cp1252", "replace")))


def _plus_texts(data: bytes, at: int, end: int) -> Iterator[Written]:
    for kind, _, start, stop in _plus_records(data, at, end):
        if kind == _PLUS_DRAW_STRING and stop - start >= 28:
            count = struct.unpack_from("<I", data, start + 8)[0]
            x, y = struct.unpack_from("<ff", data, start + 12)
            if start + 28 + 2 * count <= stop and abs(x) < 1e9 and abs(y) < 1e9:
                raw = data[start + 28 : start + 28 + 2 * count]
                yield Written(int(x), int(y), _shown(raw.decode("utf-16-le", "replace")))


def _wmf_texts(data: bytes) -> Iterator[Written]:
    for kind, start, end in _wmf_records(data):
        if kind == _WMF_TEXT and end - start >= 8:
            count = struct.unpack_from("<H", data, start + 6)[0]
            at = start + 8 + count + (count & 1)
            if at + 4 <= end:
                y, x = struct.unpack_from("<hh", data, at)
                yield Written(x, y, _shown(data[start + 8 : start + 8 + count].decode("cp1252", "replace")))
        elif kind == _WMF_EXT_TEXT and end - start >= 14:
            y, x, count, flags = struct.unpack_from("<hhHH", data, start + 6)
            at = start + 14 + (8 if flags & 6 else 0)
            if not flags & _GLYPH_INDEX and at + count <= end:
                yield Written(x, y, _shown(data[at : at + count].decode("cp1252", "replace")))


@dataclass(frozen=True, slots=True)
class _Bitmap:
    """Where header and bits of a bitmap stand; a whole file is all bits."""

    head: int
    head_bytes: int
    bits: int
    bits_bytes: int

    def size(self, data: bytes) -> tuple[int, int] | None:
        """Return width and height, None for what is no bitmap."""
        if not self.head_bytes:
            return header_size(data[self.bits : self.bits + min(self.bits_bytes, HEAD_BYTES)])
        found = header_size(bitmap_file(data[self.head : self.head + min(self.head_bytes, MAX_DIB_HEADER_BYTES)]))
        return found if found and all(found) else None

    def file(self, data: bytes) -> bytes:
        """Return the bitmap as a file."""
        if not self.head_bytes:
            return data[self.bits : self.bits + self.bits_bytes]
        head, bits = (data[at : at + size] for at, size in ((self.head, self.head_bytes), (self.bits, self.bits_bytes)))
        return bitmap_file(head + bits)


def _bitmaps(data: bytes) -> Iterator[_Bitmap]:
    if data[40:44] != b" EMF":
        for kind, start, end in _wmf_records(data):
            if kind in _WMF_BITMAPS and (head := start + 6 + _WMF_BITMAPS[kind]) + 16 <= end:
                bits = min(head + MAX_DIB_HEADER_BYTES, end)
                yield _Bitmap(head, bits - head, bits, end - bits)
        return
    for kind, start, end in _emf_records(data):
        if kind in _EMF_BITMAPS and start + _EMF_BITMAPS[kind] + 16 <= end:
            head, head_bytes, bits, bits_bytes = struct.unpack_from("<IIII", data, start + _EMF_BITMAPS[kind])
            if head_bytes and bits_bytes and start + head + head_bytes <= end and start + bits <= end:
                yield _Bitmap(start + head, head_bytes, start + bits, min(bits_bytes, end - start - bits))
        elif kind == _COMMENT and data[start + 12 : start + 16] == _PLUS:
            for plus, flags, at, stop in _plus_records(data, start + 16, end):
                if plus == _PLUS_OBJECT and flags >> 8 & 0x7F == _PLUS_IMAGE and stop - at > _PLUS_BITMAP_BYTES:
                    yield _Bitmap(at, 0, at + _PLUS_BITMAP_BYTES, stop - at - _PLUS_BITMAP_BYTES)


def _emf_records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield kind, start and end of the records."""
    at = 0
    for _ in range(MAX_RECORDS):
        if at + 8 > len(data):
            return
        kind, size = struct.unpack_from("<II", data, at)
        if size < 8 or kind == _EOF:
            return
        yield kind, at, min(at + size, len(data))
        at += size


def _plus_records(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield kind, flags, and where the content begins and ends, of EMF+ records in a comment."""
    while at + 12 <= end:
        kind, flags, size, content = struct.unpack_from("<HHII", data, at)
        if size < 12:
            return
        yield kind, flags, at + 12, min(at + 12 + content, at + size, end)
        at += size


def _wmf_records(data: bytes) -> Iterator[tuple[int, int, int]]:
    at = 22 if data.startswith(_PLACEABLE) else 0
    if at + 18 > len(data):
        return
    at += 2 * max(struct.unpack_from("<H", data, at + 2)[0], 9)
    for _ in range(MAX_RECORDS):
        if at + 6 > len(data):
            return
        words, kind = struct.unpack_from("<IH", data, at)
        if words < 3 or kind == 0:
            return
        yield kind, at, min(at + 2 * words, len(data))
        at += 2 * words


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)
