"""Is the dataset still what its runs wrote? Run files and their chain, part files, rows and sums, one finding after the other.

Everything is read from storage and compared with the run files; memory holds eight bytes a row of one run. No Beam here.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.extractors.source import CHUNK_BYTES
from docbeam.schemas.arrow import DATASETS
from docbeam.transforms.commit import PLAN
from docbeam.transforms.ledger import DIGEST, NO_RUN_FILE, RUNS, TOMBSTONES, Ledger, PartRecord, checked_report, content_digest
from docbeam.transforms.parts import STAGING
from docbeam.transforms.places import first_line
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import SUPERSEDED, key_of

BATCH_ROWS = 10_000
SUMMED = ("documents", "quarantine", "members", "embedded_rows", "duplicates")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as the run files say. `kind`: changed, missing, extra, unreadable, unfinished or sums."""

    kind: str
    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.kind:10} {self.name}: {self.message}"


def run_file_problems(output: Folder) -> Iterator[Problem]:
    """Yield what is wrong with the run files: each has a digest of its own, and the SHA-256 of the one before it."""
    digests: dict[str, str] = {}
    previous: list[tuple[str, dict[str, str]]] = []
    for name in output.names(RUNS):
        try:
            data = output.read(name)
            report = checked_report(json.loads(data))
        except (*NO_RUN_FILE, OSError) as error:
            yield Problem("unreadable", name, f"no run file: {type(error).__name__}: {error}")
            continue
        if DIGEST not in report and "previous" in report:  # those of older versions have neither
            yield Problem("changed", name, "it has no digest of its own any more")
        elif DIGEST in report and report[DIGEST] != content_digest(report):
            yield Problem("changed", name, f"its content has digest {content_digest(report)}, it says {report[DIGEST]}")
        elif name != f"{RUNS}/{report['run_id']}.json":
            yield Problem("changed", name, f"it is the run file of {report['run_id']}")
        digests[report["run_id"]] = hashlib.sha256(data).hexdigest()
        if report.get("previous"):
            previous.append((name, report["previous"]))
    for name, before in previous:
        found = digests.get(before["run_id"])
        if found is None:
            yield Problem("missing", f"{RUNS}/{before['run_id']}.json", f"{name} names it as the run before")
        elif found != before["sha256"]:
            message = f"its SHA-256 is {found}, {name} says {before['sha256']}"
            yield Problem("changed", f"{RUNS}/{before['run_id']}.json", message)
    begun = set[str]()
    there = {*output.names(RUNS), *(f"{RUNS}/{before['run_id']}.json" for _, before in previous)}
    for name in output.names(STAGING):
        if name.endswith(f"/{PLAN}"):
            begun.add(name.split("/")[-2])
            yield Problem("unfinished", name, "a commit was cut; the next `docbeam extract` or `docbeam replay` finishes it")
    gone = {name: f"{RUNS}/{run}.json" for name, run in _runs_of_files(output) if run not in begun}
    for run_file in sorted(set(gone.values()) - there):
        example = next(name for name, wanted in gone.items() if wanted == run_file)
        yield Problem("missing", run_file, f"{example} is of this run")


def _runs_of_files(output: Folder) -> Iterator[tuple[str, str]]:
    """Yield each file in the datasets with the runs that its folders name: the newest run file has no other witness."""
    for folder in (*DATASETS, SUPERSEDED):
        for name in output.names(folder):
            yield from ((name, run) for run in re.findall(r"/(?:superseded_by|run_id)=([^/]+)(?=/)", name))


def part_problems(output: Folder, part: PartRecord) -> Iterator[Problem]:
    """Yield what is wrong with a part file: its size, SHA-256 and number of rows are those of the run file."""
    digest, size = hashlib.sha256(), 0
    try:
        with output.open(part.name) as file:
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
    except FileNotFoundError:
        yield Problem("missing", part.name, f"a part file of {part.rows} rows that run {part.run_id} wrote")
        return
    except (OSError, ValueError) as error:  # a folder in its place, no permission, a name that no file can have
        yield Problem("unreadable", part.name, first_line(error))
        return
    if size != part.file_bytes or digest.hexdigest() != part.sha256:
        message = f"{size} bytes with SHA-256 {digest.hexdigest()}, the run file says {part.file_bytes} with {part.sha256}"
        yield Problem("changed", part.name, message)
        return
    try:
        with output.open(part.name) as file:
            rows = pq.ParquetFile(file).metadata.num_rows
    except (OSError, pa.ArrowException) as error:
        yield Problem("unreadable", part.name, f"no Parquet file: {first_line(error)}")
        return
    if rows != part.rows:
        yield Problem("changed", part.name, f"{rows} rows, the run file says {part.rows}")


