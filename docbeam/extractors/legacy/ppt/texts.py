"""Text of shapes: its letters, the levels of its paragraphs, and signs that stand for numbers, dates and footers.

Source: [MS-PPT] 2.9.41 to 2.9.44 (text atoms), 2.9.45 (TextPFRun), 2.9.18 (TextPFException), 2.9.47 to 2.9.53 (meta characters).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docbeam.extractors.legacy.office_art import Art
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
    """One text: its letters as they are stored, levels by paragraph, and the places of signs."""

    letters: str = ""
    levels: list[tuple[int, int]] = field(default_factory=list)  # characters, level
    signs: dict[int, int] = field(default_factory=dict)  # position, kind

    def lines(self, shown: dict[int, str]) -> Iterator[str]:
        """Yield the paragraphs, indented by their level; `shown` has the texts of signs by their kind."""
        letters = self.letters
        if self.signs:
            letters = "".join(shown.get(self.signs[at], "") if at in self.signs else char for at, char in enumerate(letters))
        levels = self._paragraph_levels()
        for number, paragraph in enumerate(letters.split("\r")):
            level = levels[number] if number < len(levels) else 0
            for line in paragraph.replace("\x0b", "\n").split("\n"):
                text = without_private("".join(char for char in line if char >= " " or char == "\t")).strip()
                if text:
                    yield "  " * min(level, MAX_LEVEL) + text

    def _paragraph_levels(self) -> list[int]:
        levels: list[int] = []
        if any(level for _, level in self.levels):
            ends: list[tuple[int, int]] = []
            at = 0
            for count, level in self.levels:
                at += count
                ends.append((at, level))
            at = index = 0
            for paragraph in self.letters.split("\r"):
                while index < len(ends) - 1 and ends[index][0] <= at:
                    index += 1
                levels.append(ends[index][1])
                at += len(paragraph) + 1
        return levels


def read_texts(stream: Stream, records: Iterable[Art]) -> list[Text]:
    """Return the texts that atoms side by side make; each begins with its header."""
    texts: list[Text] = []
    for record in records:
        if record.kind == HEADER or (record.kind in (CHARS, BYTES) and (not texts or texts[-1].letters)):
            texts.append(Text())
        if not texts:
            continue
        text = texts[-1]
        if record.kind == CHARS:
            text.letters = stream.wide(record)
        elif record.kind == BYTES:
            text.letters = stream.body(record).decode("latin-1").translate(_LATIN)
        elif record.kind == STYLE:
            text.levels = list(_levels(stream.body(record), len(text.letters) + 1))
        elif record.kind in _SIGNS and record.end - record.start >= 4:
            text.signs[struct.unpack_from("<I", stream.data, record.start)[0]] = record.kind
    return texts


def _levels(data: bytes, length: int) -> Iterator[tuple[int, int]]:
    """Yield characters and level of each run of paragraphs."""
    at = done = 0
    while done < length and at + 10 <= len(data):
        count, level, mask = struct.unpack_from("<IHI", data, at)
        at += 10
        at += sum(size for bits, size in _FIELDS if mask & bits)
        if mask & _TAB_STOPS:
            at += 2 + 4 * struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
        at += sum(size for bits, size in _AFTER_TABS if mask & bits)
        done += count
        yield count, level
