"""The pool of children of one process, shared by its threads."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from docbeam.extractors.sandbox.conversation import SandboxClosed
from docbeam.extractors.sandbox.nursery import Nursery
from docbeam.extractors.sandbox.worker import Worker
from docbeam.schemas.options import ExtractOptions

CLOSE_TIMEOUT_SECONDS = 5.0  # for threads that still hold a worker to notice that its child is dead


class SandboxPool:
    """At most `size` children at a time, started when they are first needed. Thread-safe.

    Closed by `close`, by leaving the `with` block, when it is forgotten, and when the program ends. If the program is
    killed, the kernel kills the children with it.
    """

    def __init__(self, options: ExtractOptions, size: int) -> None:
        if size < 1:
            raise ValueError(f"size: {size}, the least is 1")
        self._options = options
        self._size = size
        self._open()

    def _open(self) -> None:
        self._nursery = Nursery(self._options)
        self._closed = self._nursery.closed
        self._changed = threading.Condition()
        self._workers = [Worker(self._options, self._nursery.start, self._closed) for _ in range(self._size)]
        self._free = list(self._workers)
        self._finalizer = weakref.finalize(self, self._nursery.close)
        _POOLS.add(self)

    @contextmanager
    def worker(self) -> Iterator[Worker]:
        """Lease a worker; blocks until one is free. Raises SandboxClosed if the pool is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._free or self._closed.is_set())
            if self._closed.is_set():
                raise SandboxClosed("the sandbox is closed")
            worker = self._free.pop()  # the one used last: its parsers are loaded
        try:
            yield worker
        finally:
            worker.conversation.release()
            with self._changed:
                self._free.append(worker)
                self._changed.notify()

    def close(self) -> None:
        """Kill and reap all children; threads that wait for one get SandboxClosed. May be called again."""
        self._closed.set()
        self._nursery.kill()
        with self._changed:
            self._changed.notify_all()
            self._changed.wait_for(lambda: len(self._free) == self._size, CLOSE_TIMEOUT_SECONDS)
            for worker in self._free:
                worker.conversation.discard()
        self._finalizer()

    def __enter__(self) -> SandboxPool:
        """Return the pool."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the pool."""
        self.close()

    def _reopen_after_fork(self) -> None:
        """Leave the children to the process that started them, and begin anew in this one."""
        self._finalizer.detach()
        for worker in self._workers:
            worker.conversation.abandon()
        self._open()


_POOLS: weakref.WeakSet[SandboxPool] = weakref.WeakSet()


def _reopen_all_after_fork() -> None:
    for pool in list(_POOLS):
        if not pool._closed.is_set():
            pool._reopen_after_fork()


os.register_at_fork(after_in_child=_reopen_all_after_fork)
