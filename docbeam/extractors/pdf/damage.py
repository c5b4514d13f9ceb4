"""Pages that look blank because their content can't be unpacked: PDFium shows nothing for them and says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf

from docbeam.extractors.pdf.loading import open_for_pikepdf
from docbeam.extractors.source import Source

MAX_PAGES = 500  # blank pages that are asked
LEAST_BYTES = 16  # a page that is really blank has a shorter content stream, or one that unpacks


def undecodable_pages(source: Source, blank: list[int]) -> list[int]:
    """Return those of the blank pages (numbers from 1) that have content which can't be unpacked."""
    if not blank:
        return []
    try:
        with open_for_pikepdf(source) as pdf:
            count = len(pdf.pages)
            return [
                number
                for number in blank[:MAX_PAGES]
                if number <= count and any(_is_broken(stream) for stream in _contents(pdf.pages[number - 1]))
            ]
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, LookupError, AttributeError, RuntimeError):
        return []


def _contents(page: pikepdf.Page) -> Iterator[pikepdf.Stream]:
    contents = page.obj.get("/Contents")
    for stream in contents if isinstance(contents, pikepdf.Array) else [contents]:
        if isinstance(stream, pikepdf.Stream):
            yield stream


def _is_broken(stream: pikepdf.Stream) -> bool:
    raw = stream.read_raw_bytes()
    if len(raw) < LEAST_BYTES or "/Filter" not in stream:
        return False
    try:
        return not stream.read_bytes()
    except pikepdf.PdfError:
        return True
