"""Does a page show text that is not in it as text? Decided by what it draws, not by a count of characters alone."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_double, c_float

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.page import Handle, OpenPage

MAX_OBJECTS = 4_000  # looked at on one page
MAX_FORM_DEPTH = 8  # forms inside forms; self-referencing ones exist
SCAN_SHARE = 0.5  # of the page that pictures cover before the page may be a scan
STAMP_TEXT_SHARE = 0.05  # of the page that visible text covers; a stamp's stays under, running text's does not
STAMP_CHARS = 400  # the longest production stamps, header and footer together
PICTURE_SHARE = 0.004  # of the page; smaller pictures are bullets and icons
MANY_UNREADABLE = 8  # letters without a code that are worth recognising; fewer are bullets
OUTLINE_CURVES = 40  # Bézier segments; about three letters drawn as outlines


def needs_ocr(page: OpenPage, usable_chars: int, unreadable_chars: int, least_chars: int) -> bool:
    """Say whether the page's text has to be recognised.

    So it is where there is little usable text, and letters that can't be read or something else is drawn; and where the
    text is only a stamp on a scan.
    """
    if usable_chars >= max(STAMP_CHARS, least_chars):
        return False
    is_short = usable_chars < least_chars
    if is_short and unreadable_chars >= MANY_UNREADABLE:
        return True
    drawn = _Drawn(page, is_short)
    if is_short:
        return drawn.could_hold_text()
    return drawn.picture_share >= SCAN_SHARE and _is_stamp(page, drawn)


class _Drawn:
    """What a page draws: the share of it under pictures, curves of outlines, texts and invisible texts.

    With `is_short` any sign of text is enough, and the look ends there.
    """

    def __init__(self, page: OpenPage, is_short: bool) -> None:
        width, height = page.size()
        self.area = max(width * height, 1.0)
        self._edges = (c_float(), c_float(), c_float(), c_float())
        self.picture_share = 0.0
        self.curves = 0
        self.texts = 0
        self.invisible_texts = 0
        self._seen = 0
        self._is_short = is_short
        for thing in _page_objects(page.page):
            self._look(thing, 0, 1.0)
            if is_short and self.could_hold_text():
                break

    def could_hold_text(self) -> bool:
        """Say whether a picture, outlines or letters without a code are there."""
        return self.picture_share >= PICTURE_SHARE or self.curves >= OUTLINE_CURVES

    def _look(self, thing: Handle, depth: int, scale: float) -> None:
        self._seen += 1
        if self._seen > MAX_OBJECTS:
            return
        kind = pdfium_c.FPDFPageObj_GetType(thing)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            self.picture_share += self._share(thing) * scale
        elif kind == pdfium_c.FPDF_PAGEOBJ_PATH and self._is_short:
            self.curves += _curves(thing)
        elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            self.texts += 1
            self.invisible_texts += pdfium_c.FPDFTextObj_GetTextRenderMode(thing) == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < MAX_FORM_DEPTH:
            matrix = pdfium_c.FS_MATRIX()
            pdfium_c.FPDFPageObj_GetMatrix(thing, matrix)
            inner = scale * max(abs(matrix.a * matrix.d - matrix.b * matrix.c), 1e-9)
            for index in range(min(pdfium_c.FPDFFormObj_CountObjects(thing), MAX_OBJECTS)):
                if self._seen <= MAX_OBJECTS:
                    self._look(pdfium_c.FPDFFormObj_GetObject(thing, index), depth + 1, inner)

    def _share(self, thing: Handle) -> float:
        left, bottom, right, top = self._edges
        if not pdfium_c.FPDFPageObj_GetBounds(thing, byref(left), byref(bottom), byref(right), byref(top)):
            return 0.0
        return min(abs(right.value - left.value) * abs(top.value - bottom.value) / self.area, 1.0)


def _page_objects(page: Handle) -> Iterator[Handle]:
    for index in range(min(pdfium_c.FPDFPage_CountObjects(page), MAX_OBJECTS)):
        yield pdfium_c.FPDFPage_GetObject(page, index)


def _curves(path: Handle) -> int:
    count = min(pdfium_c.FPDFPath_CountSegments(path), OUTLINE_CURVES * 4)
    return sum(
        pdfium_c.FPDFPathSegment_GetType(pdfium_c.FPDFPath_GetPathSegment(path, index)) == pdfium_c.FPDF_SEGMENT_BEZIERTO
        for index in range(count)
    )


def _is_stamp(page: OpenPage, drawn: _Drawn) -> bool:
    """Say whether a page's visible text is only a stamp: no invisible layer, and it covers very little."""
    if drawn.invisible_texts * 2 >= max(drawn.texts, 1):
        return False
    left, top, right, bottom = c_double(), c_double(), c_double(), c_double()
    covered = 0.0
    for index in range(min(pdfium_c.FPDFText_CountRects(page.text_page, 0, -1), MAX_OBJECTS)):
        if pdfium_c.FPDFText_GetRect(page.text_page, index, byref(left), byref(top), byref(right), byref(bottom)):
            covered += abs(right.value - left.value) * abs(top.value - bottom.value)
    return covered / drawn.area < STAMP_TEXT_SHARE
