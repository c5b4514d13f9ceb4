"""What earlier runs left: commits to finish, whole staged files to take over, and what is committed already.

A killed run leaves whole part files in its staging folder, and perhaps a commit that was begun. Nothing here removes
the only copy of a row, so that a kill in the middle of a recovery is recovered from in its turn.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.commit import PLAN, finish_commit
from docbeam.transforms.ledger import read_ledger
from docbeam.transforms.parts import STAGING, PartFile, described, is_replay, name_parts, stage_tables
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import key_of

NOT_FINAL = (ErrorCategory.TRANSIENT_IO.value, ErrorCategory.INTEGRITY_MISMATCH.value)
DIGESTS = ("sha256", "md5", "size_bytes")


class Done:
    """Which inputs need no work: their newest committed row, or a recovered one, has the same version and fingerprint.

    A row that a replay has won stands for its input under the fingerprint of the row that it replaced, too. An input whose
    bytes a manifest names is done only if they are those that were read. `transient_io` and `integrity_mismatch` are never
    final: storage, or the manifest, may be right by now.
    """

    def __init__(
        self,
        output: Folder,
        fingerprint: str,
        recovered: Iterable[PartFile],
        has_digests: bool = False,
        has_copies: bool = False,
    ) -> None:
        self._fingerprint = fingerprint
        self._committed: dict[bytes, bytes] = {}
        self._recovered: dict[bytes, bytes] = {}
        self._bytes: dict[bytes, tuple[str | None, str | None, int | None]] = {}
        ledger = read_ledger(output)
        stands_for = {run["run_id"]: frozenset(run.get("replaced_fingerprints", ())) for run in ledger.runs}
        for live in ledger.live:
            with suppress(FileNotFoundError):  # somebody has removed it: its documents are read anew
                table = _keys(output, live.name, live.dataset, has_digests)
                self._take(self._committed, table, stands_for.get(live.run_id, frozenset()))
        for part in recovered:
            self._take(self._recovered, _keys(output, part.name, part.dataset, has_digests or has_copies))
        self._unmatched = set(self._recovered)

    def is_recovered(self, ref: BlobRef) -> bool:
        """Say whether a recovered row is this very input's, and note that the input is still there."""
        if not self._recovered:
            return False
        key = key_of(ref.uri)
        if self._recovered.get(key) != self._state(ref.source_version, self._fingerprint) or not self._is_expected(key, ref):
            return False
        self._unmatched.discard(key)
        return True

    def is_committed(self, ref: BlobRef) -> bool:
        """Say whether the newest committed row is of this very version and was made by this very engine."""
        if ref.source_version is None or not self._committed:
            return False
        key = key_of(ref.uri)
        is_same = self._committed.get(key) == self._state(ref.source_version, self._fingerprint)
        return is_same and self._is_expected(key, ref)

    def recovered_sha256(self, ref: BlobRef) -> str | None:
        """Return the SHA-256 of a recovered row, if its bytes could be read; known only where `has_copies` asked for it."""
        return self._bytes.get(key_of(ref.uri), (None, None, None))[0]

    def unmatched(self) -> frozenset[bytes]:
        """Return the digests of recovered URIs whose inputs are gone or have changed since."""
        return frozenset(self._unmatched)

    def _take(self, states: dict[bytes, bytes], table: pa.Table, stands_for: frozenset[str] = frozenset()) -> None:
        columns = table.to_pydict()
        categories = columns.get("error_category") or [None] * table.num_rows
        for place, uri in enumerate(columns["uri"]):
            if columns["depth"][place] == 0:
                made_by = columns["engine_fingerprint"][place]
                fingerprint = self._fingerprint if self._fingerprint in stands_for else made_by
                is_final = categories[place] not in NOT_FINAL
                key = key_of(uri)
                states[key] = self._state(columns["source_version"][place], fingerprint) if is_final else b""
                if "sha256" in columns:
                    self._bytes[key] = (columns["sha256"][place], columns["md5"][place], columns["size_bytes"][place])

    def _is_expected(self, key: bytes, ref: BlobRef) -> bool:
        """Say whether the bytes that were read are those that the manifest names, as far as it names any."""
        if not ref.has_expectation:
            return True
        expected = (ref.expected_sha256, ref.expected_md5, ref.expected_bytes)
        found = self._bytes.get(key, (None, None, None))
        return all(wanted is None or wanted == value for wanted, value in zip(expected, found, strict=True))

    def _state(self, version: str | None, fingerprint: str) -> bytes:
        return key_of(f"{version}\0{fingerprint}")


