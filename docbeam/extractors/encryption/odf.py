"""OpenDocument under a password: each part of the package is encrypted for itself, and all are handed out in a plain package.

Source: ODF 1.3 part 2, 3.4.2 (decryption), 4.8 (manifest); ODF 1.1, 17.3 (Blowfish, SHA-1).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from docbeam.extractors.encryption.aes import BLOCK_BYTES, KEY_BYTES, cbc_plain
from docbeam.extractors.encryption.blowfish import cfb_plain
from docbeam.extractors.encryption.odf_whole import PART, WholeLock, package_of
from docbeam.extractors.encryption.passwords import Keys, Opened
from docbeam.extractors.encryption.plain_zip import DEFLATED, STORED, Part, zip_of
from docbeam.extractors.ooxml.xml import Element, local_name, parse_xml
from docbeam.extractors.source import Source
from docbeam.extractors.zip_reader import ZipReader
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

MANIFEST = "META-INF/manifest.xml"
WHAT = f"{MANIFEST} lists encrypted parts"
MAX_ROUNDS = 10_000_000  # of PBKDF2; 100 000 are usual, and take some 50 ms
MAX_VALUE_BYTES = 1_024  # of a salt, a start or a checksum
CHECKED_BYTES = 1_024  # of a part, which its checksum is over
CHECKSUMS = {"sha1-1k": "sha1", "sha1/1k": "sha1", "sha256-1k": "sha256"}
AES = {"aes128-cbc": 16, "aes192-cbc": 24, "aes256-cbc": 32}
BLOWFISH = ("blowfish", "blowfish cfb")


@dataclass(frozen=True, slots=True, repr=False)
class _Lock:
    """How one part is encrypted. `checksum` is over its beginning as it was before, deflated; it may be missing."""

    words: str
    start: bytes
    salt: bytes
    rounds: int
    key_bytes: int
    start_digest: str
    checksum_digest: str | None
    checksum: bytes

    def plain(self, key: bytes, data: bytes) -> bytes:
        """Return the part's data, deflated, perhaps with some padding behind."""
        return cfb_plain(key, self.start, data) if self.words == BLOWFISH[0] else cbc_plain(key, self.start, data)

    def is_plain(self, data: bytes) -> bool:
        """Say whether this is what the checksum was made over."""
        if self.checksum_digest is None:
            return _inflates(data)
        ends = [len(data), *([len(data) - data[-1]] if data and data[-1] <= BLOCK_BYTES else [])]  # with and without padding
        starts = [data[: min(end, CHECKED_BYTES)] for end in ends]
        digests = [hashlib.new(self.checksum_digest, start, usedforsecurity=False).digest() for start in starts]
        return self.checksum in digests


class _Ring:
    """The keys that one password makes; parts with the same salt share the work."""

    def __init__(self, password: str) -> None:
        self._word = password.encode("utf-8", "surrogatepass")
        self._keys: dict[tuple[str, bytes, int, int], bytes] = {}

    def key(self, lock: _Lock) -> bytes:
        """Return the key of a part."""
        place = (lock.start_digest, lock.salt, lock.rounds, lock.key_bytes)
        if place not in self._keys:
            first = hashlib.new(lock.start_digest, self._word, usedforsecurity=False).digest()
            self._keys[place] = hashlib.pbkdf2_hmac("sha1", first, lock.salt, lock.rounds, lock.key_bytes)
        return self._keys[place]


def open_document(source: Source, options: ExtractOptions) -> tuple[Source, Opened]:
    """Return the package in plain, and how it was opened.

    Raises: ExtractionError ENCRYPTED_NO_KEY; as ZipReader does; CORRUPT if the manifest is broken.
    """
    with source.open() as file:
        package = ZipReader(file, options)
        if PART in package.names:
            return _open_whole(package, source, options)
        manifest, locks = _locks(package)
        probe = min(locks, key=lambda name: package.names[name].compressed_bytes)
        sealed = package.read(probe)

        def ring_of(password: str) -> _Ring | None:
            ring = _Ring(password)
            return ring if locks[probe].is_plain(locks[probe].plain(ring.key(locks[probe]), sealed)) else None

        ring, by = Keys(source, options).fitting(ring_of, WHAT)
        data = zip_of(_parts(package, manifest, locks, ring), options.max_decompressed_bytes)
    plain = Source(data=data, name=source.name, passwords=source.passwords)
    return plain, Opened(f"OpenDocument, {locks[probe].words}", by)


