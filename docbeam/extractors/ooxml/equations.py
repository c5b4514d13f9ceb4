"""Office Math (OMML) as one line of text: (a)/(b), √(x), x², ∑_(i=1)^(n).

Subscripts follow their base without a mark, as they are read and searched for. An element that isn't known gives the
text of its children, so nothing is lost. Source: ECMA-376-1 22.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docbeam.extractors.ooxml.xml import Element, M, local_name

MAX_LEVELS = 60  # of nesting; deeper formulas give their text without structure
_SUPERSCRIPTS = str.maketrans("0123456789+-−ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿⁱ")
_RAISABLE = frozenset("0123456789+-−ni ")  # spaces go
_PLAIN = re.compile(r"[\w.,]+")
_OPERATOR = re.compile(r"[\s/=+−×±·∙-]")
_RELATIONS = re.compile(r"\s*([=≠<>≤≥≈≡≅∼∝→⇒⇔∈∉⊂⊆×÷±∓⋅])\s*")
_SUMS = re.compile(r"(?<=[\w)\]}°⁰¹²³⁴⁵⁶⁷⁸⁹])\s*([+−])\s*(?=\S)")
_PROPERTIES = frozenset(f"{M}{name}" for name in ("ctrlPr", "argPr", "oMathParaPr", "rPr"))


def equation_text(element: Element) -> str:
    """Return an equation (m:oMath, m:oMathPara or a part of one) as one line of text."""
    text = " ".join(_linear(element, 0).split())
    plain = "".join(node.text or "" for node in element.iter(M + "t"))
    if sum(map(str.isalnum, text)) < sum(map(str.isalnum, plain)):  # a shape without the parts that it should have
        text = " ".join(plain.split())
    return _SUMS.sub(r" \1 ", _RELATIONS.sub(r" \1 ", text)).strip()


def _linear(element: Element, level: int) -> str:
    if level > MAX_LEVELS:
        return "".join(node.text or "" for node in element.iter(M + "t", "{*}t"))
    name = local_name(element)
    if name == "t":
        return (element.text or "").replace("\u2061", "")  # function application, which is not shown
    if name in ("del", "moveFrom", "delText", "instrText") or element.tag in _PROPERTIES or name.endswith("Pr"):
        return ""
    shape = _SHAPES.get(name) if element.tag.startswith(M) else None
    if shape is not None:
        return shape(element, level + 1)
    separator = " " if name == "oMathPara" else ""
    return separator.join(_linear(child, level + 1) for child in element if isinstance(child.tag, str))


def _part(element: Element, name: str, level: int) -> str:
    found = element.find(M + name)
    return "" if found is None else _linear(found, level).strip()


def _property(element: Element, name: str, default: str) -> str:
    found = element.find(f"{M}{local_name(element)}Pr/{M}{name}")
    return default if found is None else found.get(M + "val", "")


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or _PLAIN.fullmatch(text) or _is_enclosed(text) else f"({text})"


def _is_enclosed(text: str) -> bool:
    """Say whether one pair of parentheses holds the whole text."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for char in text[:-1]:
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return False
    return True


def _raised(text: str) -> str:
    if not text:
        return ""
    if text in ("∘", "°"):
        return "°"
    if _RAISABLE.issuperset(text):
        return text.replace(" ", "").translate(_SUPERSCRIPTS)
    return text if text in ("′", "″", "*", "†") else f"^{_grouped(text)} "


def _fraction(element: Element, level: int) -> str:
    above, below = _part(element, "num", level), _part(element, "den", level)
    if _property(element, "type", "bar") == "noBar":
        return f"{above} {below}"
    return f"{_grouped(above)}/{_grouped(below)}"


def _scripts(element: Element, level: int) -> str:
    base, below, above = (_part(element, name, level) for name in ("e", "sub", "sup"))
    return f"{_grouped(base) if _OPERATOR.search(base) else base}{below}{_raised(above)}"


def _before(element: Element, level: int) -> str:
    base, below, above = (_part(element, name, level) for name in ("e", "sub", "sup"))
    return f"{below}{_raised(above)}{base}"


def _radical(element: Element, level: int) -> str:
    degree, base = _part(element, "deg", level), _part(element, "e", level)
    return f"{_raised(degree)}√{_grouped(base)}"


def _n_ary(element: Element, level: int) -> str:
    base, below, above = (_part(element, name, level) for name in ("e", "sub", "sup"))
    limits = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{_property(element, 'chr', '∫')}{limits} {base}"


def _delimited(element: Element, level: int) -> str:
    parts = [_linear(child, level).strip() for child in element.findall(M + "e")]
    middle = _property(element, "sepChr", "|")
    return _property(element, "begChr", "(") + middle.join(parts) + _property(element, "endChr", ")")


def _function(element: Element, level: int) -> str:
    name, argument = _part(element, "fName", level), _part(element, "e", level)
    return f" {name}{'' if argument.startswith('(') else ' '}{argument}"


def _limit(element: Element, level: int) -> str:
    base, limit = _part(element, "e", level), _part(element, "lim", level)
    return f"{base}{'_' if local_name(element) == 'limLow' else '^'}{_grouped(limit)}"


def _accent(element: Element, level: int) -> str:
    return _part(element, "e", level) + _property(element, "chr", "\u0302")  # no character means a circumflex


def _rows(element: Element, level: int) -> str:
    rows = [" ".join(_linear(cell, level).strip() for cell in row.findall(M + "e")) for row in element.findall(M + "mr")]
    return "; ".join(rows)


def _lines(element: Element, level: int) -> str:
    return "; ".join(_linear(line, level).strip() for line in element.findall(M + "e"))


_SHAPES: dict[str, Callable[[Element, int], str]] = {
    "f": _fraction,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _before,
    "rad": _radical,
    "nary": _n_ary,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "m": _rows,
    "eqArr": _lines,
}
