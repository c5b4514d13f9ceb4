"""One open page and its text as PDFium gives it, over the raw API: the helper classes cost more than a short page."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

LINE_UNITS = 1_000  # of UTF-16 that a line or value seldom exceeds
Handle = Any  # ctypes pointers have no useful types


class PageFailed(Exception):
    """PDFium can't load the page."""


@dataclass(slots=True)
class OpenPage:
    """A loaded page, its text page and its document. `number` counts from 1.

    `turn` is what glyphs.text_turn found, `outside` the letters that glyphs.glyph_lines left out, `things` and `runs` what
    calls.objects and glyphs.text_runs found.
    """

    document: pdfium.PdfDocument
    number: int
    page: Handle
    text_page: Handle
    turn: int | None = None
    outside: int = 0
    things: list[tuple[int, int]] | None = None
    runs: list[tuple[float, float, float, float]] | None = None

    @property
    def char_count(self) -> int:
        """The number of PDFium's characters, with those that have no letter."""
        return max(int(pdfium_c.FPDFText_CountChars(self.text_page)), 0)

    def read_again(self) -> bool:
        """Read the page's text once more, after a change to its objects or rotation."""
        again = pdfium_c.FPDFText_LoadPage(self.page)
        if again:
            pdfium_c.FPDFText_ClosePage(self.text_page)
            self.text_page, self.runs = again, None
        return bool(again)

    def size(self) -> tuple[float, float]:
        """Width and height in points, as displayed."""
        return float(pdfium_c.FPDF_GetPageWidthF(self.page)), float(pdfium_c.FPDF_GetPageHeightF(self.page))


@contextmanager
def open_page(document: pdfium.PdfDocument, number: int) -> Iterator[OpenPage]:
    """Load page `number` (from 1) and its text; close both afterwards. Raises PageFailed."""
    page = pdfium_c.FPDF_LoadPage(document, number - 1)
    if not page:
        raise PageFailed(f"PDFium can't load page {number}")
    text_page = None
    try:
        text_page = pdfium_c.FPDFText_LoadPage(page)
        if not text_page:
            raise PageFailed(f"PDFium can't read the text of page {number}")
        opened = OpenPage(document, number, page, text_page)
        yield opened
    finally:
        if text_page:
            pdfium_c.FPDFText_ClosePage(opened.text_page)
        pdfium_c.FPDF_ClosePage(page)


def raw_text(text_page: Handle, char_count: int) -> str:
    r"""Return PDFium's text: lines end with \r\n, a joined hyphen and a glyph mapped to nothing are U+FFFE."""
    if char_count <= 0:
        return ""
    units = 2 * char_count + 2  # a character outside the BMP takes two
    buffer = (ctypes.c_ushort * units)()
    got = pdfium_c.FPDFText_GetText(text_page, 0, char_count, buffer)
    return ctypes.string_at(buffer, 2 * max(got - 1, 0)).decode("utf-16-le", "surrogatepass")


def bounded_text(text_page: Handle, box: tuple[float, float, float, float]) -> str:
    """Return the text inside a box (left, bottom, right, top) in page units."""
    left, bottom, right, top = box
    units = LINE_UNITS
    buffer = (ctypes.c_ushort * units)()
    got = pdfium_c.FPDFText_GetBoundedText(text_page, left, top, right, bottom, buffer, units)
    if got >= units:  # PDFium looks at all letters of the page for each call: asked for the length only where it is long
        units = pdfium_c.FPDFText_GetBoundedText(text_page, left, top, right, bottom, None, 0)
        buffer = (ctypes.c_ushort * (units + 1))()
        got = pdfium_c.FPDFText_GetBoundedText(text_page, left, top, right, bottom, buffer, units)
    return ctypes.string_at(buffer, 2 * max(got, 0)).decode("utf-16-le", "replace").rstrip("\x00")


def font_name(page: OpenPage, index: int) -> str:
    """Return the name of a character's font, empty if it has none."""
    size = 256
    buffer = ctypes.create_string_buffer(size)
    flags = ctypes.c_int()
    got = pdfium_c.FPDFText_GetFontInfo(page.text_page, index, buffer, size, ctypes.byref(flags)) if index >= 0 else 0
    return buffer.raw[: max(got - 1, 0)].decode("utf-8", "replace") if got <= size else ""


def visible_box(page: OpenPage) -> tuple[float, float, float, float]:
    """Return the part of the page that is shown (left, bottom, right, top), in page units."""
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDF_GetPageBoundingBox(page.page, box)
    return box.left, box.bottom, box.right, box.top


def chars_in(page: OpenPage, box: tuple[float, float, float, float]) -> int:
    """Return how many UTF-16 units of text lie inside a box; PDFium's count may be off by a few line ends."""
    left, bottom, right, top = box
    return int(pdfium_c.FPDFText_GetBoundedText(page.text_page, left, top, right, bottom, None, 0))
