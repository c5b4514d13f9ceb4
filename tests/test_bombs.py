"""Bombs of nesting, entities and aliases: kept as they are written, read in part, or refused; never expanded."""

from __future__ import annotations

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason
from tests.bombs import bombs

BOMBS = bombs()
REFUSED = ("deep DOCX", "deep tables in DOCX", "deep SVG")


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_not_expanded(kind: str) -> None:
    name, data = BOMBS[kind]
    reading = read_document(Source(data=data, name=name), ExtractOptions())
    if kind in REFUSED:
        assert reading.error is not None
        assert reading.error.category is ErrorCategory.LIMIT_EXCEEDED
        return
    assert reading.extracted is not None
    assert reading.extracted.truncation is not TruncationReason.DEADLINE
    assert "haha" * 20 not in reading.extracted.content
    assert len(reading.extracted.content) <= max(len(data), 200_000)


def test_the_text_around_entities_stays() -> None:
    for name, data in (bomb for kind, bomb in BOMBS.items() if " in " in kind and "tables" not in kind):
        extracted = read_document(Source(data=data, name=name), ExtractOptions()).extracted
        assert extracted is not None
        assert "kept" in extracted.content


def test_a_python_recursion_limit_is_a_limit_of_structure() -> None:
    from docbeam.extractors.boundary import translated

    assert translated(RecursionError("maximum recursion depth exceeded")).category is ErrorCategory.LIMIT_EXCEEDED
