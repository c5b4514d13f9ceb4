"""A DoFn that keeps several elements in flight on the sandbox children of its process.

Beam calls a DoFn with one element after the other; the children work at the same time. Outputs carry the timestamp
and window of their own element, and nothing outlives its bundle, so retries stay exact.
"""

from __future__ import annotations

import os
import queue
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from apache_beam import DoFn
from apache_beam.pvalue import TaggedOutput
from apache_beam.utils.shared import Shared
from apache_beam.utils.windowed_value import WindowedValue

from docbeam.extractors.sandbox import SandboxPool
from docbeam.schemas.options import ExtractOptions
from docbeam.transforms.counters import count
from docbeam.transforms.spools import Spools

QUEUED_PER_CHILD = 2  # one in the child's hands and one waiting, so that no child idles while Beam fetches the next
T = TypeVar("T")


def children_wanted(max_concurrent_extractions: int) -> int:
    """Return the number of children of one process: as asked, or one for each core that this process may use."""
    if max_concurrent_extractions:
        return max_concurrent_extractions
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Children:
    """The sandbox pool of this process, the threads that drive it, and the documents they have brought here."""

    def __init__(self, options: ExtractOptions, size: int) -> None:
        self.size = size
        self.pool = SandboxPool(options, size)
        self.spools = Spools()
        self.threads = ThreadPoolExecutor(size, thread_name_prefix="docbeam")
        self._finalizer = weakref.finalize(self, _close, self.pool, self.threads, self.spools)

    def close(self) -> None:
        """End the children and the threads."""
        self._finalizer()


def _close(pool: SandboxPool, threads: ThreadPoolExecutor, spools: Spools) -> None:
    pool.close()
    threads.shutdown(wait=False, cancel_futures=True)
    spools.close()


class Outputs:
    """What one batch of elements gave: (index of its element, output) pairs, and what to count."""

    def __init__(self) -> None:
        self.values: list[tuple[int, Any]] = []
        self.counts: list[tuple[str, int]] = []

    def put(self, index: int, value: Any) -> None:
        """Add an output of the element at `index` of the batch."""
        self.values.append((index, value))

    def count(self, name: str, number: int = 1) -> None:
        """Add to a counter of the run, once the outputs are emitted."""
        self.counts.append((name, number))


class ConcurrentFn(DoFn, Generic[T]):
    """Base of the DoFns that work on children: subclasses say how a batch is worked on, and which elements batch well."""

    def __init__(self, options: ExtractOptions, size: int, shared: Shared, run_id: str) -> None:
        self._options = options
        self._size = size
        self._shared = shared
        self._run_id = run_id
        self._children: Children | None = None

    def weight(self, element: T) -> float:
        """Return the share of a batch that an element fills: 1 is worked on alone."""
        return 1.0

    def work(self, children: Children, elements: Sequence[T]) -> Outputs:
        """Work on a batch, in a thread of its own. Must not raise for a bad document."""
        raise NotImplementedError

    def setup(self) -> None:
        """Take the children of this process, or start them."""
        self._size = children_wanted(self._size)  # of the machine that works, not of the one that has built the pipeline
        self._children = self._shared.acquire(lambda: Children(self._options, self._size), tag="children")

    def start_bundle(self) -> None:
        """Begin with nothing in flight."""
        self._batch: list[WindowedValue] = []
        self._batch_weight = 0.0
        self._in_flight = 0
        self._done: queue.SimpleQueue[tuple[list[WindowedValue], Future[Outputs]]] = queue.SimpleQueue()

    def process(self, element: T, given: Any = DoFn.WindowedValueParam) -> Iterator[Any]:
        """Put an element to work and emit what has been finished."""
        weight = self.weight(element)
        if self._batch and self._batch_weight + weight > 1:
            self._submit()
        self._batch.append(given)
        self._batch_weight += weight
        if self._batch_weight >= 1:
            self._submit()
        yield from self._finished(wait=False)

    def finish_bundle(self) -> Iterator[Any]:
        """Wait for everything in flight and emit it."""
        if self._batch:
            self._submit()
        while self._in_flight:
            yield from self._finished(wait=True)

    def teardown(self) -> None:
        """Let go of the children; the last one who does ends them."""
        self._children = None

    def _submit(self) -> None:
        assert self._children is not None
        children, batch, done = self._children, self._batch, self._done
        future = children.threads.submit(self.work, children, [given.value for given in batch])
        future.add_done_callback(lambda future: done.put((batch, future)))
        self._batch, self._batch_weight = [], 0.0
        self._in_flight += 1

    def _finished(self, wait: bool) -> Iterator[Any]:
        while self._in_flight:
            must_wait = wait or self._in_flight >= QUEUED_PER_CHILD * self._size
            try:
                batch, future = self._done.get(block=must_wait)
            except queue.Empty:
                return
            self._in_flight -= 1
            wait = False
            outputs = future.result()
            for name, number in outputs.counts:
                count(self._run_id, name, number)
            for index, value in outputs.values:
                yield _like(batch[index], value)


def _like(given: WindowedValue, value: Any) -> Any:
    if isinstance(value, TaggedOutput):
        return TaggedOutput(value.tag, given.with_value(value.value))
    return given.with_value(value)
