"""Lists and tables: what they do at their begin and at their end.

Source: HTML Standard, 4.4.5 to 4.4.8 (lists) and 4.9 (tables).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborNode

from docbeam.extractors.html.elements import BLANK, LINE, Leave, children, item_number, nothing, numeral
from docbeam.extractors.html.flow import Flow
from docbeam.extractors.html.tables import Grid, span
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.tables import TableWriter

if TYPE_CHECKING:
    from docbeam.extractors.html.layout import Layout


def list_of_items(layout: Layout, node: LexborNode) -> Leave:
    """Begin a list: set off by blank lines, or by line ends inside another list."""
    is_inner = bool(layout.lists)
    layout.flow.block(LINE if is_inner else BLANK)
    if node.tag == "ol":
        attributes = node.attributes
        start, step = item_number(attributes.get("start")), 1
        if "reversed" in attributes:
            step = -1
            start = start if start is not None else sum(1 for item in children(node) if item.tag == "li")
        layout.lists.append((1 if start is None else start, step, attributes.get("type") or "1"))
    else:
        layout.lists.append(None)

    def end() -> None:
        layout.lists.pop()
        layout.flow.block(LINE if is_inner else BLANK)

    return end


def item(layout: Layout, node: LexborNode) -> Leave:
    """Begin a list item: its marker, and an indent for what follows."""
    marker = "- "
    if layout.lists and (numbered := layout.lists[-1]) is not None:
        number, step, kind = numbered
        value = item_number(node.attributes.get("value"))
        number = number if value is None else value
        layout.lists[-1] = (number + step, step, kind)
        marker = f"{numeral(number, kind)}. "
    flow = layout.flow
    flow.indent += len(marker)
    flow.item(marker)

    def end() -> None:
        flow.indent -= len(marker)
        flow.drop_marker()

    return end


def table(layout: Layout, node: LexborNode) -> Leave:
    """Begin a table: a grid for data, blocks for layout."""
    shape = layout.shapes.get(node.mem_id)
    grid = Grid() if shape is not None and shape.is_data else None
    layout.grids.append(grid)
    lists, layout.lists = layout.lists, []
    layout.flow.block(BLANK)

    def end() -> None:
        layout.grids.pop()
        layout.lists = lists
        if grid is not None:
            write_rows(layout, grid)
            layout.flow.anchor(grid.anchors)

    return end


def write_rows(layout: Layout, grid: Grid) -> None:
    """Write the rows of a data table, a line each; of a table inside a cell of another one as words of that cell."""

    def emit(line: str) -> None:
        layout.flow.block(LINE)
        layout.flow.raw(line)

    if any(outer is not None for outer in layout.grids):
        for cells, _ in grid.rows():
            emit(" ".join(cells))
        return
    table = TableWriter(layout.out, emit=emit)
    for cells, is_header in grid.rows():
        table.row(cells, is_header=is_header)
    table.end()


def row(layout: Layout, node: LexborNode) -> Leave:
    """Begin a row."""
    layout.out.check_deadline()
    if not layout.grids or (grid := layout.grids[-1]) is None:
        layout.flow.block(LINE)
        return nothing
    if grid.chars > layout.out.options.max_extracted_chars:
        write_rows(layout, grid)  # more can't be wanted: this fills the text
    grid.row(is_header=node.parent is not None and node.parent.tag == "thead")
    return nothing


def cell(layout: Layout, node: LexborNode) -> Leave:
    """Begin a cell: in a data table its text is collected and put on one line."""
    if not layout.grids or (grid := layout.grids[-1]) is None:
        layout.flow.block(LINE)
        return nothing
    attributes, parts = node.attributes, list[str]()
    layout.flows.append(layout.flow)
    layout.flow = Flow(parts.append)
    pre, layout.pre = layout.pre, 0

    def end() -> None:
        layout.flow = layout.flows.pop()
        layout.pre = pre
        text, is_header = "".join(parts), node.tag == "th"
        grid.anchors += anchors_in(text)
        text = " ".join(without_anchors(text).split())
        grid.cell(text, span(attributes.get("colspan")), span(attributes.get("rowspan")), is_header=is_header)

    return end
