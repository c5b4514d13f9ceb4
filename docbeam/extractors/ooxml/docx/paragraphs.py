"""Paragraphs of a Word document: the properties that the walk wants, and the text of those that are nested too deeply to walk.

Source: ECMA-376-1 17.3.1 (paragraphs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from docbeam.extractors.ooxml.xml import Element, W

PULSE_EVERY_WORDS = 1000

_P, _T, _PPR, _RPR = W + "p", W + "t", W + "pPr", W + "rPr"
_WANTED = (W + "pStyle", W + "numPr", W + "sectPr", _RPR)


class Properties:
    """What the walk wants of a w:pPr."""

    __slots__ = ("is_mark_deleted", "list", "section", "style")

    def __init__(self, paragraph: Element) -> None:
        self.style = ""
        self.list: Element | None = None
        self.section: Element | None = None
        self.is_mark_deleted = False
        for properties in paragraph.iterchildren(_PPR):
            for node in properties.iterchildren(*_WANTED):
                tag = node.tag
                if tag == W + "pStyle":
                    self.style = node.get(W + "val", "")
                elif tag == W + "numPr":
                    self.list = node
                elif tag == W + "sectPr":
                    self.section = node
                else:
                    self.is_mark_deleted = next(node.iterchildren(W + "del", W + "moveFrom"), None) is not None


def hidden_styles(styles: Element | None) -> frozenset[str]:
    """Return the ids of the styles that hide the text of a run by themselves."""
    found = () if styles is None else styles.iterchildren(W + "style")
    return frozenset(
        style.get(W + "styleId", "")
        for style in found
        if any(is_hiding(vanish, frozenset()) for vanish in style.iterfind(f"{_RPR}/{W}vanish"))
    )


def is_hiding(node: Element, styles: frozenset[str]) -> bool:
    """Say whether a w:vanish or w:rStyle hides the run that it stands in."""
    value = node.get(W + "val", "")
    return value in styles if node.tag == W + "rStyle" else value not in ("0", "false", "off")


def flat_lines(element: Element, pulse: Callable[[], None]) -> Iterator[str]:
    """Yield the text of all paragraphs in an element, a line each, however deep they are; without lists, fields and tables."""
    words: list[str] = []
    for node in element.iter(_P, _T):
        words.append("\n" if node.tag == _P else node.text or "")
        if len(words) % PULSE_EVERY_WORDS == 0:
            pulse()
    for line in "".join(words).split("\n"):
        if line.strip():
            yield line.strip()
