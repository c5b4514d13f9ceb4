"""winmail.dat: the item in it with its fields, body and attachments."""

from __future__ import annotations

import struct
from pathlib import Path

from docbeam.extractors.mail import tnef
from docbeam.extractors.mail.tnef import TnefExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import TruncationReason
from tests.extractors.mail.reading import codes, read, rows

GOLDEN = Path(__file__).parents[2] / "golden" / "mail"


def attribute(level: int, name: int, value: bytes) -> bytes:
    return struct.pack("<BII", level, name, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)


def text_property(identifier: int, text: str) -> bytes:
    data = text.encode("utf-16-le") + b"\0\0"
    return struct.pack("<HHII", 0x1F, identifier, 1, len(data)) + data + bytes(-len(data) % 4)


def stream(*attributes: bytes) -> bytes:
    return tnef.SIGNATURE + b"\1\0" + b"".join(attributes)


def test_a_real_winmail_dat_reads_as_outlook_shows_it() -> None:
    data = (GOLDEN / "winmail_simple.dat").read_bytes()
    assert read(data, "winmail.dat").content == (GOLDEN / "winmail_simple.txt").read_text(encoding="utf-8")


def test_it_is_an_extractor_of_tnef() -> None:
    assert isinstance(TnefExtractor(), Extractor)
    assert all(TnefExtractor().can_handle(media_type) for media_type in MediaType.TNEF)


def test_properties_and_attachments_are_read() -> None:
    properties = struct.pack("<I", 2) + text_property(0x0037, "Tide") + text_property(0x1000, "High water ä")
    names = struct.pack("<I", 1) + text_property(0x3707, "Übersicht.txt")
    data = stream(
        attribute(1, tnef.MESSAGE_PROPERTIES, properties),
        attribute(2, tnef.ATTACH_RENDERING, bytes(14)),
        attribute(2, tnef.ATTACH_TITLE, b"UEBERS~1.TXT\0"),
        attribute(2, tnef.ATTACH_DATA, b"inside"),
        attribute(2, tnef.ATTACHMENT, names),
        attribute(2, tnef.ATTACH_RENDERING, bytes(14)),
        attribute(2, tnef.ATTACH_TITLE, b"b.txt\0"),
        attribute(2, tnef.ATTACH_DATA, b"second"),
    )
    found = rows(data, "winmail.dat")
    assert found[0].content == "Subject: Tide\n\nHigh water ä\n"
    assert [(row.path, row.content) for row in found[1:]] == [("Übersicht.txt", "inside"), ("b.txt", "second")]
    assert found[0].extracted is not None
    assert found[0].extracted.metadata["tnef.attachmentCount"] == "2"


def test_attributes_from_before_mapi_are_in_the_code_page_of_the_stream() -> None:
    data = stream(
        attribute(1, tnef.OEM_CODE_PAGE, struct.pack("<II", 1251, 0)),
        attribute(1, tnef.SUBJECT, "Прилив\0".encode("cp1251")),
        attribute(1, tnef.BODY, "В полдень\0".encode("cp1251")),
    )
    assert read(data, "winmail.dat").content == "Subject: Прилив\n\nВ полдень\n"


def test_an_item_in_an_item_is_a_member() -> None:
    inner = stream(attribute(1, tnef.BODY, b"inner\0"))
    value = b"\x07\x03\x02\x00" + bytes(12) + inner
    properties = struct.pack("<IHHII", 1, 0x0D, 0x3701, 1, len(value)) + value
    data = stream(attribute(2, tnef.ATTACH_RENDERING, bytes(14)), attribute(2, tnef.ATTACHMENT, properties))
    assert [row.content.strip() for row in rows(data, "winmail.dat")[1:]] == ["inner"]


def test_a_cut_stream_keeps_what_came_before() -> None:
    whole = stream(attribute(1, tnef.SUBJECT, b"Tide\0"), attribute(1, tnef.BODY, b"High water at the pier\0"))
    found = read(whole[:-12], "winmail.dat")
    assert "High water" in found.content
    assert found.truncation is TruncationReason.DAMAGED
    assert "content.partDamaged" in codes(found)