def finish_begun_commits(output: Folder) -> None:
    """Finish each commit that a killed run had begun."""
    for name in output.names(STAGING):
        if name.endswith(f"/{PLAN}"):
            finish_commit(output, output.read_json(name))


def drop_replays(output: Folder) -> None:
    """Remove what killed replays have staged: the rows that they would have replaced are all still live.

    Call it after finish_begun_commits. A recovery can't use them: which passwords a row was made with is nowhere said.
    """
    for folder in {name.rsplit("/", 1)[0] for name in output.names(STAGING)}:
        if is_replay(folder.rsplit("/", 1)[1]):
            output.remove(folder)


def take_over_staged(output: Folder, run_id: str, fingerprint: str) -> tuple[PartFile, ...]:
    """Move whole staged files of killed runs with the same fingerprint to the new run's staging; return them, drop the rest.

    Files that belong together are taken together, so that of an input all rows are there or none. Where a retried
    bundle has written an input twice, the second group is dropped and what else was in it is made again.
    """
    groups: dict[str, list[str]] = {}
    drop_replays(output)
    for name in output.names(STAGING):
        named = name_parts(name)
        groups.setdefault(named[1] if named else name, []).append(name)
    parts: list[PartFile] = []
    seen: set[bytes] = set()
    for names in groups.values():
        files = _whole_files(output, names, fingerprint)
        digests = [key_of(uri) for _, table in files or () for uri in table["uri"].to_pylist()]
        if files is None or not seen.isdisjoint(digests):
            for name in names:
                output.remove(name)
            continue
        seen.update(digests)
        for name, (data, table) in zip(names, files, strict=True):
            target = f"{STAGING}/{run_id}/{name.rsplit('/', 1)[1]}"
            output.move(name, target)
            named = name_parts(name)
            assert named is not None, name
            parts.append(described(named[0], target, table, data))
    return tuple(parts)


def without_rows(output: Folder, run_id: str, part: PartFile, unmatched: frozenset[bytes]) -> list[PartFile]:
    """Return a recovered part without the rows of inputs that are gone or changed, and of what is embedded in them."""
    table = pq.read_table(io.BytesIO(output.read(part.name)))
    is_kept = [key_of(root) not in unmatched for root in table["root_uri"].to_pylist()]
    if all(is_kept):
        return [part]
    table = table.filter(pa.array(is_kept, pa.bool_()))
    return stage_tables(output, run_id, {part.dataset: table}) if table.num_rows else []


def _whole_files(output: Folder, names: list[str], fingerprint: str) -> list[tuple[bytes, pa.Table]] | None:
    """Return bytes and tables of files that belong together; None if one is missing, broken or of another engine."""
    named = name_parts(names[0])
    if named is None or named[2] != len(names):
        return None
    files = []
    for name in names:
        try:
            data = output.read(name)
            table = pq.read_table(io.BytesIO(data))
        except (OSError, pa.ArrowException):
            return None  # not whole: a kill in the middle of an upload
        if not set(table["engine_fingerprint"].unique().to_pylist()) <= {fingerprint}:
            return None
        files.append((data, table))
    return files


def _keys(output: Folder, name: str, dataset: str, has_digests: bool) -> pa.Table:
    columns = ["uri", "source_version", "engine_fingerprint", "depth", *(DIGESTS if has_digests else ())]
    if dataset == "quarantine":
        columns.append("error_category")
    with output.open(name) as file:
        return pq.read_table(file, columns=columns)
