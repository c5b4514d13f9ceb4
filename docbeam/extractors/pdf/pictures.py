"""Pictures beside the text of a page: handed out by their place on the page, and drawn as the page shows them.

A picture under text is a background, or lies under the searchable layer of a scan: it is not read again. One that comes
again (by its pixels and its data) is a logo or an ornament: it is read once. Sources: pdfium's
public/fpdf_edit.h; ISO 32000-1 8.9.5 (images), 8.10 (forms).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator
from ctypes import byref, c_float, c_int, c_uint, create_string_buffer
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.image.tones import sized
from docbeam.extractors.ocr.blank import UNIFORM_RANGE
from docbeam.extractors.pdf.calls import objects, parts_of_form, typed
from docbeam.extractors.pdf.page import Handle, OpenPage, PageFailed, chars_in, open_page
from docbeam.extractors.pictures import is_icon
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

MAX_DEPTH = 3  # of forms that hold pictures
MAX_LOOKED_AT = 20_000  # objects of a page in all of its forms
MAX_MEASURED = 100  # pictures of a page whose letters above them are counted, which looks at all of the page
LEAST_SHARE = 0.005  # of the page; smaller ones are icons
TOUCH = 1.0  # points: strips and tiles of one picture lie no farther apart
FEW_CHARS = 20  # of the page's own text over a picture; with more of them it is a background, or was recognised before
LEAST_DPI, MOST_DPI = 72, 400  # at which a picture is drawn: as fine as it is, within reason
POINTS_PER_INCH = 72
NAME = re.compile(r"page ([0-9]{1,9}) picture ([0-9]{1,9})")


class Place(NamedTuple):
    """A picture on a page: the page's objects that it is or is in, its own objects, its pixels, and its box in points."""

    owners: frozenset[int]
    things: tuple[int, ...]
    width: int
    height: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
        return self.left, self.bottom, self.right, self.top

    def joined(self, other: Place) -> Place | None:
        """Return the picture of which both are strips or tiles, or None if they don't lie side by side."""
        is_below = _is_level(self.left, other.left, self.right, other.right)
        is_below = is_below and (abs(self.bottom - other.top) < TOUCH or abs(self.top - other.bottom) < TOUCH)
        is_beside = _is_level(self.bottom, other.bottom, self.top, other.top)
        is_beside = is_beside and (abs(self.right - other.left) < TOUCH or abs(self.left - other.right) < TOUCH)
        if not (is_below or is_beside):
            return None
        return Place(
            self.owners | other.owners,
            self.things + other.things,
            max(self.width, other.width) if is_below else self.width + other.width,
            self.height + other.height if is_below else max(self.height, other.height),
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )


