"""Draw one page in grey for OCR, as a reader sees it: form fields and annotations drawn, upright, within the pixel cap."""

from __future__ import annotations

import math

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL.Image import Image

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

POINTS_PER_INCH = 72
ENOUGH_DPI = 200  # drawn finer, pages read no better; drawn coarser, small print suffers
ENOUGH_SIDE = 2_200  # pixels; on smaller sheets the print is often smaller too: a page of A4 at 190 dpi
SCAN_SHARE = 0.7  # of the page that one picture covers before the page is drawn at the picture's own resolution
LEAST_DPI = 72  # letters of a printed page can't be told apart below


def render_page(document: pdfium.PdfDocument, number: int, options: ExtractOptions) -> Image:
    """Return page `number` (from 1) as an image of mode L with its `dpi`: `render_dpi`, or less where more says no more.

    A scan is drawn at its own resolution, and a page that would be too large at a lower one.

    Raises: ExtractionError IMAGE_TOO_LARGE; PdfiumError if the page can't be loaded.
    """
    page = document[number - 1]
    try:
        dpi = min(_resolution(page.get_size(), number, options), _scan_dpi(page) or options.render_dpi)
        bitmap = page.render(scale=dpi / POINTS_PER_INCH, grayscale=True, may_draw_forms=True)
        try:
            image: Image = bitmap.to_pil().copy()  # the bitmap's memory goes with it
        finally:
            bitmap.close()
    finally:
        page.close()
    image = image if image.mode == "L" else image.convert("L")
    image.info["dpi"] = (dpi, dpi)
    return image


def _scan_dpi(page: pdfium.PdfPage) -> int | None:
    """Return at what resolution to draw a page that is a scan: its picture's own, for enlarging it blurs and costs time.

    None for a page that no single picture covers.
    """
    width, height = page.get_size()
    for thing in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = thing.get_bounds()
        area = abs(right - left) * abs(top - bottom)
        across, down = thing.get_px_size()
        if area > SCAN_SHARE * width * height and across * down > 0:
            own: float = math.sqrt(across * down / area) * POINTS_PER_INCH
            least: float = max(ENOUGH_DPI, ENOUGH_SIDE * POINTS_PER_INCH / max(width, height))
            return math.ceil(max(own, least))
    return None


def _resolution(size: tuple[float, float], number: int, options: ExtractOptions) -> int:
    """Return the highest resolution up to `render_dpi` at which the page keeps within `max_page_pixels`."""
    width, height = (max(side / POINTS_PER_INCH, 1 / POINTS_PER_INCH) for side in size)
    for dpi in (options.render_dpi, math.floor(math.sqrt(options.max_page_pixels / (width * height)))):
        dpi = min(dpi, options.render_dpi)
        while dpi > 0 and math.ceil(width * dpi) * math.ceil(height * dpi) > options.max_page_pixels:
            if dpi == options.render_dpi:
                break
            dpi -= 1
        else:
            if dpi >= min(LEAST_DPI, options.render_dpi):
                return dpi
    raise ExtractionError(
        ErrorCategory.IMAGE_TOO_LARGE,
        f"page {number}: {width:.1f} × {height:.1f} inches at {LEAST_DPI} dpi, limit {options.max_page_pixels} pixels",
    )
