"""Rows that newer ones replace: they leave the live datasets, and stay queryable with the run that replaced them.

OUT/superseded/<dataset>/superseded_by=<run_id>/run_id=<run that made them>/part-*.parquet

A part file is never changed. One that holds rows to be replaced is taken out whole: the rows that stay go to a new part
file of the same run, the others to one under OUT/superseded. The run file of the run that did it says all three with
their digests, so that the rows can be followed. Replacements are staged before the commit's plan is written.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from docbeam.transforms.ledger import Ledger, PartRecord
from docbeam.transforms.parts import STAGING, parquet_bytes
from docbeam.transforms.storage import Folder

SUPERSEDED = "superseded"
KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class Replacement:
    """Part files taken out, and where their rows are now: `kept` is live, `history` superseded; None where there are none."""

    old: tuple[PartRecord, ...]
    kept: dict[str, Any] | None
    history: dict[str, Any] | None

    def form(self) -> dict[str, Any]:
        """Return what the run file says of it."""
        return {"old": [old_form(part) for part in self.old], "kept": self.kept, "history": self.history}


def superseded_parts(output: Folder, run_id: str, ledger: Ledger, roots: Collection[bytes]) -> Iterator[Replacement]:
    """Stage what replaces each live part file that holds rows of these inputs (keys of their URIs), and yield it.

    An input is replaced as a whole, with all that is embedded in it, in every run that has read it.
    """
    return split_parts(output, run_id, ledger, lambda _, root: root in roots)


def split_parts(
    output: Folder, run_id: str, ledger: Ledger, is_history: Callable[[PartRecord, bytes], bool]
) -> Iterator[Replacement]:
    """Stage what replaces each live part file that holds rows of inputs (keys of their URIs) that are history there."""
    for part in ledger.live:
        try:
            is_old = [is_history(part, key_of(root)) for root in _column(output, part, "root_uri")]
        except FileNotFoundError:  # somebody has removed it; `docbeam verify` names it
            continue
        if not any(is_old):
            continue
        with output.open(part.name) as file:
            table = pq.ParquetFile(file).read()
        gone = pa.array(is_old, pa.bool_())
        kept = table.filter(pc.invert(gone))
        history = table.filter(gone)
        yield Replacement((part,), _staged(output, run_id, part, kept, None), _staged(output, run_id, part, history, run_id))


def old_form(part: PartRecord) -> dict[str, Any]:
    """Return what a run file says of a part file that is taken out."""
    return {"name": part.name, "rows": part.rows, "bytes": part.file_bytes, "sha256": part.sha256}


def root_keys(output: Folder, names: Iterable[str]) -> set[bytes]:
    """Return the keys of all inputs that have rows in these part files."""
    keys: set[bytes] = set()
    for name in names:
        with output.open(name) as file:
            keys.update(map(key_of, pq.ParquetFile(file).read(columns=["root_uri"])["root_uri"].to_pylist()))
    return keys


def key_of(uri: str) -> bytes:
    """Return a short key of a URI, for sets of many."""
    return hashlib.blake2b(uri.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def _staged(output: Folder, run_id: str, part: PartRecord, table: pa.Table, by: str | None) -> dict[str, Any] | None:
    if not table.num_rows:
        return None
    token = uuid.uuid4().hex
    staged = f"{STAGING}/{run_id}/replaced-{token}.parquet"
    data = parquet_bytes(table)
    output.write(staged, data)
    live = f"{part.dataset}/run_id={part.run_id}/part-{token}.parquet"
    name = live if by is None else f"{SUPERSEDED}/{part.dataset}/superseded_by={by}/{live.split('/', 1)[1]}"
    digest = hashlib.sha256(data).hexdigest()
    return {"name": name, "staged": staged, "rows": table.num_rows, "bytes": len(data), "sha256": digest}


def _column(output: Folder, part: PartRecord, name: str) -> Iterator[Any]:
    with output.open(part.name) as file:
        for batch in pq.ParquetFile(file).iter_batches(columns=[name]):
            yield from batch.column(0).to_pylist()
