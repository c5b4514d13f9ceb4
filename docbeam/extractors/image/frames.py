"""Opening a picture without decoding it: its format by the detected type only, its size by the header, its frames.

Source: TIFF 6.0 and BigTIFF (image file directories), RFC 9649 (WebP), Pillow's plugins.
"""

from __future__ import annotations

import struct
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, TypeVar

from PIL import Image, ImageFile

from docbeam.extractors.boundary import guarded
from docbeam.extractors.extras import require_extra
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

FORMATS = {
    MediaType.PNG: ("PNG",),
    MediaType.JPEG: ("JPEG",),
    MediaType.TIFF: ("TIFF",),
    MediaType.WEBP: ("WEBP",),
    MediaType.BMP: ("BMP", "DIB"),
    MediaType.GIF: ("GIF",),
    MediaType.JPEG2000: ("JPEG2000",),
    MediaType.AVIF: ("AVIF",),
    MediaType.HEIC: ("HEIF",),
}
MAX_DIRECTORIES = 50_000  # of one TIFF; the longest honest ones are scans of a few thousand pages
LEADING_ENTRIES = 16  # entries are sorted by tag, so subfile type, width and height are among the first
SUBFILE_TYPE, WIDTH, HEIGHT = 254, 256, 257
REDUCED_COPY, MASK = 1, 4  # bits of the subfile type
T = TypeVar("T")
_PILLOW = threading.RLock()  # Pillow's caps and its leniency are settings of the whole process


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that holds a page: where Pillow finds it, and its size in pixels."""

    index: int
    size: tuple[int, int]
    part: str


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of a picture. `page_count` can be more than there are `pages`; `note` says what is passed over.

    `damage` says where the list of frames breaks off, so that there may have been more.
    """

    pages: tuple[Frame, ...]
    page_count: int
    note: str = ""
    damage: str = ""


@contextmanager
def pillow_settings(*, is_lenient: bool = False) -> Iterator[None]:
    """Switch Pillow's own pixel alarm and warnings off, as our caps come first; lenient decodes broken files in part."""
    with _PILLOW, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES
        Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = None, is_lenient
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES = before


@contextmanager
def opened(
    source: Source, media_type: str, options: ExtractOptions, *, is_lenient: bool = False
) -> Iterator[tuple[Image.Image, Frames]]:
    """Open a picture by its header and list its frames.

    Raises: ExtractionError IMAGE_TOO_LARGE or CORRUPT.
    """
    with pillow_settings(is_lenient=is_lenient), source.open() as file:
        _check_canvas(source, media_type, options)
        with _pillow_image(file, media_type) as picture:
            if 0 in picture.size:
                raise ExtractionError(ErrorCategory.CORRUPT, f"picture of {picture.width} x {picture.height} pixels")
            yield picture, _frames(picture, file, media_type, options)


def pixels_problem(size: tuple[int, int], part: str, options: ExtractOptions) -> ExtractionError | None:
    """Return the error for a picture over the pixel cap."""
    if size[0] * size[1] <= options.max_image_pixels:
        return None
    message = f"{part}: {size[0]} x {size[1]} pixels, limit {options.max_image_pixels} pixels"
    return ExtractionError(ErrorCategory.IMAGE_TOO_LARGE, message)


def decoder_guarded(call: Callable[[], T]) -> T:
    """Return what `call` returns, translated as `guarded` does; AVIF's decoder raises RuntimeError for broken data."""
    try:
        return guarded(call)
    except ExtractionError as error:
        if error.category is ErrorCategory.INTERNAL and type(error.__cause__) is RuntimeError:
            raise ExtractionError(ErrorCategory.CORRUPT, error.message) from error
        raise


def _pillow_image(file: BinaryIO, media_type: str) -> Image.Image:
    formats = FORMATS[media_type]
    if media_type == MediaType.HEIC:
        require_extra("pi_heif", "heic", "HEIC pictures").register_heif_opener(thumbnails=False)
    for is_lenient in (ImageFile.LOAD_TRUNCATED_IMAGES, True):  # an oversized text chunk costs that text, not the picture
        with pillow_settings(is_lenient=is_lenient):
            file.seek(0)
            try:
                return decoder_guarded(lambda: Image.open(file, formats=formats))
            except ExtractionError as error:
                if error.category is ErrorCategory.MEMORY_LIMIT:
                    raise
                problem = error
    if "MAX_TEXT_MEMORY" in problem.message:
        raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, "the picture's text chunks unpack to more than 64 MB")
    if "UnidentifiedImageError" in problem.message:  # its message has the address of an object
        raise ExtractionError(ErrorCategory.CORRUPT, f"the header of the {formats[0]} picture is broken")
    raise problem


