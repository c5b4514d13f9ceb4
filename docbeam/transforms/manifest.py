"""Manifests: lists of URIs, with the digests and sizes that their bytes must have, as CSV, JSON Lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import fsspec

from docbeam.schemas.errors import UsageError
from docbeam.schemas.records import BlobRef
from docbeam.transforms.places import first_line, local_path
from docbeam.transforms.storage import StorageOptions

COLUMNS = {"uri": "uri", "sha256": "sha256", "md5": "md5", "size": "size_bytes", "sizebytes": "size_bytes"}  # plain name → ours


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One line of a manifest: a URI and what its bytes must be, as far as it says so. Digests are hex in lower case."""

    uri: str
    sha256: str | None = None
    md5: str | None = None
    size_bytes: int | None = None

    @property
    def says_something(self) -> bool:
        """Say whether it names a digest or a size."""
        return self.sha256 is not None or self.md5 is not None or self.size_bytes is not None

    def expected_of(self, ref: BlobRef) -> BlobRef:
        """Return a reference that carries what this entry says of its bytes."""
        return replace(ref, expected_sha256=self.sha256, expected_md5=self.md5, expected_bytes=self.size_bytes)


def manifest_entries(manifest: str, storage_options: StorageOptions) -> Iterator[ManifestEntry]:
    """Return the entries of a CSV, JSONL or Parquet manifest: columns `uri`, and `sha256`, `md5`, `size_bytes` if there.

    Capitals, `-` and `_` in the columns' names don't matter, and `size` will do. Relative local paths are relative to the
    manifest's own folder. Raises: UsageError for a manifest that has no `uri` column, a size that is no number, or can't
    be read.
    """
    folder = os.path.dirname(local_path(manifest) or "")
    for number, row in enumerate(_manifest_rows(manifest, storage_options), 1):
        entry = {COLUMNS[plain]: value for name, value in row.items() if (plain := _plain(name)) in COLUMNS}
        uri = entry.get("uri")
        place = f"manifest {manifest!r}, entry {number}"
        if not isinstance(uri, str) or not uri:
            raise UsageError(f"{place}: no `uri`; there are: {', '.join(map(str, row)) or 'none'}")
        if "://" not in uri and folder:
            uri = os.path.join(folder, uri)
        uri = uri.encode("utf-8", "replace").decode("utf-8")  # JSON can spell half a surrogate pair; a row can't
        yield ManifestEntry(uri, _digest(entry, "sha256"), _digest(entry, "md5"), _size(entry, place))


def _plain(name: object) -> str:
    return str(name).strip().lower().replace("-", "").replace("_", "")


def _digest(entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if isinstance(value, bytes):
        return value.hex() or None
    return str(value).strip().lower() or None if value else None


def _size(entry: Mapping[str, Any], place: str) -> int | None:
    value = entry.get("size_bytes")
    if value is None or value == "":
        return None
    try:
        size = int(str(value).strip())
    except ValueError:
        size = -1
    if size < 0:
        raise UsageError(f"{place}: size {value!r} is not a number of bytes")
    return size


def _manifest_rows(manifest: str, storage_options: StorageOptions) -> Iterator[dict[str, Any]]:
    kind = manifest.rsplit(".", 1)[-1].lower()
    if kind not in ("csv", "jsonl", "ndjson", "parquet"):
        raise UsageError(f"manifest {manifest!r}: the name must end in .csv, .jsonl or .parquet")
    try:
        with fsspec.open(manifest, "rb", **({} if local_path(manifest) else storage_options)) as file:
            if kind == "parquet":
                import pyarrow.parquet as pq

                parquet = pq.ParquetFile(file)
                names = parquet.schema_arrow.names
                _check_columns(manifest, names)
                columns = [name for name in names if _plain(name) in COLUMNS]
                for batch in parquet.iter_batches(batch_size=10_000, columns=columns):
                    yield from batch.to_pylist()
            elif kind == "csv":
                with io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
                    reader = csv.DictReader(text, strict=True)  # else a quote that does not close swallows lines
                    reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
                    if reader.fieldnames:
                        _check_columns(manifest, reader.fieldnames)
                    yield from reader
            else:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield _json_object(line, number)
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"manifest {manifest!r}: {first_line(error)}") from error


def _check_columns(manifest: str, names: Sequence[str]) -> None:
    if "uri" not in map(_plain, names):
        raise UsageError(f"manifest {manifest!r}: no `uri` column; there are: {', '.join(names) or 'none'}")


def _json_object(line: bytes, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"line {number}: no JSON: {getattr(error, 'msg', None) or error}") from error
    return row if isinstance(row, dict) else {}
