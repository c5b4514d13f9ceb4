"""Drawings in a Word document: text boxes, WordArt, charts, SmartArt, pictures and their descriptions.

Source: ECMA-376-1 20.4 (wordprocessingDrawing), ECMA-376-4 19 (VML); [MS-ODRAWXML] 2.1 (shapes with text boxes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.ooxml.drawing import paragraph_text
from docbeam.extractors.ooxml.graphics import alt_text, description, shape_size
from docbeam.extractors.ooxml.xml import MC, A, Element, R, W, chosen_branch, local_name

if TYPE_CHECKING:
    from docbeam.extractors.ooxml.docx.story import Story

Emit = Callable[[str], None]


def drawing_lines(story: Story, drawing: Element, emit: Emit) -> None:
    """Emit the text of a w:drawing, w:pict or w:object, in the order of the file."""
    size = None if drawing.tag == W + "object" else shape_size(drawing)
    stack = [drawing]
    while stack:
        story.book.pulse()
        node = stack.pop()
        name = local_name(node)
        if name == "txbxContent":
            story.blocks(node, emit)
        elif node.tag == A + "p":
            if text := paragraph_text(node).strip():
                emit(text)
        elif node.tag == MC + "AlternateContent":
            branch = chosen_branch(node)
            stack += [] if branch is None else [branch]
        elif name in ("chart", "relIds") and any(key.startswith(R) for key in node.attrib):
            for line in story.book.graphics.lines(story.part, node):
                emit(line)
        elif name:
            _node_lines(story, node, name, size, emit)
            stack += reversed(node)


def _node_lines(story: Story, node: Element, name: str, size: tuple[int, int] | None, emit: Emit) -> None:
    if name == "docPr" or (name == "shape" and node.get("alt")):
        if text := description(node) or alt_text(node.get("alt")):
            emit(text)
    elif name == "textpath":
        if text := (node.get("string") or "").strip():
            emit(text)
    elif name in ("blip", "imagedata"):
        for line in story.book.graphics.picture(story.part, node.get(R + "embed") or node.get(R + "id"), size):
            emit(line)
