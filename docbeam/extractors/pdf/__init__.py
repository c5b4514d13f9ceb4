"""PDF (ISO 32000-2): text page by page, form values, notes, and pages drawn for OCR. PDFium reads, pikepdf repairs."""

from docbeam.extractors.pdf.extractor import PdfExtractor

__all__ = ["PdfExtractor"]
