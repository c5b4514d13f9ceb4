"""The calls of PDFium that run once a letter or line, declared with plain addresses and without letting other threads in:
half the price of the typed ones. What a whole page is asked for is asked without a step of Python between two calls.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import addressof, c_double, c_float, c_int, c_ulong, c_void_p
from functools import partial
from itertools import compress, repeat, takewhile

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.page import Handle, OpenPage

MAX_OBJECTS = 4_000  # of one page that are looked at
Numbers = list[float]

_FOUR = (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)


def _declared(call: object, *arguments: type) -> Callable[..., int]:
    return ctypes.PYFUNCTYPE(c_int, *arguments)(ctypes.cast(call, c_void_p).value or 0)  # type: ignore[arg-type]


_char_box = _declared(pdfium_c.FPDFText_GetCharBox, *_FOUR)
_rect = _declared(pdfium_c.FPDFText_GetRect, *_FOUR)
_loose_box = _declared(pdfium_c.FPDFText_GetLooseCharBox, c_void_p, c_int, c_void_p)
_object = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_int)(ctypes.cast(pdfium_c.FPDFPage_GetObject, c_void_p).value or 0)
_part = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_ulong)(ctypes.cast(pdfium_c.FPDFFormObj_GetObject, c_void_p).value or 0)
_count_rects = _declared(pdfium_c.FPDFText_CountRects, c_void_p, c_int, c_int)
_has_map_error = _declared(pdfium_c.FPDFText_HasUnicodeMapError, c_void_p, c_int)
_kind = _declared(pdfium_c.FPDFPageObj_GetType, c_void_p)
_count_segments = _declared(pdfium_c.FPDFPath_CountSegments, c_void_p)
_segment = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_int)(ctypes.cast(pdfium_c.FPDFPath_GetPathSegment, c_void_p).value or 0)
_segment_kind = _declared(pdfium_c.FPDFPathSegment_GetType, c_void_p)
_closes = _declared(pdfium_c.FPDFPathSegment_GetClose, c_void_p)
_point = _declared(pdfium_c.FPDFPathSegment_GetPoint, c_void_p, c_void_p, c_void_p)
_bounds = _declared(pdfium_c.FPDFPageObj_GetBounds, *[c_void_p] * 5)


def char_box(page: OpenPage) -> Callable[[int], Numbers]:
    """Return the function that gives a letter's box (left, right, bottom, top), empty for one without a place."""
    return _reader(_char_box, page)


def char_boxes(page: OpenPage) -> tuple[Numbers, Numbers, Numbers, Numbers, list[int]]:
    """Return the boxes of all letters of a page as columns (left, right, bottom, top), and 0 for each without a place."""
    count = page.char_count
    numbers = (c_double * (4 * count))()
    start = addressof(numbers)
    columns = [range(start + at, start + 32 * count, 32) for at in (0, 8, 16, 24)]
    has_place = list(map(_char_box, repeat(_address(page)), range(count), *columns))
    return numbers[0::4], numbers[1::4], numbers[2::4], numbers[3::4], has_place


def rects(page: OpenPage) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of the page's text runs (left, top, right, bottom)."""
    count = pdfium_c.FPDFText_CountRects(page.text_page, 0, -1)
    if count <= 0:
        return iter(())
    numbers = (c_double * (4 * count))()
    start = addressof(numbers)
    columns = [range(start + at, start + 32 * count, 32) for at in (0, 8, 16, 24)]
    has_place = list(map(_rect, repeat(_address(page)), range(count), *columns))
    return compress(zip(numbers[0::4], numbers[1::4], numbers[2::4], numbers[3::4], strict=True), has_place)


def rect(page: OpenPage) -> Callable[[int], Numbers]:
    """Return the function that gives a text run's box (left, top, right, bottom); count the runs first."""
    return _reader(_rect, page)


def rect_counter(page: OpenPage) -> Callable[[int, int], int]:
    """Return the function that counts the text runs of a span (first letter, letters), which `rect` gives the boxes of then."""
    return partial(_count_rects, _address(page))


def loose_boxes(page: OpenPage, indexes: Sequence[int]) -> Iterator[tuple[int, float, float, float, float]]:
    """Return for each letter whether it has a place, and the box of its font there (left, top, right, bottom), inked or not."""
    numbers = (c_float * (4 * len(indexes)))()
    start = addressof(numbers)
    has_place = list(map(_loose_box, repeat(_address(page)), indexes, range(start, start + 16 * len(indexes), 16)))
    return zip(has_place, numbers[0::4], numbers[1::4], numbers[2::4], numbers[3::4], strict=True)


def without_map(page: OpenPage, indexes: Iterable[int]) -> list[int]:
    """Return 1 for each letter whose font has no map to Unicode."""
    return list(map(_has_map_error, repeat(_address(page)), indexes))


def parts_of_form(form: int) -> Iterator[tuple[int, int]]:
    """Return the objects of a form (their addresses) and their kinds, of many the first."""
    count = min(pdfium_c.FPDFFormObj_CountObjects(typed(form)), MAX_OBJECTS)
    found = list(filter(None, map(_part, repeat(form), range(count))))
    return zip(found, map(_kind, found), strict=True)


def objects(page: OpenPage) -> list[tuple[int, int]]:
    """Return the objects of a page (their addresses) and their kinds, of many the first."""
    if page.things is None:
        handle = ctypes.cast(page.page, c_void_p).value
        count = min(pdfium_c.FPDFPage_CountObjects(page.page), MAX_OBJECTS)
        found = list(filter(None, map(_object, repeat(handle), range(count))))
        page.things = list(zip(found, map(_kind, found), strict=True))
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


def segment_count(path: int) -> int:
    """Return the number of segments of a path."""
    return _count_segments(path)


def path_points(path: int, count: int) -> Iterator[tuple[int, float, float, int]]:
    """Return the first `count` segments of a path before its first curve: kind, x and y of the end, closing or not."""
    found = list(filter(None, map(_segment, repeat(path), range(count))))
    kinds = list(takewhile(pdfium_c.FPDF_SEGMENT_BEZIERTO.__ne__, map(_segment_kind, found)))
    numbers = (c_float * (2 * len(kinds)))()
    start, stop = addressof(numbers), addressof(numbers) + 8 * len(kinds)
    deque(map(_point, found, range(start, stop, 8), range(start + 4, stop, 8)), maxlen=0)
    return zip(kinds, numbers[0::2], numbers[1::2], map(_closes, found), strict=False)


def _reader(call: Callable[..., int], page: OpenPage) -> Callable[[int], Numbers]:
    text_page, numbers = _address(page), (c_double * 4)()
    start = addressof(numbers)
    places = start, start + 8, start + 16, start + 24

    def read(index: int) -> Numbers:
        return numbers[:] if call(text_page, index, *places) else []

    return read


def _address(page: OpenPage) -> int | None:
    return ctypes.cast(page.text_page, c_void_p).value
