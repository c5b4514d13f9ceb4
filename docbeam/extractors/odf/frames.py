"""Shapes, frames and what is in them: text boxes, pictures, charts, formulas, embedded documents, form controls.

Source: ODF 1.3 part 3, 10.3 and 10.4 (shapes and frames), 11 (charts), 14.4 (formulas).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from docbeam.extractors.html.mathml import math_text
from docbeam.extractors.odf.names import (
    CHART,
    DRAW,
    DRAWN,
    MATH,
    OFFICE,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    Element,
    local_name,
)  # fmt: skip
from docbeam.extractors.odf.styles import PARTS, Styles
from docbeam.extractors.ooxml.graphics import MIN_HEIGHT_PIXELS, MIN_PICTURE_BYTES, MIN_WIDTH_PIXELS, alt_text
from docbeam.extractors.ooxml.package import resolved
from docbeam.extractors.ooxml.xml import parse_xml
from docbeam.extractors.package_pictures import part_lines
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import WarningCode

if TYPE_CHECKING:
    from docbeam.extractors.odf.book import Book
    from docbeam.extractors.odf.story import Story

MAX_DEPTH = 4  # of objects inside objects
MAX_FORMULA_CHARS = 100_000  # of markup
PIXELS = {"cm": 37.8, "mm": 3.78, "in": 96.0, "pt": 1.333, "pc": 16.0, "px": 1.0}
_LENGTH = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px)")
_SHOWN_FIRST = ("table", "text-box", "object", "object-ole", "plugin", "applet", "floating-frame", "image")
_DATA = re.compile(r"\s+")
Emit = Callable[[str], None]


def drawing_lines(story: Story, node: Element, emit: Emit) -> None:
    """Emit the text of a shape, a group, a frame or a control."""
    tag = node.tag
    if tag == TABLE + "table":
        story.block(node, emit)
    elif tag == DRAW + "frame":
        _frame(story, node, emit)
    elif tag == DRAW + "control":
        if value := story.book.take_control(node.get(DRAW + "control") or ""):
            emit(value)
    else:
        story.blocks(node, emit)
        if alt := _alt(node):
            emit(alt)


def formula_in(story: Story, frame: Element) -> str | None:
    """Return the formula that a frame shows, an empty text if it was shown already, None if it shows something else."""
    found = frame.find(DRAW + "object") if frame.tag == DRAW + "frame" else None
    if found is None:
        return None
    root = found.find(MATH + "math")
    if root is not None:
        return _math(root)
    name = _part_name(story.book, found)
    if f"formula {name}" in story.book.objects_seen:
        return ""
    root = _object_root(story.book, name, is_quiet=True)
    if root is None or local_name(root) != "math":
        return None
    story.book.objects_seen.add(f"formula {name}")
    return _math(root) or None


def _frame(story: Story, frame: Element, emit: Emit) -> None:
    children = [child for child in frame if isinstance(child.tag, str)]
    alt = _alt(frame)
    for name in _SHOWN_FIRST:
        for child in children:
            if local_name(child) == name and _shown(story, child, frame, alt, emit):
                for image in children:  # a caption inside the picture
                    if image is not child and local_name(image) == "image":
                        story.blocks(image, emit)
                return
    story.blocks(frame, emit)


def _shown(story: Story, child: Element, frame: Element, alt: str, emit: Emit) -> bool:
    match local_name(child):
        case "table" | "text-box":
            story.blocks(child, emit) if local_name(child) == "text-box" else story.block(child, emit)
            if alt:
                emit(alt)
        case "object" | "object-ole":
            is_shown = _object(story, child, alt, emit)
            if is_shown and alt:
                emit(alt)
            return is_shown
        case "image":
            if alt:
                emit(alt)
            for line in _picture(story, child, frame):
                emit(line)
            story.blocks(child, emit)
        case kind:
            href = child.get(XLINK + "href") or ""
            story.book.warn_once(WarningCode.PART_NOT_READ, href[:200] or kind, f"a {kind} that is not read")
            return kind == "applet"
    return True


def _alt(frame: Element) -> str:
    words = (
        " ".join("".join(node.itertext()).split()) for name in ("title", "desc") for node in frame.iterchildren(SVG + name)
    )
    return alt_text(": ".join(dict.fromkeys(filter(None, words))))


def _picture(story: Story, image: Element, frame: Element) -> list[str]:
    """Hand out a picture and return the lines that stand in its place."""
    book = story.book
    href = image.get(XLINK + "href") or ""
    size = [_LENGTH.fullmatch(frame.get(SVG + side) or "") for side in ("width", "height")]
    least = (MIN_WIDTH_PIXELS, MIN_HEIGHT_PIXELS)
    if any(length and float(length[1]) * PIXELS[length[2]] < small for length, small in zip(size, least, strict=True)):
        return []
    if not href:
        data = image.find(OFFICE + "binary-data")
        return [] if data is None else _written_out(book, data.text or "", " ".join((frame.get(DRAW + "name") or "").split()))
    if "://" in href:
        book.links.setdefault(href[:200])
        return []
    if book.package is None:
        return []
    part = resolved(book.folder + "content.xml", href)
    if not book.package.has(part):
        if not href.startswith(("../", "/")):  # a file beside the document
            book.warn_once(WarningCode.ENTRY_MISSING, part, "a picture that is not in the package")
    elif book.package.size(part) >= MIN_PICTURE_BYTES and part not in book.pictures_seen:
        book.pictures_seen.add(part)
        return part_lines(book.package, part, book.out)
    return []


def _written_out(book: Book, data: str, name: str) -> list[str]:
    """Hand out a picture that a flat file holds itself; its name tells it from others."""
    key = digest(data)
    if len(data) * 3 // 4 < MIN_PICTURE_BYTES or key in book.pictures_seen:
        return []
    book.pictures_seen.add(key)
    return list(filter(None, [book.out.picture(f"{name[:200] or 'picture'} ({key})")]))


def digest(data: str) -> str:
    """Return the short name of base64 data."""
    return hashlib.sha256(_DATA.sub("", data).encode("ascii", "replace")).hexdigest()[:12]


def _part_name(book: Book, element: Element) -> str:
    href = (element.get(XLINK + "href") or "").rstrip("/")
    return resolved(book.folder + "content.xml", href) if href and "://" not in href else ""


def _object_root(book: Book, name: str, *, is_quiet: bool = False) -> Element | None:
    part = f"{name}/content.xml"
    if not name or book.package is None or not book.package.has(part):
        return None
    if not is_quiet:
        return book.package.xml_or_warn(part, book.out)
    if book.package.size(part) > MAX_FORMULA_CHARS:
        return None
    try:
        return parse_xml(book.package.part(part))
    except (ExtractionError, etree.XMLSyntaxError):
        return None


def _object(story: Story, element: Element, alt: str, emit: Emit) -> bool:
    """Emit the text of an embedded object, or unpack it; False if it could not be found."""
    book = story.book
    for child in element:
        if isinstance(child.tag, str) and child.tag != OFFICE + "binary-data" and child.tag[0] == "{" and len(child):
            _object_text(story, child, emit)
            return True
    data = element.find(OFFICE + "binary-data")
    if data is not None:
        book.out.member(f"object {len(book.objects_seen) + 1}", _decoded(data.text or ""))
        book.objects_seen.add(f"data {len(book.objects_seen)}")
        return True
    name = _part_name(book, element)
    if not name or book.package is None:
        return False
    if name in book.objects_seen:
        return True
    book.objects_seen.add(name)
    root = _object_root(book, name)
    if root is not None and book.depth < MAX_DEPTH:
        outer, book.folder = book.folder, f"{name}/"
        _object_text(story, root, emit)
        book.folder = outer
        return True
    if book.package.has(name):
        book.out.member(name, book.package.chunks(name))
        return True
    code, message = WarningCode.EMBEDDED_NOT_READ, "an embedded object that is not read"
    is_there = any(part.startswith(name + "/") for part in book.package.names())
    if not is_there:
        code, message = WarningCode.ENTRY_MISSING, "an embedded object that is not in the package"
    book.warn_once(code, name, message)
    if alt:
        emit(alt)
    return False


def _decoded(text: str) -> Iterator[bytes]:
    try:
        yield base64.b64decode(_DATA.sub("", text))
    except binascii.Error as error:
        raise ValueError(f"base64: {error}") from error


def _object_text(story: Story, root: Element, emit: Emit) -> None:
    book = story.book
    if local_name(root) == "math":
        emit(_math(root))
        return
    outer, book.styles = book.styles, Styles()
    book.depth += 1
    try:
        for part in root:
            if part.tag in PARTS:
                book.styles.add(part)
        for body in root.iterchildren(OFFICE + "body"):
            for content in body:
                lines: list[str] = []
                chart = content.find(CHART + "chart")
                if chart is None:
                    story.blocks(content, emit)
                else:
                    _chart(story, chart, lines)
                    for line in lines:
                        emit(line)
    finally:
        book.depth -= 1
        book.styles = outer


def _chart(story: Story, chart: Element, lines: list[str]) -> None:
    """Collect a chart's titles, then its data as a table."""
    for title in chart.iter(CHART + "title", CHART + "subtitle", CHART + "footer"):
        text = " ".join(" ".join("".join(node.itertext()).split()) for node in title.iter(TEXT + "p"))
        if text:
            lines.append(text)
    for child in chart:
        if child.tag == TABLE + "table":
            story.block(child, lambda line: lines.append(line) if line.strip() else None)
        elif child.tag in DRAWN or child.tag == TABLE + "shapes":
            story.block(child, lines.append)


def _math(root: Element) -> str:
    """Return a formula as a line of text."""
    plain = _plain(root)
    markup = "" if plain is None else etree.tostring(plain, encoding="unicode", with_tail=False)[:MAX_FORMULA_CHARS]
    node = LexborHTMLParser(markup).css_first("math")
    return " ".join(math_text(node).split()) if node is not None else ""


def _plain(root: Element) -> Element | None:
    """Return a copy of a formula whose names have no namespace, as HTML has them."""
    copy = etree.fromstring(etree.tostring(root, with_tail=False), etree.XMLParser(resolve_entities=False, recover=True))
    if copy is None:
        return None
    for node in copy.iter():
        if isinstance(node.tag, str):
            node.tag = node.tag.rpartition("}")[2]
            if node.tag == "mi" and len(word := (node.text or "").strip()) > 1 and word.isalpha():  # set apart as a word
                node.tag = "mtext"
    etree.cleanup_namespaces(copy)
    return copy
