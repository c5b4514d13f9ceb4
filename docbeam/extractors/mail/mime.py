"""The tree of MIME parts in a message: where each part begins and ends, also with missing and wrong boundaries.

Source: RFC 2045; RFC 2046, 5.1; RFC 2183 (Content-Disposition).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.mail.headers import Headers, read_headers
from docbeam.extractors.mail.transfer import undone
from docbeam.extractors.mail.words import parameters, text_of
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

GUESS_BYTES = 4_096  # in which the first boundary stands if no field names it
MAX_DEPTH = 20  # of multiparts in multiparts; honest ones reach 6

MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,100}/[a-z0-9!#$&^_.+-]{1,100}")
GUESSED_BOUNDARY = re.compile(
    rb"(?:^|\n)--([^\s-][^\r\n]{0,68}[^\s-]|[^\r\n]{4,70}?)[ \t]*\r*\n(?=[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-)"
)
BOILERPLATE = re.compile(r"multi-?part|MIME|S/MIME|mehrteilig", re.IGNORECASE)


@dataclass(slots=True)
class Part:
    """One part: its fields, its type, and its bytes as they are in `data` from `start` to `end`."""

    headers: Headers
    data: bytes = field(repr=False)
    start: int
    end: int
    media_type: str
    parameters: dict[str, str]
    disposition: str
    filename: str
    encoding: str
    number: str
    children: list[Part] = field(default_factory=list)

    @property
    def charset(self) -> str | None:
        """The label of the part's charset."""
        return self.parameters.get("charset")

    def raw(self) -> bytes:
        """Return the body as it is in the message."""
        return self.data[self.start : self.end]

    def body(self) -> bytes:
        """Return the body with its transfer encoding undone."""
        return undone(self.raw(), self.encoding)

    def text(self, name: str) -> str:
        """Return a header value as text."""
        return text_of(self.headers.raw(name), self.charset)


class Parser:
    """Parses messages under one budget of parts; what a message leaves unclear is reported to `out`."""

    def __init__(self, out: TextBuilder) -> None:
        self._out = out
        self._left = out.options.max_zip_entries

    def message(self, data: bytes, number: str = "") -> Part:
        """Return the tree of a whole message or MIME entity."""
        return self._part(data, 0, len(data), "text/plain", number, 0)

    def _part(self, data: bytes, start: int, end: int, default: str, number: str, depth: int) -> Part:
        headers, body = read_headers(data, start, end, is_part=depth > 0)
        if headers.strays:
            where = f"part {number}" if number else "header"
            self._out.warn(WarningCode.PART_DAMAGED, where, f"{headers.strays} lines among the fields are no fields")
        part = _described(headers, data, body, end, default, number)
        if depth == 0 and not headers.raw("content-type") and _has_parts(data, body, end):
            part.media_type = "multipart/mixed"
            self._out.warn(WarningCode.PART_DAMAGED, "header", "no Content-Type, but the body is made of parts")
        if part.media_type.startswith("multipart/"):
            self._divide(part, depth)
        return part

    def _divide(self, part: Part, depth: int) -> None:
        """Fill in the children of a multipart, or make it the text that it must be if it has none."""
        where = f"part {part.number}" if part.number else "document"
        sections, is_closed = self._sections(part)
        if not sections and part.encoding in ("base64", "quoted-printable"):
            part.data, part.encoding = part.body(), ""
            part.start, part.end = 0, len(part.data)
            sections, is_closed = self._sections(part)
        if not sections or depth >= MAX_DEPTH:
            self._out.warn(WarningCode.PART_DAMAGED, where, f"{part.media_type}: no parts found, taken as one text")
            part.media_type = "text/plain"
            return
        if not is_closed:
            self._out.warn(WarningCode.PART_DAMAGED, where, f"{part.media_type}: the closing boundary is missing")
        default = "message/rfc822" if part.media_type == "multipart/digest" else "text/plain"
        for place, (start, end) in enumerate(sections, 1):
            if self._left <= 0:
                self._out.warn(WarningCode.ENTRY_LIMIT, where, f"more than {self._out.options.max_zip_entries} parts")
                self._out.cut(TruncationReason.CONTAINER_LIMIT)
                break
            self._left -= 1
            self._out.check_deadline()
            number = f"{part.number}.{place}" if part.number else str(place)
            part.children.append(self._part(part.data, start, end, default, number, depth + 1))

    def _sections(self, part: Part) -> tuple[list[tuple[int, int]], bool]:
        boundary = part.parameters.get("boundary", "").encode("utf-8", "replace").rstrip()
        found = self._between(part, boundary) if boundary else ([], False)
        if not found[0] and (guess := GUESSED_BOUNDARY.search(part.data, max(0, part.start - 1), part.end)):
            found = self._between(part, guess[1])
        return found

    def _between(self, part: Part, boundary: bytes) -> tuple[list[tuple[int, int]], bool]:
        """Return where the sections between the boundary lines are, and whether a closing one ended them."""
        data, mark = part.data, b"--" + boundary
        sections: list[tuple[int, int]] = []
        begin, at, last, is_closed = -1, part.start, part.start, False
        while len(sections) <= self._left and (at := data.find(mark, at, part.end)) >= 0:
            line_end = data.find(b"\n", at, part.end)
            line_end = part.end if line_end < 0 else line_end
            rest = data[at + len(mark) : line_end].strip()
            if (at > part.start and data[at - 1] not in b"\r\n") or rest.strip(b"-"):
                at += len(mark)
                continue
            if begin >= 0:
                sections.append((begin, max(begin, _without_line_end(data, at))))
            elif rest == b"" and not sections:
                self._outside(data[last:at], part, "before the first part")
            is_closed = rest != b""
            begin = -1 if is_closed else min(line_end + 1, part.end)
            at = last = line_end
        if begin >= 0:
            sections.append((begin, part.end))
        elif sections:
            self._outside(data[last : part.end], part, "behind the last part")
        return sections, is_closed

    def _outside(self, data: bytes, part: Part, place: str) -> None:
        text = data.decode("latin-1").strip()
        if text and not BOILERPLATE.search(text[:1_000]):
            where = f"part {part.number}" if part.number else "document"
            self._out.warn(WarningCode.PART_NOT_READ, where, f"{len(text)} characters {place}, which mail programs do not show")


def _has_parts(data: bytes, start: int, end: int) -> bool:
    """Say whether the text begins with a part between boundaries."""
    guess = GUESSED_BOUNDARY.search(data, max(0, start - 1), min(end, start + GUESS_BYTES))
    return guess is not None and data.find(b"--" + guess[1], guess.end(), end) >= 0


def _without_line_end(data: bytes, at: int) -> int:
    if data[at - 1 : at] == b"\n":
        at -= 1
    return at - 1 if data[at - 1 : at] == b"\r" else at


def _described(headers: Headers, data: bytes, start: int, end: int, default: str, number: str) -> Part:
    media_type, values = parameters(headers.raw("content-type"))
    charset = values.get("charset")
    disposition, placed = parameters(headers.raw("content-disposition"), charset)
    filename = placed.get("filename") or placed.get("name") or values.get("name") or values.get("filename") or ""
    if not MEDIA_TYPE.fullmatch(media_type):
        media_type = {"text": "text/plain", "html": "text/html", "multipart": "multipart/mixed"}.get(media_type, default)
    encoding = re.split(r"[;\s(]", text_of(headers.raw("content-transfer-encoding")).lower())[0].strip("\"'")
    return Part(headers, data, start, end, media_type, values, disposition, filename, encoding, number)
