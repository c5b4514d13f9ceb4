"""Requests and answers as frames: every field is named, typed and checked by the parent. Text is the frame's raw body.

`forms` turn values into headers (in the child), `..._from` turn untrusted headers into values (in the parent).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docbeam.extractors.engine import Reading
from docbeam.extractors.sandbox.fields import Fields, count_of, list_of, row_of, share_of, text_of, word_of
from docbeam.extractors.sandbox.frames import Malformed
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Extracted, Member, Notice, Page, Picture, Word
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode

if TYPE_CHECKING:
    from docbeam.extractors.recognition import PageText

DIGEST = re.compile("[0-9a-f]{64}")
NOTE_BYTES = 512  # a number, two media types and an extractor's name


def password_table(sources: Sequence[Source]) -> tuple[list[tuple[str, ...]], list[int]]:
    """Return the different lists of passwords of some sources, and for each source which of them it has."""
    places: dict[tuple[str, ...], int] = {}
    keys = [places.setdefault(source.passwords, len(places)) for source in sources]
    return list(places), keys


def source_form(source: Source) -> tuple[dict[str, Any], bytes]:
    """Return a source's header entry and its body: the bytes if they are in hand, else the path. Passwords go beside it."""
    if source.path is not None:
        path = os.fsencode(os.path.abspath(source.path)).decode("latin-1")
        return {"name": source.name, "path": path, "size": 0}, b""
    data = source.read()
    return {"name": source.name, "path": None, "size": len(data)}, data


def source_from(form: dict[str, Any], data: bytes, passwords: Sequence[str] = ()) -> Source:
    """Return the source of a header entry, its body and its passwords. The child trusts its parent."""
    if form["path"] is not None:
        path = os.fsdecode(form["path"].encode("latin-1"))
        return Source(path=path, name=form["name"], passwords=tuple(passwords))
    return Source(data=data, name=form["name"], passwords=tuple(passwords))


def reading_form(reading: Reading) -> tuple[dict[str, Any], bytes]:
    """Return a reading's header and its content as UTF-8."""
    found = reading.extracted
    header = {
        "media_type": reading.media_type,
        "declared_media_type": reading.declared_media_type,
        "extractor": reading.extractor,
        "extracted": None if found is None else _extracted_form(found),
        "error": error_form(reading.error),
        "evidence": reading.evidence,
    }
    return header, b"" if found is None else found.content.encode("utf-8")


def reading_from(header: Any, body: bytes | bytearray, max_chars: int) -> Reading:
    """Return the reading of an answer. Raises Malformed for anything that a sound child can't have sent."""
    fields = Fields(header)
    extracted = fields.get("extracted")
    error = error_from(fields.get("error"))
    if (extracted is None) == (error is None):
        raise Malformed("reading: neither text nor error, or both")
    return Reading(
        media_type=fields.text("media_type"),
        declared_media_type=fields.text_or_none("declared_media_type"),
        extractor=fields.text_or_none("extractor"),
        extracted=None if extracted is None else _extracted_from(Fields(extracted), text_from(body, max_chars)),
        error=error,
        evidence=fields.text_or_none("evidence"),
    )


def page_text_form(page: PageText) -> tuple[dict[str, Any], bytes]:
    """Return a recognised page's header and its text as UTF-8."""
    header = {
        "number": page.number,
        "picture": page.picture,
        "confidence": page.confidence,
        "language": page.language,
        "words": [[word.text, word.confidence, word.left, word.top, word.width, word.height] for word in page.words],
        "digest": page.digest,
        "notices": notices_form(page.notices),
        "error": error_form(page.error),
    }
    return header, page.text.encode("utf-8")


def page_text_from(header: Any, body: bytes | bytearray, max_chars: int) -> PageText:
    """Return the recognised page of an answer. Raises Malformed."""
    from docbeam.extractors.recognition import PageText  # late: Pillow comes with it, and a child that reads needs none

    fields = Fields(header)
    return PageText(
        number=fields.count("number"),
        picture=fields.text_or_none("picture"),
        text=text_from(body, max_chars),
        confidence=fields.share_or_none("confidence"),
        language=fields.text_or_none("language"),
        words=tuple(_word(row) for row in list_of(fields.get("words"))),
        digest=_digest(fields.text_or_none("digest")),
        notices=notices_from(fields.get("notices")),
        error=error_from(fields.get("error")),
    )


def error_form(error: ExtractionError | None) -> list[str] | None:
    """Return an error as its category, message and tiers, which are words."""
    return None if error is None else [str(error.category), error.message, " ".join(error.tiers)]


def error_from(form: Any) -> ExtractionError | None:
    """Return the error of a form. Raises Malformed."""
    if form is None:
        return None
    category, message, tiers = row_of(form, str, str, str)
    return ExtractionError(word_of(ErrorCategory, category), message, tuple(tiers.split()))


def notices_form(notices: tuple[Notice, ...]) -> list[list[str]]:
    """Return notices as rows."""
    return [[str(notice.code), notice.part, notice.message] for notice in notices]


