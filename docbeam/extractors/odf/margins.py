"""Headers and footers of master pages, each text once. Source: ODF 1.3 part 3, 16.9 and 16.10 (master pages, headers)."""

from __future__ import annotations

from docbeam.extractors.odf.book import Book
from docbeam.extractors.odf.names import STYLE, TEXT, Element, local_name
from docbeam.extractors.odf.story import Story
from docbeam.extractors.pictures import anchors_in, without_anchors

# Fields whose text is a number, a clock or a name that the program fills in.
_FILLED_IN = frozenset(
    TEXT + name
    for name in (
        "page-number",
        "page-count",
        "date",
        "time",
        "file-name",
        "sheet-name",
        "title",
        "creation-date",
    )
)


def margin_lines(book: Book, kind: str, *, skip_filled_in: bool = False) -> list[str]:
    """Return the lines of all headers (`header`) or footers (`footer`) that the document uses, each text once.

    With `skip_filled_in`, lines that say nothing but page numbers and names of sheets are left out.
    """
    texts: dict[str, str] = {}
    for master in book.styles.used_masters():
        for element in master:
            name = local_name(element)
            if not name.startswith(kind) or element.get(STYLE + "display") == "false":
                continue
            lines: list[str] = []
            Story(book, 1).blocks(_without_fields(element) if skip_filled_in else element, lines.append)
            text = "\n".join(line.strip() for line in lines if line.strip())
            if text:
                key = without_anchors(text)
                texts[key] = texts.get(key, key) + anchors_in(text)
    return [line for text in texts.values() for line in text.split("\n")]


def _without_fields(element: Element) -> Element:
    """Empty the paragraphs that have a field and few letters beside it: `Page 1 of 9`, `??? (???)`."""
    for paragraph in element.iter(TEXT + "p"):
        fields = [node for node in paragraph.iter() if node.tag in _FILLED_IN]
        if fields:
            filled = sum(len("".join(field.itertext())) for field in fields)
            words = len("".join(paragraph.itertext()).split()) - len(fields)
            if filled and words <= len(fields) + 1:
                paragraph.clear()
    return element
