"""XML of any vocabulary: a line for each value with its element's name, mixed content as running text, attributes in brackets.

Word and Excel documents saved as one XML file are read by their paragraphs and rows. No entity is expanded, no DTD loaded.
Source: XML 1.0; [MS-OI29500] (Flat OPC); the Office 2003 XML Reference Schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.source import Source
from docbeam.extractors.text import DECLARATION_BYTES, TextExtractor, declared_charset
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_ENTITIES = 10  # that a warning names
MAX_MARKUP = 32  # characters of markup per character wanted; a tree takes 10 times the memory of its markup
BASE64_CHARS = 400  # in one value without a space: a file, no text
XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
BASE64 = re.compile(rf"[A-Za-z0-9+/=\s]{{{BASE64_CHARS},}}")
OFFICE = ("http://schemas.openxmlformats.org/", "http://schemas.microsoft.com/office/", "http://purl.oclc.org/ooxml/")
EXCEL = "urn:schemas-microsoft-com:office:spreadsheet"
IN_PARAGRAPH = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "p": "\n"}
PROSE = frozenset(
    ("p", "para", "simpara", "text", "t", "v", "l", "s", "li", "td", "th", "entry", "span", "div", "seg", "ab")
)  # need no label
NOT_DATA = ("{http://www.w3.org/2001/XMLSchema-instance}", "{http://www.w3.org/XML/1998/namespace}")


class XmlExtractor:
    """Reads XML that has no extractor of its own."""

    name = "xml"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is plain XML."""
        return media_type == MediaType.XML

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the values of the document, line by line; a file that is not well-formed is kept as it is written."""
        data = source.read()
        found = decode(data, declared=declared_charset(data[:DECLARATION_BYTES], media_type))
        markup = XML_DECLARATION.sub("", found.text)
        limit = MAX_MARKUP * options.max_extracted_chars
        root = _root(markup[:limit], is_whole=len(markup) <= limit)
        if root is None:
            return TextExtractor().extract(source, media_type, options)
        out = TextBuilder(options)
        found.report(out)
        is_empty = True
        with out.until_full():
            for line in filter(None, _lines(root, out)):
                is_empty = False
                out.line(line)
            if len(markup) > limit:
                out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
        if entities := _entities(root):
            message = f"entities that are defined and not expanded: {', '.join(entities)}"
            out.warn(WarningCode.PART_NOT_READ, "document type", message)
        if is_empty:
            out.warn(WarningCode.NO_TEXT, "document", "no element and no attribute has a value")
        out.meta("xml.root", etree.QName(root).localname)
        return out.extracted(confidence=found.confidence)


def _root(markup: str, *, is_whole: bool) -> etree._Element | None:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=not is_whole,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root: etree._Element | None = etree.fromstring(markup.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    return root


def _entities(root: etree._Element) -> list[str]:
    """Return the names of the entities that the document defines; in the text they stand as they are written."""
    definitions = root.getroottree().docinfo.internalDTD
    return (
        [] if definitions is None else [str(entity.name)[:100] for entity in islice(definitions.iterentities(), MAX_ENTITIES)]
    )


def _lines(root: etree._Element, out: TextBuilder) -> Iterator[str]:
    """Yield the lines of the document, in its order."""
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        out.check_deadline()
        if not isinstance(element.tag, str):
            continue
        name = etree.QName(element)
        if name.namespace == EXCEL and name.localname == "Row":
            yield "\t".join(_squeezed("".join(cell.itertext())) for cell in element)
        elif (name.namespace or "").startswith(OFFICE) and name.localname == "p":
            yield _paragraph(element)
        elif _is_mixed(element):
            yield _prose(element) + _attributes(element)
        else:
            yield from _value(element, name, out)
            continue
        walk.skip_subtree()


def _value(element: etree._Element, name: etree.QName, out: TextBuilder) -> Iterator[str]:
    """Yield the line of an element without mixed content, if it says anything."""
    text = (element.text or "").strip()
    if len(text) >= BASE64_CHARS and BASE64.fullmatch(text):
        out.warn(WarningCode.EMBEDDED_NOT_READ, f"<{name.localname}>", f"{len(text)} characters of base64")
        return
    attributes = _attributes(element)
    if text and not len(element):
        label = "" if name.localname in PROSE else f"{name.localname}: "
        yield f"{label}{_squeezed(text)}{attributes}"
    elif attributes:
        yield f"{name.localname}{attributes}"


def _is_mixed(element: etree._Element) -> bool:
    """Say whether text stands between the element's children."""
    if not len(element):
        return False
    return bool((element.text or "").strip()) or any(
        (child.tail or "").strip() or not isinstance(child.tag, str) for child in element
    )


def _prose(element: etree._Element) -> str:
    """Return mixed content as running text: tags tear no word, but children side by side are set apart."""
    parts: list[str] = []
    waiting = [(element, False)]
    while waiting:
        node, is_over = waiting.pop()
        if is_over:
            parts.append(node.tail or ("" if node.getnext() is None else " "))
            continue
        parts.append(node.text or "")  # of an entity: its name as it is written
        for child in reversed(node):
            waiting += ((child, True), (child, False))
    return _squeezed("".join(parts))


def _paragraph(element: etree._Element) -> str:
    """Return the text of a Word or DrawingML paragraph."""
    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start",))
    for _, node in walk:
        local = etree.QName(node).localname if isinstance(node.tag, str) else ""
        if local in ("Fallback", "pPr", "rPr", "instrText"):
            walk.skip_subtree()
        elif local in ("t", "delText"):
            parts.append(node.text or "")
        else:
            parts.append(IN_PARAGRAPH.get(local, ""))
    return "\n".join(line.strip() for line in "".join(parts).split("\n") if line.strip())


def _attributes(element: etree._Element) -> str:
    """Return the attributes in brackets; those of Office's own formats are about looks."""
    if not element.attrib or (etree.QName(element).namespace or "").startswith((*OFFICE, "urn:schemas-microsoft-com:")):
        return ""
    pairs = [
        f"{etree.QName(key).localname}: {_squeezed(value)}"
        for key, value in element.attrib.items()
        if not key.startswith(NOT_DATA)
    ]
    return f" ({', '.join(pairs)})" if pairs else ""


def _squeezed(text: str) -> str:
    return " ".join(text.split())
