"""Imported documents (w:altChunk): HTML, MHT, text, and Word documents inside the package.

Source: ECMA-376-1 17.17.2 (altChunk), RFC 2557 (MHT).
"""

from __future__ import annotations

import codecs
import email
import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.pictures import PART_SEPARATOR, re_anchored
from docbeam.extractors.protocol import PictureRenderer
from docbeam.extractors.registry import extractor_for
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

    from docbeam.extractors.ooxml.docx.book import Book

MAX_IMPORTS = 50  # imported documents of one document, those inside them not counted
MAX_DEPTH = 3  # imported documents inside imported documents
MAIL = "message/rfc822"
ExtractDocx = Callable[[BinaryIO, ExtractOptions, int], Extracted]
_MAIL_STARTS = (b"mime-version:", b"from:", b"content-type:", b"date:", b"subject:", b"x-")


def imported_lines(book: Book, part: str, relation_id: str, extract_docx: ExtractDocx) -> list[str]:
    """Return the lines of an imported document; one that isn't read is named in the warnings."""
    relation = book.package.rels(part).get(relation_id)
    target = part if relation is None else relation.target
    if relation is None or relation.is_external or not book.package.has(target):
        book.out.warn(WarningCode.ENTRY_MISSING, target, "an imported document that is not in the package")
        return []
    book.imports += 1
    if book.imports > MAX_IMPORTS or book.depth >= MAX_DEPTH:
        book.warn_once(WarningCode.EMBEDDED_NOT_READ, target, f"imports past {MAX_IMPORTS}, or {MAX_DEPTH} deep, are not read")
        return []
    try:
        found = _read(book, target, extract_docx)
    except ExtractionError as error:
        book.out.warn(WarningCode.PART_DAMAGED, target, f"an imported document: {error}")
        return []
    if found is None:
        book.out.warn(WarningCode.EMBEDDED_NOT_READ, target, "an imported document of a kind that is not read")
        return []
    book.out.adopt_members(target, found.members)
    for notice in found.warnings:
        book.out.warn(notice.code, f"{target}: {notice.part}", notice.message)
    if found.truncation is not None:
        book.out.cut(found.truncation)
    return re_anchored(found, lambda name: book.out.picture(f"{target}{PART_SEPARATOR}{name}")).split("\n")


def imported_picture(source: Source, target: str, part: str, options: ExtractOptions, docx: PictureRenderer) -> Image:
    """Return a picture of an imported document. Raises ExtractionError as embedded_picture does."""
    with source.open() as file:
        package = Package(file, options)
        if not package.has(target):
            raise ExtractionError(ErrorCategory.CORRUPT, f"{target}: not in the package")
        data, media_type = package.part(target), package.content_type(target)
    if data.startswith(b"PK"):
        return docx.picture(Source(data=data, name=target), media_type, part, options)
    media_type = _media_type(data, media_type)
    if media_type == MAIL:
        data, media_type = _page_of_mail(data)
    extractor = extractor_for(media_type)
    if not isinstance(extractor, PictureRenderer):
        raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"{target}: no pictures are drawn of {media_type}")
    return extractor.picture(Source(data=data, name=target), media_type, part, options)


def _read(book: Book, target: str, extract_docx: ExtractDocx) -> Extracted | None:
    options = replace(book.out.options, extraction_timeout_seconds=max(0.1, book.out.remaining_seconds()))
    data = book.package.part(target)
    if data.startswith(b"PK"):
        return extract_docx(io.BytesIO(data), options, book.depth + 1)
    media_type = _media_type(data, book.package.content_type(target))
    if media_type == MAIL:
        data, media_type = _page_of_mail(data)
    extractor = extractor_for(media_type)
    return None if extractor is None else extractor.extract(Source(data=data, name=target), media_type, options)


def _media_type(data: bytes, content_type: str) -> str:
    start = data[:400].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").replace(b"\0", b"").lower()
    if start.startswith(_MAIL_STARTS):
        return MAIL
    if start.startswith(b"{\\rtf"):
        return "application/rtf"
    if start.startswith((b"<!doctype html", b"<html")) or content_type in (MediaType.HTML, MediaType.XHTML):
        return MediaType.HTML
    return MediaType.PLAIN if content_type == MediaType.PLAIN else content_type


def _page_of_mail(data: bytes) -> tuple[bytes, str]:
    """Return the HTML or text of a web archive, in UTF-8 with its mark where the archive names a charset."""
    message = email.message_from_bytes(data)
    for media_type in (MediaType.HTML, MediaType.PLAIN):
        for part in message.walk():
            if part.get_content_type() != media_type:
                continue
            page = part.get_payload(decode=True)
            content = page if isinstance(page, bytes) else b""
            with suppress(LookupError, ValueError):
                if charset := part.get_content_charset():
                    content = codecs.BOM_UTF8 + content.decode(charset, "replace").encode()
            return content, media_type
    return data, MAIL
