"""Pictures and embedded objects, and the groups in which a document speaks of itself.

Source: RTF 1.9.1, "Pictures", "Objects", "Information group", "User properties".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.rtf.fonts import ANSI
from docbeam.extractors.rtf.objects import unpack_object
from docbeam.extractors.rtf.pictures import picture_lines
from docbeam.extractors.rtf.shape_properties import shape_words
from docbeam.extractors.rtf.tokens import group_end
from docbeam.extractors.rtf.words import DATE_PARTS, DATES, INFO
from docbeam.schemas.vocabulary import WarningCode

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

Word = Callable[["RtfDocument", "int | None"], None]
MIN_WIDTH_TWIPS, MIN_HEIGHT_TWIPS = 1500, 600  # 100 by 40 pixels; smaller pictures are signs and rules
MIN_PICTURE_BYTES = 500
MAX_LINK_BYTES = 300
MAX_PROPERTY_BYTES = 20_000  # in which the properties of a shape or picture stand
NO_FONT = -1
_FILLED = re.compile(rb"\\sn\s+(?:pib|fillBlip)\s*\}\s*\{\\sv\s*\{\\pict(?![a-z])")
_SIZE = re.compile(rb"\\pic([wh])goal([0-9]{1,7})")


def _picture(document: RtfDocument, number: int | None) -> None:
    document.flush()
    end = group_end(document.data, document.at)
    document.body.late += shape_words(document.data, document.at, min(end, document.at + MAX_PROPERTY_BYTES))
    _hand_out(document, end)
    document.skip_group(end)


def _hand_out(document: RtfDocument, end: int) -> None:
    """Hand out the picture whose group ends at `end`, unless it is too small for words."""
    sizes = {match[1]: int(match[2]) for match in _SIZE.finditer(document.data, document.at, min(end, document.at + 4_000))}
    is_small = sizes.get(b"w", MIN_WIDTH_TWIPS) < MIN_WIDTH_TWIPS or sizes.get(b"h", MIN_HEIGHT_TWIPS) < MIN_HEIGHT_TWIPS
    if end - document.at >= 2 * MIN_PICTURE_BYTES and not is_small and not document.group.is_deleted:
        (document.group.story or document.body).late += picture_lines(document, end)


def _shape_property(document: RtfDocument, number: int | None) -> None:
    document.flush()
    end = group_end(document.data, document.at)
    document.body.late += shape_words(document.data, document.at, min(end, document.at + MAX_PROPERTY_BYTES))
    filled = _FILLED.search(document.data, document.at, min(end, document.at + MAX_LINK_BYTES))
    if filled is not None:  # a picture that floats
        start, document.at = document.at, filled.end()
        _hand_out(document, group_end(document.data, document.at))
        document.at = start


def _template(document: RtfDocument, number: int | None) -> None:
    end = min(group_end(document.data, document.at), document.at + MAX_LINK_BYTES)
    target = " ".join(document.data[document.at : end].decode("cp1252", "replace").split())
    if target:
        document.out.warn(WarningCode.EXTERNAL_LINK, "template", f"not fetched: {target}")


def _object_data(document: RtfDocument, number: int | None) -> None:
    document.flush()
    end = group_end(document.data, document.at)
    document.objects += 1
    digits, document.at = document.data[document.at : end], end
    unpack_object(document.out, digits, document.objects)


def _info(document: RtfDocument, number: int | None) -> None:
    document.flush()
    document.group.collect([], lambda: None)
    document.group.in_info = True
    if document.fonts.document != ANSI:
        document.group.font = NO_FONT  # Word writes properties in the document's code page, whatever the default font is for


def _property(document: RtfDocument, key: str, number: int | None) -> None:
    if document.group.in_info:
        document.text_to(lambda text: document.properties.add(key, text))


def _begin_date(document: RtfDocument, key: str, number: int | None) -> None:
    if document.group.in_info:
        document.date = document.properties.dates.setdefault(key, {})


def _date_part(document: RtfDocument, name: str, number: int | None) -> None:
    if document.date is not None and document.group.in_info:
        document.date[name] = number or 0


def _name_of_own(document: RtfDocument, number: int | None) -> None:
    document.text_to(document.properties.name_own)


def _value_of_own(document: RtfDocument, number: int | None) -> None:
    document.text_to(document.properties.add_own)


def _keyed(take: Callable[..., None], key: str) -> Word:
    return lambda document, number: take(document, key, number)


def _sign(text: str) -> Word:
    def add(document: RtfDocument, number: int | None) -> None:
        document.flush()
        document.add(text)

    return add


WORDS: dict[str, Word] = {
    "mden": _sign("/"), "msup": _sign("^"), "mdeg": _sign("√"),
    "pict": _picture, "sp": _shape_property, "template": _template, "objdata": _object_data, "info": _info, "userprops": _info,
    "propname": _name_of_own, "staticval": _value_of_own,
    **{name: _keyed(_property, key) for name, key in INFO.items()},
    **{name: _keyed(_begin_date, key) for name, key in DATES.items()},
    **{name: _keyed(_date_part, name) for name in DATE_PARTS},
}  # fmt: skip
