"""Compaction: small part files of one run become fewer, older rows of the same input leave, and history goes if told so.

A part file is never changed. Merged ones are written anew and committed as any run's files are: plan, repeatable steps, run
file last. Only files of one folder (dataset and run) that follow each other by name are merged, and the new name sorts where
theirs did, so that rows keep their order and their run. A file that is not as its run file says is left alone.
"""

from __future__ import annotations

import hashlib
import io
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam import __version__
from docbeam.transforms.commit import Listing, RunHead, commit, run_report
from docbeam.transforms.gone import root_uris
from docbeam.transforms.lease import Lease, check_lease
from docbeam.transforms.ledger import Ledger, PartRecord, read_ledger
from docbeam.transforms.parts import STAGING, ensure_datasets, parquet_bytes
from docbeam.transforms.recover import drop_unfit, finish_begun_commits
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import SUPERSEDED, key_of, old_form, split_parts
from docbeam.transforms.verify import row_sums

Note = Callable[[str, int], None]


@dataclass(frozen=True, kw_only=True)
class CompactRules:
    """What a compaction makes: part files of at most so many rows and bytes, unpacked.

    `drop_days`: history older than that is removed for good; None keeps all of it.
    """

    part_rows: int
    part_bytes: int
    drop_days: float | None = None


@dataclass(kw_only=True)
class CompactPlan:
    """Part files to merge, in groups, inputs that have older rows too, and history files to drop.

    `broken`: part files that can't be read, because they are not what their run files say.
    """

    merges: list[list[PartRecord]] = field(default_factory=list)
    newest: dict[bytes, str] = field(default_factory=dict)
    drops: list[PartRecord] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def is_empty(self) -> bool:
        """Say whether there is nothing to do."""
        return not (self.merges or self.newest or self.drops)


def compact_plan(output: Folder, ledger: Ledger, rules: CompactRules, note: Note = lambda what, number: None) -> CompactPlan:
    """Return what a compaction would do. Memory grows with the number of part files and of inputs, not with their text."""
    newest, unreadable = _with_older_rows(output, ledger, note)
    plan = CompactPlan(newest=newest, broken=unreadable)
    plan.drops = list(_old_history(ledger, rules.drop_days))
    dropped = {part.name for part in plan.drops}
    history = [part for part in ledger.history if part.name not in dropped]
    for parts in _folders((*ledger.live, *history)):
        plan.merges += _groups(output, parts, rules, note)
    return plan


def compact(
    output: Folder, run_id: str, rules: CompactRules, note: Note = lambda what, number: None
) -> tuple[dict[str, Any] | None, list[str]]:
    """Compact an output under its lease; return the run file, None if there is nothing to do, and the names left alone.

    Raises: UsageError if a run holds the output; OSError as the storage raises it.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    with Lease(output, run_id):
        finish_begun_commits(output)
        drop_unfit(output)
        ledger = read_ledger(output)
        plan = compact_plan(output, ledger, rules, note)
        broken = plan.broken
        replaced = list(_changes(output, run_id, ledger, plan, broken, note))
        dropped = list(_dropped(output, plan.drops, broken))
        if not (replaced or dropped):
            output.remove(f"{STAGING}/{run_id}")
            return None, broken
        head = RunHead(
            run_id=run_id,
            started_at=started,
            inputs=(),
            engine_version=__version__,
            engine_fingerprint="",
            engine={},
            work={"part_rows": rules.part_rows, "part_bytes": rules.part_bytes},
            command={"name": "compact", "drop_history_days": rules.drop_days},
        )
        parts = ensure_datasets(output, run_id, [], replaced)
        report = {**run_report(head, Listing(listed=0, skipped=0), parts), "replaced": replaced, "dropped": dropped}
        check_lease(output, run_id, must_be_there=True)
        commit(output, report)
        return report, broken


def _with_older_rows(output: Folder, ledger: Ledger, note: Note) -> tuple[dict[bytes, str], list[str]]:
    """Return the newest run of each input that has live rows of several runs, and the names of parts that are broken."""
    newest: dict[bytes, str] = {}
    several: set[bytes] = set()
    broken: list[str] = []
    for part in ledger.live:  # oldest run first
        try:
            for key in map(key_of, root_uris(output, part.name)):
                if newest.get(key, part.run_id) != part.run_id:
                    several.add(key)
                newest[key] = max(newest.get(key, ""), part.run_id)
        except (OSError, pa.ArrowException):
            if _whole(output, part) is not None:
                raise
            broken.append(part.name)
        note("part files looked at", 1)
    return {key: newest[key] for key in several}, broken


def _old_history(ledger: Ledger, days: float | None) -> Iterator[PartRecord]:
    """Yield the history files whose rows were replaced longer ago than that."""
    if days is None:
        return
    latest = datetime.now(UTC) - timedelta(days=days)
    ended = {run["run_id"]: str(run.get("finished_at", "")) for run in ledger.runs}
    for part in ledger.history:
        found = re.search(r"/superseded_by=([^/]*)/", part.name)
        if found and ended.get(found[1]) and datetime.fromisoformat(ended[found[1]]) <= latest:
            yield part


def _folders(parts: Iterable[PartRecord]) -> Iterator[list[PartRecord]]:
    folders: dict[str, list[PartRecord]] = {}
    for part in parts:
        folders.setdefault(part.name.rpartition("/")[0], []).append(part)
    for _, found in sorted(folders.items()):
        yield sorted(found, key=lambda part: part.name)


def _groups(output: Folder, parts: Sequence[PartRecord], rules: CompactRules, note: Note) -> Iterator[list[PartRecord]]:
    """Yield the parts of one folder that become one: they follow each other, have one schema, and fit together."""
    group: list[PartRecord] = []
    rows = size = 0
    schema: pa.Schema | None = None
    for part in parts if len(parts) > 1 else ():
        measured = _measured(output, part)
        note("part files measured", 1)
        fits = measured is not None and rows + part.rows <= rules.part_rows and size + measured[0] <= rules.part_bytes
        if not (fits and measured is not None and (schema is None or measured[1].equals(schema, check_metadata=True))):
            if len(group) > 1:
                yield group
            group, rows, size, schema = [], 0, 0, None
        if measured is not None:
            group.append(part)
            rows, size, schema = rows + part.rows, size + measured[0], measured[1]
    if len(group) > 1:
        yield group


def _measured(output: Folder, part: PartRecord) -> tuple[int, pa.Schema] | None:
    """Return the unpacked size and the schema of a part file; None if it can't be read."""
    try:
        with output.open(part.name) as file:
            parquet = pq.ParquetFile(file)
            metadata = parquet.metadata
            size = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
            return size, parquet.schema_arrow
    except (OSError, pa.ArrowException):
        if _whole(output, part) is not None:
            raise
        return None  # `docbeam verify` names it


