"""The Beam side: discover, read, extract, recognise, write and commit.

>>> from docbeam.transforms import ExtractDocuments
>>> rows = pipeline | Create(["gs://bucket/report.pdf"]) | ExtractDocuments(ExtractOptions())
>>> rows.documents, rows.quarantine
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbeam.transforms.documents import ExtractDocuments as ExtractDocuments

__all__ = ["ExtractDocuments"]


def __getattr__(name: str) -> Any:
    if name == "ExtractDocuments":
        from docbeam.transforms.documents import ExtractDocuments

        return ExtractDocuments
    raise AttributeError(name)
