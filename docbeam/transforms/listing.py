"""Discover as a transform: the whole listing, less what is done already, and the count that the run must add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
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
from docbeam.transforms.done import Decision, Done, DoneRules
from docbeam.transforms.extract import Job
from docbeam.transforms.gone import Gone, find_gone
from docbeam.transforms.parts import PartFile
from docbeam.transforms.storage import Folder, StorageOptions
from docbeam.transforms.supersede import key_of

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

    def __init__(
        self, inputs: Inputs, output: Folder, recovered: tuple[PartFile, ...], job: Job, reprocess: str = "changed-input"
    ) -> None:
        super().__init__()
        self._fn = _ListFn(inputs, output, recovered, job, reprocess)

    def expand(self, root: beam.pvalue.PBegin) -> Any:
        """Return the outputs `refs`, `candidates` and `listing`."""
        outputs = beam.ParDo(self._fn).with_outputs(LISTING, CANDIDATES, main="refs")
        return root | "Start" >> beam.Create([None]) | "List" >> outputs


class _ListFn(beam.DoFn):
    def __init__(self, inputs: Inputs, output: Folder, recovered: tuple[PartFile, ...], job: Job, reprocess: str) -> None:
        self._reprocess = reprocess
        self._inputs = inputs
        self._output = output
        self._recovered = recovered
        self._job = job

    def process(self, _: None) -> Iterator[BlobRef | TaggedOutput]:
        run_id, options = self._job.run_id, self._job.options
        done = Done(self._output, done_rules(self._inputs, self._job, self._reprocess), self._recovered)
        sizes = self._sizes(done) if options.dedupe else None
        counts, expected = Counter[Decision](), 0
        replaces: set[bytes] = set()
        problems: list[str] = []
        for ref in self._inputs.refs(without=self._output.url):
            decision = done.decide(ref)
            done.note(ref, decision)
            counts[decision] += 1
            count(run_id, LISTED)
            if ref.problem is not None:
                problems.append(ref.uri)
            if decision.is_skipped:  # recovered rows of it, left by a run that went on after its command, go
                count(run_id, SKIPPED)
                continue
            if done.has_rows(ref):
                replaces.add(key_of(ref.uri))
            is_recovered = decision is Decision.RECOVERED
            expected += ref.has_expectation
            if sizes is not None and sizes.may_have_copies(ref, options.max_body_bytes):
                known = done.recovered_sha256(ref) if is_recovered else None
                if known is not None or not is_recovered:
                    yield TaggedOutput(CANDIDATES, Candidate(ref, known, is_recovered))
            elif not is_recovered:
                yield ref
        listing = Listing(
            listed=counts.total(),
            skipped=counts[Decision.SAME] + counts[Decision.OTHER_ENGINE],
            expected=expected,
            unmatched=done.unmatched(),
            other_engine=counts[Decision.OTHER_ENGINE],
            replaces=frozenset(replaces),
            gone=gone_inputs(self._output, self._inputs, done, problems),
        )
        yield TaggedOutput(LISTING, listing)

    def _sizes(self, done: Done) -> Sizes:
        """Return the sizes of all inputs that this run reads, or has recovered."""
        sizes = Sizes()
        for ref in self._inputs.refs(without=self._output.url):
            if not done.decide(ref).is_skipped:
                sizes.add(ref)
        return sizes


def done_rules(inputs: Inputs, job: Job, reprocess: str) -> DoneRules:
    """Return by what a run decides which inputs it reads."""
    return DoneRules(
        fingerprint=job.stamp.fingerprint,
        reprocess=reprocess,
        has_digests=inputs.manifest is not None,
        has_copies=job.options.dedupe,
        storage_options=inputs.storage_options,
    )


def gone_inputs(output: Folder, inputs: Inputs, done: Done, problems: Collection[str]) -> Gone:
    """Return which inputs are gone, once all that are there were noted."""
    return find_gone(output, done.ledger, done.unlisted(), inputs.inputs, problems, inputs.storage_options)
