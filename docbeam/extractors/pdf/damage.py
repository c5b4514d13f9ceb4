"""Pages that look blank or end early because their content is damaged: PDFium shows what it gets and says nothing.

Only where a page looks blank is it looked for, and on the other pages only where one was found: healthy files pay nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pikepdf

from docbeam.extractors.pdf.loading import open_for_pikepdf
from docbeam.extractors.source import Source

MAX_PAGES = 500  # that are asked, blank ones and others
LEAST_BYTES = 16  # a page that is really blank has a shorter content stream, or one that unpacks
LOST = re.compile("not found in file|unable to recover stream")  # as qpdf says it of the objects that it was asked for


class Damaged(NamedTuple):
    """Numbers (from 1) of pages that show nothing, and of pages that show a part, because their content is damaged."""

    blank: list[int]
    partly: list[int]


def damaged_pages(source: Source, blank: list[int], wanted: Iterable[int]) -> Damaged:
    """Return which of the blank pages have content that is lost or can't be unpacked; then also which of the others."""
    if not blank:
        return Damaged([], [])
    try:
        lost = _damaged(source, blank)
        return Damaged(lost, _damaged(source, sorted({*wanted} - {*blank})) if lost else [])
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, LookupError, AttributeError, RuntimeError):
        return Damaged([], [])


def _damaged(source: Source, numbers: list[int]) -> list[int]:
    with open_for_pikepdf(source) as pdf:  # anew, as the search for a lost object leaves others half read
        count = len(pdf.pages)
        return [number for number in numbers[:MAX_PAGES] if number <= count and _is_damaged(pdf, number)]


def _is_damaged(pdf: pikepdf.Pdf, number: int) -> bool:
    pdf.get_warnings()  # those of other pages
    is_broken = [_is_broken(stream) for stream in _contents(pdf.pages[number - 1])]
    return any(is_broken) or any(LOST.search(str(warning)) for warning in pdf.get_warnings())


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
