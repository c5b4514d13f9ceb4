"""What Word's formatting says about text: deleted, special, in a symbol font; in a table, in a list, of a style.

Source: [MS-DOC] 2.4.6 (applying properties), 2.9.33 (ChpxFkp), 2.9.175 (PapxFkp), 2.8.5 and 2.8.6 (PlcBteChpx, PlcBtePapx).
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from docbeam.extractors.legacy.doc.fib import CHARACTERS, PARAGRAPHS, WORD_97, Fib, positions
from docbeam.extractors.legacy.doc.fonts import Fonts
from docbeam.extractors.legacy.doc.pieces import Characters
from docbeam.extractors.legacy.doc.sprms import modifiers, number

PAGE_BYTES = 512
MAX_RUNS = 2_000_000
MAX_DEPTH = 20  # of tables in tables
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """What matters of a run of characters. `symbol` is a font's index and a code; `location` points into the data stream."""

    is_deleted: bool = False
    is_special: bool = False
    is_object: bool = False
    is_data: bool = False
    location: int | None = None
    symbol: tuple[int, int] | None = None
    font: int | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What matters of a paragraph. `list_id` counts from 1, None if only its style may know; `depth` is of tables."""

    style: int = 0
    depth: int = 0
    is_row_end: bool = False
    is_inner_cell: bool = False
    is_header_row: bool = False
    list_id: int | None = None
    level: int | None = None


PLAIN, BODY = Run(), Paragraph()


class Spans(Generic[T]):
    """Values of spans of characters, looked up by position; positions without one have the default."""

    def __init__(self, spans: list[tuple[int, int, T]], default: T) -> None:
        self._spans = sorted(spans, key=lambda span: span[0])
        self._starts = [start for start, _, _ in self._spans]
        self._default = default

    def at(self, position: int) -> T:
        """Return the value at a position."""
        index = bisect_right(self._starts, position) - 1
        if index >= 0 and position < self._spans[index][1]:
            return self._spans[index][2]
        return self._default

    def between(self, start: int, end: int) -> Iterator[tuple[int, int, T]]:
        """Yield the spans of a range, with the default between them."""
        index = max(bisect_right(self._starts, start) - 1, 0)
        while start < end and index < len(self._spans):
            low, high, value = self._spans[index]
            index += 1
            if high <= start:
                continue
            if low >= end:
                break
            if low > start:
                yield start, low, self._default
                start = low
            yield start, min(high, end), value
            start = min(high, end)
        if start < end:
            yield start, end, self._default


def read_runs(fib: Fib, characters: Characters, fonts: Fonts, pulse: Callable[[], None]) -> Spans[Run]:
    """Return the runs of characters that are not plain. `pulse` is called for each page of formatting."""
    cache: dict[bytes, Run] = {}
    spans: list[tuple[int, int, Run]] = []
    starts = characters.by_offset()
    is_word_6 = fib.version != WORD_97
    for start, end, data in _pages(fib, CHARACTERS, pulse):
        run = cache.get(data)
        if run is None:
            run = cache[data] = _run(data[1 : 1 + data[0]] if data else b"", is_word_6, fonts)
        if run is not PLAIN:
            spans += [(low, high, run) for low, high in characters.spans(start, end, starts)]
        if len(spans) > MAX_RUNS:
            break
    for piece in characters.pieces:  # changes of a fast save
        if piece.properties:
            change = _run(piece.properties, is_word_6, fonts)
            if change.is_deleted:
                spans.append((piece.start, piece.end, change))
    return Spans(spans, PLAIN)


def read_paragraphs(fib: Fib, characters: Characters, pulse: Callable[[], None]) -> Spans[Paragraph]:
    """Return the paragraphs that are not plain, by the range of all their characters."""
    cache: dict[bytes, Paragraph] = {}
    spans: list[tuple[int, int, Paragraph]] = []
    starts = characters.by_offset()
    for start, end, data in _pages(fib, PARAGRAPHS, pulse):
        paragraph = cache.get(data)
        if paragraph is None:
            paragraph = cache[data] = _paragraph(data, fib.version != WORD_97)
        if paragraph is not BODY:
            spans += [(low, high, paragraph) for low, high in characters.spans(start, end, starts)]
        if len(spans) > MAX_RUNS:
            break
    return Spans(spans, BODY)


def paragraph_changes(paragraph: Paragraph, data: bytes, is_word_6: bool) -> Paragraph:
    """Return a paragraph with the changes of a list of modifiers."""
    changes: dict[str, int | bool] = {}
    for code, operand in modifiers(data, is_word_6):
        value = number(operand)
        if code == 0x2416:  # in a table
            changes.setdefault("depth", min(value, 1))
        elif code == 0x6649 and value:  # how deep
            changes["depth"] = min(value, MAX_DEPTH)
        elif code in (0x2417, 0x244C):
            changes["is_row_end"] = bool(value)
        elif code == 0x244B:
            changes["is_inner_cell"] = bool(value)
        elif code == 0x3404:
            changes["is_header_row"] = bool(value)
        elif code == 0x460B and len(operand) >= 2:
            changes["list_id"] = value & 0xFFFF if value & 0xFFFF < 0x7FFF else 0
        elif code == 0x260A:
            changes["level"] = value & 0xFF
    return replace(paragraph, **changes) if changes else paragraph  # type: ignore[arg-type]


def _run(data: bytes, is_word_6: bool, fonts: Fonts) -> Run:
    changes: dict[str, object] = {}
    for code, operand in modifiers(data, is_word_6):
        if code == 0x0800:
            changes["is_deleted"] = bool(number(operand[:1]) & 1)
        elif code == 0x0855:
            changes["is_special"] = bool(number(operand))
        elif code in (0x0856, 0x080A):
            changes["is_object"] = changes.get("is_object", False) or bool(number(operand))
        elif code == 0x0806:
            changes["is_data"] = bool(number(operand))
        elif code == 0x6A03:
            changes["location"] = number(operand)
            changes["is_special"] = True
        elif code == 0x6A09 and len(operand) >= 3:
            font, char = struct.unpack("<HH", operand[:4].ljust(4, b"\0"))
            changes["symbol"] = (font, char)
            changes["is_special"] = True
        elif code == 0x4A4F and fonts.matters(number(operand)):
            changes["font"] = number(operand)
    return Run(**changes) if changes else PLAIN  # type: ignore[arg-type]


def _paragraph(data: bytes, is_word_6: bool) -> Paragraph:
    if len(data) < 2:
        return BODY
    style = struct.unpack_from("<H", data)[0]
    return paragraph_changes(Paragraph(style=style) if style else BODY, data[2:], is_word_6)


def _pages(fib: Fib, kind: int, pulse: Callable[[], None]) -> Iterator[tuple[int, int, bytes]]:
    """Yield the ranges of bytes of all formatting pages, with their modifiers."""
    size = 2 if fib.version != WORD_97 else 4
    seen: set[int] = set()
    for item in positions(fib.part(kind), size)[1]:
        page_number = int.from_bytes(item, "little") & 0x3FFFFF
        page = fib.main[page_number * PAGE_BYTES : (page_number + 1) * PAGE_BYTES]
        if len(page) == PAGE_BYTES and page_number not in seen:
            seen.add(page_number)
            pulse()
            yield from _characters_page(page) if kind == CHARACTERS else _paragraphs_page(page, fib.version != WORD_97)


def _characters_page(page: bytes) -> Iterator[tuple[int, int, bytes]]:
    count = page[511]
    if count * 5 + 4 > 511:
        return
    offsets = struct.unpack_from(f"<{count + 1}I", page)
    for index in range(count):
        at = page[(count + 1) * 4 + index] * 2
        yield offsets[index], offsets[index + 1], page[at : at + 1 + page[at]] if at else b""


def _paragraphs_page(page: bytes, is_word_6: bool) -> Iterator[tuple[int, int, bytes]]:
    count = page[511]
    item_bytes = 7 if is_word_6 else 13
    if count * (4 + item_bytes) + 4 > 511:
        return
    offsets = struct.unpack_from(f"<{count + 1}I", page)
    for index in range(count):
        at = page[(count + 1) * 4 + index * item_bytes] * 2
        data = b""
        if at:
            size = page[at] * 2 - (0 if is_word_6 else 1)
            if not is_word_6 and page[at] == 0:
                at += 1
                size = page[at] * 2 if at < 511 else 0
            data = page[at + 1 : at + 1 + max(size, 0)]
        yield offsets[index], offsets[index + 1], data
