"""One document from bytes to text: sniff, choose the extractor, extract, recognise what is pending, join."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docbeam.extractors.boundary import guarded
from docbeam.extractors.language import detected_language
from docbeam.extractors.members import drop_untaken_members
from docbeam.extractors.registry import extractor_for, third_party_type
from docbeam.extractors.sniff import Sniffed, sniff
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType, is_contradiction
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Notice
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

if TYPE_CHECKING:
    from docbeam.extractors.encryption.unlock import Unlocked

# Packages that can be encrypted as a whole
LOCKABLE = frozenset(
    (*MediaType.WORD, *MediaType.SPREADSHEET, *MediaType.PRESENTATION, MediaType.XLSB, *MediaType.OPEN_DOCUMENT)
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The native reading of one document, or why there is none. Exactly one of `extracted` and `error` is set.

    `evidence` comes from the sandbox: how the child ended and the tail of its output, or where a fault of ours arose.
    """

    media_type: str
    declared_media_type: str | None
    extractor: str | None
    extracted: Extracted | None
    error: ExtractionError | None
    evidence: str | None = None


def read_document(
    source: Source,
    options: ExtractOptions,
    media_type: str | None = None,
    on_start: Callable[[str, str | None, str], None] | None = None,
) -> Reading:
    """Return the native reading of a document; pages whose text is in pictures come back as PENDING. Never raises.

    `media_type`, where the caller knows it, takes the place of sniffing. `on_start` is told the media type, the declared
    one and the extractor's name before the extractor begins.
    """
    try:
        media_type = media_type or guarded(lambda: third_party_type(source))
        found = Sniffed(media_type) if media_type else guarded(lambda: sniff(source, options))
    except ExtractionError as error:
        return Reading(MediaType.UNKNOWN_BINARY, None, None, None, error)
    name, locked = None, None
    try:
        if source.size_bytes == 0:
            raise ExtractionError(ErrorCategory.EMPTY, "0 bytes")
        if found.problem is not None and found.problem.category is ErrorCategory.ENCRYPTED_NO_KEY:
            locked = _unlocked(source, found.problem, options)
            source, found, options = locked.source, locked.found, locked.options
        if found.problem is not None:
            raise found.problem
        extractor = guarded(lambda: extractor_for(found.media_type))
        if extractor is None:
            raise _no_extractor(found)
        name = extractor.name
        if on_start is not None:
            on_start(found.media_type, found.declared_media_type, name)
        extracted = guarded(lambda: extractor.extract(source, found.media_type, options))
    except ExtractionError as error:
        drop_untaken_members()
        return Reading(found.media_type, found.declared_media_type, name, None, error)
    if found.media_type not in MediaType.ARCHIVES:  # whose text is a list of names, in no language
        extracted = _with_language(extracted)
    extracted = _with_mismatch(extracted, found, source)
    if locked is not None:
        extracted = replace(extracted, metadata={**extracted.metadata, **locked.metadata})
    return Reading(found.media_type, found.declared_media_type, name, extracted, None)


def plain_source(source: Source, media_type: str, options: ExtractOptions) -> Source:
    """Return what a document that was read as `media_type` is read from: itself, or what an encrypted package holds in plain.

    Raises: ExtractionError as the reading itself does.
    """
    if media_type not in LOCKABLE:
        return source
    found = guarded(lambda: sniff(source, options))
    if found.problem is None or found.problem.category is not ErrorCategory.ENCRYPTED_NO_KEY:
        return source
    return _unlocked(source, found.problem, options).source


def _unlocked(source: Source, problem: ExtractionError, options: ExtractOptions) -> Unlocked:
    from docbeam.extractors.encryption.unlock import unlocked  # late: few documents are encrypted

    return guarded(lambda: unlocked(source, problem, options))


def _no_extractor(found: Sniffed) -> ExtractionError:
    return ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"no extractor reads {found.media_type}")


def _with_language(extracted: Extracted) -> Extracted:
    if not isinstance(extracted, Extracted) or extracted.language is not None or not isinstance(extracted.content, str):
        return extracted  # the boundary says what is wrong with a third party's value
    language = detected_language(extracted.content)
    return replace(extracted, language=language) if language is not None else extracted


def _with_mismatch(extracted: Extracted, found: Sniffed, source: Source) -> Extracted:
    notice = mismatch_notice(source.name, found.declared_media_type, found.media_type) if found.is_contradicted else None
    return extracted if notice is None else replace(extracted, warnings=(notice, *extracted.warnings))


def mismatch_notice(name: str, declared: str | None, media_type: str) -> Notice | None:
    """Return the warning that a name's extension says another media type than the bytes, or None if it does not."""
    if not is_contradiction(declared, media_type):
        return None
    message = f"the extension {os.path.splitext(name)[1]} says {declared}, the bytes are {media_type}"
    return Notice(WarningCode.TYPE_MISMATCH, "document", message)
