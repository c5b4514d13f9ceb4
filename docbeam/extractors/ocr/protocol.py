"""What an OCR engine is: it turns one upright page, as an image, into text and says how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Recognised:
    """The text of one image: lines end with LF, paragraphs are set off by a blank line.

    `confidence` is the mean over the words, weighted by their length, 0 to 1; None where nothing was recognised.
    `solid` is the share of letters in words of three and more that the engine is sure of, 0 to 1: noise has hardly any.
    `turned_degrees` is how far the image had to be turned clockwise before it could be read.
    """

    text: str
    confidence: float | None
    solid: float = 1.0
    turned_degrees: float = 0


@runtime_checkable
class OcrEngine(Protocol):
    """Recognises text in images."""

    name: str
    version: str
    languages: tuple[str, ...]

    def recognise(self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False) -> Recognised:
        """Return the text of an image of mode L, RGB or 1.

        `languages` are codes joined by +. `is_sparse` looks for words anywhere instead of columns and paragraphs.
        Raises: ExtractionError TIMEOUT, MEMORY_LIMIT or CRASHED.
        """

    def needed_turn(self, image: Image, timeout_seconds: float) -> int | None:
        """Return how many degrees clockwise the image has to be turned to be upright; None if the engine can't tell."""
