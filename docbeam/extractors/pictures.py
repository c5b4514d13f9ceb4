"""Pictures inside documents: anchors in text that is being collected, and recognised text set into finished text.

An extractor puts the anchor that it gets for a picture where the picture stands; when the text is complete the anchors
go and leave positions. Noncharacters frame them: Unicode keeps these for a program's own use, so no text is lost. A line
of anchors alone goes with its line end, so that the text is the same as if there were no pictures.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from docbeam.schemas.records import Extracted, Page, Picture

LEAST_WIDTH, LEAST_HEIGHT = 100, 40  # pixels; smaller ones are icons, and a line of text needs as many
OPEN, CLOSE = "\ufdd0", "\ufdd1"
ANCHOR = re.compile(f"{OPEN}([0-9]{{1,9}}){CLOSE}")
CUT_ANCHOR = re.compile(f"{OPEN}[0-9]{{0,9}}$")
PART_SEPARATOR = "!/"  # between a part that another extractor has read and the picture inside of it
PAGE_BREAK = "\n\n"


def is_icon(width: int | None, height: int | None) -> bool:
    """Say whether a picture of so many pixels is too small for text; None where that is unknown."""
    return (width is not None and width < LEAST_WIDTH) or (height is not None and height < LEAST_HEIGHT)


def anchor(place: int) -> str:
    """Return the anchor of the picture at a place (from 0) of the list."""
    return f"{OPEN}{place}{CLOSE}"


def without_anchors(text: str) -> str:
    """Return a text that is still being collected as a reader will see it."""
    return ANCHOR.sub("", text) if OPEN in text else text


def anchors_in(text: str) -> str:
    """Return the anchors of a text, one after the other."""
    return "".join(match[0] for match in ANCHOR.finditer(text)) if OPEN in text else ""


def re_anchored(extracted: Extracted, take: Callable[[str], str]) -> str:
    """Return the text of a document that becomes a part of another one, with `take(part)`'s anchors for its pictures."""
    pieces, last = [], 0
    for picture in extracted.pictures:
        pieces += [extracted.content[last : picture.position], take(picture.part)]
        last = picture.position
    return "".join((*pieces, extracted.content[last:]))


def resolved(content: str, pages: Sequence[Page], parts: Sequence[str]) -> tuple[str, tuple[Page, ...], tuple[Picture, ...]]:
    """Take the anchors out of a text; return it, its pages, and its pictures, the first anchor of each counting.

    A picture whose anchor is not there comes last, at the text's end.
    """
    content = CUT_ANCHOR.sub("", content)
    runs = _runs(content, len(parts))
    starts = [page.start for page in pages]
    cuts: list[tuple[int, int]] = []
    shift = 0
    positions = dict[int, tuple[int, int | None]]()
    for run in runs:
        page = _page_at(pages, starts, run.start)
        start, end = _cut(content, run, pages, starts, page, cuts[-1][1] if cuts else 0)
        cuts.append((start, end))
        for place in run.places:
            positions.setdefault(place, (start - shift, None if page is None else pages[page].number))
        shift += end - start
    text = _without(content, cuts)
    moved = _Moved(cuts)
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
            low, high = _bounds(content, pages, picture.position, index)
            at, is_before = _line_place(content, min(max(picture.position, low), high), low, high)
            spots.append((at, number, index, low, is_before, f"[Image text: {text}]"))
    pieces: list[str] = []
    last, added, owner = 0, 0, None
    for at, _, index, low, is_before, text in sorted(spots, key=lambda spot: spot[:2]):
        pieces.append(content[last:at])
        begins = at == low and (at > last or owner != (at, index))  # the text of its page
        before = "\n" if begins else next((piece[-1] for piece in reversed(pieces) if piece), "\n")
        block = f"{text}\n" if is_before else text if before == "\n" else f"\n{text}"
        pieces.append(block)
        for place, page in enumerate(pages):
            if place == index:
                pages[place] = replace(page, end=page.end + len(block))
            elif (place > index) if index is not None else page.start >= at + added:
                pages[place] = replace(page, start=page.start + len(block), end=page.end + len(block))
        last, added, owner = at, added + len(block), (at, index)
    return replace(extracted, content="".join((*pieces, content[last:])), pages=tuple(pages))


