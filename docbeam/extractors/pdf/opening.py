"""Open a PDF: the first two tiers of its ladder (ladder.py). PDFium first, which repairs small damage itself.

| what PDFium finds                     | what is done                                                               |
|---------------------------------------|----------------------------------------------------------------------------|
| pages, by the cross-reference table   | native                                                                     |
| pages, by looking for the objects     | native, unless the file ends early or some of the pages are blank: then    |
|                                       | the repairs are tried, and the reading with the most text is taken         |
| no page                               | the repairs are tried; none helps: MALFORMED_XREF, CORRUPT without a header |
| no password that fits                 | ENCRYPTED_NO_KEY at once; or the repairs, for encryption that PDFium lacks |
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.encryption.passwords import BLANK, GIVEN, Keys, Opened
from docbeam.extractors.ladder import NATIVE, REPAIRED
from docbeam.extractors.pdf.page import PageFailed, open_page
from docbeam.extractors.pdf.passwords import (
    is_beyond_pdfium,
    likely_first,
    open_with_passwords,
    opened_native,
    remember,
    scheme,
    spellings,
)
from docbeam.extractors.pdf.salvage import salvaged
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

WHAT = "the document needs a password to open"
TAIL_BYTES = 4_096  # where the end of file marker stands, with the rubbish that may follow it
HEADER = re.compile(rb"%PDF-|%!PS-Adobe-\d\.\d PDF-")
MAX_KEPT_BYTES = 100_000_000  # a larger rebuilt document is not kept for the next call

COMPARED_PAGES = 30  # of each reading, spread evenly
PAGE_WEIGHT = 20.0  # characters that a page counts for, as one without text may be a scan
BETTER = 1.02  # times as much text before a repair takes the place of PDFium's own
REPAIR_FAILS = (pikepdf.PdfError, pdfium.PdfiumError, ValueError, TypeError, LookupError, RuntimeError)


class Repaired(NamedTuple):
    """The bytes of a repaired document, how the source was opened, and whether it was put together from what is left."""

    data: bytes
    how: Opened | None = None
    is_put_together: bool = False


# At most one: the source's digest and passwords, and what the repairs have given; for drawing page after page.
_repaired_last: dict[tuple[bytes, tuple[str, ...]], Repaired | None] = {}


@contextmanager
def opened(source: Source, options: ExtractOptions) -> Iterator[tuple[pdfium.PdfDocument, tuple[str, ...]]]:
    """Open a document, if need be with one of its passwords, and say which tiers it took; close it afterwards.

    Raises: ExtractionError ENCRYPTED_NO_KEY, MALFORMED_XREF or CORRUPT.
    """
    document, tiers = _open(source, options)
    try:
        yield document, tiers
    finally:
        document.close()


def open_bytes(data: bytes) -> pdfium.PdfDocument:
    """Open bytes that docbeam itself has written (repaired or mended). Raises PdfiumError."""
    return _loaded(data)


def open_for_pikepdf(source: Source) -> pikepdf.Pdf:
    """Open the source with pikepdf, lazily from its file where there is one, if need be with one of its passwords.

    Raises: as pikepdf.open does; PasswordError if none fits.
    """
    return _pikepdf(source)[0]


def how_opened(document: pdfium.PdfDocument) -> Opened | None:
    """Return how an encrypted document was opened, None for one that is not encrypted."""
    how: Opened | None = document.opened
    return how


def has_valid_table(document: pdfium.PdfDocument) -> bool:
    """Say whether PDFium found the objects by the cross-reference table, and had not to look for them."""
    return bool(pdfium_c.FPDF_DocumentHasValidCrossReferenceTable(document))


def is_put_together(document: pdfium.PdfDocument) -> bool:
    """Say whether the pages are those that were left, without the document's own list of them."""
    return bool(document.is_put_together)


def is_cut_short(source: Source) -> bool:
    """Say whether the end of file marker is missing."""
    with source.open() as file:
        file.seek(max(source.size_bytes - TAIL_BYTES, 0))
        return b"%%EOF" not in file.read()


