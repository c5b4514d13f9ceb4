"""What a picture says of itself: size and kind, camera, dates, author and captions from EXIF, PNG text, IPTC and XMP.

Source: Exif 3.0, PNG (third edition) 11.3.3 text chunks, IPTC IIM 4.2, XMP part 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

from lxml import etree
from PIL import ExifTags, Image, ImageFile, IptcImagePlugin

from docbeam.extractors.boundary import guarded
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.image.tones import sane_dpi
from docbeam.schemas.errors import ExtractionError

TAG = ExifTags.Base
TEXT_KEYS = ("title", "author", "description", "software", "comment", "copyright")
RAW_KEYS = ("xml:com.adobe.xmp", "raw profile type exif", "raw profile type iptc", "raw profile type xmp", "icc_profile")
MAX_OWN_TEXTS = 20
MAX_XMP_BYTES = 1 << 20
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
IPTC_TITLE, IPTC_KEYWORDS, IPTC_BYLINE, IPTC_CAPTION = (2, 5), (2, 25), (2, 80), (2, 120)
EXIF_TIME = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?")
EXIF_OFFSET = re.compile(r"([+-])(\d\d):(\d\d)")
PLACEHOLDERS = ("OLYMPUS DIGITAL CAMERA", "SONY DSC", "DCIM", "default")  # captions that cameras write by themselves


class Shown(NamedTuple):
    """The properties that have columns of their own."""

    title: str | None
    author: str | None
    created_at: datetime | None
    modified_at: datetime | None


def describe(picture: Image.Image, out: TextBuilder) -> Shown:
    """Record a picture's properties as metadata; return those with columns. Broken ones are passed over."""
    dpi = sane_dpi(picture.info.get("dpi"), picture.size)
    out.meta("image.width", picture.width)
    out.meta("image.height", picture.height)
    out.meta("image.format", picture.format)
    out.meta("image.mode", picture.mode)
    out.meta("image.dpi", round(dpi) if dpi else None)
    exif, inner = _exif(picture)
    texts, iptc, xmp = _texts(picture), _iptc(picture), _xmp(picture)
    out.meta("image.make", _text(exif.get(TAG.Make)))
    out.meta("image.model", _text(exif.get(TAG.Model)))
    out.meta("image.software", _text(exif.get(TAG.Software)) or texts.get("software"))
    out.meta("image.copyright", _text(exif.get(TAG.Copyright)) or texts.get("copyright") or xmp.get("rights"))
    out.meta("image.dateTimeOriginal", _text(inner.get(TAG.DateTimeOriginal)))
    description = _text(exif.get(TAG.ImageDescription))
    caption = "" if description in PLACEHOLDERS else description
    out.meta("image.description", _each(caption, texts.get("description"), iptc.get(IPTC_CAPTION), xmp.get("description")))
    comments = (texts.get("comment"), _text(inner.get(TAG.UserComment)), _wide_text(exif.get(TAG.XPComment)))
    out.meta("image.comment", _each(*comments))
    out.meta("image.keywords", _each(iptc.get(IPTC_KEYWORDS), xmp.get("subject"), _wide_text(exif.get(TAG.XPKeywords))))
    for name, value in _own_texts(picture):
        out.meta(f"image.property.{name}", value)
    title = texts.get("title") or _wide_text(exif.get(TAG.XPTitle)) or iptc.get(IPTC_TITLE) or xmp.get("title")
    author = _text(exif.get(TAG.Artist)) or texts.get("author") or iptc.get(IPTC_BYLINE) or xmp.get("creator")
    return Shown(
        title or None,
        author or None,
        exif_time(inner.get(TAG.DateTimeOriginal), inner.get(TAG.OffsetTimeOriginal))
        or exif_time(inner.get(TAG.DateTimeDigitized), inner.get(TAG.OffsetTimeDigitized)),
        exif_time(exif.get(TAG.DateTime), inner.get(TAG.OffsetTime)),
    )


def _each(*texts: str | None) -> str:
    """Return all different texts that say the same thing of a picture; most pictures have one."""
    return "; ".join(dict.fromkeys(text for text in texts if text))


