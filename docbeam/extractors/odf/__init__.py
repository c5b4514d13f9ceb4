"""OpenDocument texts, spreadsheets, presentations and drawings, as packages and as flat XML files."""

from docbeam.extractors.odf.extractor import OdfExtractor

__all__ = ["OdfExtractor"]
