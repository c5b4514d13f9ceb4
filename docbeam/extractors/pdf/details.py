"""What a PDF says about itself: the information dictionary, version, tags, and the files that it carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.annotations import attachment_name

FIELDS = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped")
MAX_FILES = 10_000
DATE = re.compile(r"(?:D:)?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])\s*(\d\d)'?:?(\d\d)?'?)?")


def information(document: pdfium.PdfDocument) -> dict[str, str]:
    """Return the fields that are set, by their names in the file, and Version and isTagged."""
    found = {name: document.get_metadata_value(name).replace("\x00", "").strip() for name in FIELDS}
    version = document.get_version()
    found["Version"] = f"{version // 10}.{version % 10}" if version else ""
    found["isTagged"] = "true" if pdfium_c.FPDFCatalog_IsTagged(document) else "false"
    return {name: value for name, value in found.items() if value}


def moment(value: str) -> datetime | None:
    """Return a PDF date (D:YYYYMMDDHHmmSS+HH'mm') as an aware datetime, UTC if no zone is given; None if it is none."""
    match = DATE.match(value.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, _, sign, hours, minutes = match.groups()
    try:
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
        return datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            min(int(second or 0), 59),
            tzinfo=timezone(offset),
        )
    except ValueError:
        return None


def attached_files(document: pdfium.PdfDocument) -> Iterator[str]:
    """Yield the names of the files embedded in the document as a whole."""
    for index in range(min(pdfium_c.FPDFDoc_GetAttachmentCount(document), MAX_FILES)):
        attachment = pdfium_c.FPDFDoc_GetAttachment(document, index)
        yield attachment_name(attachment) if attachment else ""
