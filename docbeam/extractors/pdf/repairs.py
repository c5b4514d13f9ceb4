"""The repairs of a PDF, and which of them gives the most text: the second tier of the ladder (ladder.py)."""

from __future__ import annotations

import hashlib
import io
import warnings
from contextlib import suppress
from typing import NamedTuple

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.encryption.passwords import Opened
from docbeam.extractors.pdf.loading import open_bytes, pikepdf_and_key
from docbeam.extractors.pdf.page import PageFailed, open_page
from docbeam.extractors.pdf.passwords import scheme
from docbeam.extractors.pdf.salvage import salvaged
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

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


def repaired_once(source: Source, options: ExtractOptions, native: pdfium.PdfDocument | None) -> Repaired | None:
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
    pdf, by = pikepdf_and_key(source)
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
    weights = page_weights(document)
    return sum(weights) / max(len(weights), 1) * len(document)


def page_weights(document: pdfium.PdfDocument) -> list[float]:
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
