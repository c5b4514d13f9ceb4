"""The replay's graph: as the main job's, but what is listed are quarantined inputs, and their new rows replace the old.

select ─► native extraction ─► OCR ─► rows that say more than the old ones ─► staged parts ─► commit
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.transforms.combiners import ToListCombineFn

from docbeam.pipelines.extract import ExtractRun, written_parts
from docbeam.transforms.commit import MOST_NAMED, Listing, commit, published, run_report
from docbeam.transforms.copies import Candidate
from docbeam.transforms.lease import check_lease
from docbeam.transforms.ledger import Ledger, read_ledger
from docbeam.transforms.listing import LISTING
from docbeam.transforms.parts import PartFile, ensure_datasets
from docbeam.transforms.recover import without_rows
from docbeam.transforms.replay import STAYED, KeepOld, Reselect, Selected, Stayed, lost_texts, with_stayed
from docbeam.transforms.supersede import key_of, root_keys, superseded_parts


@dataclass(frozen=True, kw_only=True)
class ReplayRun:
    """One replay: a run whose inputs are selected in the output itself."""

    run: ExtractRun
    selected: Selected


def build(pipeline: beam.Pipeline, replay: ReplayRun) -> beam.PCollection:
    """Add the whole job to a pipeline; return the PCollection of its one run report."""
    run = replay.run
    found = pipeline | "Select" >> Reselect(replay.selected, run.output, run.head.run_id)
    stayed = [found[STAYED]]

    def keep_old(rows: beam.PCollection, label: str) -> beam.PCollection:
        kept = rows | label >> KeepOld(run.head.run_id)
        stayed.append(kept[STAYED])
        return kept.rows

    candidates = None
    refs = found.refs
    if run.job.options.dedupe:
        candidates, refs = refs | "AllMayHaveCopies" >> beam.Map(Candidate), pipeline | "NoOthers" >> beam.Create([])
    parts = written_parts(refs, run, candidates, keep=keep_old)
    all_stayed = stayed | "AllStayed" >> beam.Flatten()
    return (
        parts
        | "Barrier" >> beam.CombineGlobally(ToListCombineFn())
        | "Commit" >> beam.Map(_committed, beam.pvalue.AsSingleton(found[LISTING]), beam.pvalue.AsList(all_stayed), run=run)
    )


def _committed(parts: list[PartFile], listing: Listing, stayed: list[Stayed], run: ExtractRun) -> dict[str, Any]:
    output, run_id = run.output, run.head.run_id
    if (done := published(output, run_id)) is not None:
        return done
    check_lease(output, run_id, must_be_there=True)
    ledger = read_ledger(output)
    lost = list(lost_texts(output, ledger, parts))
    if lost:
        stayed = [*stayed, *lost]
        keys = frozenset(key_of(one.uri) for one in lost)
        parts = [kept for part in parts for kept in without_rows(output, run_id, part, keys)]
    roots = root_keys(output, (part.name for part in parts))
    replaced = list(superseded_parts(output, run_id, ledger, roots))
    forms = [change.form() for change in replaced]
    report = run_report(run.head, with_stayed(listing, stayed), ensure_datasets(output, run_id, parts, forms))
    report["stayed"] = [{"uri": one.uri, "reason": one.reason} for one in sorted(stayed, key=lambda one: one.uri)[:MOST_NAMED]]
    report["replaced"] = forms
    report["replaced_fingerprints"] = sorted(_fingerprints(ledger, {part.run_id for change in replaced for part in change.old}))
    commit(output, report)
    return report


def _fingerprints(ledger: Ledger, run_ids: set[str]) -> set[str]:
    """Return the fingerprints that the new rows stand for: a later run under one of them need not read these inputs again."""
    runs = [ledger.run(run_id) for run_id in run_ids]
    return {found for run in runs for found in (run["engine_fingerprint"], *run.get("replaced_fingerprints", ()))}
