"""Outlook items: fields, recipients, bodies in every form, and embedded items as files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from docbeam.extractors.mail import mapi
from docbeam.extractors.mail.mapi import MapBag
from docbeam.extractors.mail.msg import MsgExtractor
from docbeam.extractors.mail.outlook import person, read_item
from docbeam.extractors.protocol import Extractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import ErrorCategory
from tests.extractors.mail.reading import read, rows

GOLDEN = Path(__file__).parents[2] / "golden" / "mail"


@pytest.mark.parametrize("item", sorted(GOLDEN.glob("*.msg")), ids=lambda path: path.stem)
def test_a_real_item_reads_as_outlook_shows_it(item: Path) -> None:
    assert read(item.read_bytes(), item.name).content == item.with_suffix(".txt").read_text(encoding="utf-8")


def test_it_is_an_extractor_of_outlook_items() -> None:
    assert isinstance(MsgExtractor(), Extractor)
    assert MsgExtractor().can_handle(MediaType.MSG)
    assert not MsgExtractor().can_handle(MediaType.EML)


def test_what_an_item_says_of_itself_is_metadata() -> None:
    found = read((GOLDEN / "attachment.msg").read_bytes(), "a.msg")
    assert found.title == "Fake email with attachment"
    assert found.author == "Mallori Harrell <mallori@unstructured.io>"
    assert found.created_at is not None
    assert found.created_at.isoformat() == "2023-04-20T21:39:10.475744+00:00"
    assert found.metadata["msg.class"] == "IPM.Note"
    assert found.metadata["msg.attachmentCount"] == "1"
    assert found.metadata["msg.attachmentNames"] == "fake-attachment.txt"


def test_attachments_are_members() -> None:
    found = rows((GOLDEN / "attachment.msg").read_bytes(), "a.msg")
    assert [(row.path, row.content) for row in found[1:]] == [("fake-attachment.txt", "Hey this is a fake attachment!")]


def test_an_embedded_item_is_a_file_of_its_own() -> None:
    found = rows((GOLDEN / "message_in_message.msg").read_bytes(), "a.msg")
    assert [(row.path, row.media_type) for row in found[1:]] == [("Untitled Attachment.msg", MediaType.MSG)]
    assert "Subject: Test mail attachment\n\nLorem ipsum dolor sit amet" in found[1].content


def test_transport_headers_stand_in_for_missing_properties() -> None:
    headers = "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nTo: b@example.org\r\nSubject: s\r\nMessage-ID: <1@x>\r\n"
    item = read_item(MapBag({mapi.HEADERS: (mapi.UNICODE, headers.encode("utf-16-le"))}), [])
    assert (item.sender, item.subject, item.recipients["To"]) == ("Jürgen <j@example.org>", "s", "b@example.org")


def test_a_subject_loses_the_mark_of_its_prefix() -> None:
    bag = MapBag({mapi.SUBJECT: (mapi.UNICODE, "\x01\x05RE: lamp".encode("utf-16-le"))})
    assert read_item(bag, []).subject == "RE: lamp"


@pytest.mark.parametrize(
    ("name", "address", "expected"),
    [
        ("Otto", "otto@example.org", "Otto <otto@example.org>"),
        ("Moss, Fenella", "f@example.org", '"Moss, Fenella" <f@example.org>'),
        ("otto@example.org", "Otto@example.org", "otto@example.org"),
        ("", "otto@example.org", "otto@example.org"),
        ("Otto", "", "Otto"),
    ],
)
def test_people_are_shown_by_name_and_address(name: str, address: str, expected: str) -> None:
    assert person(name, address) == expected


@pytest.mark.parametrize("page", [1251, 65001, 28595, 20866])
def test_strings_of_eight_bits_are_in_the_code_page_of_the_message(page: int) -> None:
    data = "Почта России".encode(mapi.codec_of_mail_page(page))
    assert mapi.text_of_property(MapBag({1: (mapi.STRING_8, data + b"\0")}, {}, page), 1) == "Почта России"


@pytest.mark.parametrize("place", [0, 48, 76, 600, 4_000])
def test_a_broken_item_is_read_as_far_as_it_goes_or_is_corrupt(place: int) -> None:
    data = bytearray((GOLDEN / "attachment.msg").read_bytes())
    data[place : place + 8] = b"\xff" * 8
    assert rows(bytes(data), "a.msg")[0].category in (None, ErrorCategory.CORRUPT, ErrorCategory.UNSUPPORTED_MEDIA_TYPE)
    assert rows(bytes(data[: 2_000 + place]), "a.msg")[0].category in (None, ErrorCategory.CORRUPT)
