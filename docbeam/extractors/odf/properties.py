"""The properties of a document: title, authors, dates, and what its writer added. Source: ODF 1.3 part 3, 4 (metadata)."""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.odf.names import META, Element, local_name
from docbeam.extractors.ooxml.package import parsed_date
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence

MAX_CHARS = 4_000
MAX_OWN = 50  # properties that the writer added
# Element names and what they are called in the metadata.
_KEYS = {
    "title": "title", "subject": "subject", "keyword": "keywords", "description": "description", "language": "language",
    "generator": "generator", "initial-creator": "author", "creator": "lastModifiedBy", "creation-date": "created",
    "date": "modified", "printed-by": "printedBy", "print-date": "printed", "editing-cycles": "revision",
}  # fmt: skip


class Properties:
    """The properties of one document."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self._own: dict[str, str] = {}

    def add(self, meta: Element) -> None:
        """Read office:meta."""
        for element in meta:
            name = local_name(element)
            text = " ".join("".join(element.itertext()).split())[:MAX_CHARS] if name else ""
            if name == "user-defined" and text and len(self._own) < MAX_OWN:
                self._own[" ".join((element.get(META + "name") or "").split())[:100]] = text
            elif name == "document-statistic":
                self._found.setdefault("pages", element.get(META + "page-count") or "")
            elif text and (key := _KEYS.get(name)):
                self._found[key] = f"{self._found[key]}; {text}"[:MAX_CHARS] if key in self._found else text

    def finished(self, out: TextBuilder, family: str, *, page_count: int | None, confidence: Confidence) -> Extracted:
        """Return what was collected, with the properties."""
        found = self._found
        found.setdefault("author", found.get("lastModifiedBy", ""))
        for key, value in sorted(found.items()):
            out.meta(f"{family}.{key}", value)
        for name, value in sorted(self._own.items()):
            if name:
                out.meta(f"{family}.property.{name}", value)
        return out.extracted(
            page_count=page_count,
            confidence=confidence,
            title=found.get("title") or None,
            author=found.get("author") or None,
            created_at=parsed_date(found.get("created")),
            modified_at=parsed_date(found.get("modified")),
        )
