"""A book from its archive: every page of the spine, laid out as the HTML extractor does it, and what stands beside the spine.

Source: EPUB 3.3; OPF 2.0.1 and OCF 2.0.1 for EPUB 2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.epub.details import with_details
from docbeam.extractors.epub.publication import Item, Publication
from docbeam.extractors.html import HtmlExtractor
from docbeam.extractors.ooxml.package import FATAL, Package
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.pictures import PART_SEPARATOR, re_anchored
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import BY_EXTENSION, MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, PageKind, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

MIN_PICTURE_BYTES = 4_096  # smaller ones are ornaments
MAX_DRAWING_BYTES = 1 << 20  # that are looked through for words
MIN_SECONDS = 0.1  # that a page gets, however late it is
# What serves the pages and is no document: styles, scripts, fonts, tables of contents, synchronised speech.
_SERVING = (
    "text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/x-dtbncx+xml",
    "application/oebps-package+xml", "application/smil+xml", "application/pls+xml", "application/vnd.ms-opentype",
    "application/adobe-page-template+xml", "application/vnd.adobe-page-template+xml", "application/oebps-page-map+xml",
    "application/x-font-ttf", "application/x-font-otf", "application/x-font-truetype", "application/x-font-opentype",
    "application/font-woff", "application/font-sfnt", "application/x-mimetype", "application/xml", "text/xml",
    "application/vnd.apple.ibooks+xml", "application/json",
)  # fmt: skip
_ABOUT_ALL = ("mimetype", "itunesmetadata.plist")
_SERVING_KINDS = ("font", "image", "audio", "video")


class EpubExtractor:
    """Reads EPUB 2 and 3."""

    name = "epub"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is EPUB."""
        return media_type == MediaType.EPUB

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a book, a page for each item of its spine.

        Raises: ExtractionError as ZipReader does; ENCRYPTED_NO_KEY if its pages are encrypted, CORRUPT if it has none.
        """
        with source.open() as file:
            return _Reader(Package(file, options), options).read()

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the archive, or one that a page holds itself. Raises ExtractionError as embedded_picture does."""
        page, _, inner = part.partition(PART_SEPARATOR)
        if not inner:
            return part_picture(source, part, options)
        with source.open() as file:
            package = Package(file, options)
            if not package.has(page):
                raise ExtractionError(ErrorCategory.CORRUPT, f"{page}: not in the archive")
            data = package.part(page)
        return HtmlExtractor().picture(Source(data=data, name=page), MediaType.XHTML, inner, options)


