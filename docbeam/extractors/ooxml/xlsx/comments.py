"""Notes and threaded comments, with their cells and authors.

Source: ECMA-376-1, 18.7 (comments); MS-XLSX 2.1.20 and 2.6.205 (threaded comments), whose text also stands in a note
that is left out here: its author begins with `tc=`.
"""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.strings import one_line, rich_text, unescaped
from docbeam.extractors.ooxml.xml import Element, local_name


def read_persons(package: Package, workbook: str, out: TextBuilder) -> dict[str, str]:
    """Return the names of those who write threaded comments, by their ids."""
    persons: dict[str, str] = {}
    for relation in package.related(workbook, "person"):
        root = package.xml_or_warn(relation.target, out)
        for person in () if root is None else root:
            persons[person.get("id", "")] = person.get("displayName", "")
    return persons


def comment_lines(package: Package, sheet: str, persons: dict[str, str], out: TextBuilder) -> list[str]:
    """Return a sheet's comments, one a line, as `B4 Author: text`."""
    threaded = package.related(sheet, "threadedComment")
    lines: list[str] = []
    for relation in package.related(sheet, "comments"):
        root = package.xml_or_warn(relation.target, out)
        lines += [] if root is None else _note_lines(root, bool(threaded))
    for relation in threaded:
        root = package.xml_or_warn(relation.target, out)
        for comment in () if root is None else root:
            text = " ".join(child.text or "" for child in comment if local_name(child) == "text")
            lines.append(_line(comment.get("ref", ""), persons.get(comment.get("personId", ""), ""), text))
    return [line for line in lines if line]


def _note_lines(root: Element, is_threaded: bool) -> list[str]:
    authors: list[str] = []
    lines: list[str] = []
    for element in root.iter("{*}author", "{*}comment"):
        if local_name(element) == "author":
            authors.append(unescaped(element.text or ""))
            continue
        index = element.get("authorId", "")
        author = authors[int(index)] if index.isascii() and index.isdigit() and int(index) < len(authors) else ""
        if not (is_threaded and author.startswith("tc=")):
            text = " ".join(rich_text(child) for child in element if local_name(child) == "text")
            lines.append(_line(element.get("ref", ""), author, text))
    return lines


def _line(reference: str, author: str, text: str) -> str:
    author, text = one_line(author), one_line(text)
    if author:  # Excel writes the author's name into the note as well
        text = text.removeprefix(f"{author}:").lstrip()
    head = " ".join(part for part in (reference, author) if part)
    return f"{head}: {text}" if head and text else text
