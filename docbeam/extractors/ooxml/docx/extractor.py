"""A Word document from its package: body with headers, footers, notes, comments, text boxes, charts and imports.

Source: ECMA-376-1 17 (WordprocessingML), 11.3 (parts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.document import finished, main_root
from docbeam.extractors.ooxml.docx.book import Book, Emit
from docbeam.extractors.ooxml.docx.imports import imported_lines, imported_picture
from docbeam.extractors.ooxml.docx.story import Story
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xml import Element
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.pictures import PART_SEPARATOR
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image


class DocxExtractor:
    """Reads Word documents and templates (.docx, .docm, .dotx, .dotm), transitional and strict."""

    name = "docx"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type in MediaType.WORD

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a Word document in reading order.

        Raises: ExtractionError as ZipReader does; CORRUPT if there is no readable main part.
        """
        with source.open() as file:
            return _extract(file, options, 0)

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the package, or of a document that is imported into it. Raises as embedded_picture does."""
        imported, _, inner = part.partition(PART_SEPARATOR)
        return imported_picture(source, imported, inner, options, self) if inner else part_picture(source, part, options)


def _extract(file: BinaryIO, options: ExtractOptions, depth: int) -> Extracted:
    out = TextBuilder(options)
    package = Package(file, options)
    main = package.main_part()
    root, is_whole = main_root(package, main, out)
    book = Book(package, main, out, _read_story, depth)
    with out.until_full():
        _read(book, root)
    book.graphics.warn_unread()
    if book.deletions:
        out.warn(WarningCode.PART_NOT_READ, "tracked changes", f"pieces of deleted text that are left out: {book.deletions}")
    out.meta("docx.variables", "; ".join(book.variables()))
    out.meta("docx.hiddenRuns", book.hidden_runs or None)
    return finished(package, out, DocxExtractor.name, is_whole)


def _read(book: Book, root: Element) -> None:
    book.begin_sections(root)
    _read_story(book, book.main, root, book.emit)  # not the first w:body: some files have two
    book.end_document()


def _read_story(book: Book, part: str, root: Element, emit: Emit) -> None:
    Story(book, part, emit, _imported).read(root)


def _imported(book: Book, part: str, relation_id: str) -> list[str]:
    return imported_lines(book, part, relation_id, _extract)
