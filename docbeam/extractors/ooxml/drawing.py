"""DrawingML text (a:p), the words and numbers of charts, and the words of SmartArt.

Source: ECMA-376-1 21.1 (text), 21.2 (charts), 21.4 (diagrams); [MS-ODRAWXML] 2.24 (chartex).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from docbeam.extractors.ooxml.equations import equation_text
from docbeam.extractors.ooxml.symbols import PRIVATE, is_symbol_font, symbol, symbol_text, without_private
from docbeam.extractors.ooxml.xml import MC, A, C, Element, M, chosen_branch, local_name

_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")  # how PowerPoint writes control characters
_LITERALS = re.compile(r'"[^"]*"|\\.|\[[^]]*\]')
_EPOCH = datetime(1899, 12, 30)
_MAX_DAYS = 2_958_465  # 9999-12-31
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"


def paragraph_text(paragraph: Element) -> str:
    """Return the text of one a:p: runs, fields as shown, line breaks and equations."""
    parts: list[str] = []
    _collect(paragraph, parts, 0)
    return "".join(parts).strip("\n")


def body_lines(body: Element) -> Iterator[str]:
    """Yield the paragraphs of a text body (p:txBody, a:txBody, c:rich), blank ones left out."""
    for paragraph in body.iter(A + "p"):
        if text := paragraph_text(paragraph).strip():
            yield text


def _collect(element: Element, parts: list[str], level: int) -> None:
    for node in element:
        tag = node.tag
        if tag == A + "r" or tag == A + "fld":
            parts.append(_run_text(node))
        elif tag == A + "br":
            parts.append("\n")
        elif not isinstance(tag, str) or tag in (A + "pPr", A + "endParaRPr"):
            continue
        elif tag.startswith(M) or local_name(node) == "m":
            parts.append(equation_text(node))
        elif level < 20:
            branch = chosen_branch(node) if tag == MC + "AlternateContent" else node
            if branch is not None:
                _collect(branch, parts, level + 1)


def _run_text(run: Element) -> str:
    found = run.find(A + "t")
    text = "" if found is None else found.text or ""
    if not text:
        return ""
    if "_x00" in text:
        text = _CONTROL.sub(lambda match: "\n" if match.group(1).upper() == "0B" else "", text)
    latin = run.find(f"{A}rPr/{A}latin")
    if latin is not None and latin.get("typeface") == "Symbol":
        return symbol_text("Symbol", text)
    if PRIVATE.search(text) is None:
        return text
    sign = run.find(f"{A}rPr/{A}sym")  # names the font of private codes only
    font = (latin.get("typeface", "") if latin is not None else "") if sign is None else sign.get("typeface", "")
    if not is_symbol_font(font):
        return without_private(text)
    return PRIVATE.sub(lambda match: symbol(font, ord(match.group())), text)


def chart_lines(root: Element) -> Iterator[str]:
    """Yield a chart's titles, then its data as a table: a line of series names, then a line for each category."""
    if "chartex" in root.tag:
        yield from _chartex_lines(root)
        return
    for text in root.iter(C + "title"):
        title = " ".join(line for rich in text.iter(C + "rich") for line in body_lines(rich))
        title = title or " ".join(_points(text).values())
        if title:
            yield title
    series = [(_points(ser.find(C + "tx")), *_axes(ser)) for ser in root.iter(C + "ser")]
    start = 0
    while start < len(series):  # series that share their categories share a table
        end = start + 1
        while end < len(series) and series[end][1] in (series[start][1], {}):
            end += 1
        yield from _table([" ".join(name.values()) for name, _, _ in series[start:end]], series[start][1], [
            values for _, _, values in series[start:end]
        ])  # fmt: skip
        start = end
    for label in root.iter(C + "dLbl"):
        for rich in label.iter(C + "rich"):
            yield from body_lines(rich)


def _axes(series: Element) -> tuple[dict[int, str], dict[int, str]]:
    categories = series.find(C + "cat")
    values = series.find(C + "val")
    if values is None:
        categories, values = series.find(C + "xVal"), series.find(C + "yVal")
    return _points(categories), _points(values)


