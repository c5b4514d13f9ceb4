"""RC4 as Word, Excel and PowerPoint of 97 to 2003 use it: 40 bits by MD5, or up to 128 bits by SHA-1 (CryptoAPI).

Source: [MS-OFFCRYPTO] 2.3.5 (CryptoAPI RC4), 2.3.6 (RC4).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from typing import Any

STANDARD, CRYPTO_API = (1, 1), ((2, 2), (3, 2), (4, 2))
ALGORITHMS = (0, 0x6801)  # "by the flags", and RC4; all others are for the newer formats
Key = Callable[[int], bytes]  # the key of a block, by its number


def scheme_of(info: bytes) -> str | None:
    """Return what an encryption header says of itself, or None for a kind that is not known. `info` begins with the version."""
    version = _version(info)
    if version == STANDARD and len(info) >= 52:
        return "RC4, 40 bits"
    if version in CRYPTO_API and len(info) >= 44 and struct.unpack_from("<I", info, 20)[0] in ALGORITHMS:
        return f"RC4 (CryptoAPI), {_key_bits(info)} bits"
    return None


def key_by(info: bytes, password: str) -> Key | None:
    """Return the keys of blocks by a password, or None if it does not open the header's verifier."""
    words = password.encode("utf-16-le", "surrogatepass")
    if _version(info) == STANDARD:
        mixed = info[20:52]
        return _checked(_standard_key(words, info[4:20]), mixed, hashlib.md5) if len(info) >= 52 else None
    at = 12 + struct.unpack_from("<I", info, 8)[0] if len(info) >= 12 else 0
    if at < 44 or at + 60 > len(info):
        return None
    mixed = info[at + 20 : at + 36] + info[at + 40 : at + 60]
    return _checked(_crypto_api_key(words, info[at + 4 : at + 20], _key_bits(info)), mixed, hashlib.sha1)


class Rc4Stream:
    """Opens pieces of one stream, whose blocks have keys of their own. `check` is called once a block."""

    def __init__(self, key: Key, block_bytes: int, check: Callable[[], None]) -> None:
        self._key = key
        self._block_bytes = block_bytes
        self._check = check
        self._block = -1
        self._hidden = b""

    def plain(self, data: bytes, at: int) -> bytes:
        """Return data in plain; `at` is its place in the stream."""
        parts, place = [], 0
        while place < len(data):
            block, low = divmod(at + place, self._block_bytes)
            if block != self._block:
                self._check()
                self._block, self._hidden = block, Rc4(self._key(block)).stream(self._block_bytes)
            part = data[place : place + self._block_bytes - low]
            parts.append(mixed_with(part, self._hidden[low : low + len(part)]))
            place += len(part)
        return b"".join(parts)


class Rc4:
    """RC4's key stream, taken piece by piece."""

    def __init__(self, key: bytes) -> None:
        state = list(range(256))
        j = 0
        for i in range(256):
            j = (j + state[i] + key[i % len(key)]) & 0xFF
            state[i], state[j] = state[j], state[i]
        self._state, self._i, self._j = state, 0, 0

    def stream(self, count: int) -> bytes:
        """Return the next bytes."""
        state, i, j = self._state, self._i, self._j
        found = bytearray()
        for _ in range(count):
            i = (i + 1) & 0xFF
            a = state[i]
            j = (j + a) & 0xFF
            state[i] = b = state[j]
            state[j] = a
            found.append(state[(a + b) & 0xFF])
        self._i, self._j = i, j
        return bytes(found)


def mixed_with(data: bytes, hidden: bytes) -> bytes:
    """Return data with a key stream of its length added (exclusive or)."""
    return (int.from_bytes(data, "little") ^ int.from_bytes(hidden, "little")).to_bytes(len(data), "little")


def _version(info: bytes) -> tuple[int, int]:
    return struct.unpack_from("<HH", info) if len(info) >= 4 else (0, 0)


def _key_bits(info: bytes) -> int:
    bits = struct.unpack_from("<I", info, 28)[0] if len(info) >= 32 else 0
    return min(bits or 40, 128)


def _standard_key(words: bytes, salt: bytes) -> Key:
    first = hashlib.md5(words, usedforsecurity=False).digest()[:5]
    second = hashlib.md5((first + salt) * 16, usedforsecurity=False).digest()[:5]
    return lambda block: hashlib.md5(second + struct.pack("<I", block), usedforsecurity=False).digest()


def _crypto_api_key(words: bytes, salt: bytes, key_bits: int) -> Key:
    first = hashlib.sha1(salt + words, usedforsecurity=False).digest()
    size = max(key_bits // 8, 5)

    def key(block: int) -> bytes:
        found = hashlib.sha1(first + struct.pack("<I", block), usedforsecurity=False).digest()[:size]
        return found.ljust(16, b"\0") if size == 5 else found

    return key


def _checked(key: Key, mixed: bytes, digest: Callable[..., Any]) -> Key | None:
    """Return the key if it opens the verifier, whose hash follows it."""
    plain = mixed_with(mixed, Rc4(key(0)).stream(len(mixed)))
    expected = digest(plain[:16], usedforsecurity=False).digest()
    return key if plain[16 : 16 + len(expected)] == expected else None
