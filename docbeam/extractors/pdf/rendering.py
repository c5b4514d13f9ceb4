"""Draw one page in grey for OCR, as a reader sees it: form fields and annotations drawn, upright, within the pixel cap."""

from __future__ import annotations

import math

import pypdfium2 as pdfium
from PIL.Image import Image

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

POINTS_PER_INCH = 72
LEAST_DPI = 72  # letters of a printed page can't be told apart below


def render_page(document: pdfium.PdfDocument, number: int, options: ExtractOptions) -> Image:
    """Return page `number` (from 1) as an image of mode L with its `dpi`, at a lower resolution if it would be too large.

    Raises: ExtractionError IMAGE_TOO_LARGE; PdfiumError if the page can't be loaded.
    """
    page = document[number - 1]
    try:
        dpi = _resolution(page.get_size(), number, options)
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