def notices_from(form: Any) -> tuple[Notice, ...]:
    """Return the notices of a form. Raises Malformed."""
    rows = (row_of(row, str, str, str) for row in list_of(form))
    return tuple(Notice(word_of(WarningCode, code), part, message) for code, part, message in rows)


def text_from(body: bytes | bytearray, max_chars: int) -> str:
    """Return a body as text without NUL. Raises Malformed."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed("body: not UTF-8") from error
    if len(text) > max_chars or "\x00" in text:
        raise Malformed("body: longer than the cap, or with NUL")
    return text


def _extracted_form(found: Extracted) -> dict[str, Any]:
    return {
        "pages": [[page.number, page.start, page.end, str(page.origin), page.ocr_confidence] for page in found.pages],
        "page_count": found.page_count,
        "confidence": str(found.confidence),
        "truncation": None if found.truncation is None else str(found.truncation),
        "language": found.language,
        "tiers": list(found.tiers),
        "title": found.title,
        "author": found.author,
        "created_at": None if found.created_at is None else found.created_at.isoformat(),
        "modified_at": None if found.modified_at is None else found.modified_at.isoformat(),
        "metadata": dict(found.metadata),
        "warnings": notices_form(found.warnings),
        "members": [_member_form(member) for member in found.members],
        "pictures": [[picture.part, picture.position, picture.page] for picture in found.pictures],
    }


def _member_form(member: Member) -> list[Any]:
    file = None if member.file is None else os.path.basename(member.file)
    problem = None if member.problem is None else [str(member.problem[0]), member.problem[1]]
    return [member.path, file, member.size_bytes, member.media_type, problem, member.damage]


def _extracted_from(fields: Fields, content: str) -> Extracted:
    truncation = fields.text_or_none("truncation")
    metadata = fields.get("metadata")
    if type(metadata) is not dict:
        raise Malformed("metadata: not an object")
    return Extracted(
        content=content,
        pages=tuple(_page(row, len(content)) for row in list_of(fields.get("pages"))),
        page_count=fields.count_or_none("page_count"),
        confidence=word_of(Confidence, fields.text("confidence")),
        truncation=None if truncation is None else word_of(TruncationReason, truncation),
        language=fields.text_or_none("language"),
        tiers=tuple(text_of(tier) for tier in list_of(fields.get("tiers"))),
        title=fields.text_or_none("title"),
        author=fields.text_or_none("author"),
        created_at=fields.moment_or_none("created_at"),
        modified_at=fields.moment_or_none("modified_at"),
        metadata={text_of(key): text_of(value) for key, value in metadata.items()},
        warnings=notices_from(fields.get("warnings")),
        members=tuple(_member(row) for row in list_of(fields.get("members"))),
        pictures=tuple(_picture(row, len(content)) for row in list_of(fields.get("pictures"))),
    )


def _member(row: Any) -> Member:
    """Return a member whose `file` is a bare name: the parent alone knows in which folder the child may write."""
    if type(row) is not list or len(row) != 6:
        raise Malformed("member: not a row of six")
    path, file, size, media_type, problem, damage = row
    if (file is None) == (problem is None) or (file is not None and os.path.basename(text_of(file)) != file):
        raise Malformed("member: neither a file's name nor a problem, or both")
    error = None if problem is None else error_from([*list_of(problem), ""])  # its tiers are in its own row
    return Member(
        path=text_of(path),
        file=file,
        size_bytes=count_of(size),
        media_type=None if media_type is None else text_of(media_type),
        problem=None if error is None else (error.category, error.message),
        damage=None if damage is None else text_of(damage),
    )


def _picture(row: Any, chars: int) -> Picture:
    if type(row) is not list or len(row) != 3:
        raise Malformed("picture: not a row of three")
    position = count_of(row[1])
    if position > chars:
        raise Malformed(f"picture: at {position} in a text of {chars} characters")
    return Picture(text_of(row[0]), position, None if row[2] is None else count_of(row[2]))


def _digest(text: str | None) -> str | None:
    """Return a digest that is fit to name a file by. Raises Malformed."""
    if text is not None and not DIGEST.fullmatch(text):
        raise Malformed("digest: not SHA-256 in hex")
    return text


def _word(row: Any) -> Word:
    if type(row) is not list or len(row) != 6:
        raise Malformed("word: not a row of six")
    shares = [share_of(share) for share in row[1:]]
    if None in shares or "\x00" in text_of(row[0]):
        raise Malformed("word: without confidence or box, or with NUL")
    return Word(row[0], *(share for share in shares if share is not None))


def _page(row: Any, chars: int) -> Page:
    if type(row) is not list or len(row) != 5:
        raise Malformed("page: not a row of five")
    number, start, end = count_of(row[0]), count_of(row[1]), count_of(row[2])
    if not start <= end <= chars:
        raise Malformed(f"page {number}: from {start} to {end} in a text of {chars} characters")
    return Page(number, start, end, word_of(Origin, text_of(row[3])), share_of(row[4]))
