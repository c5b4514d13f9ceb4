"""What becomes of one input: a row for itself and for each document embedded in it. No Beam here."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from docbeam.extractors.engine import Reading
from docbeam.extractors.finishing import Finished, Pages, finished_tree
from docbeam.extractors.ladder import NATIVE, OCR
from docbeam.extractors.library import recognised_tree
from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.sniff.decide import extension_of
from docbeam.extractors.source import Source
from docbeam.extractors.tree import Node, member_uri
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import BY_EXTENSION
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.passwords import NO_PASSWORDS, Passwords
from docbeam.schemas.records import BlobRef, Document, Identity, Quarantined, Row
from docbeam.schemas.vocabulary import Stage
from docbeam.transforms.read import Fetched, fetched, name_of
from docbeam.transforms.storage import StorageOptions
from docbeam.transforms.stream import Hashed, LimitedStream, UnreadError


def root_identity(ref: BlobRef, found: Fetched | Hashed) -> Identity:
    """Return the identity columns of an input, as far as they are known before it is read."""
    return Identity(
        uri=ref.uri,
        source_version=found.source_version,
        size_bytes=found.size_bytes,
        sha256=found.sha256,
        md5=found.md5,
        duplicate_of=ref.duplicate_of,
    )


def root_node(uri: str, found: Fetched, reading: Reading, duration_ms: int) -> Node:
    """Return an input as the root of its tree."""
    return Node(
        reading=reading, size_bytes=found.size_bytes, sha256=found.sha256, md5=found.md5, duration_ms=duration_ms, uri=uri
    )


def tree_rows(root: Identity, nodes: Sequence[Node], pages: Pages | None, options: ExtractOptions) -> tuple[Row, ...]:
    """Return the rows of an input and of all that is embedded in it, parents before members."""
    rows: list[Row] = []
    for result in finished_tree(nodes, pages, options):
        parent = rows[result.node.parent].identity if result.node.parent is not None else None
        rows.append(_row(_identity(root, parent, result.node), result))
    return tuple(rows)


def unread_row(ref: BlobRef, error: ExtractionError) -> Quarantined:
    """Return the quarantine row of an input whose bytes could not be had, with all that is known of them."""
    found = error.found if isinstance(error, UnreadError) else None
    size = error.size_bytes if isinstance(error, UnreadError) and error.size_bytes is not None else ref.size_bytes
    known = root_identity(ref, found) if found is not None else Identity(uri=ref.uri, source_version=ref.source_version)
    declared = BY_EXTENSION.get(extension_of(name_of(ref))) if ref.problem is None else None
    identity = replace(known, size_bytes=size, declared_media_type=declared)
    stage = Stage.LIST if ref.problem is not None else Stage.READ
    return Quarantined(identity=identity, category=error.category, message=error.message, stage=stage)


def single_rows(
    ref: BlobRef, options: ExtractOptions, storage_options: StorageOptions, passwords: Passwords = NO_PASSWORDS
) -> tuple[Row, ...]:
    """Return the rows of one input, read in a sandbox child of its own."""
    try:
        with fetched(ref, options.max_body_bytes, storage_options) as found:
            return _rows(ref, found, options, passwords)
    except ExtractionError as error:
        return (unread_row(ref, error),)


def stream_rows(uri: str, stream: BinaryIO, options: ExtractOptions, passwords: Passwords = NO_PASSWORDS) -> tuple[Row, ...]:
    """Return the rows of an input that comes as a stream, such as standard input."""
    limited = LimitedStream(stream, options.max_body_bytes)
    ref = BlobRef(uri=uri)
    try:
        data = b"".join(limited.chunks())
    except ExtractionError as error:
        return (unread_row(ref, error),)
    sha256, md5 = limited.sha256.hexdigest(), limited.md5.hexdigest()
    found = Fetched(Source(data=data, name=os.path.basename(uri)), len(data), sha256, md5, None)
    return _rows(ref, found, options, passwords)


def _rows(ref: BlobRef, found: Fetched, options: ExtractOptions, passwords: Passwords) -> tuple[Row, ...]:
    source = found.source.with_passwords(passwords.for_uri(ref.uri))
    with SandboxPool(options, size=1) as pool, pool.worker() as worker:
        started = time.monotonic()
        reading = worker.read(source)
        root = root_node(ref.uri, found, reading, round((time.monotonic() - started) * 1000))
        nodes, pages = recognised_tree(worker, root, source, options, passwords)
    return tree_rows(root_identity(ref, found), nodes, pages, options)


def _identity(root: Identity, parent: Identity | None, node: Node) -> Identity:
    declared = node.reading.declared_media_type or node.declared
    if parent is None:
        path = parent_uri = None
        uri = root.uri
    else:
        path, parent_uri = node.path or "", parent.uri
        uri = member_uri(parent.uri, path)
    return Identity(
        uri=uri,
        root_uri=root.uri,
        parent_uri=parent_uri,
        member_path=path,
        depth=node.depth,
        source_version=root.source_version,
        size_bytes=node.size_bytes,
        sha256=node.sha256,
        md5=node.md5,
        media_type=node.reading.media_type,
        declared_media_type=declared,
        duplicate_of=root.duplicate_of if parent is None else None,
    )


def _row(identity: Identity, result: Finished) -> Row:
    reading = result.node.reading
    if result.extracted is None:
        assert result.error is not None
        return Quarantined(
            identity=identity,
            category=result.error.category,
            message=result.error.message,
            stage=_stage(result),
            tiers=_tiers_tried(result),
            evidence=reading.evidence,
        )
    return Document(
        identity=identity,
        extracted=result.extracted,
        extractor=reading.extractor or "unknown",
        branch=result.branch,
        ocr_confidence=result.ocr_confidence,
        duration_ms=result.node.duration_ms,
    )


def _tiers_tried(result: Finished) -> tuple[str, ...]:
    reading = result.node.reading
    if reading.extractor is None:
        return ()
    if reading.extracted is not None:
        return (*reading.extracted.tiers, OCR) if result.is_recognised else reading.extracted.tiers
    return (reading.error.tiers if reading.error is not None else ()) or (NATIVE,)


def _stage(result: Finished) -> Stage:
    if result.is_recognised:
        return Stage.OCR
    return Stage.EXTRACT if result.node.reading.extractor else Stage.SNIFF
