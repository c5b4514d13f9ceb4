"""Encrypted Office, OpenDocument and PDF files of real programs, and what is said of those that no password opens."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from docbeam.extractors import extract_text
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.encryption.agile import read_agile
from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.passwords import parse_passwords
from docbeam.schemas.vocabulary import ErrorCategory

GOLDEN = Path(__file__).parents[2] / "golden" / "encrypted"
PASSWORDS = parse_passwords((GOLDEN / "passwords.csv").read_bytes(), "passwords.csv")
EXPECTED = {
    "agile_128_sha1.docx": ("Agile protected document", "agile, AES 128 bits, SHA1"),
    "agile_256_sha512.xlsb": ("You can't see me", "agile, AES 256 bits, SHA512"),
    "standard_aes_128.xlsx": ("This is an Encrypted Excel spreadsheet.", "standard, AES 128 bits, SHA-1"),
    "rc4_40.doc": ("This is an encrypted Word 2007 File.", "RC4, 40 bits"),
    "rc4_crypto_api_128.doc": ("This is a test", "RC4 (CryptoAPI), 128 bits"),
    "rc4_crypto_api_56.ppt": ("This is a protected document", "RC4 (CryptoAPI), 56 bits"),
    "rc4_40.xls": ("This is an Encrypted Excel spreadsheet.", "RC4, 40 bits"),
    "xor.xls": ("1\n2\n3", "XOR, 16 bits"),
    "aes_256.odt": ("This should be encrypted.", "OpenDocument, AES 256 bits"),
    "attachment_only.pdf": ("Example", "PDF revision 6, AES 256 bits"),
    "revision_6.pdf": ("Issue 6010", "PDF revision 6, AES 256 bits"),
    "revision_5.pdf": ("If you can read this", "PDF revision 5, AES 256 bits"),
    "revision_4.pdf": ("Secret!", "PDF revision 4, RC4 or AES 128 bits"),
    "revision_3.pdf": ("Secret!", "PDF revision 3, RC4"),
    "revision_2.pdf": ("Secret!", "PDF revision 2, RC4 40 bits"),
    "two_filters.pdf": ("", "PDF revision 4, RC4 or AES 128 bits"),
}
WITHOUT_PASSWORD = {"agile_128_sha1.docx": "well-known password", "attachment_only.pdf": "blank password"}
NEEDY = sorted(set(EXPECTED) - set(WITHOUT_PASSWORD))


def read(name: str, passwords: tuple[str, ...] | None = None, data: bytes | None = None) -> Reading:
    found = PASSWORDS.for_uri(name) if passwords is None else passwords
    data = (GOLDEN / name).read_bytes() if data is None else data
    reading = read_document(Source(data=data, name=name, passwords=found), ExtractOptions(max_pages_to_rasterise=0))
    for member in reading.extracted.members if reading.extracted else ():
        if member.file:
            Path(member.file).unlink()
    return reading


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_document_is_read_with_its_password_and_says_how_it_was_opened(name: str) -> None:
    found = read(name).extracted
    assert found is not None
    text, scheme = EXPECTED[name]
    assert text in found.content
    assert found.metadata["encryption.scheme"] == scheme
    assert found.metadata["encryption.openedBy"] == WITHOUT_PASSWORD.get(name, "given password")


@pytest.mark.parametrize("name", NEEDY)
@pytest.mark.parametrize(
    ("passwords", "words"),
    [
        ((), "no password was given for it"),
        (("sesame",), "the given password does not fit"),
        (("sesame", "sesame 2"), "none of 2 given passwords fits"),
    ],
)
def test_without_its_password_it_is_refused_and_the_message_names_none(
    name: str, passwords: tuple[str, ...], words: str
) -> None:
    error = read(name, passwords).error
    assert error is not None and error.category is ErrorCategory.ENCRYPTED_NO_KEY
    assert words in error.message and "sesame" not in error.message


def test_a_presentation_keeps_its_properties_in_an_encrypted_stream() -> None:
    found = read("rc4_crypto_api_56.ppt").extracted
    assert found is not None and (found.title, found.author) == ("This is a protected document", "Hogwarts")
    assert found.created_at is not None and found.created_at.year == 2006


def test_what_is_inside_of_an_encrypted_package_has_its_own_media_type() -> None:
    assert read("standard_aes_128.xlsx").media_type == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    wrong_name = read_document(
        Source(data=(GOLDEN / "standard_aes_128.xlsx").read_bytes(), name="a.docx", passwords=("tika",)), ExtractOptions()
    )
    assert wrong_name.extracted is not None and wrong_name.extracted.warnings[0].code == "content.typeMismatch"


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - {"two_filters.pdf", "attachment_only.pdf"}))
def test_damaged_files_give_text_or_a_category(name: str) -> None:
    whole, chance = (GOLDEN / name).read_bytes(), random.Random(11)
    for number in range(4 if name.startswith(("agile", "standard", "aes")) else 12):
        data = bytearray(whole)
        if number % 4 == 0:
            del data[chance.randrange(len(data)) :]
        for _ in range(chance.choice((1, 10, 200))):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        error = read(name, data=bytes(data)).error
        assert error is None or error.category is not ErrorCategory.INTERNAL, error


def test_a_broken_package_behind_a_fitting_password_is_corrupt_and_not_locked() -> None:
    data = bytearray((GOLDEN / "agile_256_sha512.xlsb").read_bytes())
    start = data.index(b"<encryption")
    for place in range(0, len(data), 7):
        if not start - 4096 < place < start + 4096 and place > 4096:
            data[place] ^= 0x55
    error = read("agile_256_sha512.xlsb", data=bytes(data)).error
    assert error is not None and error.category in (ErrorCategory.CORRUPT, ErrorCategory.STREAM_DECOMPRESSION_FAIL)


def test_too_many_rounds_are_refused_at_once() -> None:
    with (GOLDEN / "agile_256_sha512.xlsb").open("rb") as file:
        compound = CompoundFile(file)
        entry = compound.find("EncryptionInfo")
        assert entry is not None
        xml = compound.read(entry)[8:]
    assert xml.count(b'spinCount="100000"') == 1
    read_agile(xml)
    with pytest.raises(ExtractionError, match="rounds, limit 10000000") as caught:
        read_agile(xml.replace(b'spinCount="100000"', b'spinCount="4000000000"'))
    assert caught.value.category is ErrorCategory.LIMIT_EXCEEDED


def test_passwords_are_tried_no_longer_than_the_deadline_allows() -> None:
    options = ExtractOptions(extraction_timeout_seconds=0.4)
    many = tuple(f"wrong {number}" for number in range(500))
    found = read_document(Source(data=(GOLDEN / "agile_256_sha512.xlsb").read_bytes(), passwords=many), options)
    assert found.error is not None and found.error.category is ErrorCategory.ENCRYPTED_NO_KEY
    assert "of 500 given passwords were tried" in found.error.message and "extraction_timeout_seconds" in found.error.message


@pytest.mark.parametrize("isolated", [True, False])
def test_the_library_takes_passwords(isolated: bool) -> None:
    found = extract_text(GOLDEN / "rc4_40.doc", passwords=["no", "tika"], isolated=isolated)
    assert "encrypted Word 2007" in found.content
    assert "Secret!" in extract_text(GOLDEN / "revision_4.pdf", passwords=PASSWORDS, isolated=isolated).content
    with pytest.raises(ExtractionError, match="the given password does not fit"):
        extract_text((GOLDEN / "rc4_40.doc").read_bytes(), passwords=["no"], isolated=isolated)


def test_an_attachment_is_locked_where_only_the_files_are_encrypted() -> None:
    found = read("attachment_only.pdf", ()).extracted
    assert found is not None
    (member,) = found.members
    assert member.problem is not None and member.problem[0] is ErrorCategory.ENCRYPTED_NO_KEY
    opened = read("attachment_only.pdf").extracted
    assert opened is not None and opened.members[0].problem is None
