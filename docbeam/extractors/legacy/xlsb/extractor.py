"""A binary Excel workbook (XLSB): BIFF12 parts in a package; its drawings are XML as in every Open XML workbook.

Source: [MS-XLSB] 2.1.7 (parts), 2.4.304 (BrtBundleSh), 2.4.822 (BrtWbProp).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.sheets import STATES, Formats, Sheet, add_sheet, name_sheets, warn_no_text
from docbeam.extractors.legacy.xlsb.records import records, wide_string
from docbeam.extractors.legacy.xlsb.sheet import read_comments, read_sheet
from docbeam.extractors.legacy.xlsb.strings import SharedStrings, read_formats
from docbeam.extractors.ooxml.document import finished
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.comments import comment_lines, read_persons
from docbeam.extractors.ooxml.xlsx.drawings import Drawings
from docbeam.extractors.ooxml.xlsx.strings import one_line
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

BUNDLE_SHEET, WORKBOOK_PROPERTIES = 156, 153
MAX_SHEETS = 10_000


class XlsbExtractor:
    """Reads binary Excel workbooks (.xlsb)."""

    name = "xlsb"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type == MediaType.XLSB

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a workbook, a page a sheet.

        Raises: ExtractionError as ZipReader does; CORRUPT if the workbook part lists no sheet.
        """
        out = TextBuilder(options)
        with source.open() as file:
            package = Package(file, options)
            book = _Workbook(package, out)
            with out.until_full():
                book.read()
            is_whole = out.truncation is not TruncationReason.DAMAGED
            return finished(package, out, self.name, is_whole, len(book.sheets))

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the package. Raises ExtractionError as embedded_picture does."""
        return part_picture(source, part, options)


class _Listed(NamedTuple):
    number: int
    name: str
    state: str
    part: str | None


class _Workbook:
    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self._part = package.main_part()
        self._formats = Formats()
        self.sheets: list[_Listed] = []
        with out.until_full():
            for kind, data in records(package, self._part, out):
                self._take(kind, data)
        if not self.sheets:
            raise ExtractionError(ErrorCategory.CORRUPT, f"part {self._part!r} lists no sheet")
        name_sheets(out, "xlsb", [(sheet.name, sheet.state) for sheet in self.sheets])

    def read(self) -> None:
        """Add a page for each sheet. Raises Full."""
        package, out = self._package, self._out
        if part := self._part_of("styles"):
            read_formats(records(package, part, out), self._formats)
        part = self._part_of("sharedStrings")
        strings = SharedStrings(records(package, part, out) if part else iter(()))
        drawings, has_text = Drawings(package, out), False
        persons = read_persons(package, self._part, out)
        wanted = [listed for listed in self.sheets if out.wants(listed.number)]
        for listed in wanted:
            sheet, boxes = Sheet(), iter(tuple[str, ...]())
            if listed.part is None:
                out.warn(WarningCode.ENTRY_MISSING, f"page {listed.number}", "the sheet has no part in the package")
                out.cut(TruncationReason.DAMAGED)
            else:
                sheet, boxes = self._read_sheet(listed.part, strings, persons), drawings.lines(listed.part)
                self._warn_of(sheet, listed.number)
            has_text = add_sheet(out, "xlsb", listed.number, listed.name, sheet, boxes) or has_text
        drawings.warn_unread(self._part)
        if wanted and not has_text:
            warn_no_text(out)

    def _read_sheet(self, part: str, strings: SharedStrings, persons: dict[str, str]) -> Sheet:
        package, out = self._package, self._out
        sheet = read_sheet(package, part, strings, self._formats, out)
        if sheet.is_cut:
            return sheet
        threaded = package.related(part, "threadedComment")
        for relation in package.related(part, "comments"):
            if relation.target.lower().endswith(".bin"):
                read_comments(package, relation.target, sheet, out)
        if threaded:  # their text also stands in notes
            sheet.comments = [comment for comment in sheet.comments if not comment[2].startswith("tc=")]
            sheet.boxes += comment_lines(package, part, persons, out)
        return sheet

    def _take(self, kind: int, data: bytes) -> None:
        if kind == WORKBOOK_PROPERTIES and len(data) >= 4:
            self._formats.is_1904 = bool(data[0] & 1)
        elif kind == BUNDLE_SHEET and len(data) >= 12 and len(self.sheets) < MAX_SHEETS:
            state = struct.unpack_from("<I", data)[0]
            relations = self._package.rels(self._part)
            relation_id, at = wide_string(data, 8)
            later = wide_string(data, 12)  # programs from before Excel 2007's release write one more number
            if relation_id not in relations and later[0] in relations:
                relation_id, at = later
            relation = relations.get(relation_id)
            part = None if relation is None or relation.is_external else relation.target
            name = one_line(wide_string(data, at)[0])
            self.sheets.append(_Listed(len(self.sheets) + 1, name, STATES[min(state, 2)], part))

    def _part_of(self, kind: str) -> str | None:
        return next((relation.target for relation in self._package.related(self._part, kind)), None)

    def _warn_of(self, sheet: Sheet, number: int) -> None:
        if sheet.lost_strings:
            message = f"{sheet.lost_strings} cells whose shared string is missing"
            self._out.warn(WarningCode.PART_DAMAGED, f"page {number}", message)
            self._out.cut(TruncationReason.DAMAGED)
