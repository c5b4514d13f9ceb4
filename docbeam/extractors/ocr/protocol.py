"""What an OCR engine is: it turns one upright page, as an image, into words and says how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from docbeam.schemas.records import Word

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Recognised:
    """The text of one image: lines end with LF, paragraphs are set off by a blank line.

    `confidence` is the mean over the words, weighted by their length, 0 to 1; None where nothing was recognised.
    `solid` is the share of letters in words of three and more that the engine is sure of, 0 to 1: noise has hardly any.
    `turned_degrees` is how far the image had to be turned clockwise before it could be read. `words` have their boxes as
    shares of the image's width and height. `languages` are those that it was read with.
    """

    text: str
    confidence: float | None
    solid: float = 1.0
    turned_degrees: float = 0
    words: tuple[Word, ...] = ()
    languages: str = ""


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a page lies: the turn clockwise that makes it upright, and its script by ISO 15924's English name (Latin, Han)."""

    turn_degrees: int
    script: str
    script_confidence: float


@runtime_checkable
class OcrEngine(Protocol):
    """Recognises text in images."""

    name: str
    version: str
    languages: tuple[str, ...]
    data_folder: str | None

    def recognise(
        self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False, with_boxes: bool = False
    ) -> Recognised:
        """Return the text of an image of mode L, RGB or 1; its words too, if their boxes are wanted.

        `languages` are codes joined by +. `is_sparse` looks for words anywhere instead of columns and paragraphs.
        Raises: ExtractionError TIMEOUT, MEMORY_LIMIT or CRASHED.
        """

    def orientation(self, image: Image, timeout_seconds: float) -> Orientation | None:
        """Return how the image lies; None if the engine can't tell. Raises: ExtractionError TIMEOUT."""
