"""Quarantined inputs read again: what is won moves to documents, what it replaces stays as history, and a kill harms nothing."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docbeam.__main__ import main
from docbeam.pipelines import replay as replaying
from docbeam.pipelines.launch import launch_replay, new_run_id
from docbeam.runners.direct import pipeline_options
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms.parts import REPLAY_SUFFIX
from docbeam.transforms.recover import finish_begun_commits
from docbeam.transforms.replay import Selected
from docbeam.transforms.selection import conditions_of
from docbeam.transforms.storage import Folder
from tests.pipelines.harness import comparable, docbeam, extract, rows, run_files

SMALL = ("--max-body-bytes", "5000")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with documents that are too large for the first run, one of them broken, and some that are not."""
    folder = tmp_path_factory.mktemp("replay") / "in"
    samples = Path(__file__).parent.parent.parent / "samples"
    shutil.copytree(samples / "broken", folder / "broken")
    shutil.copytree(samples / "notes", folder / "notes")
    shutil.copy(samples / "contracts/PDF.pdf", folder)
    with zipfile.ZipFile(folder / "box.zip", "w") as box:
        box.writestr("PDF.pdf", (samples / "contracts/PDF.pdf").read_bytes())
        box.writestr("password.pdf", (samples / "broken/password.pdf").read_bytes())
    return folder


@pytest.fixture(scope="module")
def first(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("first") / "out"
    assert extract(source, out, *SMALL).returncode == 0
    return out


@pytest.fixture
def out(first: Path, tmp_path: Path) -> Path:
    shutil.copytree(first, tmp_path / "out")
    return tmp_path / "out"


def replay(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return docbeam("replay", out, "--progress", "none", *arguments)


def is_verified(out: Path) -> bool:
    done = docbeam("verify", out)
    assert done.returncode == 0, done.stdout
    return True


def found(out: Path) -> dict[str, str]:
    """Return what each document of a dataset is now: its category, or document."""
    return {row["uri"].rsplit("/in/")[-1]: row.get("error_category", "document") for row in comparable(out)}


def unclocked(out: Path) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "engine_fingerprint"} for row in comparable(out)]


def test_what_is_won_moves_to_documents_and_the_old_rows_to_history(source: Path, out: Path, tmp_path: Path) -> None:
    before = found(out)
    done = replay(out, "--where", "category=input_too_large", "--max-body-bytes", "100MB")
    assert done.returncode == 0, done.stderr
    assert extract(source, tmp_path / "whole").returncode == 0
    assert unclocked(out) == unclocked(tmp_path / "whole")
    history = rows(out, "superseded/quarantine")
    assert {row["uri"].rsplit("/in/")[-1] for row in history} == {k for k, v in before.items() if v == "input_too_large"}
    old, new = run_files(out)
    assert {(row["superseded_by"], row["run_id"]) for row in history} == {(new["run_id"], old["run_id"])}
    assert new["run_id"].endswith(REPLAY_SUFFIX)
    assert new["command"] == {"name": "replay", "where": ["category=input_too_large"]}
    assert new["sum_check"]["is_ok"]
    assert is_verified(out)


def test_a_later_run_with_the_first_options_leaves_what_was_won(source: Path, out: Path) -> None:
    assert replay(out, "--where", "category=input_too_large", "--max-body-bytes", "100MB").returncode == 0
    won = comparable(out)
    assert extract(source, out, *SMALL).returncode == 0
    assert comparable(out) == won
    assert run_files(out)[-1]["skipped"] == run_files(out)[-1]["listed"]
    assert is_verified(out)


def test_what_fails_again_has_its_new_category_and_can_be_replayed_again(out: Path) -> None:
    assert replay(out, "--where", "uri=*broken/password.pdf", "--max-body-bytes", "100MB").returncode == 0
    assert found(out)["broken/password.pdf"] == "encrypted_no_key"
    assert replay(out, "--where", "category=encrypted_no_key").returncode == 0
    assert [row["error_category"] for row in rows(out, "superseded/quarantine")] == ["input_too_large", "encrypted_no_key"]
    assert run_files(out)[-1]["engine"]["options"]["max_body_bytes"] == 100_000_000, "the options of the newest of its runs"
    assert is_verified(out)


