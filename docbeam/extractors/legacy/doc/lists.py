"""Numbered and bulleted lists: the labels that Word shows before paragraphs.

Source: [MS-DOC] 2.9.131 (LFO), 2.9.132 (LFOData), 2.9.147 (LSTF), 2.9.150 (LVL), 2.9.151 (LVLF), 2.9.152 (PlfLst).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from docbeam.extractors.legacy.doc.fib import LIST_OVERRIDES, LISTS, Fib
from docbeam.extractors.legacy.doc.fonts import Fonts
from docbeam.extractors.legacy.doc.sprms import modifiers, number
from docbeam.extractors.ooxml.docx.numbering import counted
from docbeam.extractors.ooxml.symbols import bullet

LEVELS = 9
MAX_LISTS = 10_000
MAX_LABEL_CHARS = 100
BULLET, NONE = 23, 255
# Word's numbers of number formats that are not digits, in the words of Open XML.
FORMS = {
    1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal", 10: "ideographDigital",
    11: "chineseCounting", 18: "decimalEnclosedCircle", 22: "decimalZero", 35: "taiwaneseCounting", 37: "chineseCounting",
    39: "chineseCountingThousand", 58: "russianLower", 59: "russianUpper", 255: "none",
}  # fmt: skip
_LEVEL_BYTES, _LIST_BYTES, _OVERRIDE_BYTES = 28, 28, 16


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list; digits 0 to 8 in `text`, as characters, stand for the numbers of the levels."""

    start: int = 1
    form: int = 0
    text: str = ""
    font: str = ""
    is_legal: bool = False
    restarts_after: int | None = None  # only a level above this one starts it anew; None where each above does


@dataclass(slots=True)
class _Override:
    list_key: int
    starts: dict[int, int] = field(default_factory=dict)
    levels: dict[int, Level] = field(default_factory=dict)


class Lists:
    """The lists of a document and where each of them has got to."""

    def __init__(self, fib: Fib, fonts: Fonts) -> None:
        self._fonts = fonts
        self._levels: dict[int, list[Level]] = {}
        self._overrides: list[_Override] = []
        self._counters: dict[int, list[int | None]] = {}
        self._started: set[int] = set()
        self._read_lists(fib)
        self._read_overrides(fib.part(LIST_OVERRIDES))

    def label(self, list_id: int, level: int) -> str:
        """Count a paragraph of a list (from 1) and return its label, an empty text if it has none."""
        if not 0 < list_id <= len(self._overrides):
            return ""
        chosen = self._overrides[list_id - 1]
        level = min(max(level, 0), LEVELS - 1)
        counters = self._counters.setdefault(chosen.list_key, [None] * LEVELS)
        if list_id not in self._started:
            self._started.add(list_id)
            for restarted in chosen.starts:
                counters[restarted] = None
        for above in range(level + 1):
            current = counters[above]
            if current is None:
                counters[above] = chosen.starts.get(above, self._level(chosen, above).start)
            elif above == level:
                counters[above] = current + 1
        for below in range(level + 1, LEVELS):
            limit = self._level(chosen, below).restarts_after
            if limit is None or level < limit:
                counters[below] = None
        return self._shown(chosen, level, counters)

    def _shown(self, chosen: _Override, level: int, counters: list[int | None]) -> str:
        own = self._level(chosen, level)
        if own.form == BULLET:
            return bullet(own.font, own.text) if own.text.strip() else ""
        parts = []
        for char in own.text:
            place = ord(char)
            if place >= LEVELS:
                parts.append(char)
            elif (form := self._level(chosen, place).form) not in (BULLET, NONE):
                parts.append(counted(counters[place] or 0, FORMS.get(0 if own.is_legal else form, "decimal")))
        return "".join(parts).strip()[:MAX_LABEL_CHARS]

    def _level(self, chosen: _Override, level: int) -> Level:
        if level in chosen.levels:
            return chosen.levels[level]
        known = self._levels.get(chosen.list_key, [])
        return known[level] if level < len(known) else Level()

    def _read_lists(self, fib: Fib) -> None:
        offset, size = fib.place(LISTS)
        data = fib.table
        if size < 2:
            return
        count = min(struct.unpack_from("<H", data.ljust(offset + 2, b"\0"), offset)[0], MAX_LISTS)
        at = offset + size  # the levels follow the part, and do not count as part of it
        for index in range(count):
            entry = data[offset + 2 + index * _LIST_BYTES :][:_LIST_BYTES]
            if len(entry) < _LIST_BYTES:
                return
            levels = []
            for _ in range(1 if entry[26] & 1 else LEVELS):
                level, at = self._read_level(data, at)
                if level is None:
                    break
                levels.append(level)
            self._levels[struct.unpack_from("<I", entry)[0]] = levels

    def _read_level(self, data: bytes, at: int) -> tuple[Level | None, int]:
        if at + _LEVEL_BYTES + 2 > len(data):
            return None, at
        start, form, flags = struct.unpack_from("<IBB", data, at)
        characters_bytes, paragraph_bytes, restart_limit = data[at + 24], data[at + 25], data[at + 26]
        at += _LEVEL_BYTES + paragraph_bytes
        font = ""
        for code, operand in modifiers(data[at : at + characters_bytes], False):
            if code == 0x4A4F:
                font = self._fonts.name(number(operand))
        at += characters_bytes
        count = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
        text = data[at + 2 : at + 2 + count * 2].decode("utf-16-le", "replace")
        limit = restart_limit if flags & 8 else None
        return Level(start, form, text, font, bool(flags & 4), limit), at + 2 + count * 2

    def _read_overrides(self, data: bytes) -> None:
        if len(data) < 4:
            return
        count = min(struct.unpack_from("<I", data)[0], MAX_LISTS, (len(data) - 4) // _OVERRIDE_BYTES)
        at = 4 + count * _OVERRIDE_BYTES
        for index in range(count):
            key = struct.unpack_from("<I", data, 4 + index * _OVERRIDE_BYTES)[0]
            override = _Override(key)
            self._overrides.append(override)
            changes = data[4 + index * _OVERRIDE_BYTES + 12]
            at += 4
            for _ in range(min(changes, LEVELS)):
                if at + 8 > len(data):
                    break
                start, flags = struct.unpack_from("<II", data, at)
                at += 8
                if flags & 0x10:
                    override.starts[flags & 0xF] = start
                if flags & 0x20:
                    level, at = self._read_level(data, at)
                    if level is not None:
                        override.levels[flags & 0xF] = level
            override.starts = {place: start for place, start in override.starts.items() if place < LEVELS}
