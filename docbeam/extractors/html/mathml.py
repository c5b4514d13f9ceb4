"""MathML as a line of text: a slash for fractions, raised digits, ^ and _ for other scripts, signs for roots.

Source: MathML Core, 3 (presentation elements).
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from docbeam.extractors.html.elements import RAISED, text_of

MAX_DEPTH = 60  # of nested elements; deeper ones give their plain text
INVISIBLE = re.compile("[\u2061-\u2064]")
NOT_SHOWN = frozenset(("annotation", "annotation-xml", "mphantom"))
UNDER_OVER = {"munder": "_", "msub": "_", "mover": "^", "msup": "^"}


def math_text(node: LexborNode, depth: int = 0) -> str:
    """Return the text of a MathML element."""
    if node.tag == "-text":
        return INVISIBLE.sub("", " ".join((node.text_content or "").split()))
    if node.tag in NOT_SHOWN or (node.tag or "-").startswith("-"):
        return ""
    if depth > MAX_DEPTH:
        return " ".join(text_of(node).split())
    parts = [math_text(child, depth + 1) for child in _children(node)]
    return _joined(node.tag or "", parts, [child for child in _children(node) if not (child.tag or "-").startswith("-")])


def _joined(tag: str, parts: list[str], elements: list[LexborNode]) -> str:
    whole = "".join(parts)
    if tag not in ("mfrac", "msubsup", "munderover", "msqrt", "mroot", "mtr", "mtable", *UNDER_OVER):
        return f" {whole} " if tag == "mtext" else whole
    parts = [part for part in parts if part] if len(parts) != len(elements) else parts
    match tag, parts:
        case "mfrac", [top, bottom]:
            return f"{_grouped(top)}/{_grouped(bottom)}"
        case (("msubsup" | "munderover"), [base, low, high]):
            return f"{base}_{_grouped(low)}^{_grouped(high)}"
        case "msqrt", _:
            return f"√{_grouped(whole)}"
        case "mroot", [base, index]:
            return f"{index}√{_grouped(base)}"
        case "mtr", _:
            return " ".join(parts)
        case "mtable", _:
            return "; ".join(parts)
        case "msup", [base, script] if script and set(script) <= RAISED.keys():
            return base + "".join(RAISED[char] for char in script)
        case _, [base, script] if tag in UNDER_OVER:
            return f"{base}{UNDER_OVER[tag]}{_grouped(script)}"
    return whole


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _children(node: LexborNode) -> list[LexborNode]:
    children, child = [], node.child
    while child is not None:
        if child.tag != "-text" or (child.text_content or "").strip():
            children.append(child)
        child = child.next
    return children