def extra_files(output: Folder, ledger: Ledger) -> Iterator[Problem]:
    """Yield the files in the datasets that no run file names."""
    known = {part.name for part in (*ledger.live, *ledger.history, *ledger.tombstones)}
    for folder in (*DATASETS, SUPERSEDED, TOMBSTONES):
        for name in output.names(folder):
            if name not in known:
                yield Problem("extra", name, "no run file names it")


def sum_problems(
    output: Folder, report: dict[str, Any], parts: Sequence[PartRecord], dropped: Sequence[Mapping[str, Any]] = ()
) -> Iterator[Problem]:
    """Yield what does not add up in one run, over all its part files, live or superseded, which are known to be whole.

    `dropped`: the forms of its history files that were removed for good.
    """
    name = f"{RUNS}/{report['run_id']}.json"
    check = report.get("sum_check", {})
    if check.get("is_ok") is not True:
        yield Problem("sums", name, f"the run's own sums did not add up: {check}")
    try:
        sums, twice = row_sums(output, parts)
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        yield Problem("unreadable", name, f"its part files have no rows to add up: {type(error).__name__}: {first_line(error)}")
        return
    for part in dropped:
        sums.update(part["sums"])
    rows = {dataset: sums[f"rows.{dataset}"] for dataset in DATASETS}
    if rows != report.get("rows"):
        yield Problem("sums", name, f"the part files have {rows} rows, the run file says {report.get('rows')}")
    for what in SUMMED:
        if what in check and sums[what] != check[what]:
            yield Problem("sums", name, f"the part files have {sums[what]} {what}, the run file says {check[what]}")
    if twice:
        for uri in _uris_of(output, parts, twice):
            yield Problem("sums", name, f"two rows for {uri}")
    for change in report.get("replaced", ()):
        before = sum(old["rows"] for old in change["old"])
        after = sum(change[what]["rows"] for what in ("kept", "history") if change[what])
        if before != after:
            names = ", ".join(old["name"] for old in change["old"]) or "nothing"
            yield Problem("sums", name, f"{names}: {before} rows were replaced by {after}")


def row_sums(output: Folder, parts: Sequence[PartRecord]) -> tuple[Counter[str], set[int]]:
    """Return the sums over a run's rows, and the short keys of URIs that are there more than once."""
    sums: Counter[str] = Counter()
    keys = array("Q")
    for part in parts:
        with output.open(part.name) as file:
            parquet = pq.ParquetFile(file)
            there = set(parquet.schema_arrow.names)
            columns = [name for name in ("uri", "depth", "duplicate_of", "member_count") if name in there]
            for batch in parquet.iter_batches(batch_size=BATCH_ROWS, columns=columns):
                _add(sums, keys, part.dataset, batch)
    found, counts = np.unique(np.frombuffer(keys, dtype=np.uint64), return_counts=True)
    return sums, {int(key) for key in found[counts > 1]}


def _add(sums: Counter[str], keys: array[int], dataset: str, batch: pa.RecordBatch) -> None:
    columns = batch.to_pydict()
    depths, copies = columns["depth"], columns.get("duplicate_of") or [None] * batch.num_rows
    sums[f"rows.{dataset}"] += batch.num_rows
    sums[dataset] += depths.count(0)
    sums["embedded_rows"] += batch.num_rows - depths.count(0)
    sums["duplicates"] += sum(1 for depth, copy in zip(depths, copies, strict=True) if depth == 0 and copy is not None)
    sums["members"] += sum(columns.get("member_count", ()))
    keys.extend(map(short_key, columns["uri"]))


def _uris_of(output: Folder, parts: Sequence[PartRecord], keys: set[int]) -> Iterator[str]:
    """Yield the URIs that really are there twice: equal short keys alone say little."""
    seen: set[str] = set()
    for part in parts:
        with output.open(part.name) as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=["uri"]):
                for uri in batch.column(0).to_pylist():
                    if short_key(uri) in keys:
                        if uri in seen:
                            yield uri
                        seen.add(uri)


def short_key(uri: str) -> int:
    """Return eight bytes of a URI's key, as a number."""
    return int.from_bytes(key_of(uri)[:8], "little")
