"""A ZIP file made of parts whose data may be deflated already: nothing is compressed anew.

Source: PKWARE APPNOTE 6.3.10, 4.3.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from docbeam.extractors.unpacking import BROKEN, RAW_DEFLATE, Inflate, unpacked
from docbeam.extractors.zip_directory import CENTRAL, END, LOCAL
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

STORED, DEFLATED = 0, 8
UTF8 = 0x800
MAX_ENTRIES = 0xFFFF  # more need ZIP64


class Part(NamedTuple):
    """One entry: its name as it is stored, its method, its data as it is stored."""

    raw_name: bytes
    method: int
    data: bytes


def zip_of(parts: Iterable[Part], limit_bytes: int) -> bytes:
    """Return the file. Raises: ExtractionError TOO_LARGE_DECOMPRESSED if its parts unpack past the limit."""
    out, directory, count, left = io.BytesIO(), bytearray(), 0, limit_bytes
    for part in parts:
        crc, size = _measured(part, left)
        left -= size
        count += 1
        if left < 0 or count > MAX_ENTRIES:
            raise ExtractionError(
                ErrorCategory.TOO_LARGE_DECOMPRESSED, f"the package unpacks past the limit of {limit_bytes} bytes"
            )
        fields = struct.pack("<HHHHIII", UTF8, part.method, 0, 0, crc, len(part.data), size)
        lengths = struct.pack("<HH", len(part.raw_name), 0)
        directory += CENTRAL + struct.pack("<HH", 20, 20) + fields + lengths
        directory += struct.pack("<HHHII", 0, 0, 0, 0, out.tell()) + part.raw_name
        out.write(LOCAL + struct.pack("<H", 20) + fields + lengths + part.raw_name)
        out.write(part.data)
    start = out.tell()
    out.write(directory)
    out.write(END + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), start, 0))
    return out.getvalue()


def _measured(part: Part, left: int) -> tuple[int, int]:
    """Return the checksum and the size of a part's unpacked data; of a broken part, as far as it can be unpacked."""
    if part.method == STORED:
        return zlib.crc32(part.data), len(part.data)
    crc = size = 0
    read = io.BytesIO(part.data).read
    try:
        for chunk in unpacked(Inflate(RAW_DEFLATE), read):
            crc = zlib.crc32(chunk, crc)
            size += len(chunk)
            if size > left:
                break
    except BROKEN:  # whoever reads the part says so
        pass
    return crc, size
