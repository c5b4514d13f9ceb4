"""The pool of children of one process, shared by its threads."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from docbeam.extractors.registry import third_party_points
from docbeam.extractors.sandbox.conversation import SandboxClosed
from docbeam.extractors.sandbox.process import Child
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
        self._pid = os.getpid()
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


class Nursery:
    """Starts children in a directory of its own and knows all that are alive."""

    def __init__(self, options: ExtractOptions) -> None:
        self.closed = threading.Event()
        self._options = options
        self._hello: dict[str, Any] | None = None
        self._lock = threading.Lock()
        self._children: weakref.WeakSet[Child] = weakref.WeakSet()
        self._directory: str | None = None

    def start(self) -> Child:
        """Start a child. Raises OSError or SandboxClosed."""
        with self._lock:
            if self.closed.is_set():
                raise SandboxClosed("the sandbox is closed")
            if self._directory is None or not os.path.isdir(self._directory):
                self._directory = tempfile.mkdtemp(prefix="docbeam-sandbox-")
            if self._hello is None:
                self._hello = {"options": dataclasses.asdict(self._options), "third_party": third_party_points()}
            child = Child(self._hello, self._directory)
            self._children.add(child)
            return child

    def kill(self) -> None:
        """Kill all children, whoever uses them."""
        with self._lock:
            for child in self._children:
                child.kill()

    def close(self) -> None:
        """Kill and reap all children and remove the directory."""
        self.closed.set()
        with self._lock:
            for child in self._children:
                child.finish()
            if self._directory is not None:
                shutil.rmtree(self._directory, ignore_errors=True)
                self._directory = None


_POOLS: weakref.WeakSet[SandboxPool] = weakref.WeakSet()


def _reopen_all_after_fork() -> None:
    for pool in list(_POOLS):
        if not pool._closed.is_set():
            pool._reopen_after_fork()


os.register_at_fork(after_in_child=_reopen_all_after_fork)
