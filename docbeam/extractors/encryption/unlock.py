"""A document that is encrypted as a whole, opened: what it is in plain is sniffed anew and read like any other."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from docbeam.extractors.compound_file import SIGNATURE
from docbeam.extractors.encryption.odf import open_document
from docbeam.extractors.encryption.ooxml import open_package
from docbeam.extractors.encryption.passwords import OPENED_BY, SCHEME, Opened
from docbeam.extractors.sniff import Sniffed, sniff
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions

LEAST_SECONDS = 0.1  # the smallest deadline that options can have
MAX_KEPT_BYTES = 100_000_000  # a larger package is not kept for the next call

# At most one: the source's digest, name and passwords, and the package in plain; its pictures are drawn one after the other.
_opened_last: dict[tuple[bytes, str, tuple[str, ...]], tuple[Source, Opened]] = {}


@dataclass(frozen=True, slots=True, repr=False)
class Unlocked:
    """The document in plain, what it is, how it was opened, and the options with what is left of the deadline."""

    source: Source
    found: Sniffed
    options: ExtractOptions
    metadata: Mapping[str, str]


def unlocked(source: Source, problem: ExtractionError, options: ExtractOptions) -> Unlocked:
    """Return the document behind an encrypted package of Office or OpenDocument.

    Raises: `problem` for a format that no password opens here; ExtractionError as open_package and open_document do.
    """
    started = time.monotonic()
    plain, opened = _opened_once(source, problem, options)
    found = sniff(plain, options)
    left = max(options.extraction_timeout_seconds - (time.monotonic() - started), LEAST_SECONDS)
    return Unlocked(
        plain,
        found,
        replace(options, extraction_timeout_seconds=left),
        {SCHEME: opened.scheme, OPENED_BY: opened.by},
    )


def _opened_once(source: Source, problem: ExtractionError, options: ExtractOptions) -> tuple[Source, Opened]:
    with source.open() as file:
        digest = hashlib.file_digest(file, "sha256").digest()  # type: ignore[arg-type]
    key = digest, source.name, source.passwords
    found = _opened_last.get(key)
    if found is None:
        _opened_last.clear()
        found = _opened(source, problem, options)
        if found[0].size_bytes <= MAX_KEPT_BYTES:
            _opened_last[key] = found
    return found


def _opened(source: Source, problem: ExtractionError, options: ExtractOptions) -> tuple[Source, Opened]:
    head = source.head(8)
    if head == SIGNATURE:
        return open_package(source, options)
    if head.startswith(b"PK"):
        return open_document(source, options)
    raise problem
