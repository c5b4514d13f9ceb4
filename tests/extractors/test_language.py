"""The language of a text: right for a sentence in each of many languages, none where that is unsure."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbeam.extractors.engine import read_document
from docbeam.extractors.language import detected_language, sampled
from docbeam.extractors.recognition import PageText, join_pages
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Page
from docbeam.schemas.vocabulary import Origin
from tests.extractors.sentences import SENTENCES

ENGLISH = (
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should "
    "act towards one another in a spirit of brotherhood. "
)
FRENCH = (
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et "
    "doivent agir les uns envers les autres dans un esprit de fraternité. "
)


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_is_known_by_its_language(language: str) -> None:
    assert detected_language(SENTENCES[language][0]) == language.replace("_", "-")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", None),
        ("OK", None),
        ("12 345,67 2020-01-02 " * 100, None),
        (" ".join(sha256(bytes([n])).hexdigest() for n in range(40)), None),
        ("https://example.org/some/english/words/in/an/address", None),
        ("中文文本", None),
        ("我爱吃中文", "zh"),
        ("這是一個關於國語與國字的問題", "zh-Hant"),
        ("这是一个关于国语与国字的问题", "zh-Hans"),
        (
            "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft og "
            "samvittighet og bør handle mot hverandre i brorskapets ånd.",
            "nb",
        ),
        ("Alle menneske er fødde til fridom og med same menneskeverd og menneskerettar", "nn"),
        ("כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם", "he"),
    ],
)
def test_tags_are_bcp_47_and_unsure_ones_are_none(text: str, language: str | None) -> None:
    assert detected_language(text) == language


def test_most_of_a_text_decides() -> None:
    assert detected_language(ENGLISH + FRENCH * 3) == "fr"
    assert detected_language(ENGLISH * 30 + FRENCH * 3) == "en"


def test_a_long_text_is_sampled_from_begin_to_end() -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 10_000)))
    sample = sampled(text, 3, 150)
    assert (sample[0], sample[-1], len(sample)) == (text[0], text[-1], 3 * 150 + 2)
    assert sampled(text[:450], 3, 150) == text[:450]


def test_letters_that_may_not_be_interchanged_do_not_hide_the_language() -> None:
    assert detected_language(ENGLISH * 3 + "\x00\x07\ud800\ufffe\U0010ffff" * 5) == "en"


@given(st.text(st.characters(exclude_categories=[]), max_size=300))
def test_any_text_has_one_language_or_none(text: str) -> None:
    first = detected_language(text)
    assert first is None or (1 < len(first) < 12 and first.isascii())
    assert detected_language(text) == first


def test_a_document_says_its_language() -> None:
    reading = read_document(Source(data=FRENCH.encode()), ExtractOptions())
    assert reading.extracted is not None and reading.extracted.language == "fr"


def scan(native: str) -> Extracted:
    pages = (Page(1, 0, len(native)), Page(2, len(native), len(native), Origin.PENDING))
    return Extracted(content=native, pages=pages, language=detected_language(native))


@pytest.mark.parametrize(
    ("native", "recognised", "language"),
    [
        ("", (FRENCH, "fr"), "fr"),
        (ENGLISH, (FRENCH * 3, "fr"), "fr"),
        (ENGLISH * 3, (FRENCH, "fr"), "en"),
        (ENGLISH, ("xyzzy " * 40, None), None),
    ],
)
def test_recognised_pages_weigh_as_much_as_their_letters(
    native: str, recognised: tuple[str, str | None], language: str | None
) -> None:
    page = PageText(number=2, text=recognised[0], confidence=0.9, language=recognised[1])
    assert join_pages(scan(native), [page], ExtractOptions())[0].language == language
