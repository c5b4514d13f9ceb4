"""Bodies that are HTML or RTF: a part of the message's own text, so it is read here and not as a document of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

from docbeam.extractors.boundary import guarded
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.registry import extractor_for
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MIN_SECONDS = 0.1  # the least that options allow


@runtime_checkable
class HoldsPictures(Protocol):
    """An extractor of documents that hold pictures in their own text."""

    def picture_bytes(self, source: Source, part: str) -> bytes:
        """Return the bytes of a picture. Raises: ExtractionError CORRUPT."""


def inner_text(out: TextBuilder, media_type: str, body: str | bytes, where: str) -> str:
    """Return the text of a body by its format's extractor; its warnings become those of the message, under `where`."""
    extractor = extractor_for(media_type)
    if extractor is None:
        out.warn(WarningCode.PART_NOT_READ, where, f"no extractor reads {media_type}")
        return ""
    data = body if isinstance(body, bytes) else b"\xef\xbb\xbf" + body.encode("utf-8", "replace")
    options = replace(out.options, extraction_timeout_seconds=max(MIN_SECONDS, out.remaining_seconds()))
    try:
        found = guarded(lambda: extractor.extract(Source(data=data), media_type, options))
    except ExtractionError as error:
        if error.category.is_retryable:
            raise
        out.warn(WarningCode.PART_DAMAGED, where, error.message)
        return ""
    for notice in found.warnings:
        if notice.code != WarningCode.NO_TEXT:
            part = where if notice.part == "document" else f"{where}: {notice.part}"
            out.warn(notice.code, part, notice.message)
    if found.truncation is not None:
        out.cut(found.truncation)
        if found.truncation == TruncationReason.DEADLINE:
            out.check_deadline()
    for member in found.members:
        with open(member.file or "", "rb") as file:
            out.member(member.path, file.read(), member.media_type)
    _unpack_pictures(out, extractor, Source(data=data), found, where)
    return found.content


def _unpack_pictures(out: TextBuilder, extractor: Extractor, source: Source, found: Extracted, where: str) -> None:
    """Hand out the pictures that a body holds itself as members, as those that it refers to are."""
    if not isinstance(extractor, HoldsPictures):
        return
    for picture in found.pictures:
        try:
            out.member(f"{where}/{picture.part}", extractor.picture_bytes(source, picture.part))
        except ExtractionError as error:
            out.failed_member(f"{where}/{picture.part}", error.category, error.message)
