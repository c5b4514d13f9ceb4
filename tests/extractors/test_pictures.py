"""Pictures inside documents: their anchors leave positions, and their texts stand where they were."""

from __future__ import annotations

import pytest

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.pictures import CLOSE, OPEN, with_texts
from docbeam.extractors.recognition import PageText, join_pages, unrecognised
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Picture
from docbeam.schemas.vocabulary import Branch, Confidence, ErrorCategory, WarningCode

OPTIONS = ExtractOptions()


def page_texts(extracted: Extracted) -> list[str]:
    return [extracted.content[page.start : page.end] for page in extracted.pages]


def slides() -> Extracted:
    out = TextBuilder(OPTIONS)
    out.page(1, "One" + out.picture("a.png"))
    out.page(2, out.picture("b.png"))
    out.page(3, "")
    out.page(4, f"Four {out.picture('c.png')}goes on\nlast line")
    return out.extracted()


def test_anchors_leave_no_trace_but_positions() -> None:
    found = slides()
    assert found.content == "One\n\nFour goes on\nlast line"
    assert page_texts(found) == ["One", "", "", "Four goes on\nlast line"]
    assert found.pictures == (Picture("a.png", 3, 1), Picture("b.png", 3, 2), Picture("c.png", 10, 4))


def test_texts_stand_at_the_end_of_the_line_and_in_their_page() -> None:
    found = with_texts(slides(), {1: "alpha", 2: "beta", 3: "gamma"})
    assert page_texts(found) == [
        "One\n[Image text: alpha]",
        "[Image text: beta]",
        "",
        "Four goes on\n[Image text: gamma]\nlast line",
    ]


def test_two_pictures_in_one_line_keep_their_order() -> None:
    out = TextBuilder(OPTIONS)
    out.add(f"x{out.picture('a')}{out.picture('b')}y\nz")
    assert with_texts(out.extracted(), {1: "A", 2: "B"}).content == "xy\n[Image text: A]\n[Image text: B]\nz"


def test_a_picture_whose_anchor_was_lost_comes_last() -> None:
    out = TextBuilder(OPTIONS)
    out.picture("lost")
    out.add("text")
    assert out.extracted().pictures == (Picture("lost", 4),)


@pytest.mark.parametrize("forged", [f"{OPEN}7{CLOSE}", f"{OPEN}{CLOSE}", f"{OPEN}0", f"{OPEN}{'9' * 30}{CLOSE}"])
def test_forged_anchors_do_no_harm(forged: str) -> None:
    out = TextBuilder(OPTIONS)
    out.add(f"a{out.picture('p')}b{forged}c")
    found = out.extracted()
    assert found.pictures == (Picture("p", 1),)
    assert found.content.replace(forged, "") == "abc"


def test_an_anchor_that_the_cap_cuts_is_gone() -> None:
    for cap in range(1, 8):
        out = TextBuilder(ExtractOptions(max_extracted_chars=cap))
        with out.until_full():
            out.add(f"ab{out.picture('p')}cdef")
        assert OPEN not in out.extracted().content


def test_icons_repeats_and_those_past_the_cap() -> None:
    out = TextBuilder(ExtractOptions(max_ocr_images=1))
    assert out.picture("icon", width=99, height=400) == "" == out.picture("rule", width=400, height=39)
    assert out.picture("a", width=100, height=40)
    assert out.picture("a") == "" == out.picture("b") == out.picture("b")
    assert [notice.part for notice in out.extracted().warnings] == ["b"]
    assert "limit 1 pictures (max_ocr_images)" in out.extracted().warnings[0].message


@pytest.mark.parametrize("options", [ExtractOptions(ocr=False), ExtractOptions(ocr_embedded=False)])
def test_switched_off_they_are_named(options: ExtractOptions) -> None:
    out = TextBuilder(options)
    assert out.picture("a") == ""
    assert [(notice.code, notice.part) for notice in out.extracted().warnings] == [(WarningCode.NEEDS_OCR, "a")]


def test_a_document_with_recognised_pictures_says_so() -> None:
    found = [PageText(number=1, picture="a.png", text="alpha", confidence=0.9), PageText(number=2, picture="b.png")]
    joined, branch, confidence = join_pages(slides(), found, OPTIONS)
    assert (branch, confidence, joined.confidence) == (Branch.MIXED, 0.9, Confidence.HEURISTIC)
    assert joined.tiers == ("native", "ocr")
    assert [(notice.code, notice.part) for notice in joined.warnings] == [(WarningCode.NEEDS_OCR, "c.png")]


def test_a_picture_that_fails_is_named_and_costs_nothing_else() -> None:
    failed = PageText(number=1, picture="a.png", error=ExtractionError(ErrorCategory.TIMEOUT, "60 s"))
    joined, branch, _ = join_pages(slides(), [failed], OPTIONS)
    assert page_texts(joined) == page_texts(slides()) and branch is Branch.NATIVE and joined.truncation is None
    assert [notice.part for notice in joined.warnings] == ["a.png", "b.png", "c.png"]


def test_without_an_engine_each_picture_is_named() -> None:
    kept = unrecognised(slides(), MediaType.PDF, ocr_wanted=True)
    assert [notice.part for notice in kept.warnings] == ["a.png", "b.png", "c.png"]