def test_an_input_is_replayed_with_all_that_is_embedded_in_it(out: Path) -> None:
    assert replay(out, "--where", "uri=*box.zip", "--max-body-bytes", "100MB").returncode == 0
    assert found(out)["box.zip!/password.pdf"] == "encrypted_no_key"
    done = replay(out, "--where", "uri=*box.zip!*", "--where", "category=encrypted_no_key,corrupt")
    assert "read again 1 = 1 now documents" in done.stdout
    assert found(out)["box.zip!/password.pdf"] == "encrypted_no_key"
    assert sorted(row["uri"].rsplit("/in/")[-1] for row in rows(out, "superseded/documents")) == ["box.zip", "box.zip!/PDF.pdf"]
    assert len({row["uri"] for row in comparable(out)}) == len(comparable(out))
    assert is_verified(out)


def test_an_input_that_is_gone_keeps_its_row_and_that_is_said(source: Path, tmp_path: Path) -> None:
    inputs, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(source, inputs)
    assert extract(inputs, out, *SMALL).returncode == 0
    (inputs / "PDF.pdf").unlink()
    done = replay(out, "--where", "category=input_too_large", "--max-body-bytes", "100MB")
    assert done.returncode == 0, done.stderr
    assert "+ 1 stayed as they were" in done.stdout
    assert f"stayed     file://{inputs}/PDF.pdf: transient_io: can't be read" in done.stdout
    assert found(out)["PDF.pdf"] == "input_too_large"
    assert run_files(out)[-1]["stayed"][0]["uri"] == f"file://{inputs}/PDF.pdf"
    assert is_verified(out)


def test_only_the_newest_row_of_an_input_counts(source: Path, out: Path) -> None:
    done = extract(source, out, "--reprocess", "changed-engine")  # another run, with other options, has read them by now
    assert done.returncode == 0, done.stderr
    done = replay(out, "--where", "category=input_too_large")
    assert (done.returncode, done.stdout) == (0, f"nothing in {out}/quarantine matches\n")


def test_a_dry_run_says_what_would_be_read_and_does_nothing(out: Path) -> None:
    before = sorted(out.rglob("*"))
    done = replay(out, "--where", "category=input_too_large", "--dry-run", "--max-body-bytes", "7MB")
    assert done.returncode == 0
    assert "would read again 3 inputs" in done.stdout
    assert "but max_body_bytes=7000000" in done.stdout
    assert "/in/PDF.pdf" in done.stdout
    assert sorted(out.rglob("*")) == before


def test_bytes_that_were_not_the_manifests_are_checked_again(source: Path, tmp_path: Path) -> None:
    manifest, out = tmp_path / "m.jsonl", tmp_path / "out"
    note = source / "notes/MARKDOWN.md"
    again = ("--where", "category=integrity_mismatch", "--manifest", str(manifest))
    manifest.write_text(json.dumps({"uri": str(note), "md5": "0" * 32}))
    assert docbeam("extract", "--manifest", manifest, "-o", out, "--progress", "none").returncode == 0
    assert replay(out, *again, "--fail-on-integrity").returncode == 1
    manifest.write_text(json.dumps({"uri": str(note)}))
    assert "give the --manifest" in replay(out, *again).stdout
    assert list(found(out).values()) == ["integrity_mismatch"]
    manifest.write_text(json.dumps({"uri": str(note), "size_bytes": note.stat().st_size}))
    assert replay(out, *again).returncode == 0
    assert list(found(out).values()) == ["document"]
    assert is_verified(out)


def launched(out: Path) -> None:
    selected = Selected(conditions=conditions_of(["category=input_too_large"]), manifest=None, storage_options={})
    run_id = new_run_id(REPLAY_SUFFIX)
    launch_replay(
        selected, Folder(str(out)), ExtractOptions(), WorkOptions(), pipeline_options(), run_id=run_id, is_spread=False
    )


