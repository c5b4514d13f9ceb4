"""The extractor for Excel's binary workbooks."""

from docbeam.extractors.legacy.xlsb.extractor import XlsbExtractor

__all__ = ["XlsbExtractor"]
