"""The main job's graph.

discover ─► native extraction ─► rows ─► staged parts ─┐
  │             └► page tasks ─► OCR ─► rows ─► parts ─┴► commit
  └► candidates for copies ─► hash, compare ─► native extraction, as above (with `dedupe`)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import apache_beam as beam
from apache_beam.transforms.combiners import ToListCombineFn
from apache_beam.utils.shared import Shared

from docbeam.schemas.options import RerunOptions, WorkOptions
from docbeam.transforms.commit import Listing, RunHead, commit, published, run_report
from docbeam.transforms.dedupe import FindCopies
from docbeam.transforms.extract import TASKS, ExtractNative, Job
from docbeam.transforms.lease import check_lease
from docbeam.transforms.ledger import read_ledger
from docbeam.transforms.listing import CANDIDATES, LISTING, Discover, Inputs
from docbeam.transforms.parts import PartFile, ensure_datasets
from docbeam.transforms.recognise import RecognisePages
from docbeam.transforms.recover import without_rows
from docbeam.transforms.renew import renewed
from docbeam.transforms.storage import Folder
from docbeam.transforms.write import WriteRows


@dataclass(frozen=True, kw_only=True)
class ExtractRun:
    """One run of the main job. `is_spread`: references are reshuffled over workers; one process alone has no need to.

    `ocr_hints`: Beam's resource hints for the recognition, for runners that choose machines by them.
    """

    inputs: Inputs
    output: Folder
    job: Job
    work: WorkOptions
    head: RunHead
    recovered: tuple[PartFile, ...] = ()
    rerun: RerunOptions = field(default_factory=RerunOptions)
    is_spread: bool = True
    ocr_hints: Mapping[str, str] = field(default_factory=dict)


def build(pipeline: beam.Pipeline, run: ExtractRun) -> beam.PCollection:
    """Add the whole job to a pipeline; return the PCollection of its one run report."""
    found = pipeline | "Discover" >> Discover(run.inputs, run.output, run.recovered, run.job, run.rerun.reprocess)
    candidates = found[CANDIDATES] if run.job.options.dedupe else None
    return (
        written_parts(found.refs, run, candidates)
        | "Barrier" >> beam.CombineGlobally(ToListCombineFn())
        | "Commit" >> beam.Map(_committed, beam.pvalue.AsSingleton(found[LISTING]), run=run)
    )


def written_parts(
    refs: beam.PCollection,
    run: ExtractRun,
    candidates: beam.PCollection | None = None,
    keep: Callable[[beam.PCollection, str], beam.PCollection] | None = None,
) -> beam.PCollection:
    """Return the part files of all rows of these references, and of the candidates for copies, if there are any.

    `keep`, given rows and a label, takes some out before they are written. References are not flattened with those that
    have copies: that would hold all of them in memory.
    """
    shared = Shared()
    sources = {"Native": refs | "SpreadReferences" >> beam.Reshuffle() if run.is_spread else refs}
    if candidates is not None:
        sources["Copies"] = candidates | "FindCopies" >> FindCopies(run.job, run.is_spread)
    natives = {name: found | f"Extract{name}" >> ExtractNative(run.job, shared) for name, found in sources.items()}
    tasks = [native[TASKS] for native in natives.values()]
    all_tasks = tasks[0] if len(tasks) == 1 else tasks | "AllTasks" >> beam.Flatten()
    rows = {name: native.rows for name, native in natives.items()}
    rows["Recognised"] = all_tasks | "Recognise" >> RecognisePages(run.job, shared, run.ocr_hints)
    parts = []
    for name, found in rows.items():
        kept = keep(found, f"Keep{name}") if keep is not None else found
        parts.append(kept | f"Write{name}" >> _writer(run))
    return parts | "AllParts" >> beam.Flatten()


def _writer(run: ExtractRun) -> WriteRows:
    return WriteRows(run.output, run.head.run_id, run.job.stamp, run.work.part_rows, run.work.part_bytes)


def _committed(parts: list[PartFile], listing: Listing, run: ExtractRun) -> dict[str, object]:
    run_id = run.head.run_id
    if (done := published(run.output, run_id)) is not None:
        return done
    check_lease(run.output, run_id, must_be_there=True)
    recovered = run.recovered
    if listing.unmatched:
        kept = (without_rows(run.output, run_id, part, listing.unmatched) for part in recovered)
        recovered = tuple(part for parts_kept in kept for part in parts_kept)
    ledger = read_ledger(run.output)
    change = renewed(run.output, run_id, ledger, [*recovered, *parts], listing, run.rerun.tombstones)
    placed = ensure_datasets(run.output, run_id, change.parts, change.more["replaced"])
    report = {
        **run_report(run.head, change.listing, placed),
        "rerun": dataclasses.asdict(run.rerun),
        **change.more,
    }
    commit(run.output, report)
    return report
