"""Rich Text Format: tokens, groups and their state, fonts' code pages, paragraphs and tables."""

from docbeam.extractors.rtf.extractor import RtfExtractor

__all__ = ["RtfExtractor"]
