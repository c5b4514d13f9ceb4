"""Rows to staged part files, of both datasets.

Parts are closed when one is full or has waited long enough, so that memory stays flat and a killed run leaves nearly all
of its finished work behind in whole files. They are closed together and never between the rows of one input: what a
recovery finds of an input is all there is of it, or nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from docbeam.schemas.records import Row
from docbeam.schemas.rows import EngineStamp, row_columns
from docbeam.transforms.counters import DOCUMENTS, QUARANTINED, count
from docbeam.transforms.lease import check_lease
from docbeam.transforms.parts import PartFile, stage_parts
from docbeam.transforms.storage import Folder

LEAST_WAIT_SECONDS = 5.0
MOST_WAIT_SECONDS = 300.0
WAIT_SHARE = 0.1  # rows wait for at most this share of the time worked so far: a kill loses at most a tenth


class WriteRows(beam.PTransform):
    """Tuples of rows, one for each input, to PartFiles in the staging folder of a run."""

    def __init__(self, output: Folder, run_id: str, stamp: EngineStamp, part_rows: int, part_bytes: int) -> None:
        super().__init__()
        self._arguments = (output, run_id, stamp, part_rows, part_bytes)

    def expand(self, rows: beam.PCollection[tuple[Row, ...]]) -> beam.PCollection[PartFile]:
        """Return the records of the part files."""
        return rows | "StageParts" >> beam.ParDo(_StageFn(*self._arguments))


class _StageFn(beam.DoFn):
    def __init__(self, output: Folder, run_id: str, stamp: EngineStamp, part_rows: int, part_bytes: int) -> None:
        self._output = output
        self._run_id = run_id
        self._stamp = stamp
        self._part_rows = part_rows
        self._part_bytes = part_bytes

    def start_bundle(self) -> None:
        check_lease(self._output, self._run_id)
        self._open: dict[str, _OpenPart] = {}
        self._started = time.monotonic()

    def process(self, rows: Sequence[Row]) -> Iterator[PartFile]:
        now = datetime.now(UTC)
        for row in rows:
            dataset, columns = row_columns(row, self._stamp, now)
            self._open.setdefault(dataset, _OpenPart()).add(columns)
            if row.identity.depth == 0:
                count(self._run_id, DOCUMENTS if dataset == "documents" else QUARANTINED)
        if self._is_time() or any(part.is_full(self._part_rows, self._part_bytes) for part in self._open.values()):
            yield from self._close()

    def _is_time(self) -> bool:
        now = time.monotonic()
        longest = min(max(LEAST_WAIT_SECONDS, WAIT_SHARE * (now - self._started)), MOST_WAIT_SECONDS)
        return any(now - part.opened > longest for part in self._open.values())

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for part in self._close():
            yield WindowedValue(part, GlobalWindow().max_timestamp(), [GlobalWindow()])

    def _close(self) -> list[PartFile]:
        closed, self._open = self._open, {}
        if closed:
            check_lease(self._output, self._run_id)
        return stage_parts(self._output, self._run_id, {dataset: part.rows for dataset, part in closed.items()})


class _OpenPart:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.text_bytes = 0
        self.opened = time.monotonic()

    def is_full(self, most_rows: int, most_bytes: int) -> bool:
        return len(self.rows) >= most_rows or self.text_bytes >= most_bytes

    def add(self, columns: dict[str, Any]) -> None:
        self.rows.append(columns)
        self.text_bytes += len(columns.get("content") or "") + 500
