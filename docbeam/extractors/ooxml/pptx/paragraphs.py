"""The paragraphs of a slide's text box: indented by their level, with the numbers of numbered lists.

Source: ECMA-376-1 21.1.2.4.1 (buAutoNum), 20.1.10.61 (ST_TextAutonumberScheme).
"""

from __future__ import annotations

from collections.abc import Iterator

from docbeam.extractors.ooxml.docx.numbering import counted
from docbeam.extractors.ooxml.drawing import paragraph_text
from docbeam.extractors.ooxml.xml import A, Element

_FORMS = (
    ("alphaLc", "lowerLetter"),
    ("alphaUc", "upperLetter"),
    ("romanLc", "lowerRoman"),
    ("romanUc", "upperRoman"),
    ("circleNum", "decimalEnclosedCircle"),
    ("arabic", "decimal"),
    ("ea1", "chineseCounting"),
)
_ENDINGS = (("ParenBoth", "(", ")"), ("ParenR", "", ")"), ("Period", "", "."), ("Minus", "-", "-"))


def outline_lines(body: Element) -> Iterator[str]:
    """Yield the paragraphs of a p:txBody, blank ones left out."""
    counters: dict[int, tuple[str, int]] = {}
    for paragraph in body.iter(A + "p"):
        properties = paragraph.find(A + "pPr")
        level = 0 if properties is None else _whole(properties.get("lvl"), 0)
        text = paragraph_text(paragraph).strip()
        if not text:
            continue
        label = "" if properties is None else _label(properties, level, counters)
        for deeper in [key for key in counters if key > level or (key == level and not label)]:
            del counters[deeper]
        yield "  " * min(level, 8) + label + text


def _label(properties: Element, level: int, counters: dict[int, tuple[str, int]]) -> str:
    numbered = properties.find(A + "buAutoNum")
    if numbered is None:
        return ""
    scheme, start = numbered.get("type", ""), _whole(numbered.get("startAt"), 1)
    known, number = counters.get(level, ("", 0))
    number = number + 1 if known == f"{scheme} {start}" else start
    counters[level] = (f"{scheme} {start}", number)
    form = next((name for prefix, name in _FORMS if scheme.startswith(prefix)), "decimal")
    before, after = next(((before, after) for ending, before, after in _ENDINGS if scheme.endswith(ending)), ("", ""))
    return f"{before}{counted(number, form)}{after} "


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else default
