"""Pictures inside documents: anchors in text that is being collected, and recognised text set into finished text.

An extractor puts the anchor that it gets for a picture where the picture stands; when the text is complete the anchors
go and leave positions. Noncharacters frame them: Unicode keeps these for a program's own use, so no text is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docbeam.schemas.records import Extracted, Page, Picture

LEAST_WIDTH, LEAST_HEIGHT = 100, 40  # pixels; smaller ones are icons, and a line of text needs as many
OPEN, CLOSE = "\ufdd0", "\ufdd1"
ANCHOR = re.compile(f"{OPEN}([0-9]{{1,9}}){CLOSE}")
CUT_ANCHOR = re.compile(f"{OPEN}[0-9]{{0,9}}$")


def is_icon(width: int | None, height: int | None) -> bool:
    """Say whether a picture of so many pixels is too small for text; None where that is unknown."""
    return (width is not None and width < LEAST_WIDTH) or (height is not None and height < LEAST_HEIGHT)


def anchor(place: int) -> str:
    """Return the anchor of the picture at a place (from 0) of the list."""
    return f"{OPEN}{place}{CLOSE}"


def resolved(content: str, pages: Sequence[Page], parts: Sequence[str]) -> tuple[str, tuple[Page, ...], tuple[Picture, ...]]:
    """Take the anchors out of a text; return it, its pages, and its pictures, the first anchor of each counting.

    A picture whose anchor is not there comes last, at the text's end.
    """
    pieces, moved, positions = [], _Moved(), dict[int, tuple[int, int | None]]()
    last = length = 0
    content = CUT_ANCHOR.sub("", content)
    for match in ANCHOR.finditer(content):
        place = int(match[1])
        if place >= len(parts):
            continue
        pieces.append(content[last : match.start()])
        length += match.start() - last
        last = match.end()
        moved.note(match.start(), match.end() - match.start())
        page = next((page.number for page in pages if page.start <= match.start() < page.end), None)
        positions.setdefault(place, (length, page))
    text = "".join((*pieces, content[last:]))
    limit = len(text)
    kept = tuple(replace(page, start=min(moved(page.start), limit), end=min(moved(page.end), limit)) for page in pages)
    order = sorted(range(len(parts)), key=lambda place: (positions.get(place, (limit, None))[0], place))
    return text, kept, tuple(Picture(parts[place], *positions.get(place, (limit, None))) for place in order)


def with_texts(extracted: Extracted, texts: Mapping[int, str]) -> Extracted:
    """Return a document with the texts of its pictures (by their number, from 1) in lines of their own, `[Image text: …]`."""
    content, pages = extracted.content, list(extracted.pages)
    index_of = {page.number: index for index, page in enumerate(pages)}
    spots = []
    for number, picture in enumerate(extracted.pictures, 1):
        if text := texts.get(number, "").strip():
            index = index_of.get(picture.page) if picture.page is not None else None
            spots.append((_line_end(content, picture.position, pages, index), number, index, f"[Image text: {text}]"))
    pieces: list[str] = []
    last, added = 0, 0
    for at, _, index, text in sorted(spots, key=lambda spot: spot[:2]):
        pieces.append(content[last:at])
        before = next((piece[-1] for piece in reversed(pieces) if piece), "\n")
        block = text if before == "\n" else f"\n{text}"
        pieces.append(block)
        for place, page in enumerate(pages):
            if place == index:
                pages[place] = replace(page, end=page.end + len(block))
            elif (place > index) if index is not None else page.start >= at + added:
                pages[place] = replace(page, start=page.start + len(block), end=page.end + len(block))
        last, added = at, added + len(block)
    return replace(extracted, content="".join((*pieces, content[last:])), pages=tuple(pages))


def _line_end(content: str, position: int, pages: Sequence[Page], index: int | None) -> int:
    """Return where the line ends that a picture stands in: never past its page."""
    if index is not None:
        position = min(max(position, pages[index].start), pages[index].end)
        bound = pages[index].end
    else:
        bound = min((page.start for page in pages if page.start >= position), default=len(content))
    found = content.find("\n", position, bound)
    return bound if found < 0 else found


class _Moved:
    """Maps offsets of the text with anchors to those of the text without them."""

    def __init__(self) -> None:
        self._cuts: list[tuple[int, int]] = []

    def note(self, start: int, length: int) -> None:
        self._cuts.append((start, length))

    def __call__(self, offset: int) -> int:
        return offset - sum(min(length, offset - start) for start, length in self._cuts if start < offset)
