"""Text of shapes: its letters, the levels of its paragraphs, and signs that stand for numbers, dates and footers.

Source: [MS-PPT] 2.9.41 to 2.9.44 (text atoms), 2.9.45 (TextPFRun), 2.9.18 (TextPFException), 2.9.47 to 2.9.53 (signs).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docbeam.extractors.legacy.office_art import Art
from docbeam.extractors.legacy.ppt.numbering import Counter, Scheme, entry_places
from docbeam.extractors.legacy.ppt.stream import Stream
from docbeam.extractors.ooxml.symbols import without_private

HEADER, CHARS, BYTES, STYLE, REFERENCE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0FA1, 0x0F9E
NUMBER, DATE, GENERIC_DATE, MARGIN_HEADER, MARGIN_FOOTER, RICH_DATE = 0x0FD8, 0x0FF7, 0x0FF8, 0x0FF9, 0x0FFA, 0x1015
MAX_LEVEL = 8
_SIGNS = (NUMBER, DATE, GENERIC_DATE, MARGIN_HEADER, MARGIN_FOOTER, RICH_DATE)
_LATIN = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
# Bits of a paragraph's mask and the bytes of what they announce, in the order of the file.
_FIELDS = ((0x000F, 2), (0x0080, 2), (0x0010, 2), (0x0040, 2), (0x0020, 4), (0x0800, 2), (0x1000, 2), (0x2000, 2), (0x4000, 2),
           (0x0100, 2), (0x0400, 2), (0x8000, 2))  # fmt: skip
_TAB_STOPS = 0x100000
_AFTER_TABS = ((0x10000, 2), (0xE0000, 2), (0x200000, 2))


@dataclass(slots=True)
class Text:
    """One text: its letters as they are stored, what kind of text it is, its paragraphs' levels, and the places of signs."""

    kind: int = -1
    letters: str = ""
    levels: list[tuple[int, int]] = field(default_factory=list)  # characters, level
    entries: list[tuple[int, int]] = field(default_factory=list)  # characters, entry in `schemes`
    schemes: list[Scheme | None] = field(default_factory=list)
    signs: dict[int, int] = field(default_factory=dict)  # position, kind

    def lines(self, shown: dict[int, str]) -> Iterator[str]:
        """Yield the paragraphs, indented by their level; `shown` has the texts of signs by their kind."""
        levels, entries, counter = Runs(self.levels), Runs(self.entries), Counter()
        at = 0
        for paragraph in self.letters.split("\r"):
            level = min(levels.at(at), MAX_LEVEL)
            entry = entries.at(at)
            scheme = self.schemes[entry] if 0 <= entry < len(self.schemes) and self.entries else None
            lines = self._clean(paragraph, at, shown)
            at += len(paragraph) + 1
            label = counter.label(scheme, level) if lines else ""
            for line in lines:
                yield "  " * level + label + line
                label = ""

    def _clean(self, paragraph: str, at: int, shown: dict[int, str]) -> list[str]:
        if self.signs:
            chars = enumerate(paragraph, at)
            paragraph = "".join(shown.get(self.signs[place], "") if place in self.signs else char for place, char in chars)
        lines = paragraph.replace("\x0b", "\n").split("\n")
        cleaned = (without_private("".join(char for char in line if char >= " " or char == "\t")).strip() for line in lines)
        return [line for line in cleaned if line]


class Runs:
    """Numbers of runs of characters, asked for from left to right."""

    def __init__(self, runs: list[tuple[int, int]]) -> None:
        self._runs = runs
        self._index = 0
        self._end = runs[0][0] if runs else 0

    def at(self, position: int) -> int:
        """Return the number of the run at a position, that of the last run behind it, 0 without runs."""
        while self._index < len(self._runs) - 1 and self._end <= position:
            self._index += 1
            self._end += self._runs[self._index][0]
        return self._runs[self._index][1] if self._runs else 0


def read_texts(stream: Stream, records: Iterable[Art]) -> list[Text]:
    """Return the texts that atoms side by side make; each begins with its header."""
    texts: list[Text] = []
    for record in records:
        if record.kind == HEADER or (record.kind in (CHARS, BYTES) and (not texts or texts[-1].letters)):
            texts.append(Text())
        if not texts:
            continue
        text = texts[-1]
        if record.kind == HEADER and record.end - record.start >= 4:
            text.kind = struct.unpack_from("<I", stream.data, record.start)[0]
        elif record.kind == CHARS:
            text.letters = stream.wide(record)
        elif record.kind == BYTES:
            text.letters = stream.body(record).decode("latin-1").translate(_LATIN)
        elif record.kind == STYLE:
            _add_styles(text, stream.body(record))
        elif record.kind in _SIGNS and record.end - record.start >= 4:
            text.signs[struct.unpack_from("<I", stream.data, record.start)[0]] = record.kind
    return texts


def _add_styles(text: Text, data: bytes) -> None:
    """Add the levels of runs of paragraphs and the entries of runs of characters."""
    length = len(text.letters) + 1
    at = done = 0
    while done < length and at + 10 <= len(data):
        count, level, mask = struct.unpack_from("<IHI", data, at)
        at += 10
        at += sum(size for bits, size in _FIELDS if mask & bits)
        if mask & _TAB_STOPS:
            at += 2 + 4 * struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
        at += sum(size for bits, size in _AFTER_TABS if mask & bits)
        done += count
        text.levels.append((count, level))
    text.entries = list(entry_places(data, at, length))
