"""Encrypted entries of archives: the traditional cipher, AES, several passwords in one archive, and damage."""

from __future__ import annotations

import hashlib
import hmac
import os
import random
import struct
import zipfile
import zlib
from io import BytesIO

import pytest

from docbeam.extractors.encryption.aes import ecb_mixed
from docbeam.extractors.encryption.zip import CRC_TABLE, _OldCipher
from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

TEXT = b"a secret line of text\n" * 200
NOISE = random.Random(3).randbytes(70_000)


def deflated(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def old(data: bytes, password: bytes, check: int) -> bytes:
    """Encrypt as PKZIP does, by the words of the specification: the keys change with each byte in plain."""
    cipher = _OldCipher(password)
    found = bytearray()
    for byte in bytes(range(11)) + bytes([check]) + data:
        one, _, three = cipher._keys
        low = three & 0xFFFF | 2
        found.append(byte ^ (low * (low ^ 1) >> 8 & 0xFF))
        cipher.plain(bytes(found[-1:]))
        assert cipher._keys[0] == one >> 8 ^ CRC_TABLE[(one ^ byte) & 0xFF]
    return bytes(found)


def aes(data: bytes, password: bytes, size: int = 32) -> bytes:
    salt = bytes(range(size // 2))
    keys = hashlib.pbkdf2_hmac("sha1", password, salt, 1000, 2 * size + 2)
    hidden = ecb_mixed(keys[:size], b"".join(number.to_bytes(16, "little") for number in range(1, len(data) // 16 + 2)))
    mixed = bytes(a ^ b for a, b in zip(data, hidden, strict=False))
    seal = hmac.new(keys[size : 2 * size], mixed, hashlib.sha1).digest()[:10]
    return salt + keys[2 * size :] + mixed + seal


Entry = tuple[str, int, bytes, int, int, bytes]


def archive(*entries: Entry) -> bytes:
    """Return an archive of (name, method, data as it is stored, checksum, size, extra field), each flagged as encrypted."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, _, data, _, _, extra in entries:
            info = zipfile.ZipInfo(name)
            info.extra = extra
            file.writestr(info, data)
    raw = bytearray(out.getvalue())
    at = 0
    for _, method, data, crc, size, _ in entries * 2:  # the local headers, then the directory
        local, central = raw.find(b"PK\x03\x04", at), raw.find(b"PK\x01\x02", at)
        at = local if local >= 0 and (central < 0 or local < central) else central
        head = at + (6 if raw[at + 2] == 3 else 8)
        struct.pack_into("<HH", raw, head, 1, method)
        struct.pack_into("<I", raw, head + 8, crc)
        struct.pack_into("<I", raw, head + 16, size)
        at += 30 + len(data) if raw[at + 2] == 3 else 46
    return bytes(raw)


def aes_field(version: int, method: int, strength: int = 3) -> bytes:
    return struct.pack("<HHHHBH", 0x9901, 7, version, 0x4541, strength, method)


def traditional(name: str, data: bytes, password: bytes) -> Entry:
    crc = zlib.crc32(data)
    return name, 8, old(deflated(data), password, crc >> 24), crc, len(data), b""


def members(data: bytes, *passwords: str) -> dict[str, bytes | str]:
    reading = read_document(Source(data=data, name="a.zip", passwords=passwords), ExtractOptions())
    if reading.extracted is None:
        assert reading.error is not None
        return {"": f"{reading.error.category}: {reading.error.message}"}
    found: dict[str, bytes | str] = {}
    for member in reading.extracted.members:
        if member.file is None:
            assert member.problem is not None
            found[member.path] = f"{member.problem[0]}: {member.problem[1]}"
        else:
            with open(member.file, "rb") as file:
                found[member.path] = file.read()
            os.unlink(member.file)
    found[""] = reading.extracted.metadata.get("encryption.scheme", "")
    return found


def test_traditional_entries_open_also_among_many_wrong_passwords() -> None:
    data = archive(traditional("a.txt", TEXT, b"sesame"), traditional("b.bin", NOISE, b"sesame"))
    wrong = [f"wrong {number}" for number in range(600)]  # two or three of them pass the check of 8 bits
    expected = {"a.txt": TEXT, "b.bin": NOISE, "": "ZIP, traditional"}
    assert members(data, "sesame") == members(data, *wrong, "sesame") == expected
    assert members(data, *wrong)[""] == (
        "encrypted_no_key: none of 2 entries can be unpacked: member 'a.txt' is encrypted: none of 600 given passwords fits"
    )


@pytest.mark.parametrize(("strength", "size"), [(1, 16), (2, 24), (3, 32)])
@pytest.mark.parametrize("method", [0, 8])
@pytest.mark.parametrize("version", [1, 2])
def test_entries_under_aes_open(strength: int, size: int, method: int, version: int) -> None:
    stored = deflated(TEXT) if method else TEXT
    crc = zlib.crc32(TEXT) if version == 1 else 0
    entry = ("a.txt", 99, aes(stored, "schlüssel".encode(), size), crc, len(TEXT), aes_field(version, method, strength))
    data = archive(entry)
    assert members(data, "no", "schlüssel") == {"a.txt": TEXT, "": f"ZIP, AES {8 * size} bits"}
    assert members(data, "no")[""].startswith("encrypted_no_key")  # type: ignore[union-attr]
    assert "no password was given" in str(members(data)[""])


def test_each_entry_may_have_a_password_of_its_own() -> None:
    other = ("b.txt", 99, aes(TEXT, b"two"), 0, len(TEXT), aes_field(2, 0))
    data = archive(traditional("a.txt", TEXT, b"one"), other, traditional("c.txt", TEXT, b"three"))
    found = members(data, "two", "one")
    assert found["a.txt"] == found["b.txt"] == TEXT
    assert found["c.txt"] == "encrypted_no_key: member 'c.txt' is encrypted: none of 2 given passwords fits"


def test_damage_behind_a_fitting_password_is_told_from_a_wrong_one() -> None:
    sealed = bytearray(aes(TEXT, b"key"))
    sealed[100] ^= 1
    entries = [
        (name, 99, data, 0, len(TEXT), aes_field(2, 0))
        for name, data in (("a.txt", bytes(sealed)), ("b.txt", aes(TEXT, b"key")))
    ]
    for order in (entries, entries[::-1]):
        found = members(archive(*order), "key")
        assert found["b.txt"] == TEXT and "corrupt: member 'a.txt': a password fits" in str(found["a.txt"])


def test_a_wrong_password_that_nearly_fits_hides_no_right_one_and_is_no_damage() -> None:
    near = "guess 31418"  # has the check bytes of "key" under the salt of aes()
    entries = [
        (name, 99, aes(TEXT, word), 0, len(TEXT), aes_field(2, 0)) for name, word in (("a", near.encode()), ("b", b"key"))
    ]
    assert members(archive(*entries), near, "key") == {"a": TEXT, "b": TEXT, "": "ZIP, AES 256 bits"}
    words = [f"word {number}" for number in range(700)]
    entries[0] = ("a", 99, aes(TEXT, b"word 5"), 0, len(TEXT), aes_field(2, 0))
    found = members(archive(*entries), near, *words)
    assert found["a"] == TEXT and "none of 701 given passwords fits" in str(found["b"])


def test_strong_encryption_is_named() -> None:
    data = bytearray(archive(traditional("a.txt", TEXT, b"one")))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", data, data.index(signature) + place, 0x41)
    assert "strong encryption is not supported" in str(members(bytes(data), "one")[""])


def test_damaged_archives_give_members_or_a_category() -> None:
    whole = archive(traditional("a.txt", TEXT, b"key"), ("b.txt", 99, aes(TEXT, b"key"), 0, len(TEXT), aes_field(2, 0)))
    chance = random.Random(5)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 5, 50))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        reading = read_document(Source(data=bytes(data), name="a.zip", passwords=("key",)), ExtractOptions())
        assert reading.error is None or reading.error.category is not ErrorCategory.INTERNAL
        for member in reading.extracted.members if reading.extracted else ():
            assert member.problem is None or member.problem[0] is not ErrorCategory.INTERNAL, member.problem
            if member.file:
                os.unlink(member.file)
