"""--where: keys and words are a closed list, and a mistake is told what there is."""

from __future__ import annotations

import pytest

from docbeam.schemas.errors import UsageError
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.selection import COLUMNS, conditions_of


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "no --where given"),
        (["colour=red"], "unknown key 'colour'; the keys are: category, stage, is_retryable, media_type, uri, run_id"),
        (["category"], "not key=value; the keys are: category"),
        (["category="], "not key=value"),
        (["category=timeout,late"], "unknown category 'late'; there are: empty, not_a_regular_file"),
        (["stage=print"], "unknown stage 'print'; there are: list, read"),
        (["is_retryable=perhaps"], "unknown is_retryable 'perhaps'; there are: true, false"),
    ],
)
def test_a_mistake_is_told_what_there_is(given: list[str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        conditions_of(given)
    assert words in str(caught.value)


def test_several_words_of_one_key_are_alternatives_and_uris_are_patterns() -> None:
    category, uri, retry = conditions_of(["category = timeout,Crashed", "uri=*/mail/*.eml!*", "is_retryable=true"])
    assert category.is_met(ErrorCategory.CRASHED.value)
    assert not category.is_met(ErrorCategory.CORRUPT.value)
    assert uri.is_met("file:///data/mail/a.eml!/report, final.pdf")
    assert not uri.is_met("file:///data/mail/a.eml")
    assert retry.is_met(True)
    assert not retry.is_met(False)


def test_every_key_is_a_column() -> None:
    from docbeam.schemas.arrow import QUARANTINE

    assert set(COLUMNS.values()) - {"run_id"} <= set(QUARANTINE.names)
