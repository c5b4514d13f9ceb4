"""One page from PDFium's characters to text, and only as costly as the page needs.

| what the page has                                      | what is done                       |
|--------------------------------------------------------|------------------------------------|
| plain letters in the file's order                      | PDFium's text as it is             |
| hyphens, ligatures, symbols, unknown letters           | letters.py                         |
| letters that the font's map loses                      | mend.py, once a document           |
| gaps on a row as tables have them                      | words glued over a gap are parted  |
| lines stored above those before them                   | row_order.py, block_order.py       |
| ruling lines with text in several cells a row          | rules.py, tables.py                |
| more room between two lines than lines have            | paragraphs.py                      |
| crossed columns, vertical lines, right-to-left letters | glyphs.py, then the module for it  |
| text outside the visible page                          | left out, and said                 |
| form values, typewriter text, notes                    | annotations.py, placing.py         |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf import letters
from docbeam.extractors.pdf.annotations import Annotations, annotations_on
from docbeam.extractors.pdf.calls import without_map
from docbeam.extractors.pdf.flat_text import widened
from docbeam.extractors.pdf.glyphs import LINE, Line, cuts_after_notes, cuts_at_gaps, glyph_lines, text_runs, turned_upright
from docbeam.extractors.pdf.page import OpenPage, chars_in, font_name, raw_text, visible_box
from docbeam.extractors.pdf.paragraphs import Start, blanks_among, blanks_between, line_starts
from docbeam.extractors.pdf.placing import placed
from docbeam.extractors.pdf.reading_order import in_order, jumps_sideways, order_needed
from docbeam.extractors.pdf.right_to_left import logical
from docbeam.extractors.pdf.row_order import in_rows, rows_from_the_top
from docbeam.extractors.pdf.rules import grids
from docbeam.extractors.pdf.tables import may_hold_table, with_tables
from docbeam.extractors.pdf.vertical import EAST_ASIAN

BEFORE_CHARS = 20_000  # text of earlier pages that hyphens are judged by
SHORT_CHARS = 200  # a page with fewer may have lost its text
FEW_CHARS, FEW_PARTS = 8, 25  # by so many, or a 25th, counts of a page with many lines differ anyway
PROBES, MANY_PROBES = 24, 200  # letters of a page that are asked whether their font has a map
LOST = "\ufffe"  # a glyph mapped to nothing, or a joined hyphen, until with_joints has told them apart
HALF = re.compile("[\ud800-\udfff]")
UNUSUAL = re.compile(f"{letters.ODD.pattern}|{letters.RIGHT_TO_LEFT.pattern}|{EAST_ASIAN.pattern}".replace("]|[", ""))
CODES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff]")  # what may be a code of a symbol font


@dataclass(slots=True)
class PageText:
    """The text of a page.

    `unknown` counts glyphs without a known letter, `guessed` is the share of letters whose font has no map to Unicode,
    `outside` counts letters outside the visible page; `has_lost_letters`: mending the fonts' maps may bring some back;
    `is_blank`: the page draws nothing.
    """

    text: str
    unknown: int = 0
    guessed: float = 0.0
    outside: int = 0
    has_lost_letters: bool = False
    is_blank: bool = False
    files: list[str] = field(default_factory=list)
    hidden: int = 0  # annotations


class Reader:
    """Reads pages, and remembers what later pages need: earlier text, and the aliases of a mended document."""

    def __init__(self) -> None:
        self._aliases: Mapping[int, str] = {}
        self._table: Mapping[int, str | None] = letters.TABLE
        self._before = ""

    def use(self, aliases: Mapping[int, str]) -> None:
        """Turn the aliases of a mended document back into letters from now on."""
        self._aliases = aliases
        self._table = {**letters.TABLE, **aliases}

    def read(self, page: OpenPage) -> PageText:
        """Return a page's text."""
        raw = raw_text(page.text_page, page.char_count)
        is_unusual = UNUSUAL.search(raw) is not None
        if (len(raw) < SHORT_CHARS or (is_unusual and EAST_ASIAN.search(raw))) and widened(page):
            raw = raw_text(page.text_page, page.char_count)
            is_unusual = True
        if turned_upright(page):
            raw = raw_text(page.text_page, page.char_count)
        has_outside = len(raw) - chars_in(page, visible_box(page)) > max(FEW_CHARS, len(raw) // FEW_PARTS)
        added = annotations_of(page)
        text = self._arranged(page, raw, added, has_outside, is_unusual)
        text, unknown = letters.cleaned(text, self._table, self._before) if is_unusual or added else (text, 0)
        text = tidy(text)
        text = with_notes(text, added.notes) if added and added.notes else text
        self._before = f"{self._before}\n{text}"[-BEFORE_CHARS:]
        return PageText(
            text,
            unknown,
            guessed_share(page),
            page.outside,
            is_unusual and has_lost_letters(page, raw),
            not raw and pdfium_c.FPDFPage_CountObjects(page.page) <= 0,
            added.files if added else [],
            added.hidden if added else 0,
        )

    def _arranged(self, page: OpenPage, raw: str, added: Annotations | None, has_outside: bool, is_unusual: bool) -> str:
        """Return the page's text in reading order, with values in their places; letters are still PDFium's."""
        jumps = jumps_sideways(page)
        order = order_needed(page, raw, jumps) if jumps or is_unusual else None
        is_turned = is_unusual and letters.RIGHT_TO_LEFT.search(raw)
        starts = line_starts(page, raw) if len(raw) == page.char_count else []
        lines: list[Line] | None = None
        if order or has_outside or is_turned or (added and added.items):
            is_vertical = order is not None and order.is_vertical
            lines = glyph_lines(page, self._aliases, visible_box(page), marks_generated=is_vertical)
        if not (order or is_turned or (added and added.items)):
            lines = self._with_tables(page, lines) or lines
        if lines is not None:
            lines = in_order(lines, order) if order else in_rows(lines)
            lines = [logical(line) for line in lines]
            lines = placed(lines, added.items) if added else lines
            return text_of(lines, is_vertical=order is not None and order.is_vertical)
        text = raw
        if is_unusual:
            text = with_symbols(page, text, self._aliases) if CODES.search(text) else text
            text = with_joints(page, text) if LOST in text else text
        if len(text) == page.char_count:
            cuts = [*cuts_after_notes(page, text), *(cuts_at_gaps(page, text) if jumps else [])]
            text = with_rows(text, rows_from_the_top(page, raw, starts), cuts, starts)
        return text.replace("\r\n", "\n")

    def _with_tables(self, page: OpenPage, lines: list[Line] | None) -> list[Line] | None:
        """Return the lines of a page with its ruled tables in rows, None if it has none."""
        found = grids(page)
        found = [grid for grid in found if may_hold_table(text_runs(page), grid)]
        if not found:
            return None
        before = glyph_lines(page, self._aliases, visible_box(page)) if lines is None else lines
        after = with_tables(before, found)
        return None if after is before else after


def with_rows(text: str, rows: list[list[tuple[int, int]]] | None, cuts: list[int], starts: list[Start]) -> str:
    """Return the text with its lines in rows, blanks where words were glued, and blank lines between paragraphs."""
    if rows:
        places = {line.start: line for line in starts}
        starts = [places[row[0][0]] for row in rows if row[0][0] in places]
    gaps = {starts[at].start for at in blanks_between(starts, text)}
    if not (rows or cuts or gaps):
        return text
    parted = text if not cuts else list(text)
    if isinstance(parted, list):
        for cut in cuts:
            parted[cut] = " " + parted[cut]
    spans = rows or [[match.span()] for match in LINE.finditer(text)]
    return "\n".join(
        [("\n" if row[0][0] in gaps else "") + " ".join(["".join(parted[start:end]) for start, end in row]) for row in spans]
    )


def annotations_of(page: OpenPage) -> Annotations | None:
    """Return what annotations add to the page; asking a page without any costs one call."""
    return annotations_on(page) if pdfium_c.FPDFPage_GetAnnotCount(page.page) > 0 else None


def with_notes(text: str, notes: list[tuple[str, str]]) -> str:
    """Return the text with the notes below it, but for those that repeat it, as a marker's often do."""
    bare = "".join(text.split())
    said = [
        f"[Comment by {author}: {note}]" if author else f"[Comment: {note}]"
        for author, note in notes
        if "".join(note.split()) not in bare
    ]
    return "\n".join([part for part in (text, *said) if part])


def text_of(lines: list[Line], is_vertical: bool = False) -> str:
    """Return the text of lines, blank ones between paragraphs; a line that ends in a joint runs on into the next."""
    out: list[str] = []
    has_blank_before = blanks_among(lines) if lines and not is_vertical else ()
    for at, line in enumerate(lines):
        text = "".join([glyph[0] for glyph in line])
        if at in has_blank_before and not out[-1].endswith(letters.JOINT):
            out.append("\n")
        out.append(text if text.endswith(letters.JOINT) else text + "\n")
    return "".join(out)


def with_joints(page: OpenPage, text: str) -> str:
    """Return the text with hyphens told from lost letters: PDFium writes U+FFFE for both."""
    out, end = [], 0
    for match in re.finditer(LOST, text):
        out += [text[end : match.start()], letters.JOINT if _is_hyphen(page, match.start()) else letters.NOTHING]
        end = match.end()
    return "".join([*out, text[end:]])


def has_lost_letters(page: OpenPage, raw: str) -> bool:
    """Say whether PDFium dropped letters or kept half of one."""
    if LOST in raw and not all(_is_hyphen(page, match.start()) for match in re.finditer(LOST, raw)):
        return True
    return HALF.search(raw) is not None


def _is_hyphen(page: OpenPage, at: int) -> bool:
    index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(page.text_page, at)
    return index >= 0 and bool(pdfium_c.FPDFText_IsHyphen(page.text_page, index) == 1)


def with_symbols(page: OpenPage, raw: str, aliases: Mapping[int, str]) -> str:
    """Return the text with the codes of symbol fonts as the symbols that they draw."""
    out, end = [], 0
    for match in CODES.finditer(raw):
        if ord(match[0]) not in aliases:
            index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(page.text_page, match.start())
            out += [raw[end : match.start()], letters.symbol(ord(match[0]), font_name(page, index))]
            end = match.end()
    return "".join([*out, raw[end:]])


def guessed_share(page: OpenPage) -> float:
    """Return the share of letters whose font has no map to Unicode, so that PDFium passes their codes on as letters."""
    count = page.char_count
    asked: list[int] = []
    for probes in (PROBES, MANY_PROBES):
        step = max(count // probes, 1)
        asked = without_map(page, range(step // 2, count, step))
        if 1 not in asked:
            return 0.0
    return asked.count(1) / len(asked)


def tidy(text: str) -> str:
    """Return text without blanks at line ends and without blank lines at both ends."""
    if " \n" in text:
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    return text.strip()
