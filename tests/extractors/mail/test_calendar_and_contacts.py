"""Calendars and contacts: unfolded, unescaped, decoded, and readable."""

from __future__ import annotations

from pathlib import Path

import pytest

from docbeam.extractors.mail.calendar import CalendarExtractor, date_text
from docbeam.extractors.mail.vcard import VcardExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.schemas.media_types import MediaType
from tests.extractors.mail.reading import codes, read, rows

GOLDEN = Path(__file__).parents[2] / "golden" / "mail"


def event(*lines: str) -> str:
    return read("\r\n".join(("BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR", "")), "a.ics").content


def contact(*lines: str) -> str:
    return read("\r\n".join(("BEGIN:VCARD", *lines, "END:VCARD", "")), "a.vcf").content


def test_they_are_extractors() -> None:
    assert isinstance(CalendarExtractor(), Extractor)
    assert CalendarExtractor().can_handle(MediaType.CALENDAR)
    assert isinstance(VcardExtractor(), Extractor)
    assert VcardExtractor().can_handle(MediaType.VCARD)


def test_a_real_calendar_reads_as_its_lines_say() -> None:
    assert read((GOLDEN / "jazz.ics").read_bytes(), "jazz.ics").content == (GOLDEN / "jazz.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("SUMMARY:Lamp\\, oil\\; and\r\n  wick", "Summary: Lamp, oil; and wick"),
        ("SUMMARY;LANGUAGE=de:Ebbe", "Summary: Ebbe"),
        ("DESCRIPTION:one\\ntwo", "Description: one\ntwo"),
        ("DESCRIPTION;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=\r\n=C3=9Fe", "Description: Grüße"),
        ('ATTENDEE;CN="Moss; F";PARTSTAT=DECLINED:mailto:f@example.org', "Attendee: Moss; F <f@example.org> (declined)"),
        ("DTSTART;TZID=Europe/Berlin:20240314T090000", "Start: 2024-03-14 09:00 (Europe/Berlin)"),
        ("CATEGORIES:sea,la\\,mp", "Categories: sea, la,mp"),
        ("X-ALT-DESC;FMTTYPE=text/html:<p>Bring <b>oil</b>", "Description: Bring oil"),
    ],
)
def test_a_line_of_an_event_is_readable(line: str, expected: str) -> None:
    assert event(line) == f"Event\n{expected}\n"


@pytest.mark.parametrize(
    ("value", "zone", "expected"),
    [
        ("20240314", None, "2024-03-14"),
        ("20240314T090030Z", "x", "2024-03-14 09:00:30 UTC"),
        ("20240314T090000Z/20240314T100000Z", None, "2024-03-14 09:00 UTC/2024-03-14 10:00 UTC"),
        ("tomorrow", None, "tomorrow"),
    ],
)
def test_dates_are_shown_as_dates(value: str, zone: str | None, expected: str) -> None:
    assert date_text(value, zone) == expected


def test_a_file_in_an_event_is_a_member() -> None:
    text = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:s\nATTACH;ENCODING=BASE64;FILENAME=n.txt:aGVsbG8=\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    assert [(row.path, row.content) for row in rows(text.encode(), "a.ics")[1:]] == [("n.txt", "hello")]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("N:Moss;Fenella;;Dr.;",), "Name: Dr. Fenella Moss\n"),
        (("FN:Fenella Moss", "TEL;TYPE=work,voice:+49 1", "EMAIL;INTERNET:f@example.org"),
         "Name: Fenella Moss\nPhone (work): +49 1\nEmail: f@example.org\n"),
        (("FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=FCrgen=\r\n M=FCller",), "Name: Jürgen Müller\n"),
        (("FN:x", "ADR;HOME:;;Pier 3;Town;;12345;Land"), "Name: x\nAddress (home): Pier 3, Town, 12345, Land\n"),
        (("FN:x", "item1.TEL:5", "item1.X-ABLabel:_$!<Boat>!$_"), "Name: x\nPhone (Boat): 5\n"),
        (("FN:x", "NOTE:a\\nb", "REV:2024", "BDAY:19700102"), "Name: x\nNote: a\nb\nBirthday: 1970-01-02\n"),
    ],
)  # fmt: skip
def test_a_contact_is_readable(lines: tuple[str, ...], expected: str) -> None:
    assert contact(*lines) == expected


def test_contacts_are_set_apart_and_counted() -> None:
    found = read("BEGIN:VCARD\nFN:a\nEND:VCARD\nBEGIN:VCARD\nFN:b\nEND:VCARD\n", "a.vcf")
    assert found.content == "Name: a\n\nName: b\n"
    assert found.metadata["vcf.contactCount"] == "2"


def test_a_picture_of_a_contact_is_a_member() -> None:
    found = rows(b"BEGIN:VCARD\nFN:a\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/\n 4AAQ\nEND:VCARD\n", "a.vcf")
    assert [row.path for row in found[1:]] == ["photo.jpg"]


def test_nothing_to_show_is_said() -> None:
    assert codes(read("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "a.ics")) == ["content.noText"]
    assert codes(read("BEGIN:VCARD\nEND:VCARD\n", "a.vcf")) == ["content.noText"]
