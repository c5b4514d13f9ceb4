"""Any kind of pixels to what OCR reads: 8-bit grey (or 1-bit), dark on light, large enough.

Pillow's own `convert("L")` clips 16 bits to white and turns transparency black, so both are done here by hand.
Source: Pillow's modes; sizes by measurement, see docs/decisions/0005-tesseract-by-memory-file.md.
"""

from __future__ import annotations

import math

from PIL import Image, ImageChops

SANE_DPI = (30, 4_800)  # outside of it the file does not know
LOW_DPI = 130  # below it, twice the size reads better: token F1 0.55 -> 0.80 at 72 dpi
FINE_DPI = 190  # from here on, larger reads no better: token F1 0.955 at 200 and at 300 dpi
LEAST_FACTOR = 1.15  # less is not worth the blur
MAX_COARSE_INCHES = 24  # a larger sheet is not scanned at less than LOW_DPI
WANTED_DPI = 300  # above one and a half of this, pixels cost time and give nothing
SMALL_SIDE = 1_100  # pixels; a part of a page, or a picture from a screen that says it is a scan
WANTED_SIDE = 2_200  # pixels; a page of A4 at 190 dpi
TINY_SIDE = 320  # pixels; a label or a word
MAX_ENLARGED_PIXELS = 12_000_000  # a page of A4 at 380 dpi
MAX_UNKNOWN_PIXELS = 36_000_000  # without dots per inch: a large camera's picture, not a large sheet
MIN_SIDE = 2_000  # pixels that are left of a fine picture, whatever its dots per inch are said to be
MAX_SIDE = 16_000  # pixels; Tesseract ends at 32 767
PALE = 190  # grey level of 255: text this light needs a dark ground


def legible(picture: Image.Image) -> Image.Image:
    """Return the picture in mode L or 1, with transparent parts filled so that what is seen stands out."""
    if picture.mode in ("1", "L") and "transparency" not in picture.info:
        return picture
    if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
        return _scaled_down(picture)
    if picture.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in picture.info:
        return _on_ground(picture)
    if picture.mode in ("YCbCr", "LAB"):
        return picture.getchannel(0)
    if picture.mode in ("RGB", "RGBX", "P"):
        return picture.convert("L")
    return picture.convert("RGB").convert("L")


def sized(picture: Image.Image, dpi: float | None) -> Image.Image:
    """Return the picture at a size that OCR reads well; `info["dpi"]` follows."""
    factor = wanted_factor(picture.size, dpi)
    if factor != 1:
        size = max(round(picture.width * factor), 1), max(round(picture.height * factor), 1)
        grey = picture if picture.mode == "L" else picture.convert("L")
        picture = grey.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)
    picture.info = {} if dpi is None else {"dpi": (dpi * factor, dpi * factor)}
    return picture


def sane_dpi(value: object, size: tuple[int, int]) -> float | None:
    """Return the dots per inch that a file gives, or None where it gives none or nonsense: cameras write 72 for anything."""
    first = value[0] if isinstance(value, tuple) and value else value
    try:
        number = float(first)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None
    is_sane = SANE_DPI[0] <= number <= SANE_DPI[1]
    return number if is_sane and (number >= LOW_DPI or max(size) <= MAX_COARSE_INCHES * number) else None


def wanted_factor(size: tuple[int, int], dpi: float | None) -> float:
    """Return by how much a picture of this size should grow or shrink."""
    longest, pixels = max(size), size[0] * size[1]
    if dpi and dpi > 1.5 * WANTED_DPI:
        return max(WANTED_DPI / dpi, MIN_SIDE / longest) if longest > MIN_SIDE else 1.0
    if longest > MAX_SIDE or (not dpi and pixels > MAX_UNKNOWN_PIXELS):
        return min(MAX_SIDE / longest, math.sqrt(MAX_UNKNOWN_PIXELS / pixels))
    if longest <= TINY_SIDE:
        return 3.0
    if dpi and dpi >= FINE_DPI and longest > SMALL_SIDE:
        return 1.0
    by_dpi = FINE_DPI / dpi if dpi and dpi < LOW_DPI else 1.0
    factor = min(max(WANTED_SIDE / longest, by_dpi), 2.0, math.sqrt(MAX_ENLARGED_PIXELS / pixels))
    return factor if factor >= LEAST_FACTOR else 1.0


def _scaled_down(picture: Image.Image) -> Image.Image:
    """Map what values there are to 0..255: a 12-bit scan in 16 bits is not night, and floats are often 0..1."""
    low, high = picture.getextrema()
    assert isinstance(low, (int, float)) and isinstance(high, (int, float))
    floats = picture if picture.mode == "F" else picture.convert("I").convert("F")
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return Image.new("L", picture.size, 255)
    low = min(low, 0)
    scale = 255 / (high - low)
    grey = floats.point(lambda value: value * scale + (-low * scale)).convert("L")
    return ImageChops.invert(grey) if picture.info.get("is_white_zero") else grey


def _on_ground(picture: Image.Image) -> Image.Image:
    """Lay transparency on white; on black where all that is seen would vanish on white."""
    rgba = picture if picture.mode == "RGBA" else picture.convert("RGBA")
    grey, alpha = rgba.convert("L"), rgba.getchannel("A")
    clear = ImageChops.invert(alpha)
    if clear.getextrema() == (0, 0):
        return grey
    seen = grey.histogram(alpha.point(lambda level: 255 if level > 127 else 0))
    is_pale = sum(seen[PALE:]) > 0.98 * sum(seen) > 0
    grey.paste(0 if is_pale else 255, mask=clear)
    return grey
