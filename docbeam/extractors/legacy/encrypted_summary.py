"""The stream in which encrypted presentations and documents keep their properties, and a copy of the streams in it.

Source: [MS-OFFCRYPTO] 2.3.5.4 (encrypted summary stream).
"""

from __future__ import annotations

import struct

from docbeam.extractors.encryption.rc4 import Key, Rc4, mixed_with

MAX_STREAMS = 20
MAX_STREAM_BYTES = 1 << 20
_ENTRY = struct.Struct("<IIHBB4x")


def summary_streams(data: bytes, key: Key) -> dict[str, bytes]:
    """Return the streams in plain by their names in lower case; a broken list has fewer."""
    if len(data) < 8:
        return {}
    at, size = struct.unpack("<II", _plain(data[:8], key, 0))
    table = _plain(data[at : at + min(size, MAX_STREAM_BYTES)], key, 0)
    count = struct.unpack_from("<I", table)[0] if len(table) >= 4 else 0
    found, place = {}, 4
    for _ in range(min(count, MAX_STREAMS)):
        if place + _ENTRY.size > len(table):
            break
        start, length, block, letters, _ = _ENTRY.unpack_from(table, place)
        place += _ENTRY.size
        name = table[place : place + 2 * letters].decode("utf-16-le", "replace").lower()
        place += 2 * letters + 2
        found[name] = _plain(data[start : start + min(length, MAX_STREAM_BYTES)], key, block)
    return found


def _plain(data: bytes, key: Key, block: int) -> bytes:
    return mixed_with(data, Rc4(key(block)).stream(len(data)))
