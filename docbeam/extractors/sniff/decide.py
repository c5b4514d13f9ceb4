"""The decision: signature first, then what containers hold, then kinds of text, and the extension where bytes are silent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docbeam.extractors.charset import decode
from docbeam.extractors.sniff.compound import type_in_compound
from docbeam.extractors.sniff.magic import PDF_MARK, type_by_signature
from docbeam.extractors.sniff.packages import has_directory, type_in_package
from docbeam.extractors.sniff.texts import is_text, text_type
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import BY_EXTENSION, IS_TEXT, MediaType, is_contradiction
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

LOOK_BYTES = 8_192  # of a file without a signature: enough to tell text from binary and the kinds of text apart
PDF_HEADER_BYTES = 1_024  # readers accept junk before the header up to here (ISO 32000-1, annex H, note 13)
PROGRAMS = ("application/vnd.microsoft.portable-executable", "application/x-elf")  # can unpack an archive at their end
RTF_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{1,1000}\{\\u?rtf|\xef\xbb\xbf\{\\u?rtf")  # behind what an editor put before it
RTF_WORDS = re.compile(rb"\{\\rtf|\\(?:pard|fonttbl|plain|par)(?![a-zA-Z])")  # of a file that lost its beginning
BARE_NAMES = ("dockerfile", "readme")  # that say as much as an extension


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What the bytes are. `declared_media_type` is what the name's extension says, None if it says nothing known.

    `is_contradicted`: the extension names a type that the bytes are not (text/plain named .log or .py is no contradiction).
    `problem`: the type is clear and so is that it can't be read (an encrypted OOXML file, say).
    """

    media_type: str
    declared_media_type: str | None = None
    is_contradicted: bool = False
    problem: ExtractionError | None = None


def sniff(source: Source, options: ExtractOptions) -> Sniffed:
    """Return the media type of a document."""
    declared = BY_EXTENSION.get(extension_of(source.name))
    media_type, problem = _found(source, declared, options)
    return Sniffed(media_type, declared, is_contradiction(declared, media_type), problem)


def extension_of(name: str) -> str:
    """Return the extension in lower case with its dot, also of a name that is nothing else (.env), or an empty text."""
    _, dot, extension = name.rpartition(".")
    return f".{extension.lower()}" if dot else f".{name.lower()}" if name.lower() in BARE_NAMES else ""


def _found(source: Source, declared: str | None, options: ExtractOptions) -> tuple[str, ExtractionError | None]:
    head = source.head(LOOK_BYTES)
    if not head:
        return MediaType.EMPTY, None
    media_type = type_by_signature(head)
    if media_type == MediaType.ZIP:
        return type_in_package(source, declared, options)
    if media_type == MediaType.OLE2:
        return type_in_compound(source, declared)
    if media_type in PROGRAMS and has_directory(source):
        return type_in_package(source, declared, options)
    if media_type is not None:
        return media_type, None
    if RTF_START.match(head) or (declared == MediaType.RTF and RTF_WORDS.search(head)):
        return MediaType.RTF, None
    is_textual = is_text(head, declared)
    if PDF_MARK.search(head, 0, PDF_HEADER_BYTES) and (declared == MediaType.PDF or not is_textual or b" obj" in head):
        return MediaType.PDF, None
    if is_textual:
        return text_type(_as_text(head), source, declared), None
    if not is_textual and has_directory(source):
        return type_in_package(source, declared, options)
    if (mail := _mail_with_binary(head, source, declared)) is not None:
        return mail, None
    if declared in IS_TEXT:
        return MediaType.UNKNOWN_BINARY, ExtractionError(
            ErrorCategory.BINARY_AS_TEXT, f"the extension says {declared}, the bytes are binary of no known kind"
        )
    if declared is not None:
        return MediaType.UNKNOWN_BINARY, ExtractionError(
            ErrorCategory.CORRUPT, f"the extension says {declared}, the bytes have no known signature"
        )
    return MediaType.UNKNOWN_BINARY, None


def _mail_with_binary(head: bytes, source: Source, declared: str | None) -> str | None:
    """Return the type of a message whose fields are text and whose parts are not encoded, or None."""
    fields = re.match(rb"(?:[^\r\n]+\r?\n)+(?=\r?\n)", head)
    if fields is None or declared not in (MediaType.EML, MediaType.MBOX, None) or not is_text(fields[0], None):
        return None
    found = text_type(_as_text(fields[0]), source, None)
    return found if found in (MediaType.EML, MediaType.MBOX) else None


def _as_text(head: bytes) -> str:
    if head.isascii() and b"\0" not in head:
        return head.decode("ascii")
    if b"\0" in head or head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return decode(head).text
    return head.decode("utf-8", "replace").removeprefix("\ufeff")
