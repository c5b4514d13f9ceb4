"""Native extraction: references in; finished rows out, and page tasks for what must be recognised.

Reading, sniffing and extraction are one step, so that bytes are never shuffled.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput
from apache_beam.utils.shared import Shared

from docbeam.extractors.finishing import pending_targets
from docbeam.extractors.source import Source
from docbeam.extractors.tree import Node, drop_members, is_pending, read_tree
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import BlobRef, Row, Target
from docbeam.schemas.rows import EngineStamp
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.concurrent import Children, ConcurrentFn, Outputs, children_wanted
from docbeam.transforms.copies import NO_COPIES, CopiedRef, Copies, parted
from docbeam.transforms.counters import PAGES_PENDING
from docbeam.transforms.outcome import root_identity, root_node, tree_rows, unread_row
from docbeam.transforms.password_file import NO_PASSWORD_FILE, PasswordFile
from docbeam.transforms.read import Fetched, fetched, is_unchanged
from docbeam.transforms.scratch import Scratch
from docbeam.transforms.storage import StorageOptions

if TYPE_CHECKING:
    from docbeam.extractors.sandbox.worker import Worker

SMALL_BYTES = 32 * 1024  # a document up to here travels with others in one message to a child
BATCH_DOCUMENTS = 32
TASKS = "tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTask:
    """Pages and pictures of one document that one call recognises: references, never bytes or text.

    `tree` is the key of the input's readings in the scratch folder, `ref` where the document's bytes are.
    """

    tree: str
    ref: BlobRef
    sha256: str
    media_type: str
    targets: tuple[Target, ...]
    uri: str  # the document's own one, which its passwords are chosen by


@dataclass(frozen=True, kw_only=True)
class Job:
    """What every step of one run needs to know. `has_engine`: an OCR engine is installed and wanted.

    `children` is what was asked for; 0 is one for each core. `passwords` travels as the URL of its file alone.
    """

    options: ExtractOptions
    storage_options: StorageOptions
    scratch: Scratch
    children: int
    pages_per_task: int
    has_engine: bool
    run_id: str
    stamp: EngineStamp
    passwords: PasswordFile = NO_PASSWORD_FILE

    def opened(self, found: Fetched, *uris: str) -> Fetched:
        """Return bytes with the passwords to try on them: those for each of the URIs that they have."""
        passwords = self.passwords.load()
        if not passwords:
            return found
        chosen = dict.fromkeys(password for uri in uris for password in passwords.for_uri(uri))
        return replace(found, source=found.source.with_passwords(tuple(chosen)))

    @property
    def threads(self) -> int:
        """The children that this process may have: it is asked where the work is done, on a machine of its own size."""
        return children_wanted(self.children)


Result = tuple[Row, ...] | list[PageTask]  # one input's rows, or what must be recognised first


class ExtractNative(beam.PTransform):
    """BlobRefs to tuples of rows, one for each input (output `rows`), and page tasks (output `tasks`)."""

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
        is_large = size is None or size > SMALL_BYTES or isinstance(ref, CopiedRef)
        return 1.0 if is_large else 1 / BATCH_DOCUMENTS

    def work(self, children: Children, refs: Sequence[BlobRef]) -> Outputs:
        outputs = Outputs()
        for index, found in extract_batch(children, refs, self._job):
            if isinstance(found, list):
                outputs.count(PAGES_PENDING, sum(len(task.targets) for task in found))
                for task in found:
                    outputs.put(index, TaggedOutput(TASKS, task))
            else:
                outputs.put(index, found)
        return outputs


def extract_batch(children: Children, refs: Sequence[BlobRef], job: Job) -> Iterator[tuple[int, Result]]:
    """Return (index, rows or page tasks) for each reference, in any order, each exactly once.

    A reference with copies, which comes alone, gives rows for each of them, or page tasks that stand for some.
    """
    (first, *_) = refs
    if isinstance(first, CopiedRef):
        yield from ((0, result) for result in _extract_copied(children, first, job))
        return
    with ExitStack() as spools:
        found: list[tuple[int, Fetched]] = []
        for index, ref in enumerate(refs):
            try:
                job.passwords.check_not_input(ref)
                one = spools.enter_context(fetched(ref, job.options.max_body_bytes, job.storage_options))
                found.append((index, job.opened(one, ref.uri)))
            except ExtractionError as error:
                yield index, (unread_row(ref, error),)
        if not found:
            return
        with children.pool.worker() as worker:
            roots = list(_roots(worker, [(refs[index].uri, one) for index, one in found]))
            for (index, one), root in zip(found, roots, strict=True):
                if is_unchanged(refs[index], one):
                    yield from ((index, result) for result in _finished(worker, refs[index], one, root, job))
                else:
                    drop_members(root)
                    changed = ExtractionError(ErrorCategory.TRANSIENT_IO, "the file changed while it was read")
                    yield index, (unread_row(refs[index], changed),)


def _extract_copied(children: Children, ref: CopiedRef, job: Job) -> Iterator[Result]:
    """Yield the results of a reference and its copies; where its bytes are gone or changed, each is read for itself."""
    results: list[Result] = []
    own, repeating = ref.plain(), list[BlobRef]()
    limit, storage_options = job.options.max_body_bytes, job.storage_options
    with suppress(ExtractionError), fetched(ref, limit, storage_options) as found, children.pool.worker() as worker:
        job.passwords.check_not_input(ref)
        found = job.opened(found, ref.uri, *(copy.uri for copy in ref.copies))  # one name's password opens them all
        (root,) = _roots(worker, [(ref.uri, found)])
        is_same = found.sha256 == ref.sha256 and is_unchanged(ref, found)
        if is_same:
            repeating, own = parted(ref, root.reading.media_type, ref.copies)
        if is_same and (ref.has_rows or repeating):
            results = list(_finished(worker, ref, found, root, job, Copies(repeating, ref.has_rows)))
        else:
            drop_members(root)
    yield from results
    for plain in own:
        yield from (result for _, result in extract_batch(children, [plain], job))


def _roots(worker: Worker, found: Sequence[tuple[str, Fetched]]) -> Iterator[Node]:
    started = time.monotonic()
    readings = worker.read_many([one.source for _, one in found])
    for (uri, one), reading in zip(found, readings, strict=True):
        now = time.monotonic()
        yield root_node(uri, one, reading, round((now - started) * 1000))
        started = now


def _finished(
    worker: Worker, ref: BlobRef, found: Fetched, root: Node, job: Job, copies: Copies = NO_COPIES
) -> Iterator[Result]:
    """Yield the rows of an input and of its copies, or its page tasks if something in it is to be recognised."""
    identity = root_identity(ref, found)
    drawn: list[tuple[Node, BlobRef]] = [(root, ref)] if is_pending(root.reading) else []

    def keep(node: Node, source: Source) -> None:
        assert node.sha256 is not None and source.path is not None
        drawn.append((node, job.scratch.put_source(node.sha256, source.path)))

    nodes = read_tree(worker, root, job.options, keep if job.has_engine else None, job.passwords.load())
    if not drawn or not job.has_engine:
        yield from copies.rows(tree_rows(identity, nodes, None, job.options), job.options)
        return
    key = job.scratch.put_tree(identity, nodes, copies)
    yield [task for node, bytes_ref in drawn for task in _tasks(key, node, bytes_ref, job.pages_per_task)]


def _tasks(tree: str, node: Node, ref: BlobRef, pages_per_task: int) -> Iterator[PageTask]:
    targets = pending_targets(node)
    for start in range(0, len(targets), pages_per_task):
        yield PageTask(
            tree=tree,
            ref=ref,
            sha256=node.sha256 or "",
            media_type=node.reading.media_type,
            targets=tuple(targets[start : start + pages_per_task]),
            uri=node.uri,
        )
