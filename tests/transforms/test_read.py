"""Bytes that change while they are read, downloads that are cut, digests that differ, and what a row still says of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory, Stage
from docbeam.transforms import read
from docbeam.transforms.outcome import unread_row
from docbeam.transforms.places import local_ref
from docbeam.transforms.read import INLINE_BYTES, fetched, hashed
from docbeam.transforms.stream import LimitedStream, UnreadError

LIMIT = 1 << 20


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "BACKOFF_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(read, "FINAL_BACKOFF_SECONDS", (0.0,))


def growing(monkeypatch: pytest.MonkeyPatch, path: Path, times: int) -> None:
    """Let a file grow behind the reader's back, the first `times` times that it is read."""
    left, chunks = [times], LimitedStream.chunks

    def grown(stream: LimitedStream) -> Iterator[bytes]:
        yield from chunks(stream)
        if left[0] > 0:
            left[0] -= 1
            with path.open("ab") as file:
                file.write(b"more")

    monkeypatch.setattr(LimitedStream, "chunks", grown)


@pytest.mark.parametrize("size", [10, INLINE_BYTES + 10])
def test_a_file_that_grows_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * size)
    ref = local_ref(bytes(path))
    growing(monkeypatch, path, times=1)
    with fetched(ref, LIMIT, {}) as found:
        assert found.size_bytes == size + 4
        assert found.source.read() == path.read_bytes()
        assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert hashed(ref, {}).md5 == hashlib.md5(path.read_bytes()).hexdigest()


def test_a_file_that_never_stops_growing_is_quarantined_as_transient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 10)
    growing(monkeypatch, path, times=100)
    with pytest.raises(
        ExtractionError, match="after 3 attempts: the file changed while it was read: 18 bytes before"
    ) as caught:
        hashed(local_ref(bytes(path)), {})
    assert caught.value.category is ErrorCategory.TRANSIENT_IO


@pytest.mark.parametrize("size", [10, INLINE_BYTES + 10])
def test_a_download_that_is_cut_is_no_document(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read.tempfile, "tempdir", str(tmp_path))
    fsspec.filesystem("memory").pipe_file("/cut/a.bin", b"x" * size)
    ref = BlobRef(uri="memory://cut/a.bin", size_bytes=size + 1)
    words = f"{size} bytes were read, the listing says {size + 1}"
    with pytest.raises(ExtractionError, match=words) as caught, fetched(ref, LIMIT, {}):
        pass
    assert caught.value.category is ErrorCategory.TRANSIENT_IO
    assert not list(tmp_path.iterdir()), "no spool is left"
    with fetched(replace(ref, size_bytes=size), LIMIT, {}) as found:
        assert found.size_bytes == size


def mismatch(ref: BlobRef) -> UnreadError:
    with pytest.raises(UnreadError) as caught, fetched(ref, LIMIT, {}):
        pass
    return caught.value


def test_every_digest_and_the_size_are_checked_and_the_row_says_what_the_bytes_are(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"evidence")
    sha256, md5 = hashlib.sha256(b"evidence").hexdigest(), hashlib.md5(b"evidence").hexdigest()
    good = replace(local_ref(bytes(path)), expected_sha256=sha256, expected_md5=md5, expected_bytes=8)
    with fetched(good, LIMIT, {}):
        pass
    for change, words in (
        ({"expected_sha256": "0" * 64}, f"SHA-256 is {sha256}, the manifest says {'0' * 64}"),
        ({"expected_md5": "0" * 32}, f"MD5 is {md5}, the manifest says {'0' * 32}"),
        ({"expected_bytes": 9, "expected_md5": "0"}, f"size is 8, the manifest says 9; MD5 is {md5}, the manifest says 0"),
    ):
        ref = replace(good, **change)
        row = unread_row(ref, mismatch(ref))
        assert (row.category, row.message, row.stage) == (ErrorCategory.INTEGRITY_MISMATCH, words, Stage.READ)
        assert (row.identity.sha256, row.identity.md5, row.identity.size_bytes) == (sha256, md5, 8)
        assert row.identity.declared_media_type == "application/pdf"
        assert row.identity.source_version == good.source_version


def test_a_file_that_is_too_large_has_its_size_in_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"x" * 20)
    ref = replace(local_ref(bytes(path)), size_bytes=3)  # it has grown since it was listed
    with pytest.raises(UnreadError) as caught, fetched(ref, 10, {}):
        pass
    row = unread_row(ref, caught.value)
    assert row.message == "body: 20 bytes, limit 10 (max_body_bytes)"
    assert row.identity.size_bytes == 20
    assert row.identity.declared_media_type is not None


def test_what_failed_in_the_listing_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to("nowhere")
    ref = local_ref(bytes(tmp_path / "a.txt"))
    with pytest.raises(ExtractionError) as caught, fetched(ref, LIMIT, {}):
        pass
    row = unread_row(ref, caught.value)
    assert (row.stage, row.identity.declared_media_type) == (Stage.LIST, None)
