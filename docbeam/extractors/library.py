"""One document from bytes to text without a pipeline: what `from docbeam.extractors import extract_text` gives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.ocr import check_languages, find_engine
from docbeam.extractors.recognition import PageText, join_pages, recognise_page, unrecognised
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Notice, Page
from docbeam.schemas.vocabulary import Branch, Confidence, ErrorCategory, Origin, TruncationReason


@dataclass(frozen=True, slots=True)
class TextDocument:
    """The text of one document and all that its row in the dataset would say of it."""

    extracted: Extracted
    media_type: str
    declared_media_type: str | None
    extractor: str
    branch: Branch
    ocr_confidence: float | None

    @property
    def content(self) -> str:
        """The text, with LF line ends."""
        return self.extracted.content

    @property
    def pages(self) -> tuple[Page, ...]:
        """Pages, slides, sheets or frames, with their offsets into the content."""
        return self.extracted.pages

    @property
    def page_count(self) -> int | None:
        """How many pages the document has; more than there are `pages` if some were not read."""
        return self.extracted.page_count

    @property
    def confidence(self) -> Confidence:
        """How the text came about."""
        return self.extracted.confidence

    @property
    def truncation(self) -> TruncationReason | None:
        """Why text is missing, or None."""
        return self.extracted.truncation

    @property
    def is_truncated(self) -> bool:
        """Whether text is missing."""
        return self.extracted.truncation is not None

    @property
    def tiers(self) -> tuple[str, ...]:
        """The steps that were taken to get the text."""
        return self.extracted.tiers

    @property
    def title(self) -> str | None:
        """The document's title, as it says."""
        return self.extracted.title

    @property
    def author(self) -> str | None:
        """The document's author, as it says."""
        return self.extracted.author

    @property
    def created_at(self) -> datetime | None:
        """When the document was made, as it says."""
        return self.extracted.created_at

    @property
    def modified_at(self) -> datetime | None:
        """When the document was last changed, as it says."""
        return self.extracted.modified_at

    @property
    def metadata(self) -> Mapping[str, str]:
        """Further properties of the document."""
        return self.extracted.metadata

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """Each part that exists and was not read, and each doubt."""
        return self.extracted.warnings


class Reader(Protocol):
    """Reads documents and recognises pages: a sandbox's worker, or this process itself."""

    def read(self, source: Source) -> Reading:
        """Return the native reading of a document."""

    def recognise(self, source: Source, media_type: str, number: int) -> PageText:
        """Return the text of one page, drawn and recognised."""


def extract_text(
    file: str | os.PathLike[str] | bytes | BinaryIO,
    *,
    options: ExtractOptions | None = None,
    name: str | None = None,
    isolated: bool = True,
) -> TextDocument:
    """Return the text of one document: a path, its bytes, or a binary file that is open for reading.

    `name` is a hint for the media type where there is no path. `isolated` reads it in a child process that is killed at
    the deadline and at the memory cap; without it a hostile file can hang or crash this process.
    Raises: ExtractionError with the category; UsageError for an OCR language that is not installed; OSError if the file
    can't be read.
    """
    options = options or ExtractOptions()
    source = _source(file, name, options)
    if not isolated:
        return _read(_InProcess(options), source, options)
    from docbeam.extractors.sandbox import SandboxPool

    with SandboxPool(options, size=1) as pool, pool.worker() as worker:
        return _read(worker, source, options)


class _InProcess:
    """Reads documents and recognises pages in this process."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options

    def read(self, source: Source) -> Reading:
        return read_document(source, self._options)

    def recognise(self, source: Source, media_type: str, number: int) -> PageText:
        engine = find_engine()
        assert engine is not None, "pages are recognised only where an engine was found"
        return recognise_page(source, media_type, number, self._options, engine)


def _read(reader: Reader, source: Source, options: ExtractOptions) -> TextDocument:
    return finished(reader, source, reader.read(source), options)


def finished(reader: Reader, source: Source, reading: Reading, options: ExtractOptions) -> TextDocument:
    """Return a document from its native reading, its pending pages recognised.

    Raises: the reading's ExtractionError, or that of the pages if there is no text at all.
    """
    if reading.extracted is None:
        assert reading.error is not None
        raise reading.error
    extracted, branch, ocr_confidence = _recognised(reader, source, reading.media_type, reading.extracted, options)
    return TextDocument(
        extracted,
        reading.media_type,
        reading.declared_media_type,
        reading.extractor or "unknown",
        branch,
        ocr_confidence,
    )


def _recognised(
    reader: Reader, source: Source, media_type: str, extracted: Extracted, options: ExtractOptions
) -> tuple[Extracted, Branch, float | None]:
    pending = [page.number for page in extracted.pages if page.origin is Origin.PENDING]
    engine = find_engine() if pending and options.ocr else None
    if engine is not None:
        check_languages(engine, options.ocr_languages)
        return join_pages(extracted, [reader.recognise(source, media_type, number) for number in pending], options)
    return unrecognised(extracted, media_type, ocr_wanted=options.ocr), Branch.NATIVE, None


def _source(file: str | os.PathLike[str] | bytes | BinaryIO, name: str | None, options: ExtractOptions) -> Source:
    """Return the bytes or the path as a source. Raises ExtractionError(INPUT_TOO_LARGE) over the body cap."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        source = Source(path=path, name=name or os.path.basename(path))
    elif isinstance(file, bytes):
        source = Source(data=file, name=name or "")
    else:
        own_name = getattr(file, "name", "")
        data = file.read(options.max_body_bytes + 1)
        source = Source(data=data, name=name or (os.path.basename(own_name) if isinstance(own_name, str) else ""))
    if source.size_bytes > options.max_body_bytes:
        size = f"more than {options.max_body_bytes}" if not isinstance(file, (str, os.PathLike, bytes)) else source.size_bytes
        raise ExtractionError(ErrorCategory.INPUT_TOO_LARGE, f"{size} bytes, limit {options.max_body_bytes} bytes")
    return source
