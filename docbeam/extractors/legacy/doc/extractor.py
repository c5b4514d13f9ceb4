"""A Word document of version 2 to 2003: body with headers, notes, comments and text boxes; embedded documents as members.

Source: [MS-DOC] 2.1 (structure), 2.1.8 (ObjectPool).
"""

from __future__ import annotations

from PIL.Image import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import SIGNATURE, STORAGE, CompoundFile
from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.doc import fib as parts
from docbeam.extractors.legacy.doc.book import Book
from docbeam.extractors.legacy.doc.fib import VERSIONS, Fib, read_fib, read_old_fib
from docbeam.extractors.legacy.doc.pictures import inline_picture
from docbeam.extractors.legacy.doc.story import read_story
from docbeam.extractors.legacy.embedded import add_object
from docbeam.extractors.legacy.properties import finished
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode


class DocExtractor:
    """Reads Word documents and templates from version 2 to 2003 (.doc, .dot)."""

    name = "doc"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type == MediaType.DOC

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a Word document in reading order.

        Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT if there is no text to find; UNSUPPORTED_MEDIA_TYPE for Word 1.
        """
        out = TextBuilder(options)
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes) if source.head(8) == SIGNATURE else None
            with out.until_full():
                if compound is not None:
                    _read(read_fib(compound, source, out), compound, out)
                else:
                    _read(read_old_fib(source.read()), None, out)
            is_whole = out.truncation is not TruncationReason.DAMAGED
            extracted = finished(compound, out, self.name, is_whole=is_whole)
        if not is_whole and not extracted.content.strip():
            raise ExtractionError(ErrorCategory.CORRUPT, "the document is broken, and no text could be read")
        return extracted

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the document. Raises ExtractionError as embedded_picture does, and as extract does."""
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes)
            out = TextBuilder(options)
            fib = read_fib(compound, source, out)
            if part.startswith("picture at"):
                data = inline_picture(_data(fib, compound), part, options.max_decompressed_bytes)
            else:
                data = Blips(fib.part(parts.DRAWINGS), lambda: fib.main, out).picture(part, options.max_decompressed_bytes)
        return embedded_picture(data, part, options)


def _data(fib: Fib, compound: CompoundFile | None) -> bytes:
    """Return the stream of pictures and form fields in plain."""
    entry = None if compound is None else compound.find("data")
    data = b"" if compound is None or entry is None else compound.read(entry)
    return data if fib.plain is None else fib.plain(data)


def _read(fib: Fib, compound: CompoundFile | None, out: TextBuilder) -> None:
    book = Book(fib, _data(fib, compound), out, read_story)
    out.meta("doc.version", VERSIONS[fib.version])
    if compound is not None and compound.is_repaired:
        book.damaged("the file's directory or its chains of sectors are broken; read as far as possible")
    elif book.characters.is_broken:
        book.damaged("the table of the document's pieces is broken; read as far as possible")
    try:
        book.begin()
        read_story(book, *fib.story("text"), book.emit)
        book.end()
        if not book.has_text:
            out.warn(WarningCode.NO_TEXT, "document", "the document has no text of its own")
    finally:
        book.drawn_pictures()
    if compound is not None:
        _add_embedded(compound, out)


def _add_embedded(compound: CompoundFile, out: TextBuilder) -> None:
    """Unpack the objects of the pool, and name macros."""
    pool = compound.find("objectpool")
    if pool is not None and pool.kind == STORAGE:
        for entry in compound.children(pool).values():
            if entry.kind == STORAGE:
                add_object(out, compound, entry, entry.name)
    if compound.find("macros") is not None:
        out.warn(WarningCode.MACROS, "Macros", "macros are not read")
