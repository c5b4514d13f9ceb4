"""ZIP packages by what they hold: OOXML by its main part, ODF and EPUB by their mimetype entry, others by tell-tale names.

Source: ECMA-376-2, 10.1.2 (content types); ODF 1.3 part 2, 3.3; EPUB OCF 3.3, 4.3; PKWARE APPNOTE 6.3.10.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import BinaryIO

from docbeam.extractors.source import Source
from docbeam.extractors.zip_directory import ZipEntry, read_directory, salvaged_entries
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import OOXML, MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

MAX_PART_BYTES = 4 << 20  # of [Content_Types].xml or an ODF manifest; the largest honest ones have some hundred KB
MAX_COMPRESSED_BYTES = 1 << 20  # the same, as stored
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
MANIFEST_ENTRY = re.compile(r"<[\w.-]*:?file-entry\s[^<>]{0,2000}>")  # where the mimetype entry is missing
MANIFEST_ROOT = re.compile(r"""full-path\s*=\s*["']/["']""")
ODF_TYPE = re.compile(r"""media-type\s*=\s*["'](application/vnd\.oasis\.opendocument\.[a-z-]{1,40})["']""")
OOXML_FOLDERS = (("word/", MediaType.DOCX), ("xl/", MediaType.XLSX), ("ppt/", MediaType.PPTX))
TELL_TALES = (
    ("androidmanifest.xml", "application/vnd.android.package-archive"), ("meta-inf/manifest.mf", "application/java-archive"),
    ("index/document.iwa", "application/vnd.apple.pages"), ("index.apxl", "application/vnd.apple.keynote"),
    ("doc.kml", "application/vnd.google-earth.kmz"),
    ("fixeddocumentsequence.fdseq", "application/vnd.ms-xpsdocument"), ("fixeddocseq.fdseq", "application/vnd.ms-xpsdocument"),
)  # fmt: skip
ARCHIVES = frozenset(("application/java-archive", "application/vnd.android.package-archive"))
IWORK = frozenset(("application/vnd.apple.pages", "application/vnd.apple.numbers", "application/vnd.apple.keynote"))
PACKAGES = frozenset((*MAIN_PARTS.values(), MediaType.EPUB, MediaType.ODT, MediaType.ODS, MediaType.ODP))


def type_in_package(source: Source, declared: str | None, options: ExtractOptions) -> tuple[str, ExtractionError | None]:
    """Return the type of a ZIP file, and the problem if it is a package that can't be read."""
    with source.open() as file:
        entries = read_directory(file, options.max_zip_entries).entries
        is_damaged = not entries
        if is_damaged:
            entries = salvaged_entries(file, options.max_zip_entries, SCAN_BYTES)
        by_name = {entry.name.replace("\\", "/").lstrip("/").lower(): entry for entry in entries}
        found = _package_type(file, by_name)
        if found is None and is_damaged and declared in PACKAGES:
            return declared or "", ExtractionError(ErrorCategory.CORRUPT, "ZIP directory: broken, and no part is readable")
        manifest = by_name.get("meta-inf/manifest.xml")
        if found is not None and manifest is not None and b"encryption-data" in _part(file, manifest):
            return found, ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "META-INF/manifest.xml lists encrypted parts")
    if found is None and declared in IWORK and any(name.endswith(".iwa") or name.endswith("index.zip") for name in by_name):
        return declared or "", None
    if found is None or (found in ARCHIVES and declared == MediaType.ZIP):
        return MediaType.ZIP, None
    return found, None


def has_directory(source: Source) -> bool:
    """Say whether there is a ZIP archive behind something else, as in a program that unpacks itself."""
    with source.open() as file:
        directory = read_directory(file, 1)
    return directory.problem is None and bool(directory.entries)


def _package_type(file: BinaryIO, entries: dict[str, ZipEntry]) -> str | None:
    if content_types := entries.get("[content_types].xml"):
        xml = _text(_part(file, content_types))
        for content_type in CONTENT_TYPE.findall(xml):
            if main := MAIN_PARTS.get(content_type.lower()):
                return main
    if mimetype := entries.get("mimetype"):
        named = _text(_part(file, mimetype)[:200]).strip().lower()
        if re.fullmatch(r"application/[a-z0-9.+-]+", named):
            return named
    if (manifest := entries.get("meta-inf/manifest.xml")) and "content.xml" in entries:
        for tag in MANIFEST_ENTRY.findall(_text(_part(file, manifest))):
            if MANIFEST_ROOT.search(tag) and (found := ODF_TYPE.search(tag)):
                return found[1]
    if "meta-inf/container.xml" in entries and any(name.endswith(".opf") for name in entries):
        return MediaType.EPUB
    for folder, media_type in OOXML_FOLDERS:
        if any(name.startswith(folder) for name in entries) and (content_types or "_rels/.rels" in entries):
            return media_type
    return next((media_type for name, media_type in TELL_TALES if name in entries), None)


def _text(xml: bytes) -> str:
    if xml[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return xml.decode("utf-16", "replace")
    return xml.decode("utf-8", "replace")


def _part(file: BinaryIO, entry: ZipEntry) -> bytes:
    """Return the start of an entry's bytes, or nothing where it can't be read: the extractor will say why."""
    try:
        file.seek(entry.offset)
        header = file.read(30)
        if len(header) < 30 or entry.is_encrypted:
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
