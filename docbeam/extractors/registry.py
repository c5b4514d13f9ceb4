"""Every extractor on one screen: its name, where it is, and the media types that it reads. The first match wins.

Third parties add theirs through the entry-point group `docbeam.extractors`; they are asked before the built-in ones,
in the order of their names, so that they can replace a format.
"""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from importlib.metadata import entry_points
from typing import NamedTuple

from docbeam.extractors.protocol import Extractor
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
    Entry("pptx", "docbeam.extractors.ooxml.pptx:PptxExtractor", MediaType.PRESENTATION),
    Entry("html", "docbeam.extractors.html:HtmlExtractor", (MediaType.HTML, MediaType.XHTML)),
    Entry("csv", "docbeam.extractors.csv:CsvExtractor", (MediaType.CSV, MediaType.TSV)),
    Entry("image", "docbeam.extractors.image:ImageExtractor", MediaType.PICTURES),
    Entry("text", "docbeam.extractors.text:TextExtractor", MediaType.TEXTS),
)


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


@lru_cache(maxsize=1)
def _third_party() -> tuple[Extractor, ...]:
    found = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    return tuple(point.load()() for point in found)


@cache
def _load(target: str) -> Extractor:
    module, _, name = target.partition(":")
    extractor: Extractor = getattr(importlib.import_module(module), name)()
    return extractor
