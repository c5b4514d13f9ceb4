"""A document put together from the objects that are left of it, without its cross-reference table, trailer and page tree.

Where a file is cut or overwritten, what says where the pages are is often lost, and the pages are not. All objects are found
by their first words, those in object streams are unpacked as far as they go, and every page hangs on a new root. The order is
that of the page tree where parts of it are left, else that of the file. Source: ISO 32000-2, 7.3.10, 7.5.4, 7.5.7, 7.7.3.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

SPACE = rb"[\0\t\n\f\r ]"
OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})" + SPACE + rb"{1,9}([0-9]{1,5})" + SPACE + rb"{1,9}obj(?![a-z])")
END = re.compile(rb"endobj|endstream|>>" + SPACE + rb"{0,20}stream(?:\r\n|\r|\n)")
REFERENCE = re.compile(rb"([0-9]{1,8})" + SPACE + rb"+[0-9]{1,5}" + SPACE + rb"+R")
PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
PAGES = re.compile(rb"/Type\s*/Pages(?![A-Za-z])")
KIDS = re.compile(rb"/Kids\s*\[([^\]]*)\]")
OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm")
COUNT, FIRST = re.compile(rb"/N\s+([0-9]{1,7})"), re.compile(rb"/First\s+([0-9]{1,9})")
FORMS = re.compile(rb"/AcroForm\s+([0-9]{1,8}\s+[0-9]{1,5}\s+R)")
INFORMATION = re.compile(rb"/Info\s+([0-9]{1,8}\s+[0-9]{1,5}\s+R)")
ENCRYPTED = re.compile(rb"/Encrypt\s+([0-9]{1,8}\s+[0-9]{1,5}\s+R)")
HEADER = b"%PDF-"
HEADER_WITHIN = 1_024  # bytes
HEAD_BYTES = 100_000  # of an object that are looked at
MAX_OBJECTS = 500_000
MAX_RATIO = 40  # of bytes of unpacked objects to those of the file; the best packed honest files reach about 10
ENTRY_BYTES = 64  # of an object's own words and its line in the table
MAX_DEPTH = 50  # of what is left of a page tree
PIECE_BYTES = 1_024  # of a damaged stream; what was unpacked before the first bad one is kept


@dataclass(slots=True)
class _Left:
    """What is left of a document: places of objects in the file, texts of unpacked ones, pages, and nodes of the page tree."""

    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    texts: dict[int, bytes] = field(default_factory=dict)
    pages: dict[int, None] = field(default_factory=dict)
    nodes: dict[int, list[int]] = field(default_factory=dict)

    def has(self, number: int) -> bool:
        """Say whether an object is left."""
        return number in self.places or number in self.texts

    def note(self, number: int, head: bytes) -> None:
        """Remember a page or a node; a later object of the same number takes the earlier one's place."""
        self.pages.pop(number, None)
        self.nodes.pop(number, None)
        if PAGE.search(head):
            self.pages[number] = None
        elif PAGES.search(head) and (kids := KIDS.search(head)):
            self.nodes[number] = [int(kid[1]) for kid in REFERENCE.finditer(kids[1])]


def salvaged(data: bytes, max_bytes: int) -> bytes | None:
    """Return a document with all pages that are left.

    None if there are none, if it would be larger than `max_bytes`, and for encrypted documents: their keys are lost.
    """
    if ENCRYPTED.search(data):
        return None
    start = data.find(HEADER, 0, HEADER_WITHIN)
    data = data[start:] if start >= 0 else HEADER + b"1.7\n" + data
    left = _left(data, min(max_bytes - len(data), MAX_RATIO * len(data)))
    if left is None or not left.pages:
        return None
    return _written(data, left)


def _left(data: bytes, room: int) -> _Left | None:
    left, ends = _Left(), _Ends(data)
    found = OBJECT.search(data)
    for _ in range(MAX_OBJECTS):
        if found is None:
            break
        number, at = int(found[1]), found.end()
        following, end = OBJECT.search(data, at), ends.behind(at)
        stop = min(at + HEAD_BYTES, *(one.start() if one else len(data) for one in (following, end)))
        head = data[at:stop]
        left.places[number] = found.start(), int(found[2])
        left.texts.pop(number, None)
        left.note(number, head)
        if end is not None and stop == end.start() and end[0].startswith(b">>"):
            after = ends.behind(end.end())
            data_end = after.start() if after else len(data)
            if OBJECT_STREAM.search(head):
                for inner, text in _unpacked(head, data[end.end() : data_end], room):
                    room -= len(text) + ENTRY_BYTES
                    if room < 0:
                        return None
                    left.texts[inner] = text
                    left.places.pop(inner, None)
                    left.note(inner, text)
            if after is not None and not after[0].startswith(b">>") and following is not None and following.start() < data_end:
                following = OBJECT.search(data, data_end)  # what is in a stream is no object of the file
        found = following
    return left


