"""OpenDocument encrypted as a whole: a package in which one part is the real package, under Argon2id and AES-GCM.

LibreOffice 24.8 and later can write it. Source: ODF 1.4 part 2, LibreOffice's namespace `loext` for what 1.3 lacks; RFC 9106
(Argon2); XML Encryption 1.1, 5.2.4 (AES-GCM: the start before the data, the seal behind it).
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from docbeam.extractors.encryption.aes import KEY_BYTES
from docbeam.extractors.unpacking import RAW_DEFLATE
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

PART = "encrypted-package"
START_BYTES = 12
START_DIGESTS = ("sha1", "sha256", "sha512")
MAX_MEMORY_KIB, MAX_ROUNDS, MAX_LANES = 1 << 19, 50, 32  # of Argon2; 64 MiB, 3 and 4 are usual


@dataclass(frozen=True, slots=True, repr=False)
class WholeLock:
    """How the part is encrypted. Raises: ExtractionError(LIMIT_EXCEEDED) past what an honest document asks for."""

    start: bytes
    salt: bytes
    rounds: int
    memory_kib: int
    lanes: int
    key_bytes: int
    start_digest: str

    def __post_init__(self) -> None:
        if self.rounds > MAX_ROUNDS or self.memory_kib > MAX_MEMORY_KIB or self.lanes > MAX_LANES:
            asked = f"{self.rounds} rounds, {self.memory_kib} KiB, {self.lanes} lanes"
            limits = f"{MAX_ROUNDS}, {MAX_MEMORY_KIB}, {MAX_LANES}"
            raise ExtractionError(ErrorCategory.LIMIT_EXCEEDED, f"Argon2id asks for {asked}; the limits are {limits}")
        if self.key_bytes not in KEY_BYTES or self.start_digest not in START_DIGESTS:
            message = f"a key of {self.key_bytes} bytes from {self.start_digest[:40]!r} is not supported"
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, message)

    def plain(self, password: str, data: bytes) -> bytes | None:
        """Return the real package, or None if the password does not fit: the seal tells."""
        first = hashlib.new(self.start_digest, password.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
        lanes, memory = max(self.lanes, 1), max(self.memory_kib, 8 * max(self.lanes, 1))
        derivation = Argon2id(
            salt=self.salt, length=self.key_bytes, iterations=max(self.rounds, 1), lanes=lanes, memory_cost=memory
        )
        start, sealed = (data[:START_BYTES], data[START_BYTES:]) if data.startswith(self.start) else (self.start, data)
        try:
            return AESGCM(derivation.derive(first)).decrypt(start, sealed, None)
        except InvalidTag:
            return None


def package_of(plain: bytes, limit_bytes: int) -> bytes:
    """Return the real package, unpacked if it was deflated. Raises: ExtractionError(TOO_LARGE_DECOMPRESSED)."""
    if plain.startswith(b"PK"):
        return plain
    found = zlib.decompressobj(RAW_DEFLATE).decompress(plain, limit_bytes + 1)
    if len(found) > limit_bytes:
        raise ExtractionError(
            ErrorCategory.TOO_LARGE_DECOMPRESSED, f"the package unpacks past the limit of {limit_bytes} bytes"
        )
    return found
