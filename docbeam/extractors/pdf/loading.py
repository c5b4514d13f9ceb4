"""PDF documents by PDFium and by pikepdf, from a file or from bytes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.encryption.passwords import BLANK, GIVEN
from docbeam.extractors.pdf.passwords import open_with_passwords
from docbeam.extractors.source import Source


def open_bytes(data: bytes) -> pdfium.PdfDocument:
    """Open bytes that docbeam itself has written (repaired or mended). Raises PdfiumError."""
    return loaded(data)


def open_for_pikepdf(source: Source) -> pikepdf.Pdf:
    """Open the source with pikepdf, lazily from its file where there is one, if need be with one of its passwords.

    Raises: as pikepdf.open does; PasswordError if none fits.
    """
    return pikepdf_and_key(source)[0]


def pikepdf_and_key(source: Source) -> tuple[pikepdf.Pdf, str]:
    """Open with pikepdf; return the kind of password that fitted, too."""
    place = source.path or io.BytesIO(source.read())
    try:
        return pikepdf.open(place, suppress_warnings=True), BLANK
    except pikepdf.PasswordError:
        found = open_with_passwords(source, lambda spelt: pikepdf.open(place, password=spelt, suppress_warnings=True))
        if found is None:
            raise
        return found, GIVEN


def loaded(document: str | bytes, password: bytes | None = None) -> pdfium.PdfDocument:
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
    found = pdfium.PdfDocument(handle)
    found.bytes_in_use = document  # PDFium reads from them until it closes
    found.opened, found.is_put_together = None, False
    if len(found) < 1:
        found.close()
        raise pdfium.PdfiumError("PDFium finds no page", err_code=pdfium_c.FPDF_ERR_FORMAT)
    return _with_forms(found)


@contextmanager
def suppress_password_error() -> Iterator[None]:
    """Pass over PDFium's error for a password that does not fit, and over no other."""
    try:
        yield
    except pdfium.PdfiumError as error:
        if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
            raise


def _with_forms(document: pdfium.PdfDocument) -> pdfium.PdfDocument:
    """Attach the form environment, which values and drawn fields need. No script runs: this PDFium has no V8."""
    if document.get_formtype() != pdfium_c.FORMTYPE_NONE:
        config = pdfium_c.FPDF_FORMFILLINFO(version=2)
        raw = pdfium_c.FPDFDOC_InitFormFillEnvironment(document, config)
        if raw:
            document.formenv = pdfium.PdfFormEnv(raw, config)
    return document
