"""What a distributed runner may do to the last step: try it again after it has ended, or go on when its command is gone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from docbeam.pipelines import extract as pipeline
from docbeam.pipelines.launch import checked_output, launch, new_run_id
from docbeam.runners import direct
from docbeam.schemas.errors import UsageError
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms.lease import LEASE, check_lease
from docbeam.transforms.listing import Inputs
from docbeam.transforms.storage import Folder
from tests.pipelines.harness import comparable, run_files


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.txt").write_text(f"note {number}\n")
    return folder


def launched(source: Path, out: Path) -> dict[str, Any]:
    inputs = Inputs(inputs=(str(source),))
    return launch(
        inputs,
        checked_output(inputs, str(out)),
        ExtractOptions(),
        WorkOptions(),
        direct.pipeline_options(),
        run_id=new_run_id(),
        is_spread=True,
    )


def tree(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_a_commit_step_that_is_tried_again_after_its_end_changes_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, real = tmp_path / "out", pipeline._committed

    def twice(parts: Any, listing: Any, run: Any) -> Any:
        first = real(parts, listing, run)
        shutil.copytree(out, tmp_path / "before")
        second = real(parts, listing, run)
        assert second["parts"] and second["run_id"] == first["run_id"]
        return second

    monkeypatch.setattr(pipeline, "_committed", twice)
    launched(source, out)
    before = {name: data for name, data in tree(tmp_path / "before").items() if name != LEASE}
    assert before == tree(out)
    assert len(comparable(out)) == 5


@pytest.mark.parametrize("holder", ["20990101T000000Z-ffffff", None])
def test_a_job_whose_command_has_lost_the_output_publishes_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: str | None
) -> None:
    out, real = tmp_path / "out", pipeline._committed

    def after_another_run_came(parts: Any, listing: Any, run: Any) -> Any:
        (out / LEASE).unlink()
        if holder:
            (out / LEASE).write_text(json.dumps({"run_id": holder}))
        return real(parts, listing, run)

    monkeypatch.setattr(pipeline, "_committed", after_another_run_came)
    with pytest.raises(Exception, match="does not hold it any more"):
        launched(source, out)
    assert not (out / "runs").exists() and not (out / "documents").exists()


def test_workers_go_on_without_a_lease_and_end_under_anothers(tmp_path: Path) -> None:
    output = Folder(str(tmp_path))
    check_lease(output, "mine")
    output.write_json(LEASE, {"run_id": "mine"})
    check_lease(output, "mine", must_be_there=True)
    output.write_json(LEASE, {"run_id": "another"})
    with pytest.raises(UsageError, match="another does"):
        check_lease(output, "mine")


def test_rows_that_a_job_has_staged_after_a_newer_run_published_them_are_dropped(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    launched(source, out)
    (report,) = run_files(out)
    (part,) = [part for part in report["parts"] if part["rows"]]
    late = out / "_docbeam/staging/20200101T000000Z-000000" / f"documents-{'0' * 32}-1.parquet"
    late.parent.mkdir(parents=True)
    late.write_bytes((out / part["name"]).read_bytes())
    second = launched(source, out)
    assert second["skipped"] == second["listed"] == 5 and second["sum_check"]["is_ok"]
    assert len(comparable(out)) == 5
    assert not [path for path in (out / "_docbeam").rglob("*") if path.is_file()]
