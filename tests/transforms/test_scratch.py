"""What is kept of recognised pages: by document and page, and by the digest of the picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from docbeam.extractors.recognition import PageText
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Target, Word
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.scratch import Scratch

DIGEST = "ab" * 32
PAGE = PageText(number=3, text="quay", confidence=0.9, words=(Word("quay", 0.9, 0.1, 0.2, 0.3, 0.05),), digest=DIGEST)


def test_a_page_comes_back_with_its_words(tmp_path: Path) -> None:
    scratch = Scratch(str(tmp_path), "f", {})
    scratch.put_page("cd" * 32, PAGE)
    assert scratch.page("cd" * 32, Target(3)) == PAGE
    assert scratch.page("cd" * 32, Target(4)) is None


def test_a_picture_is_found_by_its_digest_once_it_was_read(tmp_path: Path) -> None:
    scratch = Scratch(str(tmp_path), "f", {})
    assert scratch.same(DIGEST) is None
    scratch.put_page("cd" * 32, PAGE)
    scratch.put_same("cd" * 32, PAGE)
    assert scratch.same(DIGEST) == PAGE


def test_a_failed_page_is_no_text_of_an_equal_one(tmp_path: Path) -> None:
    scratch = Scratch(str(tmp_path), "f", {})
    failed = replace(PAGE, text="", words=(), error=ExtractionError(ErrorCategory.TIMEOUT, "late"))
    scratch.put_page("cd" * 32, failed)
    scratch.put_same("cd" * 32, failed)
    assert scratch.same(DIGEST) is None
