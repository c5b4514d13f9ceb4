"""Discover as a transform: the whole listing, less what is done already, and the count that the run must add up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from docbeam.schemas.records import BlobRef
from docbeam.transforms.commit import Listing
from docbeam.transforms.copies import Candidate
from docbeam.transforms.counters import LISTED, SKIPPED, count
from docbeam.transforms.dedupe import Sizes
from docbeam.transforms.discover import list_blobs
from docbeam.transforms.extract import Job
from docbeam.transforms.parts import PartFile
from docbeam.transforms.recover import Done
from docbeam.transforms.storage import Folder, StorageOptions

LISTING = "listing"
CANDIDATES = "candidates"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What a run reads: files, folders, globs and URLs, and a manifest if there is one."""

    inputs: tuple[str, ...]
    manifest: str | None = None
    storage_options: StorageOptions = field(default_factory=dict)

    def refs(self, without: str) -> Iterator[BlobRef]:
        """Return the references of all inputs but those in the output."""
        return list_blobs(self.inputs, self.manifest, self.storage_options, without=without)


class Discover(beam.PTransform):
    """A root to BlobRefs still to be read (main output `refs`) and one Listing (output `listing`).

    With `dedupe`, references that may have copies come as Candidates (output `candidates`) instead.
    """

    def __init__(self, inputs: Inputs, output: Folder, recovered: tuple[PartFile, ...], job: Job) -> None:
        super().__init__()
        self._fn = _ListFn(inputs, output, recovered, job)

    def expand(self, root: beam.pvalue.PBegin) -> Any:
        """Return the outputs `refs`, `candidates` and `listing`."""
        outputs = beam.ParDo(self._fn).with_outputs(LISTING, CANDIDATES, main="refs")
        return root | "Start" >> beam.Create([None]) | "List" >> outputs


class _ListFn(beam.DoFn):
    def __init__(self, inputs: Inputs, output: Folder, recovered: tuple[PartFile, ...], job: Job) -> None:
        self._inputs = inputs
        self._output = output
        self._recovered = recovered
        self._job = job

    def process(self, _: None) -> Iterator[BlobRef | TaggedOutput]:
        run_id, options = self._job.run_id, self._job.options
        has_digests = self._inputs.manifest is not None
        done = Done(self._output, self._job.stamp.fingerprint, self._recovered, has_digests, options.dedupe)
        sizes = self._sizes(done) if options.dedupe else None
        listed = skipped = expected = 0
        for ref in self._inputs.refs(without=self._output.url):
            listed += 1
            count(run_id, LISTED)
            if done.is_committed(ref):  # recovered rows of it, left by a run that went on after its command, go
                skipped += 1
                count(run_id, SKIPPED)
                continue
            is_recovered = done.is_recovered(ref)
            expected += ref.has_expectation
            if sizes is not None and sizes.may_have_copies(ref, options.max_body_bytes):
                known = done.recovered_sha256(ref) if is_recovered else None
                if known is not None or not is_recovered:
                    yield TaggedOutput(CANDIDATES, Candidate(ref, known, is_recovered))
            elif not is_recovered:
                yield ref
        yield TaggedOutput(LISTING, Listing(listed=listed, skipped=skipped, expected=expected, unmatched=done.unmatched()))

    def _sizes(self, done: Done) -> Sizes:
        """Return the sizes of all inputs that this run reads, or has recovered."""
        sizes = Sizes()
        for ref in self._inputs.refs(without=self._output.url):
            if not done.is_committed(ref):
                sizes.add(ref)
        return sizes
