"""Run the command as a user does, and read its datasets back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from docbeam.schemas.arrow import CLOCK_COLUMNS

PATIENT = ("--extraction-timeout-seconds", "600", "--ocr-page-timeout-seconds", "600")  # no row depends on the machine's speed
TIMEOUT_SECONDS = 300


def command(*arguments: str | Path) -> list[str]:
    """Return the command line of docbeam with these arguments."""
    return [sys.executable, "-m", "docbeam", *map(str, arguments)]


def docbeam(*arguments: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run docbeam to its end."""
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_SECONDS,
        env={**os.environ, **(env or {})},
    )


def extract(inputs: str | Path | Sequence[str | Path], out: str | Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run docbeam extract to its end."""
    given = [inputs] if isinstance(inputs, (str, Path)) else list(inputs)
    return docbeam("extract", *given, "--output", out, "--progress", "none", *flags)


def rows(out: Path, dataset: str) -> list[dict[str, Any]]:
    """Return all rows of a dataset, as a reader that knows nothing of docbeam sees them."""
    return list(ds.dataset(out / dataset, format="parquet", partitioning="hive").to_table().to_pylist())


def comparable(out: Path) -> list[dict[str, Any]]:
    """Return the rows of both datasets without the run and clock columns, in one order."""
    found = []
    for dataset in ("documents", "quarantine"):
        for row in rows(out, dataset):
            kept = {key: value for key, value in row.items() if key not in CLOCK_COLUMNS and key != "run_id"}
            found.append({"dataset": dataset, **kept})
    return sorted(found, key=lambda row: (row["uri"], row["dataset"]))


def run_files(out: Path) -> list[dict[str, Any]]:
    """Return the run files, oldest first."""
    return [json.loads(path.read_text()) for path in sorted((out / "runs").iterdir())]
