"""Pictures, frames, formulas, readings and form fields: what of them belongs in the running text.

Source: HTML Standard, 4.5 to 4.10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborNode

from docbeam.extractors.html.elements import LINE, RAISED, Leave, Skip, text_of
from docbeam.extractors.html.mathml import math_text

if TYPE_CHECKING:
    from docbeam.extractors.html.layout import Layout

MAX_FRAMES = 3  # srcdoc inside srcdoc


def line_end(layout: Layout, node: LexborNode) -> Leave:
    """End the line at a <br>."""
    layout.flow.line_end()
    raise Skip


def picture(layout: Layout, node: LexborNode) -> Leave:
    """Write the alternative text of a picture, and hand it out if the page or its book has it."""
    attributes = node.attributes
    layout.flow.word(attributes.get("alt") or "")
    address = attributes.get("src") or attributes.get("href") or attributes.get("xlink:href") or ""
    if address and node.tag != "area":
        layout.flow.anchor(layout.picture(address, (attributes.get("width"), attributes.get("height"))))
    raise Skip


def link(layout: Layout, node: LexborNode) -> Leave:
    """Set a link apart from a link right before it: menus are parted by style sheets only, and no word is two links."""
    if node.prev is not None and node.prev.tag == node.tag:
        layout.flow.space()
    return None


def superscript(layout: Layout, node: LexborNode) -> Leave:
    """Keep raised digits raised: ten to the sixth is not 106, and a note's number is no part of the word before."""
    text = text_of(node)
    if text.strip() and all(char in RAISED for char in text.strip()):
        layout.flow.text("".join(RAISED[char] for char in text.strip()))
        raise Skip
    return None


def frame(layout: Layout, node: LexborNode) -> Leave:
    """Lay out the page that is written in the frame itself; others are not fetched."""
    page = node.attributes.get("srcdoc")
    if page and layout.frames < MAX_FRAMES:
        layout.frames += 1
        has_styles = layout.has_styles
        layout.flow.block(LINE)
        layout.page(page)
        layout.flow.block(LINE)
        layout.has_styles = has_styles
        layout.frames -= 1
    raise Skip


def frameless(layout: Layout, node: LexborNode) -> Leave:
    """Lay out what stands in <noframes>, which the parser keeps as text."""
    if layout.frames < MAX_FRAMES:
        layout.frames += 1
        layout.flow.block(LINE)
        layout.page(text_of(node))
        layout.frames -= 1
    raise Skip


def math(layout: Layout, node: LexborNode) -> Leave:
    """Write a formula as a line of text."""
    layout.flow.word(math_text(node)) if node.attributes.get("display") == "block" else layout.flow.text(math_text(node))
    raise Skip


def ruby(layout: Layout, node: LexborNode) -> Leave:
    """Begin a word with readings: they stand in brackets after it, so that it can still be found."""
    readings: list[str] = []
    layout.readings.append(readings)

    def end() -> None:
        layout.readings.pop()
        text = "".join(readings)
        if text:
            layout.flow.text(f"({text})")

    return end


def reading(layout: Layout, node: LexborNode) -> Leave:
    """Keep a reading for the end of the whole word."""
    text = " ".join((text_of(node)).split())
    if layout.readings:
        layout.readings[-1].append(text)
    else:
        layout.flow.text(f"({text})")
    raise Skip


def field(layout: Layout, node: LexborNode) -> Leave:
    """Write what a form field shows: its value, its placeholder, a cross or none."""
    attributes = node.attributes
    kind = (attributes.get("type") or "text").lower()
    if kind in ("checkbox", "radio"):
        marks = "[]" if kind == "checkbox" else "()"
        layout.flow.word(f"{marks[0]}{'x' if 'checked' in attributes else ' '}{marks[1]}")
    elif kind == "image":
        picture(layout, node)
    elif kind not in ("hidden", "password", "file", "color", "range"):
        layout.flow.word(attributes.get("value") or attributes.get("placeholder") or "")
    raise Skip


def choice(layout: Layout, node: LexborNode) -> Leave:
    """Write every option of a <select>, the chosen one with a cross."""
    options = [option for option in node.css("option") if "hidden" not in option.attributes]
    chosen = {option.mem_id for option in options if "selected" in option.attributes}
    if not chosen and options and "multiple" not in node.attributes:
        chosen = {options[0].mem_id}
    for option in options:
        label = (option.attributes.get("label") or text_of(option)).strip()
        if label:
            layout.flow.word(f"({'x' if option.mem_id in chosen else ' '}) {label}")
    raise Skip


def input_area(layout: Layout, node: LexborNode) -> Leave:
    """Write the text of a <textarea> as it is."""
    layout.flow.block(LINE)
    layout.flow.raw(text_of(node) or node.attributes.get("placeholder") or "")
    layout.flow.block(LINE)
    raise Skip


def apart(layout: Layout, node: LexborNode) -> Leave:
    """Begin a button, which stands apart from its neighbours."""
    layout.flow.space()
    return layout.flow.space
