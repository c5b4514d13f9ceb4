"""Are the inputs still what was read? Each is compared with the newest row that it has, by digest, size and presence.

The rows' digests are held in memory in 64 bytes each: a million inputs take 64 MB. No Beam here.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.transforms.ledger import Ledger, PartRecord
from docbeam.transforms.read import hashed
from docbeam.transforms.storage import Folder, StorageOptions
from docbeam.transforms.stream import Hashed
from docbeam.transforms.supersede import key_of
from docbeam.transforms.verify import BATCH_ROWS, Problem

THREADS = 4  # storage may be slow to answer; hashing itself takes a second for a few hundred megabytes
NO_SIZE = -1
ENTRY = np.dtype([("high", "<u8"), ("low", "<u8"), ("sha256", "V32"), ("size", "<i8"), ("has_sha256", "?"), ("is_seen", "?")])
COLUMNS = ["uri", "depth", "sha256", "size_bytes"]


class Recorded:
    """The newest row of every input: its SHA-256 and size, found by URI. `is_whole`: no run file and no part file is broken."""

    def __init__(self, output: Folder, ledger: Ledger, is_whole: bool) -> None:
        self.is_whole = is_whole
        pieces = [piece for part in ledger.live for piece in _entries(output, part)]
        entries = np.concatenate(pieces) if pieces else np.zeros(0, ENTRY)
        order = np.lexsort((np.arange(len(entries)), entries["low"], entries["high"]))
        entries = entries[order]
        is_newest = np.ones(len(entries), bool)
        for name in ("high", "low"):
            is_newest[:-1] &= entries[name][:-1] == entries[name][1:]
        is_newest[:-1] = ~is_newest[:-1]
        self._entries = entries[is_newest]
        self._sample: frozenset[int] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def draw(self, number: int) -> None:
        """Choose, by chance, the inputs that are read again; the others are looked for only."""
        with_digest = np.flatnonzero(self._entries["has_sha256"])
        drawn = secrets.SystemRandom().sample(range(len(with_digest)), min(number, len(with_digest)))
        self._sample = frozenset(int(with_digest[place]) for place in drawn)

    def find(self, uri: str) -> int | None:
        """Return the place of an input's entry, and note that the input is there."""
        high, low = _key(uri)
        start, end = (int(np.searchsorted(self._entries["high"], np.uint64(high), side)) for side in ("left", "right"))
        for place in range(start, end):
            if int(self._entries["low"][place]) == low:
                self._entries["is_seen"][place] = True
                return place
        return None

    def is_drawn(self, place: int) -> bool:
        """Say whether an input is to be read again."""
        return self._sample is None or place in self._sample

    def sha256(self, place: int) -> str | None:
        """Return the SHA-256 of an input's row; None if its bytes could not be read."""
        entry = self._entries[place]
        return bytes(entry["sha256"]).hex() if entry["has_sha256"] else None

    def size_bytes(self, place: int) -> int | None:
        """Return the size in an input's row."""
        size = int(self._entries["size"][place])
        return None if size == NO_SIZE else size

    def is_seen(self, uri: str) -> bool:
        """Say whether an input was found."""
        high, low = _key(uri)
        start, end = (int(np.searchsorted(self._entries["high"], np.uint64(high), side)) for side in ("left", "right"))
        return any(bool(self._entries["is_seen"][p]) for p in range(start, end) if int(self._entries["low"][p]) == low)


@dataclass(frozen=True, slots=True)
class _Check:
    """An input in the hands of a thread."""

    ref: BlobRef
    place: int
    future: Future[Hashed]


