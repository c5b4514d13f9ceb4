"""Agile encryption of Office 2010 and later: described in XML, AES in segments, the key by rounds of a digest.

Source: [MS-OFFCRYPTO] 2.3.4.10 (EncryptionInfo), 2.3.4.11 (keys), 2.3.4.12 (starts), 2.3.4.13 (verifier), 2.3.4.15 (segments).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from docbeam.extractors.encryption.aes import BLOCK_BYTES, KEY_BYTES, cbc_plain
from docbeam.extractors.encryption.rounds import MAX_ROUNDS, hardened
from docbeam.extractors.ooxml.xml import Element, parse_xml
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

KEY_DATA = "{http://schemas.microsoft.com/office/2006/encryption}keyData"
PASSWORD_KEY = "{http://schemas.microsoft.com/office/2006/keyEncryptor/password}encryptedKey"
PURPOSES = [bytes.fromhex(key) for key in ("fea7d2763b4b9e79", "d7aa0f6d3061344e", "146e0be7abacd0d6")]  # input, hash, key
DIGESTS = {"SHA1": "sha1", "SHA-1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512", "MD5": "md5"}
FILL = b"\x36"
MAX_VALUE_BYTES = 1_024  # of a salt or an encrypted key


@dataclass(frozen=True, slots=True, repr=False)
class _Cipher:
    """The parameters of one element: for the package, or for the key that opens it."""

    salt: bytes
    key_bytes: int
    digest: str

    def hashed(self, data: bytes) -> bytes:
        digest: bytes = getattr(hashlib, self.digest)(data, usedforsecurity=False).digest()
        return digest


def read_agile(xml: bytes) -> tuple[str, Callable[[str], Callable[[int, bytes], bytes] | None]]:
    """Return the scheme in words, and what opens segments by a password.

    Raises: ExtractionError CORRUPT, or ENCRYPTED_NO_KEY for another algorithm or a file that only a certificate opens.
    """
    try:
        root = parse_xml(xml)
    except etree.XMLSyntaxError as error:
        raise ExtractionError(ErrorCategory.CORRUPT, f"EncryptionInfo: not well-formed: {error.msg}") from error
    data = next(root.iter(KEY_DATA), None)
    key = next(root.iter(PASSWORD_KEY), None)
    if data is None:
        raise ExtractionError(ErrorCategory.CORRUPT, "EncryptionInfo: there is no keyData")
    if key is None:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "EncryptionInfo: only a certificate opens the document")
    package, lock = _cipher(data), _cipher(key)
    rounds = _number(key, "spinCount")
    if rounds > MAX_ROUNDS:
        raise ExtractionError(ErrorCategory.LIMIT_EXCEEDED, f"EncryptionInfo: {rounds} rounds, limit {MAX_ROUNDS}")
    values = [_bytes(key, f"encrypted{name}") for name in ("VerifierHashInput", "VerifierHashValue", "KeyValue")]

    def key_of(password: str) -> Callable[[int, bytes], bytes] | None:
        found = hardened(lock.digest, lock.salt, password, rounds)
        opened = [_unlocked(lock, found, purpose, value) for purpose, value in zip(PURPOSES, values, strict=True)]
        expected = lock.hashed(opened[0][: len(lock.salt)])
        if opened[1][: len(expected)] != expected:
            return None
        inner = opened[2][: package.key_bytes]
        return lambda number, segment: cbc_plain(inner, _start(package, struct.pack("<I", number)), segment)

    return f"agile, AES {8 * package.key_bytes} bits, {data.get('hashAlgorithm', '')[:10]}", key_of


def _cipher(element: Element) -> _Cipher:
    algorithm, chaining = element.get("cipherAlgorithm", ""), element.get("cipherChaining", "")
    digest = DIGESTS.get(element.get("hashAlgorithm", "").upper())
    key_bytes = _number(element, "keyBits") // 8
    is_known = digest is not None and key_bytes in KEY_BYTES and _number(element, "blockSize") == BLOCK_BYTES
    if algorithm != "AES" or chaining != "ChainingModeCBC" or not is_known:
        names = ("cipherAlgorithm", "cipherChaining", "hashAlgorithm", "keyBits")
        words = " ".join(element.get(name, "?")[:40] for name in names)
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"EncryptionInfo: {words} is not supported")
    return _Cipher(_bytes(element, "saltValue"), key_bytes, digest or "")


def _number(element: Element, name: str) -> int:
    value = element.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) <= 10):
        raise ExtractionError(ErrorCategory.CORRUPT, f"EncryptionInfo: {name} is no number")
    return int(value)


def _bytes(element: Element, name: str) -> bytes:
    try:
        data = base64.b64decode(element.get(name, ""), validate=False)
    except (binascii.Error, ValueError) as error:
        raise ExtractionError(ErrorCategory.CORRUPT, f"EncryptionInfo: {name} is not in Base64") from error
    if not 0 < len(data) <= MAX_VALUE_BYTES:
        raise ExtractionError(ErrorCategory.CORRUPT, f"EncryptionInfo: {name} has {len(data)} bytes")
    return data


def _unlocked(lock: _Cipher, found: bytes, purpose: bytes, value: bytes) -> bytes:
    key = lock.hashed(found + purpose)[: lock.key_bytes].ljust(lock.key_bytes, FILL)
    return cbc_plain(key, lock.salt[:BLOCK_BYTES].ljust(BLOCK_BYTES, FILL), value)


def _start(package: _Cipher, number: bytes) -> bytes:
    return package.hashed(package.salt + number)[:BLOCK_BYTES].ljust(BLOCK_BYTES, FILL)