def _open_whole(package: ZipReader, source: Source, options: ExtractOptions) -> tuple[Source, Opened]:
    """Return the package that is encrypted as one part."""
    entries = {_value(entry, "full-path"): entry for entry in _manifest(package).iter("{*}file-entry")}
    children = _children(next((data for data in entries[PART].iter("{*}encryption-data")), None)) if PART in entries else {}
    algorithm, derivation = children.get("algorithm"), children.get("key-derivation")
    if algorithm is None or derivation is None:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: {PART!r} has no algorithm or no key derivation")
    cipher, derived = (_last_word(_value(algorithm, "algorithm-name")), _last_word(_value(derivation, "key-derivation-name")))
    if not cipher.endswith("-gcm") or not derived.endswith("argon2id"):
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: {cipher} with {derived} is not supported"[:300])
    lock = WholeLock(
        start=_bytes(algorithm, "initialisation-vector"),
        salt=_bytes(derivation, "salt"),
        rounds=_number(derivation, "argon2-iterations"),
        memory_kib=_number(derivation, "argon2-memory"),
        lanes=_number(derivation, "argon2-lanes"),
        key_bytes=_number(derivation, "key-size", 32),
        start_digest=_start_digest(children),
    )
    sealed = package.read(PART)
    plain, by = Keys(source, options).fitting(lambda password: lock.plain(password, sealed), WHAT)
    data = package_of(plain, options.max_decompressed_bytes)
    inner = Source(data=data, name=source.name, passwords=source.passwords)
    return inner, Opened(f"OpenDocument, AES-GCM {8 * lock.key_bytes} bits, Argon2id", by)


def _parts(package: ZipReader, manifest: bytes, locks: dict[str, _Lock], ring: _Ring) -> Iterator[Part]:
    for name, entry in package.names.items():
        if name == MANIFEST:
            yield Part(entry.raw_name, STORED, manifest)
        elif name in locks:
            yield Part(entry.raw_name, DEFLATED, locks[name].plain(ring.key(locks[name]), package.read(name)))
        elif not name.endswith("/"):
            yield Part(entry.raw_name, STORED, package.read(name))


def _locks(package: ZipReader) -> tuple[bytes, dict[str, _Lock]]:
    """Return the manifest without its word on encryption, and how each encrypted part is encrypted."""
    root = _manifest(package)
    locks = {}
    for entry in root.iter("{*}file-entry"):
        data = next(entry.iterchildren("{*}encryption-data"), None)
        name = _value(entry, "full-path")
        if data is not None and name in package.names:
            locks[name] = _lock(name, data)
        if data is not None:
            entry.remove(data)
    if not locks:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT} that are not there, or a kind that is not supported")
    return etree.tostring(root), locks


def _manifest(package: ZipReader) -> Element:
    try:
        return parse_xml(package.read(MANIFEST))
    except (KeyError, etree.XMLSyntaxError) as error:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: not well-formed") from error


def _children(data: Element | None) -> dict[str, Element]:
    return {} if data is None else {local_name(child): child for child in data.iterchildren() if isinstance(child.tag, str)}


def _start_digest(children: dict[str, Element]) -> str:
    element = children.get("start-key-generation")
    return "sha1" if element is None else _last_word(_value(element, "start-key-generation-name"))


def _lock(name: str, data: Element) -> _Lock:
    """Return how a part is encrypted. Raises: ExtractionError(ENCRYPTED_NO_KEY) for what is not supported."""
    children = _children(data)
    algorithm, derivation = children.get("algorithm"), children.get("key-derivation")
    if algorithm is None or derivation is None:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: {name!r} has no algorithm or no key derivation"[:300])
    cipher = _last_word(_value(algorithm, "algorithm-name"))
    rounds, key_bytes = _number(derivation, "iteration-count"), _number(derivation, "key-size", 16)
    start_digest = _start_digest(children)
    is_aes = AES.get(cipher) == key_bytes and key_bytes in KEY_BYTES
    is_known = (is_aes or (cipher in BLOWFISH and 4 <= key_bytes <= 56)) and start_digest in ("sha1", "sha256")
    if not is_known or _last_word(_value(derivation, "key-derivation-name")) != "pbkdf2":
        derived = _last_word(_value(derivation, "key-derivation-name"))
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: {cipher} with {derived} is not supported"[:300])
    if rounds > MAX_ROUNDS:
        raise ExtractionError(ErrorCategory.LIMIT_EXCEEDED, f"{MANIFEST}: {rounds} rounds, limit {MAX_ROUNDS}")
    return _Lock(
        words=f"AES {8 * key_bytes} bits" if is_aes else BLOWFISH[0],
        start=_bytes(algorithm, "initialisation-vector"),
        salt=_bytes(derivation, "salt"),
        rounds=max(rounds, 1),
        key_bytes=key_bytes,
        start_digest=start_digest,
        checksum_digest=CHECKSUMS.get(_last_word(_value(data, "checksum-type"))),
        checksum=_bytes(data, "checksum"),
    )


def _value(element: Element, name: str) -> str:
    """Return an attribute, whatever its namespace."""
    return next((value for key, value in element.attrib.items() if etree.QName(key).localname == name), "")


def _last_word(uri: str) -> str:
    return uri.rpartition("#")[2].lower() or uri.lower()


def _number(element: Element, name: str, default: int = 0) -> int:
    value = _value(element, name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= 10):
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: {name} is no number")
    return int(value)


def _bytes(element: Element, name: str) -> bytes:
    try:
        data = base64.b64decode(_value(element, name))
    except (binascii.Error, ValueError) as error:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: {name} is not in Base64") from error
    if len(data) > MAX_VALUE_BYTES:
        raise ExtractionError(ErrorCategory.CORRUPT, f"{MANIFEST}: {name} has {len(data)} bytes")
    return data


def _inflates(data: bytes) -> bool:
    try:
        return bool(zlib.decompressobj(-15).decompress(data, CHECKED_BYTES))
    except zlib.error:
        return False
