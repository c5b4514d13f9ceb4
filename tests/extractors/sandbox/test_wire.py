"""The wire form: every field arrives, and nothing that a parser gone wild sends is taken for an answer."""

from __future__ import annotations

import dataclasses
import json
import math
import socket
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbeam.extractors.engine import Reading
from docbeam.extractors.recognition import PageText
from docbeam.extractors.sandbox import frames, wire
from docbeam.extractors.sandbox.frames import Malformed
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Extracted, Member, Notice, Page, Picture
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
MOMENT = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]))
SHARE = st.none() | st.floats(0, 1)
NOTICE = st.builds(Notice, st.sampled_from(WarningCode), TEXT, TEXT)
ERROR = st.builds(ExtractionError, st.sampled_from(ErrorCategory), TEXT)
EXTRACTED = st.builds(
    Extracted,
    content=TEXT,
    pages=st.lists(st.builds(Page, st.integers(1, 9), st.just(0), st.just(0), st.sampled_from(Origin), SHARE), max_size=3).map(
        tuple
    ),
    page_count=st.none() | st.integers(0, 10**6),
    confidence=st.sampled_from(Confidence),
    truncation=st.none() | st.sampled_from(TruncationReason),
    language=st.none() | TEXT,
    tiers=st.lists(TEXT, max_size=2).map(tuple),
    title=st.none() | TEXT,
    author=st.none() | TEXT,
    created_at=st.none() | MOMENT,
    modified_at=st.none() | MOMENT,
    metadata=st.dictionaries(TEXT, TEXT, max_size=3),
    warnings=st.lists(NOTICE, max_size=3).map(tuple),
)
FULL = Extracted(
    content="née 東京",
    pages=(Page(1, 0, 3, Origin.NATIVE), Page(2, 4, 6, Origin.PENDING, 0.5)),
    page_count=2,
    confidence=Confidence.HEURISTIC,
    truncation=TruncationReason.DEADLINE,
    language="fr",
    tiers=("native", "repaired"),
    title="t",
    author="a",
    created_at=datetime(2020, 1, 2, tzinfo=UTC),
    modified_at=datetime(2021, 1, 2, tzinfo=UTC),
    metadata={"k": "v"},
    warnings=(Notice(WarningCode.PART_NOT_READ, "p", "m"),),
    members=(
        Member(path="a/ü.txt", file="member-1", size_bytes=3, media_type="text/plain"),
        Member(path="cut.log", file="member-2", size_bytes=3, damage="the archive ends 3 bytes into it"),
        Member(path="b", problem=(ErrorCategory.ENCRYPTED_NO_KEY, "member 'b' is encrypted")),
    ),
    pictures=(Picture("media/1.png", 3, 1), Picture("media/2.png", 6)),
)


def over_the_wire(header: dict[str, Any]) -> Any:
    return json.loads(json.dumps(header))


def parted(error: ExtractionError | None) -> tuple[ErrorCategory, str] | None:
    return None if error is None else (error.category, error.message)


@given(EXTRACTED)
def test_an_extracted_document_arrives_as_it_was(extracted: Extracted) -> None:
    reading = Reading("text/plain", "text/csv", "text", extracted, None)
    header, body = wire.reading_form(reading)
    assert wire.reading_from(over_the_wire(header), body, 100) == reading


def test_no_field_of_the_records_is_forgotten() -> None:
    defaults = Extracted(content="")
    assert all(getattr(FULL, field.name) != getattr(defaults, field.name) for field in dataclasses.fields(Extracted))
    header, body = wire.reading_form(Reading("a/b", None, None, FULL, None, "evidence"))
    assert wire.reading_from(over_the_wire(header), body, 100).extracted == FULL
    assert {field.name for field in dataclasses.fields(Reading)} == set(header)
    assert {field.name for field in dataclasses.fields(PageText)} == {*wire.page_text_form(PageText(number=1))[0], "text"}


@given(ERROR, st.none() | TEXT)
def test_an_error_arrives_with_its_category(error: ExtractionError, evidence: str | None) -> None:
    header, body = wire.reading_form(Reading("text/plain", None, None, None, error, evidence))
    found = wire.reading_from(over_the_wire(header), body, 100)
    assert (parted(found.error), found.evidence) == (parted(error), evidence)


@given(st.integers(1, 10**6), TEXT, SHARE, st.lists(NOTICE, max_size=2).map(tuple), st.none() | ERROR)
def test_a_recognised_page_arrives_as_it_was(
    number: int, text: str, confidence: float | None, notices: tuple[Notice, ...], error: ExtractionError | None
) -> None:
    page = PageText(number=number, text=text, confidence=confidence, notices=notices, error=error)
    header, body = wire.page_text_form(page)
    found = wire.page_text_from(over_the_wire(header), body, 100)
    assert dataclasses.replace(found, error=None) == dataclasses.replace(page, error=None)
    assert parted(found.error) == parted(error)


