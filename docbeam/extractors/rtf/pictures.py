r"""Pictures (\\pict): handed out by the place of their group in the file, and taken out of it again as bytes.

Source: RTF 1.9.1, "Pictures"; [MS-WMF] and [MS-EMF] for what most of them are.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from typing import TYPE_CHECKING

from docbeam.extractors.package_pictures import MAX_METAFILE_BYTES, metafile_lines_of
from docbeam.extractors.rtf.tokens import group_end
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

HEAD_BYTES = 4_000  # in which the control words of a picture stand
NAME = re.compile(r"picture [0-9]{1,9} at byte ([0-9]{1,12})")
_METAFILE = re.compile(rb"\\(?:emfblip|wmetafile)")
_BITMAP = re.compile(rb"\\dibitmap")
_TOKEN = re.compile(rb"\\bin([0-9]{1,10}) ?|\\[a-zA-Z]{1,40}-?[0-9]* ?|\\.|([{}])", re.DOTALL)
_NO_HEX = re.compile(rb"[^0-9a-fA-F]+")


def picture_lines(document: RtfDocument, end: int) -> list[str]:
    """Hand out the picture whose group ends at `end`, the first time; return the lines that stand in its place."""
    data, start = document.data, document.at
    key = hashlib.sha256(memoryview(data)[start:end]).digest()
    document.pictures += 1
    if key in document.pictures_seen:
        return []
    document.pictures_seen.add(key)
    name = f"picture {document.pictures} at byte {start}"
    if _METAFILE.search(data, start, min(end, start + HEAD_BYTES)) and end - start <= 2 * MAX_METAFILE_BYTES:
        return metafile_lines_of(picture_bytes(data, start), name, document.out)
    return list(filter(None, [document.out.picture(name)]))


def named_picture(data: bytes, part: str) -> bytes:
    """Return the bytes of the picture that `part` names. Raises: ExtractionError CORRUPT."""
    named = NAME.fullmatch(part)
    start = int(named[1]) if named else len(data)
    if start >= len(data):
        raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: the document has {len(data)} bytes")
    return picture_bytes(data, start)


def picture_bytes(data: bytes, start: int) -> bytes:
    """Return what the group of a picture that begins at `start` holds, in hex or after \\bin; a bare bitmap gets its header."""
    from docbeam.extractors.image.metafile import bitmap_file  # late: Pillow costs more than most documents

    end = group_end(data, start)
    found, pieces, at = b"", list[bytes](), start
    while (token := _TOKEN.search(data, at, end)) is not None:
        pieces.append(data[at : token.start()])
        at = token.end()
        if token[1] is not None:
            found = data[at : min(at + int(token[1]), end)]
            at = min(at + int(token[1]), end)
        elif token[2] == b"{":
            at = min(group_end(data, at) + 1, end)
    if not found:
        digits = _NO_HEX.sub(b"", b"".join((*pieces, data[at:end])))
        found = binascii.unhexlify(digits[: len(digits) // 2 * 2])
    return bitmap_file(found) or found if _BITMAP.search(data, start, min(end, start + HEAD_BYTES)) else found