def _check_canvas(source: Source, media_type: str, options: ExtractOptions) -> None:
    """Check a WebP's canvas before it is opened: its decoder takes the memory for it at once."""
    if media_type != MediaType.WEBP:
        return
    head, size = source.head(30).ljust(30, b"\0"), (0, 0)
    if head[12:16] == b"VP8X":
        size = int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    elif head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        size = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif head[12:16] == b"VP8 ":
        size = int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
    if problem := pixels_problem(size, "picture", options):
        raise problem


def _frames(picture: Image.Image, file: BinaryIO, media_type: str, options: ExtractOptions) -> Frames:
    if media_type == MediaType.TIFF:
        return _tiff_frames(picture, file, options)
    note = ""
    if getattr(picture, "is_animated", False):
        # counting a GIF's frames walks through them all, so its number stays unsaid
        count = "" if media_type == MediaType.GIF else f"{getattr(picture, 'n_frames', 1) - 1} "
        kind = "further pictures" if picture.format in ("MPO", "HEIF") else "further frames of an animation"
        note = f"not read: {count}{kind}"
    return Frames((Frame(0, picture.size, "picture"),), 1, note)


def _tiff_frames(picture: Image.Image, file: BinaryIO, options: ExtractOptions) -> Frames:
    position = file.tell()
    directories, is_broken = _directories(file)
    file.seek(position)
    damage = f"the chain of frames breaks off after frame {len(directories)}" if is_broken else ""
    if len(directories) < 2:
        return Frames((Frame(0, picture.size, "picture"),), 1, damage=damage)
    kept = [entry for entry in enumerate(directories) if not entry[1].get(SUBFILE_TYPE, 0) & (REDUCED_COPY | MASK)]
    kept = kept or list(enumerate(directories))
    pages = tuple(
        Frame(index, (tags.get(WIDTH, 0), tags.get(HEIGHT, 0)), f"page {number}")
        for number, (index, tags) in enumerate(kept[: options.start_page - 1 + options.max_pages_to_rasterise], 1)
    )
    note = f"more than {MAX_DIRECTORIES} frames: the rest was not counted" if len(directories) == MAX_DIRECTORIES else ""
    return Frames(pages, len(kept), note, damage)


def _directories(file: BinaryIO) -> tuple[list[dict[int, int]], bool]:
    """Return the leading whole-number tags of each image file directory, and whether the chain of them is broken.

    A chain that bites its own tail ends there.
    """
    file.seek(0)
    head = file.read(16).ljust(16, b"\0")
    order = "<" if head[:2] == b"II" else ">"
    is_big = struct.unpack(order + "H", head[2:4])[0] == 43
    pointer, counter, entry_bytes = ("Q", "Q", 20) if is_big else ("L", "H", 12)
    following = struct.unpack_from(order + pointer, head, 8 if is_big else 4)[0]
    found: dict[int, dict[int, int]] = {}
    while following and following not in found and len(found) < MAX_DIRECTORIES:
        try:
            file.seek(following)
            count = struct.unpack(order + counter, file.read(struct.calcsize(order + counter)))[0]
            entries = file.read(min(count, LEADING_ENTRIES) * entry_bytes)
            file.seek(following + struct.calcsize(order + counter) + count * entry_bytes)
            found[following] = _whole_numbers(entries, order, entry_bytes)
            following = struct.unpack(order + pointer, file.read(struct.calcsize(order + pointer)))[0]
        except (struct.error, ValueError, OverflowError, OSError):
            return list(found.values()), True
    return list(found.values()), False


def _whole_numbers(entries: bytes, order: str, entry_bytes: int) -> dict[int, int]:
    numbers = {}
    for start in range(0, len(entries) - entry_bytes + 1, entry_bytes):
        tag, kind = struct.unpack_from(order + "HH", entries, start)
        form = {3: "H", 4: "L", 16: "Q"}.get(kind)
        if form and struct.calcsize(order + form) <= (8 if entry_bytes == 20 else 4):
            numbers[tag] = struct.unpack_from(order + form, entries, start + (12 if entry_bytes == 20 else 8))[0]
    return numbers