def _bounds(content: str, pages: Sequence[Page], position: int, index: int | None) -> tuple[int, int]:
    """Return where the text that a picture belongs to begins and ends: its page, or what stands between pages."""
    if index is not None:
        return pages[index].start, pages[index].end
    low = max((page.end for page in pages if page.end <= position), default=0)
    return low, min((page.start for page in pages if page.start >= position), default=len(content))


def _line_place(content: str, position: int, low: int, high: int) -> tuple[int, bool]:
    """Return where a picture's text goes, and whether it goes before the line, as at the beginning of one, or behind it."""
    is_line_start = position == low or content[position - 1] == "\n"
    if is_line_start and position < high and content[position] != "\n":
        return position, True
    found = content.find("\n", position, high)
    return high if found < 0 else found, False


@dataclass(slots=True)
class _Run:
    """Anchors one after the other, also in lines of their own."""

    start: int
    end: int
    places: list[int] = field(default_factory=list)


def _runs(content: str, count: int) -> list[_Run]:
    runs: list[_Run] = []
    for match in ANCHOR.finditer(content):
        place, start = int(match[1]), match.start()
        if place >= count:
            continue
        last = runs[-1] if runs else None
        is_next = last is not None and (start == last.end or (content[last.end : start] == "\n" and _begins(content, last)))
        if last is None or not is_next:
            last = _Run(start, start)
            runs.append(last)
        last.end = match.end()
        last.places.append(place)
    return runs


def _begins(content: str, run: _Run) -> bool:
    return run.start == 0 or content[run.start - 1] == "\n"


def _page_at(pages: Sequence[Page], starts: Sequence[int], at: int) -> int | None:
    index = bisect_right(starts, at) - 1
    return index if index >= 0 and at < pages[index].end else None


def _cut(content: str, run: _Run, pages: Sequence[Page], starts: Sequence[int], page: int | None, done: int) -> tuple[int, int]:
    """Return what goes with a run of anchors: the line that holds nothing else, and one of the blank lines around it."""
    if page is not None:
        low, high = pages[page].start, pages[page].end
    else:
        index = bisect_right(starts, run.start)
        low, high = pages[index - 1].end if index else 0, pages[index].start if index < len(pages) else len(content)
    start, end = run.start, run.end
    free = max(low, done)  # what comes before is gone already
    begins_line = start == free or content[start - 1] == "\n"
    ends_line = end == high or content[end] == "\n"
    if not (begins_line and ends_line):
        return start, end
    if start > free:
        start -= 1
        is_blank_before = start == free or content[start - 1] == "\n"
        if is_blank_before and content[end : end + 2] == "\n\n" and end + 2 <= high:
            end += 1
        while end == high and page is not None and start > free and content[start - 1] == "\n":
            start -= 1
    elif end < high:
        end += 1
        if content[end : end + 1] == "\n" and end < high:
            end += 1
    elif page is not None and low == run.start and content.endswith(PAGE_BREAK, 0, low) and low - len(PAGE_BREAK) >= done:
        start -= len(PAGE_BREAK)  # an empty page has no break before it
    return start, end


def _without(content: str, cuts: Sequence[tuple[int, int]]) -> str:
    pieces, last = [], 0
    for start, end in cuts:
        pieces.append(content[last:start])
        last = end
    return "".join((*pieces, content[last:]))


class _Moved:
    """Maps offsets of the text with anchors to those of the text without them."""

    def __init__(self, cuts: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in cuts]
        self._ends = [end for _, end in cuts]
        self._before = [0]
        for start, end in cuts:
            self._before.append(self._before[-1] + end - start)

    def __call__(self, offset: int) -> int:
        index = bisect_left(self._starts, offset)
        inside = max(0, self._ends[index - 1] - offset) if index else 0
        return offset - self._before[index] + inside
