"""What a PDF's catalog says that PDFium does not give: properties of the writers' own, XMP, layers that are switched off.

Source: ISO 32000-2, 14.3.3 (information dictionary), 14.3.2 (metadata streams), 8.11.4 (optional content).
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

import pikepdf
from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.pdf.attachments import BROKEN
from docbeam.extractors.pdf.details import FIELDS
from docbeam.extractors.pdf.loading import open_for_pikepdf
from docbeam.extractors.source import Source
from docbeam.schemas.vocabulary import WarningCode

MAX_FILE_BYTES = 64 << 20  # larger files are not opened a second time for this
MAX_XMP_BYTES = 1 << 20
MAX_OWN = 50  # properties
MAX_LAYERS = 10  # that one warning names
MAX_NAME_CHARS = 100
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
XMP_NAMES = ("contributor", "coverage", "identifier", "language", "publisher", "relation", "rights", "source", "type")


def describe_catalog(source: Source, out: TextBuilder) -> None:
    """Record the properties as metadata and name hidden layers; what is broken is passed over."""
    if source.size_bytes > MAX_FILE_BYTES:
        return
    with suppress(*BROKEN), open_for_pikepdf(source) as pdf:
        with suppress(*BROKEN):
            _own_properties(pdf.trailer.get("/Info"), out)
        with suppress(*BROKEN, etree.XMLSyntaxError):
            _xmp(pdf.Root.get("/Metadata"), out)
        with suppress(*BROKEN):
            _hidden_layers(pdf.Root.get("/OCProperties"), out)


def _own_properties(info: Any, out: TextBuilder) -> None:
    if not isinstance(info, pikepdf.Dictionary):
        return
    for key in islice((key for key, _ in info.items() if key[1:] not in FIELDS), MAX_OWN):
        value = info[key]
        if isinstance(value, (pikepdf.String, pikepdf.Name)):
            out.meta(f"pdf.property.{key[1:][:MAX_NAME_CHARS]}", " ".join(str(value).replace("\0", "").split()))


def _xmp(stream: Any, out: TextBuilder) -> None:
    if not isinstance(stream, pikepdf.Stream) or int(stream.get("/Length", 0)) > MAX_XMP_BYTES or "/Filter" in stream:
        return  # metadata streams are left plain, so that every program finds them
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    root = etree.fromstring(stream.read_raw_bytes().strip(b"\0 \r\n\t"), parser)
    for name in XMP_NAMES if root is not None else ():
        texts = (" ".join("".join(found.itertext()).split()) for found in root.iter(DUBLIN_CORE + name))
        out.meta(f"pdf.{name}", "; ".join(dict.fromkeys(text for text in texts if text)))


def _hidden_layers(layers: Any, out: TextBuilder) -> None:
    usual = layers.get("/D") if isinstance(layers, pikepdf.Dictionary) else None
    off = usual.get("/OFF") if isinstance(usual, pikepdf.Dictionary) else None
    if not isinstance(off, pikepdf.Array) or not len(off):
        return
    names = [" ".join(str(layer.get("/Name", "?")).split())[:MAX_NAME_CHARS] for layer in islice(off, MAX_LAYERS)]
    more = f" and {len(off) - MAX_LAYERS} more" if len(off) > MAX_LAYERS else ""
    out.warn(WarningCode.HIDDEN, "layers", f"layers that are switched off; their text is read: {'; '.join(names)}{more}")