@dataclass(frozen=True, slots=True)
class _Matrix:
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def within(self, inner: pdfium_c.FS_MATRIX) -> _Matrix:
        """Return what an inner matrix does inside this one."""
        return _Matrix(
            inner.a * self.a + inner.b * self.c,
            inner.a * self.b + inner.b * self.d,
            inner.c * self.a + inner.d * self.c,
            inner.c * self.b + inner.d * self.d,
            inner.e * self.a + inner.f * self.c + self.e,
            inner.e * self.b + inner.f * self.d + self.f,
        )

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Return the box around a box."""
        corners = [(x, y) for x in (left, right) for y in (bottom, top)]
        across = [self.a * x + self.c * y + self.e for x, y in corners]
        up = [self.b * x + self.d * y + self.f for x, y in corners]
        return min(across), min(up), max(across), max(up)


class Pictures:
    """Hands out the large pictures of a document, page by page."""

    def __init__(self, out: TextBuilder) -> None:
        self._out = out
        self._seen: set[tuple[int, int, bytes]] = set()

    def anchors(self, page: OpenPage) -> str:
        """Return the anchors of the pictures of a page that may hold text and were on no page before."""
        found = []
        for at, place in _large(page):
            key = place.width, place.height, _digest(place)
            if key not in self._seen:
                self._seen.add(key)
                found.append(self._out.picture(f"page {page.number} picture {at}", width=place.width, height=place.height))
        return "".join(found)


def draw_picture(document: pdfium.PdfDocument, part: str, options: ExtractOptions) -> Image.Image:
    """Return a picture as its page shows it, alone, in grey. Raises: ExtractionError CORRUPT or IMAGE_TOO_LARGE."""
    named = NAME.fullmatch(part)
    number, at = (int(named[1]), int(named[2])) if named else (0, 0)
    if not 1 <= number <= len(document):
        raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: the document has {len(document)} pages")
    try:
        with open_page(document, number) as page:
            place = next((place for index, place in enumerate(_whole(_pictures(page)), 1) if index == at), None)
            if place is None:
                raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not on the page")
            return _drawn(page, place, part, options)
    except PageFailed as error:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: {error}") from error


def _drawn(page: OpenPage, place: Place, part: str, options: ExtractOptions) -> Image.Image:
    width, height = place.width, place.height
    if width * height > options.max_image_pixels:
        message = f"{part}: {width} x {height} pixels, limit {options.max_image_pixels} pixels"
        raise ExtractionError(ErrorCategory.IMAGE_TOO_LARGE, message)
    shown = max((place.right - place.left) * (place.top - place.bottom), 1.0)
    own_dpi = POINTS_PER_INCH * math.sqrt(width * height / shown)
    scale = min(max(own_dpi, LEAST_DPI), MOST_DPI, max(options.render_dpi, LEAST_DPI)) / POINTS_PER_INCH
    for thing, _ in list(objects(page)):
        if thing not in place.owners and pdfium_c.FPDFPage_RemoveObject(page.page, typed(thing)):
            pdfium_c.FPDFPageObj_Destroy(typed(thing))
    page.things = None
    left, top, right, bottom = _device_box(page, place, scale)
    if (right - left) * (bottom - top) > options.max_page_pixels:
        message = f"{part}: {right - left} x {bottom - top} pixels as shown, limit {options.max_page_pixels} pixels"
        raise ExtractionError(ErrorCategory.IMAGE_TOO_LARGE, message)
    if is_icon(right - left, bottom - top):
        return Image.new("L", (1, 1), 255)
    drawn = _rendered(page, (left, top, right, bottom), scale)
    if _is_even(drawn):  # white letters without a ground of their own lie on what the page draws below them
        on_black = _rendered(page, (left, top, right, bottom), scale, ground=0)
        drawn = drawn if _is_even(on_black) else on_black
    return sized(drawn, None)


def _is_even(image: Image.Image) -> bool:
    (low, high) = image.getextrema()
    return float(high) - float(low) < UNIFORM_RANGE  # type: ignore[arg-type]


def _device_box(page: OpenPage, place: Place, scale: float) -> tuple[int, int, int, int]:
    """Return the box (left, top, right, bottom) in pixels of the page as it is shown, and no more than is shown."""
    width, height = (max(math.ceil(side * scale), 1) for side in page.size())
    x, y, corners = c_int(), c_int(), []
    for across, up in ((place.left, place.bottom), (place.right, place.top)):
        pdfium_c.FPDF_PageToDevice(page.page, 0, 0, width, height, 0, across, up, byref(x), byref(y))
        corners.append((x.value, y.value))
    (x1, y1), (x2, y2) = corners
    left, right = max(min(x1, x2), 0), min(max(x1, x2) + 1, width)
    top, bottom = max(min(y1, y2), 0), min(max(y1, y2) + 1, height)
    return left, top, max(right, left), max(bottom, top)


def _rendered(page: OpenPage, box: tuple[int, int, int, int], scale: float, *, ground: int = 255) -> Image.Image:
    left, top, right, bottom = box
    width, height = (max(math.ceil(side * scale), 1) for side in page.size())
    bitmap = pdfium.PdfBitmap.new_native(right - left, bottom - top, pdfium_c.FPDFBitmap_Gray)
    try:
        bitmap.fill_rect((ground, ground, ground, 255), 0, 0, right - left, bottom - top)
        pdfium_c.FPDF_RenderPageBitmap(bitmap, page.page, -left, -top, width, height, 0, pdfium_c.FPDF_GRAYSCALE)
        image: Image.Image = bitmap.to_pil().copy()  # the bitmap's memory goes with it
    finally:
        bitmap.close()
    return image if image.mode == "L" else image.convert("L")


def _large(page: OpenPage) -> Iterator[tuple[int, Place]]:
    """Yield the pictures that are large enough for text, with their numbers."""
    area, measured = 0.0, 0
    for at, place in enumerate(_whole(_pictures(page)), start=1):
        if is_icon(place.width, place.height):
            continue
        area = area or max(math.prod(page.size()), 1.0)
        share = (place.right - place.left) * (place.top - place.bottom) / area
        if share < LEAST_SHARE:
            continue
        measured += 1
        if measured > MAX_MEASURED or chars_in(page, place.box) <= FEW_CHARS:
            yield at, place


def _digest(place: Place) -> bytes:
    """Return the digest of a picture's data as the file holds it: two of one size and length may be different ones."""
    digest = hashlib.sha256()
    for thing in place.things:
        size = int(pdfium_c.FPDFImageObj_GetImageDataRaw(typed(thing), None, 0))
        buffer = create_string_buffer(size)
        pdfium_c.FPDFImageObj_GetImageDataRaw(typed(thing), buffer, size)
        digest.update(buffer)
    return digest.digest()


