"""Strings that Parquet can hold, caps that hold without TextBuilder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbeam.extractors.bounded import MAX_NOTICES
from docbeam.extractors.sandbox.clean import clean_extracted, clean_text
from docbeam.schemas.records import Extracted, Notice, Page
from docbeam.schemas.vocabulary import WarningCode

ANY_TEXT = st.text(st.sampled_from("aé東\U0001f600\x00\ud800\udbff\udc00\udfff\n"), max_size=30)


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [("a\x00b", "ab"), ("\ud83d\ude00", "\U0001f600"), ("a\ud800b", "a\ufffdb"), ("\ude00\ud83d", "\ufffd\ufffd"), ("", "")],
)
def test_nul_goes_pairs_join_and_lone_surrogates_are_replaced(dirty: str, clean: str) -> None:
    assert clean_text(dirty) == clean


@given(ANY_TEXT)
def test_clean_text_is_utf_8_and_stays_as_it_is(text: str) -> None:
    clean = clean_text(text)
    assert "\x00" not in clean
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert clean_text(clean) == clean


@given(st.lists(ANY_TEXT, max_size=4))
def test_every_page_keeps_its_own_text(parts: list[str]) -> None:
    pages, position = [], 0
    for number, part in enumerate(parts, 1):
        pages.append(Page(number, position, position + len(part)))
        position += len(part)
    clean = clean_extracted(Extracted(content="".join(parts), pages=tuple(pages)), 1_000)
    assert [clean.content[page.start : page.end] for page in clean.pages] == [clean_text(part) for part in parts]


def test_notices_and_metadata_are_bounded() -> None:
    notices = tuple(Notice(WarningCode.PART_NOT_READ, "p" * 5_000, str(number)) for number in range(MAX_NOTICES + 5))
    metadata = {f"key {number}": "v" * 5_000 for number in range(600)}
    clean = clean_extracted(Extracted(content="", warnings=notices, metadata=metadata), 10)
    assert len(clean.warnings) == MAX_NOTICES and clean.warnings[-1].message == "199 (5 more warnings left out)"
    assert len(clean.warnings[0].part) == 1_000
    assert len(clean.metadata) == 500 and max(map(len, clean.metadata.values())) == 4_000


@pytest.mark.parametrize("value", [None, "text", {"content": "x"}, Extracted(content=b"x"), Extracted(content="x", title=7)])
def test_what_is_no_extracted_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError):
        clean_extracted(value, 10)
