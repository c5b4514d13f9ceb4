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

TIME = re.compile(rb"\b\d{1,2}:\d\d(?::\d\d)?\b")
YEAR = re.compile(rb"\b(?:19|20)\d\d\b")
CTIME = re.compile(rb"From \S{1,300}@\S{1,300} +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} +\d{1,2}:\d\d")
UNDATED = re.compile(rb"From (?:\S{1,300}[ \t]*|- [^\n]{0,300})\r?\Z")
FIELD = re.compile(rb">?[!-9;-~]{1,60}:? ")
QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
DIGITS = re.compile(rb"\s*(\d{1,12})\s*")
MAX_SEPARATOR_BYTES = 500
MAX_LISTED = 1_000  # messages; each has a row of its own anyway
MAX_HEADER_BYTES = 1_000_000  # that are looked at for the list


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
                headers, _ = read_headers(data, start, min(end, start + MAX_HEADER_BYTES))
                date, sender, subject = (text_of(headers.raw(name)) for name in ("date", "from", "subject"))
                name = subject_name(f"{count} {subject}" if subject else f"message {count}")
                out.member(name, unquoted(data[start:end]), MediaType.EML)
                if count <= MAX_LISTED:
                    with out.until_full():  # a full list is no end of the messages
                        out.line("\t".join(part for part in (date, sender, subject) if part) or f"message {count}")
            if count > MAX_LISTED:
                out.line(f"({count - MAX_LISTED} more messages)")
        if not count:
            out.warn(WarningCode.NO_TEXT, "document", "no message in the mailbox")
        out.meta("mbox.messageCount", count)
        return out.extracted()


def messages(data: bytes, out: TextBuilder) -> Iterator[tuple[int, int]]:
    """Yield where each message begins (behind its separator) and ends."""
    at = _first(data, out)
    if at is None:
        if data.strip():
            yield 0, len(data)
        return
    if data[:at].strip():
        out.warn(WarningCode.PART_NOT_READ, "document", f"{at} bytes before the first message")
    while at is not None:
        start = _line_end(data, at)
        headers, body = read_headers(data, start, len(data))
        at = _next(data, (_end_by_length(data, headers, body) or body) - 2, out)
        yield start, len(data) if at is None else at


def unquoted(message: bytes) -> bytes:
    """Return a message with the mark taken from its quoted From lines."""
    return QUOTED_FROM.sub(rb"\1", message) if b">From " in message else message


def _first(data: bytes, out: TextBuilder) -> int | None:
    start = len(data) - len(data.lstrip(b"\r\n"))
    if data.startswith(b"From ", start) and (_is_dated(data, start) or _has_fields(data, start)):
        return start
    return _next(data, 0, out)


def _next(data: bytes, at: int, out: TextBuilder) -> int | None:
    """Return where the next separator behind a place begins."""
    while (at := data.find(b"\nFrom ", max(at, 0))) >= 0:
        at += 1
        out.check_deadline()
        is_after_blank = data[at - 2 : at] == b"\n\n" or data[at - 3 : at] == b"\n\r\n"
        if is_after_blank and (_is_dated(data, at) or (UNDATED.match(_line(data, at)) and _has_fields(data, at))):
            return at
        if CTIME.match(data, at) and _has_fields(data, at):
            return at
    return None


def _line(data: bytes, at: int) -> bytes:
    return data[at : at + MAX_SEPARATOR_BYTES].split(b"\n", 1)[0]


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1


def _is_dated(data: bytes, at: int) -> bool:
    line = _line(data, at)
    return TIME.search(line) is not None and YEAR.search(line) is not None


def _has_fields(data: bytes, at: int) -> bool:
    return FIELD.match(data, _line_end(data, at)) is not None


def _end_by_length(data: bytes, headers: Headers, body: int) -> int | None:
    """Return where Content-Length says that the message ends, if a separator or the end of the file is there."""
    length = DIGITS.fullmatch(headers.raw("content-length"))
    if length is None:
        return None
    end = body + int(length[1])
    rest = data[end : end + MAX_SEPARATOR_BYTES].lstrip(b"\r\n")
    return end if end <= len(data) and (not rest or rest.startswith(b"From ")) else None