def input_problems(
    recorded: Recorded, refs: Iterable[BlobRef], storage_options: StorageOptions, on_hashed: Callable[[int], None]
) -> Iterator[Problem]:
    """Yield what is different about each listed input, in their order. `on_hashed` is told the bytes of each that was read.

    Of a dataset with broken part files no rows can be found missing: an input without a row is then no problem of its own.
    """
    waiting: deque[_Check] = deque()
    with ThreadPoolExecutor(THREADS, thread_name_prefix="docbeam-hash") as threads:
        for ref in refs:
            place = recorded.find(ref.uri)
            if place is None:
                if recorded.is_whole:
                    yield Problem("extra", ref.uri, "an input that has no row")
                continue
            yield from _manifest_problems(recorded, ref, place)
            if recorded.sha256(place) is None:
                yield from _size_problems(recorded, ref, place)
            elif recorded.is_drawn(place):
                waiting.append(_Check(ref, place, threads.submit(hashed, ref, storage_options)))
            while len(waiting) > 2 * THREADS:
                yield from _digest_problems(recorded, waiting.popleft(), on_hashed)
        while waiting:
            yield from _digest_problems(recorded, waiting.popleft(), on_hashed)


def missing_inputs(output: Folder, ledger: Ledger, recorded: Recorded, is_wanted: Callable[[str], bool]) -> Iterator[Problem]:
    """Yield the inputs that have rows and were not listed."""
    named: set[bytes] = set()
    for uri in input_uris(output, ledger):
        if is_wanted(uri) and not recorded.is_seen(uri) and key_of(uri) not in named:
            named.add(key_of(uri))
            yield Problem("missing", uri, "an input that was read and is not there now")


def input_uris(output: Folder, ledger: Ledger) -> Iterator[str]:
    """Yield the URIs of all inputs that have rows, once for each row."""
    for part in ledger.live:
        for columns in _batches(output, part, ["uri", "depth"]):
            yield from (uri for uri, depth in zip(columns["uri"], columns["depth"], strict=True) if depth == 0)


def _manifest_problems(recorded: Recorded, ref: BlobRef, place: int) -> Iterator[Problem]:
    sha256 = recorded.sha256(place)
    if ref.expected_sha256 is not None and sha256 is not None and ref.expected_sha256 != sha256:
        yield Problem("changed", ref.uri, f"the manifest says SHA-256 {ref.expected_sha256}, its row says {sha256}")


def _size_problems(recorded: Recorded, ref: BlobRef, place: int) -> Iterator[Problem]:
    size = recorded.size_bytes(place)
    if size is not None and ref.size_bytes is not None and size != ref.size_bytes:
        yield Problem("changed", ref.uri, f"it has {ref.size_bytes} bytes, its row says {size}")


def _digest_problems(recorded: Recorded, check: _Check, on_hashed: Callable[[int], None]) -> Iterator[Problem]:
    sha256 = recorded.sha256(check.place)
    try:
        found = check.future.result()
    except ExtractionError as error:
        yield Problem("missing", check.ref.uri, error.message)
        return
    on_hashed(found.size_bytes)
    if found.sha256 != sha256:
        size = recorded.size_bytes(check.place)
        message = f"SHA-256 is {found.sha256} ({found.size_bytes} bytes), its row says {sha256} ({size} bytes)"
        yield Problem("changed", check.ref.uri, message)


def _entries(output: Folder, part: PartRecord) -> Iterator[np.ndarray]:
    for columns in _batches(output, part, COLUMNS):
        rows = zip(*(columns[name] for name in COLUMNS), strict=True)
        yield np.array([_entry(uri, sha256, size) for uri, depth, sha256, size in rows if depth == 0], ENTRY)


def _batches(output: Folder, part: PartRecord, names: list[str]) -> Iterator[dict[str, list[Any]]]:
    try:
        with output.open(part.name) as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=names):
                yield batch.to_pydict()
    except (OSError, ValueError, pa.ArrowException):  # named already, as a part file that is missing or changed
        return


def _entry(uri: str, sha256: str | None, size: int | None) -> tuple[int, int, bytes, int, bool, bool]:
    return (*_key(uri), bytes.fromhex(sha256 or "00" * 32), NO_SIZE if size is None else size, sha256 is not None, False)


def _key(uri: str) -> tuple[int, int]:
    key = key_of(uri)
    return int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
