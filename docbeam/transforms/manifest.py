"""Manifests: lists of URIs, with the digests that their bytes must have, as CSV, JSON Lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import fsspec

from docbeam.schemas.errors import UsageError
from docbeam.transforms.places import first_line, local_path
from docbeam.transforms.storage import StorageOptions


def manifest_entries(manifest: str, storage_options: StorageOptions) -> Iterator[tuple[str, str | None]]:
    """Return the URI and the SHA-256 (or None) of each entry of a CSV, JSONL or Parquet manifest.

    Relative local paths are relative to the manifest's own folder. Raises: UsageError for a manifest that has no
    `uri` column or can't be read.
    """
    folder = os.path.dirname(local_path(manifest) or "")
    for number, entry in enumerate(_manifest_rows(manifest, storage_options), 1):
        uri = entry.get("uri")
        if not isinstance(uri, str) or not uri:
            raise UsageError(
                f"manifest {manifest!r}, entry {number}: no `uri`; there are: {', '.join(map(str, entry)) or 'none'}"
            )
        if "://" not in uri and folder:
            uri = os.path.join(folder, uri)
        uri = uri.encode("utf-8", "replace").decode("utf-8")  # JSON can spell half a surrogate pair; a row can't
        digest = entry.get("sha256")
        yield uri, str(digest).strip().lower() if digest else None


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
                columns = [name for name in ("uri", "sha256") if name in names]
                for batch in parquet.iter_batches(batch_size=10_000, columns=columns):
                    yield from batch.to_pylist()
            elif kind == "csv":
                with io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
                    reader = csv.DictReader(text)
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
    if "uri" not in names:
        raise UsageError(f"manifest {manifest!r}: no `uri` column; there are: {', '.join(names) or 'none'}")


def _json_object(line: bytes, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"line {number}: no JSON: {getattr(error, 'msg', None) or error}") from error
    return row if isinstance(row, dict) else {}
