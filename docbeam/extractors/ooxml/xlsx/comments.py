"""Notes and threaded comments, with their cells and authors.

Source: ECMA-376-1, 18.7 (comments); MS-XLSX 2.1.20 and 2.6.205 (threaded comments), whose text also stands in a note
that is left out here: its author begins with `tc=`.
"""

from __future__ import annotations

from collections.abc import Iterator

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.ooxml.xlsx.stream import elements
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


def comment_lines(package: Package, sheet: str, persons: dict[str, str], out: TextBuilder) -> Iterator[str]:
    """Yield a sheet's comments, one a line, as `B4 Author: text`. Raises: Full at the deadline."""
    threaded = package.related(sheet, "threadedComment")
    for relation in package.related(sheet, "comments"):
        yield from _note_lines(elements(package, relation.target, ("{*}author", "{*}comment"), out), bool(threaded))
    for relation in threaded:
        for comment in elements(package, relation.target, ("{*}threadedComment",), out):
            text = " ".join(child.text or "" for child in comment if local_name(child) == "text")
            if line := _line(comment.get("ref", ""), persons.get(comment.get("personId", ""), ""), text):
                yield line


def _note_lines(items: Iterator[Element], is_threaded: bool) -> Iterator[str]:
    authors: list[str] = []
    for element in items:
        if local_name(element) == "author":
            authors.append(unescaped(element.text or ""))
            continue
        index = element.get("authorId", "")
        author = authors[int(index)] if index.isascii() and index.isdigit() and int(index) < len(authors) else ""
        text = " ".join(rich_text(child) for child in element if local_name(child) == "text")
        if not (is_threaded and author.startswith("tc=")) and (line := _line(element.get("ref", ""), author, text)):
            yield line


def _line(reference: str, author: str, text: str) -> str:
    author, text = one_line(author), one_line(text)
    if author:  # Excel writes the author's name into the note as well
        text = text.removeprefix(f"{author}:").lstrip()
    head = " ".join(part for part in (reference, author) if part)
    return f"{head}: {text}" if head and text else text
