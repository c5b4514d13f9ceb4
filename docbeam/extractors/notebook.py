"""Jupyter notebooks: text, code and outputs in the order of the cells; attached and drawn pictures are members.

Source: the notebook format 4.5 (nbformat), and 3 for older files.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.json import JsonExtractor
from docbeam.extractors.member_names import harmless_path
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

ANSI = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)")
SURROGATE = re.compile("[\ud800-\udfff]")
OBJECT = re.compile(r"\s*<[\w.]+(?: object| at 0x|>|\s)[^\n]*>?\s*")  # what a program says of an output that is shown otherwise
WORDS = ("text/markdown", "text/latex")
FILES = {  # the best form first: letters of a drawing are often paths
    "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/svg+xml": "svg",
}  # fmt: skip
OLD_NAMES = {
    "text": "text/plain", "html": "text/html", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg",
    "latex": "text/latex", "pdf": "application/pdf", "markdown": "text/markdown",
}  # fmt: skip


class NotebookExtractor:
    """Reads Jupyter notebooks."""

    name = "notebook"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a notebook."""
        return media_type == MediaType.NOTEBOOK

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the cells with their outputs; a file that is no valid notebook is read as JSON."""
        found = decode(source.read())
        book = _parsed(found.text)
        cells = _cells(book)
        if not isinstance(book, dict) or cells is None:
            return JsonExtractor().extract(source, MediaType.JSON, options)
        out = TextBuilder(options)
        found.report(out)
        is_empty = True
        with out.until_full():
            for text in filter(None, map(_clean, _all_blocks(cells, out))):
                out.add(f"{text}\n" if is_empty else f"\n{text}\n")
                is_empty = False
        if is_empty:
            out.warn(WarningCode.NO_TEXT, "document", "no cell has text")
        return _described(book, len(cells), out, found.confidence)


def _parsed(text: str) -> Any:
    """Return the parsed notebook, or None for what is no JSON or nested beyond reason."""
    try:
        return json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None


def _cells(book: Any) -> list[dict[str, Any]] | None:
    """Return the cells; those of format 3 lie in worksheets."""
    if not isinstance(book, dict):
        return None
    cells = book.get("cells")
    if not isinstance(cells, list):
        sheets = book.get("worksheets")
        if not isinstance(sheets, list):
            return None
        found = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        cells = [cell for group in found if isinstance(group, list) for cell in group]
    return [cell for cell in cells if isinstance(cell, dict)]


def _all_blocks(cells: list[dict[str, Any]], out: TextBuilder) -> Iterator[str]:
    for number, cell in enumerate(cells, 1):
        yield from _blocks(cell, number, out)


def _blocks(cell: dict[str, Any], number: int, out: TextBuilder) -> Iterator[str]:
    """Yield the texts of a cell: its source, then its outputs."""
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "heading":
        level = str(cell.get("level", "1"))
        source = "#" * (int(level) if level in "123456" else 1) + " " + source
    yield source
    attachments = cell.get("attachments")
    for name, data in attachments.items() if isinstance(attachments, dict) else ():
        _hand_out(data, f"cell-{number}/{name}", out, is_named=True)
    outputs = cell.get("outputs")
    for place, output in enumerate(outputs if isinstance(outputs, list) else (), 1):
        if isinstance(output, dict):
            yield _output(output, f"cell-{number}-output-{place}", out)


def _output(output: dict[str, Any], path: str, out: TextBuilder) -> str:
    """Return the text of one output and hand out its pictures; HTML is a member where there is no text beside it."""
    kind = output.get("output_type")
    if kind == "stream":
        return _joined(output.get("text"))
    if kind in ("error", "pyerr"):
        trace = output.get("traceback")
        lines = "\n".join(map(_joined, trace)) if isinstance(trace, list) else ""
        name, value = _joined(output.get("ename")), _joined(output.get("evalue"))
        return "\n".join(filter(None, (lines, f"{name}: {value}" if value not in lines or not lines else "")))
    data = output.get("data")
    if not isinstance(data, dict):
        data = {OLD_NAMES[key]: value for key, value in output.items() if key in OLD_NAMES}
    _hand_out(data, path, out)
    plain = _joined(data.get("text/plain"))
    if plain and not OBJECT.fullmatch(plain):
        return plain
    for media_type in WORDS:
        if words := _joined(data.get(media_type)):
            return words
    if html := _joined(data.get("text/html")):
        out.member(f"{path}.html", html.encode("utf-8", "replace"), MediaType.HTML)
        return ""
    is_shown = any(media_type in FILES for media_type in data)
    return "" if is_shown else plain


def _hand_out(data: Any, path: str, out: TextBuilder, *, is_named: bool = False) -> None:
    """Hand out the file of an output or attachment: of several forms the one that gives most text."""
    if not isinstance(data, dict):
        return
    known = [media_type for media_type in FILES if media_type in data]
    media_type = next(iter(known or (data if is_named else ())), None)
    if media_type is not None:
        name = path if is_named else f"{path}.{FILES[media_type]}"
        _member(harmless_path(name), str(media_type), _joined(data[media_type]), out)


def _member(path: str, media_type: str, content: str, out: TextBuilder) -> None:
    if media_type == MediaType.SVG or media_type.startswith("text/"):
        out.member(path, content.encode("utf-8", "replace"), media_type)
        return
    try:
        data = base64.b64decode(content.encode("ascii"), validate=False)
    except (binascii.Error, ValueError) as error:
        out.failed_member(path, ErrorCategory.CORRUPT, f"not base64: {error}", media_type)
        return
    out.member(path, data, media_type)


def _joined(value: Any) -> str:
    """Return a multiline text of the format: one string, or a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _clean(text: str) -> str:
    """Return a text without colours of a terminal, and without what a progress bar has overwritten."""
    text = ANSI.sub("", text).replace("\r\n", "\n").replace("\0", "")
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    return text.strip("\n").rstrip()


def _described(book: dict[str, Any], cell_count: int, out: TextBuilder, confidence: Any) -> Extracted:
    metadata = book.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    kernel, language = metadata.get("kernelspec"), metadata.get("language_info")
    kernel = kernel if isinstance(kernel, dict) else {}
    language = language if isinstance(language, dict) else {}
    out.meta("notebook.cellCount", cell_count)
    out.meta("notebook.language", _line(language.get("name") or kernel.get("language")))
    out.meta("notebook.kernel", _line(kernel.get("display_name")))
    out.meta("notebook.format", _line(book.get("nbformat")))
    authors = metadata.get("authors")
    names = [_line(author.get("name")) for author in authors if isinstance(author, dict)] if isinstance(authors, list) else []
    title = _line(metadata.get("title") or metadata.get("name"))
    return out.extracted(confidence=confidence, title=title or None, author=", ".join(filter(None, names)) or None)


def _line(value: Any) -> str:
    return " ".join(_clean(value).split())[:1000] if isinstance(value, str) else ""
