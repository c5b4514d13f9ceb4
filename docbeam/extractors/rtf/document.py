"""The destinations and properties of RTF: fonts, fields, notes, comments, headers, shapes, objects, tables, revisions.

Source: RTF 1.9.1, "Contents of an RTF file".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.docx.fields import CHECKED, UNCHECKED, unresolved
from docbeam.extractors.ooxml.docx.numbering import counted
from docbeam.extractors.rtf.objects import unpack_object
from docbeam.extractors.rtf.properties import Properties
from docbeam.extractors.rtf.reader import MAX_UC, Reader
from docbeam.extractors.rtf.story import Story, joined, list_label
from docbeam.extractors.rtf.tokens import group_end
from docbeam.extractors.rtf.words import DATE_PARTS, DATES, FOOTERS, HEADERS, INFO
from docbeam.schemas.vocabulary import WarningCode

MIN_WIDTH_TWIPS, MIN_HEIGHT_TWIPS = 1500, 600  # 100 by 40 pixels; smaller pictures are signs and rules
MIN_PICTURE_BYTES = 500
MAX_FIELDS = 500  # open at the same time
MAX_CHOICES = 500  # of one drop-down field
_FONT = re.compile(rb"\\f([0-9]{1,9})((?:(?!\\f[0-9])[^;])*);?", re.DOTALL)
_CHARSET, _PAGE = re.compile(rb"\\fcharset([0-9]{1,5})"), re.compile(rb"\\cpg([0-9]{1,6})")
_NO_NAME = re.compile(rb"\{\\\*[^{}]*\}?|\\[a-zA-Z]+-?[0-9]* ?|\\'..|[{}\r\n]")
_SIZE = re.compile(rb"\\pic([wh])goal([0-9]{1,7})")


class Field:
    """One open field."""

    def __init__(self) -> None:
        self.code = ""
        self.has_result = False
        self.kind = 0  # of a form field: text, box, list
        self.chosen = self.default = -1
        self.choices: list[str] = []

    def shown(self) -> str:
        """Return what the field shows where it has no result in the file."""
        chosen = self.default if self.chosen in (-1, 25) else self.chosen
        if self.kind == 1 or (self.kind == 0 and "FORMCHECKBOX" in self.code):
            return CHECKED if chosen == 1 else UNCHECKED
        if self.kind == 2:
            return self.choices[max(chosen, 0)] if max(chosen, 0) < len(self.choices) else ""
        return unresolved(self.code)


class RtfDocument(Reader):
    """Reads a document with all that hangs on it."""

    WORDS: ClassVar[dict[bytes, Callable[..., None]]] = {}

    def __init__(self, data: bytes, out: TextBuilder) -> None:
        super().__init__(data, out)
        self.properties = Properties()
        self._fields: list[Field] = []
        self._date: dict[str, int] | None = None
        self._mark: tuple[list[str], int] | None = None  # where the mark of a note goes
        self._is_endnote = False
        self._counts = {"footnote": 0, "endnote": 0}
        self._endnotes: list[str] = []
        self._margins_seen: set[str] = set()
        self._footers: list[str] = []
        self._author = ""
        self._objects = self._pictures = 0

    @property
    def has_pictures(self) -> bool:
        """Whether the document shows pictures."""
        return self._pictures > 0

    def end(self) -> None:
        """Write what waits for the end of the document. Raises Full."""
        self.body.finish()
        for line in ["", *self._endnotes] if self._endnotes else []:
            self.emit(line)
        self._emit_footers()

    # Fonts and characters

    def _charset(self, codec: str) -> None:
        self.flush()
        self.fonts.use_charset(codec)

    def _font_table(self, number: int | None) -> None:
        end = group_end(self.data, self.at)
        for match in _FONT.finditer(self.data, self.at, end):
            font = self.fonts.font(int(match[1]))
            charset, page = _CHARSET.search(match[2]), _PAGE.search(match[2])
            font.charset = int(charset[1]) if charset else None
            font.page = int(page[1]) if page else None
            font.name = _NO_NAME.sub(b"", match[2]).decode("latin-1").strip()[:100]
        self.skip_group()

    def _set_font(self, number: int | None) -> None:
        self.flush()
        self.group.font = number or 0

    def _set_associated(self, number: int | None) -> None:
        self.flush()
        self.group.associated = number or 0

    def _direction(self, is_right_to_left: bool) -> None:
        self.flush()
        self.group.is_right_to_left = is_right_to_left

    def _plain(self, number: int | None) -> None:
        self.flush()
        self.group.reset_characters(self.fonts.default)

    def _default_font(self, number: int | None) -> None:
        self.fonts.default = number if number is not None else -1
        self.group.font = self.fonts.default

    def _deleted(self, number: int | None) -> None:
        self.flush()
        self.group.is_deleted = number != 0

    def _hidden(self, number: int | None) -> None:
        self.flush()
        self.group.is_hidden = number != 0

    def _uc(self, number: int | None) -> None:
        self.group.uc = min(max(number if number is not None else 1, 0), MAX_UC)

    def _unicode(self, number: int | None) -> None:
        if number is not None:
            self.unicode(number)

    def _binary(self, number: int | None) -> None:
        self.at = min(self.at + max(number or 0, 0), len(self.data))

    def _ansi_pages(self, number: int | None) -> None:
        """Take the Unicode half of a text that is written twice."""
        first = self.data.find(b"{", self.at, self.at + 100)
        if first >= 0:
            self.at = min(group_end(self.data, first + 1) + 1, len(self.data))

    # Paragraphs and tables

    def _par(self, number: int | None) -> None:
        self.flush()
        self.end_paragraph()

    def _break(self, number: int | None) -> None:
        self.flush()
        self.add("\n")

    def _section(self, number: int | None) -> None:
        self.flush()
        self.end_paragraph()
        if self.group.story is self.body:
            self._emit_footers()

    def _pard(self, number: int | None) -> None:
        self.flush()
        self.group.reset_paragraph()

    def _in_table(self, number: int | None) -> None:
        self.group.table_level = max(self.group.table_level, 1)

    def _table_level(self, number: int | None) -> None:
        self.group.table_level = max(number if number is not None else 1, 0)

    def _list_level(self, number: int | None) -> None:
        self.group.indent = max(number or 0, 0)

    def _outline(self, number: int | None) -> None:
        self.group.is_heading = number is not None and 0 <= number < 9

    def _row_begins(self, number: int | None) -> None:
        self.is_header_row = False

    def _header_row(self, number: int | None) -> None:
        self.is_header_row = True

    def _end_cell(self, is_nested: bool) -> None:
        self.flush()
        group = self.group
        if group.story is None:
            self.add("\t")
        else:
            group.story.end_cell(max(group.table_level, 2) if is_nested else 1, group.indent)

    def _end_row(self, is_nested: bool) -> None:
        self.flush()
        group = self.group
        if group.story is None:
            self.add("\n")
        else:
            group.story.end_row(max(group.table_level, 2) if is_nested else 1, is_header=self.is_header_row)

    def _label(self, number: int | None) -> None:
        self.flush()
        story, sink = self.group.story, list[str]()

        def end() -> None:
            if story is not None and (label := list_label(joined(sink))):
                story.label = label

        self.group.collect(sink, end)

    # Stories of their own

    def _story(self, take: Callable[[list[str]], None]) -> None:
        self.flush()
        lines: list[str] = []
        story = Story(self.out, lines.append)

        def end() -> None:
            story.finish()
            while lines and not lines[-1].strip():
                lines.pop()
            while lines and not lines[0].strip():
                lines.pop(0)
            take(lines)

        self.group.tell(story, end)

    def _margin(self, is_footer: bool) -> None:
        def take(lines: list[str]) -> None:
            text = "\n".join(line for line in lines if line.strip())
            if text and text not in self._margins_seen:
                self._margins_seen.add(text)
                if is_footer:
                    self._footers.append(text)
                else:
                    self._emit_apart(text)

        self._story(take)

    def _emit_apart(self, text: str) -> None:
        for line in ["", *text.split("\n"), ""]:
            self.emit(line)

    def _emit_footers(self) -> None:
        footers, self._footers = self._footers, []
        for text in footers:
            self._emit_apart(text)

    def _note_mark(self, number: int | None) -> None:
        self.flush()
        if not self.group.in_note and not self.group.is_deleted:
            self._mark = (self.group.sink, len(self.group.sink))
            self.group.sink.append("")

    def _footnote(self, number: int | None) -> None:
        self.flush()
        parent, mark = self.group.story, self._mark
        self._mark, self._is_endnote = None, False
        is_deleted = self.group.is_deleted

        def take(lines: list[str]) -> None:
            kind = "endnote" if self._is_endnote else "footnote"
            self._is_endnote = False
            shown = f"[{kind}]"
            if mark is not None:
                self._counts[kind] += 1
                count = self._counts[kind]
                shown = f"[{counted(count, 'lowerRoman') if kind == 'endnote' else count}]"
                sink, at = mark
                if at < len(sink) and not sink[at]:
                    sink[at] = shown
            kept = [line.strip() for line in lines if line.strip()]
            if kept and not is_deleted:
                late = self._endnotes if kind == "endnote" or parent is None else parent.late
                late += [f"{shown} {kept[0]}", *kept[1:]]

        self._story(take)
        self.group.in_note = True

    def _endnote(self, number: int | None) -> None:
        self._is_endnote = True

    def _comment(self, number: int | None) -> None:
        parent, author = self.group.story or self.body, self._author
        self._author = ""

        def take(lines: list[str]) -> None:
            text = "\n".join(line.strip() for line in lines if line.strip())
            if text:
                parent.late.append(f"[Comment{' by ' + author if author else ''}: {text}]")

        self._story(take)
        self.group.in_note = True

    def _shape(self, number: int | None) -> None:
        parent = self.group.story or self.body
        self._story(parent.late.extend)

    # Fields

    def _field(self, number: int | None) -> None:
        self.flush()
        field = Field()
        if len(self._fields) >= MAX_FIELDS:
            return
        self._fields.append(field)

        def end() -> None:
            if field in self._fields:
                del self._fields[self._fields.index(field) :]
            if not field.has_result and (shown := field.shown()):
                self.add(shown)

        self.group.on_end = end

    def _instruction(self, number: int | None) -> None:
        self.flush()
        sink, field = list[str](), self._fields[-1] if self._fields else Field()

        def end() -> None:
            field.code += joined(sink)[:10_000]

        self.group.collect(sink, end)

    def _result(self, number: int | None) -> None:
        self.flush()
        field, texts = self._fields[-1] if self._fields else Field(), self.texts

        def end() -> None:
            field.has_result = field.has_result or self.texts > texts

        self.group.on_end = end

    def _form(self, name: str, number: int | None) -> None:
        if self._fields:
            setattr(self._fields[-1], name, number if number is not None else 1)

    def _choice(self, number: int | None) -> None:
        field = self._fields[-1] if self._fields else Field()

        def take(text: str) -> None:
            if len(field.choices) < MAX_CHOICES:
                field.choices.append(text.strip())

        self._text(take)

    # Pictures and objects

    def _picture(self, number: int | None) -> None:
        self.flush()
        end = group_end(self.data, self.at)
        sizes = {match[1]: int(match[2]) for match in _SIZE.finditer(self.data, self.at, min(end, self.at + 4_000))}
        is_small = sizes.get(b"w", MIN_WIDTH_TWIPS) < MIN_WIDTH_TWIPS or sizes.get(b"h", MIN_HEIGHT_TWIPS) < MIN_HEIGHT_TWIPS
        if end - self.at >= 2 * MIN_PICTURE_BYTES and not is_small:
            self._pictures += 1
            self.out.warn(WarningCode.NEEDS_OCR, f"picture {self._pictures}", "a picture; text in it is not recognised")
        self.skip_group()

    def _object_data(self, number: int | None) -> None:
        self.flush()
        end = group_end(self.data, self.at)
        self._objects += 1
        digits, self.at = self.data[self.at : end], end
        unpack_object(self.out, digits, self._objects)

    # Properties of the document

    def _info(self, number: int | None) -> None:
        self.flush()
        self.group.collect([], lambda: None)
        self.group.in_info = True

    def _text(self, take: Callable[[str], None]) -> None:
        """Let the group's text go to a function."""
        self.flush()
        sink: list[str] = []
        self.group.collect(sink, lambda: take(joined(sink)))

    def _property(self, key: str) -> None:
        if self.group.in_info:
            self._text(lambda text: self.properties.add(key, text))

    def _begin_date(self, key: str) -> None:
        if self.group.in_info:
            self._date = self.properties.dates.setdefault(key, {})

    def _date_part(self, name: str, number: int | None) -> None:
        if self._date is not None and self.group.in_info:
            self._date[name] = number or 0

    def _author_of_comment(self, number: int | None) -> None:
        def take(text: str) -> None:
            self._author = " ".join(text.split())[:200]

        self._text(take)


