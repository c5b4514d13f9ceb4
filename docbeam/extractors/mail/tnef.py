"""winmail.dat (TNEF): the fields and the body of the Outlook item in it, its attachments as members.

Source: [MS-OXTNEF]; [MS-OXCMSG].
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from docbeam.extractors import compound_file
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.legacy.embedded import add_object
from docbeam.extractors.mail import mapi
from docbeam.extractors.mail.body import add_attachment, clean, write_body
from docbeam.extractors.mail.mapi import MapBag, Name, decoded_string
from docbeam.extractors.mail.names import Names, made_up_name, safe_path, subject_name
from docbeam.extractors.mail.outlook import Item, body_text, read_item, write_item, write_metadata
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

SIGNATURE = b"\x78\x9f\x3e\x22"
FROM, SUBJECT, DATE_SENT, BODY = 0x8000, 0x8004, 0x8005, 0x800C
MESSAGE_ID, MESSAGE_CLASS, DATE_MODIFIED = 0x8009, 0x8008, 0x8020
ATTACH_DATA, ATTACH_TITLE, ATTACH_RENDERING = 0x800F, 0x8010, 0x9002
MESSAGE_PROPERTIES, RECIPIENTS, ATTACHMENT, OEM_CODE_PAGE = 0x9003, 0x9004, 0x9005, 0x9007
MAX_PROPERTIES = 10_000
MAX_VALUES = 1_000
MAX_RECIPIENTS = 5_000
GUID_BYTES = 16
FIXED_BYTES = {
    0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16, 0x01: 4,
}  # fmt: skip  # with their padding
WITH_LENGTH = (mapi.STRING_8, mapi.UNICODE, mapi.BINARY, mapi.OBJECT)


class TnefExtractor:
    """Reads application/ms-tnef."""

    name = "tnef"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is TNEF."""
        return media_type in MediaType.TNEF

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the fields and the text of the item.

        Raises: ExtractionError(CORRUPT) if the stream has no TNEF signature.
        """
        out = TextBuilder(options)
        data = source.read()
        if not data.startswith(SIGNATURE):
            raise ExtractionError(ErrorCategory.CORRUPT, "no TNEF signature at byte 0")
        item, bag, names, text = Item(), MapBag({}), Names(), ""
        with out.until_full():
            stream = _read(data, out)
            bag = stream.bag()
            item = read_item(bag, stream.recipients)
            text = clean(body_text(bag, out))
            for number, attachment in enumerate(stream.attachments, 1):
                out.check_deadline()
                _add(attachment, stream.code_page, number, names, out)
        with out.until_full():  # behind the attachments: a full text is no end of them
            write_body(text, write_item(item, out), out)
        if not text and not names.taken:
            out.warn(WarningCode.NO_TEXT, "document", "the item has no text and no attachment")
        write_metadata(item, "tnef", bag, names, out)
        return out.extracted(title=item.subject or None, author=item.sender or None, created_at=item.date)


@dataclass(slots=True)
class _Attachment:
    title: bytes = b""
    data: bytes | None = None
    values: dict[int, tuple[int, bytes]] = field(default_factory=dict)


@dataclass(slots=True)
class _Stream:
    code_page: int = 1252
    values: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    names: dict[Name, int] = field(default_factory=dict)
    old: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    recipients: list[MapBag] = field(default_factory=list)
    attachments: list[_Attachment] = field(default_factory=list)

    def bag(self) -> MapBag:
        """Return the message's properties; its old attributes stand in for those that are missing."""
        for recipient in self.recipients:
            recipient.code_page = self.code_page
        return MapBag(self.old | self.values, self.names, self.code_page)


def _read(data: bytes, out: TextBuilder) -> _Stream:
    stream = _Stream()
    for level, name, value in _attributes(data, out):
        out.check_deadline()
        if level == 2:
            _read_attachment(stream, name, value, out)
        elif name == OEM_CODE_PAGE and len(value) >= 4:
            stream.code_page = int.from_bytes(value[:4], "little") or 1252
        elif name == MESSAGE_PROPERTIES:
            stream.values, stream.names, _ = _properties(value, 0)
        elif name == RECIPIENTS:
            stream.recipients = list(_recipients(value))
        else:
            _read_old(stream, name, value)
    return stream


def _attributes(data: bytes, out: TextBuilder) -> Iterator[tuple[int, int, bytes]]:
    """Yield level (1 message, 2 attachment), name and value of each attribute; a cut value is yielded as far as it goes."""
    at = 6
    while at + 9 <= len(data):
        level, tag, size = struct.unpack("<BII", data[at : at + 9])
        if level not in (1, 2):
            out.warn(WarningCode.PART_DAMAGED, "document", f"no attribute at byte {at}")
            out.cut(TruncationReason.DAMAGED)
            return
        at += 9
        if at + size > len(data):
            out.warn(WarningCode.PART_DAMAGED, "document", f"the attribute at byte {at} is cut")
            out.cut(TruncationReason.DAMAGED)
        yield level, tag & 0xFFFF, data[at : at + size]
        at += size + 2


