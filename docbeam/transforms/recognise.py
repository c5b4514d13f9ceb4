"""The OCR branch: page tasks, spread over all workers, are rasterised and recognised, then joined to documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apache_beam as beam
from apache_beam.utils.shared import Shared

from docbeam.extractors.recognition import PageText, join_pages
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Document, Row
from docbeam.schemas.vocabulary import ErrorCategory, Stage
from docbeam.transforms.concurrent import Children, ConcurrentFn, Outputs
from docbeam.transforms.counters import PAGES_OCRED
from docbeam.transforms.extract import Job, PageTask
from docbeam.transforms.outcome import quarantined
from docbeam.transforms.read import fetched


class RecognisePages(beam.PTransform):
    """PageTasks to rows, one for each document. Only references are shuffled: texts wait in the scratch folder."""

    def __init__(self, job: Job, shared: Shared) -> None:
        super().__init__()
        self._job = job
        self._shared = shared

    def expand(self, tasks: beam.PCollection[PageTask]) -> beam.PCollection[Row]:
        """Return the rows of all documents that had pages to recognise."""
        return (
            tasks
            | "SpreadPageTasks" >> beam.Reshuffle()
            | "RasteriseAndRecognise" >> beam.ParDo(_RecogniseFn(self._job, self._shared))
            | "GroupByDocument" >> beam.GroupByKey()
            | "Assemble" >> beam.ParDo(_AssembleFn(self._job))
        )


class _RecogniseFn(ConcurrentFn[PageTask]):
    def __init__(self, job: Job, shared: Shared) -> None:
        super().__init__(job.options, job.children, shared, job.run_id)
        self._job = job

    def work(self, children: Children, tasks: Sequence[PageTask]) -> Outputs:
        outputs = Outputs()
        for index, task in enumerate(tasks):
            recognise_task(children, task, self._job)
            outputs.count(PAGES_OCRED, len(task.numbers))
            outputs.put(index, (task.identity.uri, task))
        return outputs


class _AssembleFn(beam.DoFn):
    def __init__(self, job: Job) -> None:
        self._job = job

    def process(self, group: tuple[str, Iterable[PageTask]]) -> Iterable[Row]:
        yield assemble(list(group[1]), self._job)


def recognise_task(children: Children, task: PageTask, job: Job) -> None:
    """Recognise the pages of a task that are not in the scratch folder yet, and keep them there."""
    sha256, media_type = task.identity.sha256 or "", task.identity.media_type or ""
    wanted = [number for number in task.numbers if not _is_done(job.scratch.page(sha256, number))]
    if not wanted:
        return
    try:
        with fetched(task.ref, job.options.max_body_bytes, job.storage_options) as found:
            if found.sha256 != sha256:
                raise ExtractionError(ErrorCategory.TRANSIENT_IO, "the file changed before its pages were recognised")
            with children.pool.worker() as worker:
                for number in wanted:
                    job.scratch.put_page(sha256, worker.recognise(found.source, media_type, number))
    except ExtractionError as error:
        for number in wanted:
            job.scratch.put_page(sha256, PageText(number=number, text="", confidence=None, notices=(), error=error))


def assemble(tasks: Sequence[PageTask], job: Job) -> Row:
    """Return the row of one document from its native reading and its recognised pages."""
    identity = tasks[0].identity
    sha256 = identity.sha256 or ""
    reading = job.scratch.reading(sha256)
    numbers = sorted({number for task in tasks for number in task.numbers})
    pages = [page for number in numbers if (page := job.scratch.page(sha256, number)) is not None]
    assert reading.extracted is not None, "only documents that were read have page tasks"
    try:
        extracted, branch, confidence = join_pages(reading.extracted, pages, job.options)
    except ExtractionError as error:
        return quarantined(identity, error, Stage.OCR, reading)
    return Document(
        identity=identity,
        extracted=extracted,
        extractor=reading.extractor or "unknown",
        branch=branch,
        ocr_confidence=confidence,
        duration_ms=tasks[0].duration_ms,
    )


def _is_done(page: PageText | None) -> bool:
    return page is not None and page.error is None
