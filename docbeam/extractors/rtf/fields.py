"""Fields: the result is shown, the instruction is not, and form fields show their value.

Source: RTF 1.9.1, "Fields", "Form fields".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.ooxml.docx.fields import CHECKED, UNCHECKED, unresolved
from docbeam.extractors.rtf.story import joined

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

Word = Callable[["RtfDocument", "int | None"], None]
MAX_FIELDS = 500  # open at the same time
MAX_CHOICES = 500  # of one drop-down field
MAX_CODE_CHARS = 10_000


class Field:
    """One open field."""

    def __init__(self) -> None:
        self.code = ""
        self.has_result = False
        self.kind = 0  # of a form field: text, box, list
        self.chosen = self.default = -1
        self.choices: list[str] = []

    def shown(self) -> str:
        """Return what the field shows where it has no result in the file."""
        chosen = self.default if self.chosen in (-1, 25) else self.chosen
        if self.kind == 1 or (self.kind == 0 and "FORMCHECKBOX" in self.code):
            return CHECKED if chosen == 1 else UNCHECKED
        if self.kind == 2:
            return self.choices[max(chosen, 0)] if max(chosen, 0) < len(self.choices) else ""
        return unresolved(self.code)


def _field(document: RtfDocument, number: int | None) -> None:
    document.flush()
    field = Field()
    if len(document.open_fields) >= MAX_FIELDS:
        return
    document.open_fields.append(field)

    def end() -> None:
        if field in document.open_fields:
            del document.open_fields[document.open_fields.index(field) :]
        if not field.has_result and (shown := field.shown()):
            document.add(shown)

    document.group.on_end = end


def _instruction(document: RtfDocument, number: int | None) -> None:
    document.flush()
    sink, field = list[str](), document.open_fields[-1] if document.open_fields else Field()

    def end() -> None:
        field.code += joined(sink)[:MAX_CODE_CHARS]

    document.group.collect(sink, end)


def _result(document: RtfDocument, number: int | None) -> None:
    document.flush()
    field, texts = document.open_fields[-1] if document.open_fields else Field(), document.texts

    def end() -> None:
        field.has_result = field.has_result or document.texts > texts

    document.group.on_end = end


def _form(document: RtfDocument, name: str, number: int | None) -> None:
    if document.open_fields:
        setattr(document.open_fields[-1], name, number if number is not None else 1)


def _choice(document: RtfDocument, number: int | None) -> None:
    field = document.open_fields[-1] if document.open_fields else Field()

    def take(text: str) -> None:
        if len(field.choices) < MAX_CHOICES:
            field.choices.append(text.strip())

    document.text_to(take)


WORDS: dict[str, Word] = {
    "field": _field, "fldinst": _instruction, "fldrslt": _result, "ffl": _choice,
    "ffname": lambda document, number: document.skip_group(),
    "fftype": lambda document, number: _form(document, "kind", number),
    "ffres": lambda document, number: _form(document, "chosen", number),
    "ffdefres": lambda document, number: _form(document, "default", number),
}  # fmt: skip
