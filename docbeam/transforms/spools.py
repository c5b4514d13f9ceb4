"""Documents of remote storage that several tasks of one process need, one after the other: brought here once, kept a while.

The page tasks of a long scan come in a row. Without this, each of them would bring the whole document here again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from docbeam.schemas.records import BlobRef
from docbeam.transforms.places import local_bytes_of
from docbeam.transforms.read import Fetched, fetched
from docbeam.transforms.storage import StorageOptions

KEPT_BYTES = 1 << 30  # on this machine's disk, besides what is in use


class Spools:
    """The documents that are kept. Used by many threads at a time."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._lock = threading.Lock()
        self._spools: dict[tuple[str, str | None], _Spool] = {}  # the one that was used last stands last

    @contextmanager
    def fetched(self, ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Iterator[Fetched]:
        """Bring a document here for the length of a block, or have it from an earlier one. Raises as read.fetched does."""
        if ref.path is not None or local_bytes_of(ref.uri) is not None:
            with fetched(ref, limit_bytes, storage_options) as found:
                yield found
            return
        key = (ref.uri, ref.source_version)
        with self._lock:
            spool = self._spools.pop(key, None) or _Spool()
            self._spools[key] = spool
            spool.users += 1
        try:
            yield spool.found(ref, limit_bytes, storage_options)
        finally:
            with self._lock:
                spool.users -= 1
                self._drop_oldest()

    def close(self) -> None:
        """Remove everything that is kept."""
        with self._lock:
            for spool in self._spools.values():
                spool.drop()
            self._spools.clear()

    def _drop_oldest(self) -> None:
        idle = [key for key, spool in self._spools.items() if not spool.users]
        kept = sum(self._spools[key].size_bytes for key in idle)
        for key in idle:
            if kept <= self._kept_bytes and not self._spools[key].is_empty:
                continue
            kept -= self._spools[key].size_bytes
            self._spools.pop(key).drop()


class _Spool:
    """One document: fetched by whoever comes first, while the others wait."""

    def __init__(self) -> None:
        self.users = 0
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._found: Fetched | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it could not be fetched."""
        return self._found is None

    @property
    def size_bytes(self) -> int:
        """What it takes."""
        return self._found.size_bytes if self._found is not None else 0

    def found(self, ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Fetched:
        with self._lock:
            if self._found is None:
                self._found = self._stack.enter_context(fetched(ref, limit_bytes, storage_options))
            return self._found

    def drop(self) -> None:
        self._stack.close()
