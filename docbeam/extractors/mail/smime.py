"""S/MIME wrappers: the content of signed data is taken out; that of enveloped data is encrypted.

Source: RFC 5652, 3 to 6 (CMS); RFC 3274 (compressed data); ITU-T X.690 (BER).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

OID = 0x06
OCTETS = 0x04
SIGNED = bytes.fromhex("2a864886f70d010702")
ENVELOPED = bytes.fromhex("2a864886f70d010703")
COMPRESSED = bytes.fromhex("2a864886f70d0109100109")
MAX_DEPTH = 30
MAX_VALUES = 100_000


def wrapped_content(data: bytes, limit_bytes: int) -> tuple[str, bytes]:
    """Return the kind of a CMS object (signed, enveloped, compressed or unknown) and the content that is readable in it."""
    kinds = {SIGNED: "signed", ENVELOPED: "enveloped", COMPRESSED: "compressed"}
    kind, parts, size = "unknown", list[bytes](), 0
    for count, (tag, value) in enumerate(_values(data)):
        if tag == OID and kind == "unknown":
            kind = kinds.get(value, "unknown")
        elif tag == OID and parts:
            break  # behind the content: certificates
        elif tag == OCTETS and kind in ("signed", "compressed"):
            parts.append(value)
            size += len(value)
        if count > MAX_VALUES or size > limit_bytes:
            break
    content = b"".join(parts)
    if kind == "compressed":
        try:
            content = zlib.decompressobj().decompress(content, limit_bytes)
        except zlib.error:
            content = b""
    return kind, content


def _values(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the primitive values of BER data in order, with their tags; broken data ends the walk."""
    at, ends = 0, [len(data)]
    while at + 2 <= len(data):
        while ends and ends[-1] >= 0 and at >= ends[-1]:
            ends.pop()
        tag, length = data[at], data[at + 1]
        at += 2
        if tag == 0 and length == 0:
            if ends and ends[-1] < 0:
                ends.pop()
            continue
        if length > 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[at : at + count], "big")
            at += count
            if count > 8 or at > len(data):
                return
        elif length == 0x80:
            length = -1
        if tag & 0x1F == 0x1F or len(ends) > MAX_DEPTH:
            return
        if tag & 0x20:
            ends.append(at + length if length >= 0 else -1)
        elif length < 0:
            return
        else:
            yield tag, data[at : at + length]
            at += length
