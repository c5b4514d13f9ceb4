"""A PowerPoint presentation of 95 to 2003: a page a slide with its notes and comments, embedded documents as members.

Source: [MS-PPT] 2.1 (structure), 2.4.1 (DocumentContainer).
"""

from __future__ import annotations

from functools import cache

from PIL.Image import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile, Entry
from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.legacy.blips import Blips
from docbeam.extractors.legacy.ppt.deck import Deck, Listed, joined
from docbeam.extractors.legacy.ppt.objects import add_objects
from docbeam.extractors.legacy.ppt.stream import Stream
from docbeam.extractors.legacy.properties import code_page, finished
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

DRAWING_GROUP = 0x040B


class PptExtractor:
    """Reads PowerPoint presentations and shows of version 95 to 2003 (.ppt, .pps)."""

    name = "ppt"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""
        return media_type == MediaType.PPT

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a presentation, a page for each slide.

        Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT if there is no slide; UNSUPPORTED_MEDIA_TYPE for PowerPoint 4.
        """
        out = TextBuilder(options)
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes)
            if compound.find("powerpoint document") is None and compound.find("pp40") is not None:
                raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, "a presentation from before PowerPoint 95")
            stream = Stream(compound, source, out)
            if stream.document() is None and (entry := compound.find("text_content")) is not None:
                return _version_95(compound, entry, out)
            slides = _Slides(stream, _blips(stream, compound, out), out)
            with out.until_full():
                slides.read()
            is_whole = out.truncation is not TruncationReason.DAMAGED
            count, opened = len(slides.listed), stream.summary(compound)
            extracted = finished(compound, out, self.name, is_whole=is_whole, page_count=count, opened=opened)
        if not is_whole and not extracted.content.strip():
            raise ExtractionError(ErrorCategory.CORRUPT, "the presentation is broken, and no text could be read")
        return extracted

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the presentation. Raises ExtractionError as embedded_picture does, and as extract does."""
        out = TextBuilder(options)
        with source.open() as file:
            compound = CompoundFile(file, options.max_decompressed_bytes)
            blips = _blips(Stream(compound, source, out), compound, out)
            data = blips.picture(part, options.max_decompressed_bytes)
        return embedded_picture(data, part, options)


def _blips(stream: Stream, compound: CompoundFile, out: TextBuilder) -> Blips:
    """Return the presentation's store of pictures, whose data stands in a stream of its own."""
    document = stream.document()
    group = None if document is None else stream.child(document, DRAWING_GROUP)
    entry = compound.find("pictures") or compound.find("pp97_dualstorage/pictures")
    pictures = cache(lambda: b"" if entry is None else stream.plain_pictures(compound.read(entry), out))
    return Blips(b"" if group is None else stream.body(group), pictures, out)


def _version_95(compound: CompoundFile, entry: Entry, out: TextBuilder) -> Extracted:
    """Return the text of a presentation of PowerPoint 95, which keeps all of it in a stream of its own."""
    out.meta("ppt.version", "PowerPoint 95")
    out.warn(WarningCode.PART_NOT_READ, "document", "PowerPoint 95: the text is shown without its slides, and without notes")
    text = compound.read(entry).decode(code_page(compound), "replace")
    with out.until_full():
        for line in joined(text.replace("\x0b", "\n").replace("\r", "\n").split("\n")).split("\n"):
            out.line("".join(char for char in line if char >= " " or char == "\t"))
    return finished(compound, out, PptExtractor.name, is_whole=True)


class _Slides:
    def __init__(self, stream: Stream, blips: Blips, out: TextBuilder) -> None:
        self._stream = stream
        self._out = out
        self._document = document = stream.document()
        if not stream.data:
            raise ExtractionError(ErrorCategory.CORRUPT, "the compound file has no PowerPoint Document stream")
        self._deck = Deck(stream, document, blips, out)
        self.listed = self._deck.slides
        if document is None or (stream.is_broken and not any(stream.object(slide.object_id) for slide in self.listed)):
            self.listed = [Listed(stream.adopt(record), 0) for record in stream.scattered_slides()]
            stream.is_broken = True
            if not self.listed:
                raise ExtractionError(ErrorCategory.CORRUPT, "the presentation's document and slides can't be found")

    def read(self) -> None:
        """Add a page for each slide. Raises Full."""
        out = self._out
        if self._stream.is_broken:
            out.warn(
                WarningCode.PART_DAMAGED, "PowerPoint Document", "the directory of slides is broken; read as far as possible"
            )
            out.cut(TruncationReason.DAMAGED)
        out.meta("ppt.slideCount", len(self.listed))
        wanted = [(number, listed) for number, listed in enumerate(self.listed, 1) if out.wants(number)]
        try:
            for number, listed in wanted:
                self._deck.add_slide(number, listed)
            if wanted and not self._deck.has_text:
                out.warn(WarningCode.NO_TEXT, "document", "no slide has text")
        finally:
            out.meta("ppt.hiddenSlides", ", ".join(map(str, self._deck.hidden)))
        if self._document is not None:
            add_objects(self._stream, self._document, out)
