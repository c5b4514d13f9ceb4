"""An OpenDocument file from its package or from one flat XML file: styles, body, objects, properties.

Source: ODF 1.3 part 2 (packages), part 3 (schema), 3.1 (document roots).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.odf.bodies import TextBody
from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.events import MAX_TREE_BYTES, Event, StreamEvents, repaired, tree_events
from docbeam.extractors.odf.flat_pictures import flat_picture
from docbeam.extractors.odf.names import BODIES, OFFICE, Element
from docbeam.extractors.odf.properties import Properties
from docbeam.extractors.odf.sheets import SheetBody
from docbeam.extractors.odf.slides import SlideBody
from docbeam.extractors.odf.styles import PARTS
from docbeam.extractors.odf.unread import unpack_and_warn
from docbeam.extractors.ooxml.package import FATAL, Package
from docbeam.extractors.ooxml.xml import category_of, parse_xml
from docbeam.extractors.package_pictures import part_picture
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

CONTENT = "content.xml"
_FAMILIES = {"text": "odt", "spreadsheet": "ods", "presentation": "odp", "graphics": "odg"}


class Body(Protocol):
    """Reads the body of one kind of document, fed child by child."""

    @property
    def page_count(self) -> int | None:
        """The number of pages so far, None where the format has none."""

    def open(self, element: Element) -> None:
        """Begin a container."""

    def unit(self, element: Element) -> None:
        """Read one element as a whole."""

    def close(self, element: Element) -> None:
        """End a container."""

    def finish(self, family: str) -> None:
        """Record what is known at the end only; called also after a cut."""


class OdfExtractor:
    """Reads OpenDocument texts, spreadsheets, presentations, drawings and their templates, packed or flat."""

    name = "odf"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type in MediaType.OPEN_DOCUMENT

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a document in reading order.

        Raises: ExtractionError as ZipReader does; CORRUPT or LIMIT_EXCEEDED if there is no readable content.
        """
        family = _FAMILIES[media_type.removeprefix("application/vnd.oasis.opendocument.").partition("-")[0]]
        if media_type.endswith("-flat-xml"):
            return _Reader(None, options, family).flat(source)
        with source.open() as file:
            return _Reader(Package(file, options), options, family).packed()

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the package, or one that a flat file holds. Raises ExtractionError as embedded_picture does."""
        return flat_picture(source, part, options) if media_type.endswith("-flat-xml") else part_picture(source, part, options)


class _Reader:
    def __init__(self, package: Package | None, options: ExtractOptions, family: str) -> None:
        self._out = TextBuilder(options)
        self._package = package
        self._family = family
        self._book = Book(package, self._out)
        self._properties = Properties()
        self._body: Body | None = None
        self._problem: str | None = None

    def packed(self) -> Extracted:
        package = self._package
        assert package is not None
        if not package.has(CONTENT):
            raise ExtractionError(ErrorCategory.CORRUPT, f"the package has no {CONTENT}")
        for name in ("meta.xml", "styles.xml"):
            root = package.xml_or_warn(name, self._out) if package.has(name) else None
            for part in () if root is None else root:
                self._head(part)
        if package.size(CONTENT) <= MAX_TREE_BYTES:
            root, self._problem = package.xml_or_problem(CONTENT)
            if self._problem is not None:
                root = repaired(package.part_so_far(CONTENT))
            if root is None:
                raise ExtractionError(ErrorCategory.CORRUPT, f"{CONTENT}: {self._problem or 'no root element'}")
            self._read(tree_events(root))
        else:
            self._stream(package.chunks(CONTENT))
        with self._out.until_full():
            unpack_and_warn(self._book)
        return self._finished(CONTENT)

    def flat(self, source: Source) -> Extracted:
        if source.size_bytes <= MAX_TREE_BYTES:
            data = source.read()
            try:
                root = parse_xml(data)
            except etree.XMLSyntaxError as error:
                self._problem = f"not well-formed: {error.msg}"
                root = repaired(data)
            if root is None:
                raise ExtractionError(ErrorCategory.CORRUPT, self._problem or "no root element")
            self._read(tree_events(root))
        else:
            with source.open() as file:
                self._stream(iter(lambda: file.read(1 << 16), b""))
        with self._out.until_full():
            unpack_and_warn(self._book)
        return self._finished("document")

    def _stream(self, chunks: Iterable[bytes]) -> None:
        events = StreamEvents(self._whole(chunks))
        self._read(events)
        self._problem = self._problem or events.problem

    def _whole(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from chunks
        except ExtractionError as error:
            if error.category in FATAL:
                raise
            self._problem = error.message

    def _read(self, events: Iterable[Event]) -> None:
        with self._out.until_full():
            for what, element in events:
                if self._body is not None:
                    getattr(self._body, what)(element)
                elif what == "open" and element.tag in BODIES:
                    self._body = self._body_of(element)
                    self._body.open(element)
                elif what == "unit":
                    self._head(element)
        if self._body is not None:
            self._body.finish(self._family)

    def _body_of(self, element: Element) -> Body:
        if element.tag == OFFICE + "spreadsheet":
            return SheetBody(self._book)
        if element.tag in (OFFICE + "presentation", OFFICE + "drawing"):
            return SlideBody(self._book)
        return TextBody(self._book)

    def _head(self, element: Element) -> None:
        if element.tag in PARTS:
            self._book.styles.add(element)
        elif element.tag == OFFICE + "meta":
            self._properties.add(element)

    def _finished(self, part: str) -> Extracted:
        out = self._out
        if self._problem is not None:
            out.warn(WarningCode.PART_DAMAGED, part, f"{self._problem}; read as far as possible")
            out.cut(TruncationReason.DAMAGED)
        out.meta(f"{self._family}.hiddenChars", self._book.hidden_chars or None)
        extracted = self._properties.finished(
            out,
            self._family,
            page_count=self._body.page_count if self._body is not None else None,
            confidence=Confidence.HEURISTIC if self._problem else Confidence.DETERMINISTIC,
        )
        if not extracted.content.strip() and (self._problem is not None or self._body is None):
            problem = self._problem or "no body"
            raise ExtractionError(category_of(problem), f"{part}: {problem}, and no text could be read")
        return extracted
