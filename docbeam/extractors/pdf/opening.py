"""Open a PDF: a ladder of two tiers. PDFium first, which repairs small damage itself; then one rebuild by pikepdf.

| tier     | step                                    | when it fails                                             |
|----------|-----------------------------------------|-----------------------------------------------------------|
| native   | PDFium opens the file as it is          | needs a password: ENCRYPTED_NO_KEY at once; else repaired |
| repaired | pikepdf rebuilds the object structure   | a PDF header: MALFORMED_XREF, none: CORRUPT               |
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

NATIVE, REPAIRED = "native", "repaired"
TAIL_BYTES = 4_096  # where the end of file marker stands, with the rubbish that may follow it
HEADER = re.compile(rb"%PDF-|%!PS-Adobe-\d\.\d PDF-")
MAX_KEPT_BYTES = 100_000_000  # a larger rebuilt document is not kept for the next call

_rebuilt_last: dict[bytes, bytes] = {}  # at most one: the source's digest and its rebuilt bytes, for drawing page after page


@contextmanager
def opened(source: Source, options: ExtractOptions) -> Iterator[tuple[pdfium.PdfDocument, tuple[str, ...]]]:
    """Open a document and say which tiers it took; close it afterwards.

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
    """Open the source with pikepdf, lazily from its file where there is one."""
    return pikepdf.open(source.path or io.BytesIO(source.read()), suppress_warnings=True)


def is_cut_short(source: Source) -> bool:
    """Say whether the end of file marker is missing."""
    with source.open() as file:
        file.seek(max(source.size_bytes - TAIL_BYTES, 0))
        return b"%%EOF" not in file.read()


def _open(source: Source, options: ExtractOptions) -> tuple[pdfium.PdfDocument, tuple[str, ...]]:
    try:
        return _loaded(source.path or source.read()), (NATIVE,)
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "the document needs a password to open") from error
        if error.err_code == pdfium_c.FPDF_ERR_SECURITY:
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "unsupported security handler") from error
        why = error
    try:
        return open_bytes(_rebuilt(source, options)), (NATIVE, REPAIRED)
    except pikepdf.PasswordError as error:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "the document needs a password to open") from error
    except (pikepdf.PdfError, pdfium.PdfiumError, ValueError, TypeError, LookupError, RuntimeError) as error:
        if HEADER.search(source.head()):
            raise ExtractionError(ErrorCategory.MALFORMED_XREF, f"no page found, also not by rebuilding: {why}") from error
        raise ExtractionError(ErrorCategory.CORRUPT, "no PDF header and no structure of a PDF") from error


def _loaded(document: str | bytes) -> pdfium.PdfDocument:
    """Load a file by its path, or bytes. Raises PdfiumError.

    Done over the raw API: for a document without pages the helper class reports PDFium's last error, which is that of
    another document then, and never closes it.
    """
    if isinstance(document, bytes):
        handle = pdfium_c.FPDF_LoadMemDocument64(document, len(document), None)
    else:
        handle = pdfium_c.FPDF_LoadDocument(os.fsencode(document), None)
    if not handle:
        code = pdfium_c.FPDF_GetLastError()
        raise pdfium.PdfiumError(f"PDFium's error {code}", err_code=code)
    loaded = pdfium.PdfDocument(handle)
    loaded.bytes_in_use = document  # PDFium reads from them until it closes
    if len(loaded) < 1:
        loaded.close()
        raise pdfium.PdfiumError("PDFium finds no page", err_code=pdfium_c.FPDF_ERR_FORMAT)
    return _with_forms(loaded)


def _rebuilt(source: Source, options: ExtractOptions) -> bytes:
    with source.open() as file:
        digest = hashlib.file_digest(file, "sha256").digest()  # type: ignore[arg-type]
    data = _rebuilt_last.get(digest)
    if data is None:
        data = _rebuild(source, options)
        _rebuilt_last.clear()
        if len(data) <= MAX_KEPT_BYTES:
            _rebuilt_last[digest] = data
    return data


def _rebuild(source: Source, options: ExtractOptions) -> bytes:
    with open_for_pikepdf(source) as pdf:
        if len(pdf.pages) == 0:
            raise ValueError("no pages")
        out = _CappedBytes(options.max_decompressed_bytes)
        pdf.save(out)
        return out.getvalue()


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
