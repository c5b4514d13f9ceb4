"""Killed at any moment and run again, the dataset is as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from docbeam.transforms import commit as committing
from docbeam.transforms.storage import Folder
from tests.pipelines.harness import command, comparable, docbeam, extract, rows, run_files

KILLS = 50


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recovery") / "in"
    samples = Path(__file__).parent.parent.parent / "samples"
    for copy in range(6):
        shutil.copytree(samples, folder / str(copy), ignore=shutil.ignore_patterns("scans") if copy else None)
    for number in range(300):
        (folder / f"{number}.txt").write_text(f"note {number}\n")
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    assert extract(source, out).returncode == 0
    return out


def started(source: Path, out: Path, *flags: str) -> subprocess.Popen[bytes]:
    arguments = command("extract", source, "--output", out, "--progress", "none", *flags)
    return subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def no_children_left(pids: set[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in pids):
            return True
        time.sleep(0.05)
    return False


def test_killed_at_random_moments_and_run_again_gives_the_exact_dataset(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    chance, outputs = random.Random(7), 0
    begun = time.monotonic()
    assert extract(source, tmp_path / "timed").returncode == 0
    whole = time.monotonic() - begun
    killed = 0
    while killed < KILLS:  # each output is killed at until a run on it ends by itself
        out = tmp_path / f"out-{outputs}"
        outputs += 1
        is_killed = True
        while is_killed:
            is_killed = _killed_within(started(source, out, "--part-rows", "20"), chance.uniform(0.1, 1.1) * whole)
            killed += is_killed
        done = extract(source, out, "--part-rows", "20")
        assert done.returncode == 0, done.stderr
        assert comparable(out) == comparable(undisturbed)
        left = [path for path in (out / "_docbeam").rglob("*") if path.is_file()]
        assert not left, "nothing is left in the work folder"
        shutil.rmtree(out)


def _killed_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kill a run after some time; return whether it still ran then."""
    try:
        assert process.wait(timeout=seconds) == 0
        return False
    except subprocess.TimeoutExpired:
        children = {child.pid for child in psutil.Process(process.pid).children(recursive=True)}
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert no_children_left(children)
        return True


def test_whole_staged_files_of_a_killed_run_are_not_made_again(source: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(source, out, "--part-rows", "20")
    staging = out / "_docbeam/staging"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(staging.rglob("documents-*.parquet"))) < 3 and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    saved = {path.name.split("-")[1] for path in staging.rglob("*-*-*.parquet")}
    assert saved, "the run was over before it could be killed"
    assert not (out / "documents").exists(), "nothing of half a run is in view"
    assert extract(source, out).returncode == 0
    kept = {path.stem.split("-")[1] for path in (out / "documents").rglob("part-*.parquet")}
    assert saved & kept, "the saved files are part of the dataset"
    assert comparable(out) == comparable(undisturbed)


