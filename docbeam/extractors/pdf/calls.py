"""The calls of PDFium that run once a letter or line, declared with plain addresses: half the price of the typed ones."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import addressof, c_double, c_float, c_int, c_void_p

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.page import Handle, OpenPage

MAX_OBJECTS = 4_000  # of one page that are looked at
Numbers = list[float]

_FOUR = (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)


def _declared(call: object, *arguments: type) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(c_int, *arguments)(ctypes.cast(call, c_void_p).value or 0)  # type: ignore[arg-type]


_char_box = _declared(pdfium_c.FPDFText_GetCharBox, *_FOUR)
_rect = _declared(pdfium_c.FPDFText_GetRect, *_FOUR)
_loose_box = _declared(pdfium_c.FPDFText_GetLooseCharBox, c_void_p, c_int, c_void_p)
_object = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_int)(ctypes.cast(pdfium_c.FPDFPage_GetObject, c_void_p).value or 0)
_kind = _declared(pdfium_c.FPDFPageObj_GetType, c_void_p)
_bounds = _declared(pdfium_c.FPDFPageObj_GetBounds, *[c_void_p] * 5)


def char_box(page: OpenPage) -> Callable[[int], Numbers]:
    """Return the function that gives a letter's box (left, right, bottom, top), empty for one without a place."""
    return _reader(_char_box, page)


def rect(page: OpenPage) -> Callable[[int], Numbers]:
    """Return the function that gives a text run's box (left, top, right, bottom); count the runs first."""
    return _reader(_rect, page)


def loose_box(page: OpenPage) -> Callable[[int], Numbers]:
    """Return the function that gives the box of a letter's font at its place (left, top, right, bottom), whatever it inks."""
    text_page, numbers = _address(page), (c_float * 4)()
    start = addressof(numbers)

    def read(index: int) -> Numbers:
        return numbers[:] if _loose_box(text_page, index, start) else []

    return read


def objects(page: OpenPage) -> list[tuple[int, int]]:
    """Return the objects of a page (their addresses) and their kinds, of many the first."""
    if page.things is None:
        handle = ctypes.cast(page.page, c_void_p).value
        found = [_object(handle, index) for index in range(min(pdfium_c.FPDFPage_CountObjects(page.page), MAX_OBJECTS))]
        page.things = [(thing, _kind(thing)) for thing in found if thing]
    return page.things


def typed(thing: int) -> Handle:
    """Return the address of a page's object as the typed calls want it."""
    return ctypes.cast(thing, pdfium_c.FPDF_PAGEOBJECT)


def bounds() -> Callable[[int], Numbers]:
    """Return the function that gives the box of a page's object (left, bottom, right, top)."""
    numbers = (c_float * 4)()
    start = addressof(numbers)
    places = start, start + 4, start + 8, start + 12

    def read(thing: int) -> Numbers:
        return numbers[:] if _bounds(thing, *places) else []

    return read


def _reader(call: Callable[..., int], page: OpenPage) -> Callable[[int], Numbers]:
    text_page, numbers = _address(page), (c_double * 4)()
    start = addressof(numbers)
    places = start, start + 8, start + 16, start + 24

    def read(index: int) -> Numbers:
        return numbers[:] if call(text_page, index, *places) else []

    return read


def _address(page: OpenPage) -> int | None:
    return ctypes.cast(page.text_page, c_void_p).value
