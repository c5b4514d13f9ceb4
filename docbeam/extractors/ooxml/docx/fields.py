"""Fields of WordprocessingML: the result is shown, the instruction is not, and form fields show their value.

Source: ECMA-376-1 17.16 (fields), 17.16.17 (ffData).
"""

from __future__ import annotations

import re

from docbeam.extractors.ooxml.symbols import symbol
from docbeam.extractors.ooxml.xml import Element, W

CHECKED, UNCHECKED = "☒", "☐"
_OFF = ("0", "false", "off")
_SYMBOL = re.compile(
    r'SYMBOL\s+(0x[0-9a-fA-F]{1,6}|[0-9]{1,7})(?:.*?\\f\s+"?([^"\\]+?)"?\s*(?:\\|$))?', re.IGNORECASE | re.DOTALL
)
_MACRO_BUTTON = re.compile(r"(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s+(.*)", re.IGNORECASE | re.DOTALL)
_EQ_SWITCH = re.compile(r'\\\*\s*(?:"[^"]*"|\S+)|\\[a-zA-Z]{1,2}(?:\s*-?\d+(?:\.\d+)?)?(?=[\s(\\])')


class Field:
    """One open complex field."""

    __slots__ = ("code", "has_result", "hidden", "value")

    def __init__(self, value: str | None) -> None:
        self.value = value  # of a form field, which takes the result's place
        self.code: list[str] = []
        self.hidden: list[str] = []  # text inside the instruction
        self.has_result = False


class Fields:
    """The open fields at one point of a story; `is_hidden` while the text there is not shown."""

    def __init__(self) -> None:
        self._open: list[Field] = []
        self.is_hidden = False

    @property
    def hidden(self) -> list[str]:
        """Return where text goes that is not shown."""
        return self._open[-1].hidden

    def instruct(self, text: str) -> None:
        """Take a piece of an instruction."""
        if self._open:
            self._open[-1].code.append(text)

    def mark(self, char: Element) -> str:
        """Follow a w:fldChar; return the text that it shows by itself: a form field's value, a field without a result."""
        kind = char.get(W + "fldCharType", "")
        shown = ""
        if kind == "begin":
            data = char.find(W + "ffData")
            value = None if data is None else form_value(data)
            shown = "" if self.is_hidden else value or ""
            self._open.append(Field(value))
        elif kind == "separate" and self._open:
            self._open[-1].has_result = True
        elif kind == "end" and self._open:
            field = self._open.pop()
            if not field.has_result and field.value is None:
                shown = unresolved("".join(field.code))
                if shown and self._is_hidden():
                    self.instruct(shown)
                    shown = ""
        self.is_hidden = self._is_hidden()
        return shown

    def left_open(self) -> str:
        """Return the text that fields hide which never end, at the end of a story."""
        text = "".join(text for field in self._open if not field.has_result for text in field.hidden)
        self._open.clear()
        self.is_hidden = False
        return text

    def _is_hidden(self) -> bool:
        return any(not field.has_result or field.value is not None for field in self._open)


def form_value(data: Element) -> str | None:
    """Return the value of a legacy form field: its chosen entry or its box; None for a text field, which has a result."""
    box = data.find(W + "checkBox")
    if box is not None:
        state = box.find(W + "checked")
        if state is None:
            state = box.find(W + "default")
        is_checked = state is not None and state.get(W + "val", "1").lower() not in _OFF
        return CHECKED if is_checked else UNCHECKED
    choices = data.find(W + "ddList")
    if choices is None:
        return None
    entries = [entry.get(W + "val", "") for entry in choices.findall(W + "listEntry")]
    for name in ("result", "default"):
        chosen = choices.find(W + name)
        index = "" if chosen is None else chosen.get(W + "val", "")
        if index.isascii() and index.isdigit() and int(index) < len(entries):
            return str(entries[int(index)])
    return str(entries[0]) if entries else ""


def unresolved(code: str) -> str:
    """Return what Word shows for the few fields that have no result in the file: SYMBOL, MACROBUTTON, EQ."""
    code = code.strip()
    if match := _SYMBOL.match(code):
        code_point = match.group(1).lower()
        number = int(code_point, 16 if code_point.startswith("0x") else 10)
        return symbol(match.group(2) or "Symbol", number)
    if match := _MACRO_BUTTON.match(code):
        return match.group(1).strip()
    if re.match(r"EQ\b", code, re.IGNORECASE):
        words = re.split(r"[(),;]+", _EQ_SWITCH.sub(" ", code[2:]))
        return " ".join(word for word in (" ".join(piece.split()) for piece in words) if word)
    return ""
