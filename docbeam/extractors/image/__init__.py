"""Pictures (PNG, JPEG, TIFF, WebP, BMP, GIF): the header is checked, and each frame becomes a page to be recognised."""

from docbeam.extractors.image.extractor import ImageExtractor

__all__ = ["ImageExtractor"]
