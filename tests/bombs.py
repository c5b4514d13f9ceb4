"""Small files that unpack, nest or refer to themselves past all measure."""

from __future__ import annotations

import io
import zipfile

from tests.extractors.odf.packages import NAMES
from tests.extractors.odf.packages import package as odf_package
from tests.extractors.ooxml.office import NAMESPACES, docx

DEPTH = 200_000
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BILLION = f'<!DOCTYPE r [<!ENTITY l0 "haha">{LAUGHS}]>'
QUADRATIC = f'<!DOCTYPE r [<!ENTITY q "{"a" * 50_000}">]>'
USES = {"billion laughs": (BILLION, "&l11;"), "quadratic blow-up": (QUADRATIC, "&q;" * 50_000)}


def _entity_bombs(use: str, doctype: str) -> dict[str, bytes]:
    word = f"{doctype}<w:document {NAMESPACES}><w:body><w:p><w:r><w:t>kept {use}</w:t></w:r></w:p></w:body></w:document>"
    odf = f"{doctype}<office:document-content {NAMES}><office:body><office:text><text:p>kept {use}</text:p></office:text></office:body></office:document-content>"
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="p.opf" '
            'media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        manifest = '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
        archive.writestr("p.opf", f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0">{manifest}</package>')
        archive.writestr(
            "a.xhtml",
            f'<?xml version="1.0"?>{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>kept {use}</p></body></html>',
        )
    return {
        "bomb.xml": f'<?xml version="1.0"?>{doctype}<r><a>kept</a><b>{use}</b></r>'.encode(),
        "bomb.svg": f'<?xml version="1.0"?>{doctype}<svg xmlns="http://www.w3.org/2000/svg"><text>kept {use}</text></svg>'.encode(),
        "bomb.docx": docx("", parts={"word/document.xml": word}),
        "bomb.odt": odf_package(odf),
        "bomb.epub": book.getvalue(),
    }


def bombs() -> dict[str, tuple[str, bytes]]:
    """Return the bombs by what they are: a file name and bytes."""
    found = {
        "deep JSON": ("deep.json", b"[" * DEPTH + b"]" * DEPTH),
        "deep JSON objects": ("deep.json", b'{"a":' * DEPTH + b"1" + b"}" * DEPTH),
        "deep JSON line": ("deep.jsonl", b"[" * DEPTH + b"]" * DEPTH + b"\n{}\n"),
        "deep notebook": ("deep.ipynb", b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ' + b"[" * DEPTH + b"]" * DEPTH + b"}"),
        "deep YAML": ("deep.yaml", b"a: " + b"[" * DEPTH + b"]" * DEPTH),
        "YAML aliases": (
            "laughs.yaml",
            ("a0: &a0 [haha]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))).encode(),
        ),
        "deep XML": ("deep.xml", b"<?xml version='1.0'?>" + b"<a>" * DEPTH + b"kept" + b"</a>" * DEPTH),
        "deep SVG": ("deep.svg", b'<svg xmlns="http://www.w3.org/2000/svg">' + b"<g>" * DEPTH + b"<text>kept</text>" + b"</g>" * DEPTH + b"</svg>"),
        "deep HTML": ("deep.html", b"<!DOCTYPE html><body>" + b"<div>" * DEPTH + b"kept"),
        "deep RTF": ("deep.rtf", b"{\\rtf1 kept " + b"{" * DEPTH + b"}" * DEPTH + b"}"),
        "deep DOCX": ("deep.docx", docx("<w:sdt>" * DEPTH + "<w:p><w:r><w:t>kept</w:t></w:r></w:p>" + "</w:sdt>" * DEPTH)),
        "deep tables in DOCX": (
            "tables.docx",
            docx("<w:tbl><w:tr><w:tc>" * 20_000 + "<w:p><w:r><w:t>kept</w:t></w:r></w:p>" + "</w:tc></w:tr></w:tbl>" * 20_000),
        ),
        "deep mail": ("deep.eml", b"From: a@b.c\nSubject: kept\n" + b"".join(
            b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(5_000)
        )),
    }  # fmt: skip
    for name, (doctype, use) in USES.items():
        found |= {
            f"{name} in {file.rpartition('.')[2].upper()}": (file, data) for file, data in _entity_bombs(use, doctype).items()
        }
    return found
