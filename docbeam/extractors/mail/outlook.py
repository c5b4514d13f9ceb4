"""What MSG files and winmail.dat have in common: an Outlook item as fields, text by its kind, and metadata.

Source: [MS-OXOMSG], [MS-OXOCAL], [MS-OXOTASK], [MS-OXOCNTC] for what a reader sees of each kind of item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.html.prepare import PRESCAN_BYTES, declared_charset
from docbeam.extractors.mail import mapi
from docbeam.extractors.mail.alternative import better
from docbeam.extractors.mail.body import clean
from docbeam.extractors.mail.compressed_rtf import decompressed, wrapped_html
from docbeam.extractors.mail.headers import Headers, read_headers
from docbeam.extractors.mail.inner import inner_text
from docbeam.extractors.mail.mapi import Bag
from docbeam.extractors.mail.names import Names
from docbeam.extractors.mail.words import text_of
from docbeam.schemas.media_types import MediaType

RECIPIENT_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
LISTED = {"To": mapi.DISPLAY_TO, "Cc": mapi.DISPLAY_CC, "Bcc": mapi.DISPLAY_BCC}
MAX_CATEGORIES = 100
IMPORTANCE = {0: "low", 2: "high"}
CONTACT_FIELDS = (
    (0x3001, "Name"), (0x3A16, "Company"), (0x3A17, "Title"), (0x3A18, "Department"), (0x3A08, "Phone (work)"),
    (0x3A09, "Phone (home)"), (0x3A1C, "Phone (mobile)"), (0x3A24, "Fax (work)"), (0x3A27, "City"), (0x3A15, "Address"),
    (0x3A51, "Web page"), (0x3A4F, "Nickname"), (0x3A4E, "Manager"), (0x3A30, "Assistant"), (0x3A48, "Spouse"),
)  # fmt: skip
NAMED_CONTACT_FIELDS = (
    (0x8083, "Email"), (0x8093, "Email"), (0x80A3, "Email"), (0x801B, "Address (work)"), (0x801A, "Address (home)"),
    (0x801C, "Address (other)"), (0x8062, "Messaging"),
)  # fmt: skip


@dataclass(slots=True)
class Item:
    """One Outlook item, read: `fields` are shown as lines, `recipients` are by kind, `headers` those of its transport."""

    sender: str = ""
    subject: str = ""
    date: datetime | None = None
    shown_date: str = ""
    kind: str = ""
    recipients: dict[str, str] = field(default_factory=dict)
    headers: Headers = field(default_factory=Headers)
    extra: list[tuple[str, str]] = field(default_factory=list)


def read_item(bag: Bag, recipients: Sequence[Bag]) -> Item:
    """Return the fields of an item; what its properties lack is taken from its transport headers."""
    item = Item(kind=mapi.text_of_property(bag, mapi.MESSAGE_CLASS))
    raw = mapi.text_of_property(bag, mapi.HEADERS).encode("utf-8", "replace")
    item.headers, _ = read_headers(raw, 0, len(raw))
    item.sender = _sender(bag) or text_of(item.headers.raw("from"))
    item.subject = mapi.text_of_property(bag, mapi.SUBJECT) or mapi.text_of_property(bag, mapi.NORMAL_SUBJECT)
    if item.subject[:1] == "\x01":
        item.subject = item.subject[2:]
    item.subject = " ".join(item.subject.split("\n")).strip() or text_of(item.headers.raw("subject"))
    for prop in (mapi.SUBMIT_TIME, mapi.DELIVERY_TIME, mapi.CREATED):
        item.date = item.date or mapi.time_of_property(bag, prop)
    item.shown_date = shown_time(item.date) or text_of(item.headers.raw("date"))
    for label in RECIPIENT_KINDS.values():
        item.recipients[label] = _recipients(bag, recipients, label) or text_of(item.headers.raw(label.lower()))
    item.extra = list(_extra(bag, item.kind.lower()))
    return item


def write_item(item: Item, out: TextBuilder) -> bool:
    """Write the fields as lines; say whether there are any. Raises Full."""
    has_fields = False
    values = {"From": item.sender, **item.recipients, "Date": item.shown_date, "Subject": item.subject}
    for label, value in (*values.items(), *item.extra):
        if value := " ".join(value.split()):
            out.line(f"{label}: {value}")
            has_fields = True
    return has_fields


def body_text(bag: Bag, out: TextBuilder) -> str:
    """Return the text of the body: plain, HTML, or what is in the compressed RTF. Raises Full."""
    plain = clean(mapi.text_of_property(bag, mapi.BODY))
    html = _html(bag, out)
    texts = [("text/plain", plain)] if plain.strip() else []
    if html.strip():
        texts.append(("text/html", clean(inner_text(out, MediaType.HTML, html, "body"))))
    if texts:
        return better(texts)
    rtf = decompressed(mapi.data_of_property(bag, mapi.RTF_COMPRESSED), out)
    if not rtf:
        return ""
    wrapped = wrapped_html(rtf, out)
    if wrapped is not None:
        return clean(inner_text(out, MediaType.HTML, wrapped, "body"))
    return clean(inner_text(out, MediaType.RTF, rtf, "body"))


def write_metadata(item: Item, prefix: str, bag: Bag, names: Names, out: TextBuilder) -> None:
    """Record an item's metadata under a prefix (`msg`, `tnef`)."""
    out.meta(f"{prefix}.subject", item.subject)
    out.meta(f"{prefix}.from", item.sender)
    sent_by = mapi.text_of_property(bag, mapi.SENDER_NAME)
    out.meta(f"{prefix}.sender", sent_by if sent_by not in item.sender else None)  # who wrote it for another one
    for label, value in item.recipients.items():
        out.meta(f"{prefix}.{label.lower()}", value)
    out.meta(f"{prefix}.date", item.shown_date)
    out.meta(f"{prefix}.categories", "; ".join(bag.texts((mapi.PUBLIC_STRINGS, "Keywords"))[:MAX_CATEGORIES]))
    out.meta(f"{prefix}.class", item.kind)
    out.meta(f"{prefix}.messageId", mapi.text_of_property(bag, mapi.MESSAGE_ID) or text_of(item.headers.raw("message-id")))
    out.meta(f"{prefix}.inReplyTo", mapi.text_of_property(bag, mapi.IN_REPLY_TO) or text_of(item.headers.raw("in-reply-to")))
    out.meta(f"{prefix}.importance", IMPORTANCE.get(mapi.number_of_property(bag, mapi.IMPORTANCE) or 1))
    out.meta(f"{prefix}.attachmentCount", len(names.taken))
    out.meta(f"{prefix}.attachmentNames", names.listed())


