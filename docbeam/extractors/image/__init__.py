"""Pictures (PNG, JPEG, TIFF, WebP, BMP, GIF): the header is checked, each frame becomes a page whose text is to be recognised."""

from docbeam.extractors.image.extractor import ImageExtractor

__all__ = ["ImageExtractor"]
