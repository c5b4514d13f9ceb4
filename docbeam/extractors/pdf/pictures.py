"""Pictures that may hold text on pages that have text of their own: nobody recognises them, so they are named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from ctypes import byref, c_float, c_uint
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.calls import objects, parts_of_form, typed
from docbeam.extractors.pdf.page import Handle, OpenPage, chars_in

MAX_DEPTH = 3  # of forms that hold pictures
LEAST_WIDTH, LEAST_HEIGHT = 100, 40  # pixels; a line of text needs as many
LEAST_SHARE, MOST_SHARE = 0.01, 0.7  # of the page; smaller ones are icons, larger ones lie under it
FEW_CHARS = 20  # of the page's own text over a picture; with more of them it is a background, or was recognised before
REPEATED = 3  # pages that show a picture of the same size: a logo or ornament
MAX_NAMED = 20  # in the warning


@dataclass(slots=True)
class Pictures:
    """The large pictures of a document: page, number on the page, pixels, and whether they come again and again."""

    _found: list[tuple[int, int, int, int]] = field(default_factory=list)
    _sizes: Counter[tuple[int, int]] = field(default_factory=Counter)

    def look(self, page: OpenPage) -> None:
        """Remember the pictures of a page that may hold text."""
        found = list(_large(page))
        self._found += [(page.number, at, width, height) for at, width, height in found]
        self._sizes.update({(width, height) for _, width, height in found})

    def named(self) -> tuple[list[int], str]:
        """Return the pages with such pictures, and the pictures by name."""
        found = [one for one in self._found if self._sizes[one[2:]] < REPEATED]
        names = [f"page {page} picture {at} ({width} × {height} pixels)" for page, at, width, height in found]
        more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        return sorted({one[0] for one in found}), ", ".join(names[:MAX_NAMED]) + more


def _large(page: OpenPage) -> Iterator[tuple[int, int, int]]:
    """Yield number, width and height (pixels) of the pictures that are large enough for text."""
    edges, width, height = (c_float(), c_float(), c_float(), c_float()), c_uint(), c_uint()
    area = 0.0
    for at, (picture, scale) in enumerate(_pictures(page), start=1):
        if not pdfium_c.FPDFImageObj_GetImagePixelSize(picture, byref(width), byref(height)):
            continue
        if width.value < LEAST_WIDTH or height.value < LEAST_HEIGHT:
            continue
        if not pdfium_c.FPDFPageObj_GetBounds(picture, *(byref(edge) for edge in edges)):
            continue
        area = area or max(math.prod(page.size()), 1.0)
        left, bottom, right, top = (edge.value for edge in edges)
        share = abs(right - left) * abs(top - bottom) * scale / area
        is_covered = scale == 1.0 and chars_in(page, (left, bottom, right, top)) > FEW_CHARS
        if LEAST_SHARE <= share <= MOST_SHARE and not is_covered:
            yield at, width.value, height.value


def _pictures(page: OpenPage) -> Iterator[tuple[Handle, float]]:
    for thing, kind in objects(page):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield typed(thing), 1.0
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            yield from _within(thing, 1, 1.0)


def _within(form: int, depth: int, scale: float) -> Iterator[tuple[Handle, float]]:
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(typed(form), matrix)
    scale *= max(abs(matrix.a * matrix.d - matrix.b * matrix.c), 1e-9)
    for thing, kind in parts_of_form(form):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield typed(thing), scale
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
            yield from _within(thing, depth + 1, scale)
