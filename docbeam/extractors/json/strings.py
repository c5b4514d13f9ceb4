"""JSON strings made readable: escapes of letters, line ends and tabs are resolved; what JSON needs to be JSON stays.

A quote and a backslash stay escaped, so that `json.loads(text, strict=False)` still reads what is valid. Half of a surrogate
pair and control characters, which text can't have, stay as they are written. Source: RFC 8259, 7 and 8.2.
"""

from __future__ import annotations

import re

STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|r\\n|([nrt/\\]))")
SIMPLE = {"n": "\n", "r": "\n", "t": "\t", "/": "/", "\\": "\\\\"}
MIN_BASE64_CHARS = 400  # in one string: a file, no text
BASE64 = re.compile(r'"(?:data:[^",]{0,200},)?([A-Za-z0-9+/_-]{400,}={0,2})"')
LEFT_OUT = '"…"'


def readable(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with its strings made readable, and where (character) how much base64 was left out of it."""
    if "\\" not in text and len(text) < MIN_BASE64_CHARS:
        return text, []
    parts: list[str] = []
    files: list[tuple[int, int]] = []
    at = 0
    for match in STRING.finditer(text):
        string = match[0]
        if len(string) > MIN_BASE64_CHARS and is_base64(string):
            files.append((match.start(), len(string) - 2))
            string = LEFT_OUT
        elif "\\" in string:
            string = ESCAPE.sub(_resolved, string)
        else:
            continue
        parts += (text[at : match.start()], string)
        at = match.end()
    parts.append(text[at:])
    return "".join(parts), files


def is_base64(string: str) -> bool:
    """Say whether a quoted string is a file in base64: all of it, with letters of both cases and digits."""
    found = BASE64.fullmatch(string.replace("\\/", "/").replace("\\n", "").replace("\\r", ""))
    if found is None:
        return False
    sample = found[1][:2000]  # a protein or a gene has letters of one case only
    return bool(re.search("[a-z]", sample) and re.search("[A-Z]", sample) and re.search("[0-9]", sample))


def _resolved(match: re.Match[str]) -> str:
    high, low, code, simple = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    if code:
        return _character(int(code, 16), match[0])
    return SIMPLE[simple] if simple else "\n"


def _character(code: int, written: str) -> str:
    if code in (0x0A, 0x0D):
        return "\n"
    if code == 0x09:
        return "\t"
    if code in (0x22, 0x5C):
        return "\\" + chr(code)
    is_text = code >= 0x20 and not 0x7F <= code < 0xA0 and not 0xD800 <= code < 0xE000 and code < 0xFFFE
    return chr(code) if is_text else written
