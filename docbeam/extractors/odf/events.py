"""The content of a file in order: containers open and close, everything in them comes as a whole element.

A small part is parsed as a tree, a large one in pieces, so that memory holds one row or paragraph of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

from lxml import etree

from docbeam.extractors.odf.names import BODIES, CONTAINERS, OFFICE, PREFIXES, TEXT, Element
from docbeam.extractors.ooxml.xml import recover_xml

MAX_TREE_BYTES = 32 << 20  # a tree takes up to 10 times the memory of its markup
_STARTS = re.compile(rb"<office:(?:automatic-styles|body)[ >]")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ROOT_TAG = "<office:document-content {}>".format(
    " ".join(f'xmlns:{prefix}="{name[1:-1]}"' for prefix, name in PREFIXES.items())
).encode()
MAX_STARTS = 3  # from which a broken part is read again
Event = tuple[Literal["open", "unit", "close"], Element]


def tree_events(root: Element) -> Iterator[Event]:
    """Yield the events of a tree."""
    stack = [(root, iter(root))]
    yield "open", root
    while stack:
        element, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield "close", element
        elif child.tag in CONTAINERS:
            stack.append((child, iter(child)))
            yield "open", child
        elif isinstance(child.tag, str):
            yield "unit", child


def repaired(data: bytes) -> Element | None:
    """Return the tree of broken content that has the most text, or None: the parser stops at faults that can be left out.

    Bytes that are no text are replaced; the usual prefixes take the place of a first tag that is broken; of styles that
    break the parser nothing is read.
    """
    clean = _NO_TEXT.sub(b"", data.decode("utf-8", "replace").encode())
    trees = [recover_xml(clean)]
    trees += [recover_xml(_ROOT_TAG + clean[start.start() :]) for start in islice(_STARTS.finditer(clean), MAX_STARTS)]
    return max(trees, key=_text_chars)


def _text_chars(root: Element | None) -> int:
    if root is None:
        return -1
    bodies = [content for body in root.iterchildren(OFFICE + "body") for content in body if content.tag in BODIES]
    return sum(len(text) for body in bodies for node in body.iter(TEXT + "p", TEXT + "h") for text in node.itertext())


class StreamEvents:
    """The events of XML in pieces; `problem` says afterwards what is wrong with it, if anything."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks
        self.problem: str | None = None

    def __iter__(self) -> Iterator[Event]:
        parser: Any = None
        opened: list[Element] = []
        unit: list[Element] = []
        for chunk in self._chunks:
            if parser is None:
                parser = _parser(is_huge=b"<!DOCTYPE" not in chunk)
            parser.feed(chunk)
            yield from self._drained(parser, opened, unit)
        if parser is not None:
            try:
                parser.close()
            except etree.XMLSyntaxError as error:
                self.problem = f"not well-formed: {error.msg}"
            yield from self._drained(parser, opened, unit)
            for element in reversed(opened):  # of a file that is cut
                yield "close", element
            if self.problem is None and len(parser.error_log):
                self.problem = f"not well-formed: {parser.error_log[0].message}"

    def _drained(self, parser: Any, opened: list[Element], unit: list[Element]) -> Iterator[Event]:
        for what, element in parser.read_events():
            if what == "start":
                if not unit and (not opened or element.tag in CONTAINERS):
                    opened.append(element)
                    yield "open", element
                elif not unit:
                    unit.append(element)
            elif unit and unit[0] is element:
                unit.clear()
                yield "unit", element
                _forget(element)
            elif not unit and opened and opened[-1] is element:
                opened.pop()
                yield "close", element
                _forget(element)


def _parser(*, is_huge: bool) -> Any:
    return etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=is_huge,
        recover=True,
    )


def _forget(element: Element) -> None:
    """Free an element that has been read, and all before it."""
    element.clear(keep_tail=True)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
