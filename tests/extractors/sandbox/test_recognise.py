"""Pages are recognised one by one, each under its own hard deadline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docbeam.extractors.ocr import find_engine
from docbeam.extractors.recognition import PageText
from docbeam.extractors.same_picture import as_target
from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Notice, Target
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode
from tests.extractors.sandbox.conftest import document, media_type

needs_engine = pytest.mark.skipif(find_engine() is None, reason="the tesseract command is not installed")


@needs_engine
def test_a_page_is_drawn_and_recognised_in_the_child(pool: SandboxPool, tmp_path: Path) -> None:
    image = Image.new("L", (1200, 300), 255)
    ImageDraw.Draw(image).text((50, 100), "Hello sandbox", fill=0, font=ImageFont.load_default(80))
    image.save(tmp_path / "page.png", dpi=(300, 300))
    with pool.worker() as worker:
        page = worker.recognise(Source(path=str(tmp_path / "page.png")), "image/png", Target(1))
    assert (page.number, page.text.strip(), page.error) == (1, "Hello sandbox", None)


@needs_engine
def test_a_page_that_hangs_is_killed_and_the_next_one_is_read(hasty_pool: SandboxPool) -> None:
    with hasty_pool.worker() as worker:
        failed = worker.recognise(document("x"), media_type("hangs"), Target(3))
        assert (failed.number, failed.text, failed.error.category) == (3, "", ErrorCategory.TIMEOUT)
        assert failed.error.message == "no answer within 1 s: ocr_page_timeout_seconds, for one page"


@needs_engine
@pytest.mark.parametrize(
    ("verb", "category"),
    [
        ("raises", ErrorCategory.CORRUPT),
        ("segfaults", ErrorCategory.CRASHED),
        ("exits", ErrorCategory.CRASHED),
        ("eats", ErrorCategory.MEMORY_LIMIT),
    ],
)
def test_a_page_that_fails_has_its_category(pool: SandboxPool, verb: str, category: ErrorCategory) -> None:
    with pool.worker() as worker:
        failed = worker.recognise(document("x"), media_type(verb), Target(2))
        assert (failed.number, failed.error.category) == (2, category)
        assert worker.recognise(document("x"), media_type("echoes"), Target(1)).error is None


def test_without_an_engine_a_page_says_so(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))  # where a resident engine would find its languages
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        assert worker.recognise(document("x"), media_type("echoes"), Target(1)).error.category is ErrorCategory.NEEDS_OCR


@needs_engine
def test_an_equal_picture_is_not_read_again(tmp_path: Path) -> None:
    image = Image.new("L", (600, 100), 255)
    ImageDraw.Draw(image).text((20, 20), "Tide tables", fill=0, font=ImageFont.load_default(40))
    image.save(tmp_path / "one.png")
    image.save(tmp_path / "two.png", compress_level=0)
    asked: list[str] = []
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        first = worker.recognise(Source(path=str(tmp_path / "one.png")), "image/png", Target(1))
        known = replace(first, text="known", notices=(Notice(WarningCode.LOW_CONFIDENCE, "page 1", "unsure"),))

        def look(digest: str) -> PageText | None:
            asked.append(digest)
            return known if len(asked) == 1 else None

        second = worker.recognise(Source(path=str(tmp_path / "two.png")), "image/png", Target(1), look)
        third = worker.recognise(Source(path=str(tmp_path / "two.png")), "image/png", Target(1), look)
    assert asked == [first.digest, first.digest]
    assert second == known
    assert third == first


def test_a_known_text_is_named_after_the_place_where_it_stands_now() -> None:
    notice = Notice(WarningCode.LOW_CONFIDENCE, "page 1", "unsure")
    page = as_target(PageText(number=1, text="x", notices=(notice,)), Target(7))
    assert (page.number, page.notices[0].part) == (7, "page 7")


def test_a_page_that_cannot_be_drawn_is_said_before_anything_is_looked_up(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG broken")
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        page = worker.recognise(Source(path=str(tmp_path / "broken.png")), "image/png", Target(1), lambda _: None)
    assert page.error is not None and page.error.category is ErrorCategory.CORRUPT
