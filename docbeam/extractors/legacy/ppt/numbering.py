"""Numbered paragraphs of a text: which scheme each has, and its number.

PowerPoint 2000 added them beside the styles of version 97: runs of characters with one mark (pp9rt) share an entry of a
list of additional properties, and each new mark means the next entry.
Source: [MS-PPT] 2.9.66 (StyleTextProp9Atom), 2.9.67, 2.9.68 (TextPFException9), 2.13.33 (schemes), 2.9.14 (TextCFException).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from docbeam.extractors.ooxml.docx.numbering import counted

MAX_ENTRIES = 10_000
_SCHEMES = (
    ("lowerLetter", "", "."), ("upperLetter", "", "."), ("decimal", "", ")"), ("decimal", "", "."), ("lowerRoman", "(", ")"),
    ("lowerRoman", "", ")"), ("lowerRoman", "", "."), ("upperRoman", "", "."), ("lowerLetter", "(", ")"),
    ("lowerLetter", "", ")"), ("upperLetter", "(", ")"), ("upperLetter", "", ")"), ("decimal", "(", ")"), ("decimal", "", ""),
    ("upperRoman", "(", ")"), ("upperRoman", "", ")"), ("chineseCounting", "", ""), ("chineseCounting", "", "."),
    ("decimalEnclosedCircle", "", ""),
)  # fmt: skip
_HAS_PICTURE, _HAS_SCHEME, _HAS_NUMBERS = 0x00800000, 0x01000000, 0x02000000
_RUN_MARK = 0x3C00
# Bits of a run's mask and the bytes of what they announce, in the order of the file.
_RUN_FIELDS = ((0x10000, 2), (0x200000, 2), (0x400000, 2), (0x800000, 2), (0x20000, 2), (0x40000, 4), (0x80000, 2))


class Scheme(NamedTuple):
    """How paragraphs are numbered: PowerPoint's number of the scheme, and the first number."""

    number: int
    start: int


def read_schemes(data: bytes) -> list[Scheme | None]:
    """Return the entries of a StyleTextProp9Atom, None for those without numbers."""
    found: list[Scheme | None] = []
    at = 0
    while at + 12 <= len(data) and len(found) < MAX_ENTRIES:
        mask = struct.unpack_from("<I", data, at)[0]
        at += 4 + (2 if mask & _HAS_PICTURE else 0)
        is_numbered = True
        if mask & _HAS_NUMBERS:
            is_numbered = data[at : at + 2] != b"\0\0"
            at += 2
        scheme = None
        if mask & _HAS_SCHEME:
            if at + 4 <= len(data) and is_numbered:
                scheme = Scheme(*struct.unpack_from("<HH", data, at))
            at += 4
        elif mask & _HAS_NUMBERS and is_numbered:
            scheme = Scheme(3, 1)
        found.append(scheme)
        if at + 4 > len(data):
            break
        at += 4 + (4 if struct.unpack_from("<I", data, at)[0] & 0x03F00000 else 0)
        at += 4 + _special_bytes(data, at)
    return found


def entry_places(data: bytes, at: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield characters and entry of each run of characters; `at` is where the runs begin in a StyleTextPropAtom."""
    done, entry, mark = 0, -1, -1
    while done < length and at + 8 <= len(data):
        count, mask = struct.unpack_from("<II", data, at)
        at += 8
        style = 0
        if mask & 0xFFFF:
            style = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
            at += 2
        at += sum(size for bits, size in _RUN_FIELDS if mask & bits)
        if style & _RUN_MARK != mark:
            mark = style & _RUN_MARK
            entry += 1
        done += count
        yield count, entry


class Counter:
    """Counts the numbered paragraphs of one text."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[Scheme, int]] = {}

    def label(self, scheme: Scheme | None, level: int) -> str:
        """Return a paragraph's label with a space, an empty text if it has none."""
        for deeper in [key for key in self._numbers if key > level or (key == level and scheme is None)]:
            del self._numbers[deeper]
        if scheme is None:
            return ""
        known, number = self._numbers.get(level, (None, 0))
        number = number + 1 if known == scheme else scheme.start
        self._numbers[level] = (scheme, number)
        form, before, after = _SCHEMES[scheme.number] if scheme.number < len(_SCHEMES) else ("decimal", "", ".")
        return f"{before}{counted(number, form)}{after} "


def _special_bytes(data: bytes, at: int) -> int:
    """Return the size of what a TextSIException's mask announces."""
    mask = struct.unpack("<I", data[at : at + 4].ljust(4, b"\0"))[0]
    size = sum(2 for bit in (0x01, 0x02, 0x04, 0x40) if mask & bit) + (4 if mask & 0x20 else 0)
    if mask & 0x200:
        size += 4 + 4 * int(struct.unpack("<I", data[at + 4 + size : at + 8 + size].ljust(4, b"\0"))[0] & 0xFFFF)
    return size
