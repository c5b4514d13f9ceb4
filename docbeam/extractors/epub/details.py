"""What a book's package says of it: title, authors, language, identifiers, publisher, dates.

Source: EPUB 3.3, 5.5 (metadata), appendix D; OPF 2.0.1, 2.2 for `opf:role` and `opf:event`.
"""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import parsed_date
from docbeam.extractors.ooxml.xml import Element, local_name
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence

OPF = "{http://www.idpf.org/2007/opf}"
_LISTED = ("language", "identifier", "publisher", "subject", "description", "rights", "contributor", "source", "coverage")


def with_details(
    out: TextBuilder, metadata: list[Element], *, version: str, page_count: int, confidence: Confidence
) -> Extracted:
    """Return what was collected, with the metadata of the book."""
    found: dict[str, list[str]] = {}
    for element in metadata:
        name = local_name(element).lower()
        text = " ".join("".join(element.itertext()).split())
        if not text:
            continue
        if name == "meta":
            name = (element.get("property") or "").removeprefix("dcterms:").removeprefix("dc:")
        elif name == "date" and (event := element.get(OPF + "event") or element.get("event")):
            name = {"creation": "created", "modification": "modified"}.get(event.lower(), "date")
        if name in ("title", "creator", "date", "created", "modified", *_LISTED) and text not in found.setdefault(name, []):
            found[name].append(text)
    titles = found.get("title", [])
    out.meta("epub.title", titles[0] if titles else None)
    out.meta("epub.otherTitles", "; ".join(titles[1:]))
    for name in _LISTED:
        out.meta(f"epub.{name}", "; ".join(found.get(name, ())))
    out.meta("epub.author", "; ".join(found.get("creator", ())))
    for name in ("date", "created", "modified"):
        out.meta(f"epub.{name}", "; ".join(found.get(name, ())))
    out.meta("epub.version", version)
    return out.extracted(
        page_count=page_count,
        confidence=confidence,
        title=titles[0] if titles else None,
        author="; ".join(found.get("creator", ())) or None,
        created_at=parsed_date(next(iter(found.get("created") or found.get("date") or ()), None)),
        modified_at=parsed_date(next(iter(found.get("modified", ())), None)),
    )
