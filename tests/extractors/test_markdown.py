"""Headings of Markdown, in both forms; not those inside code or front matter."""

from __future__ import annotations

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.markdown import MAX_HEADINGS, markdown_headings
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One #\n\n## Two", ["One", "Two"]),
        ("Title\n===\n\npara\n---\n", ["Title", "para"]),
        ("---\ntitle: x\n---\n# One", ["One"]),
        ("```sh\n# comment\n```\n~~~\n# also\n```\n~~~\n# Real", ["Real"]),
        ("    # code\n#hashtag\n####### seven\n#\n", []),
        ("# C#\n- a\n---\n* b\n===\n", ["C#"]),
        ("text\n\n---\n", []),
    ],
)
def test_headings(text: str, expected: list[str]) -> None:
    assert markdown_headings(text) == expected


def test_there_is_an_end_to_headings() -> None:
    assert len(markdown_headings("# a\n" * 10_000)) == MAX_HEADINGS


def test_headings_are_metadata() -> None:
    extracted = read_document(Source(data=b"# One\n\ntext\n\n## Two\n", name="a.md"), ExtractOptions()).extracted
    assert extracted is not None
    assert extracted.metadata["markdown.headings"] == "One; Two"
