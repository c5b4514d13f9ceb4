"""ZIP packages by what they hold: OOXML by its main part, ODF and EPUB by their mimetype entry, others by tell-tale names.

Source: ECMA-376-2, 10.1.2 (content types); ODF 1.3 part 2, 3.3; EPUB OCF 3.3, 4.3; PKWARE APPNOTE 6.3.10.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import BinaryIO, NamedTuple

from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import OOXML, MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

MAX_PART_BYTES = 4 << 20  # of [Content_Types].xml or an ODF manifest; the largest honest ones have some hundred KB
MAX_COMPRESSED_BYTES = 1 << 20  # the same, as stored
MAX_DIRECTORY_BYTES = 16 << 20  # of the central directory: ten thousand entries with long names
MAX_END_BYTES = 65_557  # end record and longest comment
SCAN_BYTES = 1 << 20  # in which local headers are searched where the directory is broken

MS_WORD, MS_EXCEL, MS_POWERPOINT = "application/vnd.ms-word.", "application/vnd.ms-excel.", "application/vnd.ms-powerpoint."
MAIN_PARTS = {
    OOXML + "wordprocessingml.document.main+xml": MediaType.WORD[0],
    OOXML + "wordprocessingml.template.main+xml": MediaType.WORD[1],
    MS_WORD + "document.macroenabled.main+xml": MediaType.WORD[2],
    MS_WORD + "template.macroenabledtemplate.main+xml": MediaType.WORD[3],
    MS_WORD + "template.macroenabled.main+xml": MediaType.WORD[3],
    OOXML + "spreadsheetml.sheet.main+xml": MediaType.SPREADSHEET[0],
    OOXML + "spreadsheetml.template.main+xml": MediaType.SPREADSHEET[1],
    MS_EXCEL + "sheet.macroenabled.main+xml": MediaType.SPREADSHEET[2],
    MS_EXCEL + "template.macroenabled.main+xml": MediaType.SPREADSHEET[3],
    MS_EXCEL + "addin.macroenabled.main+xml": "application/vnd.ms-excel.addin.macroenabled.12",
    MS_EXCEL + "sheet.binary.macroenabled.main": MediaType.XLSB,
    OOXML + "presentationml.presentation.main+xml": MediaType.PRESENTATION[0],
    OOXML + "presentationml.template.main+xml": MediaType.PRESENTATION[1],
    OOXML + "presentationml.slideshow.main+xml": MediaType.PRESENTATION[2],
    MS_POWERPOINT + "presentation.macroenabled.main+xml": MediaType.PRESENTATION[3],
    MS_POWERPOINT + "template.macroenabled.main+xml": MediaType.PRESENTATION[4],
    MS_POWERPOINT + "slideshow.macroenabled.main+xml": MediaType.PRESENTATION[5],
    MS_POWERPOINT + "addin.macroenabled.main+xml": "application/vnd.ms-powerpoint.addin.macroenabled.12",
    "application/vnd.ms-visio.drawing.main+xml": "application/vnd.ms-visio.drawing",
    "application/vnd.ms-package.xps-fixeddocumentsequence+xml": "application/vnd.ms-xpsdocument",
}
CONTENT_TYPE = re.compile(r"""ContentType\s*=\s*["']([^"']{1,200})["']""")
OOXML_FOLDERS = (("word/", MediaType.DOCX), ("xl/", MediaType.XLSX), ("ppt/", MediaType.PPTX))
TELL_TALES = (
    ("androidmanifest.xml", "application/vnd.android.package-archive"), ("meta-inf/manifest.mf", "application/java-archive"),
    ("index/document.iwa", "application/vnd.apple.pages"), ("index.apxl", "application/vnd.apple.keynote"),
    ("doc.kml", "application/vnd.google-earth.kmz"),
    ("fixeddocumentsequence.fdseq", "application/vnd.ms-xpsdocument"), ("fixeddocseq.fdseq", "application/vnd.ms-xpsdocument"),
)  # fmt: skip
IWORK = frozenset(("application/vnd.apple.pages", "application/vnd.apple.numbers", "application/vnd.apple.keynote"))
PACKAGES = frozenset((*MAIN_PARTS.values(), MediaType.EPUB, MediaType.ODT, MediaType.ODS, MediaType.ODP))
LOCAL_HEADER = re.compile(rb"PK\x03\x04.{22}", re.DOTALL)


class Entry(NamedTuple):
    """One entry of a ZIP directory: name, method, compressed bytes, place of its local header, general flags."""

    name: str
    method: int
    compressed_bytes: int
    offset: int
    flags: int


def type_in_package(source: Source, declared: str | None, options: ExtractOptions) -> tuple[str, ExtractionError | None]:
    """Return the type of a ZIP file, and the problem if it is a package that can't be read."""
    with source.open() as file:
        entries = _directory(file, options.max_zip_entries)
        is_damaged = not entries
        if is_damaged:
            file.seek(0)
            entries = _local_entries(file.read(SCAN_BYTES))
        by_name = {entry.name.replace("\\", "/").lstrip("/").lower(): entry for entry in entries}
        found = _package_type(file, by_name)
        if found is None and is_damaged and declared in PACKAGES:
            return declared or "", ExtractionError(ErrorCategory.CORRUPT, "ZIP directory: broken, and no part is readable")
        manifest = by_name.get("meta-inf/manifest.xml")
        if found is not None and manifest is not None and b"encryption-data" in _part(file, manifest):
            return found, ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "META-INF/manifest.xml lists encrypted parts")
    if found is None and declared in IWORK and any(name.endswith(".iwa") or name.endswith("index.zip") for name in by_name):
        return declared or "", None
    return found or MediaType.ZIP, None


