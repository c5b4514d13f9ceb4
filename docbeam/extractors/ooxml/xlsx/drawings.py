"""What lies over the cells: text boxes, shapes, charts, diagrams and form controls; pictures are handed out.

A chart's numbers and labels stand in cells, so of a chart only its own words are read. Source: ECMA-376-1, 20.5
(spreadsheet drawings), 21.2 (charts); [MS-ODRAWXML] 2.24 (charts since 2016); ECMA-376-4, 19.1 (VML controls).
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.drawing import body_lines, paragraph_text
from docbeam.extractors.ooxml.graphics import Graphics, description, shape_size
from docbeam.extractors.ooxml.package import Package, Relation
from docbeam.extractors.ooxml.xlsx.strings import one_line
from docbeam.extractors.ooxml.xml import MC, A, C, Element, R, local_name

VML = "{urn:schemas-microsoft-com:vml}"


class Drawings:
    """Reads the drawings of sheets, one after the other; a picture that many sheets show is handed out once."""

    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self._graphics = Graphics(package, out)

    def lines(self, sheet: str) -> Iterator[str]:
        """Yield the text of a sheet's drawings, by their places from top to bottom. Raises: Full at the deadline."""
        yield from self._pictures(sheet)  # a background
        known: set[str] = set()  # a control stands in both kinds of drawing
        for relation in self._package.related(sheet, "drawing"):
            for line in self._drawing_lines(relation.target):
                known.add(line)
                yield line
        for relation in self._package.related(sheet, "vmlDrawing"):
            yield from self._pictures(relation.target)  # in a header or footer
            yield from (line for line in self._vml_lines(relation.target) if line not in known)

    def warn_unread(self, workbook: str) -> None:
        """Hand out the pictures inside cells, and the package's embedded files; name sounds and macros. Raises Full."""
        for relation in self._package.related(workbook, "richValueRel"):
            for line in self._pictures(relation.target):
                self._out.line(line)
        self._graphics.warn_unread()

    def _pictures(self, part: str) -> Iterator[str]:
        for relation in self._package.related(part, "image"):
            yield from self._graphics.picture(part, relation.id, None)

    def _drawing_lines(self, part: str) -> Iterator[str]:
        root = self._package.xml_or_warn(part, self._out)
        if root is None:
            return
        etree.strip_elements(root, MC + "Fallback", with_tail=False)
        for anchor in sorted(root, key=_place):
            self._out.check_deadline()
            for element in anchor.iter(etree.Element):
                yield from self._element_lines(part, element)

    def _element_lines(self, part: str, element: Element) -> list[str]:
        if element.tag == A + "p":
            return [line for piece in paragraph_text(element).split("\n") if (line := one_line(piece))]
        kind = local_name(element)
        if kind == "cNvPr" and local_name(element.getparent()) != "nvGraphicFramePr":  # of a chart: made up by the program
            return [line] if (line := description(element)) else []
        if kind == "blip":
            return self._graphics.picture(part, element.get(R + "embed"), _size_around(element))
        if kind == "relIds":
            return [line.strip() for line in self._graphics.lines(part, element)]
        if kind == "chart" and (relation := self._package.rels(part).get(element.get(R + "id", ""))):
            return self._chart_lines(relation)
        return []

    def _chart_lines(self, relation: Relation) -> list[str]:
        root = None if relation.is_external else self._package.xml_or_warn(relation.target, self._out)
        if root is None:
            return []
        lines = chart_lines(root)
        for shapes in self._package.related(relation.target, "chartUserShapes"):
            drawn = self._package.xml_or_warn(shapes.target, self._out)
            lines += [] if drawn is None else [one_line(line) for line in body_lines(drawn)]
        return lines

    def _vml_lines(self, part: str) -> Iterator[str]:
        root, _ = self._package.xml_or_problem(part)  # VML is HTML of 1999: rarely well-formed, and read all the same
        for shape in () if root is None else root.iter(VML + "*"):
            kinds = {data.get("ObjectType") for data in shape if local_name(data) == "ClientData"}
            if kinds and "Note" not in kinds:
                for box in shape.iter(VML + "textbox"):
                    if line := " ".join("".join(box.itertext()).split()):
                        yield line


def chart_lines(root: Element) -> list[str]:
    """Return a chart's title, the titles of its axes, its written labels, the names of its series and its own categories."""
    lines: list[str] = []
    for element in root.iter("{*}title", "{*}rich"):
        if local_name(element) == "rich":
            lines += [one_line(line) for line in body_lines(element)]
        elif next(element.iter("{*}rich"), None) is None and (text := _cached(element)):
            lines.append(text)
    names = [_cached(name) for series in root.iter("{*}ser", "{*}series") for name in series if local_name(name) == "tx"]
    own = [*root.iter(C + "strLit"), *(reference for reference in root.iter(C + "strRef") if _is_elsewhere(reference))]
    labels = [one_line(value.text or "") for literal in own for value in literal.iter(C + "v")]
    return lines + ["\t".join(words) for row in (names, labels) if (words := dict.fromkeys(word for word in row if word))]


def _is_elsewhere(reference: Element) -> bool:
    """Say whether the cells that a reference means stand in another workbook: `[1]Sheet1!$A$1`."""
    return "[" in (reference.findtext(C + "f") or "")


def _cached(name: Element) -> str:
    return " ".join(text for value in name.iter("{*}v") if (text := one_line(value.text or "")))


def _size_around(element: Element) -> tuple[int, int] | None:
    for around in element.iterancestors():
        if local_name(around) in ("pic", "sp"):
            return shape_size(around)
    return None


def _place(anchor: Element) -> tuple[int, int]:
    for start in anchor:
        if local_name(start) == "from":
            numbers = {local_name(child): (child.text or "").strip() for child in start}
            row, column = numbers.get("row", ""), numbers.get("col", "")
            return (int(row) if row.isdecimal() else 0, int(column) if column.isdecimal() else 0)
    return (0, 0)
