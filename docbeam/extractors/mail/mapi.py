"""MAPI properties, as Outlook messages and winmail.dat hold them: identifiers, types, and values as text, number and time.

Source: [MS-OXPROPS]; [MS-OXCDATA] 2.11; [MS-OXCMSG]; [MS-UCODEREF] 2.2.1 for code pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from docbeam.extractors.charset import Decoded, decode, with_lf
from docbeam.extractors.codepages import decoded, name_of
from docbeam.extractors.compound_file import file_time
from docbeam.extractors.legacy.code_pages import codec_of_language, codec_of_page

INTEGER_16, INTEGER_32, FLOATING_64, BOOLEAN, OBJECT, INTEGER_64 = 0x0002, 0x0003, 0x0005, 0x000B, 0x000D, 0x0014
STRING_8, UNICODE, TIME, BINARY, MULTIPLE = 0x001E, 0x001F, 0x0040, 0x0102, 0x1000

MESSAGE_CLASS, IMPORTANCE, SUBJECT, SUBMIT_TIME, TOPIC = 0x001A, 0x0017, 0x0037, 0x0039, 0x0070
SENT_FOR_NAME, SENT_FOR_ADDRESS, SENT_FOR_SMTP, HEADERS = 0x0042, 0x0065, 0x5D02, 0x007D
SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
DISPLAY_BCC, DISPLAY_CC, DISPLAY_TO, DELIVERY_TIME, NORMAL_SUBJECT = 0x0E02, 0x0E03, 0x0E04, 0x0E06, 0x0E1D
BODY, RTF_COMPRESSED, HTML, MESSAGE_ID, IN_REPLY_TO = 0x1000, 0x1009, 0x1013, 0x1035, 0x1042
DISPLAY_NAME, ADDRESS, SMTP_ADDRESS, RECIPIENT_TYPE = 0x3001, 0x3003, 0x39FE, 0x0C15
CREATED, MODIFIED, INTERNET_CODE_PAGE, LOCALE, MESSAGE_CODE_PAGE = 0x3007, 0x3008, 0x3FDE, 0x3FF1, 0x3FFD
ATTACH_DATA, ATTACH_SHORT_NAME, ATTACH_METHOD, ATTACH_LONG_NAME, ATTACH_PATH = 0x3701, 0x3704, 0x3705, 0x3707, 0x370D
ATTACH_MEDIA_TYPE, ATTACH_LONG_PATH = 0x370E, 0x3708
BY_VALUE, BY_REFERENCE, EMBEDDED_MESSAGE, OLE_OBJECT = 1, (2, 3, 4, 7), 5, 6

APPOINTMENT = bytes.fromhex("0220060000000000c000000000000046")
TASK = bytes.fromhex("0320060000000000c000000000000046")
CONTACT = bytes.fromhex("0420060000000000c000000000000046")
PUBLIC_STRINGS = bytes.fromhex("2903020000000000c000000000000046")

WESTERN = 1252
MAIL_PAGES = {50220: "iso2022_jp_ext", 50221: "iso2022_jp_ext", 50222: "iso2022_jp_ext", 51932: "euc_jp", 51936: "gb18030",
              52936: "hz", 51949: "cp949", 50225: "iso2022_kr", 20932: "euc_jp"}  # fmt: skip

Name = tuple[bytes, int | str]


class Bag(Protocol):
    """Where properties come from. `find` returns type and bytes of a property, or None; strings are as they are stored."""

    code_page: int

    def find(self, identifier: int) -> tuple[int, bytes] | None:
        """Return the type and the bytes of a property."""

    def named(self, name: Name) -> int | None:
        """Return the identifier that a named property has in this message."""

    def texts(self, name: Name) -> list[str]:
        """Return a named property of several strings."""


@dataclass(slots=True)
class MapBag:
    """Properties in a dictionary, as winmail.dat gives them."""

    values: Mapping[int, tuple[int, bytes]]
    names: Mapping[Name, int] = field(default_factory=dict)
    code_page: int = 1252

    def find(self, identifier: int) -> tuple[int, bytes] | None:
        """Return the type and the bytes of a property."""
        return self.values.get(identifier)

    def named(self, name: Name) -> int | None:
        """Return the identifier that a named property has in this message."""
        return self.names.get(name)

    def texts(self, name: Name) -> list[str]:
        """Return a named property of several strings; of those the first is kept here."""
        return [text] if (text := named_text(self, name)) else []


def text_of_property(bag: Bag, identifier: int) -> str:
    """Return a property as text, without NUL, or an empty text."""
    found = bag.find(identifier)
    if found is None:
        return ""
    kind, data = found
    if kind == UNICODE:
        return with_lf(data[: len(data) // 2 * 2].decode("utf-16-le", "replace").rstrip("\0"))
    if kind == STRING_8:
        return decoded_string(data.rstrip(b"\0"), bag.code_page)
    return ""


def number_of_property(bag: Bag, identifier: int) -> int | None:
    """Return a property as a whole number, or None."""
    found = bag.find(identifier)
    if found is None:
        return None
    kind, data = found
    sizes = {INTEGER_16: 2, INTEGER_32: 4, INTEGER_64: 8, BOOLEAN: 2}
    size = sizes.get(kind, 0)
    return int.from_bytes(data[:size], "little", signed=kind != BOOLEAN) if size and len(data) >= size else None


def time_of_property(bag: Bag, identifier: int) -> datetime | None:
    """Return a property as a time in UTC, or None."""
    found = bag.find(identifier)
    if found is None or found[0] != TIME or len(found[1]) < 8:
        return None
    return file_time(int.from_bytes(found[1][:8], "little"))


def data_of_property(bag: Bag, identifier: int) -> bytes:
    """Return the bytes of a property, or none."""
    found = bag.find(identifier)
    return found[1] if found is not None else b""


def named_text(bag: Bag, name: Name) -> str:
    """Return a named property as text."""
    identifier = bag.named(name)
    return text_of_property(bag, identifier) if identifier is not None else ""


def named_time(bag: Bag, name: Name) -> datetime | None:
    """Return a named property as a time in UTC."""
    identifier = bag.named(name)
    return time_of_property(bag, identifier) if identifier is not None else None


def decoded_string(data: bytes, code_page: int) -> str:
    """Return an 8-bit string in the message's code page, or what its letters say where that does not fit."""
    if data.isascii():
        return with_lf(data.decode("ascii"))
    text, replaced = decoded(data, codec_of_mail_page(code_page))
    return decode(data).text if replaced else with_lf(text)


def decoded_html(data: bytes, code_page: int | None, meta: str | None) -> Decoded:
    """Return an HTML body: by what it says itself, else by the message's code page."""
    return decode(data, declared=meta or (name_of(codec_of_mail_page(code_page)) if code_page else None))


def page_of_language(language: int) -> int:
    """Return the number of the code page that Windows uses for a language, WESTERN if it is not known."""
    codec = codec_of_language(language)
    return {"gb18030": 936, "big5hkscs": 950}.get(codec) or int(codec.removeprefix("cp"))


def codec_of_mail_page(page: int) -> str:
    """Return the codec of a code page, also of those that only mail uses."""
    if page in MAIL_PAGES:
        return MAIL_PAGES[page]
    if 28592 <= page <= 28605 and page not in (28600, 28601, 28602, 28604):
        return f"iso8859_{page - 28590}"
    return codec_of_page(page)
