"""Records to the columns of the Arrow schemas, one dict a row."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from docbeam.schemas.records import Document, Identity, Quarantined, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStamp:
    """What made a row: docbeam's version and the fingerprint of everything else that can change the text."""

    version: str
    fingerprint: str


def row_columns(row: Row, stamp: EngineStamp, now: datetime) -> tuple[str, dict[str, Any]]:
    """Return the dataset's name and the columns of one row."""
    if isinstance(row, Document):
        return "documents", _document_columns(row, stamp, now)
    return "quarantine", _quarantine_columns(row, stamp, now)


def _document_columns(row: Document, stamp: EngineStamp, now: datetime) -> dict[str, Any]:
    text = row.extracted
    return {
        **_identity_columns(row.identity),
        "content": text.content,
        "char_count": len(text.content),
        "is_truncated": text.truncation is not None,
        "truncation_reason": text.truncation and text.truncation.value,
        "confidence": text.confidence.value,
        "ocr_confidence": row.ocr_confidence,
        "branch": row.branch.value,
        "extractor": row.extractor,
        "tiers": text.tiers,
        "engine_version": stamp.version,
        "engine_fingerprint": stamp.fingerprint,
        "detected_language": text.language,
        "page_count": text.page_count,
        "pages": [
            {
                "number": page.number,
                "start": page.start,
                "end": page.end,
                "origin": page.origin.value,
                "ocr_confidence": page.ocr_confidence,
                "words": [dataclasses.asdict(word) for word in page.words] or None,
            }
            for page in text.pages
        ],
        "member_count": len(text.members),
        "title": text.title,
        "author": text.author,
        "created_at": text.created_at,
        "modified_at": text.modified_at,
        "metadata": sorted(text.metadata.items()),
        "warnings": [{"code": w.code.value, "part": w.part, "message": w.message} for w in text.warnings],
        "extracted_at": now,
        "duration_ms": row.duration_ms,
    }


def _quarantine_columns(row: Quarantined, stamp: EngineStamp, now: datetime) -> dict[str, Any]:
    return {
        **_identity_columns(row.identity),
        "error_category": row.category.value,
        "error_message": row.message,
        "stage": row.stage.value,
        "is_retryable": row.category.is_retryable,
        "tiers": row.tiers,
        "evidence": row.evidence,
        "engine_version": stamp.version,
        "engine_fingerprint": stamp.fingerprint,
        "quarantined_at": now,
    }


def _identity_columns(identity: Identity) -> dict[str, Any]:
    return {
        "uri": identity.uri,
        "root_uri": identity.root_uri or identity.uri,
        "parent_uri": identity.parent_uri,
        "member_path": identity.member_path,
        "depth": identity.depth,
        "source_version": identity.source_version,
        "size_bytes": identity.size_bytes,
        "sha256": identity.sha256,
        "md5": identity.md5,
        "media_type": identity.media_type,
        "declared_media_type": identity.declared_media_type,
        "duplicate_of": identity.duplicate_of,
    }
