"""Encrypted entries of ZIP archives: the traditional cipher of PKZIP, and AES as WinZip introduced it.

A traditional entry tells a wrong password from the right one by 8 bits only, so one that fits is held to the entry's checksum
before it is trusted.
Source: PKWARE APPNOTE 6.3.10, 6.1 (traditional encryption), 7 (strong encryption); WinZip, AE-1 and AE-2 specification 1.04.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple, Protocol

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.encryption.aes import BLOCK_BYTES, ecb_mixed
from docbeam.extractors.encryption.passwords import GIVEN, Keys, Opened
from docbeam.extractors.encryption.rc4 import mixed_with
from docbeam.extractors.source import Source
from docbeam.extractors.unpacking import BROKEN, IN_BYTES, unpacked, zip_stream
from docbeam.extractors.zip_directory import ZipEntry, extra_fields
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

AES_METHOD, AES_FIELD, STRONG = 99, 0x9901, 0x40
AES_SIZES = {1: (8, 16), 2: (12, 24), 3: (16, 32)}  # bytes of salt and key, by strength
AES_ROUNDS, CHECK_BYTES, SEAL_BYTES = 1_000, 2, 10
HEADER_BYTES = 12  # random bytes before traditionally encrypted data; the last one is known
FEW_TRIES = 650  # up to here, one that nearly fits has a chance of under 1 % to be a wrong one
MAX_CHECKED_BYTES = 1 << 20  # of a traditional entry that is unpacked to see whether a password is right
CHARSETS = ("utf-8", "cp437", "cp1252")
CRC_TABLE = tuple(zlib.crc32(bytes([byte ^ 0xFF]), 0) ^ 0xFF000000 for byte in range(256))  # without the sum's own inversions
ReadAt = Callable[[int, int], bytes]  # a place in the entry's data, and a size


class Cipher(Protocol):
    """Opens an entry's data piece by piece, from its beginning."""

    def plain(self, data: bytes) -> bytes:
        """Return the next piece in plain."""


class OpenEntry(NamedTuple):
    """An entry that a password has opened: `size` bytes from `start` on, how they are compressed, their checksum if any."""

    cipher: Cipher
    start: int
    size: int
    method: int
    crc: int | None


class ZipLock:
    """The passwords of one archive. What has opened one entry is tried first on the next."""

    def __init__(self, source: Source, options: ExtractOptions) -> None:
        self._keys = Keys(source, options)
        self._trusted: list[bytes] = []
        self._scheme = ""

    def open(self, entry: ZipEntry, read_at: ReadAt) -> OpenEntry:
        """Return an entry opened. Raises: ExtractionError ENCRYPTED_NO_KEY, CORRUPT."""
        what = f"member {entry.name!r} is encrypted"
        if entry.flags & STRONG:
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{what}: PKWARE's strong encryption is not supported")
        lock: _AesLock | _OldLock = _AesLock(entry, read_at) if entry.method == AES_METHOD else _OldLock(entry, read_at)
        nearly: list[bytes] = []
        for spelt in self._trusted:
            if (opened := lock.open(spelt)) is not None:
                if not lock.is_telling or lock.is_right(spelt):
                    return opened
                nearly.append(spelt)
        tries = len(self._trusted)

        def spelling_of(password: str) -> bytes | None:
            nonlocal tries
            for spelt in _spellings(password):
                tries += 1
                if lock.open(spelt) is not None:
                    if lock.is_right(spelt):
                        return spelt
                    nearly.append(spelt)
            return None

        try:
            spelt, _ = self._keys.fitting(spelling_of, what)
        except ExtractionError as error:
            is_broken = nearly and lock.is_telling and tries <= FEW_TRIES
            raise (_broken(entry) if is_broken else error) from error
        opened = lock.open(spelt)
        assert opened is not None
        self._trusted.insert(0, spelt)
        self._scheme = self._scheme or lock.scheme
        return opened

    def describe(self, out: TextBuilder) -> None:
        """Record how entries were opened, if any was."""
        if self._scheme:
            Opened(self._scheme, GIVEN).describe(out)


def _broken(entry: ZipEntry) -> ExtractionError:
    message = f"member {entry.name!r}: a password fits, and the data does not have its seal (HMAC): it was changed or damaged"
    return ExtractionError(ErrorCategory.CORRUPT, message)


