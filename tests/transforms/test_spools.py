"""Remote documents are brought here once for all tasks that need them, and removed in the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.transforms.places import local_ref
from docbeam.transforms.read import INLINE_BYTES
from docbeam.transforms.spools import Spools

SIZE = INLINE_BYTES + 1


@pytest.fixture
def remote() -> Iterator[fsspec.AbstractFileSystem]:
    fs = fsspec.filesystem("memory")
    for letter in "abc":
        fs.pipe(f"/spools/{letter}", letter.encode() * SIZE)
    yield fs
    fs.rm("/spools", recursive=True)


def path_of(spools: Spools, ref: BlobRef) -> str:
    with spools.fetched(ref, sys.maxsize, {}) as found:
        assert found.source.path is not None and os.path.getsize(found.source.path) == SIZE
        return found.source.path


def test_a_document_is_brought_here_once(remote: fsspec.AbstractFileSystem) -> None:
    spools, ref = Spools(), BlobRef(uri="memory://spools/a")
    with ThreadPoolExecutor(8) as threads:
        paths = set(threads.map(lambda _: path_of(spools, ref), range(40)))
    assert len(paths) == 1
    remote.rm("/spools/a")
    assert {path_of(spools, ref)} == paths
    spools.close()
    assert not any(map(os.path.exists, paths))


def test_only_so_much_is_kept(remote: fsspec.AbstractFileSystem) -> None:
    spools = Spools(kept_bytes=2 * SIZE)
    first, second, third = (path_of(spools, BlobRef(uri=f"memory://spools/{letter}")) for letter in "abc")
    assert [os.path.exists(path) for path in (first, second, third)] == [False, True, True]
    path_of(spools, BlobRef(uri="memory://spools/b"))
    assert path_of(spools, BlobRef(uri="memory://spools/a")) != first
    assert [os.path.exists(path) for path in (second, third)] == [True, False]
    spools.close()


def test_what_could_not_be_brought_is_tried_again(remote: fsspec.AbstractFileSystem) -> None:
    spools, ref = Spools(), BlobRef(uri="memory://spools/late")
    with pytest.raises(ExtractionError), spools.fetched(ref, sys.maxsize, {}):
        pass
    remote.pipe("/spools/late", b"x" * SIZE)
    assert path_of(spools, ref)
    spools.close()


def test_a_local_document_stays_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * SIZE)
    assert path_of(Spools(), local_ref(os.fsencode(tmp_path / "a"))) == str(tmp_path / "a")
