"""The counters of a run, named by the vocabulary: Beam's for every runner, and this process's own for live progress.

FnApiRunner reports metrics only when a pipeline has ended, so a local run reads `Progress` instead.
"""

from __future__ import annotations

import threading
from collections import Counter
from functools import cache
from typing import Any

from apache_beam.metrics import Metrics

NAMESPACE = "docbeam"
LISTED, SKIPPED, DOCUMENTS, QUARANTINED, PAGES_PENDING, PAGES_OCRED = (
    "listed",
    "skipped",
    "documents",
    "quarantined",
    "pages_pending",
    "pages_ocred",
)


class Progress:
    """Counts of what this process has done in one run; any thread may read them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def add(self, name: str, count: int = 1) -> None:
        """Add to a count."""
        with self._lock:
            self._counts[name] += count

    def read(self) -> dict[str, int]:
        """Return all counts at one moment."""
        with self._lock:
            return dict(self._counts)


@cache
def progress_of(run_id: str) -> Progress:
    """Return this process's progress of a run."""
    return Progress()


@cache
def _counter(name: str) -> Any:
    return Metrics.counter(NAMESPACE, name)


def count(run_id: str, name: str, number: int = 1) -> None:
    """Count for Beam's metrics and for this process's progress. Call it from a DoFn's own thread only."""
    _counter(name).inc(number)
    progress_of(run_id).add(name, number)
