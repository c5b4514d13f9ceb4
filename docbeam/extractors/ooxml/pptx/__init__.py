"""PowerPoint presentations (PresentationML): the slides in their order, read straight from the parts."""

from docbeam.extractors.ooxml.pptx.extractor import PptxExtractor

__all__ = ["PptxExtractor"]
