"""One page: its charset, its tree, its text, and what its head says about it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from docbeam.extractors.bounded import MAX_METADATA_CHARS, TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.html.elements import text_of
from docbeam.extractors.html.layout import Layout
from docbeam.extractors.html.pictures import InlinePictures, inline_picture
from docbeam.extractors.html.prepare import PRESCAN_BYTES, as_html, declared_charset, shortened
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

PartOf = Callable[[str], str | None]
AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "byl")
CREATED = (
    "article:published_time", "datepublished", "dcterms.created", "dc.date", "dcterms.date", "date", "pubdate",
    "citation_publication_date",
)  # fmt: skip
MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "revised")
KEPT = (
    "description", "keywords", "generator", "robots", "og:title", "og:description", "og:site_name", "og:type", "og:locale",
    "twitter:title", "twitter:description",
)  # fmt: skip
NAMING = ("name", "property", "itemprop", "http-equiv")  # the attributes that name a <meta>
MAX_META_TAGS = 500  # that are looked at


class HtmlExtractor:
    """Reads HTML and XHTML."""

    name = "html"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is HTML or XHTML."""
        return media_type in (MediaType.HTML, MediaType.XHTML)

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of the page as a browser lays it out, without running or fetching anything."""
        return self.extract_page(source, media_type, options)

    def extract_page(
        self, source: Source, media_type: str, options: ExtractOptions, part_of: PartOf = lambda address: None
    ) -> Extracted:
        """Return the text of a page as extract does. `part_of` names the picture at an address, if it is within reach."""
        out = TextBuilder(options)
        data = source.read()
        found = decode(data, declared=declared_charset(data[:PRESCAN_BYTES]))
        found.report(out)
        inline = InlinePictures()
        text = inline.numbered(found.text)
        is_xml = media_type == MediaType.XHTML or text.lstrip()[:5] == "<?xml"
        markup = as_html(text) if is_xml else text
        kept, is_whole = shortened(markup, options.max_extracted_chars)

        def picture(address: str, shown: tuple[str | None, str | None]) -> str:
            if address.lstrip()[:5].lower() == "data:":
                return inline.anchor(address, shown, out)
            return out.picture(part) if (part := part_of(address)) else ""

        layout = Layout(out, picture)
        with out.until_full():
            layout.page(kept)
            if not is_whole:
                out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
        layout.report()
        if layout.is_empty:
            out.warn(WarningCode.NO_TEXT, "document", "the page shows no text")
        return _with_head(layout.tree, out, found.confidence)

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture that the page holds itself. Raises ExtractionError as embedded_picture does."""
        from docbeam.extractors.image.embedded import embedded_picture  # late: Pillow costs more than most pages

        return embedded_picture(self.picture_bytes(source, part), part, options)

    def picture_bytes(self, source: Source, part: str) -> bytes:
        """Return the bytes of a picture that the page holds itself. Raises: ExtractionError CORRUPT."""
        data = source.read()
        return inline_picture(decode(data, declared=declared_charset(data[:PRESCAN_BYTES])).text, part)


def _with_head(tree: LexborHTMLParser | None, out: TextBuilder, confidence: Confidence) -> Extracted:
    """Return what was collected, with title, author, dates and other metadata of the page's head."""
    named = _named_metas(tree)
    title = _title(tree) or named.get("og:title")
    for name in KEPT:
        out.meta(f"html.{name.replace(':', '.')}", named.get(name))
    if tree is not None and tree.root is not None:
        out.meta("html.lang", tree.root.attributes.get("lang") or tree.root.attributes.get("xml:lang"))
        if (link := tree.css_first('link[rel~="canonical"][href]')) is not None:
            out.meta("html.canonical", link.attributes.get("href"))
    out.meta("html.title", title)
    return out.extracted(
        confidence=confidence,
        title=title[:MAX_METADATA_CHARS] if title else None,
        author=_first(named, AUTHOR),
        created_at=_date(_first(named, CREATED)),
        modified_at=_date(_first(named, MODIFIED)),
    )


def _named_metas(tree: LexborHTMLParser | None) -> dict[str, str]:
    """Return the contents of the <meta> tags by their names in lower case; the first of a name counts."""
    named: dict[str, str] = {}
    for meta in tree.css("meta[content]")[:MAX_META_TAGS] if tree is not None else ():
        attributes = meta.attributes
        name = next((attributes[key] for key in NAMING if attributes.get(key)), None)
        content = " ".join((attributes.get("content") or "").split())
        if name and content:
            named.setdefault(name.strip().lower(), content[:MAX_METADATA_CHARS])
    return named


def _title(tree: LexborHTMLParser | None) -> str | None:
    node = tree.css_first("head > title") if tree is not None else None
    return " ".join(text_of(node).split()) or None if node is not None else None


def _first(named: dict[str, str], names: tuple[str, ...]) -> str | None:
    return next((named[name] for name in names if name in named), None)


def _date(value: str | None) -> datetime | None:
    """Return an ISO 8601 date, in UTC where it names no zone; anything else is nobody's guess."""
    if value is None:
        return None
    text = value.strip().replace("Z", "+00:00").replace("z", "+00:00")
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
