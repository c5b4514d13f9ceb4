"""Builds small OpenDocument files for the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted

ODF = "application/vnd.oasis.opendocument."
NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style", "meta": "meta",
        "form": "form", "chart": "chart", "presentation": "presentation", "svg": "svg-compatible",
    }.items()
)  # fmt: skip
NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
OPTIONS = ExtractOptions()


def content(body: str, kind: str = "text", automatic: str = "") -> str:
    styles = f"<office:automatic-styles>{automatic}</office:automatic-styles>"
    inner = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMES}>{styles}{inner}</office:document-content>'


def package(xml: str | bytes, kind: str = "text", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", ODF + kind)
        archive.writestr("content.xml", xml)
        for name, data in (parts or {}).items():
            archive.writestr(name, data)
    return file.getvalue()


def read(data: bytes, name: str = "", options: ExtractOptions = OPTIONS) -> Extracted:
    reading = read_document(Source(data=data, name=name), options)
    assert reading.error is None, reading.error
    assert reading.extractor == "odf"
    assert reading.extracted is not None
    return reading.extracted


def text_of(body: str, automatic: str = "", parts: Mapping[str, str | bytes] | None = None) -> str:
    return read(package(content(body, automatic=automatic), parts=parts)).content.strip()


def sheets(body: str, automatic: str = "") -> Extracted:
    return read(package(content(body, "spreadsheet", automatic), "spreadsheet"))


def slides(body: str, automatic: str = "", parts: Mapping[str, str | bytes] | None = None) -> Extracted:
    return read(package(content(body, "presentation", automatic), "presentation", parts))


def styles(master: str, common: str = "") -> str:
    inner = f"<office:styles>{common}</office:styles><office:master-styles>{master}</office:master-styles>"
    return f"<office:document-styles {NAMES}>{inner}</office:document-styles>"
