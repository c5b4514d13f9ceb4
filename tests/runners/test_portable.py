"""The portable path without Java: Beam's own job service, and workers that docbeam-worker's pool starts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from docbeam.runners import worker
from tests.conftest import SAMPLES
from tests.pipelines.harness import comparable, docbeam, extract


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[str]:
    """The address of a pool; after it, nothing that it has started is left."""
    home = tmp_path / "workers"
    process = subprocess.Popen(
        [sys.executable, "-m", "docbeam.runners.worker", "--pool", "0"],
        env={**os.environ, worker.HOME_VARIABLE: str(home)},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    yield process.stdout.readline().decode().split()[-1]
    started = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    process.communicate(timeout=60)
    assert not psutil.wait_procs(started, timeout=60)[1]


def test_rows_equal_the_direct_runners_with_workers_of_a_pool(pool: str, tmp_path: Path) -> None:
    assert extract(SAMPLES, tmp_path / "direct").returncode == 0
    out = tmp_path / "portable"
    raw = ["--job_endpoint=embed", "--environment_type=EXTERNAL", f"--environment_config={pool}"]
    done = docbeam("extract", SAMPLES, "--output", out, "--runner", "PortableRunner", "--", *raw)
    assert done.returncode == 0, done.stderr
    assert "PortableRunner by the job server at embed" in done.stderr
    assert comparable(out) == comparable(tmp_path / "direct")
    assert list((tmp_path / "workers").glob("*.log")), "the work was done by workers of the pool"
