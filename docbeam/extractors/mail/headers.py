"""The header block of a message or of one part: fields with folded lines, and the stray lines that are in real ones.

Source: RFC 5322, 2.2 and 3.6; RFC 2045, 3. A line that is no field is passed over if known fields follow, otherwise the
body begins there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_HEADER_BYTES = 4 * 1024 * 1024  # of one block; the longest honest ones are lists of recipients
MAX_FIELDS = 10_000
MAX_STRAYS = 500
LOOK_AHEAD_LINES = 30  # behind a stray line, for a known field

FIELD = re.compile(rb"([!-9;-~]{1,120})[ \t]*:")
ENVELOPE = re.compile(rb">?From [^\n:]*\d\d:\d\d[^\n]*\n|>?From - [^\n]*\n|>?From \S+ *\r?\n")
LEADING_BLANKS = re.compile(rb"(?:[ \t]*\r*\n)+")
KNOWN = frozenset(
    b"from to cc bcc subject date message-id mime-version content-type content-transfer-encoding content-disposition "
    b"received return-path delivered-to reply-to sender references in-reply-to content-id content-description x-mailer "
    b"thread-topic thread-index resent-from resent-to dkim-signature importance content-class user-agent".split()
)


@dataclass(slots=True)
class Headers:
    """The fields of one block, in order, with names in lower case and raw values; `strays` counts lines that are none."""

    fields: list[tuple[str, bytes]] = field(default_factory=list)
    strays: int = 0

    def raw(self, name: str) -> bytes:
        """Return the value of the first field of that name that says something, or nothing."""
        return next((value for key, value in self.fields if key == name and value.strip()), b"")

    def every(self, name: str) -> list[bytes]:
        """Return the values of all fields of that name."""
        return [value for key, value in self.fields if key == name and value.strip()]


def read_headers(data: bytes, start: int, end: int, *, is_part: bool = False) -> tuple[Headers, int]:
    """Return the header block that begins at `start` and where the body begins; that of a part can be empty."""
    headers, at = Headers(), start if is_part else _first_line(data, start, end)
    lines: list[bytes] = []
    stop = min(end, start + MAX_HEADER_BYTES)
    while at < stop:
        line_end = data.find(b"\n", at, end)
        following = end if line_end < 0 else line_end + 1
        line = data[at:following].rstrip(b"\r\n")
        if not line.strip():
            is_inside = bool(lines) and _is_known_field(data, following, stop)
            at = following
            if is_inside and (line or not (is_part or _says_who(headers, lines))):  # a folded line of blanks, or a stray one
                continue
            break
        if line[:1] in b" \t" and lines:
            lines.append(line)
        elif FIELD.match(line) and len(headers.fields) < MAX_FIELDS:
            _close(lines, headers)
            lines = [line]
        elif not line.startswith(b"--") and headers.strays < MAX_STRAYS and _is_field_ahead(data, following, stop):
            headers.strays += 1
        else:
            break
        at = following
    _close(lines, headers)
    return headers, min(at, end)


def _first_line(data: bytes, start: int, end: int) -> int:
    """Return where the block begins: blank lines and an envelope line may stand before it."""
    at = start
    if blanks := LEADING_BLANKS.match(data, at, end):
        following = blanks.end()
        if FIELD.match(data, following, end) or ENVELOPE.match(data, following, end):
            at = following
    if envelope := ENVELOPE.match(data, at, end):
        at = envelope.end()
    return at


def _close(lines: list[bytes], headers: Headers) -> None:
    if lines:
        name, _, value = lines[0].partition(b":")
        headers.fields.append(
            (name.strip().decode("ascii").lower(), b" ".join((value.strip(), *(x.strip() for x in lines[1:]))))
        )
        lines.clear()


def _is_known_field(data: bytes, at: int, stop: int) -> bool:
    found = FIELD.match(data, at, stop)
    return found is not None and found[1].lower() in KNOWN


def _says_who(headers: Headers, lines: list[bytes]) -> bool:
    """Say whether the fields so far are those of a message: a body may begin with fields of another one."""
    names = {name for name, _ in headers.fields} | {lines[0].partition(b":")[0].strip().decode("ascii").lower()}
    return not names.isdisjoint(("from", "to", "subject", "content-type"))


def _is_field_ahead(data: bytes, at: int, stop: int) -> bool:
    """Say whether a known field stands before the next blank line."""
    for _ in range(LOOK_AHEAD_LINES):
        line_end = data.find(b"\n", at, stop)
        line = data[at : stop if line_end < 0 else line_end]
        if not line.strip() or line.startswith(b"--"):
            return False
        found = FIELD.match(line)
        if found and found[1].lower() in KNOWN:
            return True
        if line_end < 0:
            return False
        at = line_end + 1
    return False
