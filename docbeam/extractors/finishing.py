"""Trees of readings to finished documents: recognised pages in their places, failed members named by their parents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from docbeam.extractors.recognition import PageText, join_pages, unrecognised
from docbeam.extractors.tree import Node, with_failed_members
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Target
from docbeam.schemas.vocabulary import Branch, Origin

Pages = Callable[[Node, Sequence[Target]], Sequence[PageText]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What became of one node: exactly one of `extracted` and `error` is set. `is_recognised`: OCR was tried on it."""

    node: Node
    extracted: Extracted | None = None
    error: ExtractionError | None = None
    branch: Branch = Branch.NATIVE
    ocr_confidence: float | None = None
    is_recognised: bool = False


def pending_targets(node: Node) -> list[Target]:
    """Return a node's pages and pictures whose text is still to be recognised."""
    extracted = node.reading.extracted
    if extracted is None:
        return []
    pages = [Target(page.number) for page in extracted.pages if page.origin is Origin.PENDING]
    return pages + [Target(number, picture.part) for number, picture in enumerate(extracted.pictures, 1)]


def finished_tree(nodes: Sequence[Node], pages: Pages | None, options: ExtractOptions) -> list[Finished]:
    """Return what became of each node, in their order. `pages` returns recognised pages; None if there is no engine."""
    done: list[Finished] = []
    failures: list[list[tuple[str, ExtractionError]]] = [[] for _ in nodes]
    for place in reversed(range(len(nodes))):  # members come behind their parents
        node = nodes[place]
        result = _finished(node, pages, options)
        if result.extracted is not None:
            result = replace(result, extracted=with_failed_members(result.extracted, failures[place][::-1]))
        elif node.parent is not None and result.error is not None:
            failures[node.parent].append((node.path or "", result.error))
        done.append(result)
    return done[::-1]


def _finished(node: Node, pages: Pages | None, options: ExtractOptions) -> Finished:
    extracted = node.reading.extracted
    if extracted is None:
        return Finished(node=node, error=node.reading.error)
    targets = pending_targets(node)
    if not targets:
        return Finished(node=node, extracted=extracted)
    try:
        if pages is None or not options.ocr:
            return Finished(node=node, extracted=unrecognised(extracted, node.reading.media_type, ocr_wanted=options.ocr))
        joined, branch, confidence = join_pages(extracted, pages(node, targets), options)
    except ExtractionError as error:
        return Finished(node=node, error=error, is_recognised=pages is not None)
    return Finished(node=node, extracted=joined, branch=branch, ocr_confidence=confidence, is_recognised=True)
