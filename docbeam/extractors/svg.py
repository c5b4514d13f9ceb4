"""SVG drawings: titles, descriptions, text with its lines, and HTML inside; pictures in data URIs are members.

Source: SVG 1.1 and 2 (text, switch, foreignObject, image); RFC 2397 (data URIs).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.ooxml.xml import category_of
from docbeam.extractors.source import Source
from docbeam.extractors.text import DECLARATION_BYTES, TextExtractor, declared_charset
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode

DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
DATA_URI = re.compile(r"\s*data:([^;,]{0,100})((?:;[^;,]{0,100}){0,5}),")
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/jpg": "jpg",
    "image/gif": "gif",
    "image/svg+xml": "svg",
    "image/webp": "webp",
}
SILENT = frozenset(("script", "style", "metadata"))
HTML_BLOCKS = frozenset(
    ("p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section", "body", "pre", "hr")
)
HTML_CELLS = frozenset(("td", "th"))
HREFS = ("{http://www.w3.org/1999/xlink}href", "href")
DC = "{http://purl.org/dc/elements/1.1/}"


class SvgExtractor:
    """Reads SVG; compressed SVG is unpacked first."""

    name = "svg"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is SVG."""
        return media_type == MediaType.SVG

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the texts in the order of the file; what is no XML at all is kept as it is written.

        Raises: ExtractionError(LIMIT_EXCEEDED) if it nests past the parser's limit before any text.
        """
        data = source.read()
        found = decode(data, declared=declared_charset(data[:DECLARATION_BYTES], media_type))
        root, problem = _root(DECLARATION.sub("", found.text))
        if root is None:
            return TextExtractor().extract(source, media_type, options)
        out = TextBuilder(options)
        found.report(out)
        if problem:
            out.cut(TruncationReason.DAMAGED)
            out.warn(WarningCode.PART_DAMAGED, "document", f"{problem}; read as far as possible")
        _choose_in_switches(root)
        is_empty = True
        with out.until_full():
            for line in _lines(root, out):
                is_empty = False
                out.line(line)
        if is_empty and category_of(problem) is ErrorCategory.LIMIT_EXCEEDED:
            raise ExtractionError(ErrorCategory.LIMIT_EXCEEDED, problem)
        if is_empty:
            out.warn(WarningCode.NO_TEXT, "document", "the drawing has no text; letters drawn as paths are not recognised")
        title = next((child for child in root if _local(child) == "title"), None)
        return out.extracted(
            confidence=Confidence.HEURISTIC if problem else found.confidence,
            title=(_squeezed("".join(title.itertext())) if title is not None else _dublin_core(root, "title")) or None,
            author=_dublin_core(root, "creator") or None,
        )


def _root(markup: str) -> tuple[etree._Element | None, str]:
    """Return the root, and what is wrong with the markup if it had to be repaired."""
    data = markup.encode("utf-8", "replace")
    problem = ""
    for is_huge, is_lenient in ((False, False), ("<!DOCTYPE" not in markup[:10_000], True)):
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=is_huge, recover=is_lenient,
            remove_comments=True, remove_pis=True, encoding="utf-8",
        )  # fmt: skip
        try:
            root: etree._Element | None = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            problem = f"not well-formed: {error.msg}"
            continue
        errors = [entry for entry in parser.error_log if entry.level_name in ("ERROR", "FATAL")]
        return root, f"not well-formed: {errors[0].message[:200]}" if errors else ""
    return None, problem


def _choose_in_switches(root: etree._Element) -> None:
    """Keep the first branch with text of every switch: the others say the same for programs that can do less."""
    for switch in list(root.iter("{*}switch")):
        is_chosen = False
        for child in list(switch):
            if isinstance(child.tag, str) and not is_chosen and "".join(child.itertext()).strip():
                is_chosen = True
            elif is_chosen:
                switch.remove(child)


def _lines(root: etree._Element, out: TextBuilder) -> Iterator[str]:
    walk = etree.iterwalk(root, events=("start",))
    pictures = 0
    for _, element in walk:
        out.check_deadline()
        name = _local(element)
        if name in ("text", "title", "desc", "foreignObject", "flowRoot"):
            yield from filter(None, map(_squeezed, _text(element, name).split("\n")))
        elif name == "image":
            pictures += 1
            _hand_out(element, pictures, out)
            continue
        elif name not in SILENT:
            continue
        walk.skip_subtree()


def _text(element: etree._Element, kind: str) -> str:
    """Return the text of an element with its lines: by their places in a drawing, by blocks in HTML."""
    parts: list[str] = []
    tips: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        name = _local(node)
        if event == "end":
            if name in HTML_BLOCKS and kind == "foreignObject":
                parts.append("\n")
            parts.append(node.tail or "" if node is not element else "")
            continue
        if name in SILENT or (name in ("title", "desc") and node is not element):
            if name not in SILENT:
                tips.append("".join(node.itertext()))
            walk.skip_subtree()
            continue
        if kind == "foreignObject":
            parts.append("\n" if name in HTML_BLOCKS else "\t" if name in HTML_CELLS else "")
        elif node is not element:
            parts.append(_break_before(node, name))
        parts.append(_one_line(node.text) if kind != "foreignObject" else node.text or "")
    return "".join(parts) + "".join(f"\n{_one_line(tip)}" for tip in tips)


def _break_before(node: etree._Element, name: str) -> str:
    """Return what sets a piece of text apart from the one before: a place of its own on another or on the same line."""
    if name in ("flowPara", "flowLine"):
        return "\n"
    if name != "tspan":
        return ""
    has_x = node.get("x") is not None
    if node.get("y") is not None or (has_x and node.get("dy", "0").strip("0.empx ") != ""):
        return "\n"
    return " " if has_x else ""


def _hand_out(image: etree._Element, number: int, out: TextBuilder) -> None:
    uri = next((value for key in HREFS if (value := image.get(key))), "")
    match = DATA_URI.match(uri)
    if match is None:
        return
    media_type = match[1].strip().lower() or None
    path = f"image-{number}.{ENDINGS.get(media_type or '', 'bin')}"
    try:
        content = unquote_to_bytes(uri[match.end() :])
        data = base64.b64decode(content, validate=False) if "base64" in match[2].lower() else content
    except (binascii.Error, ValueError) as error:
        out.failed_member(path, ErrorCategory.CORRUPT, f"not base64: {error}", media_type)
        return
    out.member(path, data, media_type)


def _dublin_core(root: etree._Element, name: str) -> str:
    """Return a property of the RDF metadata that drawing programs write."""
    element = next(root.iter(f"{DC}{name}"), None)
    return "" if element is None else _squeezed("".join(element.itertext()))[:1000]


def _local(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _one_line(text: str | None) -> str:
    return (text or "").replace("\n", " ")


def _squeezed(text: str) -> str:
    return " ".join(text.split())
