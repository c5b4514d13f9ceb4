"""Content lines, of which calendars and contacts are made: unfolding, parameters, escapes, quoted-printable values.

Source: RFC 5545, 3.1 and 3.3.11; RFC 6350, 3.2 to 3.4 and 4; vCard 2.1 and vCalendar 1.0, 2.1 (quoted-printable).
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from docbeam.extractors.charset import decode, with_lf
from docbeam.extractors.mail.words import base64_bytes

MAX_LINES = 1_000_000
MAX_PARAMETERS = 100  # of one line

NAME = re.compile(r"(?:([A-Za-z0-9-]{1,60})\.)?([A-Za-z0-9-]{1,60})(?=[;:])")
PARAMETER = re.compile(r';\s*([A-Za-z0-9-]{1,60})(?:\s*=\s*((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*))?')
ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True)
class ContentLine:
    """One line: its group (`item1`), its name in upper case, its parameters by upper-case names, and its raw value."""

    group: str
    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        """The value as text."""
        return unescaped(self.value)

    @property
    def fields(self) -> list[str]:
        """The parts of a value that semicolons divide, each as text."""
        return [unescaped(part).strip() for part in split_fields(self.value)]

    def data(self) -> bytes | None:
        """Return the bytes of a value in base64, or None if it is not."""
        if self.parameters.get("ENCODING", "").upper() in ("B", "BASE64") or "BASE64" in self.parameters:
            return base64_bytes(re.sub(r"[^A-Za-z0-9+/=]", "", self.value).encode("ascii"))
        if self.value[:5].lower() == "data:" and ";base64," in self.value[:200]:
            return base64_bytes(re.sub(r"[^A-Za-z0-9+/=]", "", self.value.partition(";base64,")[2]).encode("ascii"))
        return None


def content_lines(text: str) -> Iterator[ContentLine]:
    """Yield the lines of a calendar or a contact; what is none is passed over."""
    raw = with_lf(text).split("\n")
    at = 0
    while at < min(len(raw), MAX_LINES):
        line = raw[at]
        at += 1
        found = NAME.match(line)
        if found is None:
            continue
        pieces = [line]
        head = line[: line.find(":") + 1].upper()
        is_quoted = "QUOTED-PRINTABLE" in head
        is_base64 = "BASE64" in head or "ENCODING=B" in head
        while at < len(raw) and (
            raw[at][:1] in (" ", "\t") or (is_quoted and pieces[-1].endswith("=")) or (is_base64 and _is_base64(raw[at]))
        ):
            if is_quoted and pieces[-1].endswith("="):
                pieces[-1] = pieces[-1][:-1]
                pieces.append(raw[at])
            else:
                pieces.append(raw[at][1:] if raw[at][:1] in (" ", "\t") else raw[at])
            at += 1
        if (parsed := _parsed("".join(pieces), found, is_quoted)) is not None:
            yield parsed


def unescaped(text: str) -> str:
    """Return a value with its escapes resolved."""
    if "\\" not in text:
        return text
    return ESCAPE.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], text)


def split_fields(value: str, separator: str = ";") -> list[str]:
    """Return the parts of a value between separators that are not escaped."""
    parts, start, at = [], 0, 0
    while at < len(value):
        if value[at] == "\\":
            at += 1
        elif value[at] == separator:
            parts.append(value[start:at])
            start = at + 1
        at += 1
    return [*parts, value[start:]]


def _is_base64(line: str) -> bool:
    return bool(line) and ":" not in line and re.fullmatch(r"[A-Za-z0-9+/=]+", line) is not None


def _parsed(line: str, name: re.Match[str], is_quoted: bool) -> ContentLine | None:
    at, values = name.end(), dict[str, str]()
    for _ in range(MAX_PARAMETERS):
        if (found := PARAMETER.match(line, at)) is None:
            break
        key, value = found[1].upper(), found[2]
        if value is None:  # vCard 2.1 writes TEL;WORK;FAX
            key, value = ("ENCODING", key) if key in ("BASE64", "QUOTED-PRINTABLE") else ("TYPE", key)
        value = value.replace('"', "")
        values[key] = f"{values[key]},{value}" if key in values else value
        at = found.end()
    if line[at : at + 1] != ":":
        at = line.find(":", at)
        if at < 0:
            return None
    value = line[at + 1 :]
    if is_quoted:
        data = binascii.a2b_qp(value.encode("utf-8", "replace"))
        value = with_lf(decode(data, declared=values.get("CHARSET")).text).replace("\n", "\\n")
    return ContentLine(name[1] or "", name[2].upper(), values, value)
