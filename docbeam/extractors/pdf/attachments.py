"""The files that a PDF carries, unpacked: attachments, the contents of a portfolio, and files pinned to a page.

Source: ISO 32000-2, 7.11.4 (embedded file streams) and 12.5.6.15 (file attachment annotations).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import pikepdf

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.encryption.passwords import none_fits
from docbeam.extractors.member_names import harmless_path
from docbeam.extractors.pdf.loading import open_for_pikepdf
from docbeam.extractors.source import Source
from docbeam.extractors.unpacking import Inflate, unpacked
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

BROKEN = (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, LookupError, AttributeError, RuntimeError)
OTHER_FAULTS = tuple(kind for kind in BROKEN if kind is not pikepdf.PasswordError)
ZLIB_OR_GZIP = 47  # zlib's window bits for a stream that says itself what it is
STREAM_KEYS = ("/UF", "/F", "/Unix", "/Mac", "/DOS")
MAX_FILES = 10_000
MAX_NAME_CHARS = 1_000


def hand_out_files(source: Source, named: list[tuple[str, str]], out: TextBuilder) -> None:
    """Hand out the files that a document carries; `named` are those found by PDFium, as pairs of part and name.

    What can't be unpacked is named in a warning.
    """
    if not named:
        return
    pages = {int(part.split()[1]) for part, _ in named if part.startswith("page ")}
    count = 0
    try:
        with suppress(*OTHER_FAULTS), open_for_pikepdf(source) as pdf, out.until_full():
            for specification in _without_copies(_specifications(pdf, pages)):
                count += 1
                _hand_out(specification, out)
    except pikepdf.PasswordError:  # only the files are encrypted, the pages are not
        for part, name in dict.fromkeys(named):
            message = f"the document's files need a password to open: {none_fits(len(source.passwords))}"
            out.failed_member(harmless_path(name) or part, ErrorCategory.ENCRYPTED_NO_KEY, message)
        return
    if not count:
        for part, name in dict.fromkeys(named):
            out.warn(
                WarningCode.EMBEDDED_NOT_READ, name or part, f"a file attached to the {part.split()[0]} that can't be unpacked"
            )


def _specifications(pdf: pikepdf.Pdf, pages: set[int]) -> Iterator[Any]:
    """Yield the file specifications with a file in them."""
    names = pdf.Root.get("/Names")
    tree = names.get("/EmbeddedFiles") if isinstance(names, pikepdf.Dictionary) else None
    if tree is not None:
        with suppress(*BROKEN):
            for _, specification in pikepdf.NameTree(tree).items():
                yield specification
    for specification in _array(pdf.Root.get("/AF")):
        yield specification
    for number in sorted(pages):
        for annotation in _array(pdf.pages[number - 1].obj.get("/Annots")):
            if isinstance(annotation, pikepdf.Dictionary) and annotation.get("/Subtype") == "/FileAttachment":
                yield annotation.get("/FS")


def _array(value: Any) -> Iterable[Any]:
    return value if isinstance(value, pikepdf.Array) else ()


def _without_copies(specifications: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield name and stream of each file once; several places may point to one stream."""
    seen: set[tuple[int, int]] = set()
    for count, specification in enumerate(specifications):
        if count >= MAX_FILES or not isinstance(specification, pikepdf.Dictionary):
            continue
        files = specification.get("/EF")
        if not isinstance(files, pikepdf.Dictionary):
            continue
        stream = next((found for key in STREAM_KEYS if isinstance(found := files.get(key), pikepdf.Stream)), None)
        if stream is not None and stream.objgen not in seen:
            seen.add(stream.objgen)
            yield _name(specification), stream


def _name(specification: pikepdf.Dictionary) -> str:
    for key in STREAM_KEYS:
        with suppress(*BROKEN):
            name = str(specification.get(key, ""))[:MAX_NAME_CHARS]
            if path := harmless_path(name):
                return path
    return "attachment"


def _hand_out(file: tuple[str, Any], out: TextBuilder) -> None:
    name, stream = file
    media_type = None
    with suppress(*BROKEN):
        media_type = str(stream.get("/Subtype", "")).lstrip("/").lower()[:200] or None
    out.member(name, _chunks(stream, out), media_type if media_type and "/" in media_type else None)


def _chunks(stream: Any, out: TextBuilder) -> Iterator[bytes]:
    """Yield a stream's data; Flate, the usual filter, is unpacked chunk by chunk."""
    try:
        filters, parameters = stream.get("/Filter"), stream.get("/DecodeParms")
        if isinstance(filters, pikepdf.Array) and len(filters) == 1:
            filters = filters[0]
        if filters is not None and (filters != "/FlateDecode" or parameters is not None):
            yield stream.read_bytes()
            return
        data = io.BytesIO(stream.read_raw_bytes())
    except BROKEN as error:
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"its stream can't be read: {error}"[:300]) from error
    if filters is None:
        yield data.getvalue()
        return
    for chunk in unpacked(Inflate(ZLIB_OR_GZIP), data.read):
        out.check_deadline()
        yield chunk
