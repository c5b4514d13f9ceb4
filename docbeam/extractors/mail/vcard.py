"""Contacts (vCard 2.1, 3.0 and 4.0): each as lines that a person can read, in the order of the card.

Source: RFC 6350; RFC 2426; vCard 2.1.
"""

from __future__ import annotations

import re

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.mail.calendar import date_text
from docbeam.extractors.mail.content_lines import ContentLine, content_lines, split_fields, unescaped
from docbeam.extractors.mail.names import made_up_name
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode

LABELS = {
    "FN": "Name", "NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Title", "ROLE": "Role", "TEL": "Phone",
    "EMAIL": "Email", "ADR": "Address", "LABEL": "Address", "URL": "URL", "BDAY": "Birthday", "ANNIVERSARY": "Anniversary",
    "NOTE": "Note", "CATEGORIES": "Categories", "IMPP": "Messaging", "GENDER": "Gender", "LANG": "Language", "GEO": "Place",
    "TZ": "Time zone", "RELATED": "Related", "MEMBER": "Member", "KIND": "Kind", "AGENT": "Agent", "MAILER": "Mailer",
    "EXPERTISE": "Expertise", "HOBBY": "Hobby", "INTEREST": "Interest", "FBURL": "Free/busy", "CALURI": "Calendar",
    "BIRTHPLACE": "Birthplace", "DEATHDATE": "Died", "DEATHPLACE": "Place of death", "ORG-DIRECTORY": "Directory",
    "X-ABRELATEDNAMES": "Related", "X-ABDATE": "Date", "X-SOCIALPROFILE": "Profile", "X-ANNIVERSARY": "Anniversary",
    "X-SPOUSE": "Spouse", "X-MANAGER": "Manager", "X-ASSISTANT": "Assistant", "X-SKYPE": "Skype", "X-JABBER": "Jabber",
    "X-ICQ": "ICQ", "X-AIM": "AIM", "X-MSN": "MSN", "X-YAHOO": "Yahoo", "X-PHONETIC-FIRST-NAME": "Phonetic first name",
    "X-PHONETIC-LAST-NAME": "Phonetic last name", "X-MAIDENNAME": "Maiden name", "X-DEPARTMENT": "Department",
}  # fmt: skip
PICTURES = {"PHOTO": "photo", "LOGO": "logo", "SOUND": "sound", "KEY": "key"}
NAME_ORDER = (3, 1, 2, 0, 4)  # prefix, given, more, family, suffix
SILENT_TYPES = frozenset(("internet", "pref", "voice", "x400", "jpeg", "parcel", "postal", "intl"))


class VcardExtractor:
    """Reads text/vcard."""

    name = "vcard"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a contact."""
        return media_type == MediaType.VCARD

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the contacts, one below the other, with a blank line between them; pictures become members."""
        out = TextBuilder(options)
        found = decode(source.read())
        found.report(out)
        names: list[str] = []
        card: list[ContentLine] = []
        with out.until_full():
            for line in content_lines(found.text):
                out.check_deadline()
                if line.name in ("BEGIN", "END"):
                    _write(card, names, out)
                    card = []
                elif len(card) < options.max_zip_entries:
                    card.append(line)
            _write(card, names, out)
        if not names:
            out.warn(WarningCode.NO_TEXT, "document", "no contact")
        out.meta("vcf.contactCount", len(names))
        return out.extracted(confidence=found.confidence, title=names[0] if len(names) == 1 and names[0] else None)


def _write(card: list[ContentLine], names: list[str], out: TextBuilder) -> None:
    if not card:
        return
    labels = {line.group: line.text for line in card if line.name == "X-ABLABEL" and line.group}
    full = next((line.text.strip() for line in card if line.name == "FN" and line.text.strip()), "")
    parts = next((line.fields for line in card if line.name == "N"), [])
    made = " ".join(parts[place] for place in NAME_ORDER if place < len(parts) and parts[place])
    if names:
        out.line("")
    names.append(full or made)
    if not full and made:
        out.line(f"Name: {made}")
    elif made and set(made.split()) - set(full.split()):
        out.line(f"Full name: {made}")
    for line in card:
        if text := _line(line, labels, out):
            out.line(text)


def _line(line: ContentLine, labels: dict[str, str], out: TextBuilder) -> str:
    name = line.name
    if name in PICTURES:
        if (data := line.data()) is not None and data:
            kind = line.parameters.get("MEDIATYPE") or line.parameters.get("TYPE", "")
            kind = kind.lower() if "/" in kind else f"image/{kind.lower()}" if name in ("PHOTO", "LOGO") and kind else kind
            out.member(f"{PICTURES[name]} {made_up_name(kind, '').removeprefix('part')}".replace(" .", "."), data, None)
            return ""
        return f"{PICTURES[name].capitalize()}: {line.text.strip()}" if "://" in line.value else ""
    label = LABELS.get(name)
    if label is None or not line.value.strip(" ;"):
        return ""
    return f"{label}{_types(line, labels)}: {_value(line)}"


def _value(line: ContentLine) -> str:
    if line.name in ("ADR", "ORG", "GENDER"):
        return ", ".join(
            ", ".join(unescaped(part).strip() for part in split_fields(field, ",") if part.strip())
            for field in split_fields(line.value)
            if field.strip()
        )
    if line.name in ("BDAY", "ANNIVERSARY", "X-ABDATE", "DEATHDATE"):
        return date_text(line.text.strip(), None)
    text = line.text.strip()
    if line.name in ("TEL", "EMAIL", "IMPP"):
        text = re.sub(r"^(?:tel|mailto):", "", text, flags=re.IGNORECASE)
    return text


def _types(line: ContentLine, labels: dict[str, str]) -> str:
    own = re.sub(r"^_\$!<(.*)>!\$_$", r"\1", labels.get(line.group, "").strip())
    kinds = [kind.strip().lower() for kind in line.parameters.get("TYPE", "").split(",")]
    shown = [own] if own else [kind for kind in dict.fromkeys(kinds) if kind and kind not in SILENT_TYPES]
    return f" ({', '.join(shown)})" if shown else ""
