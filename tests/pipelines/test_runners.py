"""The same rows on every way to run: one thread, several threads, several processes, with and without a reshuffle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from docbeam.pipelines.launch import checked_output, launch, new_run_id
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms.listing import Inputs
from tests.pipelines.harness import comparable, extract


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runners") / "in"
    samples = Path(__file__).parent.parent.parent / "samples"
    for name in ("notes", "broken", "scans", "slides"):
        shutil.copytree(samples / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def plain(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plain") / "out"
    assert extract(source, out).returncode == 0
    return out


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")  # Beam's own sockets
@pytest.mark.parametrize(("mode", "workers"), [("in_memory", 1), ("multi_threading", 2), ("multi_processing", 2)])
def test_rows_are_equal_in_every_mode_of_the_local_runner(
    source: Path, plain: Path, tmp_path: Path, mode: str, workers: int
) -> None:
    options = PipelineOptions(["--runner=FnApiRunner", f"--direct_running_mode={mode}", f"--direct_num_workers={workers}"])
    inputs = Inputs(inputs=(str(source),))
    report = launch(
        inputs,
        checked_output(inputs, str(tmp_path / "out")),
        ExtractOptions(),
        WorkOptions(max_concurrent_extractions=1, pages_per_task=1),
        options,
        run_id=new_run_id(),
        is_spread=True,
    )
    assert report["sum_check"]["is_ok"]
    assert comparable(tmp_path / "out") == comparable(plain)
