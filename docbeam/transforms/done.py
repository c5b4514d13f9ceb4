"""What is done already: for each input that is listed, whether it is read, and why, or why not.

The newest committed row of an input decides, and the rows that were recovered from a killed run. Memory holds two short
digests an input that has rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.discover import ref_of
from docbeam.transforms.ledger import read_ledger
from docbeam.transforms.parts import PartFile
from docbeam.transforms.storage import Folder, StorageOptions
from docbeam.transforms.supersede import key_of

NOT_FINAL = (ErrorCategory.TRANSIENT_IO.value, ErrorCategory.INTEGRITY_MISMATCH.value)
DIGESTS = ("sha256", "md5", "size_bytes")
BY_THIS_ENGINE, BY_ANOTHER, WORTH_A_TRY, NEVER_FINAL = b"=", b"~", b"?", b"!"  # what a committed row is worth


class Decision(StrEnum):
    """What becomes of an input that is listed."""

    NEW = "new"
    CHANGED = "changed"
    AGAIN = "again"
    RECOVERED = "recovered"
    SAME = "same"
    OTHER_ENGINE = "other-engine"

    @property
    def is_skipped(self) -> bool:
        """Say whether its rows stay as they are."""
        return self in (Decision.SAME, Decision.OTHER_ENGINE)

    @property
    def is_read(self) -> bool:
        """Say whether its bytes are read."""
        return not self.is_skipped and self is not Decision.RECOVERED


@dataclass(frozen=True, kw_only=True)
class DoneRules:
    """By what a run decides. `has_digests`: a manifest may name the bytes; `has_copies`: recovered digests are asked for."""

    fingerprint: str
    reprocess: str = "changed-input"
    has_digests: bool = False
    has_copies: bool = False
    storage_options: StorageOptions | None = None


class Done:
    """Which inputs need no work: their newest committed row, or a recovered one, is of the same version.

    Rows that another engine, or this one with other options, has made are good unless `reprocess` says otherwise; of these,
    rows of quarantine that another try can help (`is_retryable`) are tried again. A row that a replay has won stands for its
    input under the fingerprint of the row that it replaced, too. An input whose bytes a manifest names is done only if
    they are those that were read. `transient_io` and `integrity_mismatch` are never final: storage, or the manifest, may be
    right by now.

    A copy that was written without its text is done only as long as the original has it.
    """

    def __init__(self, output: Folder, rules: DoneRules, recovered: Iterable[PartFile] = ()) -> None:
        self._rules = rules
        self._committed: dict[bytes, bytes] = {}
        self._recovered: dict[bytes, bytes] = {}
        self._bytes: dict[bytes, tuple[str | None, str | None, int | None]] = {}
        self._textless: dict[bytes, str] = {}
        self.ledger = read_ledger(output)
        stands_for = {run["run_id"]: frozenset(run.get("replaced_fingerprints", ())) for run in self.ledger.runs}
        textless = {run["run_id"] for run in self.ledger.runs if not _has_duplicate_text(run)}
        for live in self.ledger.live:
            with suppress(FileNotFoundError):  # somebody has removed it: its documents are read anew
                table = _keys(output, live.name, live.dataset, rules.has_digests or bool(textless), live.run_id in textless)
                self._take(self._committed, table, stands_for.get(live.run_id, frozenset()))
        for part in recovered:
            table = _keys(output, part.name, part.dataset, rules.has_digests or rules.has_copies, False)
            self._take(self._recovered, table)
        self._unmatched = set(self._recovered)
        self._unlisted = set(self._committed)

    def decide(self, ref: BlobRef) -> Decision:
        """Return what becomes of an input that is listed."""
        key = key_of(ref.uri)
        known = self._committed.get(key)
        is_good = known is not None and self._is_expected(key, ref) and self._has_text(key)
        is_version = known is not None and ref.source_version is not None and known[:-1] == _version(ref.source_version)
        worth, reprocess = (known or NEVER_FINAL)[-1:], self._rules.reprocess
        if is_good and is_version and worth == BY_THIS_ENGINE and reprocess != "all":
            return Decision.SAME
        if self._recovered.get(key) == _version(ref.source_version) + BY_THIS_ENGINE and self._is_expected(key, ref):
            return Decision.RECOVERED
        if is_good and is_version and worth == BY_ANOTHER and reprocess == "changed-input":
            return Decision.OTHER_ENGINE
        if known is None:
            return Decision.NEW
        return Decision.AGAIN if is_version else Decision.CHANGED

    def note(self, ref: BlobRef, decision: Decision) -> None:
        """Note that an input is still there, and what becomes of it."""
        key = key_of(ref.uri)
        self._unlisted.discard(key)
        if decision is Decision.RECOVERED:
            self._unmatched.discard(key)

    def has_rows(self, ref: BlobRef) -> bool:
        """Say whether an input has committed rows, of whichever version."""
        return key_of(ref.uri) in self._committed

    def recovered_sha256(self, ref: BlobRef) -> str | None:
        """Return the SHA-256 of a recovered row, if its bytes could be read; known only where `has_copies` asked for it."""
        return self._bytes.get(key_of(ref.uri), (None, None, None))[0]

    def unmatched(self) -> frozenset[bytes]:
        """Return the digests of recovered URIs whose inputs are gone, have changed since, or need no recovered row."""
        return frozenset(self._unmatched)

    def unlisted(self) -> set[bytes]:
        """Return the digests of URIs that have committed rows and that no noted input has."""
        return self._unlisted

    def _take(self, states: dict[bytes, bytes], table: pa.Table, stands_for: frozenset[str] = frozenset()) -> None:
        columns = table.to_pydict()
        for place, uri in enumerate(columns["uri"]):
            if columns["depth"][place] == 0:
                key = key_of(uri)
                states[key] = _version(columns["source_version"][place]) + self._worth(columns, place, stands_for)
                if "sha256" in columns:
                    self._bytes[key] = (columns["sha256"][place], columns["md5"][place], columns["size_bytes"][place])
                self._textless.pop(key, None)
                if "duplicate_of" in columns and (original := columns["duplicate_of"][place]) is not None:
                    self._textless[key] = original

    def _worth(self, columns: dict[str, list[Any]], place: int, stands_for: frozenset[str]) -> bytes:
        is_quarantined = "error_category" in columns
        if is_quarantined and columns["error_category"][place] in NOT_FINAL:
            return NEVER_FINAL
        if columns["engine_fingerprint"][place] == self._rules.fingerprint or self._rules.fingerprint in stands_for:
            return BY_THIS_ENGINE
        return WORTH_A_TRY if is_quarantined and columns["is_retryable"][place] else BY_ANOTHER

    def _has_text(self, key: bytes) -> bool:
        """Say whether a row has its text, or the original of which it is a copy has it and will keep it."""
        original = self._textless.get(key)
        if original is None:
            return True
        kept = self._committed.get(key_of(original), b"")
        now = ref_of(original, self._rules.storage_options or {}).source_version
        is_same = self._bytes.get(key_of(original), (None,))[0] == self._bytes.get(key, (None,))[0]
        return is_same and now is not None and kept[:-1] == _version(now)

    def _is_expected(self, key: bytes, ref: BlobRef) -> bool:
        """Say whether the bytes that were read are those that the manifest names, as far as it names any."""
        if not ref.has_expectation:
            return True
        expected = (ref.expected_sha256, ref.expected_md5, ref.expected_bytes)
        found = self._bytes.get(key, (None, None, None))
        return all(wanted is None or wanted == value for wanted, value in zip(expected, found, strict=True))


def _version(version: str | None) -> bytes:
    return key_of(f"version\0{version}")


def _has_duplicate_text(report: dict[str, Any]) -> bool:
    """Say whether the copies of a run have their text."""
    options = report.get("engine", {}).get("options", {})
    return bool(options.get("duplicate_text", True)) or not options.get("dedupe", False)


def _keys(output: Folder, name: str, dataset: str, has_digests: bool, is_textless: bool) -> pa.Table:
    columns = ["uri", "source_version", "engine_fingerprint", "depth", *(DIGESTS if has_digests else ())]
    if dataset == "quarantine":
        columns += ["error_category", "is_retryable"]
    elif is_textless:
        columns.append("duplicate_of")
    with output.open(name) as file:
        return pq.read_table(file, columns=columns)
