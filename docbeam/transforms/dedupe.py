"""Which inputs have equal bytes: candidates are hashed and brought together by their SHA-256.

Only inputs whose size another one has are candidates: the listing counts the sizes first. Spread over many workers, the
references are grouped by a GroupByKey. In one process, where that would hold them all in memory, they wait in a
temporary database on disk instead.
"""

from __future__ import annotations

import itertools
import operator
import os
import pickle
import sqlite3
import tempfile
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import apache_beam as beam
import numpy as np
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.transforms.copies import Candidate, with_copies
from docbeam.transforms.extract import Job
from docbeam.transforms.read import check_integrity, hashed

ROWS_A_WRITE = 1_000


class Sizes:
    """The sizes of all inputs, eight bytes each, and which of them are there more than once."""

    def __init__(self) -> None:
        self._sizes = array("q")
        self._shared: np.ndarray | None = None

    def add(self, ref: BlobRef) -> None:
        """Count an input."""
        if ref.size_bytes is not None:
            self._sizes.append(ref.size_bytes)

    def may_have_copies(self, ref: BlobRef, limit_bytes: int) -> bool:
        """Say whether another input can have the same bytes: it has the same size, or storage says none."""
        if ref.problem is not None:
            return False
        if ref.size_bytes is None:
            return True
        if self._shared is None:
            found, counts = np.unique(np.frombuffer(self._sizes, dtype=np.int64), return_counts=True)
            self._shared = found[counts > 1]
        place = int(np.searchsorted(self._shared, ref.size_bytes))
        return ref.size_bytes <= limit_bytes and place < len(self._shared) and int(self._shared[place]) == ref.size_bytes


class FindCopies(beam.PTransform):
    """Candidates to BlobRefs to read, those with copies as CopiedRefs. `is_spread`: many workers share the work."""

    def __init__(self, job: Job, is_spread: bool) -> None:
        super().__init__()
        self._job = job
        self._is_spread = is_spread

    def expand(self, candidates: beam.PCollection[Candidate]) -> beam.PCollection[BlobRef]:
        """Return the references to read."""
        if not self._is_spread:
            return candidates | "CompareHere" >> beam.ParDo(_CompareFn(self._job))
        return (
            candidates
            | "SpreadCandidates" >> beam.Reshuffle()
            | "Hash" >> beam.Map(lambda candidate, job: hashed_candidate(candidate, job), job=self._job)
            | "GroupByDigest" >> beam.GroupByKey()
            | "Compare" >> beam.FlatMapTuple(compared)
        )


def hashed_candidate(candidate: Candidate, job: Job) -> tuple[str, Candidate]:
    """Return the SHA-256 of a candidate's bytes, and the candidate.

    Where the bytes can't be had, or are not the manifest's, the key is one that no other has: it is read for itself.
    """
    if candidate.sha256 is not None:
        return candidate.sha256, candidate
    try:
        found = hashed(candidate.ref, job.storage_options, job.options.max_body_bytes)
        check_integrity(candidate.ref, found)
    except ExtractionError:
        return f"unread {candidate.ref.uri}", candidate
    if candidate.ref.source_version != found.source_version:
        candidate = candidate.with_version(found.source_version)
    return found.sha256, candidate


def compared(sha256: str, candidates: Iterable[Candidate]) -> Iterator[BlobRef]:
    """Yield the references to read for candidates of one key."""
    return with_copies(sha256, sorted(candidates, key=lambda candidate: candidate.ref.uri))


class _CompareFn(beam.DoFn):
    """Compares all candidates of one bundle: in one process there is one, as the listing is one element."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def start_bundle(self) -> None:
        self._table: _Table | None = None
        self._threads = ThreadPoolExecutor(self._job.threads, thread_name_prefix="docbeam-hash")
        self._waiting: deque[Future[tuple[str, Candidate]]] = deque()

    def process(self, candidate: Candidate) -> Iterator[BlobRef]:
        self._waiting.append(self._threads.submit(hashed_candidate, candidate, self._job))
        if len(self._waiting) > 4 * self._job.threads:
            self._keep(self._waiting.popleft())
        yield from ()

    def finish_bundle(self) -> Iterator[WindowedValue]:
        while self._waiting:
            self._keep(self._waiting.popleft())
        self._threads.shutdown()
        if self._table is not None:
            with self._table as table:
                for sha256, candidates in table.groups():
                    for ref in with_copies(sha256, candidates):
                        yield WindowedValue(ref, GlobalWindow().max_timestamp(), [GlobalWindow()])

    def _keep(self, future: Future[tuple[str, Candidate]]) -> None:
        if self._table is None:
            self._table = _Table()
        self._table.add(*future.result())


class _Table:
    """Candidates on disk, sorted by key and URI. A file without a name: nothing is left of it, however the process ends."""

    def __init__(self) -> None:
        descriptor, path = tempfile.mkstemp(prefix="docbeam-copies-")
        os.close(descriptor)
        self._database = sqlite3.connect(path, isolation_level=None)
        os.unlink(path)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("CREATE TABLE candidates (key TEXT, uri TEXT, candidate BLOB)")
        self._rows: list[tuple[str, bytes, bytes]] = []

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, key: str, candidate: Candidate) -> None:
        """Keep a candidate."""
        uri = candidate.ref.uri.encode("utf-8", "surrogatepass")
        self._rows.append((key, uri, pickle.dumps(candidate, pickle.HIGHEST_PROTOCOL)))
        if len(self._rows) >= ROWS_A_WRITE:
            self._write()

    def groups(self) -> Iterator[tuple[str, Iterator[Candidate]]]:
        """Yield the candidates of each key together, sorted by their URIs; take them before the next key."""
        self._write()
        found = self._database.execute("SELECT key, candidate FROM candidates ORDER BY key, uri")
        for key, rows in itertools.groupby(found, operator.itemgetter(0)):
            yield key, (pickle.loads(stored) for _, stored in rows)

    def _write(self) -> None:
        self._database.execute("BEGIN")
        self._database.executemany("INSERT INTO candidates VALUES (?, ?, ?)", self._rows)
        self._database.execute("COMMIT")
        self._rows.clear()
