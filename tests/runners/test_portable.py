"""The portable path without Java: Beam's own job service, and workers that docbeam-worker's pool starts."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import SAMPLES
from tests.pipelines.harness import comparable, docbeam, extract


def test_rows_equal_the_direct_runners_with_workers_of_a_pool(pool: str, tmp_path: Path) -> None:
    assert extract(SAMPLES, tmp_path / "direct").returncode == 0
    out = tmp_path / "portable"
    raw = ["--job_endpoint=embed", "--environment_type=EXTERNAL", f"--environment_config={pool}"]
    done = docbeam("extract", SAMPLES, "--output", out, "--runner", "PortableRunner", "--", *raw)
    assert done.returncode == 0, done.stderr
    assert "PortableRunner by the job server at embed" in done.stderr
    assert comparable(out) == comparable(tmp_path / "direct")
    assert list((tmp_path / "workers").glob("*.log")), "the work was done by workers of the pool"
