"""The workbook: its sheets in order, each a page with its name above, and the properties of the file.

A page is the sheet's name, its header, rows, comments, drawings and footer. Source: ECMA-376-1, 18.2 (workbook).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.ooxml.document import finished, main_root
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.comments import comment_lines, read_persons
from docbeam.extractors.ooxml.xlsx.drawings import Drawings
from docbeam.extractors.ooxml.xlsx.grid import grid_lines
from docbeam.extractors.ooxml.xlsx.header_footer import header_footer_lines
from docbeam.extractors.ooxml.xlsx.headers import header_rows, table_rows
from docbeam.extractors.ooxml.xlsx.sheet import Sheet, read_sheet
from docbeam.extractors.ooxml.xlsx.stream import elements
from docbeam.extractors.ooxml.xlsx.strings import SharedStrings, one_line, unescaped
from docbeam.extractors.ooxml.xlsx.styles import Styles
from docbeam.extractors.ooxml.xml import Element, R
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.pictures import without_anchors
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, PageKind, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_DEFINED_NAMES = 200  # that the metadata has


class XlsxExtractor:
    """Excel workbooks: XLSX, XLSM and their templates."""

    name = "xlsx"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the media type is a workbook of SpreadsheetML."""
        return media_type in MediaType.SPREADSHEET

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a workbook, a page a sheet.

        Raises: ExtractionError(CORRUPT) if the workbook part can't be read or lists no sheet.
        """
        out = TextBuilder(options)
        with source.open() as file:
            package = Package(file, options)
            book = _Workbook(package, out)
            with out.until_full():
                book.walk()
            book.finish()
            is_whole = book.is_whole and out.truncation is not TruncationReason.DAMAGED
            return finished(package, out, "xlsx", is_whole, len(book.sheets))

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the package. Raises ExtractionError as embedded_picture does."""
        return part_picture(source, part, options)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A sheet as the workbook lists it. `part` is None if its relationship is missing."""

    number: int
    name: str
    state: str
    part: str | None


class _Workbook:
    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self._part = package.main_part()
        root, self.is_whole = main_root(package, self._part, out)
        self.sheets = self._listed(root)
        if not self.sheets:
            raise ExtractionError(ErrorCategory.CORRUPT, f"part {self._part!r} lists no sheet")
        out.meta("xlsx.definedNames", "; ".join(_definitions(root)))
        self._is_1904 = any(element.get("date1904") in ("1", "true") for element in root.iter("{*}workbookPr"))
        self._has_text = self._is_empty = False
        self._drawings = Drawings(package, out)
        if not package.rels(self._part):
            out.warn(
                WarningCode.ENTRY_MISSING, self._part, "its relationships are missing: parts are found by their usual names"
            )
        out.meta("xlsx.sheetCount", len(self.sheets))
        out.meta("xlsx.sheetNames", "; ".join(sheet.name for sheet in self.sheets))
        out.meta("xlsx.hiddenSheets", "; ".join(sheet.name for sheet in self.sheets if sheet.state != "visible"))

    def walk(self) -> None:
        """Add a page for each sheet."""
        self._styles = self._read_styles()
        self._strings = self._shared_strings()
        self._persons = read_persons(self._package, self._part, self._out)
        wanted = [listed for listed in self.sheets if self._out.wants(listed.number)]
        for listed in wanted:
            self._add_page(listed)
        self._is_empty = bool(wanted) and not self._has_text and not self._out.omitted_tables

    def finish(self) -> None:
        """Say what was not read, also if the text is cut, and hand out the embedded files."""
        self._drawings.warn_unread(self._part)
        if self._is_empty:
            self._out.warn(WarningCode.NO_TEXT, "document", "no sheet has text besides its name")

    def _listed(self, root: Element) -> list[_Listed]:
        listed = []
        for number, element in enumerate(root.iter("{*}sheet"), 1):
            part = self._related_part(element.get(R + "id", ""), f"worksheets/sheet{number}.xml")
            listed.append(_Listed(number, one_line(unescaped(element.get("name", ""))), element.get("state", "visible"), part))
        return listed

    def _related_part(self, relation_id: str, usual: str) -> str | None:
        """Return the part that a relationship of the workbook means; without any relationships, the part's usual name."""
        relations = self._package.rels(self._part)
        if relation := relations.get(relation_id):
            return None if relation.is_external else relation.target
        part = f"{self._part.rpartition('/')[0]}/{usual}"
        return part if not relations and self._package.has(part) else None

    def _part_of(self, kind: str) -> str | None:
        """Return the part of a kind that a workbook has one of: `styles`, `sharedStrings`."""
        relation_id = next((relation.id for relation in self._package.related(self._part, kind)), "")
        return self._related_part(relation_id, f"{kind}.xml")

    def _read_styles(self) -> Styles:
        part = self._part_of("styles")
        return Styles(self._package.xml_or_warn(part, self._out) if part else None, self._is_1904)

    def _shared_strings(self) -> SharedStrings:
        part = self._part_of("sharedStrings")
        return SharedStrings(elements(self._package, part, ("{*}si",), self._out) if part else iter(()))

    def _add_page(self, listed: _Listed) -> None:
        out = self._out
        if listed.part is None:
            out.warn(WarningCode.ENTRY_MISSING, f"page {listed.number}", "the sheet has no part in the package")
            out.cut(TruncationReason.DAMAGED)
            self._write_page(listed, [])
            return
        sheet = read_sheet(self._package, listed.part, self._strings, self._styles, out)
        self._warn_of(sheet, listed.number)
        tables = self._name_tables(listed.part)
        headers, footers = header_footer_lines(sheet.header_footer, listed.name)
        marked = header_rows(tables, sheet.filtered, sheet.frozen_rows, sheet.grid.filled())
        lines = [*headers, *grid_lines(sheet.grid, marked, out)]
        if not sheet.is_cut:
            around, sheet.is_cut = self._around(listed.part)
            lines += ["", *around] if any(map(without_anchors, around)) else around
        lines += [*sheet.prompts, *footers]
        self._has_text = self._has_text or any(map(without_anchors, lines))
        self._write_page(listed, lines)
        if sheet.is_cut:
            out.stop(TruncationReason.DEADLINE)

    def _write_page(self, listed: _Listed, lines: list[str]) -> None:
        """Write a sheet with its name above; a page marker has the name already."""
        name = [] if self._out.options.page_markers else [listed.name]
        self._out.page(listed.number, "\n".join([*name, *lines]), kind=PageKind.SHEET, label=listed.name)

    def _name_tables(self, part: str) -> list[tuple[int, int]]:
        """Note the names of a sheet's tables and return their header rows with their last rows."""
        names = [self._out.metadata.get("xlsx.tables", "")]
        found = []
        for relation in self._package.related(part, "table"):
            root = self._package.xml_or_warn(relation.target, self._out)
            if root is not None:
                names.append(root.get("displayName", ""))
                found.append(table_rows(root))
        self._out.meta("xlsx.tables", "; ".join(name for name in names if name))
        return [rows for rows in found if rows is not None]

    def _around(self, part: str) -> tuple[list[str], bool]:
        """Return the lines of comments and drawings, about as many as can be shown, and whether the deadline cut them."""
        lines: list[str] = []
        chars = 0
        try:
            for line in chain(comment_lines(self._package, part, self._persons, self._out), self._drawings.lines(part)):
                lines.append(line)
                chars += len(line)
                if chars > self._out.options.max_extracted_chars:
                    break
        except Full:
            return lines, True
        return lines, False

    def _warn_of(self, sheet: Sheet, number: int) -> None:
        out, page = self._out, f"page {number}"
        if cells := sheet.formulas_without_value:
            out.warn(WarningCode.FORMULA_WITHOUT_VALUE, page, f"{len(cells)} formulas without a value, the first in {cells[0]}")
        if cells := sheet.lost_strings:
            out.warn(
                WarningCode.PART_DAMAGED, page, f"{len(cells)} cells whose shared string is missing, the first in {cells[0]}"
            )
            out.cut(TruncationReason.DAMAGED)
        if cells := sheet.rich_values:
            message = f"{len(cells)} cells with a picture or a linked data type, the first in {cells[0]}"
            out.warn(WarningCode.PART_NOT_READ, page, message)
        for key, count in (("xlsx.hiddenRows", sheet.hidden_rows), ("xlsx.hiddenColumns", sheet.hidden_columns)):
            if count:
                out.meta(key, int(out.metadata.get(key, 0)) + count)


def _definitions(root: Element) -> Iterator[str]:
    """Yield the names that the workbook's writers have given to cells and values, without those of the program."""
    for element in islice(root.iter("{*}definedName"), MAX_DEFINED_NAMES):
        name = element.get("name", "")
        if not name.startswith("_xl") and element.get("hidden") not in ("1", "true"):
            yield f"{name} = {one_line(element.text or '')}"
