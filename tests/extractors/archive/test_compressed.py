"""Single compressed files: names, joined and broken streams, bombs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from datetime import UTC, datetime

import pytest

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import TruncationReason, WarningCode
from tests.extractors.archive.builders import members, problem, read, unpacked
from tests.extractors.archive.test_tar import TWO

TEXT = b"".join(b"%d: a line of the log, with %d in it\n" % (number, number * number) for number in range(5000))


def alone(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_ALONE)


@pytest.mark.parametrize(
    ("compress", "name"),
    [(gzip.compress, "a.log.gz"), (bz2.compress, "a.log.bz2"), (lzma.compress, "a.log.xz"), (alone, "a.log.lzma")],
)
def test_the_document_inside_is_the_member(compress, name: str) -> None:  # type: ignore[no-untyped-def]
    found = read(compress(TEXT), name)
    assert found.content == f"a.log ({len(TEXT)} bytes)\n"
    assert members(found) == {"a.log": TEXT}
    assert found.warnings == ()


@pytest.mark.parametrize("name", ["b.tar.gz", "b.tgz"])
def test_a_compressed_archive_has_the_archive_inside(name: str) -> None:
    found = unpacked(gzip.compress(TWO), name)
    assert list(found) == ["b.tar"]
    inner = found["b.tar"]
    assert isinstance(inner, bytes)
    assert list(unpacked(inner)) == ["a.txt", "b.txt"]


def test_gzip_headers_give_name_comment_and_date() -> None:
    out = io.BytesIO()
    with gzip.GzipFile("C:\\logs\\server.log", "wb", fileobj=out, mtime=1_000_000_000) as file:
        file.write(b"text")
    found = read(out.getvalue(), "download")
    assert list(members(found)) == ["server.log"]
    assert found.modified_at == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_that_follow_each_other_are_one_document(compress) -> None:  # type: ignore[no-untyped-def]
    data = compress(b"one ") + compress(b"two ") + bytes(8) + compress(b"three")
    assert unpacked(data, "a.gz") == {"a": b"one two three"} or unpacked(data) == {"unnamed": b"one two three"}


def test_padding_is_silent_and_rubbish_is_named() -> None:
    found = read(gzip.compress(b"text") + bytes(600), "a.gz")
    assert members(found) == {"a": b"text"} and found.warnings == ()
    found = read(gzip.compress(b"text") + bytes(8) + b"rubbish" * 10, "a.gz")
    assert members(found) == {"a": b"text"}
    assert [(notice.code, notice.message) for notice in found.warnings] == [
        (WarningCode.PART_NOT_READ, "70 bytes that are no gzip stream")
    ]


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_a_cut_stream_gives_what_came_out_and_says_so(compress) -> None:  # type: ignore[no-untyped-def]
    data = compress(TEXT * 8)
    found = read(data[: len(data) * 3 // 4])
    assert found.truncation is TruncationReason.DAMAGED
    assert found.members[0].damage is not None
    (text,) = members(found).values()
    assert isinstance(text, bytes)
    assert text and (TEXT * 8).startswith(text)


def test_a_stream_of_which_nothing_comes_out_is_in_quarantine() -> None:
    assert problem(gzip.compress(TEXT)[:12], "a.gz") == "stream_decompression_fail"


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb_stops_at_the_cap(compress) -> None:  # type: ignore[no-untyped-def]
    assert (
        problem(compress(bytes(3_000_000)), options=ExtractOptions(max_decompressed_bytes=2_000_000))
        == "too_large_decompressed"
    )
