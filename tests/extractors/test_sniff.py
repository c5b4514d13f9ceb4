"""The media type from the bytes: signatures, packages, compound files, kinds of text, and names that lie."""

from __future__ import annotations

import io
import json
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from docbeam.extractors.sniff import Sniffed, sniff
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import BY_EXTENSION, MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

OPTIONS = ExtractOptions()
MAIN = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml": MediaType.DOCX,
    "application/vnd.ms-word.document.macroEnabled.main+xml": "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml": MediaType.SPREADSHEET[1],
    "application/vnd.ms-excel.sheet.binary.macroEnabled.main": MediaType.XLSB,
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml": MediaType.PRESENTATION[2],
}


def look(data: bytes, name: str = "blob") -> Sniffed:
    return sniff(Source(data=data, name=name), OPTIONS)


def package(content_type: str = next(iter(MAIN)), *, first: bool = True) -> bytes:
    parts = [
        ("[Content_Types].xml", f'<Types><Override PartName="/word/document.xml" ContentType="{content_type}"/></Types>'),
        ("word/document.xml", "<w:document/>" * 50),
    ]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts if first else reversed(parts):
            archive.writestr(name, text)
    return file.getvalue()


def compound(streams: dict[str, bytes], *, loop: bool = False) -> bytes:
    """Build a compound file: one FAT sector, the directory, then each stream in sectors of its own (all are large ones)."""
    names = list(streams)
    directory = [_entry("Root Entry", 5, child=1 if names else 0xFFFFFFFF)]
    fat, body, sector = [0xFFFFFFFD], b"", 1 + (len(names) + 4) // 4
    for at, name in enumerate(names):
        data = streams[name].ljust(4096, b"\0")
        sibling = at + 2 if at + 1 < len(names) else 0xFFFFFFFF
        directory.append(_entry(name, 2, right=sibling, start=sector, size=len(data)))
        body += data
        sector += 8
    directory_sectors = (len(names) + 4) // 4
    fat += [1] if loop else [*range(2, directory_sectors + 1), 0xFFFFFFFE]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    header += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0) + b"\xff" * 432
    sectors = struct.pack(f"<{len(fat)}I", *fat).ljust(512, b"\xff")
    return header[:512] + sectors + b"".join(directory).ljust(512 * directory_sectors, b"\0") + body


def _entry(name: str, kind: int, *, child: int = 0xFFFFFFFF, right: int = 0xFFFFFFFF, start: int = 0, size: int = 0) -> bytes:
    raw = (name + "\0").encode("utf-16-le")
    head = raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), kind, 1)
    return head + struct.pack("<III", 0xFFFFFFFF, right, child) + bytes(36) + struct.pack("<IQ", start, size)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("content_type", MAIN)
def test_office_packages_are_told_by_their_main_part(content_type: str, first: bool) -> None:
    assert look(package(content_type, first=first), "blob.zip").media_type == MAIN[content_type]


def test_a_package_that_begins_with_other_bytes_or_was_cut_is_still_known() -> None:
    assert look(package()[:200], "a.docx").media_type == MediaType.DOCX
    assert look(package()[:200]).media_type == MediaType.DOCX
    assert look(package(first=False)[:40], "a.docx").problem is not None


def test_a_broken_zip_has_the_type_of_its_name_and_a_problem() -> None:
    found = look(b"PK\x03\x04" + bytes(range(256)) * 8, "a.xlsx")
    assert found.media_type == MediaType.XLSX
    assert found.problem is not None and found.problem.category == ErrorCategory.CORRUPT
    assert look(b"PK\x03\x04" + bytes(range(256)) * 8, "a.zip").media_type == MediaType.ZIP


