r"""The \info group: title, authors, dates and what else a document says of itself. Source: RTF 1.9.1, "Information group"."""

from __future__ import annotations

from datetime import UTC, datetime

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.rtf.words import DATE_PARTS
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence

MAX_CHARS = 4_000
MAX_OWN = 50  # properties that the writer added


class Properties:
    """The properties of one document."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.dates: dict[str, dict[str, int]] = {}
        self._own: dict[str, str] = {}
        self._own_name = ""

    def add(self, key: str, text: str) -> None:
        """Take a property's text."""
        text = " ".join(text.split())[:MAX_CHARS]
        if text:
            self.texts.setdefault(key, text)

    def name_own(self, name: str) -> None:
        """Take the name of a property that the writer added."""
        self._own_name = " ".join(name.split())[:100]

    def add_own(self, value: str) -> None:
        """Take the value of the property that was named last."""
        value = " ".join(value.split())[:MAX_CHARS]
        if value and self._own_name and len(self._own) < MAX_OWN:
            self._own.setdefault(self._own_name, value)

    def finished(self, out: TextBuilder, *, confidence: Confidence) -> Extracted:
        """Return what was collected, with the properties."""
        for key, value in sorted(self.texts.items()):
            out.meta(f"rtf.{key}", value)
        dates = {key: _date(parts) for key, parts in self.dates.items()}
        for key, date in sorted(dates.items()):
            out.meta(f"rtf.{key}", date.strftime("%Y-%m-%dT%H:%M:%S") if date else None)
        for name, value in sorted(self._own.items()):
            out.meta(f"rtf.property.{name}", value)
        return out.extracted(
            confidence=confidence,
            title=self.texts.get("title"),
            author=self.texts.get("author"),
            created_at=dates.get("created"),
            modified_at=dates.get("modified"),
        )


def _date(parts: dict[str, int]) -> datetime | None:
    """Return a date of the file, which names no zone, as UTC."""
    values = [parts.get(name, 0) for name in DATE_PARTS]
    values[1], values[2] = values[1] or 1, values[2] or 1
    try:
        return datetime(*values, tzinfo=UTC) if values[0] else None  # type: ignore[arg-type,misc]
    except (ValueError, OverflowError):
        return None
