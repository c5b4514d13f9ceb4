"""Quarantined inputs as references to read again, and what becomes of the ones that can't be read now: their rows stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
from apache_beam.pvalue import TaggedOutput

from docbeam.schemas.records import BlobRef, Quarantined, Row
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.commit import Listing
from docbeam.transforms.counters import LISTED, SKIPPED, count
from docbeam.transforms.discover import ref_of
from docbeam.transforms.ledger import Ledger, read_ledger
from docbeam.transforms.listing import LISTING
from docbeam.transforms.manifest import ManifestEntry, manifest_entries
from docbeam.transforms.parts import PartFile
from docbeam.transforms.places import local_bytes_of, local_uri
from docbeam.transforms.selection import Candidate, Condition, candidates
from docbeam.transforms.storage import Folder, StorageOptions
from docbeam.transforms.supersede import key_of

STAYED = "stayed"
UNREAD = (ErrorCategory.TRANSIENT_IO, ErrorCategory.NOT_A_REGULAR_FILE)
NO_MANIFEST = "its bytes were not the manifest's: give the --manifest, so that they are checked again"


@dataclass(frozen=True, slots=True)
class Stayed:
    """An input whose rows stay as they are, and why."""

    uri: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Selected:
    """What a replay reads again: `conditions` on the rows in quarantine. A manifest's digests are checked again."""

    conditions: tuple[Condition, ...]
    manifest: str | None
    storage_options: StorageOptions


class Reselect(beam.PTransform):
    """A root to BlobRefs to read again (main output `refs`), one Listing (output `listing`) and Stayed (`stayed`)."""

    def __init__(self, selected: Selected, output: Folder, run_id: str) -> None:
        super().__init__()
        self._fn = _SelectFn(selected, output, run_id)

    def expand(self, root: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        """Return the outputs `refs`, `listing` and `stayed`."""
        outputs = beam.ParDo(self._fn).with_outputs(LISTING, STAYED, main="refs")
        return root | "Start" >> beam.Create([None]) | "Select" >> outputs


class _SelectFn(beam.DoFn):
    def __init__(self, selected: Selected, output: Folder, run_id: str) -> None:
        self._selected = selected
        self._output = output
        self._run_id = run_id

    def process(self, _: None) -> Iterator[BlobRef | TaggedOutput]:
        given = self._selected
        found = list(candidates(self._output, read_ledger(self._output), given.conditions))
        expected = _expected(given, found)
        for candidate in found:
            count(self._run_id, LISTED)
            entry = expected.get(key_of(candidate.root_uri))
            if entry is None and candidate.category == ErrorCategory.INTEGRITY_MISMATCH.value:
                count(self._run_id, SKIPPED)
                yield TaggedOutput(STAYED, Stayed(candidate.root_uri, NO_MANIFEST))
            else:
                ref = ref_of(candidate.root_uri, given.storage_options)
                yield entry.expected_of(ref) if entry is not None else ref
        yield TaggedOutput(LISTING, Listing(listed=len(found), skipped=0, expected=len(expected)))


def _expected(given: Selected, found: list[Candidate]) -> dict[bytes, ManifestEntry]:
    """Return what the manifest says of the inputs that are read again, by the keys of their URIs."""
    if given.manifest is None:
        return {}
    wanted = {key_of(candidate.root_uri) for candidate in found}
    entries = manifest_entries(given.manifest, given.storage_options)
    keyed = ((key_of(_listed_uri(entry.uri)), entry) for entry in entries)
    return {key: entry for key, entry in keyed if key in wanted and entry.says_something}


def _listed_uri(uri: str) -> str:
    path = local_bytes_of(uri)
    return local_uri(path) if path is not None else uri


class KeepOld(beam.PTransform):
    """Tuples of rows to those that can take the place of older ones; Stayed (output `stayed`) for what can't be read now."""

    def __init__(self, run_id: str) -> None:
        super().__init__()
        self._run_id = run_id

    def expand(self, rows: beam.PCollection[tuple[Row, ...]]) -> beam.pvalue.DoOutputsTuple:
        """Return the outputs `rows` and `stayed`."""
        return rows | beam.ParDo(_KeepFn(self._run_id)).with_outputs(STAYED, main="rows")


class _KeepFn(beam.DoFn):
    def __init__(self, run_id: str) -> None:
        self._run_id = run_id

    def process(self, rows: tuple[Row, ...]) -> Iterator[tuple[Row, ...] | TaggedOutput]:
        reason = unread_reason(rows)
        if reason is None:
            yield rows
        else:
            count(self._run_id, SKIPPED)
            yield TaggedOutput(STAYED, Stayed(rows[0].identity.uri, reason))


def unread_reason(rows: tuple[Row, ...]) -> str | None:
    """Return why an input can't be read now, or None if it was: a new row that says less than the old one is no gain."""
    root = rows[0]
    if isinstance(root, Quarantined) and root.identity.sha256 is None and root.category in UNREAD:
        return f"{root.category}: {root.message}"
    return None


def lost_texts(output: Folder, ledger: Ledger, parts: Sequence[PartFile]) -> Iterator[Stayed]:
    """Yield the inputs whose new rows, in these staged parts, have no text where a live row of the same bytes has one.

    Bytes that are not the manifest's are no such loss: that they are not must be seen.
    """
    roots: dict[bytes, tuple[str, str | None, str | None]] = {}
    texts: set[bytes] = set()
    for part in parts:
        for row in part_rows(output, part.name, part.dataset):
            category = row.get("error_category")
            if row["depth"] == 0 and category != ErrorCategory.INTEGRITY_MISMATCH.value:
                roots[key_of(row["uri"])] = (row["uri"], row["sha256"], category)
            if category is None:
                texts.add(key_of(row["uri"]))
    lost: dict[bytes, list[str]] = {}
    for live in ledger.live if roots else ():
        if live.dataset == "documents":
            rows = [row for row in part_rows(output, live.name, live.dataset) if key_of(row["root_uri"]) in roots]
            bytes_of = {row["uri"]: row["sha256"] for row in rows if row["depth"] == 0}
            for row in rows:
                key = key_of(row["root_uri"])
                _, sha256, category = roots[key]
                is_same = category is not None or bytes_of.get(row["root_uri"]) == sha256
                if is_same and key_of(row["uri"]) not in texts:
                    lost.setdefault(key, []).append(row["uri"])
    for key, uris in lost.items():
        root, _, category = roots[key]
        now = f"it would be {category} now, and " if category is not None else ""
        texts_lost = f"{len(set(uris)):,} of the texts that its rows have would be gone, such as {min(uris)}"
        yield Stayed(root, now + texts_lost)


def part_rows(output: Folder, name: str, dataset: str) -> Iterator[dict[str, Any]]:
    """Yield what lost_texts compares of a part file's rows; none of one that somebody has removed."""
    columns = ["uri", "root_uri", "depth", "sha256", *(["error_category"] if dataset == "quarantine" else [])]
    with suppress(FileNotFoundError), output.open(name) as file:
        for batch in pq.ParquetFile(file).iter_batches(columns=columns):
            yield from batch.to_pylist()


def with_stayed(listing: Listing, stayed: list[Stayed]) -> Listing:
    """Return the listing with the inputs whose rows stay counted as skipped."""
    return replace(listing, skipped=len(stayed))
