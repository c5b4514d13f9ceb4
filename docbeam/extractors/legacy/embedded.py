"""Embedded OLE objects: packaged files, and whole documents that a storage keeps, as members; the rest is named.

Source: [MS-OLEDS] 2.3.6 (OLENativeStream), 2.3.8 (CompObj); [MS-OSHARED] 2.3.3 (streams of embedded documents).
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_copy import storage_file
from docbeam.extractors.compound_file import STREAM, CompoundFile, Entry
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import WarningCode

NATIVE = "\x01ole10native"
MAX_NAME_BYTES = 4_096
_WHOLE_STORAGES = (
    ("worddocument", "doc", MediaType.DOC),
    ("workbook", "xls", MediaType.XLS),
    ("book", "xls", MediaType.XLS),
    ("powerpoint document", "ppt", MediaType.PPT),
    ("__properties_version1.0", "msg", MediaType.MSG),
    ("visiodocument", "vsd", "application/vnd.visio"),
    ("encryptedpackage", "bin", MediaType.ENCRYPTED_OOXML),
    ("quill", "pub", "application/vnd.ms-publisher"),
)
_PLAIN_STREAMS = ("package", "embeddedodf", "package_stream", "contents")  # hold the file as it is
_BY_START = (
    (b"%PDF", "pdf"), (b"PK\x03\x04", "zip"), (b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"), (b"BM", "bmp"),
    (b"{\\rtf", "rtf"), (b"RIFF", "wav"), (b"\xd0\xcf\x11\xe0", "ole"), (b"II*\0", "tif"), (b"MM\0*", "tif"),
)  # fmt: skip
_BY_KIND = (
    (b".spreadsheet", "ods"),
    (b".presentation", "odp"),
    (b".chart", "odc"),
    (b".graphics", "odg"),
    (b".formula", "odf"),
)
_BY_FOLDER = ((b"word/document", "docx"), (b"xl/workbook", "xlsx"), (b"ppt/presentation", "pptx"))
_BY_PROGRAM = (
    ("word.document", "docx"), ("word.documentmacro", "docm"), ("excel.sheetbinary", "xlsb"), ("excel.sheetmacro", "xlsm"),
    ("excel.sheet", "xlsx"), ("powerpoint.show", "pptx"), ("powerpoint.slide", "pptx"), ("acroexch", "pdf"),
)  # fmt: skip


class Native(NamedTuple):
    """A packaged file: its name as the person who packed it saw it, and its bytes."""

    name: str
    data: bytes


def add_object(out: TextBuilder, compound: CompoundFile, storage: Entry, name: str) -> None:
    """Unpack what a storage holds as a member named after it, or say in a warning that it is not read. Raises Full."""
    streams = compound.children(storage)
    for stream, ending, media_type in _WHOLE_STORAGES:
        if stream in streams:
            out.member(f"{name}.{ending}", storage_file(compound, storage), media_type)
            return
    for stream in _PLAIN_STREAMS:
        entry = streams.get(stream)
        found = _ending(compound, streams, entry) if entry is not None and entry.kind == STREAM else None
        if entry is not None and found:
            out.member(f"{name}.{found}", compound.chunks(entry))
            return
    if NATIVE in streams:
        _add_native(out, compound, streams[NATIVE], name)
    elif "equation native" in streams:
        out.warn(WarningCode.PART_NOT_READ, name, "an equation object that is not read")
    elif "\x03ocxname" in streams or "ocxdata" in "".join(streams):
        out.warn(WarningCode.PART_NOT_READ, name, "a form control whose value is not read")
    elif _has_content(streams):
        out.warn(WarningCode.EMBEDDED_NOT_READ, name, "an embedded object of a kind that is not read")


def _add_native(out: TextBuilder, compound: CompoundFile, entry: Entry, name: str) -> None:
    try:
        native = read_native(compound.read(entry))
    except ExtractionError as error:
        out.failed_member(name, error.category, error.message)
        return
    ending = ending_by_start(native.data) if native is not None else None
    if native is None or not (native.name or ending):
        out.warn(WarningCode.EMBEDDED_NOT_READ, name, "an embedded object of a kind that is not read")
    else:
        out.member(harmless_path(native.name) or f"{name}.{ending}", native.data)


def read_native(data: bytes) -> Native | None:
    """Return the file of an Ole10Native stream; one without a name where the stream has only data, None if it is broken."""
    if len(data) < 6:
        return None
    if struct.unpack("<H", data[4:6])[0] == 2 and (native := _packaged(data)) is not None:
        return native
    size = struct.unpack("<I", data[:4])[0]
    return Native("", data[4 : 4 + size]) if size else None


def _packaged(data: bytes) -> Native | None:
    label, at = _zero_ended(data, 6)
    path, at = _zero_ended(data, at)
    if at + 8 > len(data):
        return None
    at += 4  # reserved
    (temporary_bytes,) = struct.unpack("<I", data[at : at + 4])
    at += 4 + temporary_bytes
    if temporary_bytes > MAX_NAME_BYTES or at + 4 > len(data):
        return None
    (size,) = struct.unpack("<I", data[at : at + 4])
    body = data[at + 4 : at + 4 + size]
    name = _wide_name(data, at + 4 + size) or (label or path).decode("cp1252", "replace")
    return Native(name.replace("\\", "/").rpartition("/")[2] or name, body)


def _wide_name(data: bytes, at: int) -> str:
    """Return the label in Unicode, which newer programs write after the file: command, label, path."""
    for index in range(2):
        if at + 4 > len(data):
            return ""
        size = struct.unpack("<I", data[at : at + 4])[0] * 2
        if size > MAX_NAME_BYTES or at + 4 + size > len(data):
            return ""
        if index == 1:
            return data[at + 4 : at + 4 + size].decode("utf-16-le", "replace").partition("\0")[0]
        at += 4 + size
    return ""


def _zero_ended(data: bytes, at: int) -> tuple[bytes, int]:
    end = data.find(b"\0", at, at + MAX_NAME_BYTES)
    return (data[at:end], end + 1) if end >= 0 else (b"", len(data))


def _ending(compound: CompoundFile, streams: dict[str, Entry], entry: Entry) -> str | None:
    start = compound.read(entry, 100)
    ending = ending_by_start(start)
    if ending != "zip":
        return ending
    described = streams.get("\x01compobj")
    program = compound.read(described, 1024).decode("latin-1").lower() if described is not None else ""
    if b"opendocument" in start:
        return next((known for word, known in _BY_KIND if word in start), "odt")
    known = next((known for word, known in _BY_PROGRAM if word in program), None)
    return known or _ending_of_package(compound, entry)


def _ending_of_package(compound: CompoundFile, entry: Entry) -> str:
    """Return the extension of a package by the folder of its parts, whose names stand in it as they are."""
    before = b""
    for chunk in compound.chunks(entry):
        for folder, ending in _BY_FOLDER:
            if folder in before + chunk:
                return ending
        before = chunk[-16:]
    return "zip"


def ending_by_start(data: bytes) -> str | None:
    """Return the usual extension of a file that begins so, or None."""
    return next((ending for start, ending in _BY_START if data.startswith(start)), None)


def harmless_path(name: str) -> str:
    """Return a member's name without control characters, drive letters, leading slashes and dots that climb."""
    name = "".join(char for char in name if char.isprintable()).replace("\\", "/")
    pieces = [piece.strip() for piece in name.split("/")]
    return "/".join(piece for piece in pieces if piece not in ("", ".", "..") and not piece.endswith(":"))


def _has_content(streams: dict[str, Entry]) -> bool:
    return any(not name.startswith(("\x01", "\x03")) and entry.size_bytes for name, entry in streams.items())
