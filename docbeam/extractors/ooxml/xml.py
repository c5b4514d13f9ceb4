"""XML of Office Open XML parts: a parser that fetches and expands nothing, and one set of namespaces.

Source: ECMA-376 (transitional and strict namespaces), ISO/IEC 29500-2 8.1.4 (no DTD in a package); libxml2's limits.
"""

from __future__ import annotations

from typing import Any

from lxml import etree

from docbeam.schemas.vocabulary import ErrorCategory

Element = Any  # lxml has no types of its own

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

_REFERRING = ("{*}chart", "{*}relIds", "{*}oleObj", "{*}OLEObject", "{*}blip", "{*}imagedata")
_LIMITS = ("Excessive depth", "amplification", "entity reference loop", "XML_PARSE_HUGE")  # in the messages of libxml2
_STRICT = "http://purl.oclc.org/ooxml/"
_TRANSITIONAL = "http://schemas.openxmlformats.org/"
# The families whose transitional form carries the year 2006; the rest of the address stays.
_FAMILIES = (
    ("officeDocument/", "officeDocument/2006/"),
    ("wordprocessingml/", "wordprocessingml/2006/"),
    ("spreadsheetml/", "spreadsheetml/2006/"),
    ("presentationml/", "presentationml/2006/"),
    ("drawingml/", "drawingml/2006/"),
)


def parse_xml(data: bytes) -> Element:
    """Return the root element of a part, strict namespaces turned into transitional ones.

    Entities are never expanded and nothing is fetched; libxml2's limits on depth, text length and amplification are
    lifted only for a part without a DTD that needs it (a text over 10 MB, more than 256 levels).

    Raises: lxml.etree.XMLSyntaxError.
    """
    try:
        root = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError:
        if not data or b"<!DOCTYPE" in data or b"<\0!\0D\0O" in data or b"\0<\0!\0D\0O" in data:
            raise
        root = etree.fromstring(data, _parser(huge_tree=True))
    return _normalised(root, data)


def recover_xml(data: bytes) -> Element | None:
    """Return the root element of what can be read of a broken part, or None if nothing can."""
    try:
        root = etree.fromstring(data, _parser(recover=True))
    except etree.XMLSyntaxError:
        return None
    return None if root is None else _normalised(root, data)


def category_of(problem: str) -> ErrorCategory:
    """Return why a part can't be read: past the parser's limits on depth and entities, or broken."""
    return ErrorCategory.LIMIT_EXCEEDED if any(words in problem for words in _LIMITS) else ErrorCategory.CORRUPT


def chosen_branch(alternate: Element) -> Element | None:
    """Return the branch of an mc:AlternateContent to read: the first choice, or the fallback if only it has text."""
    choice = alternate.find(MC + "Choice")
    fallback = alternate.find(MC + "Fallback")
    if choice is None or (fallback is not None and not _has_content(choice) and _has_content(fallback)):
        return fallback
    return choice


def _has_content(branch: Element) -> bool:
    for node in branch.iter(W + "t", A + "t", M + "t"):
        if node.text and node.text.strip():
            return True
    return any(key.startswith(R) for node in branch.iter(*_REFERRING) for key in node.attrib)


def local_name(element: Element) -> str:
    """Return the element's name without its namespace, and an empty text for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def transitional(name: str) -> str:
    """Return a strict namespace or relationship type in its transitional form; other names as they are."""
    if not name.startswith(_STRICT):
        return name
    rest = name[len(_STRICT) :]
    for strict, dated in _FAMILIES:
        if rest.startswith(strict):
            return _TRANSITIONAL + dated + rest[len(strict) :]
    return _TRANSITIONAL + rest


def _parser(*, huge_tree: bool = False, recover: bool = False) -> Any:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=huge_tree,
        recover=recover,
    )


def _normalised(root: Element, data: bytes) -> Element:
    if root.getroottree().docinfo.doctype:
        etree.strip_elements(root, etree.Entity, with_tail=False)  # unexpanded, they would hide the text after them
    if b"purl.oclc.org" not in data and b"p\0u\0r\0l\0.\0o\0c\0l\0c" not in data:
        return root
    for element in root.iter("*"):
        if _STRICT in element.tag:
            element.tag = _renamed(element.tag)
        for key, value in element.attrib.items():
            if _STRICT in key:
                del element.attrib[key]
                element.attrib[_renamed(key)] = value
            elif value.startswith(_STRICT):  # a:graphicData/@uri
                element.attrib[key] = transitional(value)
    return root


def _renamed(name: str) -> str:
    namespace, _, local = name[1:].rpartition("}")
    return f"{{{transitional(namespace)}}}{local}"
