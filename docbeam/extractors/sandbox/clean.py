"""The last check of an extractor's value, and the only place where its strings are made fit for storage.

Parquet takes valid UTF-8: lone surrogates become U+FFFD, surrogate pairs the character they stand for, NUL goes.
Caps that TextBuilder keeps are kept here again, for extractors that don't use it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from docbeam.extractors.bounded import MAX_METADATA_CHARS, MAX_NOTICES
from docbeam.schemas.records import Extracted, Member, Notice, Page, Picture
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

UNFIT = re.compile("[\x00\ud800-\udfff]")
LONE_SURROGATE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
MAX_METADATA_KEYS = 500  # honest files have some dozens
MAX_NOTICE_CHARS = 1_000  # a part's name and a sentence


def clean_text(text: str) -> str:
    """Return the text without NUL and surrogates."""
    if not UNFIT.search(text):
        return text
    pairs = text.replace("\x00", "").encode("utf-16-le", "surrogatepass")
    return pairs.decode("utf-16-le", "replace")


def clean_extracted(value: Extracted, max_chars: int) -> Extracted:
    """Return the value with clean strings, within its caps, with page offsets that fit the content.

    Raises: TypeError if it is not an Extracted or a field has another type than the contract says.
    """
    if not isinstance(value, Extracted) or not isinstance(value.content, str):
        raise TypeError(f"returned {type(value).__name__}, not Extracted with text")
    content, pages, truncation, warnings = value.content, value.pages, value.truncation, value.warnings
    pictures = value.pictures
    if UNFIT.search(content):
        warnings = (*warnings, *_surrogates_named(content))
        content, pages, pictures = _clean_with_places(content, pages, pictures)
    if len(content) > max_chars:
        content, truncation = content[:max_chars], truncation or TruncationReason.MAX_EXTRACTED_CHARS
        pages = tuple(replace(page, start=min(page.start, max_chars), end=min(page.end, max_chars)) for page in pages)
    fields: dict[str, Any] = {
        "content": content,
        "pages": pages,
        "truncation": truncation,
        "language": _short(value.language),
        "title": _short(value.title),
        "author": _short(value.author),
        "created_at": _aware(value.created_at),
        "modified_at": _aware(value.modified_at),
        "metadata": dict(_clean_metadata(value)) if value.metadata else value.metadata,
        "warnings": clean_notices(warnings),
        "tiers": tuple(map(clean_text, value.tiers)),
        "members": tuple(map(_clean_member, value.members)),
        "pictures": tuple(replace(one, part=clean_text(one.part), position=min(one.position, max_chars)) for one in pictures),
    }
    changed = {name: field for name, field in fields.items() if field != getattr(value, name)}
    return replace(value, **changed) if changed else value  # most are clean


def _clean_member(member: Member) -> Member:
    path = clean_text(member.path) or "unnamed"
    media_type = None if member.media_type is None else clean_text(member.media_type)[:MAX_METADATA_CHARS]
    problem = None if member.problem is None else (member.problem[0], clean_text(member.problem[1])[:MAX_NOTICE_CHARS])
    damage = None if member.damage is None else clean_text(member.damage)[:MAX_NOTICE_CHARS]
    if (path, media_type, problem, damage) == (member.path, member.media_type, member.problem, member.damage):
        return member
    return replace(member, path=path, media_type=media_type, problem=problem, damage=damage)


def clean_notices(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    """Return the notices with clean strings, at most MAX_NOTICES; the last one says how many are left out."""
    kept = [_clean_notice(notice) for notice in notices[:MAX_NOTICES]]
    if len(notices) > MAX_NOTICES:
        left_out = len(notices) - MAX_NOTICES
        kept[-1] = replace(kept[-1], message=f"{kept[-1].message} ({left_out} more warnings left out)")
    return tuple(kept)


def _clean_notice(notice: Notice) -> Notice:
    part, message = clean_text(notice.part)[:MAX_NOTICE_CHARS], clean_text(notice.message)[:MAX_NOTICE_CHARS]
    return Notice(WarningCode(notice.code), part, message)


def _clean_metadata(value: Extracted) -> list[tuple[str, str]]:
    entries = sorted(value.metadata.items())[:MAX_METADATA_KEYS]
    return [(clean_text(key)[:MAX_METADATA_CHARS], clean_text(text)[:MAX_METADATA_CHARS]) for key, text in entries]


def _short(text: str | None) -> str | None:
    return None if text is None else clean_text(text)[:MAX_METADATA_CHARS]


def _aware(moment: datetime | None) -> datetime | None:
    """Return a moment with its zone; the formats that leave the zone out mean UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _surrogates_named(content: str) -> tuple[Notice, ...]:
    count = len(LONE_SURROGATE.findall(content))
    return (Notice(WarningCode.UNDECODABLE, "document", f"{count} lone surrogates were replaced"),) if count else ()


def _clean_with_places(
    content: str, pages: tuple[Page, ...], pictures: tuple[Picture, ...]
) -> tuple[str, tuple[Page, ...], tuple[Picture, ...]]:
    """Clean the content piece by piece between the bounds of pages and pictures, so that all keep their places."""
    pieces, moved, length, last = [], {}, 0, 0
    marks = {0, len(content), *(page.start for page in pages), *(page.end for page in pages)}
    for mark in sorted(marks | {picture.position for picture in pictures}):
        pieces.append(clean_text(content[last:mark]))
        length += len(pieces[-1])
        moved[mark], last = length, mark
    kept = tuple(replace(page, start=moved[page.start], end=moved[page.end]) for page in pages)
    return "".join(pieces), kept, tuple(replace(picture, position=moved[picture.position]) for picture in pictures)
