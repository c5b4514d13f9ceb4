"""Tables of a Word document: one row a line, cells set off by tabs, merged cells once.

A row that only lays out the page (one cell, a table in a cell, a cell of many paragraphs) gives its cells one under the
other, so that reading order holds and nested rows never run into the outer one. Source: ECMA-376-1 17.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import Full
from docbeam.extractors.ooxml.xml import Element, W

if TYPE_CHECKING:
    from docbeam.extractors.ooxml.docx.story import Story

MAX_PARAGRAPHS_IN_CELL = 12  # more than a table of data has in one cell
MAX_CHARS_IN_CELL = 3_000
MAX_SPAN = 64  # columns in Word
Emit = Callable[[str], None]

_TR, _TC, _TRPR, _TCPR = W + "tr", W + "tc", W + "trPr", W + "tcPr"


def table_lines(story: Story, table: Element, emit: Emit) -> None:
    """Emit the rows of a table; blank lines around it where it is not inside another one."""
    outermost = story.in_table == 1
    if outermost:
        emit("")
    for row in _children(table, _TR):
        if any(node.tag == W + "del" for properties in row.iterchildren(_TRPR) for node in properties):
            continue
        _row_lines(story, row, emit)
        if outermost:
            story.late_lines(emit)
    if outermost:
        emit("")


def _row_lines(story: Story, row: Element, emit: Emit) -> None:
    cells: list[list[str]] = []
    spans: list[int] = []
    is_layout = False
    try:
        for cell in _children(row, _TC):
            lines: list[str] = []
            cells.append(lines)
            spans.append(_span(cell))
            tables = story.tables
            story.blocks(cell, lines.append)
            is_layout = is_layout or story.tables > tables
    except Full:
        _emit_row(cells, spans, is_layout, emit)
        raise
    _emit_row(cells, spans, is_layout or len(cells) == 1, emit)


def _emit_row(cells: list[list[str]], spans: list[int], is_layout: bool, emit: Emit) -> None:
    filled = [[line for line in lines if line.strip()] for lines in cells]
    if is_layout or any(len(lines) > MAX_PARAGRAPHS_IN_CELL or sum(map(len, lines)) > MAX_CHARS_IN_CELL for lines in filled):
        for lines in filled:
            for line in lines:
                emit(line)
        return
    columns: list[str] = []
    for lines, span in zip(filled, spans, strict=True):
        columns.append(" ".join(" ".join(lines).split()))
        columns += [""] * (span - 1)
    line = "\t".join(columns).rstrip()
    if line:
        emit(line)


def _span(cell: Element) -> int:
    for properties in cell.iterchildren(_TCPR):
        for node in properties.iterchildren(W + "gridSpan"):
            text = node.get(W + "val", "")
            return min(max(int(text), 1), MAX_SPAN) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    return 1


def _children(parent: Element, wanted: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, also those in content controls, custom XML and insertions."""
    stack = list(reversed(parent))
    while stack:
        node = stack.pop()
        if node.tag == wanted:
            yield node
        elif isinstance(node.tag, str) and node.tag not in (W + "del", W + "moveFrom", _TRPR, W + "tblPr", W + "tblGrid"):
            stack += reversed(node)
