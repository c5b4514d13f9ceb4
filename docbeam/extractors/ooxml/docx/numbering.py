"""List labels as Word shows them (1., a), iv., •), and what paragraph styles say of lists and headings.

Source: ECMA-376-1 17.9 (numbering), 17.7 (styles), 17.18.59 (ST_NumberFormat).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docbeam.extractors.ooxml.symbols import bullet
from docbeam.extractors.ooxml.xml import Element, W

MAX_LABEL_CHARS = 60
MAX_BASED_ON = 20  # styles on styles
_PLACE = re.compile(r"%([1-9])")
_DIGITS = "〇一二三四五六七八九"
_HEADING = re.compile(r"(heading|überschrift|titre|título|titolo|标题|見出し)\s*\d|title$", re.IGNORECASE)
_CJK = ("chineseCounting", "chineseCountingThousand", "japaneseCounting", "ideographDigital", "taiwaneseCounting",
        "taiwaneseCountingThousand", "koreanCounting", "koreanDigital2", "japaneseDigitalTenThousand")  # fmt: skip


@dataclass(slots=True)
class Level:
    """One level of a list."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    font: str = ""
    is_legal: bool = False


@dataclass(slots=True)
class Style:
    """What a paragraph style says of lists and headings."""

    based_on: str = ""
    num_id: str | None = None
    level: int | None = None
    is_heading: bool = False


@dataclass(slots=True)
class _List:
    abstract: str
    starts: dict[int, int] = field(default_factory=dict)
    levels: dict[int, Level] = field(default_factory=dict)


