"""docbeam verify: each thing that is changed, missing or extra is named, the first of them twice."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from docbeam.__main__ import main
from tests.pipelines.harness import extract, run_files


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with inputs in `in` and datasets of two runs in `out`."""
    folder = tmp_path_factory.mktemp("verify")
    (folder / "in").mkdir()
    for number in range(20):
        (folder / f"in/{number:02}.txt").write_text(f"note {number}\n")
    (folder / "in/empty.txt").touch()
    assert extract(folder / "in", folder / "out", "--part-rows", "8").returncode == 0
    (folder / "in/later.txt").write_text("a later note\n")
    assert extract(folder / "in", folder / "out").returncode == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made / "out", tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.parquet"):
        assert path.stat().st_size
    shutil.copytree(made / "in", tmp_path / "in")
    return tmp_path


def verified(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[str], str]:
    code = main(["verify", *map(str, arguments)])
    said = capsys.readouterr()
    *problems, summary, newest = said.out.splitlines()
    assert summary.startswith("verified")
    assert newest.startswith("newest")
    if code:
        assert said.err.endswith(f"the first: {problems[0]}\n")
    return code, [problem.split(": ")[0] for problem in problems], said.out


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_an_untouched_dataset_is_good(folder: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, problems, out = verified(capsys, folder / "out", "--against", made / "in")
    assert (code, problems) == (0, [])
    assert "2 run files, 5 part files, 22 rows" in out
    assert "22 inputs, 22 inputs read again" in out


def test_a_flipped_byte_is_found_in_every_file_at_every_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted((folder / "out").rglob("*.parquet")):
        name = str(path.relative_to(folder / "out"))
        for place in (0, path.stat().st_size // 2, path.stat().st_size - 1):
            flip(path, place)
            assert verified(capsys, folder / "out")[:2] == (1, [f"changed    {name}"])
            flip(path, place)
    for path in sorted((folder / "out/runs").iterdir()):
        before = path.read_text()
        path.write_text(before.replace('"listed": 2', '"listed": 3', 1))
        assert verified(capsys, folder / "out")[1][0] == f"changed    runs/{path.name}"
        path.write_text(before)
    assert verified(capsys, folder / "out")[0] == 0


def test_missing_and_extra_files_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, *_ = sorted((folder / "out/documents").rglob("*.parquet"))
    shutil.copy(first, first.with_name("part-copy.parquet"))
    name = str(first.relative_to(folder / "out"))
    first.unlink()
    extra = name.rsplit("/", 1)[0] + "/part-copy.parquet"
    assert verified(capsys, folder / "out")[:2] == (1, [f"missing    {name}", f"extra      {extra}"])


def test_a_run_file_that_is_gone_is_missed_by_the_next_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = sorted((folder / "out/runs").iterdir())
    first.unlink()
    code, problems, _ = verified(capsys, folder / "out")
    assert (code, problems[0]) == (1, f"missing    runs/{first.name}")
    (folder / "out/runs/note.json").write_text("[]")
    assert "unreadable runs/note.json" in verified(capsys, folder / "out")[1]


def test_sums_are_added_up_anew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from docbeam.transforms.ledger import sealed

    path = sorted((folder / "out/runs").iterdir())[-1]
    report = json.loads(path.read_text())
    report["rows"]["documents"] += 1
    report["sum_check"]["quarantine"] += 1
    path.write_text(json.dumps(sealed(report)))
    code, problems, out = verified(capsys, folder / "out")
    assert (code, problems) == (1, [f"sums       runs/{path.name}"] * 2)
    assert "the part files have {'documents': 1, 'quarantine': 0} rows" in out


def test_changed_missing_and_new_inputs_are_named(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = [made / "in/03.txt", made / "in/07.txt"]
    try:
        for path in changed:
            path.write_text(path.read_text().replace("note", "nota"))
        (made / "in/05.txt").rename(made / "05.txt")
        (made / "in/new.txt").write_text("new\n")
        uris = [f"file://{made}/in/{name}.txt" for name in ("03", "07", "new", "05")]
        code, problems, _ = verified(capsys, folder / "out", "--against", made / "in")
        assert code == 1
        assert set(problems) == {
            f"{kind} {uri}" for kind, uri in zip(("changed   ", "changed   ", "extra     ", "missing   "), uris, strict=True)
        }
        code, problems, _ = verified(capsys, folder / "out", "--against", made / "in/01.txt")
        assert (code, problems) == (0, [])
        code, problems, _ = verified(capsys, folder / "out", "--against", made / "in/05.txt")
        assert (code, problems) == (1, [f"missing    {uris[3]}"])
    finally:
        for path in changed:
            path.write_text(path.read_text().replace("nota", "note"))
        (made / "05.txt").rename(made / "in/05.txt")
        (made / "in/new.txt").unlink()


def test_a_sample_of_the_inputs_is_read_again(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, out = verified(capsys, folder / "out", "--against", made / "in", "--sample", "5")
    assert "22 inputs, 5 inputs read again" in out


def test_inputs_are_compared_with_a_manifest(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{path},{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted((made / "in").iterdir())]
    manifest = folder / "list.csv"
    manifest.write_text("\n".join(["uri,SHA-256", *lines]))
    assert verified(capsys, folder / "out", "--against", manifest)[:2] == (0, [])
    lines[2] = lines[2].rpartition(",")[0] + "," + "0" * 64
    manifest.write_text("\n".join(["uri,SHA-256", *lines[:-1]]))
    code, problems, _ = verified(capsys, folder / "out", "--manifest", manifest)
    assert (code, problems) == (1, [f"changed    file://{made}/in/02.txt", f"missing    file://{made}/in/later.txt"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/no/such/folder"], "no run file in /no/such/folder/runs"),
        (["OUT", "--sample", "half"], "'half' is not a number or all"),
        (["OUT", "--against", "/no/such/input"], "input '/no/such/input': no such file or folder"),
        (["OUT", "--manifest", "/no/such.csv"], "/no/such.csv"),
    ],
)
def test_wrong_usage_is_one_line(folder: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(folder / "out") if word == "OUT" else word for word in arguments]
    assert main(["verify", *given]) == 2
    assert words in capsys.readouterr().err


def test_nothing_is_written(folder: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def state() -> list[tuple[Any, ...]]:
        return [(path, path.stat().st_mtime_ns) for path in sorted((folder / "out").rglob("*"))]

    before = state()
    verified(capsys, folder / "out", "--against", made / "in")
    assert state() == before
    assert len(run_files(folder / "out")) == 2


def test_a_run_file_that_is_gone_or_renamed_is_named_even_if_it_was_the_newest(
    folder: Path, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, last = sorted((folder / "out/runs").iterdir())
    last.rename(last.with_name("z-renamed.json"))
    code, problems, _ = verified(capsys, folder / "out")
    assert (code, problems[0]) == (1, "changed    runs/z-renamed.json")
    (folder / "out/runs/z-renamed.json").unlink()
    code, problems, _ = verified(capsys, folder / "out", "--against", made / "in")
    assert (code, problems[0]) == (1, f"missing    runs/{last.name}")
    assert not [problem for problem in problems if "/in/" in problem]  # it follows that some inputs have no rows


def test_where_no_run_file_can_be_read_each_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (folder / "out/runs").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    code, problems, out = verified(capsys, folder / "out")
    assert (code, [problem.split()[0] for problem in problems[:2]]) == (1, ["unreadable", "unreadable"])
    assert "newest     there is no run file that can be read" in out


def test_a_sample_larger_than_any_dataset_is_all_of_it(folder: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in ("999999999999", "9" * 5000):
        _, _, out = verified(capsys, folder / "out", "--against", made / "in", "--sample", number)
        assert "22 inputs read again" in out


def test_a_run_file_that_has_lost_its_digest_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sorted((folder / "out/runs").iterdir())[-1]
    report = json.loads(path.read_text())
    del report["digest"]
    report["inputs"] = ["other"]
    path.write_text(json.dumps(report))
    assert verified(capsys, folder / "out")[:2] == (1, [f"changed    runs/{path.name}"])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("run_id", ["x"]),
        ("run_id", {"a": 1}),
        ("run_id", None),
        ("previous", "x"),
        ("previous", {}),
        ("previous", {"run_id": []}),
        ("sum_check", True),
        ("parts", [{"name": ["x"], "rows": 1, "bytes": 1, "sha256": ""}]),
        ("parts", [{"name": "x", "rows": float("inf"), "bytes": 1, "sha256": ""}]),
    ],
)
def test_a_run_file_with_values_of_other_kinds_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], key: str, value: Any
) -> None:
    path = sorted((folder / "out/runs").iterdir())[-1]
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    code, problems, _ = verified(capsys, folder / "out")
    assert (code, problems[0]) == (1, f"unreadable runs/{path.name}")
    path.write_text("[" * 100_000)
    assert verified(capsys, folder / "out")[1][0] == f"unreadable runs/{path.name}"


def test_what_is_no_file_is_named_and_never_waited_for(folder: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_ = sorted((folder / "out/documents").rglob("*.parquet"))
    for path, make in ((first, os.mkfifo), (second, os.mkdir)):
        path.unlink()
        make(path)
    code, problems, _ = verified(capsys, folder / "out", "--against", made / "in")
    assert code == 1
    assert problems == [f"unreadable {path.relative_to(folder / 'out')}" for path in (first, second)]
    os.mkfifo(folder / "out/runs/fifo.json")
    assert main(["verify", str(folder / "out")]) == 2
