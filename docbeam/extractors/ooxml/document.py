"""What Word and PowerPoint files share: the main part, whole or repaired, and the document's properties.

Source: ECMA-376-1 15.2.12 (core and extended properties).
"""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package, parsed_date
from docbeam.extractors.ooxml.xml import Element, category_of
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode

# Properties as they are named in the metadata: core ones first, then the application's.
_KEYS = (
    *("title", "subject", "keywords", "description", "category", "contentStatus", "language", "lastModifiedBy", "revision"),
    *("lastPrinted", "version", "identifier", "Company", "Manager", "Application", "Template", "Pages", "Slides"),
    "HyperlinkBase",
)


def main_root(package: Package, name: str, out: TextBuilder) -> tuple[Element, bool]:
    """Return the root of the main part and whether it is whole; what can be read of a broken one is marked as damaged.

    Raises: ExtractionError CORRUPT or LIMIT_EXCEEDED if nothing can be read.
    """
    root, problem = package.xml_or_problem(name)
    if root is None:
        raise ExtractionError(category_of(problem or ""), f"{name}: {problem or 'no root element'}")
    if problem is not None:
        out.warn(WarningCode.PART_DAMAGED, name, f"{problem}; read as far as possible")
        out.cut(TruncationReason.DAMAGED)
    return root, problem is None


def finished(package: Package, out: TextBuilder, family: str, is_whole: bool, page_count: int | None = None) -> Extracted:
    """Return what was collected, with the properties of the document.

    Raises: ExtractionError CORRUPT or LIMIT_EXCEEDED if the main part is broken and gave no text, and no embedded file.
    """
    properties = package.core_properties()
    for key in _KEYS:
        out.meta(f"{family}.{key[0].lower()}{key[1:]}", properties.get(key))
    out.meta(f"{family}.author", properties.get("creator"))
    for name, value in package.custom_properties():
        out.meta(f"{family}.property.{name}", value)
    extracted = out.extracted(
        page_count=page_count,
        confidence=Confidence.DETERMINISTIC if is_whole else Confidence.HEURISTIC,
        title=_line(properties.get("title")),
        author=_line(properties.get("creator")),
        created_at=parsed_date(properties.get("created")),
        modified_at=parsed_date(properties.get("modified")),
    )
    if not is_whole and not extracted.content.strip() and not any(member.file for member in extracted.members):
        main = package.main_part()
        problem = next((notice.message for notice in extracted.warnings if notice.part == main), "broken")
        raise ExtractionError(category_of(problem), f"{main}: {problem}, and no text could be read")
    return extracted


def _line(text: str | None) -> str | None:
    return text[:1000] if text else None
