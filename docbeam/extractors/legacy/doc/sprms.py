"""Single property modifiers: the operations that say how characters and paragraphs look.

Source: [MS-DOC] 2.2.5.1 (Sprm), 2.6 (their meanings); Microsoft's Word 97 description for the one-byte codes of Word 6.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_SIZES = (1, 1, 2, 4, 2, 2, 0, 3)  # by the upper three bits; 0 for those that begin with their length
_DEFINE_TABLE, _CHANGE_TABS = 0xD608, 0xC615

# Word 6: codes of Word 97 for those that are read here, and sizes for the others; 0 means a length byte.
_MEANING_6 = {
    2: 0x4600, 13: 0x260A, 24: 0x2416, 25: 0x2417, 65: 0x0800, 67: 0x0802, 68: 0x6A03, 71: 0x0806, 74: 0x6A09, 75: 0x080A,
    80: 0x4A30, 93: 0x4A4F, 117: 0x0855, 118: 0x0856, 186: 0x3404,
}  # fmt: skip
_SIZES_6 = {
    **dict.fromkeys((3, 12, 15, 23, 52, 57, 68, 74, 81, 82, 103, 105, 106, 108, 119, 120, 133, 187, 188, 190, 191), 0),
    **dict.fromkeys((2, 16, 17, 18, 19, 21, 22, 26, 27, 28, *range(30, 37), *range(38, 44), 45, 46, 47, 48, 49, 69, 72), 2),
    **dict.fromkeys((80, 93, 96, 97, 107, 109, 110, 121, 122, 123, 131, 137, 138, *range(140, 147), *range(148, 155)), 2),
    **dict.fromkeys((160, 161, 164, 165, 182, 183, 184, 185, 189, 199), 2), **dict.fromkeys((73, 95, 136), 3),
    **dict.fromkeys((20, 70, 192, 194, 195), 4), 83: 0, 193: 5, 196: 4, 197: 2, 198: 4,
}  # fmt: skip
_PLAIN_6 = 83
_LONG_LENGTHS_6 = (188, 190)


def modifiers(data: bytes, is_word_6: bool) -> Iterator[tuple[int, bytes]]:
    """Yield the code (Word 97's) and operand of each modifier of a list; a broken list ends early."""
    return _modifiers_6(data) if is_word_6 else _modifiers_97(data)


def _modifiers_97(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 2 < len(data):
        code = struct.unpack_from("<H", data, at)[0]
        at += 2
        size = _SIZES[code >> 13]
        if size == 0:
            if code == _DEFINE_TABLE:
                size = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0] + 1
            elif code == _CHANGE_TABS and data[at] == 255:
                return  # its length is in its content, and nothing that is read here follows it
            else:
                at += 1
                size = data[at - 1]
        yield code, data[at : at + size]
        at += size


def _modifiers_6(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        size = _SIZES_6.get(code, 1)
        if size == 0 and code != _PLAIN_6:
            if code in _LONG_LENGTHS_6:
                size = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0] + 1
            elif at < len(data):
                size = data[at]
                at += 1
        if code in _MEANING_6:
            yield _MEANING_6[code], data[at : at + size]
        at += size


def number(operand: bytes) -> int:
    """Return an operand as a whole number."""
    return int.from_bytes(operand[:4], "little")
