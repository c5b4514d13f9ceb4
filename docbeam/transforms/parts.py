"""Part files: rows become a Parquet file in the staging folder, and a record of what is in it.

OUT/documents/run_id=…/part-*.parquet     committed rows
OUT/quarantine/run_id=…/part-*.parquet
OUT/runs/<run_id>.json                    written last: what a reader can trust
OUT/_docbeam/staging/<run_id>/…           whole part files of a run that is not committed yet
OUT/_docbeam/scratch/<fingerprint>/…      pages recognised so far
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import secrets
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.arrow import DATASETS
from docbeam.transforms.storage import Folder

OURS = "_docbeam"
STAGING = f"{OURS}/staging"
SCRATCH = f"{OURS}/scratch"
ROW_GROUP_BYTES = 16 * 1024 * 1024  # of text: small enough to stream, large enough to compress well
ZSTD_LEVEL = 3
REPLAY_SUFFIX = "-replay"  # of the id of a run that reads quarantined inputs again
COMPACT_SUFFIX = "-compact"  # of the id of a run that merges part files
DURATION_STEP = 1.1  # durations are counted in classes 10 % apart: quantiles within 5 %
TALLIES = ("media_type", "branch", "confidence", "error_category", "truncation_reason")


@dataclass(frozen=True, slots=True)
class PartFile:
    """One part file: where it is, its digest, and the sums over its rows."""

    dataset: str
    name: str
    rows: int
    inputs: int
    file_bytes: int
    sha256: str
    sums: Mapping[str, int] = field(default_factory=dict)
    tallies: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    durations: Mapping[int, int] = field(default_factory=dict)


def stage_parts(folder: Folder, run_id: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[PartFile]:
    """Write the rows of each dataset as one whole file in the staging folder of a run.

    The files belong together: the rows of one input can be in both. Their names share a token and say how many they
    are, so that a recovery takes all of them or none. Raises: OSError as the storage raises it.
    """
    tables = {dataset: pa.Table.from_pylist(list(found), schema=DATASETS[dataset]) for dataset, found in rows.items()}
    return stage_tables(folder, run_id, tables)


def stage_tables(folder: Folder, run_id: str, tables: Mapping[str, pa.Table]) -> list[PartFile]:
    """Write tables as files that belong together; see stage_parts."""
    token = uuid.uuid4().hex
    parts = []
    for dataset, table in sorted(tables.items()):
        data = parquet_bytes(table)
        name = f"{STAGING}/{run_id}/{dataset}-{token}-{len(tables)}.parquet"
        folder.write(name, data)
        parts.append(described(dataset, name, table, data))
    return parts


def new_run_id(suffix: str = "") -> str:
    """Return an id for a run: ids sort by the time they were made, to the microsecond."""
    now = datetime.now(UTC)
    return f"{now:%Y%m%dT%H%M%S}Z-{now.microsecond:05x}{secrets.token_hex(2)}{suffix}"


def is_unfit(run_id: str) -> bool:
    """Say whether a run is a replay or a compaction: what such a run has staged when it is killed is of no use to others."""
    return run_id.endswith((REPLAY_SUFFIX, COMPACT_SUFFIX))


def name_parts(name: str) -> tuple[str, str, int] | None:
    """Return dataset, token and number of files that belong together, of a staged file's name; None for another file."""
    match = re.fullmatch(r"(?:.*/)?([a-z]+)-([0-9a-f]{32})-([0-9]+)\.parquet", name)
    return (match[1], match[2], int(match[3])) if match and match[1] in DATASETS else None


def parquet_bytes(table: pa.Table) -> bytes:
    """Return a table as a Parquet file: zstd, row groups of about ROW_GROUP_BYTES."""
    groups = max(1, math.ceil(table.nbytes / ROW_GROUP_BYTES))
    sink = io.BytesIO()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=ZSTD_LEVEL,
        row_group_size=max(1, math.ceil(table.num_rows / groups)),
        use_dictionary=[name for name in table.column_names if name not in ("content", "sha256", "md5")],
        write_statistics=[name for name in table.column_names if name != "content"],
    )
    return sink.getvalue()


def described(dataset: str, name: str, table: pa.Table, data: bytes) -> PartFile:
    """Return the record of a part file, with the sums over its rows."""
    columns = set(table.column_names)
    tallies = {key: dict(_values(table, key)) for key in TALLIES if key in columns}
    sums = {"size_bytes": _sum(table["size_bytes"])}
    durations: Counter[int] = Counter()
    if dataset == "documents":
        origins = Counter(page["origin"] for pages in table["pages"].to_pylist() for page in pages)
        sums |= {
            "chars": _sum(table["char_count"]),
            "pages": _sum(table["page_count"]),
            "ocr_pages": origins["ocr"],
            "members": _sum(table["member_count"]),
            "warnings": sum(len(warnings) for warnings in table["warnings"].to_pylist()),
        }
        durations.update(duration_class(value) for value in table["duration_ms"].to_pylist())
    depths = table["depth"].to_pylist()
    inputs = depths.count(0)
    if "duplicate_of" in columns:  # part files of older versions have none
        copies = zip(depths, table["duplicate_of"].is_valid().to_pylist(), strict=True)
        sums["duplicates"] = sum(1 for depth, is_copy in copies if depth == 0 and is_copy)
    digest = hashlib.sha256(data).hexdigest()
    return PartFile(dataset, name, table.num_rows, inputs, len(data), digest, sums, tallies, dict(durations))


def duration_class(duration_ms: int) -> int:
    """Return the class of a duration: each is DURATION_STEP times as long as the one before."""
    return math.ceil(math.log(max(duration_ms, 1), DURATION_STEP))


def _values(table: pa.Table, column: str) -> Counter[str]:
    return Counter(value for value in table[column].to_pylist() if value is not None)


def _sum(column: pa.ChunkedArray) -> int:
    return sum(value for value in column.to_pylist() if value is not None)


def ensure_datasets(
    folder: Folder, run_id: str, parts: Sequence[PartFile], replaced: Sequence[Mapping[str, Any]] = ()
) -> list[PartFile]:
    """Return the parts, with an empty one for a dataset that would else have no file: readers need its schema.

    `replaced`: what run files say of part files that give way to others.
    """
    staged = list(parts)
    old = {part["name"] for change in replaced for part in change["old"]}
    kept = {change["kept"]["name"] for change in replaced if change["kept"]}
    for dataset in DATASETS:
        there = {name for name in (*folder.names(dataset), *kept) if name.startswith(f"{dataset}/")} - old
        if not there and not any(part.dataset == dataset for part in parts):
            staged += stage_parts(folder, run_id, {dataset: []})
    return staged
