"""What an extractor is. Third parties implement it and name it in the entry-point group `docbeam.extractors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted

if TYPE_CHECKING:
    from PIL.Image import Image


@runtime_checkable
class Extractor(Protocol):
    """Reads one family of media types."""

    name: str

    def can_handle(self, media_type: str) -> bool:
        """Say whether this extractor reads the media type."""

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of one document.

        Raises: ExtractionError with the category; any other exception is translated by the boundary.
        """


@runtime_checkable
class PageRenderer(Protocol):
    """An extractor whose pages can be drawn, so that their text can be recognised."""

    def render(self, source: Source, media_type: str, number: int, options: ExtractOptions) -> Image:
        """Return page `number` (from 1) as an image of mode L, RGB or 1, upright, with `info["dpi"]` if it is known.

        Raises: ExtractionError(IMAGE_TOO_LARGE) if it can't be drawn within the pixel caps.
        """


@runtime_checkable
class PictureRenderer(Protocol):
    """An extractor that hands out pictures inside its documents (TextBuilder.picture), so that they can be recognised."""

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return the picture that `part` names, as `render` returns a page. Its bytes are untrusted like the document's.

        Raises: ExtractionError IMAGE_TOO_LARGE, CORRUPT, or UNSUPPORTED_MEDIA_TYPE for a picture that can't be decoded.
        """


@runtime_checkable
class Sniffer(Protocol):
    """A third party's extractor for a media type that docbeam's own sniffing does not know."""

    def sniff(self, head: bytes, name: str) -> str | None:
        """Return the media type of bytes that begin with `head`, or None if they are nothing that it knows."""