def _whole(places: Iterable[Place]) -> list[Place]:
    """Join the strips, and the tiles, that programs cut pictures into: those that follow each other in the page's content."""
    rows: list[Place] = []
    for place in places:
        together = place.joined(rows[-1]) if rows else None
        if together is not None:
            rows[-1] = together
        else:
            rows.append(place)
    found: list[Place] = []
    for row in rows:
        together = row.joined(found[-1]) if found else None
        if together is not None:
            found[-1] = together
        else:
            found.append(row)
    return found


def _is_level(low: float, other_low: float, high: float, other_high: float) -> bool:
    return abs(low - other_low) < TOUCH and abs(high - other_high) < TOUCH


def _pixel_size(picture: Handle) -> tuple[int, int]:
    width, height = c_uint(), c_uint()
    is_known = pdfium_c.FPDFImageObj_GetImagePixelSize(picture, byref(width), byref(height))
    return (width.value, height.value) if is_known else (0, 0)


def _pictures(page: OpenPage) -> Iterator[Place]:
    """Yield the pictures of a page in the order of drawing."""
    looked = count()
    for thing, kind in objects(page):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield from _placed(thing, thing, _Matrix())
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            yield from _within(thing, thing, 1, _Matrix(), looked)


def _within(form: int, owner: int, depth: int, outer: _Matrix, looked: Iterator[int]) -> Iterator[Place]:
    inner = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(typed(form), inner)
    matrix = outer.within(inner)
    for thing, kind in parts_of_form(form):
        if next(looked) > MAX_LOOKED_AT:
            return
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield from _placed(thing, owner, matrix)
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
            yield from _within(thing, owner, depth + 1, matrix, looked)


def _placed(thing: int, owner: int, matrix: _Matrix) -> Iterator[Place]:
    picture, edges = typed(thing), (c_float(), c_float(), c_float(), c_float())
    width, height = _pixel_size(picture)
    if width and height and pdfium_c.FPDFPageObj_GetBounds(picture, *(byref(edge) for edge in edges)):
        left, bottom, right, top = (edge.value for edge in edges)
        yield Place(frozenset((owner,)), (thing,), width, height, *matrix.box(left, bottom, right, top))
