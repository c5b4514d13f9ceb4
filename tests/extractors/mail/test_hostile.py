"""Broken and hostile mail: always a row or a reason, never a fault of ours."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory
from tests.extractors.mail.reading import rows

GOLDEN = Path(__file__).parents[2] / "golden" / "mail"
PIECES = (
    b"\n\n",
    b"--",
    b"=?utf-8?B?",
    b"boundary=",
    b"\0",
    b"\xff\xff\xff\x7f",
    b"From ",
    b'"',
    b";",
    b"\0\0\0\0",
    b"{\\*\\htmltag",
)
HEAD = b"From: a@example.org\nSubject: s\nMIME-Version: 1.0\n"


@pytest.mark.parametrize("sample", sorted(GOLDEN.glob("*.[emdi][msac]*")), ids=lambda path: path.name)
def test_no_change_to_a_file_is_a_fault_of_ours(sample: Path) -> None:
    chance, whole = random.Random(sample.name), sample.read_bytes()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 2, 8))):
            at = chance.randrange(len(data) + 1)
            if chance.random() < 0.5:
                data[at : at + 4] = chance.choice(PIECES)
            else:
                del data[at : at + chance.choice((1, 4, 200))]
        assert all(row.category is not ErrorCategory.INTERNAL for row in rows(bytes(data), sample.name, depth=5))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.eml", HEAD + b"Content-Type: multipart/mixed; boundary=z\n\n" + b"--z\n" * 20_000),
        ("a.eml", HEAD + b"Content-Type: multipart/mixed; boundary=z\n\n" + b"--zx\n" * 20_000),
        ("a.eml", HEAD + b"Cc: =?utf-8?Q?" + b"?=20" * 20_000 + b"\n\nx"),
        ("a.eml", HEAD + b"Content-Type: text/plain; " + b'a="' * 20_000 + b"\n\nx"),
        ("a.eml", HEAD + b"stray\nTo: x\n" * 20_000),
        ("a.eml", HEAD + b"Content-Type: text/enriched\n\n" + b"<param>" * 20_000),
        ("a.eml", HEAD + b"\n" + b"begin 644 a\n" * 20_000),
        ("a.eml", HEAD + b"\n" + b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 20_000),
        ("a.eml", HEAD + b"Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n" + b"MIAw" * 20_000),
        ("a.mbox", b"From a@example.org Thu Mar 14 09:26:52 2024\nFrom: a\n\n" + b"From the 1:11 " * 20_000),
        ("a.ics", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY" + b';A="b",' * 20_000 + b"\n"),
        ("a.vcf", b"BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:x=\n" + b"y=\n" * 20_000),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_repeated_without_end_is_read_in_bounds(name: str, data: bytes) -> None:
    found = rows(data, name, ExtractOptions(max_zip_entries=100, max_extracted_chars=50_000), depth=5)
    assert found[0].extracted is not None
    assert len(found[0].content) <= 50_000
    assert len(found) <= 101
