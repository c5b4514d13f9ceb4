"""The main job's graph.

discover ─► native extraction ─► rows ─► staged parts ─┐
                └► page tasks ─► OCR ─► rows ─► parts ─┴► commit
"""

from __future__ import annotations

from dataclasses import dataclass

import apache_beam as beam
from apache_beam.transforms.combiners import ToListCombineFn
from apache_beam.utils.shared import Shared

from docbeam.schemas.options import WorkOptions
from docbeam.transforms.commit import Listing, RunHead, commit, run_report
from docbeam.transforms.extract import TASKS, ExtractNative, Job
from docbeam.transforms.listing import LISTING, Discover, Inputs
from docbeam.transforms.parts import PartFile, ensure_datasets
from docbeam.transforms.recognise import RecognisePages
from docbeam.transforms.recover import without_rows
from docbeam.transforms.storage import Folder
from docbeam.transforms.write import WriteRows


@dataclass(frozen=True, kw_only=True)
class ExtractRun:
    """One run of the main job. `is_spread`: references are reshuffled over workers; one process alone has no need to."""

    inputs: Inputs
    output: Folder
    job: Job
    work: WorkOptions
    head: RunHead
    recovered: tuple[PartFile, ...] = ()
    is_spread: bool = True


def build(pipeline: beam.Pipeline, run: ExtractRun) -> beam.PCollection:
    """Add the whole job to a pipeline; return the PCollection of its one run report."""
    shared = Shared()
    found = pipeline | "Discover" >> Discover(run.inputs, run.output, run.job.stamp.fingerprint, run.recovered, run.head.run_id)
    refs = found.refs | "SpreadReferences" >> beam.Reshuffle() if run.is_spread else found.refs
    native = refs | "ExtractNative" >> ExtractNative(run.job, shared)
    recognised = native[TASKS] | "Recognise" >> RecognisePages(run.job, shared)
    parts = [
        native.rows | "WriteNative" >> _writer(run),
        recognised | "WriteRecognised" >> _writer(run),
    ]
    return (
        parts
        | "AllParts" >> beam.Flatten()
        | "Barrier" >> beam.CombineGlobally(ToListCombineFn())
        | "Commit" >> beam.Map(_committed, beam.pvalue.AsSingleton(found[LISTING]), run=run)
    )


def _writer(run: ExtractRun) -> WriteRows:
    return WriteRows(run.output, run.head.run_id, run.job.stamp, run.work.part_rows, run.work.part_bytes)


def _committed(parts: list[PartFile], listing: Listing, run: ExtractRun) -> dict[str, object]:
    run_id = run.head.run_id
    recovered = run.recovered
    if listing.unmatched:
        kept = (without_rows(run.output, run_id, part, listing.unmatched) for part in recovered)
        recovered = tuple(part for parts_kept in kept for part in parts_kept)
    parts = ensure_datasets(run.output, run_id, [*recovered, *parts])
    report = run_report(run.head, listing, parts)
    commit(run.output, report)
    return report
