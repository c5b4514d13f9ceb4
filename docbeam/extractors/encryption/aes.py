"""AES in the modes that documents use, over the `cryptography` package. Data is cut to whole blocks."""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

BLOCK_BYTES = 16
KEY_BYTES = (16, 24, 32)


def ecb_plain(key: bytes, data: bytes) -> bytes:
    """Return data in plain, each block for itself. Raises: ValueError for a key of a wrong length."""
    return _plain(AES(key), modes.ECB(), data)


def cbc_plain(key: bytes, start: bytes, data: bytes) -> bytes:
    """Return data in plain, each block mixed with the one before. Raises: ValueError for a wrong length of key or start."""
    return _plain(AES(key), modes.CBC(start), data)


def ecb_mixed(key: bytes, data: bytes) -> bytes:
    """Return data encrypted, each block for itself: the key stream of counted blocks."""
    encryptor = Cipher(AES(key), modes.ECB()).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _plain(algorithm: AES, mode: modes.ECB | modes.CBC, data: bytes) -> bytes:
    decryptor = Cipher(algorithm, mode).decryptor()
    return decryptor.update(data[: len(data) // BLOCK_BYTES * BLOCK_BYTES]) + decryptor.finalize()
