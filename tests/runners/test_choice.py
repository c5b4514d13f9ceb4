"""--runner: presets, Beam's own names, and raw options that win over the presets."""

from __future__ import annotations

from pathlib import Path

import pytest
from apache_beam.options.pipeline_options import (
    DirectOptions,
    FlinkRunnerOptions,
    GoogleCloudOptions,
    PortableOptions,
    StandardOptions,
)

from docbeam.commands.beam import absolute, split_raw
from docbeam.runners.choice import PRESETS, chosen
from docbeam.schemas.errors import UsageError
from tests.conftest import ROOT, SAMPLES
from tests.pipelines.harness import comparable, docbeam, extract


def test_raw_options_stand_behind_two_dashes_of_the_commands_that_run_a_pipeline() -> None:
    assert split_raw(["extract", "in", "-o", "out", "--", "--x=1"]) == (["extract", "in", "-o", "out"], ["--x=1"])
    assert split_raw(["text", "--", "-odd-name.txt"]) == (["text", "--", "-odd-name.txt"], [])


def test_every_preset_has_a_page() -> None:
    for name in PRESETS:
        page = (ROOT / f"docs/runners/{name}.md").read_text()
        assert f"# {name.capitalize()}" in page


@pytest.fixture(autouse=True)
def flink_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the options count, not what is installed."""
    monkeypatch.setattr("docbeam.runners.flink.shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("docbeam.runners.flink.os.path.exists", lambda path: True)


def test_the_direct_preset_is_one_process_and_the_others_are_spread() -> None:
    choice = chosen("direct", [], "docbeam-1")
    assert choice.options.view_as(StandardOptions).runner == "FnApiRunner"
    assert not choice.is_spread and not choice.ocr_hints
    assert all(chosen(name, [], "docbeam-1").is_spread for name in ("flink", "dataflow", "PrismRunner"))


def test_raw_options_win_over_a_preset() -> None:
    choice = chosen("direct", ["--direct_num_workers=3", "--job_name=mine"], "docbeam-1")
    assert choice.options.view_as(DirectOptions).direct_num_workers == 3
    assert choice.options.view_as(GoogleCloudOptions).job_name == "mine"


def test_flink_starts_python_workers_as_processes_unless_told_how() -> None:
    choice = chosen("flink", ["--flink_master=host:8081"], "docbeam-1")
    portable = choice.options.view_as(PortableOptions)
    assert portable.environment_type == "PROCESS"
    command = portable.lookup_environment_option("process_command")
    assert Path(command).name == "docbeam-worker" and Path(command).is_absolute()
    assert choice.where == "Flink at host:8081"
    told = chosen("flink", ["--environment_type=EXTERNAL", "--environment_config=host:50000"], "docbeam-1")
    assert told.options.view_as(PortableOptions).environment_options is None
    assert told.options.view_as(FlinkRunnerOptions).flink_master


def test_flink_says_what_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbeam.runners.flink.os.path.exists", lambda path: False)
    with pytest.raises(UsageError, match=r"docbeam-worker is not there.*process_command"):
        chosen("flink", [], "docbeam-1")
    monkeypatch.setattr("docbeam.runners.flink.shutil.which", lambda name: None)
    with pytest.raises(UsageError, match=r"java is not installed.*--job_endpoint"):
        chosen("flink", [], "docbeam-1")


@pytest.mark.parametrize(("name", "raw"), [("fink", []), ("direct", ["parallelism=2"]), ("", [])])
def test_what_is_no_runner_and_no_option_is_said(name: str, raw: list[str]) -> None:
    with pytest.raises(UsageError, match=r"Runner|--name=value"):
        chosen(name, raw, "docbeam-1")


def test_a_wrong_runner_ends_with_one_line_before_anything_starts(tmp_path: Path) -> None:
    done = extract(SAMPLES, tmp_path / "out", "--runner", "fink")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "'fink'" in done.stderr


def test_relative_paths_mean_the_same_on_every_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("in/*.pdf") == str(tmp_path / "in/*.pdf")
    assert [absolute(given) for given in ("/in", "gs://bucket/in", None)] == ["/in", "gs://bucket/in", None]


def test_any_beam_runner_by_its_name_gives_the_same_rows(tmp_path: Path) -> None:
    assert extract(SAMPLES / "notes", tmp_path / "direct").returncode == 0
    out = tmp_path / "named"
    raw = ("--runner", "FnApiRunner", "--progress", "none", "--", "--direct_running_mode=multi_threading")
    done = docbeam("extract", SAMPLES / "notes", "--output", out, *raw)
    assert done.returncode == 0, done.stderr
    assert comparable(out) == comparable(tmp_path / "direct")