def wrong(**fields: Any) -> dict[str, Any]:
    """Return the header of a sound reading with wrong fields; those of the text are named with a leading underscore."""
    header = wire.reading_form(Reading("text/plain", None, "text", FULL, None))[0]
    extracted = header["extracted"] | {name[1:]: value for name, value in fields.items() if name.startswith("_")}
    return header | {"extracted": extracted} | {name: value for name, value in fields.items() if not name.startswith("_")}


@pytest.mark.parametrize(
    "header",
    [
        *(None, [], "x", 7, {}),
        *(wrong(media_type=value) for value in (None, 7, "a\x00b", "\ud800")),
        *(wrong(extracted=value) for value in (None, [])),
        *(wrong(extracted=None, error=value) for value in (["no word", "m"], ["corrupt"], "corrupt", [1, 2])),
        wrong(error=["corrupt", "text and error"]),
        wrong(evidence=1),
        *(wrong(_pages=[[1, start, end, "native", None]]) for start, end in ((4, 3), (0, 99), (-1, 3), (0.0, 1))),
        *(wrong(_pages=[[number, 0, 3, "native", None]]) for number in (True, 1.0, 1 << 60, "1")),
        *(wrong(_pages=[[1, 0, 3, "native", share]]) for share in (1.5, math.nan, "1", True)),
        *(wrong(_pages=value) for value in (None, {}, [[1, 0, 3, "native"]], [[1, 0, 3, "no word", None]])),
        *(wrong(_page_count=value) for value in (-1, "2", False)),
        *(wrong(_confidence="sure"), wrong(_truncation=1), wrong(_tiers="native"), wrong(_tiers=[1]), wrong(_title=["t"])),
        *(wrong(_created_at=value) for value in ("yesterday", 0, "2020-01-02T00:00:00")),
        *(wrong(_metadata=value) for value in ([], {"k": 1}, {"k": None})),
        *(wrong(_warnings=value) for value in ([["content.noText", "p"]], [["no word", "p", "m"]], 7)),
    ],
)
def test_a_wrong_field_is_malformed(header: Any) -> None:
    with pytest.raises(Malformed):
        wire.reading_from(header, "née 東京".encode(), 100)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | TEXT,
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(sorted(wrong())), inner),
    )
)
def test_any_json_is_a_reading_or_malformed(header: Any) -> None:
    with pytest.raises(Malformed):
        wire.reading_from(header, b"", 100)


@pytest.mark.parametrize(
    "body", [b"\xff", "née 東京".encode() + b"\x00", b"x" * 101, "\ud800".encode("utf-8", "surrogatepass")]
)
def test_a_body_that_is_no_text_within_the_cap_is_malformed(body: bytes) -> None:
    with pytest.raises(Malformed):
        wire.reading_from(wrong(), body, 100)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP" + bytes(12),
        frames.HEAD.pack(frames.MAGIC, frames.MAX_HEADER_BYTES + 1, 0),
        frames.HEAD.pack(frames.MAGIC, 2, 101),
        frames.HEAD.pack(frames.MAGIC, 2, (1 << 64) - 1),
    ],
)
def test_foreign_bytes_and_absurd_lengths_are_malformed(head: bytes) -> None:
    with pytest.raises(Malformed):
        frames.head_of(head, max_body_bytes=100)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b"1" * 10_000])
def test_a_header_that_is_no_json_object_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        frames.header_from(data)


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_frames_arrive_whole(bodies: list[bytes]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.send_all(ours, frames.packed({"a": "é"}, bodies))
        header, body_bytes = frames.receive_head(theirs)
        assert (header, frames.receive_exactly(theirs, body_bytes)) == ({"a": "é"}, b"".join(bodies))
        ours.close()
        with pytest.raises(EOFError):
            frames.receive_head(theirs)


@pytest.mark.parametrize("name", ["plain", "naïve 東京", "\udcff"])
def test_sources_arrive_with_name_and_bytes_or_path(name: str, tmp_path: Any) -> None:
    path = tmp_path / name
    path.write_bytes(b"on disk")
    for source in (Source(data=b"in hand", name=name), Source(path=str(path), name=name)):
        entry, body = wire.source_form(source)
        header = frames.header_from(b"".join(frames.packed(entry))[frames.HEAD.size :])
        found = wire.source_from(header, body)
        assert (found.read(), found.name, found.path) == (source.read(), source.name, source.path)
