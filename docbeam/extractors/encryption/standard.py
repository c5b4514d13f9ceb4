"""Standard encryption of Office 2007: AES without chaining, the key by 50 000 rounds of SHA-1.

Source: [MS-OFFCRYPTO] 2.3.4.5 (EncryptionInfo), 2.3.4.7 (key), 2.3.4.9 (verifier).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

from docbeam.extractors.encryption.aes import KEY_BYTES, ecb_plain
from docbeam.extractors.encryption.rounds import hardened
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

ROUNDS = 50_000
AES_IDS = (0x660E, 0x660F, 0x6610)
SHA1_IDS = (0, 0x8004)


def read_standard(info: bytes) -> tuple[str, Callable[[str], Callable[[int, bytes], bytes] | None]]:
    """Return the scheme in words, and what opens segments by a password. `info` begins with the flags.

    Raises: ExtractionError CORRUPT, or ENCRYPTED_NO_KEY for another algorithm.
    """
    header_bytes = struct.unpack_from("<I", info, 4)[0] if len(info) >= 8 else 0
    at = 8 + header_bytes
    if header_bytes < 32 or at + 40 + 32 > len(info):
        raise ExtractionError(ErrorCategory.CORRUPT, "EncryptionInfo: the header or the verifier is cut")
    algorithm, digest, key_bits = struct.unpack_from("<III", info, 16)
    if algorithm not in AES_IDS or digest not in SHA1_IDS or key_bits // 8 not in KEY_BYTES:
        message = f"EncryptionInfo: algorithm {algorithm:#x} with {digest:#x} and {key_bits} bits is not supported"
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, message)
    salt, verifier, verifier_hash = info[at + 4 : at + 20], info[at + 20 : at + 36], info[at + 40 : at + 72]

    def key_of(password: str) -> Callable[[int, bytes], bytes] | None:
        key = _key(salt, password, key_bits // 8)
        expected = hashlib.sha1(ecb_plain(key, verifier), usedforsecurity=False).digest()
        if ecb_plain(key, verifier_hash)[: len(expected)] != expected:
            return None
        return lambda _, data: ecb_plain(key, data)

    return f"standard, AES {key_bits} bits, SHA-1", key_of


def _key(salt: bytes, password: str, size: int) -> bytes:
    found = hashlib.sha1(hardened("sha1", salt, password, ROUNDS) + bytes(4), usedforsecurity=False).digest()
    halves = []
    for fill in (0x36, 0x5C):
        mixed = bytes(byte ^ fill for byte in found.ljust(64, b"\0"))
        halves.append(hashlib.sha1(mixed, usedforsecurity=False).digest())
    return b"".join(halves)[:size]
