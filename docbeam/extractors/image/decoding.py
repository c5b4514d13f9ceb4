"""From a frame in a file to pixels: decoded strictly first, then as far as a broken file goes."""

from __future__ import annotations

from contextlib import suppress

from PIL import Image, ImageChops, ImageFile, ImageOps

from docbeam.extractors.boundary import guarded
from docbeam.extractors.image.frames import Frame, decoder_guarded, opened
from docbeam.extractors.image.tones import sane_dpi, wanted_factor
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

PHOTOMETRIC, WHITE_IS_ZERO = 262, 0  # TIFF 6.0, section 4
Decoded = tuple[Image.Image, float | None, str]  # pixels, dots per inch if known, what is damaged


def decoded(source: Source, media_type: str, frame: Frame, options: ExtractOptions) -> Decoded:
    """Return a frame's pixels, upright. Raises ExtractionError CORRUPT if nothing can be decoded."""
    try:
        return _decoded(source, media_type, frame, options, is_lenient=False)
    except ExtractionError as error:
        if error.category is ErrorCategory.MEMORY_LIMIT:
            raise
        strict = ExtractionError(ErrorCategory.CORRUPT, f"{frame.part}: {error.message}")
    try:
        picture, dpi, _ = _decoded(source, media_type, frame, options, is_lenient=True)
    except ExtractionError:
        raise strict from None
    if _is_uniform(picture):
        raise strict
    return picture, dpi, strict.message


def _decoded(source: Source, media_type: str, frame: Frame, options: ExtractOptions, *, is_lenient: bool) -> Decoded:
    with opened(source, media_type, options, is_lenient=is_lenient) as (picture, _):
        if frame.index:
            guarded(lambda: picture.seek(frame.index))
        width, dpi = picture.width, sane_dpi(picture.info.get("dpi"), picture.size)
        is_white_zero = _is_white_zero(picture)
        _draft(picture, dpi)
        dpi = dpi * picture.width / width if dpi else None
        try:
            decoder_guarded(picture.load)
        except ExtractionError:
            # a TIFF's decoder leaves what it had when it stopped; loading again hands that out
            if not is_lenient or media_type != "image/tiff" or getattr(picture, "tile", None):
                raise
            decoder_guarded(picture.load)
        picture = _with_printers_inks(picture)
        _turn_upright(picture)
        picture.info["is_white_zero"] = is_white_zero
        return picture, dpi, ""


def _draft(picture: Image.Image, dpi: float | None) -> None:
    """Let JPEG's decoder skip colours, and shrink pictures that are finer than OCR needs."""
    if not isinstance(picture, ImageFile.ImageFile) or picture.format not in ("JPEG", "MPO") or picture.mode == "CMYK":
        return
    shrink = min(wanted_factor(picture.size, dpi), 1.0)
    picture.draft("L", (int(picture.width * shrink), int(picture.height * shrink)))


def _with_printers_inks(picture: Image.Image) -> Image.Image:
    """Return CMYK as it is meant: Pillow takes every JPEG for Photoshop's, which stores inks the other way round."""
    if picture.mode != "CMYK" or picture.format != "JPEG" or "adobe" in picture.info:
        return picture
    inverted = ImageChops.invert(picture)
    inverted.info = picture.info
    return inverted


def _is_white_zero(picture: Image.Image) -> bool:
    """Say whether 0 is white in 16-bit samples; Pillow turns only the shallower ones round."""
    tags = getattr(picture, "tag_v2", {})
    return picture.mode.startswith("I") and tags.get(PHOTOMETRIC) == WHITE_IS_ZERO


def _turn_upright(picture: Image.Image) -> None:
    with suppress(ExtractionError):  # broken EXIF data says nothing about the orientation
        guarded(lambda: ImageOps.exif_transpose(picture, in_place=True))


def _is_uniform(picture: Image.Image) -> bool:
    extrema = picture.getextrema()
    bands = extrema if isinstance(extrema[0], tuple) else (extrema,)
    return all(low == high for low, high in bands)
