"""What styles say of text: levels of lists, hidden text, hidden sheets and slides, master pages.

Source: ODF 1.3 part 3, 16 (styles), 19.880 (text:display), 19.609 (table:display).
"""

from __future__ import annotations

from dataclasses import dataclass

from docbeam.extractors.odf.names import DRAW, OFFICE, PRESENTATION, STYLE, SVG, TABLE, TEXT, Element, local_name, number

MAX_LIST_LEVELS = 10
MAX_PARENTS = 20  # of a style; honest chains have four or five
_LEVELS = frozenset(
    (
        *(TEXT + f"list-level-style-{kind}" for kind in ("number", "bullet", "image")),
        TEXT + "outline-level-style",
    )
)
PARTS = frozenset(OFFICE + name for name in ("styles", "automatic-styles", "master-styles"))


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: a bullet, or a number format with what stands around the number."""

    bullet: str = ""
    font: str = ""
    form: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown: int = 1  # levels in the label


@dataclass(slots=True)
class Style:
    """A style of text, paragraphs, tables, sections or slides."""

    parent: str = ""
    list_style: str = ""
    master_page: str = ""
    is_hidden: bool | None = None
    shows_margins: bool = True


class Styles:
    """The styles of one document: the common ones and the automatic ones."""

    def __init__(self) -> None:
        self.lists: dict[str, dict[int, Level]] = {}
        self.outline: dict[int, Level] = {}
        self.masters: dict[str, Element] = {}
        self._styles: dict[tuple[str, str], Style] = {}

    def add(self, part: Element) -> None:
        """Read office:styles, office:automatic-styles or office:master-styles."""
        for element in part:
            tag = element.tag
            if tag == STYLE + "style":
                key = (element.get(STYLE + "family", ""), element.get(STYLE + "name", ""))
                self._styles[key] = _read_style(element)
            elif tag == TEXT + "list-style":
                self.lists[element.get(STYLE + "name", "")] = _read_levels(element)
            elif tag == TEXT + "outline-style":
                self.outline = _read_levels(element)
            elif tag == STYLE + "master-page":
                self.masters.setdefault(element.get(STYLE + "name", ""), element)

    def is_hidden(self, family: str, name: str | None) -> bool:
        """Say whether a style, or the one that it is based on, hides what it is used for."""
        for _ in range(MAX_PARENTS):
            style = self._styles.get((family, name or ""))
            if style is None:
                return False
            if style.is_hidden is not None:
                return style.is_hidden
            name = style.parent
        return False

    def list_of(self, name: str | None) -> str:
        """Return the list style of a paragraph style, or an empty text."""
        for _ in range(MAX_PARENTS):
            style = self._styles.get(("paragraph", name or ""))
            if style is None or style.list_style:
                return style.list_style if style else ""
            name = style.parent
        return ""

    def shows_margins(self, name: str | None) -> bool:
        """Say whether a slide shows its footer."""
        style = self._styles.get(("drawing-page", name or ""))
        return style is None or style.shows_margins

    def used_masters(self) -> list[Element]:
        """Return the master pages that the document begins with or that a style asks for, and those that follow them."""
        wanted = [name for name in ("Standard", "Default", next(iter(self.masters), "")) if name in self.masters][:1]
        wanted += [style.master_page for style in self._styles.values() if style.master_page]
        used: dict[str, Element] = {}
        while wanted:
            name = wanted.pop(0)
            if name in self.masters and name not in used:
                used[name] = self.masters[name]
                wanted.insert(0, self.masters[name].get(STYLE + "next-style-name", ""))
        return list(used.values())


def _read_style(element: Element) -> Style:
    style = Style(
        element.get(STYLE + "parent-style-name", ""),
        element.get(STYLE + "list-style-name", ""),
        element.get(STYLE + "master-page-name", ""),
    )
    for properties in element:
        name = local_name(properties)
        if name == "text-properties" and (shown := properties.get(TEXT + "display")):
            style.is_hidden = shown == "none"
        elif name == "table-properties" and (shown := properties.get(TABLE + "display")):
            style.is_hidden = shown == "false"
        elif name == "drawing-page-properties":
            style.is_hidden = properties.get(PRESENTATION + "visibility") == "hidden"
            style.shows_margins = properties.get(PRESENTATION + "display-footer") != "false"
        elif name == "graphic-properties" and properties.get(DRAW + "visible") == "false":
            style.is_hidden = True
    return style


def _read_levels(parent: Element) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for element in parent:
        if element.tag not in _LEVELS:
            continue
        text = element.find(STYLE + "text-properties")
        font = "" if text is None else text.get(STYLE + "font-name") or text.get(SVG + "font-family") or ""
        is_sign = element.tag in (TEXT + "list-level-style-bullet", TEXT + "list-level-style-image")
        levels[number(element.get(TEXT + "level"), 1, MAX_LIST_LEVELS)] = Level(
            bullet=(element.get(TEXT + "bullet-char") or "•")[:4] if is_sign else "",
            font=font,
            form=element.get(STYLE + "num-format", "")[:20],
            prefix=element.get(STYLE + "num-prefix", "")[:40],
            suffix=element.get(STYLE + "num-suffix", "")[:40],
            start=number(element.get(TEXT + "start-value"), 1, 1_000_000),
            shown=number(element.get(TEXT + "display-levels"), 1, MAX_LIST_LEVELS),
        )
    return levels
