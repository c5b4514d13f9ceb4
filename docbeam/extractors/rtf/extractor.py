"""A Rich Text file: header, body, what hangs on it, and what can still be read of a broken one.

Source: Rich Text Format specification 1.9.1.
"""

from __future__ import annotations

from PIL.Image import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.rtf.document import RtfDocument
from docbeam.extractors.rtf.pictures import named_picture
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode

MAX_JUNK_BYTES = 65_536  # before the beginning


class RtfExtractor:
    """Reads RTF."""

    name = "rtf"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is RTF."""
        return media_type == MediaType.RTF

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of a document in reading order.

        Raises: ExtractionError(CORRUPT) for a broken file without readable text.
        """
        out = TextBuilder(options)
        data = source.read()
        document = RtfDocument(data, out)
        document.at = max(data.find(b"{\\rtf", 0, MAX_JUNK_BYTES), 0)
        if data[: document.at].strip(b"\xef\xbb\xbf \t\r\n\0"):
            message = f"{document.at} bytes before the beginning of the document"
            out.warn(WarningCode.PART_NOT_READ, "document", message)
        is_cut = False
        with out.until_full():
            document.read()
            is_cut = document.was_cut
            document.end()
        if out.truncation is TruncationReason.DEADLINE:
            with out.until_full():
                document.body.finish()
        if is_cut:
            out.warn(WarningCode.PART_DAMAGED, "document", "the file ends inside a group; read as far as possible")
            out.cut(TruncationReason.DAMAGED)
        if document.replaced:
            message = f"{document.replaced} byte sequences are not in the code page of their font"
            out.warn(WarningCode.UNDECODABLE, "document", message)
        if document.deleted_chars:
            message = f"characters of deleted text that are left out: {document.deleted_chars}"
            out.warn(WarningCode.PART_NOT_READ, "tracked changes", message)
        out.meta("rtf.hiddenChars", document.hidden_chars or None)
        is_damaged = is_cut or document.has_junk
        extracted = document.properties.finished(
            out, confidence=Confidence.HEURISTIC if is_damaged else Confidence.DETERMINISTIC
        )
        if is_damaged and not extracted.content.strip() and not extracted.members and not document.has_pictures:
            raise ExtractionError(ErrorCategory.CORRUPT, "the file ends inside a group, and no text could be read")
        return extracted

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture of the document. Raises ExtractionError as embedded_picture does."""
        return embedded_picture(self.picture_bytes(source, part), part, options)

    def picture_bytes(self, source: Source, part: str) -> bytes:
        """Return the bytes of a picture as they are in the document. Raises: ExtractionError CORRUPT."""
        return named_picture(source.read(), part)
