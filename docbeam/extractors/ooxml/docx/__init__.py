"""Word documents (WordprocessingML): one walk over the XML of the parts."""

from docbeam.extractors.ooxml.docx.extractor import DocxExtractor

__all__ = ["DocxExtractor"]
