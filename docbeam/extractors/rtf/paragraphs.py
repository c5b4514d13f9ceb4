"""Paragraphs, sections, lists and tables: where a line ends and what it belongs to.

Source: RTF 1.9.1, "Paragraph formatting properties", "Table definitions", "Paragraph text".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.rtf.story import joined, list_label

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

Word = Callable[["RtfDocument", "int | None"], None]


def _par(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.end_paragraph()


def _break(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.add("\n")


def _section(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.end_paragraph()
    if document.group.story is document.body:
        document.emit_footers()


def _pard(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.reset_paragraph()


def _in_table(document: RtfDocument, number: int | None) -> None:
    document.group.table_level = max(document.group.table_level, 1)


def _table_level(document: RtfDocument, number: int | None) -> None:
    document.group.table_level = max(number if number is not None else 1, 0)


def _list_level(document: RtfDocument, number: int | None) -> None:
    document.group.indent = max(number or 0, 0)


def _outline(document: RtfDocument, number: int | None) -> None:
    document.group.is_heading = number is not None and 0 <= number < 9


def _row_begins(document: RtfDocument, number: int | None) -> None:
    document.is_header_row = False


def _header_row(document: RtfDocument, number: int | None) -> None:
    document.is_header_row = True


def _end_cell(document: RtfDocument, is_nested: bool) -> None:
    document.flush()
    group = document.group
    if group.story is None:
        document.add("\t")
    else:
        group.story.end_cell(max(group.table_level, 2) if is_nested else 1, group.indent)


def _end_row(document: RtfDocument, is_nested: bool) -> None:
    document.flush()
    group = document.group
    if group.story is None:
        document.add("\n")
    else:
        group.story.end_row(max(group.table_level, 2) if is_nested else 1, is_header=document.is_header_row)


def _label(document: RtfDocument, number: int | None) -> None:
    document.flush()
    story, sink = document.group.story, list[str]()

    def end() -> None:
        if story is not None and (label := list_label(joined(sink))):
            story.label = label

    document.group.collect(sink, end)


WORDS: dict[str, Word] = {
    "par": _par, "sect": _section, "page": _break, "column": _break, "pard": _pard, "intbl": _in_table, "itap": _table_level,
    "ilvl": _list_level, "outlinelevel": _outline, "trowd": _row_begins, "trhdr": _header_row,
    "cell": lambda document, number: _end_cell(document, False),
    "nestcell": lambda document, number: _end_cell(document, True),
    "row": lambda document, number: _end_row(document, False),
    "nestrow": lambda document, number: _end_row(document, True),
    "listtext": _label, "pntext": _label,
}  # fmt: skip