@pytest.mark.parametrize("named", [MediaType.ODT, MediaType.ODS, MediaType.EPUB])
def test_open_document_and_epub_name_themselves(named: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", named)
        archive.writestr("content.xml", "<x/>")
    assert look(file.getvalue()).media_type == named
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("META-INF/manifest.xml", "<manifest:encryption-data/>")
    problem = look(file.getvalue()).problem
    assert problem is not None and problem.category == ErrorCategory.ENCRYPTED_NO_KEY


def test_a_zip_is_a_zip() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/notes.txt", "no package")
    assert look(file.getvalue(), "a.zip") == Sniffed(MediaType.ZIP, MediaType.ZIP)


@pytest.mark.parametrize(
    ("stream", "media_type"),
    [("WordDocument", MediaType.DOC), ("Workbook", MediaType.XLS), ("Book", MediaType.XLS),
     ("PowerPoint Document", MediaType.PPT), ("__properties_version1.0", MediaType.MSG), ("Unheard Of", MediaType.OLE2)],
)  # fmt: skip
def test_compound_files_are_told_by_their_streams(stream: str, media_type: str) -> None:
    assert look(compound({"Other": b"", stream: b""})).media_type == media_type


def test_an_encrypted_package_has_the_type_of_its_name() -> None:
    found = look(compound({"EncryptionInfo": b"", "EncryptedPackage": b""}), "a.pptx")
    assert found.media_type == MediaType.PPTX
    assert found.problem is not None and found.problem.category == ErrorCategory.ENCRYPTED_NO_KEY
    assert look(compound({"EncryptedPackage": b""})).media_type == MediaType.ENCRYPTED_OOXML


def test_encrypted_legacy_office_is_left_to_its_readers_who_may_have_the_password() -> None:
    locked = [
        compound({"WordDocument": b"\xec\xa5\xc1\0" + bytes(6) + b"\0\x01"}),
        compound({"PowerPoint Document": b"", "Current User": bytes(12) + b"\xdf\xc4\xd1\xf3"}),
    ]
    assert [look(data).problem for data in locked] == [None, None]


def test_a_compound_file_whose_directory_runs_in_a_circle_ends() -> None:
    assert look(compound({"WordDocument": b""}, loop=True)).media_type == MediaType.DOC
    for size in (8, 60, 512, 600, 1024):
        look(compound({"WordDocument": b""})[:size], "a.doc")


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"%PDF-1.7\n", MediaType.PDF), (b"junk\0\x01" * 100 + b"%PDF-1.4\n1 0 obj", MediaType.PDF),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\n", MediaType.PDF),
        (b"\x89PNG\r\n\x1a\n", MediaType.PNG), (b"\xff\xd8\xff\xe0", MediaType.JPEG), (b"II*\0....", MediaType.TIFF),
        (b"MM\0+....", MediaType.TIFF), (b"RIFF\0\0\0\0WEBPVP8 ", MediaType.WEBP), (b"GIF89a", MediaType.GIF),
        (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0", MediaType.BMP),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"), (b"\0\0\0\x18ftypheic", "image/heic"), (b"\0\0\0\x18ftypisom", "video/mp4"),
        (b"\x1f\x8b\x08", MediaType.GZIP), (b"BZh91AY&SY\0\x01", "application/x-bzip2"),
        (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
        (b"Rar!\x1a\x07\x01\0", "application/vnd.rar"), (b"\xfd7zXZ\0", "application/x-xz"), (b"{\\rtf1", MediaType.RTF),
        (b"\xffWPC\x10\0", MediaType.WORDPERFECT), (b"fLaC\0\0", "audio/flac"), (b"\x7fELF\x02", "application/x-elf"),
        (b"MZ\x90\0\x03\0\0\0", "application/vnd.microsoft.portable-executable"),
        (b"SQLite format 3\0", "application/vnd.sqlite3"),
        (b"\x09\x04\x06\0\0\0\x10\0", MediaType.XLS), (b"wOF2\0\x01\0\0", "font/woff2"),
        (b"PAR1\0\x15\x04", "application/vnd.apache.parquet"),
    ],
)  # fmt: skip
def test_signatures_give_even_unread_formats_their_name(data: bytes, media_type: str) -> None:
    for name in ("blob", "wrong.txt", "wrong.docx"):
        assert look(data, name).media_type == media_type


