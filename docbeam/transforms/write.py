"""Rows to staged part files. A part is closed when it is full or has waited long enough, so that memory stays flat and a
killed run leaves nearly all of its finished work behind in whole files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from docbeam.schemas.records import Row
from docbeam.schemas.rows import EngineStamp, row_columns
from docbeam.transforms.counters import DOCUMENTS, QUARANTINED, count
from docbeam.transforms.parts import PartFile, stage_part
from docbeam.transforms.storage import Folder

LEAST_WAIT_SECONDS = 5.0
MOST_WAIT_SECONDS = 300.0
WAIT_SHARE = 0.1  # rows wait for at most this share of the time worked so far: a kill loses at most a tenth


class WriteRows(beam.PTransform):
    """Rows of both kinds to PartFiles in the staging folder of a run."""

    def __init__(self, output: Folder, run_id: str, stamp: EngineStamp, part_rows: int, part_bytes: int) -> None:
        super().__init__()
        self._arguments = (output, run_id, stamp, part_rows, part_bytes)

    def expand(self, rows: beam.PCollection[Row]) -> beam.PCollection[PartFile]:
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
        self._open: dict[str, _OpenPart] = {}
        self._started = time.monotonic()

    def process(self, row: Row) -> Iterator[PartFile]:
        dataset, columns = row_columns(row, self._stamp, datetime.now(timezone.utc))
        part = self._open.setdefault(dataset, _OpenPart())
        part.add(columns)
        count(self._run_id, DOCUMENTS if dataset == "documents" else QUARANTINED)
        if len(part.rows) >= self._part_rows or part.text_bytes >= self._part_bytes:
            yield self._close(dataset)
        now = time.monotonic()
        longest = min(max(LEAST_WAIT_SECONDS, WAIT_SHARE * (now - self._started)), MOST_WAIT_SECONDS)
        for name in [name for name, part in self._open.items() if now - part.opened > longest]:
            yield self._close(name)

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for dataset in sorted(self._open):
            yield WindowedValue(self._close(dataset), GlobalWindow().max_timestamp(), [GlobalWindow()])

    def _close(self, dataset: str) -> PartFile:
        return stage_part(self._output, self._run_id, dataset, self._open.pop(dataset).rows)


class _OpenPart:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.text_bytes = 0
        self.opened = time.monotonic()

    def add(self, columns: dict[str, Any]) -> None:
        self.rows.append(columns)
        self.text_bytes += len(columns.get("content") or "") + 500
