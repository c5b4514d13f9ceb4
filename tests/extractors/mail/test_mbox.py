"""Mailboxes: a message a member, and no line of a body taken for a separator."""

from __future__ import annotations

import pytest

from docbeam.extractors.mail.mbox import MboxExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import TruncationReason
from tests.extractors.mail.reading import codes, read, rows

FIRST = (
    "From a@example.org Thu Mar 14 09:26:52 2024\nFrom: a@example.org\nSubject: one\nDate: Thu, 14 Mar 2024 09:26:52 +0000\n"
)
SECOND = "From b Fri Mar 15 10:00:00 2024\nSubject: two\n\nsecond\n"


def test_it_is_an_extractor_of_mailboxes() -> None:
    assert isinstance(MboxExtractor(), Extractor)
    assert MboxExtractor().can_handle(MediaType.MBOX)


def test_the_mailbox_lists_its_messages_and_each_is_a_member() -> None:
    found = rows(f"{FIRST}\nfirst\n\n{SECOND}".encode(), "a.mbox")
    assert found[0].content == "Thu, 14 Mar 2024 09:26:52 +0000\ta@example.org\tone\ntwo\n"
    assert [row.path for row in found[1:]] == ["1 one.eml", "2 two.eml"]
    assert [row.content.rpartition("\n\n")[2] for row in found[1:]] == ["first\n", "second\n"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Before.\nFrom the gallery at 9:30 in 2024 I saw it.\n", None),
        ("Before.\n\nFrom now on I keep a log.\n", None),
        (">From here it is quoted.\n", "From here it is quoted.\n"),
        (">>From here it is quoted twice.\n", ">From here it is quoted twice.\n"),
        ("> From is no mark.\n", None),
    ],
)
def test_lines_of_a_body_that_begin_with_from_stay_in_it(text: str, expected: str | None) -> None:
    found = rows(f"{FIRST}\n{text}\n{SECOND}".encode(), "a.mbox")
    assert len(found) == 3
    assert found[1].content.endswith(f"\n\n{expected or text}")


def test_content_length_covers_a_mailbox_pasted_into_a_body() -> None:
    body = f"See:\n\n{SECOND}"
    found = rows(f"{FIRST}Content-Length: {len(body)}\n\n{body}\n{SECOND}".encode(), "a.mbox")
    assert len(found) == 3
    assert "second" in found[1].content


def test_a_wrong_content_length_is_passed_over() -> None:
    assert len(rows(f"{FIRST}Content-Length: 3\n\nfirst\n\n{SECOND}".encode(), "a.mbox")) == 3


def test_a_separator_without_a_blank_line_before_it_needs_address_date_and_fields() -> None:
    second = SECOND.replace("From b ", "From b@example.org ")
    assert len(rows(f"{FIRST}\nno line end behind it\n{second}".encode(), "a.mbox")) == 3


def test_line_ends_of_windows_and_a_mark_at_the_start_change_nothing() -> None:
    data = b"\xef\xbb\xbf" + f"{FIRST}\nfirst\n\n{SECOND}".replace("\n", "\r\n").encode()
    assert len(rows(data, "a.mbox")) == 3


def test_separators_without_a_date_are_known_by_the_fields_behind_them() -> None:
    found = rows(b"From - \nSubject: one\n\nx\n\nFrom the top\n\nFrom - \nSubject: two\n\ny\n", "a.mbox")
    assert [row.path for row in found[1:]] == ["1 one.eml", "2 two.eml"]


def test_more_messages_than_the_cap_are_said() -> None:
    found = read(f"{FIRST}\nx\n\n" * 5, "a.mbox", ExtractOptions(max_zip_entries=3))
    assert len(found.members) == 3
    assert found.truncation is TruncationReason.CONTAINER_LIMIT
    assert codes(found) == ["container.entryLimit"]


def test_a_full_list_is_no_end_of_the_messages() -> None:
    found = read(f"{FIRST}\nx\n\n" * 5, "a.mbox", ExtractOptions(max_extracted_chars=20))
    assert len(found.members) == 5
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS
