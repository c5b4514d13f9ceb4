"""Bytes to text, one file per format family, with the caps and the sandbox around them. No Beam, no network.

>>> from docbeam.extractors import extract_text
>>> extract_text("report.pdf").content
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbeam.extractors.library import extract_text as extract_text

__all__ = ["extract_text"]


def __getattr__(name: str) -> Any:
    if name == "extract_text":
        from docbeam.extractors.library import extract_text

        return extract_text
    raise AttributeError(name)
