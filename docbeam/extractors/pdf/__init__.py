"""PDF (ISO 32000-2): native text page by page, form values and notes, and pages drawn for OCR. PDFium reads, pikepdf repairs."""

from docbeam.extractors.pdf.extractor import PdfExtractor

__all__ = ["PdfExtractor"]