class Numbering:
    """The lists of a document and where each of them has got to."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self._abstracts: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, _List] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._started: set[str] = set()
        self.styles = {} if styles is None else _read_styles(styles)
        if numbering is not None:
            self._read(numbering)

    def of_paragraph(self, style: str, properties: Element | None) -> tuple[str, int] | None:
        """Return the list and level of a paragraph by its own w:numPr, else by its style; None if it is in no list."""
        level, num_id = _num_properties(properties)
        for _ in range(MAX_BASED_ON):
            if num_id is not None and level is not None:
                break
            known = self.styles.get(style)
            if known is None:
                break
            num_id = known.num_id if num_id is None else num_id
            level = known.level if level is None else level
            style = known.based_on
        return (num_id, level or 0) if num_id is not None and num_id in self._lists else None

    def is_heading(self, style: str) -> bool:
        """Say whether a paragraph style, or one that it is based on, is a heading."""
        for _ in range(MAX_BASED_ON):
            known = self.styles.get(style)
            if known is None:
                return False
            if known.is_heading:
                return True
            style = known.based_on
        return False

    def label(self, num_id: str, level: int) -> str:
        """Count a paragraph of a list and return its label, an empty text if it has none."""
        chosen = self._lists[num_id]
        level = min(max(level, 0), 8)
        counters = self._counters.setdefault(chosen.abstract, [None] * 9)
        if num_id not in self._started:
            self._started.add(num_id)
            for restarted in chosen.starts:
                if 0 <= restarted < 9:
                    counters[restarted] = None
        for above in range(level + 1):
            current = counters[above]
            if current is None:
                start = self._level(chosen, above).start
                counters[above] = chosen.starts.get(above, start)
            elif above == level:
                counters[above] = current + 1
        counters[level + 1 :] = [None] * (8 - level)
        return self._shown(chosen, level, counters)

    def _shown(self, chosen: _List, level: int, counters: list[int | None]) -> str:
        own = self._level(chosen, level)
        if own.form == "none":
            return _PLACE.sub("", own.text).strip()[:MAX_LABEL_CHARS]
        if own.form == "bullet":
            return bullet(own.font, own.text) if own.text.strip() else ""

        def number(match: re.Match[str]) -> str:
            place = int(match.group(1)) - 1
            return counted(counters[place] or 0, "decimal" if own.is_legal else self._level(chosen, place).form)

        return _PLACE.sub(number, own.text).strip()[:MAX_LABEL_CHARS]

    def _level(self, chosen: _List, level: int) -> Level:
        return chosen.levels.get(level) or self._abstracts.get(chosen.abstract, {}).get(level) or Level()

    def _read(self, root: Element) -> None:
        by_style: dict[str, str] = {}
        links: dict[str, str] = {}
        for abstract in root.findall(W + "abstractNum"):
            key = abstract.get(W + "abstractNumId", "")
            self._abstracts[key] = _read_levels(abstract)
            for name, table in (("styleLink", by_style), ("numStyleLink", links)):
                found = abstract.find(W + name)
                if found is not None and name == "styleLink":
                    table[found.get(W + "val", "")] = key
                elif found is not None:
                    table[key] = found.get(W + "val", "")
        for num in root.findall(W + "num"):
            found = num.find(W + "abstractNumId")
            key = "" if found is None else found.get(W + "val", "")
            key = by_style.get(links.get(key, ""), key)
            starts = {}
            levels = {}
            for override in num.findall(W + "lvlOverride"):
                place = _number(override.get(W + "ilvl"), 0)
                start = override.find(W + "startOverride")
                if start is not None:
                    starts[place] = _number(start.get(W + "val"), 1)
                levels.update(_read_levels(override))
            self._lists[num.get(W + "numId", "")] = _List(key, starts, levels)
        self._lists.pop("0", None)  # means: in no list


def counted(number: int, form: str) -> str:
    """Return a number in one of Word's number formats; formats that aren't known count in digits."""
    if form in ("lowerLetter", "upperLetter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 20)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < number < 5000:
        roman = _roman(number)
        return roman if form == "lowerRoman" else roman.upper()
    if form == "decimalZero":
        return f"{number:02d}"
    if form == "ordinal":
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    if form.startswith("decimalEnclosedCircle") and 0 < number <= 20:
        return chr(0x2460 + number - 1)
    if form in _CJK and 0 < number < 100:
        tens, ones = divmod(number, 10)
        if form in ("ideographDigital", "koreanDigital2"):
            return "".join(_DIGITS[int(digit)] for digit in str(number))
        return ("" if tens == 0 else "十" if tens == 1 else _DIGITS[tens] + "十") + (
            "" if ones == 0 and tens else _DIGITS[ones]
        )
    if form in ("russianLower", "russianUpper") and 0 < number <= 28:
        letter = "абвгдежзиклмнопрстуфхцчшщэюя"[number - 1]
        return letter if form == "russianLower" else letter.upper()
    return "" if form == "none" else str(number)


def _roman(number: int) -> str:
    signs = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
             (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
    parts = []
    for value, sign in signs:
        count, number = divmod(number, value)
        parts.append(sign * count)
    return "".join(parts)


def _read_levels(parent: Element) -> dict[int, Level]:
    levels = {}
    for element in parent.findall(W + "lvl"):
        fonts = element.find(f"{W}rPr/{W}rFonts")
        levels[_number(element.get(W + "ilvl"), 0)] = Level(
            start=_number(_value(element, "start"), 1),
            form=_value(element, "numFmt") or "decimal",
            text=_value(element, "lvlText") or "",
            font="" if fonts is None else fonts.get(W + "ascii", ""),
            is_legal=element.find(W + "isLgl") is not None,
        )
    return levels


def _read_styles(root: Element) -> dict[str, Style]:
    styles = {}
    for element in root.findall(W + "style"):
        if element.get(W + "type", "paragraph") != "paragraph":
            continue
        properties = element.find(W + "pPr")
        level, num_id = _num_properties(None if properties is None else properties.find(W + "numPr"))
        outline = None if properties is None else _value(properties, "outlineLvl")
        styles[element.get(W + "styleId", "")] = Style(
            based_on=_value(element, "basedOn") or "",
            num_id=num_id,
            level=level,
            is_heading=_number(outline, 9) < 9 or bool(_HEADING.match(_value(element, "name") or "")),
        )
    return styles


def _num_properties(found: Element | None) -> tuple[int | None, str | None]:
    if found is None:
        return None, None
    level = _value(found, "ilvl")
    return None if level is None else _number(level, 0), _value(found, "numId")


def _value(element: Element, name: str) -> str | None:
    found = element.find(W + name)
    return None if found is None else found.get(W + "val")


def _number(text: str | None, default: int) -> int:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default