def _points(data: Element | None) -> dict[int, str]:
    """Return the cached points of a reference by index; of several levels, the outer ones come first."""
    points: dict[int, str] = {}
    if data is None:
        return points
    levels = list(data.iter(C + "lvl"))
    for cache in reversed(levels) if levels else [data]:
        code = "".join(node.text or "" for node in cache.iter(C + "formatCode"))
        outer = ""
        for number, point in enumerate(cache.iter(C + "pt", C + "v")):
            if point.tag == C + "v":
                if point.getparent().tag == C + "pt":
                    continue
                points[0] = point.text or ""  # c:tx/c:v, a literal name
                continue
            value = point.find(C + "v")
            index = (
                int(point.get("idx")) if (point.get("idx") or "").isascii() and (point.get("idx") or "").isdigit() else number
            )
            outer = shown_number("" if value is None else value.text or "", point.get("formatCode") or code)
            points[index] = f"{points[index]} {outer}" if index in points else outer
    return points


def shown_number(text: str, code: str) -> str:
    """Return a cached value as a chart shows it: percentages, dates, and no digits beyond a double's precision."""
    try:
        value = float(text)
    except ValueError:
        return text
    plain = _LITERALS.sub("", code).lower()
    if "%" in plain:
        decimals = len(re.findall(r"\.(0+)", plain)[0]) if re.search(r"\.0", plain) else 0
        return f"{value * 100:.{decimals}f}%"
    if re.search(r"[yd]", plain) and "general" not in plain and 0 <= value <= _MAX_DAYS:
        date = _EPOCH + timedelta(days=value)
        return date.strftime("%Y-%m-%d") if value == int(value) else date.strftime("%Y-%m-%d %H:%M")
    return f"{value:.15g}"


def _table(names: list[str], categories: dict[int, str], columns: list[dict[int, str]]) -> Iterator[str]:
    if any(names):
        yield "\t".join(["", *names] if categories else names).rstrip("\t")
    for index in sorted(set(categories).union(*columns)):
        cells = [values.get(index, "") for values in columns]
        yield "\t".join([categories.get(index, ""), *cells] if categories else cells).rstrip("\t")


def _chartex_lines(root: Element) -> Iterator[str]:
    for title in root.iter("{*}title", "{*}txData"):
        text = " ".join(body_lines(title)) or " ".join(node.text or "" for node in title.iter("{*}v"))
        if text:
            yield text
    for data in root.iter("{*}data"):
        columns = []
        for dimension in data.iter("{*}strDim", "{*}numDim"):
            for level in reversed(list(dimension.iter("{*}lvl"))):
                code = level.get("formatCode", "")
                columns.append({n: shown_number(point.text or "", code) for n, point in enumerate(level.iter("{*}pt"))})
        if columns:
            yield from _table([], {}, columns)


def diagram_lines(root: Element) -> Iterator[str]:
    """Yield the words of a SmartArt data model, in the order of its tree, indented by level."""
    points = {point.get("modelId", ""): point for point in root.iter(DGM + "pt")}
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(DGM + "cxn"):
        if link.get("type", "parOf") == "parOf":
            order = link.get("srcOrd", "0")
            children.setdefault(link.get("srcId", ""), []).append(
                (int(order) if order.isascii() and order.isdigit() else 0, link.get("destId", ""))
            )
    seen: set[str] = set()
    roots = [key for key, point in points.items() if point.get("type") == "doc"]
    for first in roots + list(points):
        stack = [(first, -1 if first in roots else 0)]
        while stack:
            key, level = stack.pop()
            if key in seen or key not in points:
                continue
            seen.add(key)
            for body in points[key].iter(DGM + "t"):
                for line in body_lines(body):
                    yield "  " * min(max(level, 0), 8) + line
            stack += [(child, level + 1) for _, child in sorted(children.get(key, ()), reverse=True)]
