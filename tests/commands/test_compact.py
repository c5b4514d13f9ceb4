"""Compaction keeps rows, their order and their run, and a kill at any step harms nothing."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from docbeam.__main__ import main
from docbeam.transforms.recover import finish_begun_commits
from docbeam.transforms.storage import Folder
from tests.pipelines.harness import rows, run_files


def run(*arguments: str | Path) -> int:
    return main([*map(str, arguments), "--progress", "none"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with inputs, and an output of two runs in small files, with history of both datasets."""
    folder = tmp_path_factory.mktemp("compact")
    (folder / "in").mkdir()
    for number in range(20):
        (folder / f"in/{number:02}.txt").write_text(f"note {number}\n")
        (folder / f"in/{number:02}.nothing").touch()
    assert run("extract", folder / "in", "-o", folder / "out", "--part-rows", "4") == 0
    for number in (1, 6, 11, 12):
        (folder / f"in/{number:02}.txt").write_text(f"changed {number}\n")
    (folder / "in/19.nothing").unlink()
    assert run("extract", folder / "in", "-o", folder / "out", "--part-rows", "2", "--tombstones") == 0
    return folder


@pytest.fixture
def out(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made / "out", tmp_path / "out")
    return tmp_path / "out"


def in_order(out: Path, dataset: str) -> list[dict[str, Any]]:
    """Return the rows as a reader gets them, in this order."""
    return list(ds.dataset(out / dataset, format="parquet", partitioning="hive").to_table().to_pylist())


def contents(out: Path) -> dict[str, list[dict[str, Any]]]:
    return {name: in_order(out, name) for name in ("documents", "quarantine", "superseded/documents", "tombstones")}


def test_rows_their_order_and_their_run_stay(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, files = contents(out), len(list(out.rglob("*.parquet")))
    assert run("compact", out) == 0
    assert "merged" in capsys.readouterr().out
    assert contents(out) == before
    assert len(list(out.rglob("*.parquet"))) < files / 2
    for folder in (path for path in out.rglob("run_id=*") if "tombstones" not in str(path)):
        assert len(list(folder.glob("*.parquet"))) == 1, folder
    assert run("verify", out) == 0
    report = run_files(out)[-1]
    assert report["command"]["name"] == "compact"
    assert run("compact", out) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert run_files(out)[-1] == report
    assert not (out / "_docbeam").exists()


def test_merged_files_stay_within_the_limits(out: Path) -> None:
    before = contents(out)
    assert run("compact", out, "--part-rows", "8") == 0
    assert max(change["kept"]["rows"] for change in run_files(out)[-1]["replaced"] if change["kept"]) <= 8
    assert contents(out) == before
    assert run("compact", out) == 0
    assert contents(out) == before
    assert run("verify", out) == 0


def test_history_goes_only_if_told_so_and_its_run_still_adds_up(out: Path) -> None:
    live = {name: rows for name, rows in contents(out).items() if not name.startswith("superseded")}
    assert run("compact", out, "--drop-history", "1") == 0
    assert len(rows(out, "superseded/documents")) == 4, "it is not a day old"
    assert run("compact", out, "--drop-history", "0") == 0
    assert not list((out / "superseded").rglob("*.parquet"))
    assert {name: in_order(out, name) for name in live} == live
    assert run("verify", out) == 0
    assert sum(part["rows"] for part in run_files(out)[-1]["dropped"]) == 5
    assert run("verify", out) == 0


def test_a_later_run_goes_on_from_a_compacted_output(made: Path, out: Path) -> None:
    assert run("compact", out, "--drop-history", "0") == 0
    assert run("extract", made / "in", "-o", out) == 0
    report = run_files(out)[-1]
    assert report["skipped"] == report["listed"] == 39
    assert run("verify", out) == 0


def test_a_dry_run_writes_nothing(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert run("compact", out, "--dry-run", "--drop-history", "0") == 0
    said = capsys.readouterr().out
    assert "would merge" in said
    assert "would remove 5 superseded rows" in said
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_a_file_that_is_not_as_its_run_file_says_is_left_alone(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = sorted((out / "documents").rglob("*.parquet"))[0]
    data = bytearray(part.read_bytes())
    data[10] ^= 1
    part.write_bytes(data)
    assert run("compact", out) == 1
    assert f"{part.name} is not as its run file says" in capsys.readouterr().err
    assert part.read_bytes() == data
    assert run("verify", out) == 1


@pytest.mark.parametrize("days", ["-1", "soon", "nan"])
def test_days_that_are_none_are_a_usage_error(out: Path, days: str) -> None:
    assert run("compact", out, f"--drop-history={days}") == 2


def test_older_rows_of_an_input_leave_the_live_datasets(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name in ("first", "second"):  # two outputs in one, as versions left it that did not replace rows
        assert run("extract", made / "in", "-o", tmp_path / name) == 0
        shutil.copytree(tmp_path / name, out, dirs_exist_ok=True)
    for path in sorted((out / "runs").iterdir())[1:]:
        report = json.loads(path.read_text())
        assert report["previous"] is None
    assert len(rows(out, "documents")) == 40
    assert run("compact", out) == 0
    newest = sorted(run["run_id"] for run in run_files(out))[1]
    assert {row["run_id"] for row in rows(out, "documents")} == {newest}
    assert len(rows(out, "superseded/documents")) == 20
    assert run("verify", out) == 0


def dying(change: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def changed(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("killed")
        return change(*arguments, **more)

    return changed


def test_cut_at_any_step_it_is_finished_or_begun_again(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(out)
    live = {name: {row["uri"] for row in found} for name, found in before.items()}
    for number in range(200):
        cut = tmp_path / f"cut-{number}"
        shutil.copytree(out, cut)
        left = [number]
        with monkeypatch.context() as patch:
            for name in ("move", "remove", "write_json", "write"):
                patch.setattr(Folder, name, dying(getattr(Folder, name), left))
            with contextlib.suppress(OSError):
                run("compact", cut)
        if left[0] >= 0:
            break
        for name in live:
            assert {row["uri"] for row in in_order(cut, name)} == live[name], f"a reader misses nothing after step {number}"
        (cut / "_docbeam/lease.json").unlink(missing_ok=True)  # as a dead process loses it
        finish_begun_commits(Folder(str(cut)))  # as every run does first
        assert contents(cut) == before, f"cut at step {number}"
        assert run("compact", cut) == 0
        assert contents(cut) == before
        assert run("verify", cut) == 0, f"cut at step {number}"
        assert not (cut / "_docbeam").exists(), f"cut at step {number}"
        shutil.rmtree(cut)
    assert 10 < number < 199
