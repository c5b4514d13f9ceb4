"""Mails, mailboxes, Outlook messages, calendars and contacts with a canary in each part."""

from __future__ import annotations

import struct
from email.message import EmailMessage

from tests.canaries.planting import Bed
from tests.extractors.compounds import compound


def _mail(bed: Bed) -> EmailMessage:
    t = bed.plant
    mail = EmailMessage()
    mail["Subject"] = t("subject")
    mail["From"] = f"{t('sender')} <a@example.org>"
    mail["To"] = f"{t('recipient')} <b@example.org>"
    mail["Cc"] = f"{t('copy')} <c@example.org>"
    mail["Bcc"] = f"{t('blind copy')} <d@example.org>"
    mail["Reply-To"] = f"{t('reply address')} <e@example.org>"
    mail["Sender"] = f"{t('on behalf')} <f@example.org>"
    mail["Date"] = "Mon, 01 Jan 2024 10:00:00 +0000"
    mail["Organization"] = t("organisation")
    mail["Keywords"] = t("keywords")
    mail["Comments"] = t("comments")
    mail["X-Mailer"] = t("mailer")
    mail["Message-ID"] = f"<{t('message ID')}@example.org>"
    mail["References"] = f"<{t('references')}@example.org>"
    mail["Received"] = f"from {t('trace of a server')}"
    mail["X-Custom"] = t("header of a program")
    mail.set_content(f"{t('plain body')} and more of it")
    mail.add_alternative(
        f"<p>{t('HTML body that says more')}</p><img src='cid:pic' alt='{t('alternative text')} of it'>", subtype="html"
    )
    html = mail.get_payload()[1]
    html.add_related(
        f'<svg xmlns="http://www.w3.org/2000/svg"><text>{t("picture in the body")}</text></svg>'.encode(),
        "image",
        "svg+xml",
        cid="<pic>",
    )
    mail.add_attachment(t("attachment"), filename=f"{t('attachment name')}.txt")
    inner = EmailMessage()
    inner["Subject"] = t("subject of an attached mail")
    inner.set_content(t("attached mail"))
    mail.add_attachment(inner)
    mail.preamble, mail.epilogue = t("preamble"), t("epilogue")
    return mail


def eml() -> Bed:
    """Return a mail."""
    bed = Bed("mail.eml")
    bed.data = _mail(bed).as_bytes()
    return bed


def mbox() -> Bed:
    """Return a mailbox of two mails."""
    bed = Bed("box.mbox")
    start = b"From a@example.org Mon Jan  1 10:00:00 2024\n"
    first, second = EmailMessage(), EmailMessage()
    for place, mail in (("first", first), ("last", second)):
        mail["From"] = "a@example.org"
        mail["Subject"] = bed.plant(f"subject of the {place} mail")
        mail.set_content(bed.plant(f"{place} mail"))
    bed.data = start + first.as_bytes() + b"\n" + start + second.as_bytes()
    return bed


def msg() -> Bed:
    """Return an Outlook message."""
    bed = Bed("message.msg")
    t = bed.plant

    def streams(
        prefix: str, texts: dict[int, str], count: int = 0, header: int = 8, fixed: dict[int, int] | None = None
    ) -> dict[str, bytes]:
        found, entries = {}, b""
        for key, text in texts.items():
            found[f"{prefix}__substg1.0_{key:04X}001F"] = text.encode("utf-16-le")
            entries += struct.pack("<HHIII", 0x1F, key, 6, len(text) * 2 + 2, 0)
        for key, value in (fixed or {}).items():
            entries += struct.pack("<HHIII", 3, key, 6, value, 0)
        head = struct.pack("<8xIIII", count, count, count, count) if header > 8 else b""
        found[f"{prefix}__properties_version1.0"] = head.ljust(header, b"\0") + entries
        return found

    made = streams(
        "",
        {0x001A: "IPM.Note", 0x0037: t("subject"), 0x0C1A: t("sender"), 0x1000: t("body"), 0x0E04: "", 0x0070: t("conversation topic"),
         0x0042: t("on behalf"), 0x1035: f"<{t('message ID')}@x>", 0x0E02: t("blind copies shown")},
        1,
        32,
    )  # fmt: skip
    for number, place in enumerate(("recipient", "copy", "blind copy")):
        made |= streams(
            f"__recip_version1.0_#{number:08X}/", {0x3001: t(place), 0x3003: "r@example.org"}, fixed={0x0C15: number + 1}
        )
    attachment = streams("__attach_version1.0_#00000000/", {0x3707: f"{t('attachment name')}.txt"}, fixed={0x3705: 1})
    attachment["__attach_version1.0_#00000000/__substg1.0_37010102"] = t("attachment").encode()
    bed.data = compound(made | attachment)
    return bed


def ics() -> Bed:
    """Return a calendar."""
    bed = Bed("calendar.ics")
    t = bed.plant
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{t('product')}", f"X-WR-CALNAME:{t('calendar name')}", f"X-WR-CALDESC:{t('calendar description')}",
        "BEGIN:VEVENT", "UID:1", "DTSTART:20240101T100000Z", f"SUMMARY:{t('summary')}", f"DESCRIPTION:{t('description')}", f"LOCATION:{t('location')}",
        f"ORGANIZER;CN={t('organiser')}:mailto:a@example.org", f"ATTENDEE;CN={t('attendee')}:mailto:b@example.org", f"COMMENT:{t('comment')}",
        f"CATEGORIES:{t('category')}", f"CONTACT:{t('contact')}", f"RESOURCES:{t('resources')}", f"URL:https://{t('address')}.example/",
        f"ATTACH;VALUE=URI:https://{t('attachment link')}.example/", "BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{t('alarm')}", "END:VALARM", "END:VEVENT",
        "BEGIN:VTODO", "UID:2", f"SUMMARY:{t('task')}", "END:VTODO", "BEGIN:VJOURNAL", "UID:3", f"DESCRIPTION:{t('journal')}", "END:VJOURNAL",
        "END:VCALENDAR",
    ]  # fmt: skip
    bed.data = "\r\n".join(lines).encode()
    return bed


def vcf() -> Bed:
    """Return a contact."""
    bed = Bed("contact.vcf")
    t = bed.plant
    lines = [
        "BEGIN:VCARD", "VERSION:3.0", f"FN:{t('name')}", f"N:{t('family name')};{t('given name')};;;", f"ORG:{t('organisation')};{t('department')}",
        f"TITLE:{t('job title')}", f"ROLE:{t('role')}", f"NICKNAME:{t('nickname')}", f"NOTE:{t('note')}", f"TEL;TYPE=work:{t('telephone')}",
        f"EMAIL:{t('mail address')}@example.org", f"ADR;TYPE=home:;;{t('street')};{t('city')};;1;{t('country')}", f"URL:https://{t('web page')}.example/",
        f"CATEGORIES:{t('category')}", "BDAY:2000-01-01", "item1.TEL:123", f"X-SPOUSE:{t('property of a program')}", f"item1.X-ABLabel:{t('label')}", "END:VCARD",
    ]  # fmt: skip
    bed.data = "\r\n".join(lines).encode()
    return bed