def _changes(
    output: Folder, run_id: str, ledger: Ledger, plan: CompactPlan, broken: list[str], note: Note
) -> Iterator[dict[str, Any]]:
    """Stage what replaces part files, and yield what the run file says of it."""
    split: set[str] = set()
    if plan.newest:
        sound = replace(ledger, live=tuple(part for part in ledger.live if part.name not in plan.broken))
        for change in split_parts(output, run_id, sound, lambda part, root: plan.newest.get(root, part.run_id) != part.run_id):
            split.update(part.name for part in change.old)
            yield change.form()
    for group in plan.merges:
        if split.isdisjoint(part.name for part in group):  # else next time
            merged = _merged(output, run_id, group, broken)
            note("part files merged", len(group) if merged else 0)
            if merged is not None:
                what, other = ("history", "kept") if group[0].name.startswith(SUPERSEDED) else ("kept", "history")
                yield {"old": [old_form(part) for part in group], what: merged, other: None}


def _merged(output: Folder, run_id: str, group: Sequence[PartRecord], broken: list[str]) -> dict[str, Any] | None:
    """Stage one file for many; None if one of them is not what its run file says."""
    tables = []
    for part in group:
        data = _whole(output, part)
        if data is None:
            broken += [part.name] if part.name not in broken else []
            return None
        tables.append(pq.read_table(io.BytesIO(data)))
    table = pa.concat_tables(tables)
    del tables
    data = parquet_bytes(table)
    token = uuid.uuid4().hex
    staged = f"{STAGING}/{run_id}/merged-{token}.parquet"
    output.write(staged, data)
    folder, _, first = group[0].name.rpartition("/")
    stem = "-".join(first.removesuffix(".parquet").split("-")[:2])  # a part that was merged before has a third piece
    name = f"{folder}/{stem}-{token[:12]}.parquet"  # sorts where the first of them did
    digest = hashlib.sha256(data).hexdigest()
    return {"name": name, "staged": staged, "rows": table.num_rows, "bytes": len(data), "sha256": digest}


def _whole(output: Folder, part: PartRecord) -> bytes | None:
    """Return a part file's bytes; None if they are not those that the run file names."""
    try:
        data = output.read(part.name)
    except FileNotFoundError:
        return None
    return data if hashlib.sha256(data).hexdigest() == part.sha256 else None


def _dropped(output: Folder, drops: Iterable[PartRecord], broken: list[str]) -> Iterator[Mapping[str, Any]]:
    """Yield what the run file says of history that is removed: the sums over its rows, so that its run still adds up."""
    for part in drops:
        if _whole(output, part) is None:
            broken.append(part.name)
            continue
        sums, _ = row_sums(output, [part])
        yield {**old_form(part), "sums": dict(sums)}
