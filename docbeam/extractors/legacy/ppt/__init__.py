"""The PowerPoint extractor for presentations from before Open XML."""

from docbeam.extractors.legacy.ppt.extractor import PptExtractor

__all__ = ["PptExtractor"]
