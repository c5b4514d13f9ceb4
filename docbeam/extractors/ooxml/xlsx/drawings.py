"""What lies over the cells: text boxes, shapes, charts, diagrams and form controls; pictures and objects are named.

Source: ECMA-376-1, 20.5 (spreadsheet drawings), 21.2 (charts), 21.4 (diagrams); MS-ODRAWXML 2.24 (charts since 2016);
ECMA-376-4, 14.1 (VML) for controls of old.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package, Relation
from docbeam.extractors.ooxml.xlsx.strings import one_line
from docbeam.extractors.ooxml.xml import MC, A, C, Element, local_name, recover_xml
from docbeam.schemas.vocabulary import WarningCode

EMBEDDED = ("oleObject", "package", "control")
PICTURES = ("image", "hdphoto")


class Drawings:
    """Reads the drawings of sheets, and remembers which pictures and objects have been named in warnings."""

    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self._named: set[str] = set()

    def lines(self, sheet: str, number: int) -> list[str]:
        """Return the text of a sheet's drawings, by their places from top to bottom."""
        self._name_objects(sheet, number)
        lines: list[str] = []
        for relation in self._package.related(sheet, "drawing"):
            lines += self._drawing_lines(relation.target, number)
        for relation in self._package.related(sheet, "vmlDrawing", "legacyDrawing"):
            self._name_objects(relation.target, number)
            known = set(lines)  # a control stands in both kinds of drawing
            lines += [line for line in self._vml_lines(relation.target) if line not in known]
        return lines

    def name_leftovers(self) -> None:
        """Warn of pictures and embedded files that no sheet's drawing refers to (pictures in cells, backgrounds)."""
        for name in self._package.names():
            folder = name.lower().rpartition("/")[0]
            if name not in self._named and folder.endswith(("/media", "/embeddings")):
                self._warn("media" in folder, name, "workbook")

    def _name_objects(self, part: str, number: int) -> None:
        for relation in self._package.related(part, *PICTURES, *EMBEDDED):
            if relation.target not in self._named:
                self._warn(relation.type in PICTURES, relation.target, f"page {number}")

    def _warn(self, is_picture: bool, name: str, where: str) -> None:
        self._named.add(name)
        if is_picture:
            self._out.warn(WarningCode.NEEDS_OCR, name, f"a picture, {where}: its text was not recognised")
        else:
            self._out.warn(WarningCode.EMBEDDED_NOT_READ, name, f"an embedded object, {where}: it was not read")

    def _drawing_lines(self, part: str, number: int) -> list[str]:
        root = self._package.xml_or_warn(part, self._out)
        if root is None:
            return []
        self._name_objects(part, number)
        etree.strip_elements(root, MC + "Fallback", with_tail=False)
        relations = self._package.rels(part)
        lines: list[str] = []
        for anchor in sorted(root, key=_place):
            self._out.check_deadline()
            for element in anchor.iter(etree.Element):
                lines += self._element_lines(element, relations, number)
        return lines

    def _element_lines(self, element: Element, relations: dict[str, Relation], number: int) -> list[str]:
        if element.tag == A + "p":
            return paragraph_lines(element)
        kind = local_name(element)
        if kind == "cNvPr" and (description := one_line(element.get("descr", ""))):
            return [description]
        if kind == "chart" or (kind == "relIds" and element.get("{*}dm") is None):
            return [line for target in _targets(element, relations) for line in self._part_lines(target, number)]
        return []

    def _part_lines(self, relation: Relation, number: int) -> list[str]:
        if relation.type not in ("chart", "chartEx", "diagramData") or relation.is_external:
            return []
        root = self._package.xml_or_warn(relation.target, self._out)
        if root is None:
            return []
        self._name_objects(relation.target, number)
        if relation.type == "diagramData":
            return [line for paragraph in root.iter(A + "p") for line in paragraph_lines(paragraph)]
        lines = chart_lines(root)
        for shapes in self._package.related(relation.target, "chartUserShapes"):
            lines += self._drawing_lines(shapes.target, number)
        return lines

    def _vml_lines(self, part: str) -> Iterator[str]:
        try:
            root = recover_xml(self._package.part(part))  # VML is HTML of 1999: rarely well-formed
        except KeyError:
            self._out.warn(WarningCode.ENTRY_MISSING, part, "the document refers to this part, and it is not in the package")
            return
        for shape in () if root is None else root.iter("{urn:schemas-microsoft-com:vml}*"):
            kinds = {data.get("ObjectType") for data in shape if local_name(data) == "ClientData"}
            if kinds and "Note" not in kinds:
                for box in shape.iter("{urn:schemas-microsoft-com:vml}textbox"):
                    if line := one_line(" ".join("".join(box.itertext()).split())):
                        yield line


def paragraph_lines(paragraph: Element) -> list[str]:
    """Return the lines of a DrawingML paragraph, without empty ones."""
    parts = []
    for leaf in paragraph.iter(A + "t", A + "br"):
        parts.append("\n" if leaf.tag == A + "br" else leaf.text or "")
    return [line for piece in "".join(parts).split("\n") if (line := one_line(piece))]


def chart_lines(root: Element) -> list[str]:
    """Return a chart's titles, axis titles, labels and series names; numbers and labels from cells stand in the cells."""
    lines: list[str] = []
    for element in root.iter("{*}rich", "{*}title"):
        kind = local_name(element)
        if kind == "rich" or not any(True for _ in element.iter("{*}rich")):
            found = [line for paragraph in element.iter(A + "p") for line in paragraph_lines(paragraph)]
            lines += found or [line for value in element.iter("{*}v") if (line := one_line(value.text or ""))]
    names = [_cached(name) for series in root.iter("{*}ser", "{*}series") for name in series if local_name(name) == "tx"]
    lines += ["\t".join(name for name in names if name)] if any(names) else []
    labels = [one_line(value.text or "") for literal in root.iter(C + "strLit") for value in literal.iter(C + "v")]
    return lines + (["\t".join(dict.fromkeys(labels))] if labels else [])


def _cached(name: Element) -> str:
    return " ".join(text for value in name.iter("{*}v") if (text := one_line(value.text or "")))


def _targets(element: Element, relations: dict[str, Relation]) -> list[Relation]:
    return [relations[value] for value in element.attrib.values() if value in relations]


def _place(anchor: Element) -> tuple[int, int]:
    for start in anchor:
        if local_name(start) == "from":
            numbers = {local_name(child): child.text or "" for child in start}
            row, column = numbers.get("row", ""), numbers.get("col", "")
            return (int(row) if row.isdigit() else 0, int(column) if column.isdigit() else 0)
    return (0, 0)
