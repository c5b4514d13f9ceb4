"""A manifest's digests are obeyed: in the first run, in a later one, and by what a killed run has left."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.pipelines.harness import docbeam, rows, run_files


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for number in range(4):
        (tmp_path / f"in/{number}.txt").write_text(f"note {number}\n")
    return tmp_path


def listed(delivery: Path, **wrong: str) -> str:
    """Write a manifest, with other digests for some of the files; return its path."""
    lines = ["uri,sha256,md5"]
    for path in sorted((delivery / "in").iterdir()):
        sha256 = wrong.get(f"n{path.stem}", hashlib.sha256(path.read_bytes()).hexdigest())
        lines.append(f"{path},{sha256},{hashlib.md5(path.read_bytes()).hexdigest()}")
    (delivery / "list.csv").write_text("\n".join(lines))
    return str(delivery / "list.csv")


def run(delivery: Path, *flags: str) -> tuple[int, str, str]:
    done = docbeam("extract", "--manifest", delivery / "list.csv", "-o", delivery / "out", "--progress", "none", *flags)
    return done.returncode, done.stdout, done.stderr


def mismatched(delivery: Path) -> list[str]:
    found = [row for row in rows(delivery / "out", "quarantine") if row["error_category"] == "integrity_mismatch"]
    assert all(row["sha256"] and row["md5"] and row["size_bytes"] for row in found)
    return sorted(Path(row["uri"]).name for row in found)


def test_a_mismatch_is_counted_and_fails_the_run_where_that_is_wanted(delivery: Path) -> None:
    listed(delivery, n1="0" * 64, n2="no digest at all")
    code, out, err = run(delivery, "--fail-on-integrity")
    assert code == 1
    assert "2 of 4 inputs are not what the manifest says" in err
    assert "correct the manifest, and run the same command again" in err
    assert "integrity  4 with digests or sizes in the manifest, 2 don't match" in out
    assert mismatched(delivery) == ["1.txt", "2.txt"]
    rates = run_files(delivery / "out")[0]["rates"]
    assert (rates["integrity"], rates["integrity_mismatched"], rates["extraction"]) == (0.5, 2, 0.5)
    listed(delivery)  # corrected: the same command reads just those again
    code, _, _ = run(delivery, "--fail-on-integrity")
    report = run_files(delivery / "out")[-1]
    assert (code, report["skipped"], report["rows"]) == (0, 2, {"documents": 2, "quarantine": 0})


def test_an_input_that_was_read_before_is_checked_against_the_manifest_of_today(delivery: Path) -> None:
    listed(delivery)
    assert run(delivery)[0] == 0
    listed(delivery, n3="0" * 64)
    assert run(delivery, "--fail-on-integrity")[0] == 1
    assert mismatched(delivery) == ["3.txt"]
    assert run_files(delivery / "out")[-1]["skipped"] == 3


def test_rows_that_a_killed_run_has_left_are_checked_too(delivery: Path) -> None:
    listed(delivery)
    assert run(delivery)[0] == 0
    out = delivery / "out"
    (out / "_docbeam/staging/killed").mkdir(parents=True)
    for number, part in enumerate(run_files(out)[0]["parts"]):
        dataset = part["name"].split("/")[0]
        shutil.move(out / part["name"], out / f"_docbeam/staging/killed/{dataset}-{number:032x}-1.parquet")
    shutil.rmtree(out / "runs")
    listed(delivery, n0="0" * 64)
    assert run(delivery, "--fail-on-integrity")[0] == 1
    assert mismatched(delivery) == ["0.txt"]
    (report,) = run_files(out)
    assert report["sum_check"]["is_ok"]
    assert (report["rows"]["documents"], report["rates"]["integrity_expected"]) == (3, 4)
