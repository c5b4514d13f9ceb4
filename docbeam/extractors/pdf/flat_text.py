"""Text without width, which PDFium leaves out of a page's text: vertical lines of a font that is not embedded."""

from __future__ import annotations

from ctypes import byref, c_float

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.page import OpenPage

MAX_OBJECTS = 2_000  # of one page
ENOUGH_TEXTS = 100  # a page whose first texts have a width has no flat ones
FLAT = 0.001  # points; the width below which PDFium drops a text is 0.0001
SLANT = 0.002  # points to the right for each point up


def widened(page: OpenPage) -> bool:
    """Slant flat text by a hair and read the page's text again; say whether there was some."""
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    places = byref(left), byref(bottom), byref(right), byref(top)
    flat = texts = 0
    for index in range(min(pdfium_c.FPDFPage_CountObjects(page.page), MAX_OBJECTS)):
        thing = pdfium_c.FPDFPage_GetObject(page.page, index)
        if pdfium_c.FPDFPageObj_GetType(thing) != pdfium_c.FPDF_PAGEOBJ_TEXT:
            continue
        texts += 1
        if pdfium_c.FPDFPageObj_GetBounds(thing, *places) and right.value - left.value < FLAT and top.value > bottom.value:
            pdfium_c.FPDFPageObj_Transform(thing, 1, 0, SLANT, 1, -SLANT * top.value, 0)
            flat += 1
        elif texts > ENOUGH_TEXTS and not flat:
            break
    return flat > 0 and page.read_again()
