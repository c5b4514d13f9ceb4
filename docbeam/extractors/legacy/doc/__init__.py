"""The Word extractor for documents from before Open XML."""

from docbeam.extractors.legacy.doc.extractor import DocExtractor

__all__ = ["DocExtractor"]
