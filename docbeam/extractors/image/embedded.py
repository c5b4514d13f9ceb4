"""Pictures inside documents, from their bytes to what OCR reads: the bytes decide what they are, never a name.

Source: [MS-EMF] and [MS-WMF] for drawings, RFC 1952 for the compressed ones (.emz, .wmz).
"""

from __future__ import annotations

import zlib

from PIL import Image

from docbeam.extractors.image.extractor import ImageExtractor
from docbeam.extractors.image.frames import opened
from docbeam.extractors.image.metafile import METAFILES, is_old_metafile, largest_bitmap
from docbeam.extractors.pictures import is_icon
from docbeam.extractors.sniff.magic import type_by_signature
from docbeam.extractors.source import HEAD_BYTES, Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

_NAMES = {"image/emf": "an EMF drawing", "image/wmf": "a WMF drawing", MediaType.SVG: "an SVG drawing"}


def embedded_picture(data: bytes, part: str, options: ExtractOptions) -> Image.Image:
    """Return a picture as OCR reads it: upright, in grey; nothing but a dot where it is too small for text.

    Raises: ExtractionError IMAGE_TOO_LARGE by its header, CORRUPT, or UNSUPPORTED_MEDIA_TYPE for drawings and what is no
    picture.
    """
    data = unpacked(data, options.max_decompressed_bytes)
    media_type = picture_type(data)
    if media_type in METAFILES:
        bitmap = largest_bitmap(data)
        if bitmap is None:
            raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"{_NAMES[media_type]} of lines and shapes, not drawn")
        data, media_type = bitmap, picture_type(bitmap)
    if media_type not in MediaType.PICTURES:
        what = _NAMES.get(media_type, media_type) if media_type else "of a kind that is not known"
        raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"{part}: {what}, which is not drawn")
    source = Source(data=data, name=part)
    with opened(source, media_type, options) as (_, frames):
        if frames.pages and is_icon(*frames.pages[0].size):
            return Image.new("L", (1, 1), 255)
    return ImageExtractor().render(source, media_type, 1, options)


def picture_type(data: bytes) -> str:
    """Return the media type of a picture by its first bytes, an empty text where it is none that is known."""
    if not data:
        return ""
    found = type_by_signature(data[:HEAD_BYTES])
    if found is None and is_old_metafile(data):
        return "image/wmf"
    if found is None and b"<svg" in data[:2_000]:
        return MediaType.SVG
    return found or ""


def unpacked(data: bytes, most_bytes: int) -> bytes:
    """Return what a gzip-compressed picture unpacks to, others as they are. Raises ExtractionError over the limit."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(31)
    try:
        found = unpacker.decompress(data, most_bytes + 1)
    except zlib.error as error:
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"a compressed picture: {error}") from error
    if len(found) > most_bytes:
        raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"a picture unpacks past {most_bytes} bytes")
    return found
