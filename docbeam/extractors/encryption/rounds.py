"""A password made costly to guess, as Office does: a digest of a digest, thousands of times.

Source: [MS-OFFCRYPTO] 2.3.4.7, 2.3.4.11.
"""

from __future__ import annotations

import hashlib
import struct

MAX_ROUNDS = 10_000_000  # by the specification; 100 000 are usual, and take a tenth of a second


def hardened(digest: str, salt: bytes, password: str, rounds: int) -> bytes:
    """Return the digest of salt and password, digested again in counted rounds."""
    make = getattr(hashlib, digest)
    found: bytes = make(salt + password.encode("utf-16-le", "surrogatepass"), usedforsecurity=False).digest()
    count = struct.Struct("<I").pack
    for number in range(rounds):
        found = make(count(number) + found).digest()
    return found