def _words() -> dict[bytes, Callable[..., None]]:
    D = RtfDocument
    words: dict[str, Callable[..., None]] = {
        "ansicpg": lambda self, number: self.fonts.use_page(number or 0),
        "mac": lambda self, number: self._charset("mac_roman"),
        "pc": lambda self, number: self._charset("cp437"),
        "pca": lambda self, number: self._charset("cp850"),
        "deff": D._default_font, "fonttbl": D._font_table, "f": D._set_font, "af": D._set_associated,
        "rtlch": lambda self, number: self._direction(True), "ltrch": lambda self, number: self._direction(False),
        "plain": D._plain, "deleted": D._deleted, "v": D._hidden, "uc": D._uc, "u": D._unicode, "bin": D._binary,
        "upr": D._ansi_pages, "par": D._par, "sect": D._section, "page": D._break, "column": D._break, "pard": D._pard,
        "intbl": D._in_table, "itap": D._table_level, "ilvl": D._list_level, "outlinelevel": D._outline,
        "trowd": D._row_begins, "trhdr": D._header_row,
        "cell": lambda self, number: self._end_cell(False), "nestcell": lambda self, number: self._end_cell(True),
        "row": lambda self, number: self._end_row(False), "nestrow": lambda self, number: self._end_row(True),
        "listtext": D._label, "pntext": D._label, "chftn": D._note_mark, "footnote": D._footnote, "ftnalt": D._endnote,
        "atnauthor": D._author_of_comment, "annotation": D._comment, "shptxt": D._shape, "dptxbxtext": D._shape,
        "field": D._field, "fldinst": D._instruction, "fldrslt": D._result, "ffl": D._choice,
        "ffname": lambda self, number: self.skip_group(),
        "fftype": lambda self, number: self._form("kind", number), "ffres": lambda self, number: self._form("chosen", number),
        "ffdefres": lambda self, number: self._form("default", number),
        "pict": D._picture, "objdata": D._object_data, "info": D._info,
        "propname": lambda self, number: self._text(self.properties.name_own),
        "staticval": lambda self, number: self._text(self.properties.add_own),
        "userprops": D._info,
        **{name: lambda self, number: self._margin(False) for name in HEADERS},
        **{name: lambda self, number: self._margin(True) for name in FOOTERS},
    }  # fmt: skip
    for name, key in INFO.items():
        words[name] = lambda self, number, key=key: self._property(key)
    for name, key in DATES.items():
        words[name] = lambda self, number, key=key: self._begin_date(key)
    for name in DATE_PARTS:
        words[name] = lambda self, number, name=name: self._date_part(name, number)
    return {name.encode(): found for name, found in words.items()}


RtfDocument.WORDS.update(_words())
