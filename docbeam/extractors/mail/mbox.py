"""Mailboxes (mboxo, mboxrd, mboxcl, mboxcl2): each message is a member; the mailbox itself is a list of them.

A separator names a sender and a time and follows a blank line, or the place where Content-Length says the message ends.
Source: RFC 4155; the mbox family as qmail's mbox(5) describes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.mail.eml import as_bytes
from docbeam.extractors.mail.headers import Headers, read_headers
from docbeam.extractors.mail.names import subject_name
from docbeam.extractors.mail.words import text_of
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode

TIME = rb"\d{1,2}:\d\d(?::\d\d)?"
SEPARATOR = re.compile(
    rb"^From [^\n]{0,400}?(?:(?:" + TIME + rb"[^\n]{0,40}?\b(?:19|20)\d\d|\b(?:19|20)\d\d[^\n]{0,20}?" + TIME + rb"))[^\n]{0,40}$",
    re.MULTILINE,
)
STRICT = re.compile(rb"From \S+@\S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} " + TIME)
UNDATED = re.compile(rb"^From \S+[ \t]*\r?$|^From - [^\n]*$", re.MULTILINE)
FIELD_BEHIND = re.compile(rb"\r?\n>?[!-9;-~]{1,60}:? ")
BLANK_BEFORE = re.compile(rb"(?:\n\r?\n|\r\r)\Z")
QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
LENGTH_DIGITS = re.compile(rb"\s*(\d{1,12})\s*")


class MboxExtractor:
    """Reads application/mbox."""

    name = "mbox"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a mailbox."""
        return media_type == MediaType.MBOX

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return a line for each message: its date, its sender and its subject."""
        out = TextBuilder(options)
        data = as_bytes(source.read())
        count = 0
        with out.until_full():
            for start, end in messages(data, out):
                count += 1
                headers, _ = read_headers(data, start, min(end, start + 1_000_000))
                subject = text_of(headers.raw("subject"))
                line = [text_of(headers.raw("date")), text_of(headers.raw("from")), subject]
                out.member(subject_name(f"{count} {subject}" if subject else f"message {count}"), unquoted(data[start:end]), MediaType.EML)
                out.line("\t".join(part for part in line if part) or f"message {count}")
        if not count:
            out.warn(WarningCode.NO_TEXT, "document", "no message in the mailbox")
        out.meta("mbox.messageCount", count)
        return out.extracted()


def messages(data: bytes, out: TextBuilder) -> Iterator[tuple[int, int]]:
    """Yield where each message begins (behind its separator) and ends."""
    pattern = SEPARATOR if SEPARATOR.match(data.lstrip()[:1000]) else UNDATED if UNDATED.match(data.lstrip()[:1000]) else SEPARATOR
    first = pattern.search(data)
    if first is None:
        if data.strip():
            yield 0, len(data)
        return
    if data[: first.start()].strip():
        out.warn(WarningCode.PART_NOT_READ, "document", f"{first.start()} bytes before the first message")
    at = first.end()
    while True:
        out.check_deadline()
        start = at + 1
        headers, body = read_headers(data, start, len(data))
        following = _next(data, pattern, _end_by_length(data, headers, body) or body - 1)
        yield start, following.start() if following else len(data)
        if following is None:
            return
        at = following.end()


def unquoted(message: bytes) -> bytes:
    """Return a message with the mark taken from its quoted From lines."""
    return QUOTED_FROM.sub(rb"\1", message) if b">From " in message else message


def _next(data: bytes, pattern: re.Pattern[bytes], at: int) -> re.Match[bytes] | None:
    """Return the next separator at or behind a place."""
    for found in pattern.finditer(data, max(0, at)):
        before = data[max(0, found.start() - 4) : found.start()]
        has_fields = FIELD_BEHIND.match(data, found.end()) is not None
        if BLANK_BEFORE.search(before) and (pattern is SEPARATOR or has_fields):
            return found
        if has_fields and STRICT.match(data, found.start()) and before.endswith(b"\n"):
            return found
    return None


def _end_by_length(data: bytes, headers: Headers, body: int) -> int | None:
    """Return where Content-Length says that the message ends, if a separator or the end of the file is there."""
    length = LENGTH_DIGITS.fullmatch(headers.raw("content-length"))
    if length is None:
        return None
    end = body + int(length[1])
    if end > len(data):
        return None
    rest = data[end : end + 400].lstrip(b"\r\n")
    return end - 2 if not rest or SEPARATOR.match(rest) or UNDATED.match(rest) else None