def _open(source: Source, options: ExtractOptions) -> tuple[pdfium.PdfDocument, tuple[str, ...]]:
    native, why, locked = None, None, None
    try:
        native = _open_native(source, options)
        if has_valid_table(native) or (not is_cut_short(source) and all(_weights(native))):
            return native, (NATIVE,)
    except ExtractionError as error:
        if not is_beyond_pdfium(source, error):
            raise
        locked = error
    except pdfium.PdfiumError as error:
        why = error
    try:
        found = _repaired_once(source, options, native)
    except pikepdf.PasswordError as error:
        raise (locked or Keys(source, options).no_key(WHAT)) from error
    if found is not None:
        document = open_bytes(found.data)
        document.opened, document.is_put_together = found.how, found.is_put_together
        if native is not None:
            native.close()
        return document, (NATIVE, REPAIRED)
    if native is not None:
        return native, (NATIVE,)
    if locked is not None:
        raise locked
    tried = (NATIVE, REPAIRED)
    if HEADER.search(source.head()):
        message = f"no page found, also not by rebuilding: {why}"
        raise ExtractionError(ErrorCategory.MALFORMED_XREF, message, tried) from why
    raise ExtractionError(ErrorCategory.CORRUPT, "no PDF header and no structure of a PDF", tried) from why


def _open_native(source: Source, options: ExtractOptions) -> pdfium.PdfDocument:
    """Open with PDFium: with the blank password, then with those that the source has. Raises PdfiumError, ENCRYPTED_NO_KEY."""
    place = source.path or source.read()
    try:
        document, by = _loaded(place), BLANK
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_SECURITY:
            message = "another security handler than that of passwords, such as one of certificates"
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, message) from error
        if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
            raise

        def opened_by(password: str) -> pdfium.PdfDocument | None:
            for spelt in spellings(password) if password else ():
                with suppress_password_error():
                    found = _loaded(place, spelt)
                    remember(password)
                    return found
            return None

        document, by = Keys(source, options, order=likely_first).fitting(opened_by, WHAT)
    document.opened = opened_native(document, by)
    return document


@contextmanager
def suppress_password_error() -> Iterator[None]:
    """Pass over PDFium's error for a password that does not fit, and over no other."""
    try:
        yield
    except pdfium.PdfiumError as error:
        if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
            raise


def _pikepdf(source: Source) -> tuple[pikepdf.Pdf, str]:
    """Open with pikepdf; return the kind of password that fitted, too."""
    place = source.path or io.BytesIO(source.read())
    try:
        return pikepdf.open(place, suppress_warnings=True), BLANK
    except pikepdf.PasswordError:
        found = open_with_passwords(source, lambda spelt: pikepdf.open(place, password=spelt, suppress_warnings=True))
        if found is None:
            raise
        return found, GIVEN


def _loaded(document: str | bytes, password: bytes | None = None) -> pdfium.PdfDocument:
    """Load a file by its path, or bytes. Raises PdfiumError.

    Done over the raw API: for a document without pages the helper class reports PDFium's last error, which is that of
    another document then, and never closes it.
    """
    if isinstance(document, bytes):
        handle = pdfium_c.FPDF_LoadMemDocument64(document, len(document), password)
    else:
        handle = pdfium_c.FPDF_LoadDocument(os.fsencode(document), password)
    if not handle:
        code = pdfium_c.FPDF_GetLastError()
        raise pdfium.PdfiumError(f"PDFium's error {code}", err_code=code)
    loaded = pdfium.PdfDocument(handle)
    loaded.bytes_in_use = document  # PDFium reads from them until it closes
    loaded.opened, loaded.is_put_together = None, False
    if len(loaded) < 1:
        loaded.close()
        raise pdfium.PdfiumError("PDFium finds no page", err_code=pdfium_c.FPDF_ERR_FORMAT)
    return _with_forms(loaded)


