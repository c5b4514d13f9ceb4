"""JSON and JSON Lines: kept in their own notation, with the escapes of letters resolved and one-line files set in lines."""

from docbeam.extractors.json.extractor import JsonExtractor

__all__ = ["JsonExtractor"]
