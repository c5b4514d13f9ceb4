"""What earlier runs left: commits to finish, and whole staged files to take over.

A killed run leaves whole part files in its staging folder, and perhaps a commit that was begun. Nothing here removes
the only copy of a row, so that a kill in the middle of a recovery is recovered from in its turn.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from docbeam.transforms.commit import PLAN, finish_commit
from docbeam.transforms.parts import STAGING, PartFile, described, is_unfit, name_parts, stage_tables
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import key_of


def finish_begun_commits(output: Folder) -> None:
    """Finish each commit that a killed run had begun."""
    for name in output.names(STAGING):
        if name.endswith(f"/{PLAN}"):
            finish_commit(output, output.read_json(name))


def drop_unfit(output: Folder) -> None:
    """Remove what killed replays and compactions have staged: the rows that they would have replaced are all still live.

    Call it after finish_begun_commits. A recovery can't use them: which passwords a row was made with is nowhere said.
    """
    for folder in {name.rsplit("/", 1)[0] for name in output.names(STAGING)}:
        if is_unfit(folder.rsplit("/", 1)[1]):
            output.remove(folder)


def take_over_staged(output: Folder, run_id: str, fingerprint: str) -> tuple[PartFile, ...]:
    """Move whole staged files of killed runs with the same fingerprint to the new run's staging; return them, drop the rest.

    Files that belong together are taken together, so that of an input all rows are there or none. Where a retried
    bundle has written an input twice, the second group is dropped and what else was in it is made again.
    """
    drop_unfit(output)
    parts: list[PartFile] = []
    for names, found in _groups(output, fingerprint):
        if found is None:
            for name in names:
                output.remove(name)
        for part in found or ():
            target = f"{STAGING}/{run_id}/{part.name.rsplit('/', 1)[1]}"
            output.move(part.name, target)
            parts.append(replace(part, name=target))
    return tuple(parts)


def staged_parts(output: Folder, fingerprint: str) -> tuple[PartFile, ...]:
    """Return what take_over_staged would take over, and leave it where it is."""
    found = _groups(output, fingerprint)
    return tuple(part for names, parts in found if is_fit(names[0]) for part in parts or ())


def is_fit(name: str) -> bool:
    """Say whether a staged file is one of a run that others may take over."""
    return name.endswith(".parquet") and not is_unfit(name.rsplit("/", 2)[1])


def _groups(output: Folder, fingerprint: str) -> Iterator[tuple[list[str], list[PartFile] | None]]:
    """Yield the names of staged files that belong together, and their records; None if they are of no use."""
    groups: dict[str, list[str]] = {}
    for name in output.names(STAGING):
        named = name_parts(name)
        groups.setdefault(named[1] if named else name, []).append(name)
    seen: set[bytes] = set()
    for names in groups.values():
        files = _whole_files(output, names, fingerprint)
        digests = [key_of(uri) for table, _ in files or () for uri in table["uri"].to_pylist()]
        if files is None or not seen.isdisjoint(digests):
            yield names, None
            continue
        seen.update(digests)
        yield names, [described(name_parts(name)[0], name, *file) for name, file in zip(names, files, strict=True)]  # type: ignore[index]


def without_rows(output: Folder, run_id: str, part: PartFile, unmatched: frozenset[bytes]) -> list[PartFile]:
    """Return a recovered part without the rows of inputs that are gone or changed, and of what is embedded in them."""
    table = pq.read_table(io.BytesIO(output.read(part.name)))
    is_kept = [key_of(root) not in unmatched for root in table["root_uri"].to_pylist()]
    if all(is_kept):
        return [part]
    table = table.filter(pa.array(is_kept, pa.bool_()))
    return stage_tables(output, run_id, {part.dataset: table}) if table.num_rows else []


def _whole_files(output: Folder, names: list[str], fingerprint: str) -> list[tuple[pa.Table, bytes]] | None:
    """Return tables and bytes of files that belong together; None if one is missing, broken or of another engine."""
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
        files.append((table, data))
    return files