def _repaired_once(source: Source, options: ExtractOptions, native: pdfium.PdfDocument | None) -> Repaired | None:
    """Return the best repair, None if there is none better than PDFium's own reading; the last one is kept."""
    with source.open() as file:
        digest = hashlib.file_digest(file, "sha256").digest()  # type: ignore[arg-type]
    key = digest, source.passwords
    if key not in _repaired_last:
        found = _repaired(source, options, native)
        _repaired_last.clear()
        if found is not None and len(found.data) > MAX_KEPT_BYTES:
            return found
        _repaired_last[key] = found
    return _repaired_last[key]


def _repaired(source: Source, options: ExtractOptions, native: pdfium.PdfDocument | None) -> Repaired | None:
    """Try the repairs and return the one that gives the most text, if that is more than `native` gives."""
    best, most = None, readable(native) * BETTER if native is not None else 0.0
    for repair in REPAIRS if native is None else REPAIRS[1:]:  # the first does what PDFium has done
        try:
            found = repair(source, options)
            if found is None:
                continue
            document = open_bytes(found.data)
        except REPAIR_FAILS:
            continue
        try:
            text = readable(document)
        finally:
            document.close()
        if text > most:
            best, most = found, text
    return best


def rebuilt(source: Source, options: ExtractOptions) -> Repaired:
    """Write the document anew with pikepdf; it is not encrypted any more."""
    pdf, by = _pikepdf(source)
    with pdf:
        if len(pdf.pages) == 0:
            raise ValueError("no pages")
        out = _CappedBytes(options.max_decompressed_bytes)
        with warnings.catch_warnings(action="ignore"):
            pdf.save(out)
        return Repaired(out.getvalue(), scheme(pdf.encryption.R, by) if pdf.is_encrypted else None)


def put_together(source: Source, options: ExtractOptions) -> Repaired | None:
    """Put the document together from the objects that are left."""
    data = salvaged(source.read(), options.max_decompressed_bytes)
    return None if data is None else Repaired(data, is_put_together=True)


REPAIRS = (rebuilt, put_together)


def readable(document: pdfium.PdfDocument) -> float:
    """Return how much a document has to read: characters of a sample of its pages, and something for each that draws."""
    weights = _weights(document)
    return sum(weights) / max(len(weights), 1) * len(document)


def _weights(document: pdfium.PdfDocument) -> list[float]:
    """Return how much each page of a sample has to read, 0 for one that is blank or does not open."""
    step, weights = max(len(document) / COMPARED_PAGES, 1.0), []
    for at in range(min(len(document), COMPARED_PAGES)):
        weights.append(0.0)
        with suppress(PageFailed), open_page(document, int(at * step) + 1) as page:
            weights[-1] = page.char_count + (PAGE_WEIGHT if pdfium_c.FPDFPage_CountObjects(page.page) > 0 else 0.0)
    return weights


class _CappedBytes(io.BytesIO):
    """Bytes in memory that refuse to grow past a limit."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def write(self, data: object) -> int:
        """Append the data. Raises ExtractionError past the limit."""
        if self.tell() + len(memoryview(data)) > self._limit:  # type: ignore[arg-type]
            raise ExtractionError(
                ErrorCategory.TOO_LARGE_DECOMPRESSED, f"rebuilt document: larger than the limit of {self._limit} bytes"
            )
        return super().write(data)  # type: ignore[arg-type]


def _with_forms(document: pdfium.PdfDocument) -> pdfium.PdfDocument:
    """Attach the form environment, which values and drawn fields need. No script runs: this PDFium has no V8."""
    if document.get_formtype() != pdfium_c.FORMTYPE_NONE:
        config = pdfium_c.FPDF_FORMFILLINFO(version=2)
        raw = pdfium_c.FPDFDOC_InitFormFillEnvironment(document, config)
        if raw:
            document.formenv = pdfium.PdfFormEnv(raw, config)
    return document
