"""Native extraction: references in; finished rows out, and page tasks for what must be recognised.

Reading, sniffing and extraction are one step, so that bytes are never shuffled.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput
from apache_beam.utils.shared import Shared

from docbeam.extractors.engine import Reading
from docbeam.extractors.recognition import unrecognised
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import BlobRef, Document, Identity, Quarantined, Row
from docbeam.schemas.rows import EngineStamp
from docbeam.schemas.vocabulary import Branch, ErrorCategory, Origin, Stage
from docbeam.transforms.concurrent import Children, ConcurrentFn, Outputs
from docbeam.transforms.counters import PAGES_PENDING
from docbeam.transforms.outcome import failed_reading_row, identity_of, quarantined
from docbeam.transforms.read import Fetched, fetched, is_unchanged
from docbeam.transforms.scratch import Scratch
from docbeam.transforms.storage import StorageOptions

SMALL_BYTES = 32 * 1024  # a document up to here travels with others in one message to a child
BATCH_DOCUMENTS = 32
TASKS = "tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTask:
    """Pages of one document that one call recognises. A reference, never bytes or text."""

    ref: BlobRef
    identity: Identity
    numbers: tuple[int, ...]
    duration_ms: int


@dataclass(frozen=True, kw_only=True)
class Job:
    """What every step of one run needs to know. `has_engine`: an OCR engine is installed and wanted."""

    options: ExtractOptions
    storage_options: StorageOptions
    scratch: Scratch
    children: int
    pages_per_task: int
    has_engine: bool
    run_id: str
    stamp: EngineStamp


class ExtractNative(beam.PTransform):
    """BlobRefs to rows (main output) and page tasks (output `tasks`)."""

    def __init__(self, job: Job, shared: Shared) -> None:
        super().__init__()
        self._job = job
        self._shared = shared

    def expand(self, refs: beam.PCollection[BlobRef]) -> beam.pvalue.DoOutputsTuple:
        """Return the outputs `rows` and `tasks`."""
        return refs | "ReadSniffExtract" >> beam.ParDo(_ExtractFn(self._job, self._shared)).with_outputs(TASKS, main="rows")


class _ExtractFn(ConcurrentFn[BlobRef]):
    def __init__(self, job: Job, shared: Shared) -> None:
        super().__init__(job.options, job.children, shared, job.run_id)
        self._job = job

    def weight(self, ref: BlobRef) -> float:
        size = ref.size_bytes
        return 1.0 if size is None or size > SMALL_BYTES else 1 / BATCH_DOCUMENTS

    def work(self, children: Children, refs: Sequence[BlobRef]) -> Outputs:
        outputs = Outputs()
        for index, row in extract_batch(children, refs, self._job):
            if isinstance(row, list):
                outputs.count(PAGES_PENDING, sum(len(task.numbers) for task in row))
                for task in row:
                    outputs.put(index, TaggedOutput(TASKS, task))
            else:
                outputs.put(index, row)
        return outputs


def extract_batch(children: Children, refs: Sequence[BlobRef], job: Job) -> Iterator[tuple[int, Row | list[PageTask]]]:
    """Return (index, row or page tasks) for each reference, in any order, each exactly once."""
    with ExitStack() as spools:
        found: list[tuple[int, Fetched]] = []
        for index, ref in enumerate(refs):
            try:
                found.append((index, spools.enter_context(fetched(ref, job.options.max_body_bytes, job.storage_options))))
            except ExtractionError as error:
                yield (
                    index,
                    quarantined(Identity(uri=ref.uri, source_version=ref.source_version, size_bytes=ref.size_bytes), error),
                )
        if not found:
            return
        with children.pool.worker() as worker:
            readings = worker.read_many([one.source for _, one in found])
            started = time.monotonic()
            for (index, one), reading in zip(found, readings, strict=True):
                duration_ms = round((time.monotonic() - started) * 1000)
                if is_unchanged(refs[index], one):
                    yield index, _finished(refs[index], one, reading, duration_ms, job)
                else:
                    yield index, _changed(refs[index], one)
                started = time.monotonic()


def _finished(ref: BlobRef, found: Fetched, reading: Reading, duration_ms: int, job: Job) -> Row | list[PageTask]:
    identity = identity_of(ref, found, reading)
    if reading.extracted is None:
        return failed_reading_row(identity, reading)
    extracted, extractor = reading.extracted, reading.extractor or "unknown"
    pending = [page.number for page in extracted.pages if page.origin is Origin.PENDING]
    if pending and job.has_engine:
        job.scratch.put_reading(found.sha256, reading)
        step = job.pages_per_task
        chunks = [tuple(pending[i : i + step]) for i in range(0, len(pending), step)]
        return [PageTask(ref=ref, identity=identity, numbers=numbers, duration_ms=duration_ms) for numbers in chunks]
    if pending:
        try:
            extracted = unrecognised(extracted, reading.media_type, ocr_wanted=job.options.ocr)
        except ExtractionError as error:
            return quarantined(identity, error, Stage.EXTRACT, reading)
    return Document(
        identity=identity,
        extracted=extracted,
        extractor=extractor,
        branch=Branch.NATIVE,
        ocr_confidence=None,
        duration_ms=duration_ms,
    )


def _changed(ref: BlobRef, found: Fetched) -> Quarantined:
    error = ExtractionError(ErrorCategory.TRANSIENT_IO, "the file changed while it was read")
    return quarantined(Identity(uri=ref.uri, source_version=found.source_version, size_bytes=found.size_bytes), error)
