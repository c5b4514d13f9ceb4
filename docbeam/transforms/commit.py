"""The commit: after every row is staged, move the part files into place and write the run file last.

The plan is written first. Whoever finds a plan without its run file carries it out again: each step may be repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from docbeam.transforms.parts import DURATION_STEP, SCRATCH, STAGING, PartFile, name_parts
from docbeam.transforms.storage import Folder

PLAN = "commit.json"
RUNS = "runs"
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What the listing found. `unmatched`: recovered URIs (digests) whose inputs are gone or changed."""

    listed: int
    skipped: int
    unmatched: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHead:
    """What is known of a run when it starts. `engine` is what the fingerprint is made of."""

    run_id: str
    started_at: str
    inputs: tuple[str, ...]
    engine_version: str
    engine_fingerprint: str
    engine: Mapping[str, Any]
    work: Mapping[str, Any]


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
            "members": sums["members"],
            "embedded_rows": embedded,
        },
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
    output.write_json(f"{STAGING}/{report['run_id']}/{PLAN}", report)
    finish_commit(output, report)


def finish_commit(output: Folder, report: Mapping[str, Any]) -> None:
    """Carry out a plan, from wherever an earlier try was stopped."""
    run_id = report["run_id"]
    for part in report["parts"]:
        output.move(part["staged"], part["name"])
    published = {**report, "parts": [{k: v for k, v in part.items() if k != "staged"} for part in report["parts"]]}
    output.write_json(f"{RUNS}/{run_id}.json", published)
    output.remove(f"{STAGING}/{run_id}")
    output.remove(SCRATCH)


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
