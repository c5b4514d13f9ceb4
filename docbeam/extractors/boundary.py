"""The one place that turns whatever an extractor raises into the vocabulary, by a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

T = TypeVar("T")

# Matched against the names of the exception's class and its bases, so that no parser has to be imported here.
TRANSLATIONS: tuple[tuple[str, ErrorCategory], ...] = (
    ("MemoryError", ErrorCategory.MEMORY_LIMIT),
    ("RecursionError", ErrorCategory.LIMIT_EXCEEDED),
    ("DecompressionBombError", ErrorCategory.IMAGE_TOO_LARGE),
    ("zlib.error", ErrorCategory.STREAM_DECOMPRESSION_FAIL),
    ("LZMAError", ErrorCategory.STREAM_DECOMPRESSION_FAIL),
    ("BadZipFile", ErrorCategory.CORRUPT),
    ("XMLSyntaxError", ErrorCategory.CORRUPT),
    ("ParseError", ErrorCategory.CORRUPT),
    ("PdfiumError", ErrorCategory.CORRUPT),
    ("CalamineError", ErrorCategory.CORRUPT),
    ("UnidentifiedImageError", ErrorCategory.CORRUPT),
    ("UnicodeError", ErrorCategory.CORRUPT),
    ("EOFError", ErrorCategory.CORRUPT),
    ("struct.error", ErrorCategory.CORRUPT),
    ("OverflowError", ErrorCategory.CORRUPT),
    ("LookupError", ErrorCategory.CORRUPT),
    ("ValueError", ErrorCategory.CORRUPT),
    ("OSError", ErrorCategory.CORRUPT),
)


def guarded(call: Callable[[], T]) -> T:
    """Return what `call` returns; raise ExtractionError for anything that it raises.

    Raises: ExtractionError with the category of the table, or INTERNAL for a kind of error that is not in it.
    """
    try:
        return call()
    except ExtractionError:
        raise
    except Exception as error:
        raise translated(error) from error


def translated(error: BaseException) -> ExtractionError:
    """Return the ExtractionError for a foreign exception: class and message, without the document's text."""
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    names |= {kind.__name__ for kind in type(error).__mro__}
    for name, category in TRANSLATIONS:
        if name in names:
            return ExtractionError(category, _described(error))
    return ExtractionError(ErrorCategory.INTERNAL, _described(error))


def _described(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message[:300]}" if message else type(error).__name__
