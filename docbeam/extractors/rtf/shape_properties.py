r"""The few properties of shapes and pictures that are words: `{\sp{\sn wzDescription}{\sv …}}`.

Source: RTF 1.9.1, "Drawing object properties"; [MS-ODRAW] 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docbeam.extractors.ooxml.graphics import alt_text

MAX_VALUE_BYTES = 8_000
MAX_PROPERTIES = 20  # of one shape or picture that are looked at
_WORDS = re.compile(
    rb"\{\\sn\s+(wzDescription|gtextUNICODE)\s*\}\s*\{\\sv\s?((?:[^{}\\]|\\.){0,%d})\}" % MAX_VALUE_BYTES, re.DOTALL
)
_ESCAPE = re.compile(r"\\u(-?\d{1,6}) ?(?:\\'[0-9a-fA-F]{2}|[^\\])?|\\'([0-9a-fA-F]{2})|\\([{}\\])|\\[a-z]+-?\d* ?")


def shape_words(data: bytes, start: int, end: int) -> Iterator[str]:
    """Yield the alternative texts and the WordArt of the properties between two places, each as a line."""
    for number, found in enumerate(_WORDS.finditer(data, start, end)):
        if number >= MAX_PROPERTIES:
            return
        text = _ESCAPE.sub(_character, found[2].decode("cp1252", "replace").replace("\r", "").replace("\n", ""))
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if line := alt_text(text) if found[1] == b"wzDescription" else " ".join(text.split()):
            yield line


def _character(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1]) & 0xFFFF)
    if escape[2]:
        return bytes.fromhex(escape[2]).decode("cp1252", "replace")
    return escape[3] or ""