def exif_time(value: object, offset: object = None) -> datetime | None:
    """Return an EXIF time; where the camera gave no offset from UTC, it is taken as UTC."""
    found = EXIF_TIME.match(_text(value))
    if not found:
        return None
    zone = UTC
    if shift := EXIF_OFFSET.match(_text(offset)):
        minutes = int(shift[2]) * 60 + int(shift[3])
        zone = timezone(timedelta(minutes=-minutes if shift[1] == "-" else minutes)) if minutes < 24 * 60 else zone
    try:
        return datetime(*(int(part or 0) for part in found.groups()), tzinfo=zone)  # type: ignore[arg-type,misc]
    except ValueError:
        return None


def _exif(picture: Image.Image) -> tuple[Mapping[int, object], Mapping[int, object]]:
    try:
        exif = guarded(lambda: Image.Image.getexif(picture))  # PngImageFile's own would decode the picture to look behind it
        return guarded(lambda: dict(exif)), guarded(lambda: exif.get_ifd(ExifTags.IFD.Exif))
    except ExtractionError:
        return {}, {}


def _texts(picture: Image.Image) -> dict[str, str]:
    """Return the text chunks of a PNG and the comments of GIF and JPEG, by their keys in lower case."""
    chunks = {str(key).lower(): _text(value) for key, value in picture.info.items()}
    return {name: chunks[name] for name in TEXT_KEYS if chunks.get(name)}


def _own_texts(picture: Image.Image) -> list[tuple[str, str]]:
    """Return the text chunks of a PNG whose keys are none of the usual ones."""
    if picture.format != "PNG":
        return []
    own = [(key, value) for key, value in picture.info.items() if isinstance(key, str) and isinstance(value, str)]
    shown = [(" ".join(key.split())[:100], _text(value)) for key, value in own if key.lower() not in (*TEXT_KEYS, *RAW_KEYS)]
    return shown[:MAX_OWN_TEXTS]


def _iptc(picture: Image.Image) -> dict[tuple[int, int], str]:
    if not isinstance(picture, ImageFile.ImageFile) or picture.format not in ("JPEG", "TIFF", "MPO"):
        return {}
    try:
        found = guarded(lambda: IptcImagePlugin.getiptcinfo(picture)) or {}
    except ExtractionError:
        return {}
    return {key: ", ".join(map(_text, value if isinstance(value, list) else [value])) for key, value in found.items()}


def _xmp(picture: Image.Image) -> dict[str, str]:
    """Return the Dublin Core properties of the XMP packet."""
    packet = picture.info.get("xmp") or picture.info.get("XML:com.adobe.xmp") or b""
    data = packet.encode() if isinstance(packet, str) else bytes(packet)
    if not data or len(data) > MAX_XMP_BYTES:
        return {}
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=True)
    try:
        root = guarded(lambda: etree.fromstring(data.strip(b"\0 \r\n\t"), parser))
    except ExtractionError:
        return {}
    names = ("title", "description", "creator", "rights", "subject")
    return {} if root is None else {name: _dublin_core(root, name) for name in names}


def _dublin_core(root: etree._Element, name: str) -> str:
    element = next(root.iter(DUBLIN_CORE + name), None)
    if element is None:
        return ""
    return ", ".join(part for part in (str(text).strip() for text in element.itertext()) if part)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        if value[:8] in (b"ASCII\0\0\0", b"UNICODE\0", b"JIS\0\0\0\0\0", b"\0" * 8):  # EXIF's UserComment names its charset
            return _decoded(value[8:], "utf-16" if value.startswith(b"UNICODE") else "utf-8")
        return _decoded(value, "utf-8")
    if isinstance(value, str) and not value.isascii():
        with suppress(UnicodeError):  # Pillow reads EXIF's ASCII as Latin-1; most cameras write UTF-8
            value = value.encode("latin-1").decode("utf-8")
    return " ".join(str(value).replace("\0", " ").split()) if isinstance(value, (str, int, float)) else ""


def _wide_text(value: object) -> str:
    """Return the text of one of Windows' XP tags: UTF-16 as bytes or as a tuple of bytes."""
    try:
        data = bytes(value) if isinstance(value, (bytes, tuple)) else b""
    except (TypeError, ValueError):
        return ""
    return _decoded(data, "utf-16-le")


def _decoded(data: bytes, charset: str) -> str:
    try:
        text = data.decode(charset)
    except UnicodeDecodeError:
        text = data.decode("latin-1") if charset == "utf-8" else ""
    return " ".join(text.replace("\0", " ").split())
