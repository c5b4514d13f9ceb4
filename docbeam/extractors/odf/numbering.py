"""List labels and heading numbers as they are shown. Source: ODF 1.3 part 3, 5.3 (lists), 19.778 (text:continue-numbering)."""

from __future__ import annotations

from docbeam.extractors.odf.names import TEXT, XML, Element, number
from docbeam.extractors.odf.styles import MAX_LIST_LEVELS, Level, Styles
from docbeam.extractors.ooxml.docx.numbering import counted
from docbeam.extractors.ooxml.symbols import bullet

MAX_LISTS = 100_000  # that can be continued by name
MAX_NUMBER = 1_000_000_000
_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}
Counters = list[int | None]


class ListPlace:
    """Where a paragraph stands in a list: the list's style and counters, the level from 1, and the item's label to come."""

    __slots__ = ("counters", "is_labelled", "level", "override", "start", "style")

    def __init__(self, style: str, counters: Counters, level: int) -> None:
        self.style = style
        self.counters = counters
        self.level = level
        self.is_labelled = True  # until an item begins
        self.start: int | None = None
        self.override = ""


class Numbering:
    """The counters of one document's lists and headings."""

    def __init__(self) -> None:
        self._headings: Counters = [None] * (MAX_LIST_LEVELS + 1)
        self._by_id: dict[str, Counters] = {}
        self._by_style: dict[str, Counters] = {}

    def begin_list(self, element: Element, outer: ListPlace | None, styles: Styles) -> ListPlace:
        """Return the place of a list that begins."""
        style = element.get(TEXT + "style-name") or (outer.style if outer else "")
        continues = element.get(TEXT + "continue-numbering") == "true"
        level = min(outer.level + 1, MAX_LIST_LEVELS) if outer else 1
        continued = self._by_id.get(element.get(TEXT + "continue-list") or "")
        if outer is not None and style == outer.style:
            counters = outer.counters
            if not continues:
                counters[level] = None
        elif continued is not None:
            counters = continued
        elif continues and style in self._by_style:
            counters = self._by_style[style]
        else:
            counters = [None] * (MAX_LIST_LEVELS + 1)
        if len(self._by_id) < MAX_LISTS and (key := element.get(XML + "id")):
            self._by_id[key] = counters
        if outer is None:
            self._by_style[style] = counters
        return ListPlace(style, counters, level)

    def begin_item(self, place: ListPlace, item: Element) -> None:
        """Note that an item begins; its first paragraph gets the label."""
        place.is_labelled = item.tag == TEXT + "list-header"
        place.start = number(item.get(TEXT + "start-value"), -1, MAX_NUMBER)
        place.override = _written_number(item)

    def label(self, place: ListPlace, paragraph_list: str, styles: Styles, written: str) -> str:
        """Return the label of a paragraph in a list, or an empty text if its item has one already."""
        if place.is_labelled:
            return ""
        place.is_labelled = True
        levels = styles.lists.get(place.style or paragraph_list, {})
        start = place.start if place.start is not None and place.start >= 0 else None
        label = _next_label(levels, place.counters, place.level, start)
        return written or place.override or label

    def heading(self, element: Element, styles: Styles) -> str:
        """Return the number of a heading outside lists."""
        level = number(element.get(TEXT + "outline-level"), 1, MAX_LIST_LEVELS) or 1
        if not styles.outline.get(level, Level()).form or element.get(TEXT + "is-list-header") == "true":
            return _written_number(element)
        start = None
        if element.get(TEXT + "restart-numbering") == "true":
            start = number(element.get(TEXT + "start-value"), 1, MAX_NUMBER)
        label = _next_label(styles.outline, self._headings, level, start)
        return _written_number(element) or label


def _written_number(element: Element) -> str:
    """Return the label that some programs write beside what it is computed from."""
    found = element.find(TEXT + "number")
    return "" if found is None else " ".join("".join(found.itertext()).split())[:40]


def _next_label(levels: dict[int, Level], counters: Counters, level: int, start: int | None) -> str:
    own = levels.get(level)
    first = own.start if own else 1
    count = counters[level]
    counters[level] = start if start is not None else first if count is None else min(count + 1, MAX_NUMBER)
    counters[level + 1 :] = [None] * (len(counters) - level - 1)
    if own is None:
        return ""
    if own.bullet:
        return bullet(own.font, own.bullet).strip()
    if not own.form:
        return (own.prefix + own.suffix).strip()
    numbers = []
    for shown in range(max(1, level - max(own.shown, 1) + 1), level + 1):
        form = levels.get(shown, Level()).form
        if form:
            value = counters[shown]
            numbers.append(_counted(levels[shown].start if value is None else value, form))
    return (own.prefix + ".".join(numbers) + own.suffix).strip()


def _counted(value: int, form: str) -> str:
    if form.startswith("一"):
        return counted(value, "chineseCounting")
    return counted(value, _FORMS.get(form, "decimal"))
