"""Fields of a Word document: the result is shown, the code is not, and form fields show their value.

Source: [MS-DOC] 2.8.25 (fields), 2.9.78 (FFData), 2.9.157 (NilPICFAndBinData).
"""

from __future__ import annotations

import struct

from docbeam.extractors.ooxml.docx.fields import CHECKED, UNCHECKED, unresolved

MAX_OPEN = 200  # fields in fields
_TEXT, _BOX, _CHOICES = 0, 1, 2
_DEFAULT = 25  # "as the default says", in place of a result


class _Field:
    __slots__ = ("code", "has_result", "value")

    def __init__(self) -> None:
        self.code: list[str] = []
        self.has_result = False
        self.value: str | None = None  # of a form field, which takes the result's place


class Fields:
    """The open fields at one point of a story."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self.is_hidden = False

    def begin(self) -> None:
        """Open a field."""
        if len(self._open) < MAX_OPEN:
            self._open.append(_Field())
        self._look()

    def separate(self) -> None:
        """End the code of the innermost field; its result follows."""
        if self._open:
            self._open[-1].has_result = True
        self._look()

    def end(self) -> str:
        """Close the innermost field; return the text that it shows by itself."""
        if not self._open:
            return ""
        field = self._open.pop()
        self._look()
        shown = field.value or ""
        if not field.has_result and field.value is None:
            shown = unresolved("".join(field.code))
        if shown and self.is_hidden:
            self.instruct(shown)
            return ""
        return shown

    def instruct(self, text: str) -> None:
        """Take text that is not shown: a piece of the code, or a result that a form field's value stands for."""
        if self._open and not self._open[-1].has_result:
            self._open[-1].code.append(text)

    def value(self, value: str | None) -> None:
        """Set the value of the innermost field."""
        if self._open:
            self._open[-1].value = value
        self._look()

    def left_open(self) -> str:
        """Return the text of fields that never end, at the end of a story: those without a result may be none."""
        text = "".join("".join(field.code) for field in self._open if not field.has_result)
        self._open.clear()
        self.is_hidden = False
        return text

    def _look(self) -> None:
        self.is_hidden = any(not field.has_result or field.value is not None for field in self._open)


def form_value(data: bytes, location: int) -> str | None:
    """Return the value of a form field in the data stream: its chosen entry or its box; None where it has a result."""
    if location + 6 > len(data):
        return None
    size, header_bytes = struct.unpack_from("<IH", data, location)
    at, end = location + header_bytes, min(location + size, len(data))
    if at + 10 > end or data[at : at + 4] != b"\xff\xff\xff\xff":
        return None
    bits = struct.unpack_from("<H", data, at + 4)[0]
    kind, chosen = bits & 3, (bits >> 2) & 0x1F
    if kind not in (_BOX, _CHOICES):
        return None
    at = _after_text(data, at + 10)  # the name
    default = struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0]
    chosen = default if chosen == _DEFAULT else chosen
    if kind == _BOX:
        return CHECKED if chosen else UNCHECKED
    at += 2
    for _ in range(5):  # format, help, status, and two macros
        at = _after_text(data, at)
    return _entry(data, at, end, chosen)


def _entry(data: bytes, at: int, end: int, chosen: int) -> str:
    if at + 8 > end or data[at : at + 2] != b"\xff\xff":
        return ""
    count = struct.unpack_from("<H", data, at + 2)[0]
    at += 6 if data[at + 4 : at + 6] == b"\0\0" and count < 0x8000 else 8
    for index in range(min(count, 100)):
        if at + 2 > end:
            break
        size = struct.unpack_from("<H", data, at)[0] * 2
        if index == chosen:
            return data[at + 2 : at + 2 + size].decode("utf-16-le", "replace")
        at += 2 + size
    return ""


def _after_text(data: bytes, at: int) -> int:
    return at + 4 + 2 * int(struct.unpack("<H", data[at : at + 2].ljust(2, b"\0"))[0])
