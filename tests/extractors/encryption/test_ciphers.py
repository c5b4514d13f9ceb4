"""The ciphers for themselves: known answers, XOR obfuscation both ways, PDF passwords in all their bytes."""

from __future__ import annotations

import pikepdf
import pytest

from docbeam.extractors.encryption.blowfish import cfb_plain
from docbeam.extractors.encryption.rc4 import Rc4, Rc4Stream
from docbeam.extractors.encryption.xor import _key, _letters, _verifier, excel_key, excel_plain, word_key, word_plain
from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from tests.extractors.pdfs import Pdf, line


def test_rc4_gives_the_known_key_streams() -> None:
    assert Rc4(b"Key").stream(10).hex() == "eb9f7781b734ca72a719"
    assert Rc4(b"Wiki").stream(6).hex() == "6044db6d41b7"
    stream = Rc4(b"Secret")
    assert (stream.stream(3) + stream.stream(5)).hex() == "04d46b053ca87b59"


def test_a_stream_of_blocks_opens_from_any_place() -> None:
    def key(block: int) -> bytes:
        return b"key" + bytes([block])

    whole = Rc4Stream(key, 16, lambda: None).plain(bytes(100), 0)
    assert whole[32:48] == Rc4(key(2)).stream(16)
    pieces = Rc4Stream(key, 16, lambda: None)
    assert b"".join(pieces.plain(bytes(7), at) for at in range(0, 98, 7)) == whole[:98]


def test_blowfish_with_feedback_gives_the_known_answer() -> None:
    key, start = bytes.fromhex("0123456789abcdeff0e1d2c3b4a59687"), bytes.fromhex("fedcba9876543210")
    sealed = bytes.fromhex("e73214a2822139caf26ecf6d2eb9e76e3da3de04d1517200519d57a6c3")
    assert cfb_plain(key, start, sealed) == b"7654321 Now is the time for \0"  # Eric Young's test vectors


def test_the_key_and_verifier_of_the_default_password_are_those_that_excel_writes() -> None:
    letters = _letters("VelvetSweatshop")
    assert _verifier(letters) == 0x9A0A
    assert excel_key(_key(letters), 0x9A0A, "VelvetSweatshop") is not None
    assert excel_key(_key(letters), 0x9A0A, "velvetsweatshop") is None


@pytest.mark.parametrize("password", ["a", "ab", "fifteen letters", "more than fifteen letters", "пароль"])
def test_xor_obfuscation_of_word_opens_what_it_closes(password: str) -> None:
    letters = _letters(password)
    both = _key(letters) << 16 | _verifier(letters)
    key = word_key(both, password)
    assert key is not None and word_key(both ^ 1, password) is None
    plain = bytes(range(256)) + bytes(30)
    closed = word_plain(plain, 0, key)
    assert closed != plain and word_plain(closed, 0, key) == plain


def test_xor_obfuscation_of_excel_turns_with_the_size_of_the_record() -> None:
    letters = _letters("abc")
    key = excel_key(_key(letters), _verifier(letters), "abc")
    assert key is not None
    closed = bytes(
        ((byte ^ key[(20 + 8 + place) % 16]) << 5 | (byte ^ key[(20 + 8 + place) % 16]) >> 3) & 0xFF
        for place, byte in enumerate(b"in plain")
    )
    assert excel_plain(closed, 20, 8, key) == b"in plain"


@pytest.mark.parametrize("revision", [2, 3, 4, 6])
@pytest.mark.parametrize("password", ["plain", "mit Ümlaut", "  spaces  ", 'a,"b'])
def test_a_pdf_opens_with_its_user_and_with_its_owner_password(revision: int, password: str) -> None:
    pdf = Pdf()
    pdf.page(line("Readable once it is open, and long enough to be text of its own."))
    encryption = pikepdf.Encryption(
        user=password,
        owner="the owner's",
        R=revision,
        aes=revision >= 4,
        metadata=revision >= 4,
        allow=pikepdf.Permissions(extract=False),
    )
    data = pdf.bytes(encryption=encryption)
    for given in (password, "the owner's"):
        found = read_document(Source(data=data, passwords=("no", given)), ExtractOptions()).extracted
        assert found is not None and "Readable once" in found.content
        assert found.metadata["encryption.openedBy"] == "given password"
        assert found.metadata["encryption.scheme"].startswith(f"PDF revision {revision}")
    assert read_document(Source(data=data, passwords=("no",)), ExtractOptions()).error is not None


def test_a_pdf_that_needs_repair_is_opened_by_its_password_too() -> None:
    pdf = Pdf()
    pdf.page(line("Readable once it is open, and long enough to be text of its own."))
    data = pdf.bytes(encryption=pikepdf.Encryption(user="key", owner="key", R=4))
    place = data.rindex(b"startxref")
    data = data[:place] + b"startxref\n" + b"9" * 6 + b"\n%%EOF\n"
    found = read_document(Source(data=data, passwords=("no", "key")), ExtractOptions()).extracted
    assert found is not None and "Readable once" in found.content