class _Ends:
    """Finds the next end of an object's dictionary or stream; asked for places that only grow, it looks at no byte twice."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = END.search(data)

    def behind(self, at: int) -> re.Match[bytes] | None:
        """Return the first end at or behind a place."""
        if self._next is not None and self._next.start() < at:
            self._next = END.search(self._data, at)
        return self._next


def _unpacked(head: bytes, data: bytes, room: int) -> Iterator[tuple[int, bytes]]:
    """Yield the objects of an object stream that are whole."""
    count, first = COUNT.search(head), FIRST.search(head)
    if count is None or first is None or b"/DecodeParms" in head:
        return
    text = _inflated(data, room) if b"/Filter" in head else data
    numbers = [int(word) for word in text[: int(first[1])].split()[: 2 * int(count[1])] if word.isdigit()]
    starts = [int(first[1]) + offset for offset in numbers[1::2]]
    is_whole = len(starts) == int(count[1])
    for number, start, stop in zip(numbers[::2], starts, [*starts[1:], len(text)], strict=False):
        if start < stop <= len(text) and (stop < len(text) or is_whole):
            yield number, text[start:stop]


def _inflated(data: bytes, room: int) -> bytes:
    """Unpack a Flate stream as far as it goes."""
    stream, parts = zlib.decompressobj(), []
    with suppress(zlib.error):
        for at in range(0, len(data), PIECE_BYTES):
            parts.append(stream.decompress(data[at : at + PIECE_BYTES], max(room, 1)))
            room -= len(parts[-1])
            if room <= 0:
                break
    return b"".join(parts)


def _ordered(left: _Left) -> list[int]:
    """Return the pages in the order of the page tree where it is left, the others where the file has them."""
    order: dict[int, None] = {}
    parents = {kid for kids in left.nodes.values() for kid in kids}

    def walk(number: int, depth: int) -> None:
        if number in left.pages:
            order[number] = None
        elif depth < MAX_DEPTH and number not in walked:
            walked.add(number)
            for kid in left.nodes.get(number, ()):
                walk(kid, depth + 1)

    walked: set[int] = set()
    for number in left.nodes:
        if number not in parents:
            walk(number, 0)
    return [*order, *(number for number in left.pages if number not in order)]


def _written(data: bytes, left: _Left) -> bytes:
    """Return the file with unpacked objects, a new root and a new cross-reference table behind it."""
    pages = _ordered(left)
    top = max([0, *left.places, *left.texts]) + 1
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    forms, information = _last(FORMS, data, left), _last(INFORMATION, data, left)
    added = {
        **left.texts,
        top: b"<</Type/Catalog/Pages %d 0 R%b>>" % (top + 1, b"/AcroForm " + forms if forms else b""),
        top + 1: b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, len(pages)),
    }
    parts = [data, b"\nendstream\nendobj\n"]  # of a stream that is cut off
    at = sum(map(len, parts))
    places = dict(left.places)
    for number, text in added.items():
        places[number] = at, 0
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, text))
        at += len(parts[-1])
    parts.append(b"xref\n0 1\n0000000000 65535 f \n")
    parts += [b"%d 1\n%010d %05d n \n" % (number, *place) for number, place in sorted(places.items())]
    parts.append(b"trailer\n<</Size %d/Root %d 0 R%b>>\n" % (top + 2, top, b"/Info " + information if information else b""))
    return b"".join([*parts, b"startxref\n%d\n%%%%EOF\n" % at])


def _last(pattern: re.Pattern[bytes], data: bytes, left: _Left) -> bytes:
    """Return the last reference that a pattern finds to an object that is left, empty if there is none."""
    found = [match[1] for match in pattern.finditer(data)]
    return next((name for name in reversed(found) if left.has(int(name.split()[0]))), b"")
