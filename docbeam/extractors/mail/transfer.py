"""Content-Transfer-Encoding undone: base64, quoted-printable and uuencode, with the damage that mail gateways do.

Source: RFC 2045, 6; POSIX uuencode.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from docbeam.extractors.mail.words import base64_bytes

LOOK_BYTES = 4_096
MIN_WORDS = 4  # of a text that is no base64
MAX_WORD_BYTES = 12  # on average
WHITE = b" \t\r\n\x0b\x0c"
CLEAN_BASE64 = re.compile(rb"[A-Za-z0-9+/]*={0,3}")
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/=\s]*")
UU_BEGIN = re.compile(r"^begin(?:-base64)? [0-7]{3,4} ([^\n]{1,255})\n", re.MULTILINE)
UU_END = re.compile(r"^end[ \t]*$", re.MULTILINE)
UU_NAMES = frozenset(("x-uuencode", "uuencode", "x-uue", "uue"))


def undone(data: bytes, encoding: str) -> bytes:
    """Return the bytes behind a transfer encoding; an encoding that is unknown, or plainly not there, changes nothing."""
    if encoding == "base64":
        return _from_base64(data)
    if encoding in ("quoted-printable", "quoted_printable", "qp"):
        return binascii.a2b_qp(data)
    if encoding in UU_NAMES:
        text = data.decode("latin-1").replace("\r\n", "\n")
        begin = UU_BEGIN.search(text)
        return from_uuencode(text[begin.end() if begin else 0 :])
    return data


def _from_base64(data: bytes) -> bytes:
    if _is_prose(data):
        return data
    clean = data.translate(None, WHITE)
    if CLEAN_BASE64.fullmatch(clean):
        return base64_bytes(clean)
    lines = [line for line in data.splitlines() if line.strip()]
    good = [line for line in lines if BASE64_LINE.fullmatch(line) and b" " not in line.strip()]
    if 2 * len(good) >= len(lines):  # a footer in plain text, or a few damaged lines
        return base64_bytes(b"".join(good).translate(None, WHITE))
    return base64_bytes(re.sub(rb"[^A-Za-z0-9+/=]", b"", data))


def _is_prose(data: bytes) -> bool:
    """Say whether what should be base64 is words with spaces between them."""
    look = data[:LOOK_BYTES].strip()
    words = look.split()
    return (
        b" " in look.split(b"\n", 1)[0].strip()
        and look.count(b" ") > len(words) // 2
        and len(words) >= MIN_WORDS
        and len(look) < MAX_WORD_BYTES * len(words)
    )


def from_uuencode(text: str) -> bytes:
    """Return the bytes of uuencoded lines up to `end`."""
    parts = []
    for line in text.split("\n"):
        if line.strip() in ("end", "`", ""):
            if line.strip() == "end":
                break
            continue
        raw = line.encode("latin-1", "replace")
        try:
            parts.append(binascii.a2b_uu(raw))
        except binascii.Error:  # trailing blanks that were cut or added: take as many characters as the length says
            count = (((raw[0] - 32) & 63) * 4 + 5) // 3
            try:
                parts.append(binascii.a2b_uu(raw[:count].ljust(count)))
            except binascii.Error:
                continue
    return b"".join(parts)


def without_uuencode(text: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Return a text without the uuencoded files in it, and those files with their names."""
    files: list[tuple[str, bytes]] = []
    kept: list[str] = []
    at = 0
    for begin, end in _uu_blocks(text):
        data = from_uuencode(text[begin.end() : end])
        if data:
            files.append((begin[1].strip(), data))
            kept.append(text[at : begin.start()])
            at = min(len(text), end + 4)
    return "".join((*kept, text[at:])), files


def _uu_blocks(text: str) -> Iterator[tuple[re.Match[str], int]]:
    at = 0
    while begin := UU_BEGIN.search(text, at):
        end = UU_END.search(text, begin.end())
        first = text[begin.end() : begin.end() + 1]
        if end is None:
            return
        at = end.end()
        if first and 32 < ord(first) <= 96:
            yield begin, end.start()
