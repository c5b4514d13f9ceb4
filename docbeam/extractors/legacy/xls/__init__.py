"""The Excel extractor for workbooks from before Open XML."""

from docbeam.extractors.legacy.xls.extractor import XlsExtractor

__all__ = ["XlsExtractor"]
