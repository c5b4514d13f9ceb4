"""The size of a picture by its first bytes: nothing is decoded, and nothing but this module is loaded for it.

Source: PNG 3rd edition 11.2.1, GIF89a 18, [MS-WMF] 2.2.2.3 (BMP), ITU-T T.81 B.2.2 (JPEG frames).
"""

from __future__ import annotations

import io
import struct

HEAD_BYTES = 3_000  # in which a JPEG without a preview has its frame


def header_size(head: bytes) -> tuple[int, int] | None:
    """Return width and height by the first bytes of a PNG, GIF, BMP or JPEG, None where they don't tell; nothing is decoded."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return struct.unpack_from(">II", head, 16)
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return struct.unpack_from("<HH", head, 6)
    if head.startswith(b"BM") and len(head) >= 26:
        is_core = struct.unpack_from("<I", head, 14)[0] == 12
        width, height = struct.unpack_from("<HH" if is_core else "<ii", head, 18)
        return abs(width), abs(height)
    return _jpeg_size(head) if head.startswith(b"\xff\xd8\xff") else None


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    file = io.BytesIO(head)
    file.seek(2)
    while len(mark := file.read(4)) == 4 and mark[0] == 0xFF:
        length = struct.unpack(">H", mark[2:])[0]
        if mark[1] in range(0xC0, 0xD0) and mark[1] not in (0xC4, 0xC8, 0xCC):
            frame = file.read(5)
            return (*struct.unpack(">H", frame[3:5]), *struct.unpack(">H", frame[1:3])) if len(frame) == 5 else None
        file.seek(max(length - 2, 0), io.SEEK_CUR)
    return None
