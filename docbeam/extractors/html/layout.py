"""The walk over the tree: which elements are blocks, lists, tables, fields, or not shown at all.

Source: HTML Standard, 15 (rendering) and 3.2.7 (innerText).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.html import containers, phrasing
from docbeam.extractors.html.elements import BLOCKS, INSTEAD, LINE, NOT_SHOWN, PREFORMATTED, Leave, Skip, text_of
from docbeam.extractors.html.flow import Flow
from docbeam.extractors.html.prepare import flattened
from docbeam.extractors.html.tables import Grid, Shape, table_shapes
from docbeam.schemas.vocabulary import WarningCode

PictureOf = Callable[[str, tuple[str | None, str | None]], str]  # address, width and height as written ─► anchor
CHECK_EVERY_NODES = 4_096  # for the deadline

TAGS = re.compile("<[^>]*>")
TABLE = re.compile("<table", re.IGNORECASE)
STYLE_WORDS = re.compile("hidden|display|visibility|white-space", re.IGNORECASE)
STYLE_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)")
STYLE_INVISIBLE = re.compile(r"(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)")
STYLE_PRE = re.compile(r"(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)")


class Layout:
    """Lays a parsed page out into a TextBuilder."""

    def __init__(self, out: TextBuilder, picture: PictureOf) -> None:
        self.picture = picture
        self.left_out: Counter[str] = Counter()  # characters that exist and are not shown, by reason
        self.out = out
        self.tree: LexborHTMLParser | None = None
        self.flow = self._body = Flow(lambda text: out.add(text) if text else None)
        self.flows: list[Flow] = []
        self.grids: list[Grid | None] = []
        self.lists: list[tuple[int, int, str] | None] = []  # next number, step and kind; None for bullets
        self.readings: list[list[str]] = []  # of the open <ruby> elements
        self.shapes: dict[int, Shape] = {}
        self.has_styles = False
        self.pre = 0
        self.frames = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written."""
        return self._body.is_empty

    def page(self, markup: str) -> None:
        """Lay out a whole page, or the page in a frame; `tree` is the first one's."""
        tree = LexborHTMLParser(flattened(markup))
        self.tree = self.tree or tree
        self.has_styles = STYLE_WORDS.search(markup) is not None
        self.out.check_deadline()
        if tree.root is not None:
            if TABLE.search(markup):
                self.shapes |= table_shapes(tree.root)
            self._walk(tree.root)

    def report(self) -> None:
        """Warn of the text that exists and is not shown."""
        for reason, chars in sorted((+self.left_out).items()):
            self.out.warn(WarningCode.PART_NOT_READ, reason, f"{chars} characters that a browser does not show")

    def _walk(self, root: LexborNode) -> None:
        node, seen = root, 0
        leaves: list[Leave] = []
        while True:
            seen += 1
            if seen % CHECK_EVERY_NODES == 0:
                self.out.check_deadline()
            tag = node.tag or ""
            if tag == "-text":
                self._text(node)
            elif not tag.startswith("-"):
                try:
                    leave = self._enter(node, tag)
                except Skip:
                    pass
                else:
                    if (child := node.child) is not None:
                        leaves.append(leave)
                        node = child
                        continue
                    if leave is not None:
                        leave()
            while leaves and node.next is None:
                node = node.parent or root
                if (leave := leaves.pop()) is not None:
                    leave()
            if not leaves or node.next is None:
                return
            node = node.next

    def _text(self, node: LexborNode) -> None:
        text = node.text_content or ""
        if self.pre:
            self.flow.raw(text)
        else:
            self.flow.text(text)

    def _enter(self, node: LexborNode, tag: str) -> Leave:
        """Begin an element and return what is to be done at its end. Raises Skip if its children are not to be walked."""
        if tag in NOT_SHOWN:
            self._count_not_shown(node, tag)
            raise Skip
        breaks, is_pre = BLOCKS.get(tag, 0), tag in PREFORMATTED
        if self.has_styles and (attributes := node.attributes):
            breaks, is_pre = self._styled(node, tag, attributes, breaks, is_pre)
        if tag in INSTEAD:
            self._leave_out(node, f"<{tag}>")
        handler = HANDLERS.get(tag)
        if handler is not None:
            leave = handler(self, node)
        elif breaks:
            leave = None
        else:
            return self._preformatted() if is_pre else None
        if not breaks:
            return leave
        flow = self.flow
        if leave is None:
            flow.block(breaks)
        if is_pre:
            self.pre += 1

        def end() -> None:
            if leave is not None:
                leave()
            if is_pre:
                self.pre -= 1
            flow.block(breaks)

        return end

    def _styled(
        self, node: LexborNode, tag: str, attributes: dict[str, str | None], breaks: int, is_pre: bool
    ) -> tuple[int, bool]:
        style = (attributes.get("style") or "").lower()
        display = STYLE_DISPLAY.search(style) if "display" in style else None
        if (display and display[1] == "none") or "hidden" in attributes or STYLE_INVISIBLE.search(style):
            self._leave_out(node, "hidden elements")
        if display and tag not in ("td", "th", "tr", "table", "li"):
            breaks = 0 if display[1].startswith("inline") or display[1] == "contents" else max(breaks, LINE)
        return breaks, is_pre or bool(STYLE_PRE.search(style))

    def _leave_out(self, node: LexborNode, reason: str) -> None:
        chars = len("".join(text_of(node).split()))
        if chars:
            self.left_out[reason] += chars
        raise Skip

    def _count_not_shown(self, node: LexborNode, tag: str) -> None:
        """Count the words of templates and of data in scripts; code and style sheets are no text."""
        if tag == "template":
            self.left_out["<template>"] += len("".join(TAGS.sub("", node.html or "").split()))
        for script in node.css("script") if tag == "head" else [node] if tag == "script" else ():
            if "json" in (script.attributes.get("type") or ""):
                self.left_out["data in scripts"] += len("".join(text_of(script).split()))

    def _preformatted(self) -> Leave:
        self.pre += 1

        def end() -> None:
            self.pre -= 1

        return end


HANDLERS: dict[str, Callable[[Layout, LexborNode], Leave]] = {
    "br": phrasing.line_end,
    "img": phrasing.picture,
    "image": phrasing.picture,
    "area": phrasing.picture,
    "a": phrasing.link,
    "label": phrasing.link,
    "sup": phrasing.superscript,
    "iframe": phrasing.frame,
    "noframes": phrasing.frameless,
    "math": phrasing.math,
    "ruby": phrasing.ruby,
    "rt": phrasing.reading,
    "input": phrasing.field,
    "select": phrasing.choice,
    "textarea": phrasing.input_area,
    "button": phrasing.apart,
    "option": phrasing.apart,
    **dict.fromkeys(("ul", "ol", "menu", "dir"), containers.list_of_items),
    "li": containers.item,
    "table": containers.table,
    "tr": containers.row,
    "td": containers.cell,
    "th": containers.cell,
}
