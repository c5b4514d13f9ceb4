"""The one exception type that carries a word of the vocabulary.

DocbeamError
├── UsageError         wrong options or arguments: exit code 2
└── ExtractionError    one document failed, for the reason in `category`
"""

from __future__ import annotations

from docbeam.schemas.vocabulary import ErrorCategory


class DocbeamError(Exception):
    """Base of all errors that docbeam raises on purpose."""


class UsageError(DocbeamError):
    """Wrong option, argument, configuration, or an input or output that can't be used."""


class ExtractionError(DocbeamError):
    """One document could not be read. The message names the thing, the limit and the value, never document text.

    `tiers` are the steps that were tried, where an extractor has several; empty for one that has a single step.
    """

    def __init__(self, category: ErrorCategory, message: str, tiers: tuple[str, ...] = ()) -> None:
        super().__init__(category, message)
        self.category = category
        self.message = message
        self.tiers = tiers

    def __str__(self) -> str:
        return f"{self.category}: {self.message}"