def test_a_tar_is_told_by_its_header() -> None:
    for kind in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
        assert look(file.getvalue()).media_type == MediaType.TAR


@pytest.mark.parametrize(
    ("text", "media_type"),
    [
        ("<!DOCTYPE html><title>x</title>", MediaType.HTML), ("<!-- saved --><HTML><body>", MediaType.HTML),
        ("<p>one<p>two", MediaType.HTML),
        ('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p/></html>', MediaType.XHTML),
        ('<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg"/>', MediaType.SVG),
        ('<?xml version="1.0"?><feed/>', MediaType.XML), ("<order><item/></order>\n", MediaType.XML),
        ("<order> is not closed", MediaType.PLAIN),
        ('{"a": [1, 2]}', MediaType.JSON), ('[{"a": 1}]', MediaType.JSON), ('{"a": 1}\n{"a": 2}\n', MediaType.JSON_LINES),
        ("[2016-12-19 16:31:46,143] INFO starting", MediaType.PLAIN), ("{curly} words", MediaType.PLAIN),
        ("[link] words", MediaType.PLAIN),
        ('{"cells": [{"cell_type": "code"}], "nbformat": 4}', MediaType.NOTEBOOK),
        ("From: a@b.example\nTo: c@d.example\nSubject: x\n\nbody", MediaType.EML),
        ("Return-Path: <a@b.example>\nReceived: from x\n\tby y\nSubject: x\n\nbody", MediaType.EML),
        ("From a@b.example Mon Jun 01 10:00:00 2009\nSubject: x\n\nbody", MediaType.MBOX),
        ("From here on nobody knew the way.\n", MediaType.PLAIN), ("Note: call back\nFrom: noon\n", MediaType.PLAIN),
        ("BEGIN:VCARD\nVERSION:3.0", MediaType.VCARD), ("BEGIN:VCALENDAR\n", MediaType.CALENDAR),
        ("#!/usr/bin/env python3\nprint()", "text/x-python"), ("#!/bin/sh\nls", "text/x-sh"),
        ("a,b,c\n1,2,3\n4,5,6\n7,8,9\n", MediaType.CSV), ("a\tb\tc\n1\t2\t3\n4\t5\t6\n7\t8\t9\n", MediaType.TSV),
        ("Dear Sir, yes, I know.\nWell, no, thanks.\n", MediaType.PLAIN), (" \n\n", MediaType.PLAIN),
    ],
)  # fmt: skip
def test_kinds_of_text_are_told_by_content_where_the_name_is_silent(text: str, media_type: str) -> None:
    assert look(text.encode()).media_type == media_type
    assert look(text.encode("utf-16")).media_type == media_type


@pytest.mark.parametrize(
    ("name", "text", "media_type"),
    [
        ("a.md", "<div align=center>\n# Title", MediaType.MARKDOWN), ("a.py", "{1: 2}", "text/x-python"),
        ("a.log", '{"a": 1}', MediaType.JSON),
        ("A.CSV", "a,b\n1,2", MediaType.CSV), ("a.csv", "<!doctype html><p>error page", MediaType.HTML),
        ("a.txt", "# heading", MediaType.PLAIN),
        ("a.txt", "<b>bold</b> words", MediaType.PLAIN), ("a.html", "no tag at all", MediaType.HTML),
        ("a.xhtml", "<html/>", MediaType.XHTML),
        ("a.eml", "a message without a header", MediaType.EML), ("server.log.2016-12-19", "INFO x", MediaType.PLAIN),
        ("a.toml", "[a]\nb=1", MediaType.TOML),
        ("a.svg", "<svg/>", MediaType.SVG), ("a.json", "not json", MediaType.JSON),
        ("Dockerfile", "FROM x", "text/x-dockerfile"),
        ("a.txt", "From: the desk\nTo: everybody\nSubject: tea\n\nTea is ready.", MediaType.PLAIN),
    ],
)  # fmt: skip
def test_the_extension_tells_kinds_of_text_apart(name: str, text: str, media_type: str) -> None:
    found = look(text.encode(), name)
    assert found.media_type == media_type
    assert not found.is_contradicted