def shown_time(time: datetime | None) -> str:
    """Return a time in the ISO form, to the second, or finer if it is."""
    return time.isoformat(timespec="milliseconds" if time.microsecond else "seconds") if time else ""


def person(name: str, address: str) -> str:
    """Return a name and an address as they stand in a field."""
    name, address = name.strip().strip("'\""), address.strip()
    if not name or name.lower() == address.lower() or (address and address.lower() in name.lower()):
        return name or address
    quoted = f'"{name}"' if "," in name else name
    return f"{quoted} <{address}>" if address else quoted


def _sender(bag: Bag) -> str:
    for name, smtp, address in (
        (mapi.SENT_FOR_NAME, mapi.SENT_FOR_SMTP, mapi.SENT_FOR_ADDRESS),
        (mapi.SENDER_NAME, mapi.SENDER_SMTP, mapi.SENDER_ADDRESS),
    ):
        shown = mapi.text_of_property(bag, name)
        mail = mapi.text_of_property(bag, smtp) or _internet(mapi.text_of_property(bag, address))
        if shown or mail:
            return person(shown, mail or _internet(mapi.text_of_property(bag, mapi.SENDER_SMTP)))
    return ""


def _internet(address: str) -> str:
    return address if "@" in address and not address.startswith("/") else ""


def _recipients(bag: Bag, recipients: Sequence[Bag], label: str) -> str:
    people = []
    for recipient in recipients:
        if RECIPIENT_KINDS.get((mapi.number_of_property(recipient, mapi.RECIPIENT_TYPE) or 1) & 0xF, "To") == label:
            mail = mapi.text_of_property(recipient, mapi.SMTP_ADDRESS)
            mail = mail or _internet(mapi.text_of_property(recipient, mapi.ADDRESS))
            people.append(person(mapi.text_of_property(recipient, mapi.DISPLAY_NAME), mail))
    return ", ".join(filter(None, people)) or mapi.text_of_property(bag, LISTED[label])


def _html(bag: Bag, out: TextBuilder) -> str:
    found = bag.find(mapi.HTML)
    if found is None:
        return ""
    if found[0] != mapi.BINARY:
        return mapi.text_of_property(bag, mapi.HTML)
    data = found[1].rstrip(b"\0") if b"\0\0" not in found[1][:64] else found[1]
    page = mapi.number_of_property(bag, mapi.INTERNET_CODE_PAGE)
    return mapi.decoded_html(data, page, declared_charset(data[:PRESCAN_BYTES])).text


def _extra(bag: Bag, kind: str) -> Iterator[tuple[str, str]]:
    """Yield label and value of what a calendar entry, a task or a contact shows besides."""
    if kind.startswith(("ipm.appointment", "ipm.schedule")):
        yield "Start", shown_time(mapi.named_time(bag, (mapi.APPOINTMENT, 0x820D)))
        yield "End", shown_time(mapi.named_time(bag, (mapi.APPOINTMENT, 0x820E)))
        yield "Location", mapi.named_text(bag, (mapi.APPOINTMENT, 0x8208))
        yield "Repeats", mapi.named_text(bag, (mapi.APPOINTMENT, 0x8232))
    elif kind.startswith("ipm.task"):
        yield "Start", shown_time(mapi.named_time(bag, (mapi.TASK, 0x8104)))
        yield "Due", shown_time(mapi.named_time(bag, (mapi.TASK, 0x8105)))
        yield "Owner", mapi.named_text(bag, (mapi.TASK, 0x811F))
    elif kind.startswith("ipm.contact"):
        for identifier, label in CONTACT_FIELDS:
            yield label, mapi.text_of_property(bag, identifier)
        for identifier, label in NAMED_CONTACT_FIELDS:
            yield label, mapi.named_text(bag, (mapi.CONTACT, identifier))
