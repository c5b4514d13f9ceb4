"""What becomes of one input: its identity columns, its quarantine row, and the whole way for a single one. No Beam here."""

from __future__ import annotations

import os
import time
from typing import BinaryIO

from docbeam.extractors.engine import Reading
from docbeam.extractors.library import finished
from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import BlobRef, Document, Identity, Quarantined, Row
from docbeam.schemas.vocabulary import Stage
from docbeam.transforms.read import Fetched, LimitedStream, fetched
from docbeam.transforms.storage import StorageOptions


def identity_of(ref: BlobRef, found: Fetched, reading: Reading) -> Identity:
    """Return the identity columns of an input document."""
    return Identity(
        uri=ref.uri,
        source_version=found.source_version,
        size_bytes=found.size_bytes,
        sha256=found.sha256,
        md5=found.md5,
        media_type=reading.media_type,
        declared_media_type=reading.declared_media_type,
    )


def quarantined(
    identity: Identity, error: ExtractionError, stage: Stage = Stage.READ, reading: Reading | None = None
) -> Quarantined:
    """Return the quarantine row of a failure."""
    return Quarantined(
        identity=identity,
        category=error.category,
        message=error.message,
        stage=stage,
        tiers=("native",) if reading is not None and reading.extractor else (),
        evidence=reading.evidence if reading is not None else None,
    )


def failed_reading_row(identity: Identity, reading: Reading) -> Quarantined:
    """Return the quarantine row of a document that could not be read from its bytes."""
    assert reading.error is not None
    return quarantined(identity, reading.error, Stage.EXTRACT if reading.extractor else Stage.SNIFF, reading)


def single_row(ref: BlobRef, options: ExtractOptions, storage_options: StorageOptions) -> Row:
    """Return the row of one document, read in a sandbox child of its own."""
    try:
        with fetched(ref, options.max_body_bytes, storage_options) as found:
            return _row(ref, found, options)
    except ExtractionError as error:
        return quarantined(Identity(uri=ref.uri, source_version=ref.source_version, size_bytes=ref.size_bytes), error)


def stream_row(uri: str, stream: BinaryIO, options: ExtractOptions) -> Row:
    """Return the row of a document that comes as a stream, such as standard input."""
    limited = LimitedStream(stream, options.max_body_bytes)
    try:
        data = b"".join(limited.chunks())
    except ExtractionError as error:
        return quarantined(Identity(uri=uri), error)
    sha256, md5 = limited.sha256.hexdigest(), limited.md5.hexdigest()
    found = Fetched(Source(data=data, name=os.path.basename(uri)), len(data), sha256, md5, None)
    return _row(BlobRef(uri=uri), found, options)


def _row(ref: BlobRef, found: Fetched, options: ExtractOptions) -> Row:
    started = time.monotonic()
    with SandboxPool(options, size=1) as pool, pool.worker() as worker:
        reading = worker.read(found.source)
        identity = identity_of(ref, found, reading)
        if reading.extracted is None:
            return failed_reading_row(identity, reading)
        try:
            document = finished(worker, found.source, reading, options)
        except ExtractionError as error:
            return quarantined(identity, error, Stage.OCR, reading)
    return Document(
        identity=identity,
        extracted=document.extracted,
        extractor=document.extractor,
        branch=document.branch,
        ocr_confidence=document.ocr_confidence,
        duration_ms=round((time.monotonic() - started) * 1000),
    )
