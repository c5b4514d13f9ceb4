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

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.encryption.passwords import BLANK, Keys, Opened
from docbeam.extractors.ladder import NATIVE, REPAIRED
from docbeam.extractors.pdf.loading import loaded, open_bytes, suppress_password_error
from docbeam.extractors.pdf.passwords import (
    is_beyond_pdfium,
    likely_first,
    opened_native,
    remember,
    spellings,
)
from docbeam.extractors.pdf.repairs import page_weights, repaired_once
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

WHAT = "the document needs a password to open"
TAIL_BYTES = 4_096  # where the end of file marker stands, with the rubbish that may follow it
HEADER = re.compile(rb"%PDF-|%!PS-Adobe-\d\.\d PDF-")


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
        if has_valid_table(native) or (not is_cut_short(source) and all(page_weights(native))):
            return native, (NATIVE,)
    except ExtractionError as error:
        if not is_beyond_pdfium(source, error):
            raise
        locked = error
    except pdfium.PdfiumError as error:
        why = error
    try:
        found = repaired_once(source, options, native)
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
        document, by = loaded(place), BLANK
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_SECURITY:
            message = "another security handler than that of passwords, such as one of certificates"
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, message) from error
        if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
            raise

        def opened_by(password: str) -> pdfium.PdfDocument | None:
            for spelt in spellings(password) if password else ():
                with suppress_password_error():
                    found = loaded(place, spelt)
                    remember(password)
                    return found
            return None

        document, by = Keys(source, options, order=likely_first).fitting(opened_by, WHAT)
    document.opened = opened_native(document, by)
    return document