class _OldLock:
    scheme = "ZIP, traditional"
    is_telling = False  # a wrong password is taken once in 128 times

    def __init__(self, entry: ZipEntry, read_at: ReadAt) -> None:
        self._entry = entry
        self._read_at = read_at
        self._header = read_at(0, HEADER_BYTES)
        self._checks = {(entry.crc or 0) >> 24, entry.date >> 8 & 0xFF}  # of the sum, or of the time where it was not known yet

    def open(self, spelt: bytes) -> OpenEntry | None:
        cipher = _OldCipher(spelt)
        if len(self._header) < HEADER_BYTES or cipher.plain(self._header)[-1] not in self._checks:
            return None
        entry = self._entry
        return OpenEntry(cipher, HEADER_BYTES, max(0, entry.compressed_bytes - HEADER_BYTES), entry.method, entry.crc)

    def is_right(self, spelt: bytes) -> bool:
        opened = self.open(spelt)
        if opened is None:
            return False
        place, left, crc, count = opened.start, min(opened.size, MAX_CHECKED_BYTES), 0, 0

        def read(size: int) -> bytes:
            nonlocal place, left
            data = opened.cipher.plain(self._read_at(place, min(size, left)))
            place, left = place + len(data), left - len(data)
            return data

        try:
            for chunk in unpacked(zip_stream(opened.method, read), read, IN_BYTES):
                crc, count = zlib.crc32(chunk, crc), count + len(chunk)
                if count > MAX_CHECKED_BYTES:
                    return True  # what is no data of this method breaks off far earlier
        except EOFError:
            if opened.size > MAX_CHECKED_BYTES:
                return True
        except BROKEN:
            return False
        return opened.crc is None or crc == opened.crc


class _AesLock:
    is_telling = True  # a wrong password is taken once in 65 536 times: of few, hardly ever

    def __init__(self, entry: ZipEntry, read_at: ReadAt) -> None:
        field = next((data for kind, data in extra_fields(entry.extra) if kind == AES_FIELD and len(data) >= 7), b"")
        strength = field[4] if field else 0
        if strength not in AES_SIZES:
            raise ExtractionError(ErrorCategory.CORRUPT, f"member {entry.name!r}: the field that describes AES is broken")
        version, self._method = struct.unpack_from("<H3xH", field)
        self._crc = entry.crc if version == 1 else None  # AE-2 has the seal alone
        salt_bytes, self._key_bytes = AES_SIZES[strength]
        self._salt, self._check = read_at(0, salt_bytes), read_at(salt_bytes, CHECK_BYTES)
        self._start = salt_bytes + CHECK_BYTES
        self._size = max(0, entry.compressed_bytes - self._start - SEAL_BYTES)
        self._read_at = read_at
        self.scheme = f"ZIP, AES {8 * self._key_bytes} bits"

    def open(self, spelt: bytes) -> OpenEntry | None:
        key, _, check = self._keys(spelt)
        return OpenEntry(_AesCipher(key), self._start, self._size, self._method, self._crc) if check == self._check else None

    def is_right(self, spelt: bytes) -> bool:
        _, seal_key, check = self._keys(spelt)
        if check != self._check:
            return False
        seal = hmac.new(seal_key, digestmod=hashlib.sha1)
        for place in range(0, self._size, IN_BYTES):
            seal.update(self._read_at(self._start + place, min(IN_BYTES, self._size - place)))
        expected = self._read_at(self._start + self._size, SEAL_BYTES)
        return hmac.compare_digest(seal.digest()[:SEAL_BYTES], expected)

    def _keys(self, spelt: bytes) -> tuple[bytes, bytes, bytes]:
        size = self._key_bytes
        found = hashlib.pbkdf2_hmac("sha1", spelt, self._salt, AES_ROUNDS, 2 * size + CHECK_BYTES)
        return found[:size], found[size : 2 * size], found[2 * size :]


class _AesCipher:
    """AES in counter mode; the counter is little-endian and begins at 1."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._number = 1
        self._hidden = b""

    def plain(self, data: bytes) -> bytes:
        missing = len(data) - len(self._hidden)
        if missing > 0:
            count = -(-missing // BLOCK_BYTES)
            blocks = b"".join(number.to_bytes(BLOCK_BYTES, "little") for number in range(self._number, self._number + count))
            self._number += count
            self._hidden += ecb_mixed(self._key, blocks)
        hidden, self._hidden = self._hidden[: len(data)], self._hidden[len(data) :]
        return mixed_with(data, hidden)


class _OldCipher:
    """Three keys of 32 bits that every byte changes."""

    def __init__(self, spelt: bytes) -> None:
        self._keys = 0x12345678, 0x23456789, 0x34567890
        for byte in spelt:
            self._keys = _next_keys(*self._keys, byte)

    def plain(self, data: bytes) -> bytes:
        one, two, three = self._keys
        found, table = bytearray(data), CRC_TABLE
        for place, byte in enumerate(data):
            low = three & 0xFFFF | 2
            found[place] = byte = byte ^ (low * (low ^ 1) >> 8 & 0xFF)
            one = one >> 8 ^ table[(one ^ byte) & 0xFF]
            two = ((two + (one & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
            three = three >> 8 ^ table[(three ^ two >> 24) & 0xFF]
        self._keys = one, two, three
        return bytes(found)


def _next_keys(one: int, two: int, three: int, byte: int) -> tuple[int, int, int]:
    one = one >> 8 ^ CRC_TABLE[(one ^ byte) & 0xFF]
    two = ((two + (one & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
    return one, two, three >> 8 ^ CRC_TABLE[(three ^ two >> 24) & 0xFF]


def _spellings(password: str) -> Iterator[bytes]:
    seen = set()
    for charset in CHARSETS:
        with suppress(UnicodeError):
            spelt = password.encode(charset)
            if spelt and spelt not in seen:
                seen.add(spelt)
                yield spelt
