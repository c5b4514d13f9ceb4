"""SpreadsheetML (XLSX, XLSM and their templates): every sheet's cells as Excel shows them, and what stands around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbeam.extractors.ooxml.xlsx.workbook import XlsxExtractor as XlsxExtractor

__all__ = ["XlsxExtractor"]


def __getattr__(name: str) -> Any:
    if name == "XlsxExtractor":
        from docbeam.extractors.ooxml.xlsx.workbook import XlsxExtractor

        return XlsxExtractor
    raise AttributeError(name)
