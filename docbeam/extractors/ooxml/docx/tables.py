"""Tables of a Word document: rows to the table writer, merged cells once, header rows as the document marks them.

A row that only lays out the page (one cell, a table in a cell, a cell of many paragraphs) gives its cells one under the
other, so that reading order holds and nested rows never run into the outer one. Source: ECMA-376-1 17.4; 17.7.6 (the
looks of table styles).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import Full
from docbeam.extractors.ooxml.xml import Element, W
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.tables import TableWriter

if TYPE_CHECKING:
    from docbeam.extractors.ooxml.docx.story import Story

MAX_PARAGRAPHS_IN_CELL = 12  # more than a table of data has in one cell
MAX_CHARS_IN_CELL = 3_000
MAX_SPAN = 64  # columns in Word
MAX_BASED_ON = 20  # styles on styles
FIRST_ROW_LOOK = 0x0020  # bit of w:tblLook
Emit = Callable[[str], None]

_TR, _TC, _TRPR, _TCPR = W + "tr", W + "tc", W + "trPr", W + "tcPr"
_OFF = ("0", "false", "off")


def table_lines(story: Story, table: Element, emit: Emit) -> None:
    """Emit the rows of a table; blank lines around it where it is not inside another one."""
    outermost = story.in_table == 1
    if outermost:
        emit("")
    description = _description(table)
    if description and description not in story.book.described:  # templates give all their tables the same
        story.book.described.add(description)
        emit(description)
    has_columns = len(table.findall(f"{W}tblGrid/{W}gridCol")) > 1
    has_header = _has_header_style(story, table) or _has_bold_first_row(table)
    writer = TableWriter(story.book.out, header_rows=int(has_header), emit=emit)
    try:
        for row in _children(table, _TR):
            if any(node.tag == W + "del" for properties in row.iterchildren(_TRPR) for node in properties):
                continue
            _Row(story, row, has_columns).write(writer)
            if outermost:
                late: list[str] = []
                story.late_lines(late.append)
                if late:
                    writer.between(late)
    finally:
        writer.end()
    if outermost:
        emit("")


def _description(table: Element) -> str:
    """Return the title and the alternative text of a table as a line, or an empty text."""
    found = (table.find(f"{W}tblPr/{W}{name}") for name in ("tblCaption", "tblDescription"))
    words = (" ".join(node.get(W + "val", "").split()) for node in found if node is not None)
    text = ": ".join(dict.fromkeys(filter(None, words)))
    return f"[Table: {text}]" if text else ""


def header_styles(styles: Element | None) -> frozenset[str]:
    """Return the ids of the table styles that give the first row a look of its own, also by what they are based on."""
    own: set[str] = set()
    parents: dict[str, str] = {}
    for style in () if styles is None else styles.iterchildren(W + "style"):
        if style.get(W + "type") == "table":
            key, based_on = style.get(W + "styleId", ""), style.find(W + "basedOn")
            parents[key] = "" if based_on is None else based_on.get(W + "val", "")
            if any(look.get(W + "type") == "firstRow" and len(look) for look in style.iterchildren(W + "tblStylePr")):
                own.add(key)
    return frozenset(key for key in parents if any(ancestor in own for ancestor in _ancestors(key, parents)))


def _ancestors(key: str, parents: dict[str, str]) -> Iterator[str]:
    for _ in range(MAX_BASED_ON):
        if not key:
            return
        yield key
        key = parents.get(key, "")


def _has_header_style(story: Story, table: Element) -> bool:
    """Say whether the table's style draws its first row as a header, and the table wants it."""
    style, look = table.find(f"{W}tblPr/{W}tblStyle"), table.find(f"{W}tblPr/{W}tblLook")
    if style is None or look is None or style.get(W + "val", "") not in story.book.header_styles:
        return False
    if (wanted := look.get(W + "firstRow")) is not None:
        return wanted not in _OFF
    try:
        return bool(int(look.get(W + "val", "0"), 16) & FIRST_ROW_LOOK)
    except ValueError:
        return False


def _has_bold_first_row(table: Element) -> bool:
    """Say whether all words of the first row, and not all of the second, are set in bold."""
    first, second = ([*islice(table.iterchildren(_TR), 2), None, None])[:2]
    return first is not None and second is not None and len(first.findall(_TC)) > 1 and _is_bold(first) and not _is_bold(second)


def _is_bold(row: Element) -> bool:
    runs = [run for run in row.iter(W + "r") if any((text.text or "").strip() for text in run.iterchildren(W + "t"))]
    return bool(runs) and all(
        any(
            bold.get(W + "val", "1") not in _OFF
            for properties in run.iterchildren(W + "rPr")
            for bold in properties.iterchildren(W + "b")
        )
        for run in runs
    )


class _Row:
    """One row while it is read."""

    def __init__(self, story: Story, row: Element, has_columns: bool) -> None:
        self._story = story
        self._row = row
        self._has_columns = has_columns
        self._cells: list[list[str]] = []
        self._spans: list[int] = []
        self._has_table = False

    def write(self, writer: TableWriter) -> None:
        """Read the row's cells and write them; when the text is full, those that were read. Raises Full."""
        story = self._story
        try:
            for cell in _children(self._row, _TC):
                lines: list[str] = []
                self._cells.append(lines)
                self._spans.append(_span(cell))
                tables = story.tables
                story.blocks(cell, lines.append)
                self._has_table = self._has_table or story.tables > tables
        except Full:
            self._written(writer, is_whole=False)
            raise
        self._written(writer, is_whole=True)

    def _written(self, writer: TableWriter, *, is_whole: bool) -> None:
        shown = [[line for line in map(without_anchors, lines) if line.strip()] for lines in self._cells]
        is_single = is_whole and len(shown) == 1
        is_long = any(len(lines) > MAX_PARAGRAPHS_IN_CELL or sum(map(len, lines)) > MAX_CHARS_IN_CELL for lines in shown)
        is_omitted = self._story.book.out.options.tables == "omit" and self._has_columns and not self._has_table
        if (self._has_table or is_long or is_single) and not is_omitted:
            writer.between(line for lines in self._cells for line in lines if line.strip())
            return
        columns: list[str] = []
        for lines, span in zip(shown, self._spans, strict=True):
            columns.append(" ".join(" ".join(lines).split()))
            columns += [""] * (span - 1)
        writer.row(columns, is_header=_is_marked_header(self._row))
        if anchors := anchors_in("".join(line for lines in self._cells for line in lines)):
            writer.aside([anchors])


def _is_marked_header(row: Element) -> bool:
    marks = [mark for properties in row.iterchildren(_TRPR) for mark in properties.iterchildren(W + "tblHeader")]
    return any(mark.get(W + "val", "1") not in _OFF for mark in marks)


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
