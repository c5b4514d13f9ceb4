"""The text-quality score: good text in any language and of any kind stands, garbage of every kind falls."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.awkward_texts import AWKWARD
from benchmarks.broken_texts import BROKEN
from benchmarks.text_quality import documents
from docbeam.extractors.choosing import OWN_KEPT, RECOGNISED_KEPT, choose, completed, garbage_notices
from docbeam.extractors.quality import FAULTS, GARBAGE, text_quality
from tests.extractors.sentences import SENTENCES

ENGLISH = (
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and "
    "should act towards one another in a spirit of brotherhood. Everyone has the right to life, liberty and security of "
    "person. No one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all forms. "
)
RUSSIAN = (
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны "
    "поступать в отношении друг друга в духе братства. Каждый человек имеет право на жизнь, на свободу и на личную "
    "неприкосновенность. Никто не должен содержаться в рабстве или в подневольном состоянии. "
)
CHINESE = (
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有权享有生命、自由和人身安全。"
    * 2
)
BASE = {"latin": ENGLISH, "cyrillic": RUSSIAN, "chinese": CHINESE}


def broken(name: str) -> list[str]:
    made = (BROKEN[name](text, random.Random(1)) for text in BASE.values())
    return [text for text in made if text]


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_of_any_language_is_no_garbage(language: str) -> None:
    assert not text_quality(SENTENCES[language][0]).is_garbage


@pytest.mark.parametrize("kind", sorted(AWKWARD))
def test_honest_text_that_looks_odd_is_no_garbage(kind: str) -> None:
    pages = list(AWKWARD[kind]())[:40]
    assert [page[:80] for page in pages if text_quality(page).is_garbage] == []


@pytest.mark.parametrize("text", ["", " \n", "3", "Page 3", "- 12 -", "§ 5", "www", "QED", "第3页", "ﬀ", "X", "©2020", "№ 7"])
def test_a_short_page_proves_nothing(text: str) -> None:
    assert text_quality(text).score >= GARBAGE


@pytest.mark.parametrize("name", [name for name in BROKEN if "Greek" not in name and "Arabic" not in name])
def test_garbage_is_found(name: str) -> None:
    pages = broken(name)
    assert pages
    assert [page[:60] for page in pages if not text_quality(page).is_garbage] == []


@pytest.mark.parametrize("text", ["'(6&5,37,21", "³$%&´µDEF¶", "3HQČåQt SURVWĜHGN\\ QD~þWHFK X EDQN\\"])
def test_a_short_text_of_guessed_letters_needs_words_to_be_believed(text: str) -> None:
    assert text_quality(text, is_guessed=True).is_garbage


@pytest.mark.parametrize(
    "text", ["Checkliste Service", "Výbava na přání", "KEY INVESTOR INFORMATION", "Issue 5039", "0 2 4 6 8"]
)
def test_a_short_text_of_guessed_letters_with_words_in_it_is_believed(text: str) -> None:
    assert not text_quality(text, is_guessed=True).is_garbage


def test_the_score_of_a_text_is_always_the_same_and_has_a_named_fault() -> None:
    for name in BROKEN:
        for page in broken(name):
            assert text_quality(page) == text_quality(page)
            assert text_quality(page).fault in FAULTS or not text_quality(page).is_garbage
    assert text_quality(ENGLISH) == (1.0, "")


def test_any_characters_have_a_score() -> None:
    chance = random.Random(3)
    for _ in range(300):
        text = "".join(
            chr(chance.choice((0x20, 0x300, 0x900, 0xD800, 0x4E00, 0x1F600)) + chance.randrange(0x300)) for _ in range(80)
        )
        assert 0.0 <= text_quality(text).score <= 1.0


def test_the_documents_of_the_corpus_are_no_garbage(shared: Path) -> None:
    pages = list(documents([shared / "truth" / "docs"]))
    bad = [name for name, page in pages if text_quality(page).is_garbage]
    assert len(bad) <= 0.005 * len(pages), bad


GARBAGE_TEXT = broken("glyph numbers 29 below ASCII")[0]


@pytest.mark.parametrize(
    ("own", "recognised", "keeps_own"),
    [
        (GARBAGE_TEXT, ENGLISH, False),
        (GARBAGE_TEXT, "", True),
        ("", "", False),
        ("", ENGLISH, False),
        (ENGLISH, GARBAGE_TEXT * 2, True),
        (ENGLISH, ENGLISH[:100], True),
        ("CONFIDENTIAL", f"CONFIDENTIAL {ENGLISH}", False),
        (GARBAGE_TEXT, GARBAGE_TEXT, True),
    ],
)
def test_the_better_reading_is_kept(own: str, recognised: str, keeps_own: bool) -> None:
    assert choose(1, own, recognised).keeps_own is keeps_own


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("Annual report\n7", "Annual report\n\n"),
        ("The river\nA1", "A1\n\n"),
        ("the RIVER — rises!", ""),
        ("x\n—\nlost \ufffd\ufffd word", ""),
        (GARBAGE_TEXT, ""),
        ("Annual report " * 40, ""),
    ],
    ids=["a title", "one of two", "spelt otherwise", "nothing to say", "garbage", "a whole page"],
)
def test_few_own_words_that_were_not_recognised_stay(own: str, kept: str) -> None:
    recognised = "The river rises every spring, and 17 bridges\nare under water"
    assert completed(choose(1, own, recognised), own, recognised) == kept + recognised


def test_pages_of_garbage_are_named_with_the_reading_that_was_kept() -> None:
    choices = [choose(1, GARBAGE_TEXT, ENGLISH), choose(2, GARBAGE_TEXT, ""), choose(3, "Title", ENGLISH)]
    notices = garbage_notices(choices, lambda numbers: f"pages {numbers}")
    assert [(notice.part, notice.message) for notice in notices] == [("pages [1]", RECOGNISED_KEPT), ("pages [2]", OWN_KEPT)]
