"""Discover as a transform: the whole listing, less what is done already, and the count that the run must add up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from docbeam.schemas.records import BlobRef
from docbeam.transforms.commit import Listing
from docbeam.transforms.counters import LISTED, SKIPPED, count
from docbeam.transforms.discover import list_blobs
from docbeam.transforms.parts import PartFile
from docbeam.transforms.recover import Done
from docbeam.transforms.storage import Folder, StorageOptions

LISTING = "listing"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What a run reads: files, folders, globs and URLs, and a manifest if there is one."""

    inputs: tuple[str, ...]
    manifest: str | None = None
    storage_options: StorageOptions = field(default_factory=dict)


class Discover(beam.PTransform):
    """A root to BlobRefs still to be read (main output `refs`) and one Listing (output `listing`)."""

    def __init__(self, inputs: Inputs, output: Folder, fingerprint: str, recovered: tuple[PartFile, ...], run_id: str) -> None:
        super().__init__()
        self._fn = _ListFn(inputs, output, fingerprint, recovered, run_id)

    def expand(self, root: beam.pvalue.PBegin) -> Any:
        """Return the outputs `refs` and `listing`."""
        return root | "Start" >> beam.Create([None]) | "List" >> beam.ParDo(self._fn).with_outputs(LISTING, main="refs")


class _ListFn(beam.DoFn):
    def __init__(self, inputs: Inputs, output: Folder, fingerprint: str, recovered: tuple[PartFile, ...], run_id: str) -> None:
        self._inputs = inputs
        self._output = output
        self._fingerprint = fingerprint
        self._recovered = recovered
        self._run_id = run_id

    def process(self, _: None) -> Iterator[BlobRef | TaggedOutput]:
        done = Done(self._output, self._fingerprint, self._recovered)
        given = self._inputs
        listed = skipped = 0
        for ref in list_blobs(given.inputs, given.manifest, given.storage_options, without=self._output.url):
            listed += 1
            count(self._run_id, LISTED)
            if done.is_recovered(ref.uri, ref.source_version):
                continue
            if done.is_committed(ref.uri, ref.source_version):
                skipped += 1
                count(self._run_id, SKIPPED)
                continue
            yield ref
        yield TaggedOutput(LISTING, Listing(listed=listed, skipped=skipped, unmatched=done.unmatched()))
