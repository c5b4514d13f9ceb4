"""The calls of PDFium that run once a letter or line, declared with plain addresses: half the price of the typed ones."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import addressof, c_double, c_float, c_int, c_void_p

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.page import OpenPage

Numbers = list[float]

_FOUR = (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)


def _declared(call: object, *arguments: type) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(c_int, *arguments)(ctypes.cast(call, c_void_p).value or 0)  # type: ignore[arg-type]


_char_box = _declared(pdfium_c.FPDFText_GetCharBox, *_FOUR)
_rect = _declared(pdfium_c.FPDFText_GetRect, *_FOUR)
_loose_box = _declared(pdfium_c.FPDFText_GetLooseCharBox, c_void_p, c_int, c_void_p)


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


def _reader(call: Callable[..., int], page: OpenPage) -> Callable[[int], Numbers]:
    text_page, numbers = _address(page), (c_double * 4)()
    start = addressof(numbers)
    places = start, start + 8, start + 16, start + 24

    def read(index: int) -> Numbers:
        return numbers[:] if call(text_page, index, *places) else []

    return read


def _address(page: OpenPage) -> int | None:
    return ctypes.cast(page.text_page, c_void_p).value
