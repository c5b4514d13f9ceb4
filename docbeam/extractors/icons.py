"""Small pictures in mails, notebooks and drawings: icons and tracking dots, which are documents of their own without text.

They have a row like every embedded document, and no engine is asked: without one they would all be in quarantine. What an
archive holds was put there as a file, so it is read whatever its size is.
"""

from __future__ import annotations

from dataclasses import replace

from docbeam.extractors.engine import Reading
from docbeam.extractors.pictures import is_icon
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.records import Notice
from docbeam.schemas.vocabulary import Origin, WarningCode


def without_icon(reading: Reading, parent_type: str) -> Reading:
    """Return the reading of an embedded picture that is too small for text as one without pages to recognise."""
    extracted = reading.extracted
    if extracted is None or reading.media_type not in MediaType.PICTURES or parent_type in MediaType.ARCHIVES:
        return reading
    sides = [extracted.metadata.get(f"image.{side}", "") for side in ("width", "height")]
    if not all(side.isdecimal() for side in sides) or not is_icon(*map(int, sides)):
        return reading
    pages = tuple(replace(page, origin=Origin.NATIVE) for page in extracted.pages)
    message = f"a picture of {' × '.join(sides)} pixels, too small for text"
    warnings = (*extracted.warnings, Notice(WarningCode.NO_TEXT, "document", message))
    return replace(reading, extracted=replace(extracted, pages=pages, warnings=warnings, tiers=("native",)))
