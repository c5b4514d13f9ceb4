"""A PowerPoint presentation of 97 to 2003: a page a slide with its notes and comments, embedded documents as members.

Source: [MS-PPT] 2.1 (structure), 2.4.1 (DocumentContainer).
"""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.legacy.ppt.deck import Deck, Listed
from docbeam.extractors.legacy.ppt.objects import add_objects
from docbeam.extractors.legacy.ppt.stream import SLIDE, Stream
from docbeam.extractors.legacy.properties import finished
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode


class PptExtractor:
    """Reads PowerPoint presentations and shows of version 97 to 2003 (.ppt, .pps)."""

    name = "ppt"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type == MediaType.PPT

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a presentation, a page for each slide.

        Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT if there is no slide; UNSUPPORTED_MEDIA_TYPE for PowerPoint 95.
        """
        out = TextBuilder(options)
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes)
            stream = Stream(compound)
            count = 0
            with out.until_full():
                count = _read(compound, stream, out)
            is_whole = out.truncation is not TruncationReason.DAMAGED
            extracted = finished(compound, out, self.name, is_whole=is_whole, page_count=count or len(extracted_pages(out)))
        if not is_whole and not extracted.content.strip():
            raise ExtractionError(ErrorCategory.CORRUPT, "the presentation is broken, and no text could be read")
        return extracted
