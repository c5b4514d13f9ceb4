"""One document from bytes to text without a pipeline: what `from docbeam.extractors import extract_text` gives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import BinaryIO

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.finishing import Finished, finished_tree, pending_targets
from docbeam.extractors.ocr import check_languages, find_engine
from docbeam.extractors.recognition import PageText, recognise_page
from docbeam.extractors.source import Source
from docbeam.extractors.tree import MEMBER_MARK, Node, Reader, is_pending, read_tree
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.passwords import NO_PASSWORDS, Passwords
from docbeam.schemas.records import Extracted, Notice, Page, Target
from docbeam.schemas.vocabulary import Branch, Confidence, ErrorCategory, TruncationReason


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedDocument:
    """A document inside another one (attachment, archive member): exactly one of `document` and `error` is set.

    `path` leads from the outermost document to it, with `!/` where one document ends and the next begins.
    """

    path: str
    document: TextDocument | None = None
    error: ExtractionError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDocument:
    """The text of one document and all that its row in the dataset would say of it; `embedded` are rows of their own."""

    extracted: Extracted
    media_type: str
    declared_media_type: str | None
    extractor: str
    branch: Branch
    ocr_confidence: float | None
    embedded: tuple[EmbeddedDocument, ...] = ()

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


def extract_text(
    file: str | os.PathLike[str] | bytes | BinaryIO,
    *,
    options: ExtractOptions | None = None,
    name: str | None = None,
    isolated: bool = True,
    passwords: Passwords | Iterable[str] = NO_PASSWORDS,
) -> TextDocument:
    """Return the text of one document: a path, its bytes, or a binary file that is open for reading.

    `name` is a hint for the media type where there is no path. `isolated` reads it in a child process that is killed at
    the deadline and at the memory cap; without it a hostile file can hang or crash this process. `passwords` are tried on
    what is encrypted: a list, or what read_passwords returns.
    Raises: ExtractionError with the category; UsageError for an OCR language that is not installed; OSError if the file
    can't be read.
    """
    options, passwords = options or ExtractOptions(), Passwords.of(passwords)
    source = _source(file, name, options)
    uri = source.name if source.path is None else f"file://{os.path.abspath(source.path)}"
    source = source.with_passwords(passwords.for_uri(uri))
    if not isolated:
        return _read(_InProcess(options), source, uri, options, passwords)
    from docbeam.extractors.sandbox import SandboxPool

    with SandboxPool(options, size=1) as pool, pool.worker() as worker:
        return _read(worker, source, uri, options, passwords)


class _InProcess:
    """Reads documents and recognises pages in this process."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options

    def read(self, source: Source) -> Reading:
        return read_document(source, self._options)

    def read_many(
        self, sources: Iterable[Source], media_type: str | None = None, limits: Mapping[str, int] | None = None
    ) -> Iterator[Reading]:
        options = replace(self._options, **(limits or {}))  # type: ignore[arg-type]
        return (read_document(source, options, media_type) for source in sources)

    def recognise(self, source: Source, media_type: str, target: Target) -> PageText:
        engine = find_engine()
        assert engine is not None, "pages are recognised only where an engine was found"
        return recognise_page(source, media_type, target, self._options, engine)


class RecognisedPages:
    """The pages of one tree, recognised as soon as their document has been read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._pages: dict[tuple[int | None, str | None], list[PageText]] = {}

    def recognise(self, node: Node, source: Source) -> None:
        """Recognise what is pending in a document."""
        media_type = node.reading.media_type
        found = [self._reader.recognise(source, media_type, target) for target in pending_targets(node)]
        self._pages[node.parent, node.path] = found

    def __call__(self, node: Node, targets: Sequence[Target]) -> Sequence[PageText]:
        """Return the pages and pictures of a document."""
        return self._pages[node.parent, node.path]


def recognised_tree(
    reader: Reader, root: Node, source: Source, options: ExtractOptions, passwords: Passwords = NO_PASSWORDS
) -> tuple[list[Node], RecognisedPages | None]:
    """Read what is embedded in a document and recognise what is pending; return the tree and its pages.

    Raises: UsageError for an OCR language that is not installed.
    """
    engine = find_engine() if options.ocr else None
    if engine is None:
        return read_tree(reader, root, options, None, passwords), None
    check_languages(engine, options.ocr_languages)
    pages = RecognisedPages(reader)
    if is_pending(root.reading):
        pages.recognise(root, source)
    return read_tree(reader, root, options, pages.recognise, passwords), pages


def _read(reader: Reader, source: Source, uri: str, options: ExtractOptions, passwords: Passwords) -> TextDocument:
    reading = reader.read(source)
    if reading.extracted is None:
        assert reading.error is not None
        raise reading.error
    nodes, pages = recognised_tree(reader, Node(reading=reading, uri=uri), source, options, passwords)
    root, *members = finished_tree(nodes, pages, options)
    if root.error is not None:
        raise root.error
    return _document(root, tuple(_embedded(members, nodes)))


def _document(done: Finished, embedded: tuple[EmbeddedDocument, ...] = ()) -> TextDocument:
    reading = done.node.reading
    assert done.extracted is not None
    return TextDocument(
        extracted=done.extracted,
        media_type=reading.media_type,
        declared_media_type=reading.declared_media_type or done.node.declared,
        extractor=reading.extractor or "unknown",
        branch=done.branch,
        ocr_confidence=done.ocr_confidence,
        embedded=embedded,
    )


def _embedded(members: Sequence[Finished], nodes: Sequence[Node]) -> Iterator[EmbeddedDocument]:
    for done in members:
        document = None if done.extracted is None else _document(done)
        yield EmbeddedDocument(path=_full_path(done.node, nodes), document=document, error=done.error)


def _full_path(node: Node, nodes: Sequence[Node]) -> str:
    names = []
    while node.parent is not None:
        names.append(node.path or "")
        node = nodes[node.parent]
    return MEMBER_MARK.join(reversed(names))


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