def _read_old(stream: _Stream, name: int, value: bytes) -> None:
    """Keep an attribute from before MAPI as the property that it stands for."""
    if name == SUBJECT:
        stream.old[mapi.SUBJECT] = (mapi.STRING_8, value)
    elif name == BODY:
        stream.old[mapi.BODY] = (mapi.STRING_8, value)
    elif name == MESSAGE_CLASS:
        stream.old[mapi.MESSAGE_CLASS] = (mapi.STRING_8, value)
    elif name == FROM and len(value) >= 8:
        _, name_bytes, address_bytes = struct.unpack("<HHH", value[2:8])
        text = value[8 : 8 + name_bytes], value[8 + name_bytes : 8 + name_bytes + address_bytes]
        address = text[1].rstrip(b"\0")
        stream.old[mapi.SENT_FOR_NAME] = (mapi.STRING_8, text[0].split(b"\0")[0])
        stream.old[mapi.SENT_FOR_ADDRESS] = (mapi.STRING_8, address[5:] if address[:5].upper() == b"SMTP:" else address)


def _read_attachment(stream: _Stream, name: int, value: bytes, out: TextBuilder) -> None:
    if name == ATTACH_RENDERING or not stream.attachments:
        if len(stream.attachments) >= out.options.max_zip_entries:
            out.cut(TruncationReason.CONTAINER_LIMIT)
            out.warn(WarningCode.ENTRY_LIMIT, "document", f"more than {out.options.max_zip_entries} attachments")
            out.stop(TruncationReason.CONTAINER_LIMIT)
        stream.attachments.append(_Attachment())
    attachment = stream.attachments[-1]
    if name == ATTACH_TITLE:
        attachment.title = value.rstrip(b"\0")
    elif name == ATTACH_DATA:
        attachment.data = value
    elif name == ATTACHMENT:
        attachment.values, _, _ = _properties(value, 0)


def _properties(data: bytes, at: int) -> tuple[dict[int, tuple[int, bytes]], dict[Name, int], int]:
    """Return the properties that begin at a place, the names among them, and where they end; broken ones end the list."""
    values: dict[int, tuple[int, bytes]] = {}
    names: dict[Name, int] = {}
    count = int.from_bytes(data[at : at + 4], "little")
    at += 4
    for _ in range(min(count, MAX_PROPERTIES)):
        if at + 4 > len(data):
            break
        kind, identifier = struct.unpack("<HH", data[at : at + 4])
        at += 4
        if identifier >= 0x8000:
            name, at = _name(data, at)
            names[name] = identifier
        base, is_multiple = kind & ~mapi.MULTIPLE, bool(kind & mapi.MULTIPLE)
        times = 1
        if is_multiple or base in WITH_LENGTH:
            times = int.from_bytes(data[at : at + 4], "little")
            at += 4
        if base not in WITH_LENGTH and base not in FIXED_BYTES:
            break
        for _ in range(min(times, MAX_VALUES)):
            size = FIXED_BYTES.get(base, 0)
            if base in WITH_LENGTH:
                size = int.from_bytes(data[at : at + 4], "little")
                at += 4
            values.setdefault(identifier, (base, data[at : at + size]))
            at += size + -size % 4
            if at > len(data):
                return values, names, len(data)
    return values, names, at


def _name(data: bytes, at: int) -> tuple[Name, int]:
    guid = data[at : at + GUID_BYTES]
    at += GUID_BYTES
    kind, number = (int.from_bytes(data[place : place + 4], "little") for place in (at, at + 4))
    at += 8
    if kind == 0:
        return (guid, number), at
    text = data[at : at + min(number, 1024)].decode("utf-16-le", "replace").rstrip("\0")
    return (guid, text), at + number + -number % 4


def _recipients(data: bytes) -> Iterator[MapBag]:
    at = 4
    for _ in range(min(int.from_bytes(data[:4], "little"), MAX_RECIPIENTS)):
        if at >= len(data):
            return
        values, names, at = _properties(data, at)
        yield MapBag(values, names)


def _add(attachment: _Attachment, code_page: int, number: int, names: Names, out: TextBuilder) -> None:
    """Unpack one attachment."""
    bag = MapBag(attachment.values, {}, code_page)
    media_type = mapi.text_of_property(bag, mapi.ATTACH_MEDIA_TYPE).strip().lower() or None
    name = safe_path(mapi.text_of_property(bag, mapi.ATTACH_LONG_NAME).strip())
    name = name or safe_path(decoded_string(attachment.title, code_page))
    kind, data = attachment.values.get(mapi.ATTACH_DATA, (0, b""))
    if kind == mapi.OBJECT:
        data = data[GUID_BYTES:]  # the interface that reads it
        if data.startswith(SIGNATURE):
            name = name or safe_path(mapi.text_of_property(bag, mapi.DISPLAY_NAME))
            name = subject_name(name.removesuffix(".msg"), "tnef")
            media_type = MediaType.TNEF[0]
        elif data.startswith(compound_file.SIGNATURE):
            compound = CompoundFile(io.BytesIO(data), out.options.max_decompressed_bytes)
            if compound.root is not None:
                add_object(out, compound, compound.root, names.add(name or f"object {number}"))
                return
    elif attachment.data is not None:
        data = attachment.data
    if not data and attachment.data is None:
        path = mapi.text_of_property(bag, mapi.ATTACH_LONG_PATH) or mapi.text_of_property(bag, mapi.ATTACH_PATH)
        said = f"the file is elsewhere: {path}" if path else "the attachment has no data"
        out.warn(WarningCode.ENTRY_MISSING, name or f"attachment {number}", said[:500])
        return
    name = name or made_up_name(media_type or "", str(number))
    add_attachment(out, names.add(name), data, media_type)