def test_a_commit_that_was_cut_is_finished_by_the_next_run(
    source: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(undisturbed, whole)
    (report,) = run_files(whole)
    for cut in range(len(report["parts"]) + 1):
        out = tmp_path / f"cut-{cut}"
        shutil.copytree(undisturbed, out)
        folder, run_id = Folder(str(out)), report["run_id"]
        (out / "runs" / f"{run_id}.json").unlink()
        staged = [
            {**part, "staged": f"_docbeam/staging/{run_id}/{number}.parquet"} for number, part in enumerate(report["parts"])
        ]
        for part in staged[cut:]:
            folder.move(part["name"], part["staged"])
        folder.write_json(f"_docbeam/staging/{run_id}/{committing.PLAN}", {**report, "parts": staged})
        assert extract(source, out).returncode == 0
        assert comparable(out) == comparable(undisturbed)
        assert [run["run_id"] == run_id for run in run_files(out)] == [True, False]
        assert run_files(out)[1]["skipped"] == run_files(out)[1]["listed"]


def test_inputs_that_changed_or_went_since_the_kill_are_not_taken_from_the_staged_files(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for number in range(9):
        (source / f"{number}.txt").write_text(f"note {number}\n")
    assert extract(source, out).returncode == 0
    (report,) = run_files(out)
    (out / "_docbeam/staging/killed").mkdir(parents=True)
    for number, part in enumerate(report["parts"]):  # as a run leaves them that was killed before its commit
        dataset = part["name"].split("/")[0]
        shutil.move(out / part["name"], out / f"_docbeam/staging/killed/{dataset}-{number:032x}-1.parquet")
    shutil.rmtree(out / "runs")
    (source / "0.txt").unlink()
    (source / "1.txt").write_text("another text\n")
    assert extract(source, out).returncode == 0
    assert sorted(row["content"].strip() for row in rows(out, "documents")) == ["another text"] + [
        f"note {n}" for n in range(2, 9)
    ]
    assert run_files(out)[-1]["sum_check"]["is_ok"]


def test_half_written_and_foreign_staged_files_are_no_harm(source: Path, undisturbed: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    staging = out / "_docbeam/staging/killed"
    staging.mkdir(parents=True)
    (staging / "documents-half.parquet").write_bytes(b"PAR1 half")
    (staging / ".documents-draft.tmp").write_bytes(b"PAR1")
    assert extract(source, out).returncode == 0
    assert comparable(out) == comparable(undisturbed)
    assert not list(staging.rglob("*"))


def test_two_runs_at_once_on_one_output_exclude_each_other(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = started(source, out)
    try:
        deadline = time.monotonic() + 60
        while not (out / "_docbeam/lease.json").exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        first.send_signal(signal.SIGSTOP)  # it lives and holds the output for as long as this test needs
        second = docbeam("extract", source, "--output", out)
    finally:
        first.send_signal(signal.SIGCONT)
        code = first.wait()
    assert second.returncode == 2
    assert "is writing to it" in second.stderr
    assert code == 0
    assert extract(source, out).returncode == 0


def test_a_dead_runs_lease_is_lost(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    dead = subprocess.Popen(["true"])
    dead.wait()
    lease = tmp_path / "out/_docbeam/lease.json"
    lease.parent.mkdir(parents=True)
    import socket

    lease.write_text(json.dumps({"run_id": "x", "host": socket.gethostname(), "pid": dead.pid, "renewed_at": time.time()}))
    assert extract(tmp_path / "in", tmp_path / "out").returncode == 0
    lease.parent.mkdir(parents=True, exist_ok=True)
    lease.write_text(json.dumps({"run_id": "x", "host": "elsewhere", "pid": 1, "renewed_at": time.time() - 3600}))
    assert extract(tmp_path / "in", tmp_path / "out").returncode == 0


def test_interrupt_ends_cleanly_and_says_how_to_go_on(source: Path, tmp_path: Path) -> None:
    arguments = command("extract", source, "--output", tmp_path / "out", "--progress", "none")
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "out/_docbeam/lease.json").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    children = {child.pid for child in psutil.Process(process.pid).children(recursive=True)}
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run the same command again" in errors
    assert "Traceback" not in errors
    assert no_children_left(children)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_ends_the_run_with_one_line_and_the_next_run_finishes_it(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "small"
    out.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", out], capture_output=True)
    if mounted.returncode:
        pytest.skip("this machine does not allow mounting a tmpfs")
    try:
        done = extract(source, out, "--part-rows", "20")
        assert done.returncode == 1
        assert "No space left on device" in done.stderr
        assert "Traceback" not in done.stderr
        subprocess.run(["mount", "-o", "remount,size=64m", out], check=True)
        assert extract(source, out, "--part-rows", "20").returncode == 0
        assert comparable(out) == comparable(undisturbed)
    finally:
        subprocess.run(["umount", out], check=True)


def test_part_files_that_somebody_removed_are_made_anew_and_foreign_run_files_ignored(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert extract(source, out).returncode == 0
    made = comparable(out)
    shutil.rmtree(out / "documents")
    for name, text in (("a.json", "{cut"), ("b.json", "[1]"), ("c.json", '{"parts": [{}]}')):
        (out / "runs" / name).write_text(text)
    done = extract(source, out)
    assert done.returncode == 0, done.stderr
    for name in ("a.json", "b.json", "c.json"):
        (out / "runs" / name).unlink()
    assert run_files(out)[-1]["sum_check"]["is_ok"]
    assert [row for row in comparable(out) if row["dataset"] == "documents"] == [r for r in made if r["dataset"] == "documents"]


def test_nothing_is_left_behind_by_a_run_that_ended_well(source: Path, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    done = docbeam("extract", source, "--output", tmp_path / "out", env={"TMPDIR": str(tmp_path / "tmp")})
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["documents", "quarantine", "runs"]
    assert not list((tmp_path / "tmp").iterdir())
