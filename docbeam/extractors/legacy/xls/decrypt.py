"""Workbooks under the password that Excel itself uses to protect a structure: anyone may read them, and Excel asks no one.

Source: [MS-XLS] 2.2.10 (encryption, which records and bytes are not), 2.4.117 (FilePass); [MS-OFFCRYPTO] 2.3.5.2 and 2.3.6.2
(keys of RC4), 2.3.7 (XOR obfuscation, which is not undone).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from typing import Any

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.legacy.xls.records import records

DEFAULT_PASSWORD = "VelvetSweatshop".encode("utf-16-le")
BLOCK_BYTES = 1_024  # each has a key of its own
_RC4, _STANDARD, _CRYPTO_API = 1, (1, 1), ((2, 2), (3, 2), (4, 2))
_PLAIN = (0x809, 0x2F, 0xE1, 0xE2, 0x194, 0x195, 0x138)  # records that are not encrypted
_BOUND_SHEET = 0x85
Key = Callable[[int], bytes]


def decrypted(data: bytes, file_pass: bytes, out: TextBuilder) -> bytes | None:
    """Return a workbook stream that the default password opens in plain, or None if it doesn't. Raises Full."""
    key = _key(file_pass)
    if key is None:
        return None
    stream = bytearray(data)
    block, hidden = -1, b""
    for record in records(data):
        start = record.end - len(record.data)
        at = start + 4 if record.kind == _BOUND_SHEET else start
        while record.kind not in _PLAIN and at < record.end:
            if at // BLOCK_BYTES != block:
                out.check_deadline()
                block = at // BLOCK_BYTES
                hidden = rc4(key(block), BLOCK_BYTES)
            end = min(record.end, (block + 1) * BLOCK_BYTES)
            low = at - block * BLOCK_BYTES
            stream[at:end] = _mixed(data[at:end], hidden[low : low + end - at])
            at = end
    return bytes(stream)


def rc4(key: bytes, count: int) -> bytes:
    """Return the first bytes of RC4's key stream."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 0xFF
        state[i], state[j] = state[j], state[i]
    found = bytearray()
    i = j = 0
    for _ in range(count):
        i = (i + 1) & 0xFF
        j = (j + state[i]) & 0xFF
        state[i], state[j] = state[j], state[i]
        found.append(state[(state[i] + state[j]) & 0xFF])
    return bytes(found)


def _key(file_pass: bytes) -> Key | None:
    """Return the keys of blocks by the default password, or None if it is not the password."""
    if len(file_pass) < 54 or struct.unpack_from("<H", file_pass)[0] != _RC4:
        return None
    version = struct.unpack_from("<HH", file_pass, 2)
    if version == _STANDARD:
        salt, verifier, verifier_hash = file_pass[6:22], file_pass[22:38], file_pass[38:54]
        return _checked(_standard_key(salt), verifier + verifier_hash, hashlib.md5)
    header_bytes = struct.unpack_from("<I", file_pass, 10)[0]
    at = 14 + header_bytes
    if version not in _CRYPTO_API or header_bytes < 32 or at + 60 > len(file_pass):
        return None
    key_bits = struct.unpack_from("<I", file_pass, 14 + 16)[0] or 40
    salt = file_pass[at + 4 : at + 20]
    mixed = file_pass[at + 20 : at + 36] + file_pass[at + 40 : at + 60]
    return _checked(_crypto_api_key(salt, key_bits), mixed, hashlib.sha1)


def _standard_key(salt: bytes) -> Key:
    first = hashlib.md5(DEFAULT_PASSWORD, usedforsecurity=False).digest()[:5]
    second = hashlib.md5((first + salt) * 16, usedforsecurity=False).digest()[:5]
    return lambda block: hashlib.md5(second + struct.pack("<I", block), usedforsecurity=False).digest()


def _crypto_api_key(salt: bytes, key_bits: int) -> Key:
    first = hashlib.sha1(salt + DEFAULT_PASSWORD, usedforsecurity=False).digest()
    size = min(key_bits // 8, 16)

    def key(block: int) -> bytes:
        found = hashlib.sha1(first + struct.pack("<I", block), usedforsecurity=False).digest()[:size]
        return found.ljust(16, b"\0") if size == 5 else found

    return key


def _checked(key: Key, mixed: bytes, digest: Callable[..., Any]) -> Key | None:
    """Return the key if it opens the verifier, whose hash follows it."""
    plain = _mixed(mixed, rc4(key(0), len(mixed)))
    expected = digest(plain[:16], usedforsecurity=False).digest()
    return key if plain[16 : 16 + len(expected)] == expected else None


def _mixed(data: bytes, hidden: bytes) -> bytes:
    size = len(data)
    return (int.from_bytes(data, "little") ^ int.from_bytes(hidden[:size], "little")).to_bytes(size, "little")
