"""Messages as they travel (RFC 5322 and MIME): the fields a reader sees, the body, and attachments as members.

Source: RFC 5322; RFC 2045 to 2047; RFC 2183; RFC 2231; RFC 6532.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import BYTE_ORDER_MARKS, decode, wide_codec
from docbeam.extractors.mail.body import Body, clean, write_body
from docbeam.extractors.mail.mime import Parser, Part
from docbeam.extractors.mail.words import text_of
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

SHOWN = ("From", "To", "Cc", "Bcc", "Date", "Subject")
KEPT = {
    "message-id": "messageId", "reply-to": "replyTo", "sender": "sender", "in-reply-to": "inReplyTo",
    "references": "references", "x-mailer": "mailer", "user-agent": "mailer", "organization": "organization",
    "importance": "importance", "keywords": "keywords", "comments": "comments", "list-id": "listId",
    "newsgroups": "newsgroups", "thread-topic": "threadTopic", "resent-from": "resentFrom", "resent-to": "resentTo",
    "resent-date": "resentDate", "content-language": "language",
}  # fmt: skip
LOOK_BYTES = 65_536
APPLE_COUNT = re.compile(rb"(\d{1,12})[ \t]*\r?\n(?=[A-Za-z-]{1,60}:)")  # .emlx: its bytes; a plist follows
ISO_DATE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(Z|[+-]\d\d:?\d\d)?")


class EmlExtractor:
    """Reads message/rfc822."""

    name = "eml"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a message."""
        return media_type == MediaType.EML

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the fields and the text of a message.

        Raises: ExtractionError(ENCRYPTED_NO_KEY) if all there is in its body is encrypted.
        """
        out = TextBuilder(options)
        parser = Parser(out)
        body, message, text = Body(out, parser), None, ""
        with out.until_full():
            message = parser.message(as_bytes(source.read()))
            text = clean(body.text(message))
        with out.until_full():  # behind the attachments: a full text is no end of them
            if message is not None:
                write_body(text, _write_fields(message, out), out)
        _report(body, bool(text.strip()), out)
        if message is None:
            return out.extracted()
        return _with_metadata(message, body, out)


def as_bytes(data: bytes) -> bytes:
    """Return a message in bytes that are ASCII but for its texts: without a byte order mark, from UTF-16, with LF in it."""
    if any(data.startswith(mark) for mark, _ in BYTE_ORDER_MARKS) or (b"\0" in data[:LOOK_BYTES] and wide_codec(data)):
        data = data[3:] if data.startswith(b"\xef\xbb\xbf") else decode(data).text.encode("utf-8", "replace")
    if counted := APPLE_COUNT.match(data):
        data = data[counted.end() :][: int(counted[1])]
    head = data[:LOOK_BYTES]
    if b"\r" in head and len(re.findall(rb"\r(?!\n)", head)) > head.count(b"\n"):
        data = re.sub(rb"\r(?!\n)", b"\n", data)
    return data


def date_of(text: str) -> datetime | None:
    """Return the time that a Date field names, or None if nobody can tell; without a zone it is taken as UTC."""
    text = re.sub(r"\([^()]*\)", " ", text).strip()
    if iso := ISO_DATE.search(text):
        zone = (iso[3] or "+00:00").replace("Z", "+00:00")
        text = f"{iso[1]}T{iso[2]}{zone}"
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    try:
        found = email.utils.parsedate_to_datetime(text[:200])
        found = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        found.astimezone(UTC)  # a year that no calendar has
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None
    return found


def _write_fields(message: Part, out: TextBuilder) -> bool:
    has_fields = False
    for label in SHOWN:
        for raw in message.headers.every(label.lower()):
            if value := text_of(raw, message.charset):
                out.line(f"{label}: {value}")
                has_fields = True
    return has_fields


def _report(body: Body, has_text: bool, out: TextBuilder) -> None:
    """Say what is encrypted, or that there is nothing to read."""
    if body.encrypted and not has_text and not body.names.taken:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"the body is encrypted: {body.encrypted[0]}"[:200])
    for kind in body.encrypted:
        out.warn(WarningCode.PART_NOT_READ, "body", f"encrypted: {kind}"[:200])
    if not has_text and not body.names.taken:
        out.warn(WarningCode.NO_TEXT, "body", "the message has no text and no attachment")


def _values(message: Part, name: str) -> Sequence[str]:
    return [text for raw in message.headers.every(name) if (text := text_of(raw, message.charset))]


def _with_metadata(message: Part, body: Body, out: TextBuilder) -> Extracted:
    first = {name: next(iter(_values(message, name)), None) for name in ("subject", "from", "date")}
    out.meta("email.subject", first["subject"])
    for name in ("from", "to", "cc", "bcc"):
        out.meta(f"email.{name}", ", ".join(_values(message, name)))
    out.meta("email.date", first["date"])
    for name, key in KEPT.items():
        out.meta(f"email.{key}", next(iter(_values(message, name)), None))
    out.meta("email.attachmentCount", len(body.names.taken))
    out.meta("email.attachmentNames", body.names.listed())
    out.meta("email.signature", body.signed)
    return out.extracted(
        confidence=body.confidence,
        title=first["subject"],
        author=first["from"],
        created_at=date_of(first["date"]) if first["date"] else None,
    )