@pytest.mark.parametrize("name", ["a.doc", "a.odt", "a.pdf", "a.png"])
def test_text_under_a_binary_name_is_text_and_said_so(name: str) -> None:
    found = look(b"only words", name)
    assert (found.media_type, found.is_contradicted) == (MediaType.PLAIN, True)


def test_a_contradiction_needs_two_known_kinds() -> None:
    assert look(b"\x89PNG\r\n\x1a\n", "scan.tiff").is_contradicted
    assert not look(b"\x89PNG\r\n\x1a\n", "scan.unheard").is_contradicted
    assert not look(package(), "a.docm").is_contradicted
    assert look(package(), "a.xlsx").is_contradicted


def test_binary_bytes_are_never_text() -> None:
    noise = bytes((i * 7919 + i // 3) % 256 for i in range(1024))
    assert look(noise) == Sniffed(MediaType.UNKNOWN_BINARY)
    found = look(noise, "notes.txt")
    assert found.media_type == MediaType.UNKNOWN_BINARY
    assert found.problem is not None and found.problem.category == ErrorCategory.BINARY_AS_TEXT
    named = look(noise, "report.docx").problem
    assert named is not None and named.category == ErrorCategory.CORRUPT


def test_text_with_some_padding_is_text_if_it_says_so() -> None:
    assert look(b"a line of the log\n" * 50 + b"\0" * 4000, "a.log").media_type == MediaType.PLAIN
    assert look(b"first line\0\0\0\0 second line\n" * 9, "a.log").media_type == MediaType.PLAIN


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "utf-32", "cp1251", "koi8-r", "cp932", "gb18030", "cp1256"])
def test_text_in_any_charset_is_text(codec: str) -> None:
    words = {"cp932": "灯台守は日誌をつける。", "gb18030": "灯塔看守人写日记。", "cp1256": "حارس المنارة يكتب كل يوم."}
    text = words.get(codec, "Смотритель маяка ведёт журнал.\n") * 30
    assert look(text.encode(codec)).media_type == MediaType.PLAIN
    assert look(text.encode(codec), "a.txt").media_type == MediaType.PLAIN


def test_ebcdic_is_text() -> None:
    assert look(("The keeper of the light writes a log. " * 40).encode("cp500"), "a.txt").media_type == MediaType.PLAIN


def test_no_bytes_are_an_empty_file_whatever_the_name() -> None:
    assert look(b"", "a.pdf") == Sniffed(MediaType.EMPTY, MediaType.PDF)


def test_every_prefix_of_a_document_has_a_type() -> None:
    for data in (package(), compound({"WordDocument": b""}), b"%PDF-1.4", b"\xff\xfe<\0?\0x\0"):
        for size in (*range(1, 80), len(data) // 2):
            look(data[:size], "a.docx")


def test_extensions_are_written_once() -> None:
    assert BY_EXTENSION[".docx"] == MediaType.DOCX
    assert all(extension == extension.lower() for extension in BY_EXTENSION)


def test_the_corpus_is_typed_as_its_manifest_says(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "corpus/manifest.jsonl").read_text(encoding="utf-8").splitlines()]
    missed = []
    for row in rows:
        source = Source(path=str(shared / "corpus" / row["path"]), name=Path(row["path"]).name)
        found = sniff(source, OPTIONS).media_type
        if found != row["mime"]:
            missed.append((row["path"], row["mime"], found))
    assert len(missed) <= 0.01 * len(rows), missed
