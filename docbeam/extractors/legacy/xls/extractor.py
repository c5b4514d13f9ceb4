"""An Excel workbook of BIFF2 to BIFF8, in a compound file or as a bare stream: a page a sheet, embedded documents as members.

Source: [MS-XLS] 2.1 (structure), 2.1.7.20 (substreams).
"""

from __future__ import annotations

from PIL.Image import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import SIGNATURE, STORAGE, CompoundFile
from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.embedded import add_object
from docbeam.extractors.legacy.properties import finished
from docbeam.extractors.legacy.sheets import Sheet, add_sheet, name_sheets, warn_no_text
from docbeam.extractors.legacy.xls.book import END, GLOBALS, WORKSPACE, Book, Listed, begin_of, read_book
from docbeam.extractors.legacy.xls.records import records
from docbeam.extractors.legacy.xls.salvage import salvage_strings, salvaged_sheets
from docbeam.extractors.legacy.xls.sheet import read_sheet
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

BEGINNINGS = (b"\x09\x08\x08\0", b"\x09\x08\x10\0")  # of BIFF5 and BIFF8
_VISUAL_BASIC = 6
_SHEET_HEADER = 0x8F  # of BIFF4's workspaces


class XlsExtractor:
    """Reads Excel workbooks and templates from version 2 to 2003 (.xls, .xlt)."""

    name = "xls"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type == MediaType.XLS

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a workbook, a page a sheet.

        Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT if no sheet can be found.
        """
        out = TextBuilder(options)
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes) if source.head(8) == SIGNATURE else None
            data = source.read() if compound is None else _stream(compound, out)
            walk = _Workbook(data, source, out)
            with out.until_full():
                walk.read()
                if compound is not None:
                    _add_embedded(compound, out)
            is_whole = out.truncation is not TruncationReason.DAMAGED
            extracted = finished(compound, out, self.name, is_whole=is_whole, page_count=walk.count)
        if not is_whole and not walk.has_text:
            raise ExtractionError(ErrorCategory.CORRUPT, "the workbook is broken, and no text could be read")
        return extracted

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the workbook. Raises ExtractionError as embedded_picture does, and as extract does."""
        out = TextBuilder(options)
        with source.open() as file:
            book = read_book(_stream(CompoundFile(file, options.max_decompressed_bytes), out), source, out)
        data = Blips(b"".join(book.drawing_group), bytes, out).picture(part, options.max_decompressed_bytes)
        return embedded_picture(data, part, options)


def _stream(compound: CompoundFile, out: TextBuilder) -> bytes:
    entry = compound.find("workbook") or compound.find("book")
    data = compound.salvaged(BEGINNINGS) if entry is None else compound.read(entry)
    if not data:
        raise ExtractionError(ErrorCategory.CORRUPT, "the compound file has no workbook stream")
    if compound.is_repaired:
        message = "the file's directory or its chains of sectors are broken; read as far as possible"
        out.warn(WarningCode.PART_DAMAGED, "document", message)
        out.cut(TruncationReason.DAMAGED)
    return data


class _Workbook:
    def __init__(self, data: bytes, source: Source, out: TextBuilder) -> None:
        self._data = data
        self._source = source
        self._out = out
        self.count = 0
        self.has_text = False

    def read(self) -> None:
        """Add a page for each sheet. Raises Full."""
        out = self._out
        book = read_book(self._data, self._source, out)
        self._data = book.data
        sheets = self._sheets(book)
        if not sheets:
            sheets = salvaged_sheets(book)
            if not sheets:
                raise ExtractionError(ErrorCategory.CORRUPT, "the workbook stream has no sheet")
            salvage_strings(book)
            out.warn(WarningCode.PART_DAMAGED, "document", "the list of sheets is broken; sheets that could be found are read")
            out.cut(TruncationReason.DAMAGED)
        name_sheets(out, "xls", [(sheet.name, sheet.state) for sheet in sheets])
        out.meta("xls.version", f"BIFF{book.version}")
        self.count = len(sheets)
        blips = Blips(b"".join(book.drawing_group), bytes, out)
        wanted = [(number, listed) for number, listed in enumerate(sheets, 1) if out.wants(number)]
        for number, listed in wanted:
            sheet = read_sheet(book, listed.offset, out)
            sheet.filtered = book.filters.get(number)
            sheet.boxes += (line for shown in sheet.shown_pictures for line in blips.lines(shown))
            self._warn_of(sheet, number)
            self.has_text = add_sheet(out, "xls", number, listed.name, sheet) or self.has_text
        if wanted and not self.has_text:
            warn_no_text(out)

    def _sheets(self, book: Book) -> list[Listed]:
        """Return the sheets with the offsets of their BOF records; where an offset is wrong, in the order of the stream."""
        listed = [sheet for sheet in book.sheets if sheet.kind != _VISUAL_BASIC]
        if len(listed) < len(book.sheets):
            self._out.warn(WarningCode.MACROS, "document", "macros are not read")
        if listed and all(self._is_begin(sheet.offset) for sheet in listed):
            return listed
        found = self._substreams(book)
        if listed:
            self._out.warn(WarningCode.PART_DAMAGED, "document", "the list of sheets points to places where no sheet begins")
            self._out.cut(TruncationReason.DAMAGED)
            names = [sheet.name for sheet in listed]
            found = [sheet._replace(name=name) for sheet, name in zip(found, names, strict=False)] + found[len(names) :]
        return found

    def _is_begin(self, offset: int) -> bool:
        record = next(records(self._data, offset), None) if offset else None
        return record is not None and begin_of(record) is not None

    def _substreams(self, book: Book) -> list[Listed]:
        """Return what begins with a BOF record outside of any other substream and is not the globals."""
        found: list[Listed] = []
        depth, at, name = 0, 0, ""
        for count, record in enumerate(records(self._data)):
            if count % 1024 == 0:
                self._out.check_deadline()
            begin = begin_of(record)
            if begin is not None:
                if depth == 0 and begin[1] not in (GLOBALS, WORKSPACE):
                    found.append(Listed(name or f"Sheet{len(found) + 1}", "visible", 0, at))
                depth += begin[1] != WORKSPACE
            elif record.kind == END:
                depth = max(depth - 1, 0)
            elif record.kind == _SHEET_HEADER and len(record.data) > 4:
                name = book.text(record.data, 4, 1)
            at = record.end
        return found

    def _warn_of(self, sheet: Sheet, number: int) -> None:
        out, page = self._out, f"page {number}"
        if sheet.lost_strings:
            out.warn(WarningCode.PART_DAMAGED, page, f"{sheet.lost_strings} cells whose shared string is missing")
            out.cut(TruncationReason.DAMAGED)
        if sheet.is_broken:
            out.warn(WarningCode.PART_DAMAGED, page, "the sheet breaks off before its end")
            out.cut(TruncationReason.DAMAGED)
        if (left := sheet.pictures - len(sheet.shown_pictures)) > 0:
            out.warn(WarningCode.NEEDS_OCR, page, f"{left} pictures of a kind that is not read; text in them is not recognised")


def _add_embedded(compound: CompoundFile, out: TextBuilder) -> None:
    """Unpack embedded objects, which have a storage each (MBD…), and name macros."""
    for key, entry in compound.streams.items():
        if entry.kind == STORAGE and key.startswith("mbd"):
            add_object(out, compound, entry, entry.name)
        elif entry.kind == STORAGE and key == "_vba_project_cur":
            out.warn(WarningCode.MACROS, entry.name, "macros are not read")
