"""A run over an output that is there already: its new rows replace the old ones of the same inputs, in the same commit.

Live datasets hold each input once. What is replaced, and what tombstones take out, stays in OUT/superseded.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.commit import MOST_NAMED, Listing
from docbeam.transforms.gone import BATCH_ROWS, root_uris
from docbeam.transforms.ledger import TOMBSTONES, Ledger
from docbeam.transforms.parts import STAGING, PartFile, parquet_bytes
from docbeam.transforms.recover import without_rows
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import key_of, root_keys, superseded_parts

UNREAD = (ErrorCategory.TRANSIENT_IO.value, ErrorCategory.NOT_A_REGULAR_FILE.value)
TOMBSTONE = pa.schema(
    [
        pa.field("uri", pa.string(), nullable=False),
        pa.field("source_version", pa.string()),
        pa.field("size_bytes", pa.int64()),
        pa.field("sha256", pa.string()),
        pa.field("dataset", pa.string(), nullable=False),
        pa.field("last_run_id", pa.string(), nullable=False),
        pa.field("noticed_at", pa.timestamp("us", tz="UTC"), nullable=False),
    ]
)
TOMBSTONE_ROWS = 100_000  # a file


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a commit does beside adding rows: `parts` are those that it adds, `more` is what the run file says of the rest."""

    parts: list[PartFile]
    listing: Listing
    more: Mapping[str, Any]


def renewed(
    output: Folder, run_id: str, ledger: Ledger, parts: list[PartFile], listing: Listing, has_tombstones: bool
) -> Renewal:
    """Stage what takes the place of old rows, for the inputs that were read again and, with tombstones, for those gone.

    An input that could be read once and can't be now keeps the rows that it has: a text is worth more than the news that
    storage fails. It counts as skipped.
    """
    stayed: dict[bytes, dict[str, str]] = {}
    roots: set[bytes] = set()
    if listing.replaces:
        stayed = _stayed(output, ledger, parts, listing.replaces)
        if stayed:
            gone = frozenset(stayed)
            parts = [kept for part in parts for kept in without_rows(output, run_id, part, gone)]
        roots = root_keys(output, (part.name for part in parts)) & listing.replaces
    tombstones: list[dict[str, Any]] = []
    if has_tombstones and listing.gone.keys:
        tombstones = list(_tombstones(output, run_id, ledger, listing.gone.keys))
        roots |= listing.gone.keys
    replaced = list(superseded_parts(output, run_id, ledger, roots)) if roots else []
    more = {
        "other_engine": listing.other_engine,
        "stayed": sorted(stayed.values(), key=lambda one: one["uri"])[:MOST_NAMED],
        "gone": listing.gone.form(),
        "replaced": [change.form() for change in replaced],
        "tombstones": tombstones,
    }
    return Renewal(parts, replace(listing, skipped=listing.skipped + len(stayed)), more)


def _stayed(
    output: Folder, ledger: Ledger, parts: Iterable[PartFile], replaces: Collection[bytes]
) -> dict[bytes, dict[str, str]]:
    """Return the inputs that could not be read now and whose old row is a document, with why."""
    unread = {
        key_of(row["uri"]): {"uri": row["uri"], "reason": f"{row['error_category']}: {row['error_message']}"}
        for part in parts
        if part.dataset == "quarantine"
        for row in _rows(output, part.name, ["uri", "depth", "sha256", "error_category", "error_message"])
        if row["depth"] == 0 and row["sha256"] is None and row["error_category"] in UNREAD
    }
    unread = {key: said for key, said in unread.items() if key in replaces}
    if not unread:
        return {}
    names = (part.name for part in ledger.live if part.dataset == "documents")
    with_text = {key for name in names for key in map(key_of, root_uris(output, name)) if key in unread}
    return {key: said for key, said in unread.items() if key in with_text}


def _tombstones(output: Folder, run_id: str, ledger: Ledger, gone: Collection[bytes]) -> Iterator[dict[str, Any]]:
    """Stage the records of inputs that are gone, from their newest rows; yield what the run file says of each file."""
    now = datetime.now(UTC)
    known: dict[bytes, dict[str, Any]] = {}
    for part in ledger.live:  # oldest run first
        try:
            for row in _rows(output, part.name, ["uri", "depth", "source_version", "size_bytes", "sha256"]):
                if row.pop("depth") == 0 and (key := key_of(row["uri"])) in gone:
                    known[key] = {**row, "dataset": part.dataset, "last_run_id": part.run_id, "noticed_at": now}
        except FileNotFoundError:  # somebody has removed it; `docbeam verify` names it
            continue
    rows = sorted(known.values(), key=lambda row: str(row["uri"]))
    for start in range(0, len(rows), TOMBSTONE_ROWS):
        table = pa.Table.from_pylist(rows[start : start + TOMBSTONE_ROWS], schema=TOMBSTONE)
        token, data = uuid.uuid4().hex, parquet_bytes(table)
        staged = f"{STAGING}/{run_id}/tombstones-{token}.parquet"
        output.write(staged, data)
        name, digest = f"{TOMBSTONES}/run_id={run_id}/part-{token}.parquet", hashlib.sha256(data).hexdigest()
        yield {"name": name, "staged": staged, "rows": table.num_rows, "bytes": len(data), "sha256": digest}


def _rows(output: Folder, name: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    with output.open(name) as file:
        for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=columns):
            yield from batch.to_pylist()
