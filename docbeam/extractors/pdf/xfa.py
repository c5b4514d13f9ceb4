"""Dynamic XFA forms (XFA 3.3), whose only page says `Please wait`: the form's own texts and the data filled in.

A static XFA form has ordinary pages and fields too, and is read from those.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from lxml import etree

MAX_PACKETS = 100
MAX_PACKET_BYTES = 32_000_000
TEXTS = ("text", "exData")  # of the template: captions and drawn text, plain or XHTML


def dynamic_form(document: pdfium.PdfDocument) -> Iterator[str]:
    """Yield the lines of a dynamic form: what it prints, then each value as `name: value`. Nothing for any other document."""
    if document.get_formtype() != pdfium_c.FORMTYPE_XFA_FULL:
        return
    for index in range(min(pdfium_c.FPDF_GetXFAPacketCount(document), MAX_PACKETS)):
        name = _name(document, index)
        root = _parsed(_content(document, index)) if name in ("template", "datasets", "") else None
        if root is None:
            continue
        for part in [root] if name else root.iterchildren("{*}template", "{*}datasets"):  # or all packets in one
            yield from _lines(part, etree.QName(part).localname)


def _lines(root: etree._Element, name: str) -> Iterator[str]:
    for element in root.iter(etree.Element):
        if name == "template" and etree.QName(element).localname in TEXTS:
            text = " ".join("".join(element.itertext()).split())
        elif name == "datasets" and len(element) == 0 and (element.text or "").strip():
            text = f"{etree.QName(element).localname}: {' '.join((element.text or '').split())}"
        else:
            continue
        if text:
            yield text


def _name(document: pdfium.PdfDocument, index: int) -> str:
    buffer = ctypes.create_string_buffer(256)
    size = pdfium_c.FPDF_GetXFAPacketName(document, index, buffer, 256)
    return buffer.value.decode("utf-8", "replace") if 0 < size <= 256 else ""


def _content(document: pdfium.PdfDocument, index: int) -> bytes:
    size = ctypes.c_ulong()
    if not pdfium_c.FPDF_GetXFAPacketContent(document, index, None, 0, ctypes.byref(size)) or size.value > MAX_PACKET_BYTES:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    pdfium_c.FPDF_GetXFAPacketContent(document, index, buffer, size.value, ctypes.byref(size))
    return buffer.raw


def _parsed(data: bytes) -> etree._Element | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        return etree.fromstring(data, parser) if data else None
    except etree.XMLSyntaxError:
        return None
