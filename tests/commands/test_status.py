"""What `docbeam status` and dry runs say, and that they write nothing."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docbeam.__main__ import main
from tests.pipelines.harness import run_files


def run(*arguments: str | Path) -> int:
    return main([*map(str, arguments), "--progress", "none"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("status")
    (folder / "in").mkdir()
    for number in range(6):
        (folder / f"in/{number}.txt").write_text(f"note {number}\n")
    (folder / "in/nothing.txt").touch()
    assert run("extract", folder / "in", "-o", folder / "out") == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made / "out", tmp_path / "out")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    capsys.readouterr()
    assert run("status", *arguments) == 0
    return capsys.readouterr().out


def test_it_says_what_is_done_and_in_quarantine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, folder / "out")
    assert "done       6 documents + 1 quarantined" in out
    assert "quarantine       1  empty\n" in out
    assert "pending" not in out
    assert "held" not in out
    found = json.loads(said(capsys, folder / "out", "--json"))
    assert found["inputs"] == {"documents": 6, "quarantine": 1}
    assert found["quarantine"] == [{"category": "empty", "is_retryable": False, "rows": 1}]


def test_with_inputs_it_says_what_a_run_would_do(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(made / "in", folder / "in", copy_function=shutil.copy2)
    found = json.loads(said(capsys, folder / "out", made / "in", "--json"))["plan"]
    assert (found["same"], found["gone"]["inputs"]) == (7, 0)
    (made / "in/new.txt").write_text("new\n")
    was = (made / "in/1.txt").stat()
    (made / "in/1.txt").write_text("changed\n")
    (made / "in/2.txt").rename(folder / "2.txt")
    try:
        found = json.loads(said(capsys, folder / "out", made / "in", "--json"))["plan"]
        assert {key: found[key] for key in ("same", "new", "changed")} == {"same": 5, "new": 1, "changed": 1}
        assert found["gone"]["named"] == [f"file://{made}/in/2.txt"]
        text = said(capsys, folder / "out", made / "in")
        assert "1  changed: would be read again" in text
        assert "gone       1 inputs" in text
        capsys.readouterr()
        before = sorted((folder / "out").rglob("*"))
        assert run("extract", made / "in", "-o", folder / "out", "--dry-run", "--max-body-bytes", "7MB") == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines[:2]] == ["changed", "new"]
        assert "5  the same, read by another engine" in "\n".join(lines)
        assert run("extract", made / "in", "-o", folder / "out", "--dry-run", "--reprocess", "all") == 0
        assert capsys.readouterr().out.count("again      file://") == 5
        assert sorted((folder / "out").rglob("*")) == before
    finally:
        (made / "in/new.txt").unlink()
        (made / "in/1.txt").write_text("note 1\n")
        os.utime(made / "in/1.txt", ns=(was.st_atime_ns, was.st_mtime_ns))
        (folder / "2.txt").rename(made / "in/2.txt")


def test_a_dry_run_makes_no_folder(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("extract", made / "in", "-o", folder / "nowhere", "--dry-run") == 0
    assert "7  new: would be read" in capsys.readouterr().out
    assert not (folder / "nowhere").exists()


def test_rows_of_older_engines_are_counted(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made / "in/later.txt").write_text("later\n")
    try:
        assert run("extract", made / "in", "-o", folder / "out", "--max-extracted-chars", "4") == 0
    finally:
        (made / "in/later.txt").unlink()
    assert "engines    1 inputs by the newest run's engine and options, 7 by 1 others" in said(capsys, folder / "out")


def test_leftovers_of_a_killed_run_and_who_holds_the_output(
    made: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out"
    (report,) = run_files(out)
    staging = out / "_docbeam/staging/killed"
    staging.mkdir(parents=True)
    (other,) = (out / "documents").rglob("*.parquet")
    shutil.copy(other, staging / f"documents-{1:032x}-1.parquet")
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    lease = {"run_id": "killed", "host": socket.gethostname(), "pid": dead.pid, "renewed_at": time.time()}
    (out / "_docbeam/lease.json").write_text(json.dumps(lease))
    text = said(capsys, out)
    assert "pending    6 rows in 1 files of killed, which was killed" in text
    assert "held       by nobody: killed" in text
    (out / "_docbeam/lease.json").write_text(json.dumps({**lease, "pid": os.getpid()}))
    text = said(capsys, out)
    assert "running    killed has written 6 rows so far" in text
    assert f"held       by killed (process {os.getpid()}" in text
    (staging / "commit.json").write_text(json.dumps(report))
    (out / "_docbeam/lease.json").unlink()
    assert "the commit of killed was cut" in said(capsys, out)
    assert run("extract", made / "in", "-o", out, "--dry-run") == 0
    assert "the commit of killed was cut" in capsys.readouterr().err


def test_what_is_no_output_is_a_usage_error(folder: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("status", folder / "nowhere") == 2
    assert "no run file" in capsys.readouterr().err
    assert run("status", folder / "out", folder / "nothing") == 2
    assert "no such file or folder" in capsys.readouterr().err