class _Reader:
    def __init__(self, package: Package, options: ExtractOptions) -> None:
        self._package = package
        self._out = TextBuilder(options)
        self._confidence = Confidence.DETERMINISTIC
        self._has_text = False
        self._read_names: set[str] = set()

    def read(self) -> Extracted:
        out = self._out
        book = Publication(self._package, out)
        readable = [item for item in book.spine if item.name]
        if readable and all(item.name in book.encrypted for item in readable):
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "META-INF/encryption.xml: the pages are encrypted")
        pages = [*book.spine, *self._beside_spine(book)]
        with out.until_full():
            if out.wants(1):
                self._add_pictures(book, is_cover=True)
            for number in out.wanted(len(pages)):
                self._add_page(number, pages[number - 1], book)
            self._unpack(book)
        if not self._has_text:
            out.warn(WarningCode.NO_TEXT, "document", "no page has text")
        with out.until_full():
            self._add_pictures(book, is_cover=False)
        version = next((element.getroottree().getroot().get("version", "") for element in book.metadata), "")
        return with_details(out, book.metadata, version=version, page_count=len(pages), confidence=self._confidence)

    def _beside_spine(self, book: Publication) -> list[Item]:
        """Return the pages of the manifest that the spine does not have: notes that open in a window, for the most part."""
        shown = {item.name for item in book.spine}
        fallbacks = {item.fallback for item in book.items.values()}
        return [
            item
            for item in book.items.values()
            if item.is_page and item.media_type in ("application/xhtml+xml", "text/html") and item.name
            if item.name not in shown and item.id not in fallbacks and "nav" not in item.properties.split()
        ]

    def _add_page(self, number: int, item: Item, book: Publication) -> None:
        out, text = self._out, ""
        out.check_deadline()
        if item.name is None:
            out.warn(WarningCode.ENTRY_MISSING, item.href[:300], f"page {number}: the chapter is missing in the archive")
        elif item.name in book.encrypted:
            out.warn(WarningCode.PAGE_FAILED, item.name, f"page {number} is encrypted")
        elif item.is_page:
            self._read_names.add(item.name)
            text = self._page_text(number, item.name, book)
        elif item.media_type.startswith("image/"):
            text = out.picture(item.name)
        out.page(number, text, kind=PageKind.CHAPTER)

    def _page_text(self, number: int, name: str, book: Publication) -> str:
        out = self._out
        try:
            data = self._package.part(name)
        except ExtractionError as error:
            if error.category in FATAL:
                raise
            out.warn(WarningCode.PART_DAMAGED, name, f"page {number}: {error.message}; read as far as possible")
            out.cut(TruncationReason.DAMAGED)
            data = self._package.part_so_far(name)
        seconds = max(out.remaining_seconds(), MIN_SECONDS)
        options = replace(out.options, extraction_timeout_seconds=seconds)
        is_html = name.lower().endswith((".html", ".htm")) and b"<?xml" not in data[:100]
        media_type = MediaType.HTML if is_html else MediaType.XHTML
        page = HtmlExtractor().extract_page(
            Source(data=data, name=name), media_type, options, lambda address: self._picture_part(name, address, book)
        )
        self._has_text = self._has_text or bool(page.content.strip())
        if page.confidence != Confidence.DETERMINISTIC:
            self._confidence = page.confidence
        for notice in page.warnings:
            if notice.code != WarningCode.NO_TEXT:
                part = name if notice.part == "document" else f"{name}: {notice.part}"
                out.warn(notice.code, part, notice.message)
        if page.truncation is not None:
            out.cut(page.truncation)
        return re_anchored(page, lambda part: out.picture(self._outer_part(name, part))).strip("\n")

    def _picture_part(self, name: str, address: str, book: Publication) -> str | None:
        """Return the picture of the archive that an address in a page means, if it is large enough for words."""
        found = None if "://" in address else book.names.find(name, address)
        is_large = found is not None and self._package.size(found) >= MIN_PICTURE_BYTES
        is_drawing = found is not None and found.lower().endswith((".svg", ".svgz"))
        return found if is_large and not is_drawing and found not in book.encrypted else None

    def _outer_part(self, name: str, part: str) -> str:
        """Return the name of a picture in a page: the archive's, or the page's with the number of one that it holds itself."""
        return part if self._package.has(part) else f"{name}{PART_SEPARATOR}{part}"

    def _unpack(self, book: Publication) -> None:
        """Unpack the documents that the book carries beside its pages."""
        types = {item.name: item.media_type for item in book.items.values() if item.name}
        navigation = {item.name for item in book.items.values() if item.name and "nav" in item.properties.split()}
        for name in self._package.names():
            media_type = types.get(name) or BY_EXTENSION.get(f".{name.rpartition('.')[2].lower()}", "")
            if name not in self._read_names and name in navigation:
                self._out.warn(WarningCode.PART_NOT_READ, name, "the table of contents, whose entries head the chapters")
            if name in self._read_names or name.lower().startswith("meta-inf/") or name.lower() in _ABOUT_ALL:
                continue
            if media_type.startswith(("audio/", "video/")):
                self._out.warn(WarningCode.PART_NOT_READ, name, "a sound or video is not transcribed")
            elif name in book.encrypted:
                self._out.failed_member(name, ErrorCategory.ENCRYPTED_NO_KEY, "encrypted", media_type or None)
            elif self._is_document(name, media_type):
                self._out.member(name, self._package.chunks(name), media_type or None)

    def _has_words(self, drawing: str) -> bool:
        """Say whether a drawing (SVG) writes words; the others illustrate."""
        if self._package.size(drawing) > MAX_DRAWING_BYTES:
            return True
        try:
            return b"<text" in self._package.part(drawing)
        except ExtractionError as error:
            if error.category in FATAL:
                raise
            return False

    def _is_document(self, name: str, media_type: str) -> bool:
        if media_type == MediaType.SVG:
            return self._has_words(name)
        if not media_type or media_type in _SERVING or media_type.partition("/")[0] in _SERVING_KINDS:
            return False
        by_name = BY_EXTENSION.get(f".{name.rpartition('.')[2].lower()}", "")
        is_page = media_type in (MediaType.XHTML, MediaType.HTML)
        return not is_page and by_name not in _SERVING and by_name.partition("/")[0] not in _SERVING_KINDS

    def _add_pictures(self, book: Publication, *, is_cover: bool) -> None:
        """Hand out the cover, or the pictures that no page shows. Raises Full."""
        for item in book.items.values():
            is_picture = item.media_type.startswith("image/") and item.media_type != MediaType.SVG
            is_wanted = not is_cover or "cover" in f"{item.properties} {item.id}".lower()
            if not (is_picture and is_wanted and item.name) or item in book.spine or item.name in book.encrypted:
                continue
            if self._package.size(item.name) >= MIN_PICTURE_BYTES and (anchor := self._out.picture(item.name)):
                self._out.add(anchor)
