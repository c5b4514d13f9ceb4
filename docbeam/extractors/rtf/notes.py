"""Text that stands elsewhere: headers, footers, footnotes, endnotes, comments, text boxes.

Source: RTF 1.9.1, "Headers and footers", "Footnotes", "Comments (annotations)", "Drawing objects".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docbeam.extractors.ooxml.docx.numbering import counted
from docbeam.extractors.pictures import anchors_in, without_anchors
from docbeam.extractors.rtf.words import FOOTERS, HEADERS

if TYPE_CHECKING:
    from docbeam.extractors.rtf.document import RtfDocument

Word = Callable[["RtfDocument", "int | None"], None]


def _margin(document: RtfDocument, is_footer: bool) -> None:
    def take(lines: list[str]) -> None:
        text = "\n".join(line for line in lines if line.strip())
        shown = without_anchors(text).strip("\n")
        if shown and shown not in document.margins_seen:
            document.margins_seen.add(shown)
            if is_footer:
                document.footers.append(text)
            else:
                document.emit_apart(text)
        elif anchors := anchors_in(text):
            document.emit(anchors)

    document.tell(take)


def _note_mark(document: RtfDocument, number: int | None) -> None:
    document.flush()
    if not document.group.in_note and not document.group.is_deleted:
        document.mark = (document.group.sink, len(document.group.sink))
        document.group.sink.append("")


def _footnote(document: RtfDocument, number: int | None) -> None:
    document.flush()
    parent, mark = document.group.story, document.mark
    document.mark, document.is_endnote = None, False
    is_deleted = document.group.is_deleted

    def take(lines: list[str]) -> None:
        kind = "endnote" if document.is_endnote else "footnote"
        document.is_endnote = False
        shown = f"[{kind}]"
        if mark is not None:
            document.counts[kind] += 1
            count = document.counts[kind]
            shown = f"[{counted(count, 'lowerRoman') if kind == 'endnote' else count}]"
            sink, at = mark
            if at < len(sink) and not sink[at]:
                sink[at] = shown
        kept = [line.strip() for line in lines if line.strip()]
        if kept and not any(map(without_anchors, kept)):
            (parent or document.body).late += kept
        elif kept and not is_deleted:
            late = document.endnotes if kind == "endnote" or parent is None else parent.late
            late += [f"{shown} {kept[0]}", *kept[1:]]

    document.tell(take)
    document.group.in_note = True


def _endnote(document: RtfDocument, number: int | None) -> None:
    document.is_endnote = True


def _comment(document: RtfDocument, number: int | None) -> None:
    parent, author = document.group.story or document.body, document.author
    document.author = ""

    def take(lines: list[str]) -> None:
        text = "\n".join(line.strip() for line in lines if line.strip())
        if text:
            parent.late.append(f"[Comment{' by ' + author if author else ''}: {text}]")

    document.tell(take)
    document.group.in_note = True


def _shape(document: RtfDocument, number: int | None) -> None:
    parent = document.group.story or document.body
    document.tell(parent.late.extend)


def _author_of_comment(document: RtfDocument, number: int | None) -> None:
    def take(text: str) -> None:
        document.author = " ".join(text.split())[:200]

    document.text_to(take)


WORDS: dict[str, Word] = {
    "chftn": _note_mark, "footnote": _footnote, "ftnalt": _endnote, "atnauthor": _author_of_comment, "annotation": _comment,
    "shptxt": _shape, "dptxbxtext": _shape,
    **dict.fromkeys(HEADERS, lambda document, number: _margin(document, False)),
    **dict.fromkeys(FOOTERS, lambda document, number: _margin(document, True)),
}  # fmt: skip
