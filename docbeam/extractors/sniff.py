"""The media type, found from the bytes; the name's extension is a hint, and a contradiction is said."""

from __future__ import annotations

from dataclasses import dataclass

from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What the bytes are. `declared_media_type` is what the name's extension says, None if it says nothing known.

    `is_contradicted`: the extension names a type that the bytes are not (text/plain named .log or .py is no contradiction).
    `problem`: the type is clear and so is that it can't be read (an encrypted OOXML file, say).
    """

    media_type: str
    declared_media_type: str | None = None
    is_contradicted: bool = False
    problem: ExtractionError | None = None


def sniff(source: Source, options: ExtractOptions) -> Sniffed:
    """Return the media type of a document."""
    raise NotImplementedError
