"""Where an output stands: what is done, in quarantine, waiting and held, and what a run over given inputs would do.

Nothing is written. Columns are streamed; memory holds what a run would hold for the same question. No Beam here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow.parquet as pq

from docbeam.schemas.records import BlobRef
from docbeam.transforms.commit import PLAN
from docbeam.transforms.discover import list_blobs
from docbeam.transforms.done import Decision, Done, DoneRules
from docbeam.transforms.gone import BATCH_ROWS, Gone, find_gone
from docbeam.transforms.lease import holder_of
from docbeam.transforms.ledger import Ledger, PartRecord
from docbeam.transforms.parts import STAGING, is_unfit, name_parts
from docbeam.transforms.recover import staged_parts
from docbeam.transforms.storage import Folder

STATUS_COLUMNS = ["depth", "engine_fingerprint"]


@dataclass(kw_only=True)
class Status:
    """Counts of live rows, and what else lies in an output.

    `inputs` and `embedded` are by dataset, `quarantine` by category and whether another try can help, `engines` counts
    inputs by fingerprint. `missing`: live part files that are not there.
    """

    inputs: Counter[str] = field(default_factory=Counter)
    embedded: Counter[str] = field(default_factory=Counter)
    quarantine: Counter[tuple[str, bool]] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    missing: int = 0
    waiting: dict[str, Waiting] = field(default_factory=dict)
    holder: dict[str, Any] | None = None
    is_held: bool = False

    def form(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        retryable = [
            {"category": category, "is_retryable": is_retryable, "rows": rows}
            for (category, is_retryable), rows in self.quarantine.most_common()
        ]
        waiting = {
            run_id: {"files": found.files, "rows": found.rows, "bytes": found.bytes, "is_commit_begun": found.is_begun}
            for run_id, found in self.waiting.items()
        }
        return {
            "inputs": dict(self.inputs),
            "embedded": dict(self.embedded),
            "quarantine": retryable,
            "engines": dict(self.engines.most_common()),
            "missing_part_files": self.missing,
            "pending": waiting,
            "holder": self.holder,
            "is_held": self.is_held,
        }


@dataclass
class Waiting:
    """What a run has left in its staging folder. `is_begun`: its commit was begun; the next run finishes it."""

    files: int = 0
    rows: int = 0
    bytes: int = 0
    is_begun: bool = False


def status_of(output: Folder, ledger: Ledger, note: Callable[[int], None] = lambda rows: None) -> Status:
    """Return where an output stands. `note` is told the rows of each part file that was looked at."""
    status = Status()
    for part in ledger.live:
        try:
            for batch in _batches(output, part):
                _count(status, part.dataset, batch)
        except FileNotFoundError:
            status.missing += 1
        note(part.rows)
    status.waiting = _waiting(output)
    status.holder, status.is_held = holder_of(output)
    return status


def _batches(output: Folder, part: PartRecord) -> Iterator[dict[str, list[Any]]]:
    columns = STATUS_COLUMNS + (["error_category", "is_retryable"] if part.dataset == "quarantine" else [])
    with output.open(part.name) as file:
        for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=columns):
            yield batch.to_pydict()


def _count(status: Status, dataset: str, columns: dict[str, list[Any]]) -> None:
    depths = columns["depth"]
    status.inputs[dataset] += depths.count(0)
    status.embedded[dataset] += len(depths) - depths.count(0)
    status.engines.update(made for made, depth in zip(columns["engine_fingerprint"], depths, strict=True) if depth == 0)
    if "error_category" in columns:
        status.quarantine.update(zip(columns["error_category"], columns["is_retryable"], strict=True))


def _waiting(output: Folder) -> dict[str, Waiting]:
    """Return what killed or running runs have staged, by their ids."""
    found: dict[str, Waiting] = {}
    for name in output.names(STAGING):
        run_id = name.removeprefix(f"{STAGING}/").split("/", 1)[0]
        waiting = found.setdefault(run_id, Waiting())
        if name.endswith(f"/{PLAN}"):
            waiting.is_begun = True
        elif name_parts(name) is not None and not is_unfit(run_id):
            try:
                with output.open(name) as file:
                    waiting.rows += pq.ParquetFile(file).metadata.num_rows
                waiting.files += 1
                waiting.bytes += int(output.fs.size(output.path(name)) or 0)
            except (OSError, ValueError):  # half a file, or one that a run has just moved
                continue
    return found


def begun_commits(output: Folder) -> list[str]:
    """Return the ids of runs whose commit was cut."""
    return [name.split("/")[-2] for name in output.names(STAGING) if name.endswith(f"/{PLAN}")]


def planned(
    output: Folder,
    inputs: tuple[str, ...],
    manifest: str | None,
    rules: DoneRules,
    note: Callable[[BlobRef, Decision], None] = lambda ref, decision: None,
) -> tuple[Counter[Decision], Gone]:
    """Return what a run over these inputs would do: how many it decides what of, and which inputs are gone.

    `note` is told of each input as it is listed.
    """
    options = rules.storage_options or {}
    done = Done(output, rules, staged_parts(output, rules.fingerprint))
    counts, problems = Counter[Decision](), list[str]()
    for ref in list_blobs(inputs, manifest, options, without=output.url):
        decision = done.decide(ref)
        done.note(ref, decision)
        counts[decision] += 1
        if ref.problem is not None:
            problems.append(ref.uri)
        note(ref, decision)
    return counts, find_gone(output, done.ledger, done.unlisted(), inputs, problems, options)
