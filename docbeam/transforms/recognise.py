"""The OCR branch: page tasks, spread over all workers, are rasterised and recognised, then joined to documents."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import apache_beam as beam
from apache_beam.utils.shared import Shared

from docbeam.extractors.recognition import PageText, failed_page
from docbeam.extractors.tree import Node
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Row, Target
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.concurrent import Children, ConcurrentFn, Outputs
from docbeam.transforms.counters import PAGES_OCRED
from docbeam.transforms.extract import Job, PageTask
from docbeam.transforms.outcome import tree_rows


class RecognisePages(beam.PTransform):
    """PageTasks to tuples of rows, one for each input. Only references are shuffled: texts wait in the scratch folder.

    `hints` are Beam's resource hints for the recognition, the only step that needs much memory.
    """

    def __init__(self, job: Job, shared: Shared, hints: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._job = job
        self._shared = shared
        self._hints = hints or {}

    def expand(self, tasks: beam.PCollection[PageTask]) -> beam.PCollection[tuple[Row, ...]]:
        """Return the rows of all inputs that had pages to recognise."""
        return (
            tasks
            | "SpreadPageTasks" >> beam.Reshuffle()
            | "RasteriseAndRecognise" >> beam.ParDo(_RecogniseFn(self._job, self._shared)).with_resource_hints(**self._hints)
            | "GroupByInput" >> beam.GroupByKey()
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
            outputs.count(PAGES_OCRED, len(task.targets))
            outputs.put(index, (task.tree, len(task.targets)))
        return outputs


class _AssembleFn(beam.DoFn):
    def __init__(self, job: Job) -> None:
        self._job = job

    def process(self, group: tuple[str, Iterable[int]]) -> Iterable[tuple[Row, ...]]:
        yield from assemble(group[0], self._job)


def recognise_task(children: Children, task: PageTask, job: Job) -> None:
    """Recognise the pages of a task that are not in the scratch folder yet, and keep them there."""
    wanted = [target for target in task.targets if not _is_done(job.scratch.page(task.sha256, target))]
    if not wanted:
        return
    try:
        with children.spools.fetched(task.ref, sys.maxsize, job.storage_options) as found:  # its size was checked before
            if found.sha256 != task.sha256:
                raise ExtractionError(ErrorCategory.TRANSIENT_IO, "the file changed before its pages were recognised")
            source = job.opened(found, task.uri).source
            with children.pool.worker() as worker:
                for target in wanted:
                    page = worker.recognise(source, task.media_type, target, job.scratch.same)
                    job.scratch.put_page(task.sha256, page)
                    job.scratch.put_same(task.sha256, page)
    except ExtractionError as error:
        for target in wanted:
            job.scratch.put_page(task.sha256, failed_page(target, error))


def assemble(tree: str, job: Job) -> Iterator[tuple[Row, ...]]:
    """Yield the rows of one input, and of each copy of it, from its readings and its recognised pages."""
    root, nodes, copies = job.scratch.tree(tree)

    def pages(node: Node, targets: Sequence[Target]) -> list[PageText]:
        found = (job.scratch.page(node.sha256 or "", target) for target in targets)
        return [page for page in found if page is not None]

    yield from copies.rows(tree_rows(root, nodes, pages, job.options), job.options)


def _is_done(page: PageText | None) -> bool:
    return page is not None and page.error is None
