"""Runs over an output that is there already: each input once in the live datasets, deleted inputs, and what is read again."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest

from docbeam.__main__ import main
from docbeam.transforms.gone import find_gone
from docbeam.transforms.ledger import read_ledger
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import key_of
from tests.pipelines.harness import comparable, rows, run_files

HISTORY = "superseded/documents"


def run(*arguments: str | Path) -> int:
    """Run the command in this process."""
    return main([*map(str, arguments), "--progress", "none"])


def extract(source: Path, out: Path, *flags: str) -> dict[str, Any]:
    assert run("extract", source, "-o", out, *flags) == 0
    return run_files(out)[-1]


def is_sound(out: Path) -> bool:
    """Say whether verify finds nothing, and each URI is live once."""
    live = Counter(row["uri"] for row in comparable(out))
    return run("verify", out) == 0 and set(live.values()) <= {1}


def texts(out: Path) -> dict[str, str]:
    return {row["uri"].rsplit("/", 1)[1]: row.get("content", row.get("error_category")).strip() for row in comparable(out)}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    for place in ("a", "b"):
        (folder / place).mkdir(parents=True)
        for number in range(3):
            (folder / place / f"{place}{number}.txt").write_text(f"note {place}{number}\n")
    with zipfile.ZipFile(folder / "box.zip", "w") as box:
        box.writestr("inner.txt", "inner\n")
    return folder


@pytest.fixture
def out(source: Path, tmp_path: Path) -> Path:
    extract(source, tmp_path / "out")
    return tmp_path / "out"


def test_a_changed_input_replaces_its_old_rows_and_they_are_history(source: Path, out: Path, tmp_path: Path) -> None:
    (source / "a/a1.txt").write_text("changed\n")
    with zipfile.ZipFile(source / "box.zip", "w") as box:
        box.writestr("other.txt", "other\n")
    report = extract(source, out)
    assert (report["skipped"], report["rows"]["documents"]) == (5, 3)
    assert texts(out)["a1.txt"] == "changed"
    assert "inner.txt" not in texts(out), "what is embedded goes with its input"
    history = rows(out, HISTORY)
    assert sorted(row["uri"].rsplit("/", 1)[1] for row in history) == ["a1.txt", "box.zip", "inner.txt"]
    assert {row["superseded_by"] for row in history} == {report["run_id"]}
    assert is_sound(out)
    extract(source, tmp_path / "fresh")
    assert comparable(out) == comparable(tmp_path / "fresh"), "as if it had been read now for the first time"


def test_another_engine_reads_again_only_if_told_so(source: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = ("--max-extracted-chars", "4")
    (source / "new.txt").write_text("a new one\n")
    report = extract(source, out, *other)
    assert (report["skipped"], report["other_engine"], report["rows"]["documents"]) == (7, 7, 1)
    assert "older      7 of those done before" in capsys.readouterr().out
    report = extract(source, out, *other, "--reprocess", "changed-engine")
    assert (report["skipped"], report["other_engine"]) == (1, 0)
    assert set(texts(out).values()) >= {"note", "a ne"}
    assert len({row["engine_fingerprint"] for row in comparable(out)}) == 1
    assert is_sound(out)
    assert extract(source, out, *other, "--reprocess", "changed-engine")["skipped"] == 8
    assert extract(source, out, *other, "--reprocess", "all")["skipped"] == 0
    assert is_sound(out)


def test_quarantine_that_another_try_can_help_is_tried_again_by_another_engine(source: Path, out: Path, samples: Path) -> None:
    pictures = [path for path in (samples / "scans").iterdir() if path.suffix in (".png", ".jpg", ".tif", ".gif")]
    shutil.copy(pictures[0], source / f"picture{pictures[0].suffix}")
    extract(source, out, "--no-ocr", "--reprocess", "changed-engine")
    assert [row["error_category"] for row in rows(out, "quarantine")] == ["needs_ocr"]
    assert extract(source, out, "--no-ocr")["skipped"] == 8, "by the same engine nothing would come of it"
    report = extract(source, out)
    assert report["skipped"] == report["other_engine"] == 7
    assert not rows(out, "quarantine")
    assert (out / "quarantine").exists(), "readers find the dataset, with no rows"
    assert is_sound(out)


def test_an_input_that_can_not_be_read_now_keeps_its_text(
    source: Path, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "a/a0.txt").unlink()
    os.mkfifo(source / "a/a0.txt")
    (source / "a/a1.txt").write_text("changed\n")
    report = extract(source, out)
    assert texts(out)["a0.txt"] == "note a0"
    assert texts(out)["a1.txt"] == "changed"
    assert [one["uri"].rsplit("/", 1)[1] for one in report["stayed"]] == ["a0.txt"]
    assert report["sum_check"]["is_ok"]
    assert "can't be read now, its older rows stay" in capsys.readouterr().out
    assert is_sound(out)


def test_a_copy_without_text_is_read_when_its_original_changes_or_goes(source: Path, tmp_path: Path) -> None:
    out, flags = tmp_path / "out", ("--dedupe", "--no-duplicate-text")
    for name in ("b1", "b2"):
        (source / f"b/{name}.txt").write_text("note a1\n")
    extract(source, out, *flags)
    assert [texts(out)[name] for name in ("a1.txt", "b1.txt", "b2.txt")] == ["note a1", "", ""]
    assert extract(source, out, *flags)["skipped"] == 7
    (source / "a/a1.txt").unlink()
    extract(source, out, *flags, "--tombstones")
    assert sorted(texts(out)[name] for name in ("b1.txt", "b2.txt")) == ["", "note a1"]
    assert "a1.txt" not in texts(out)
    assert is_sound(out)


def test_deleted_inputs_are_reported_and_stay(source: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "a/a1.txt").unlink()
    report = extract(source, out)
    assert report["gone"]["inputs"] == 1
    assert report["gone"]["named"] == [f"file://{source}/a/a1.txt"]
    assert "gone       1 inputs" in capsys.readouterr().out
    assert "a1.txt" in texts(out)
    assert not (out / "tombstones").exists()


def test_tombstones_take_the_rows_out_and_say_what_was_there(source: Path, out: Path) -> None:
    first = run_files(out)[0]["run_id"]
    (source / "box.zip").unlink()
    shutil.rmtree(source / "b")
    report = extract(source, out, "--tombstones")
    assert sorted(texts(out)) == ["a0.txt", "a1.txt", "a2.txt"]
    found = {row["uri"].rsplit("/", 1)[1]: row for row in rows(out, "tombstones")}
    assert sorted(found) == ["b0.txt", "b1.txt", "b2.txt", "box.zip"]
    assert found["b0.txt"]["last_run_id"] == first
    assert found["b0.txt"]["sha256"] == {row["uri"]: row["sha256"] for row in rows(out, HISTORY)}[found["b0.txt"]["uri"]]
    assert found["b0.txt"]["run_id"] == report["run_id"]
    assert is_sound(out)
    assert extract(source, out, "--tombstones")["gone"]["inputs"] == 0
    (source / "b").mkdir()
    (source / "b/b0.txt").write_text("back\n")
    extract(source, out, "--tombstones")
    assert texts(out)["b0.txt"] == "back"
    assert is_sound(out)


@pytest.mark.parametrize("inputs", [["a"], ["a/*.txt"], ["a/a0.txt", "a/a2.txt"], ["*/?0.txt"]])
def test_what_other_inputs_have_brought_is_not_gone(source: Path, out: Path, inputs: list[str]) -> None:
    assert run("extract", *(source / given for given in inputs), "-o", out, "--tombstones") == 0
    assert run_files(out)[-1]["gone"]["inputs"] == 0
    (source / "b/b1.txt").unlink()
    assert (
        run("extract", *(source / given for given in inputs[:1] if "*/" not in given), source / "a", "-o", out, "--tombstones")
        == 0
    )
    assert run_files(out)[-1]["gone"]["inputs"] == 0, "it is gone, but does not lie below today's inputs"
    assert len(texts(out)) == 8


def test_a_manifest_deletes_nothing(source: Path, out: Path, tmp_path: Path) -> None:
    (source / "a/a1.txt").unlink()
    (tmp_path / "list.csv").write_text(f"uri\n{source}/a/a0.txt\n")
    assert run("extract", "--manifest", tmp_path / "list.csv", "-o", out, "--tombstones") == 0
    assert run_files(out)[-1]["gone"]["inputs"] == 0


def test_an_empty_folder_may_be_a_share_that_is_not_mounted(source: Path, out: Path) -> None:
    for path in (source / "b").iterdir():
        path.unlink()
    report = extract(source, out, "--tombstones")
    assert (report["gone"]["inputs"], report["gone"]["unclear"]) == (0, 3)
    assert "is it a share that is not mounted?" in report["gone"]["unclear_named"][0]["reason"]
    for path in (source / "a").iterdir():
        path.unlink()
    (source / "a").rmdir()
    (source / "b").rmdir()
    (source / "box.zip").unlink()
    report = extract(source, out, "--tombstones")
    assert (report["gone"]["inputs"], report["gone"]["unclear"]) == (0, 7), "the input itself is empty"
    assert len(texts(out)) == 8


def test_behind_a_link_that_leads_nowhere_nothing_is_gone(source: Path, out: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.move(source / "b", tmp_path / "elsewhere/b")
    (source / "b").symlink_to(tmp_path / "elsewhere/b")
    assert extract(source, out, "--tombstones")["gone"]["inputs"] == 0
    shutil.move(tmp_path / "elsewhere/b", tmp_path / "elsewhere/unmounted")
    report = extract(source, out, "--tombstones")
    assert (report["gone"]["inputs"], report["gone"]["unclear"]) == (0, 3)
    assert len([name for name in texts(out) if name.startswith("b") and name.endswith(".txt")]) == 3


def gone_of(out: Path, given: str, problems: list[str] | None = None) -> tuple[set[str], int]:
    folder = Folder(str(out))
    unlisted = {key_of(row["uri"]) for row in comparable(out)}
    found = find_gone(folder, read_ledger(folder), unlisted, [given], problems or [], {})
    return {uri.rsplit("/", 1)[1] for uri in found.named}, found.unclear


def test_a_folder_that_could_not_be_listed_hides_what_is_below(
    source: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(source / "b")
    (source / "a/a0.txt").unlink()
    assert gone_of(out, str(source)) == ({"a0.txt", "b0.txt", "b1.txt", "b2.txt"}, 0)
    assert gone_of(out, str(source), [f"file://{source}/b"]) == ({"a0.txt"}, 3)
    real = os.lstat

    def failing(path: Any, *more: Any, **named: Any) -> os.stat_result:
        if os.fsencode(path).endswith(b"a0.txt"):
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **named)

    monkeypatch.setattr(os, "lstat", failing)
    assert gone_of(out, str(source), [f"file://{source}/b"]) == (set(), 4)


def test_storage_that_does_not_answer_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fs, out = fsspec.filesystem("memory"), tmp_path / "out"
    for name in ("x/1.txt", "x/2.txt", "y/3.txt"):
        fs.pipe_file(f"/gone-test/{name}", name.encode())
    assert run("extract", "memory://gone-test", "-o", out) == 0
    fs.rm("/gone-test/x/1.txt")
    fs.rm("/gone-test/y/3.txt")
    assert gone_of(out, "memory://gone-test") == ({"1.txt", "3.txt"}, 0)

    def failing(*_: Any, **__: Any) -> Any:
        raise TimeoutError("no answer")

    monkeypatch.setattr(type(fs), "info", failing)
    assert gone_of(out, "memory://gone-test") == (set(), 3)


def dying(change: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def changed(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("killed")
        return change(*arguments, **more)

    return changed


def test_cut_at_any_step_a_run_ends_as_if_nothing_had_happened(
    source: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "a/a1.txt").write_text("changed\n")
    (source / "b/b1.txt").unlink()
    whole = tmp_path / "whole"
    shutil.copytree(out, whole)
    extract(source, whole, "--tombstones")
    before = {row["uri"] for row in comparable(out)}
    for number in range(0, 60):
        cut = tmp_path / f"cut-{number}"
        shutil.copytree(out, cut)
        left = [number]
        with monkeypatch.context() as patch:
            for name in ("move", "remove", "write_json"):
                patch.setattr(Folder, name, dying(getattr(Folder, name), left))
            with contextlib.suppress(OSError, SystemExit):
                run("extract", source, "-o", cut, "--tombstones")
        if left[0] >= 0:
            break
        seen = {row["uri"] for row in comparable(cut)}
        assert before - seen <= {f"file://{source}/b/b1.txt"}, f"a reader misses nothing after step {number}"
        (cut / "_docbeam/lease.json").unlink(missing_ok=True)  # as a dead process loses it
        extract(source, cut, "--tombstones")
        assert comparable(cut) == comparable(whole), f"cut at step {number}"
        assert len(rows(cut, HISTORY)) == len(rows(whole, HISTORY))
        assert len(rows(cut, "tombstones")) == 1
        assert is_sound(cut), f"cut at step {number}"
    assert number > 5


def test_on_an_object_store_it_is_the_same(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = "memory://incremental-out"
    assert run("extract", source, "-o", out, "--part-rows", "2") == 0
    (source / "a/a1.txt").write_text("changed\n")
    (source / "b/b1.txt").unlink()
    assert run("extract", source, "-o", out, "--tombstones", "--part-rows", "2") == 0
    names = Folder(out).names()
    assert run("compact", out, "--drop-history", "0") == 0
    left = Folder(out).names()
    assert len(left) < len(names)
    assert not [name for name in left if name.startswith(("superseded", "_docbeam"))]
    assert run("verify", out) == 0
    capsys.readouterr()
    assert main(["status", out, str(source), "--json", "--progress", "none"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert (plan["same"], plan["gone"]["inputs"]) == (6, 0)
