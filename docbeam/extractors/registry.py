"""Every extractor on one screen: its name, where it is, and the media types that it reads. The first match wins.

Third parties add theirs through the entry-point group `docbeam.extractors`; they are asked before the built-in ones,
in the order of their names, so that they can replace a format.
"""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from typing import NamedTuple

from docbeam.extractors.protocol import Extractor, Sniffer
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType

ENTRY_POINT_GROUP = "docbeam.extractors"


class Entry(NamedTuple):
    """One built-in extractor; its module is imported on first use."""

    name: str
    target: str
    media_types: tuple[str, ...]


BUILT_IN = (
    Entry("pdf", "docbeam.extractors.pdf:PdfExtractor", (MediaType.PDF,)),
    Entry("docx", "docbeam.extractors.ooxml.docx:DocxExtractor", MediaType.WORD),
    Entry("xlsx", "docbeam.extractors.ooxml.xlsx:XlsxExtractor", MediaType.SPREADSHEET),
    Entry("doc", "docbeam.extractors.legacy.doc:DocExtractor", (MediaType.DOC,)),
    Entry("xlsb", "docbeam.extractors.legacy.xlsb:XlsbExtractor", (MediaType.XLSB,)),
    Entry("ppt", "docbeam.extractors.legacy.ppt:PptExtractor", (MediaType.PPT,)),
    Entry("xls", "docbeam.extractors.legacy.xls:XlsExtractor", (MediaType.XLS,)),
    Entry("pptx", "docbeam.extractors.ooxml.pptx:PptxExtractor", MediaType.PRESENTATION),
    Entry("odf", "docbeam.extractors.odf:OdfExtractor", MediaType.OPEN_DOCUMENT),
    Entry("rtf", "docbeam.extractors.rtf:RtfExtractor", (MediaType.RTF,)),
    Entry("epub", "docbeam.extractors.epub:EpubExtractor", (MediaType.EPUB,)),
    Entry("html", "docbeam.extractors.html:HtmlExtractor", (MediaType.HTML, MediaType.XHTML)),
    Entry("csv", "docbeam.extractors.csv:CsvExtractor", (MediaType.CSV, MediaType.TSV)),
    Entry("xml", "docbeam.extractors.xml:XmlExtractor", (MediaType.XML,)),
    Entry("eml", "docbeam.extractors.mail.eml:EmlExtractor", (MediaType.EML,)),
    Entry("mbox", "docbeam.extractors.mail.mbox:MboxExtractor", (MediaType.MBOX,)),
    Entry("msg", "docbeam.extractors.mail.msg:MsgExtractor", (MediaType.MSG,)),
    Entry("tnef", "docbeam.extractors.mail.tnef:TnefExtractor", MediaType.TNEF),
    Entry("calendar", "docbeam.extractors.mail.calendar:CalendarExtractor", (MediaType.CALENDAR,)),
    Entry("vcard", "docbeam.extractors.mail.vcard:VcardExtractor", (MediaType.VCARD,)),
    Entry("image", "docbeam.extractors.image:ImageExtractor", MediaType.PICTURES),
    Entry("json", "docbeam.extractors.json:JsonExtractor", (MediaType.JSON, MediaType.JSON_LINES)),
    Entry("notebook", "docbeam.extractors.notebook:NotebookExtractor", (MediaType.NOTEBOOK,)),
    Entry("svg", "docbeam.extractors.svg:SvgExtractor", (MediaType.SVG,)),
    Entry("zip", "docbeam.extractors.archive:ZipExtractor", MediaType.ZIPS),
    Entry("warc", "docbeam.extractors.archive:WarcExtractor", (MediaType.WARC,)),
    Entry("tar", "docbeam.extractors.archive:TarExtractor", (MediaType.TAR,)),
    Entry(
        "compressed",
        "docbeam.extractors.archive:CompressedExtractor",
        (MediaType.GZIP, MediaType.BZIP2, MediaType.XZ, MediaType.LZMA),
    ),
    Entry("text", "docbeam.extractors.text:TextExtractor", MediaType.TEXTS),
)

_told: list[tuple[tuple[str, str], ...]] = []


@lru_cache(maxsize=256)
def extractor_for(media_type: str) -> Extractor | None:
    """Return the first extractor that reads the media type, or None."""
    for extractor in _third_party():
        if extractor.can_handle(media_type):
            return extractor
    for entry in BUILT_IN:
        if media_type in entry.media_types:
            return _load(entry.target)
    return None


def third_party_points() -> tuple[tuple[str, str], ...]:
    """Return name and target of every third-party extractor that is installed, in the order of their names."""
    from importlib.metadata import entry_points  # imported late: with the search it takes longer than all else here

    return tuple(sorted((point.name, point.value) for point in entry_points(group=ENTRY_POINT_GROUP)))


def use_third_party(points: tuple[tuple[str, str], ...]) -> None:
    """Take these third-party extractors instead of searching: a sandbox child is told what its parent has found."""
    _told[:] = [points]
    _third_party.cache_clear()
    extractor_for.cache_clear()


def third_party_type(source: Source) -> str | None:
    """Return the media type that a third-party extractor with a `sniff` method knows the bytes to be, or None."""
    for extractor in _third_party():
        if isinstance(extractor, Sniffer):
            media_type = extractor.sniff(source.head(), source.name)
            if media_type is not None:
                return media_type
    return None


@lru_cache(maxsize=1)
def _third_party() -> tuple[Extractor, ...]:
    points = _told[0] if _told else third_party_points()
    if not points:
        return ()
    from importlib.metadata import EntryPoint

    return tuple(EntryPoint(name, target, ENTRY_POINT_GROUP).load()() for name, target in points)


@cache
def _load(target: str) -> Extractor:
    module, _, name = target.partition(":")
    extractor: Extractor = getattr(importlib.import_module(module), name)()
    return extractor
