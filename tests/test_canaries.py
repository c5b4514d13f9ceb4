"""Nothing is left unread in silence: what is planted in a document comes out of it, or is named in a warning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.canaries.exceptions import EXCEPTIONS
from tests.canaries.fates import BUILDERS, LOST, fates, page
from tests.canaries.planting import Bed

PAGE = Path(__file__).parent.parent / "docs/canaries.md"


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build().name)
def test_every_canary_is_read_or_named(build: Callable[[], Bed]) -> None:
    lost = [canary.place for canary, fate in fates(build()) if fate == LOST]
    assert not lost


def test_every_exception_is_needed() -> None:
    needed = set()
    for build in BUILDERS:
        bed = build()
        kind = bed.name.rpartition(".")[2]
        needed |= {(kind, canary.place) for canary, fate in fates(bed) if fate.startswith("left out: ")}
    assert needed == set(EXCEPTIONS)


def test_the_page_of_canaries_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run `python -m tests.canaries > docs/canaries.md`"
