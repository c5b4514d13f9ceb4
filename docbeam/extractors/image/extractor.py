"""The extractor of pictures: frames become PENDING pages, and a frame is drawn ready for OCR."""

from __future__ import annotations

from PIL import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.image.decoding import decoded
from docbeam.extractors.image.frames import Frames, opened, pixels_problem
from docbeam.extractors.image.properties import describe
from docbeam.extractors.image.tones import legible, sized
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, PageKind, TruncationReason, WarningCode


class ImageExtractor:
    """Reads pictures: their properties at once, their text later by OCR."""

    name = "image"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this is a picture that Pillow decodes."""
        return media_type in MediaType.PICTURES

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the properties and a PENDING page for each frame; nothing is decoded.

        Raises: ExtractionError IMAGE_TOO_LARGE if no frame is within `max_image_pixels`, CORRUPT for a broken header.
        """
        out = TextBuilder(options)
        with opened(source, media_type, options) as (picture, frames):
            problems = [pixels_problem(frame.size, frame.part, options) for frame in frames.pages]
            if problems and problems[0] and all(problems):
                raise problems[0]
            shown = describe(picture, out)
        wanted = out.wanted(frames.page_count)
        read = [number for number in wanted if number <= len(frames.pages)][: options.max_pages_to_rasterise]
        with out.until_full():
            _name_what_is_left(frames, wanted, len(read), out)
            for number in read:
                out.page(number, "", Origin.PENDING, kind=PageKind.FRAME)
        return out.extracted(
            page_count=frames.page_count,
            confidence=Confidence.DETERMINISTIC,
            tiers=(),
            title=shown.title,
            author=shown.author,
            created_at=shown.created_at,
            modified_at=shown.modified_at,
        )

    def render(self, source: Source, media_type: str, number: int, options: ExtractOptions) -> Image.Image:
        """Return frame `number` (from 1) upright and in grey; `info["damaged"]` says it if only a part could be decoded.

        Raises: ExtractionError IMAGE_TOO_LARGE by its header, CORRUPT if nothing of it can be decoded.
        """
        with opened(source, media_type, options) as (_, frames):
            if not 1 <= number <= len(frames.pages):
                raise ExtractionError(ErrorCategory.CORRUPT, f"page {number}: the file has {len(frames.pages)} frames")
            frame = frames.pages[number - 1]
        if problem := pixels_problem(frame.size, frame.part, options):
            raise problem
        picture, dpi, damage = decoded(source, media_type, frame, options)
        ready = sized(legible(picture), dpi)
        if damage:
            ready.info["damaged"] = damage
        return ready


def _name_what_is_left(frames: Frames, wanted: range, read: int, out: TextBuilder) -> None:
    left = wanted[read:]
    if left:
        out.cut(TruncationReason.MAX_PAGES_TO_RASTERISE)
        pages = f"page {left[0]}" if len(left) == 1 else f"pages {left[0]}-{left[-1]}"
        limit = out.options.max_pages_to_rasterise
        out.warn(WarningCode.NEEDS_OCR, pages, f"not recognised: {frames.page_count} pages, limit {limit}")
    if frames.note:
        out.warn(WarningCode.PART_NOT_READ, "frames", frames.note)
    if frames.damage:
        out.cut(TruncationReason.DAMAGED)
        out.warn(WarningCode.PART_DAMAGED, "frames", frames.damage)
