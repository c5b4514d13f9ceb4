"""Electronic publications (EPUB 2 and 3): the chapters in the order of the spine, and what the package says of the book."""

from docbeam.extractors.epub.extractor import EpubExtractor

__all__ = ["EpubExtractor"]
