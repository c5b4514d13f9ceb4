"""The extractor of JSON and JSON Lines. What is not valid is kept as it is written, and named.

Source: RFC 8259; jsonlines.org.
"""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.json.grammar import Facts, facts_of
from docbeam.extractors.json.layout import is_crammed, lines_of
from docbeam.extractors.json.strings import readable
from docbeam.extractors.source import Source
from docbeam.extractors.text import DECLARATION_BYTES, declared_charset, start_of
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_NAMED_LINES = 50  # of JSON Lines that are broken; the others are counted


class JsonExtractor:
    """Reads JSON and JSON Lines."""

    name = "json"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is JSON."""
        return media_type in (MediaType.JSON, MediaType.JSON_LINES)

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the document in JSON's own notation."""
        out = TextBuilder(options)
        data, is_whole = start_of(source, options.max_extracted_chars)
        found = decode(data, declared=declared_charset(data[:DECLARATION_BYTES], media_type))
        found.report(out)
        with out.until_full():
            if media_type == MediaType.JSON_LINES:
                _add_lines(found.text, is_whole, out)
            else:
                _add_document(found.text, is_whole, out)
            if not is_whole:
                out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
        if not found.text.strip():
            out.warn(WarningCode.NO_TEXT, "document", "only white space")
        return out.extracted(confidence=found.confidence)


def _add_document(text: str, is_whole: bool, out: TextBuilder) -> None:
    facts = facts_of(text)
    _describe(facts, is_whole, out)
    if facts.problem_at is not None or (facts.is_cut and is_whole):
        at = len(text) if facts.problem_at is None else facts.problem_at
        _warn(out, f"line {text.count(chr(10), 0, at) + 1}", "not valid JSON from here on", is_all=facts.root_kind is None)
        _add(text, out)
    else:
        _add(_laid_out(text, out.options.max_extracted_chars) if is_crammed(text) else text, out)


def _laid_out(text: str, limit: int) -> str:
    """Return the text set in lines; as it is where the white space would push it over the cap."""
    pieces: list[str] = []
    size = 0
    for piece in lines_of(text):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            return text
    return "".join(pieces)


def _add_lines(text: str, is_whole: bool, out: TextBuilder) -> None:
    """Add the lines one by one; the last one of a text that is cut may be broken."""
    lines = text.split("\n")
    broken = count = 0
    for number, line in enumerate(lines, 1):
        is_last = number == len(lines)
        if line.strip():
            count += 1
            facts = facts_of(line)
            if (facts.problem_at is not None or facts.is_cut) and (is_whole or not is_last):
                broken += 1
                if broken <= MAX_NAMED_LINES:
                    _warn(out, f"line {number}", "not valid JSON")
        _add(line if is_last else line + "\n", out)
    if broken > MAX_NAMED_LINES:
        _warn(out, "document", f"{broken} lines in all are not valid JSON")
    out.meta("json.rootKind", "lines")
    if is_whole:
        out.meta("json.lineCount", count)


def _add(text: str, out: TextBuilder) -> None:
    shown, files = readable(text)
    for at, size in files:
        part = f"line {text.count(chr(10), 0, at) + 1}" if "\n" in text[:-1] else f"character {at}"
        out.warn(WarningCode.EMBEDDED_NOT_READ, part, f"a string of {size} characters of base64")
    out.add(shown)


def _describe(facts: Facts, is_whole: bool, out: TextBuilder) -> None:
    out.meta("json.rootKind", facts.root_kind)
    if not is_whole or facts.problem_at is not None or facts.is_cut:
        return
    if facts.root_kind == "object":
        out.meta("json.topLevelPropertyCount", facts.count)
        out.meta("json.topLevelProperties", ", ".join(readable(f'"{name}"')[0][1:-1] for name in facts.names))
    elif facts.root_kind == "array":
        out.meta("json.topLevelArrayLength", facts.count)


def _warn(out: TextBuilder, part: str, message: str, *, is_all: bool = False) -> None:
    out.warn(WarningCode.MALFORMED, "document" if is_all else part, f"{message}; kept as it is written")
