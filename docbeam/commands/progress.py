"""Live progress of a local run: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

BAR_SECONDS = 0.2
FIRST_LINE_SECONDS = 2.0
LINE_SECONDS = 10.0
BAR_CHARS = 24


class ProgressDisplay:
    """Shows counts for the length of a block. `total` returns the number of documents, or None while it is unknown."""

    def __init__(
        self, read: Callable[[], dict[str, int]], total: Callable[[], int | None], kind: str, out: TextIO | None = None
    ) -> None:
        self._read = read
        self._total = total
        self._out = out or sys.stderr
        self._kind = ("bar" if self._out.isatty() else "lines") if kind == "auto" else kind
        self._wait = BAR_SECONDS if self._kind == "bar" else FIRST_LINE_SECONDS
        self._is_ended = threading.Event()
        self._is_bar_open = False
        self._started = time.monotonic()
        self._ocr_started: float | None = None
        self._thread = threading.Thread(target=self._run, name="docbeam-progress", daemon=True)

    def __enter__(self) -> ProgressDisplay:
        if self._kind != "none":
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_ended.set()
        if self._thread.is_alive():
            self._thread.join()
        if kind is not None:
            if self._is_bar_open:
                self._print("\n")  # what went wrong begins a line of its own
        elif self._kind == "bar":
            self._show(end="\n")
        elif self._kind == "lines":
            self._show()

    def _run(self) -> None:
        while not self._is_ended.wait(self._wait):
            self._show()
            self._wait = BAR_SECONDS if self._kind == "bar" else LINE_SECONDS

    def _show(self, end: str | None = None) -> None:
        counts, now = self._read(), time.monotonic()
        if self._ocr_started is None and counts.get("pages_ocred"):
            self._ocr_started = now - self._wait  # the first pages were recognised since the last look
        ocr_seconds = now - (self._ocr_started or now)
        line = progress_line(counts, self._total(), now - self._started, ocr_seconds, bar=self._kind == "bar")
        if self._kind == "bar":
            self._is_bar_open = end is None
            self._print(f"\r\x1b[K{line}{end or ''}")
        else:
            self._print(f"{line}\n")

    def _print(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that has gone is no reason to end the run
            self._out.write(text)
            self._out.flush()


def progress_line(counts: dict[str, int], total: int | None, seconds: float, ocr_seconds: float = 0.0, *, bar: bool) -> str:
    """Return one line: done of total, documents a second, quarantined, pages to recognise, time left."""
    skipped = counts.get("skipped", 0)
    fresh = counts.get("documents", 0) + counts.get("quarantined", 0)
    done = fresh + skipped
    rate = fresh / seconds if seconds > 0 else 0.0
    parts = [f"{done:,} of {'?' if total is None else f'{total:,}'} documents"]
    if bar and total:
        filled = min(BAR_CHARS, BAR_CHARS * done // total)
        parts[0] = f"[{'#' * filled}{'.' * (BAR_CHARS - filled)}] {parts[0]}"
    parts.append(f"{rate:,.1f}/s")
    parts.append(f"{counts.get('quarantined', 0):,} quarantined")
    if skipped:
        parts.append(f"{skipped:,} done before")
    pending, recognised = counts.get("pages_pending", 0), counts.get("pages_ocred", 0)
    if pending:
        parts.append(f"OCR {recognised:,} of {pending:,} pages")
    left = None
    if pending > recognised > 0 and ocr_seconds:
        left = (pending - recognised) * ocr_seconds / recognised
    elif total and rate and total > done and not pending:
        left = (total - done) / rate
    if left is not None:
        parts.append(f"{duration(left)} left")
    parts.append(f"{duration(seconds)} elapsed")
    return " | ".join(parts)


def duration(seconds: float) -> str:
    """Return a duration as a person says it: 42 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
