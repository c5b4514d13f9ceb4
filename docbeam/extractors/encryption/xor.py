"""The XOR obfuscation of Excel and Word 95, which later versions still open: 16 bytes from the password and a key of 16 bits.

Source: [MS-OFFCRYPTO] 2.3.7 (methods 1 and 2).
"""

from __future__ import annotations

import struct

FILL = bytes.fromhex("bbffffbaffffb98000be0f00bf0f00")  # behind a password of less than 16 characters
MAX_CHARS = 15
POLYNOMIAL = 0x1020


def excel_key(key: int, verifier: int, password: str) -> bytes | None:
    """Return the 16 bytes of method 1, or None if the password does not fit the key and the verifier of the file."""
    letters = _letters(password)
    is_fit = letters and (_key(letters), _verifier(letters)) == (key, verifier)
    return _turned(letters, key, 2) if is_fit else None


def excel_plain(data: bytes, at: int, record_bytes: int, key: bytes) -> bytes:
    """Return part of a record in plain; `at` is its place in the stream, `record_bytes` the size of the whole record."""
    start = at + record_bytes
    return bytes(_left(byte, 3) ^ key[(start + place) % 16] for place, byte in enumerate(data))


def word_key(both: int, password: str) -> bytes | None:
    """Return the 16 bytes of method 2, or None if the password does not fit; key and verifier are in one number."""
    letters = _letters(password)
    is_fit = letters and (_key(letters) << 16 | _verifier(letters)) == both
    return _turned(letters, both >> 16, 7) if is_fit else None


def word_plain(data: bytes, at: int, key: bytes) -> bytes:
    """Return part of a stream in plain; bytes that are 0, or would become so, were left as they are."""
    found = bytearray(data)
    for place, byte in enumerate(data):
        hidden = key[(at + place) % 16]
        if byte and byte != hidden:
            found[place] = byte ^ hidden
    return bytes(found)


def _letters(password: str) -> bytes:
    """Return a password as bytes: of each character the lower one, unless that is 0."""
    wide = password.encode("utf-16-le", "surrogatepass")[: 2 * MAX_CHARS]
    return bytes(low or high for low, high in zip(wide[::2], wide[1::2], strict=True))


def _turned(letters: bytes, key: int, distance: int) -> bytes:
    """Return the password, filled up, mixed with the key's two bytes in turn, each byte turned left."""
    halves = struct.pack("<H", key)
    return bytes(_left(byte ^ halves[place % 2], distance) for place, byte in enumerate((letters + FILL)[:16]))


def _left(byte: int, distance: int) -> int:
    return (byte << distance | byte >> 8 - distance) & 0xFF


def _key(letters: bytes) -> int:
    """Return the key of 16 bits: a cyclic sum over the bits of the password, from its end."""
    found, base, end = 0, 0x8000, 0xFFFF
    for letter in reversed(letters):
        for bit in range(8):
            base = _step(base)
            if (letter & 0x7F) >> bit & 1:
                found ^= base
            end = _step(end)
    return found ^ end


def _step(value: int) -> int:
    value = (value << 1 | value >> 15) & 0xFFFF
    return value ^ POLYNOMIAL if value & 1 else value


def _verifier(letters: bytes) -> int:
    """Return the verifier of 16 bits, which worksheets' protection uses too."""
    found = 0
    for byte in reversed(bytes([len(letters)]) + letters):
        found = (found >> 14 & 1 | found << 1 & 0x7FFF) ^ byte
    return found ^ 0xCE4B