def dying(change: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def changed(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("killed")
        return change(*arguments, **more)

    return changed


def test_cut_at_any_step_of_its_commit_a_replay_ends_as_if_nothing_had_happened(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(first, whole)
    launched(whole)
    cuts = set()
    for number in range(30):
        out = tmp_path / f"cut-{number}"
        shutil.copytree(first, out)
        left = [number]
        with monkeypatch.context() as patch:
            for name in ("move", "remove", "write_json"):
                patch.setattr(Folder, name, dying(getattr(Folder, name), left))
            with contextlib.suppress(OSError):
                launched(out)
        if left[0] >= 0:
            break
        (out / "_docbeam/lease.json").unlink(missing_ok=True)  # as a dead process loses it
        folder = Folder(str(out))
        finish_begun_commits(folder)  # as every run does first
        is_begun = len(run_files(out)) == 2
        cuts.add(is_begun)
        if not is_begun:
            launched(out)
        assert comparable(out) == comparable(whole), f"cut at step {number}"
        assert len(rows(out, "superseded/quarantine")) == len(rows(whole, "superseded/quarantine"))
        assert main(["verify", str(out)]) == 0, f"cut at step {number}"
    assert cuts == {False, True}, "some cuts came before the plan, others behind it"


def test_a_runner_that_calls_the_commit_again_changes_nothing(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    shutil.copytree(first, out)
    shutil.copytree(first, whole)
    launched(whole)
    commit = replaying._committed

    def twice(*arguments: Any, **more: Any) -> Any:
        left = [4]
        with monkeypatch.context() as patch, contextlib.suppress(OSError):
            for name in ("move", "remove"):
                patch.setattr(Folder, name, dying(getattr(Folder, name), left))
            commit(*arguments, **more)
        assert left[0] < 0
        commit(*arguments, **more)
        return commit(*arguments, **more)

    monkeypatch.setattr(replaying, "_committed", twice)
    launched(out)
    assert comparable(out) == comparable(whole)
    assert main(["verify", str(out)]) == 0


def test_what_a_killed_replay_has_staged_is_no_recovered_row_of_the_next_run(source: Path, first: Path, tmp_path: Path) -> None:
    out, won = tmp_path / "out", tmp_path / "won"
    shutil.copytree(first, out)
    shutil.copytree(first, won)
    launched(won)
    report = run_files(won)[-1]
    for number, part in enumerate(report["parts"]):
        staged = out / f"_docbeam/staging/{report['run_id']}/{part['name'].split('/')[0]}-{number:032x}-1.parquet"
        staged.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(won / part["name"], staged)
    assert extract(source, out, *SMALL).returncode == 0
    assert comparable(out) == comparable(first)
    assert not [path for path in (out / "_docbeam").rglob("*") if path.is_file()]


def test_a_replay_that_would_lose_text_changes_nothing_and_says_so(out: Path) -> None:
    assert replay(out, "--where", "uri=*/box.zip", "--max-body-bytes", "100MB").returncode == 0
    before = comparable(out)
    assert found(out)["box.zip!/PDF.pdf"] == "document"
    done = replay(out, "--where", "category=encrypted_no_key", "--where", "uri=*/box.zip!*", *SMALL)
    assert done.returncode == 0, done.stderr
    assert "1 stayed as they were" in done.stdout
    assert "it would be input_too_large now, and 2 of the texts that its rows have would be gone" in done.stdout
    assert comparable(out) == before
    assert is_verified(out)


def test_the_same_replay_again_finishes_what_was_cut_between_its_moves_and_its_run_file(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    shutil.copytree(first, out)
    shutil.copytree(first, whole)
    launched(whole)
    write_json = Folder.write_json

    def dying_for_run_files(folder: Folder, name: str, value: object) -> None:
        if name.startswith("runs/"):
            raise OSError("killed")
        write_json(folder, name, value)

    with monkeypatch.context() as patch, contextlib.suppress(OSError):
        patch.setattr(Folder, "write_json", dying_for_run_files)
        launched(out)
    assert main(["verify", str(out)]) == 1
    assert main(["replay", str(out), "--where", "category=input_too_large", "--progress", "none"]) == 0
    assert comparable(out) == comparable(whole)
    assert is_verified(out)
