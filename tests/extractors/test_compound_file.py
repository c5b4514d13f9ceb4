"""Compound files: streams of both sizes and versions, storages, and files that are broken on purpose."""

from __future__ import annotations

import io
import struct

import pytest

from docbeam.extractors.compound_copy import storage_file
from docbeam.extractors.compound_file import CompoundFile, file_time
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory
from tests.extractors.compounds import compound

STREAMS = {
    "Small": b"short",
    "Large": bytes(range(256)) * 40,
    "Empty": b"",
    "Pool/One/\x01Ole10Native": b"one",
    "Pool/Two": b"2" * 5000,
}


def opened(data: bytes, limit: int | None = None) -> CompoundFile:
    return CompoundFile(io.BytesIO(data), limit)


@pytest.mark.parametrize("version", [3, 4])
def test_streams_of_both_sizes_are_read_by_their_paths_whatever_their_case(version: int) -> None:
    file = opened(compound(STREAMS, version=version))
    for path, data in STREAMS.items():
        entry = file.find(path.upper())
        assert entry is not None and file.read(entry) == data
    assert file.find("Pool/Three") is None
    assert file.find("Small/One") is None


def test_walk_names_everything_once() -> None:
    paths = [path for path, _ in opened(compound(STREAMS)).walk()]
    assert sorted(paths) == sorted([*STREAMS, "Pool", "Pool/One"])


def test_a_read_may_ask_for_the_beginning_only() -> None:
    file = opened(compound(STREAMS))
    entry = file.find("Large")
    assert entry is not None and file.read(entry, 600) == STREAMS["Large"][:600]


def test_all_reads_together_are_bounded() -> None:
    file = opened(compound(STREAMS), 12_000)
    entry = file.find("Large")
    assert entry is not None
    file.read(entry)
    with pytest.raises(ExtractionError) as caught:
        file.read(entry)
    assert caught.value.category == ErrorCategory.TOO_LARGE_DECOMPRESSED


def test_a_chain_that_runs_in_a_circle_ends() -> None:
    data = bytearray(compound(STREAMS))
    entry = opened(bytes(data)).find("Large")
    assert entry is not None
    struct.pack_into("<I", data, 512 + entry.first_sector * 4, entry.first_sector)  # the FAT says: next is itself
    file = opened(bytes(data))
    assert len(file.read(entry)) == entry.size_bytes


def test_a_storage_that_lies_in_itself_is_walked_once() -> None:
    data = bytearray(compound(STREAMS))
    directory = 512 + struct.unpack_from("<I", data, 48)[0] * 512
    for at in range(directory, len(data) - 128, 128):
        if data[at : at + 8] == "Pool".encode("utf-16-le"):
            struct.pack_into("<I", data, at + 76, struct.unpack_from("<I", data, directory + 76)[0])
            break
    paths = [path for path, _ in opened(bytes(data)).walk()]
    assert "Pool" in paths and len(paths) < 20
    assert b"".join(storage_file(opened(bytes(data)), opened(bytes(data)).root or pytest.fail("no root")))


@pytest.mark.parametrize("size", [0, 8, 100, 512, 600, 1024, 3000, 9000])
def test_a_file_that_breaks_off_has_less_in_it(size: int) -> None:
    file = opened(compound(STREAMS)[:size])
    for _, entry in file.walk():
        assert len(file.read(entry)) <= len(STREAMS["Large"])


def test_a_stream_that_claims_more_than_the_file_has_ends_with_it() -> None:
    data = compound(STREAMS)
    entry = opened(data).find("Large")
    assert entry is not None
    size = struct.pack("<IQ", entry.first_sector, entry.size_bytes)
    file = opened(data.replace(size, struct.pack("<IQ", entry.first_sector, 0xFFFFFFF0)))
    claimed = file.find("Large")
    assert claimed is not None and claimed.size_bytes == 0xFFFFFFF0
    assert len(file.read(claimed)) <= len(data)


@pytest.mark.parametrize("version", [3, 4])
def test_a_storage_becomes_a_file_of_its_own(version: int) -> None:
    streams = {f"Pool/{path}": data for path, data in STREAMS.items()}
    outer = opened(compound(streams, version=version))
    pool = outer.find("Pool")
    assert pool is not None
    inner = opened(b"".join(storage_file(outer, pool)))
    assert sorted(path for path, _ in inner.walk()) == sorted([*STREAMS, "Pool", "Pool/One"])
    for path, data in STREAMS.items():
        entry = inner.find(path)
        assert entry is not None and inner.read(entry) == data


def test_a_large_storage_gets_a_fat_with_many_sectors() -> None:
    outer = opened(compound({"Pool/Big": bytes(9_000_000)}, version=4))
    pool = outer.find("Pool")
    assert pool is not None
    inner = opened(b"".join(storage_file(outer, pool)))
    entry = inner.find("Big")
    assert entry is not None and inner.read(entry) == bytes(9_000_000)


def test_times_are_in_utc() -> None:
    assert str(file_time(116_444_736_000_123_456)) == "1970-01-01 00:00:00.012345+00:00"
    assert file_time(0) is None
    assert file_time(2**64 - 1) is None
