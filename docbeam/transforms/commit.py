"""The commit: after every row is staged, move the part files into place and write the run file last.

The plan is written first. Whoever finds a plan without its run file carries it out again: each step may be repeated.
Where rows are replaced, their history is in place before anything is taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from docbeam.transforms.gone import MOST_NAMED as MOST_NAMED
from docbeam.transforms.gone import NOTHING_GONE, Gone
from docbeam.transforms.ledger import RUNS, previous_run, sealed
from docbeam.transforms.parts import DURATION_STEP, SCRATCH, STAGING, PartFile, name_parts
from docbeam.transforms.storage import Folder

PLAN = "commit.json"
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What the listing found. `expected`: inputs to be read whose digests or sizes a manifest names.

    `unmatched`: recovered URIs (digests) whose inputs are gone or changed. `other_engine`: how many of the skipped ones
    another engine, or other options, have read. `replaces`: URIs (digests) that have rows and are read again.
    """

    listed: int
    skipped: int
    expected: int = 0
    unmatched: frozenset[bytes] = frozenset()
    other_engine: int = 0
    replaces: frozenset[bytes] = frozenset()
    gone: Gone = NOTHING_GONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHead:
    """What is known of a run when it starts. `engine` is what the fingerprint is made of, `command` what was asked for."""

    run_id: str
    started_at: str
    inputs: tuple[str, ...]
    engine_version: str
    engine_fingerprint: str
    engine: Mapping[str, Any]
    work: Mapping[str, Any]
    command: Mapping[str, Any] = field(default_factory=lambda: {"name": "extract"})


def run_report(head: RunHead, listing: Listing, parts: Iterable[PartFile]) -> dict[str, Any]:
    """Return the run file: the sums over all parts, and whether they add up to the listing."""
    placed = [(part, _final_name(head.run_id, part)) for part in sorted(parts, key=lambda part: part.name)]
    rows = Counter({"documents": 0, "quarantine": 0})
    inputs = Counter({"documents": 0, "quarantine": 0})
    sums: Counter[str] = Counter()
    tallies: dict[str, Counter[str]] = {}
    durations: Counter[int] = Counter()
    for part, _ in placed:
        rows[part.dataset] += part.rows
        inputs[part.dataset] += part.inputs
        sums.update(part.sums)
        durations.update({int(key): value for key, value in part.durations.items()})
        for key, values in part.tallies.items():
            tallies.setdefault(key, Counter()).update(values)
    total = listing.skipped + sum(inputs.values())
    embedded = sum(rows.values()) - sum(inputs.values())
    return {
        "run_id": head.run_id,
        "command": dict(head.command),
        "started_at": head.started_at,
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "inputs": list(head.inputs),
        "listed": listing.listed,
        "skipped": listing.skipped,
        "rows": dict(rows),
        "embedded_rows": {name: rows[name] - inputs[name] for name in rows},
        "sum_check": {
            "is_ok": total == listing.listed and embedded == sums["members"],
            "listed": listing.listed,
            "skipped": listing.skipped,
            "documents": inputs["documents"],
            "quarantine": inputs["quarantine"],
            "duplicates": sums["duplicates"],
            "members": sums["members"],
            "embedded_rows": embedded,
        },
        "rates": _rates(inputs, tallies.get("error_category", Counter()), listing.expected),
        "sums": dict(sorted(sums.items())),
        "counts": {key: dict(values.most_common()) for key, values in sorted(tallies.items())},
        "duration_ms": _quantiles(durations),
        "engine_version": head.engine_version,
        "engine_fingerprint": head.engine_fingerprint,
        "engine": dict(head.engine),
        "work": dict(head.work),
        "parts": [
            {"name": name, "staged": part.name, "rows": part.rows, "bytes": part.file_bytes, "sha256": part.sha256}
            for part, name in placed
        ],
    }


def commit(output: Folder, report: Mapping[str, Any]) -> None:
    """Publish a run: plan, moves, run file, in this order. Raises: OSError as the storage raises it."""
    plan = {**report, "previous": previous_run(output)}
    output.write_json(f"{STAGING}/{report['run_id']}/{PLAN}", plan)
    finish_commit(output, plan)


def published(output: Folder, run_id: str) -> dict[str, Any] | None:
    """Return the run file if an earlier try of the commit step has come far enough, once all is in place; else None.

    A runner tries a step again whose worker was lost, even when its work was done.
    """
    with suppress(FileNotFoundError):
        finish_commit(output, output.read_json(f"{STAGING}/{run_id}/{PLAN}"))
    try:
        report: dict[str, Any] = output.read_json(f"{RUNS}/{run_id}.json")
    except FileNotFoundError:
        return None
    output.remove(f"{STAGING}/{run_id}")
    output.remove(SCRATCH)
    return report


def finish_commit(output: Folder, report: Mapping[str, Any]) -> None:
    """Carry out a plan, from wherever an earlier try was stopped."""
    run_id, replaced = report["run_id"], report.get("replaced", ())
    for staged, name in _moves(report):
        output.move(staged, name)
    for change in replaced:  # one after the other, so that little is there twice
        if change["kept"]:
            output.move(change["kept"]["staged"], change["kept"]["name"])
        for old in change["old"]:
            output.remove(old["name"])
    for part in report.get("dropped", ()):
        output.remove(part["name"])
    output.write_json(f"{RUNS}/{run_id}.json", sealed(_published(report)))
    output.remove(f"{STAGING}/{run_id}")
    if report.get("command", {}).get("name") != "compact":  # which reads nothing: a killed run still needs its pages
        output.remove(SCRATCH)


def _moves(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (staged name, final name) of the files that only add something, history first."""
    history = (change["history"] for change in report.get("replaced", ()) if change["history"])
    for part in (*history, *report["parts"], *report.get("tombstones", ())):
        yield part["staged"], part["name"]


def _published(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan without the staged names, which mean nothing once it is carried out."""
    published = {**report, "parts": _without_staged(report["parts"])}
    if "tombstones" in report:
        published["tombstones"] = _without_staged(report["tombstones"])
    if "replaced" in report:
        published["replaced"] = [
            {what: part and _without_staged([part])[0] if what != "old" else part for what, part in change.items()}
            for change in report["replaced"]
        ]
    return published


def _without_staged(parts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in part.items() if key != "staged"} for part in parts]


def _rates(inputs: Counter[str], categories: Counter[str], expected: int) -> dict[str, Any]:
    """Return what a run is judged by, as shares from 0 to 1 of its inputs; None where there were none."""
    made = inputs["documents"] + inputs["quarantine"]
    mismatched = categories["integrity_mismatch"]
    return {
        "extraction": _share(inputs["documents"], made),
        "quarantine": _share(inputs["quarantine"], made),
        "integrity": _share(expected - mismatched, expected),
        "integrity_expected": expected,
        "integrity_mismatched": mismatched,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _final_name(run_id: str, part: PartFile) -> str:
    named = name_parts(part.name)
    assert named is not None, part.name
    return f"{part.dataset}/run_id={run_id}/part-{named[1]}.parquet"


def _quantiles(durations: Counter[int]) -> dict[str, int]:
    total, found, seen = sum(durations.values()), dict[str, int](), 0
    for step in sorted(durations):
        seen += durations[step]
        for name, share in QUANTILES.items():
            if name not in found and seen >= share * total:
                found[name] = round(DURATION_STEP**step)
    return found
