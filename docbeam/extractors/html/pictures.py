"""Pictures that a page holds itself, in data: addresses: numbered before the parser sees them, and taken out again as bytes.

Source: RFC 2397 (data URLs); HTML Standard, 4.8.3 (img); the line ends in them that mail programs make are none.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.picture_size import HEAD_BYTES, header_size
from docbeam.extractors.pictures import is_icon
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

LEAST_CHARS = 300  # of data; a shorter picture has no room for words
PICTURE = re.compile(
    r"data:image/([a-z0-9.+-]{1,40})((?:;[^;,\"'<>\s]{1,60}){0,4}),"
    r"([A-Za-z0-9+/_%.~-]{40,}(?:\r?\n[ \t]*[A-Za-z0-9+/_%-]+(?==*[\r\n\"']))*={0,2})",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"\s*data:image/[a-z0-9.+-]{1,40};docbeam=([0-9]{1,9}),\s*", re.IGNORECASE)
NAME = re.compile(r"picture ([0-9]{1,9})")
PLAIN_PIXELS = re.compile(r"\s*([0-9]{1,5})\s*(?:px)?\s*")
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class InlinePictures:
    """The pictures of one page, in the order of its source; `size_of` has those whose header tells it."""

    sizes: list[tuple[int, int] | None] = field(default_factory=list)
    _seen: dict[int, int] = field(default_factory=dict)  # number of the first picture with this data

    def numbered(self, markup: str) -> str:
        """Return a page with a number in the place of each picture's data."""
        if "data:image/" not in markup and "data:IMAGE/" not in markup:
            return markup
        return PICTURE.sub(self._number, markup)

    def anchor(self, address: str, shown: tuple[str | None, str | None], out: TextBuilder) -> str:
        """Hand out the picture that a numbered address means; return its anchor. `shown` are the width and height given."""
        found = NUMBERED.fullmatch(address)
        number = int(found[1]) if found else len(self.sizes)
        if number >= len(self.sizes) or is_icon(*map(_pixels, shown)):
            return ""
        width, height = self.sizes[number] or (None, None)
        return out.picture(f"picture {number + 1}", width=width, height=height)

    def _number(self, found: re.Match[str]) -> str:
        if len(found[3]) < LEAST_CHARS:
            return found[0]
        key = hash(found[3])
        number = self._seen.setdefault(key, len(self.sizes))
        if number == len(self.sizes):
            self.sizes.append(_size(found))
        return f"data:image/{found[1]};docbeam={number},"


def _size(found: re.Match[str]) -> tuple[int, int] | None:
    """Return the size that a picture's header tells; nothing for a drawing (SVG) that writes no words."""
    if "svg" in found[1].lower():
        return None if b"<text" in _decoded(found[3], found[2]) else (0, 0)
    return header_size(_decoded(found[3][: HEAD_BYTES * 4 // 3 // 4 * 4], found[2]))


def inline_picture(markup: str, part: str) -> bytes:
    """Return the bytes of the picture that `part` names. Raises: ExtractionError CORRUPT."""
    named = NAME.fullmatch(part)
    wanted = int(named[1]) if named else 0
    for number, (parameters, payload) in enumerate(_different(markup), 1):
        if number == wanted:
            return _decoded(payload, parameters)
    raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not in the page")


def _different(markup: str) -> Iterator[tuple[str, str]]:
    seen: set[int] = set()
    for found in PICTURE.finditer(markup):
        if len(found[3]) >= LEAST_CHARS and (key := hash(found[3])) not in seen:
            seen.add(key)
            yield found[2], found[3]


def _decoded(payload: str, parameters: str) -> bytes:
    data = unquote_to_bytes(_SPACE.sub("", payload))
    if "base64" not in parameters.lower():
        return data
    data = data.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    try:
        return base64.b64decode(data[: len(data) // 4 * 4 + (len(data) % 4 if len(data) % 4 > 1 else 0)] + b"==")
    except binascii.Error:
        return b""


def _pixels(value: str | None) -> int | None:
    found = PLAIN_PIXELS.fullmatch(value or "")
    return int(found[1]) if found else None
