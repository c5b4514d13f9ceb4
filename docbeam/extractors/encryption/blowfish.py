"""Blowfish with cipher feedback, as OpenOffice.org wrote until version 3.3. Over the `cryptography` package."""

from __future__ import annotations

from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.primitives.ciphers import Cipher, modes

BLOCK_BYTES = 8


def cfb_plain(key: bytes, start: bytes, data: bytes) -> bytes:
    """Return data in plain: each block is mixed with the encryption of the one before. Raises: ValueError for a wrong key."""
    before = start[:BLOCK_BYTES].ljust(BLOCK_BYTES, b"\0") + data
    whole = -(-len(data) // BLOCK_BYTES) * BLOCK_BYTES
    encryptor = Cipher(Blowfish(key), modes.ECB()).encryptor()
    hidden = (encryptor.update(before[:whole]) + encryptor.finalize())[: len(data)]
    return (int.from_bytes(data, "little") ^ int.from_bytes(hidden, "little")).to_bytes(len(data), "little")
