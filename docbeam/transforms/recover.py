"""What earlier runs left: commits to finish, whole staged files to take over, and what is committed already.

A killed run leaves whole part files in its staging folder, and perhaps a commit that was begun. Nothing here removes
the only copy of a row, so that a kill in the middle of a recovery is recovered from in its turn.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.commit import PLAN, RUNS, finish_commit
from docbeam.transforms.parts import STAGING, PartFile, described, name_parts, stage_tables
from docbeam.transforms.storage import Folder

KEY_BYTES = 16


class Done:
    """Which inputs need no work: their newest committed row, or a recovered one, has the same version and fingerprint."""

    def __init__(self, output: Folder, fingerprint: str, recovered: Iterable[PartFile]) -> None:
        self._fingerprint = fingerprint
        self._committed: dict[bytes, bytes] = {}
        self._recovered: dict[bytes, bytes] = {}
        for run in committed_runs(output):
            for name in run:
                with suppress(FileNotFoundError):  # somebody has removed it: its documents are read anew
                    self._take(self._committed, _keys(output, name, name.split("/", 1)[0]))
        for part in recovered:
            self._take(self._recovered, _keys(output, part.name, part.dataset))
        self._unmatched = set(self._recovered)

    def is_recovered(self, uri: str, version: str | None) -> bool:
        """Say whether a recovered row is this very input's, and note that the input is still there."""
        if not self._recovered:
            return False
        key = _digest(uri)
        if self._recovered.get(key) != self._state(version, self._fingerprint):
            return False
        self._unmatched.discard(key)
        return True

    def is_committed(self, uri: str, version: str | None) -> bool:
        """Say whether the newest committed row is of this very version and was made by this very engine."""
        if version is None or not self._committed:
            return False
        return self._committed.get(_digest(uri)) == self._state(version, self._fingerprint)

    def unmatched(self) -> frozenset[bytes]:
        """Return the digests of recovered URIs whose inputs are gone or have changed since."""
        return frozenset(self._unmatched)

    def _take(self, states: dict[bytes, bytes], table: pa.Table) -> None:
        again = pa.array([None] * table.num_rows) if "error_category" not in table.column_names else table["error_category"]
        for uri, version, fingerprint, depth, category in zip(
            *(table[name].to_pylist() for name in ("uri", "source_version", "engine_fingerprint", "depth")),
            again.to_pylist(),
            strict=True,
        ):
            if depth == 0:
                is_final = category != ErrorCategory.TRANSIENT_IO.value
                states[_digest(uri)] = self._state(version, fingerprint) if is_final else b""

    def _state(self, version: str | None, fingerprint: str) -> bytes:
        return _digest(f"{version}\0{fingerprint}")


def committed_runs(output: Folder) -> Iterator[list[str]]:
    """Return the names of the part files of each committed run, oldest run first; other JSON files are no run files."""
    for name in output.names(RUNS):
        if name.endswith(".json"):
            with suppress(ValueError, TypeError, KeyError):
                yield [str(part["name"]) for part in output.read_json(name)["parts"]]


def finish_begun_commits(output: Folder) -> None:
    """Finish each commit that a killed run had begun."""
    for name in output.names(STAGING):
        if name.endswith(f"/{PLAN}"):
            finish_commit(output, output.read_json(name))


def take_over_staged(output: Folder, run_id: str, fingerprint: str) -> tuple[PartFile, ...]:
    """Move whole staged files of killed runs with the same fingerprint to the new run's staging; return them, drop the rest.

    Files that belong together are taken together, so that of an input all rows are there or none. Where a retried
    bundle has written an input twice, the second group is dropped and what else was in it is made again.
    """
    groups: dict[str, list[str]] = {}
    for name in output.names(STAGING):
        named = name_parts(name)
        groups.setdefault(named[1] if named else name, []).append(name)
    parts: list[PartFile] = []
    seen: set[bytes] = set()
    for names in groups.values():
        files = _whole_files(output, names, fingerprint)
        digests = [_digest(uri) for _, table in files or () for uri in table["uri"].to_pylist()]
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
    is_kept = [_digest(root) not in unmatched for root in table["root_uri"].to_pylist()]
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


def _keys(output: Folder, name: str, dataset: str) -> pa.Table:
    columns = ["uri", "source_version", "engine_fingerprint", "depth"]
    if dataset == "quarantine":
        columns.append("error_category")
    with output.open(name) as file:
        return pq.read_table(file, columns=columns)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()
