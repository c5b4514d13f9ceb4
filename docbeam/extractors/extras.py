"""Packages that docbeam does not bring along: their licence or size is the user's choice."""

from __future__ import annotations

import importlib
from types import ModuleType

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory


def require_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a module that comes with an optional extra of docbeam.

    Raises: ExtractionError(UNSUPPORTED_MEDIA_TYPE) that says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{purpose} need an optional package: pip install 'docbeam[{extra}]'"
        raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, message) from error