def _package_type(file: BinaryIO, entries: dict[str, Entry]) -> str | None:
    if content_types := entries.get("[content_types].xml"):
        xml = _text(_part(file, content_types))
        for content_type in CONTENT_TYPE.findall(xml):
            if main := MAIN_PARTS.get(content_type.lower()):
                return main
    if mimetype := entries.get("mimetype"):
        named = _text(_part(file, mimetype)[:200]).strip().lower()
        if re.fullmatch(r"application/[a-z0-9.+-]+", named):
            return named
    for folder, media_type in OOXML_FOLDERS:
        if any(name.startswith(folder) for name in entries) and (content_types or "_rels/.rels" in entries):
            return media_type
    return next((media_type for name, media_type in TELL_TALES if name in entries), None)


def _text(xml: bytes) -> str:
    if xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return xml.decode("utf-16", "replace")
    return xml.decode("utf-8", "replace")


def _part(file: BinaryIO, entry: Entry) -> bytes:
    """Return the start of an entry's bytes, or nothing where it can't be read: the extractor will say why."""
    try:
        file.seek(entry.offset)
        header = file.read(30)
        if len(header) < 30 or entry.flags & 1:
            return b""
        name_bytes, extra_bytes = struct.unpack("<HH", header[26:30])
        file.seek(name_bytes + extra_bytes, 1)
        data = file.read(min(entry.compressed_bytes or MAX_COMPRESSED_BYTES, MAX_COMPRESSED_BYTES))
        if entry.method == 8:
            return _inflated(data)
        return data if entry.method == 0 else b""
    except (OSError, ValueError, OverflowError):
        return b""


def _inflated(data: bytes) -> bytes:
    """Return what comes out until the cap or the first fault."""
    stream, out = zlib.decompressobj(-15), b""
    for start in range(0, len(data), 4096):
        try:
            out += stream.decompress(data[start : start + 4096], MAX_PART_BYTES - len(out) + 1)
        except zlib.error:
            break
        if len(out) > MAX_PART_BYTES or stream.eof:
            break
    return out


def _directory(file: BinaryIO, limit: int) -> list[Entry]:
    """Return the entries of the central directory, at most `limit`; none if there is no directory or it is broken."""
    size = file.seek(0, 2)
    file.seek(max(0, size - MAX_END_BYTES))
    tail = file.read(MAX_END_BYTES)
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or end + 22 > len(tail):
        return []
    directory_bytes, offset = struct.unpack("<II", tail[end + 12 : end + 20])
    start = size - len(tail) + end - directory_bytes  # where it is also if bytes were put before the archive
    if offset == 0xFFFFFFFF or directory_bytes == 0xFFFFFFFF:
        start, directory_bytes = _zip64(tail, end)
    if not 0 <= start < size:
        return []
    shift = max(0, start - offset) if offset != 0xFFFFFFFF else 0
    file.seek(start)
    return _central_entries(file.read(min(directory_bytes, MAX_DIRECTORY_BYTES)), limit, shift)


def _zip64(tail: bytes, end: int) -> tuple[int, int]:
    record = tail.rfind(b"PK\x06\x06", 0, end)
    if record < 0 or record + 56 > len(tail):
        return -1, 0
    directory_bytes, offset = struct.unpack("<QQ", tail[record + 40 : record + 56])
    return offset, directory_bytes


def _central_entries(data: bytes, limit: int, shift: int) -> list[Entry]:
    entries: list[Entry] = []
    at = 0
    while len(entries) < limit and data[at : at + 4] == b"PK\x01\x02" and at + 46 <= len(data):
        flags, method = struct.unpack("<HH", data[at + 8 : at + 12])
        (compressed,) = struct.unpack("<I", data[at + 20 : at + 24])
        name_bytes, extra_bytes, comment_bytes = struct.unpack("<HHH", data[at + 28 : at + 34])
        (offset,) = struct.unpack("<I", data[at + 42 : at + 46])
        name = data[at + 46 : at + 46 + name_bytes].decode("utf-8", "replace")
        entries.append(Entry(name, method, compressed if compressed != 0xFFFFFFFF else 0, offset + shift, flags))
        at += 46 + name_bytes + extra_bytes + comment_bytes
    return entries


def _local_entries(data: bytes) -> list[Entry]:
    """Return the entries whose local headers lie in `data`: what is left of an archive that was cut."""
    entries = []
    for match in LOCAL_HEADER.finditer(data):
        flags, method = struct.unpack("<HH", match[0][6:10])
        (compressed,) = struct.unpack("<I", match[0][18:22])
        (name_bytes,) = struct.unpack("<H", data[match.end() : match.end() + 2].ljust(2, b"\0"))
        name = data[match.end() + 4 : match.end() + 4 + name_bytes].decode("utf-8", "replace")
        entries.append(Entry(name, method, compressed, match.start(), flags))
    return entries
