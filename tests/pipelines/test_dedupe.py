"""Inputs with equal bytes: read once, a row for each, and all else as if each had been read."""

from __future__ import annotations

import gzip
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from docbeam.pipelines.launch import checked_output, launch, new_run_id
from docbeam.runners.direct import pipeline_options
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms import copies, dedupe
from docbeam.transforms.copies import Candidate
from docbeam.transforms.counters import progress_of
from docbeam.transforms.extract import Job
from docbeam.transforms.listing import Inputs
from tests.pipelines.harness import comparable, extract, rows, run_files

HAS_TESSERACT = shutil.which("tesseract") is not None
TABLE = "name;count\nlamp;3\nrope;8\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two of each, some of them under other names."""
    folder = tmp_path_factory.mktemp("copies") / "in"
    samples = Path(__file__).parent.parent.parent / "samples"
    for copy in ("a", "b"):
        for name in ("broken", "contracts", "scans"):
            shutil.copytree(samples / name, folder / copy / name)
        with zipfile.ZipFile(folder / copy / "box.zip", "w") as box:  # the same bytes twice: no clock in it
            for member in ("contracts/PDF.pdf", "broken/password.pdf"):
                box.writestr(zipfile.ZipInfo(member), (samples / member).read_bytes())
        (folder / copy / "table.csv").write_text(TABLE)
    shutil.copy(folder / "a/contracts/PDF.pdf", folder / "renamed.docx")
    (folder / "table.txt").write_text(TABLE)
    packed = gzip.compress(b"a note\n", mtime=0)
    (folder / "one.txt.gz").write_bytes(packed)
    (folder / "two.txt.gz").write_bytes(packed)
    (folder / "alone.txt").write_text("nothing else is like this\n")
    return folder


@pytest.fixture(scope="module")
def plain(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plain") / "out"
    assert extract(source, out).returncode == 0
    return out


@pytest.fixture(scope="module")
def deduped(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("deduped") / "out"
    done = extract(source, out, "--dedupe")
    assert done.returncode == 0, done.stderr
    assert "of these have the bytes of another one" in done.stdout
    return out


def without(found: list[dict[str, Any]], *columns: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in columns} for row in found]


def launched(source: Path, out: Path, options: ExtractOptions, **more: Any) -> dict[str, Any]:
    inputs = Inputs(inputs=(str(source),))
    runner = more.pop("runner", None) or pipeline_options()
    work = WorkOptions(**more.pop("work", {}))
    arguments = {"run_id": new_run_id(), "is_spread": False, **more}
    return launch(inputs, checked_output(inputs, str(out)), options, work, runner, **arguments)


def test_rows_are_those_of_a_run_that_reads_every_input(plain: Path, deduped: Path) -> None:
    differ = ("duplicate_of", "engine_fingerprint")
    assert without(comparable(deduped), *differ) == without(comparable(plain), *differ)
    assert not [row for row in comparable(plain) if row["duplicate_of"] is not None]


def test_every_copy_names_the_first_by_its_uri_and_embedded_rows_those_of_the_first(source: Path, deduped: Path) -> None:
    found = {row["uri"]: row for row in comparable(deduped)}
    for uri, row in found.items():
        tail = uri.removeprefix(f"file://{source}/")
        if tail.startswith("b/"):
            assert row["duplicate_of"] == f"file://{source}/a/{tail[2:]}"
            assert found[row["duplicate_of"]]["sha256"] == row["sha256"]
    assert found[f"file://{source}/renamed.docx"]["duplicate_of"] == f"file://{source}/a/contracts/PDF.pdf"
    assert found[f"file://{source}/table.txt"]["duplicate_of"] == f"file://{source}/a/table.csv"
    assert found[f"file://{source}/two.txt.gz"]["duplicate_of"] == f"file://{source}/one.txt.gz"
    assert found[f"file://{source}/alone.txt"]["duplicate_of"] is None
    assert f"file://{source}/b/box.zip!/contracts/PDF.pdf" in found


def test_a_copy_of_a_quarantined_document_is_quarantined_with_it(source: Path, deduped: Path) -> None:
    found = {row["uri"]: row for row in rows(deduped, "quarantine")}
    for name in ("broken/password.pdf", "broken/WORD_truncated.docx", "broken/empty.txt"):
        first, copy = found[f"file://{source}/a/{name}"], found[f"file://{source}/b/{name}"]
        assert copy["duplicate_of"] == first["uri"]
        assert copy["error_category"] == first["error_category"]


def test_sums_count_the_duplicates(deduped: Path) -> None:
    (report,) = run_files(deduped)
    assert report["sum_check"]["is_ok"]
    inputs = [row for row in comparable(deduped) if row["depth"] == 0]
    assert report["listed"] == len(inputs)
    assert report["sum_check"]["duplicates"] == sum(row["duplicate_of"] is not None for row in inputs) > 10


@pytest.mark.skipif(not HAS_TESSERACT, reason="Tesseract is not installed here")
def test_pages_of_copies_are_recognised_once(source: Path, tmp_path: Path) -> None:
    counted = []
    for inputs, options in ((source / "a/scans", ExtractOptions()), (source, ExtractOptions(dedupe=True))):
        run_id = new_run_id()
        launched(inputs, tmp_path / run_id, options, run_id=run_id)
        counted.append(progress_of(run_id).read()["pages_ocred"])
    assert counted[0] == counted[1] > 0


def test_copies_can_do_without_their_text(source: Path, tmp_path: Path) -> None:
    assert (
        extract(
            [source / "a/contracts", source / "b/contracts"], tmp_path / "out", "--dedupe", "--no-duplicate-text"
        ).returncode
        == 0
    )
    for row in rows(tmp_path / "out", "documents"):
        is_copy = row["duplicate_of"] is not None
        assert (row["content"] == "" and row["pages"] == [] and row["char_count"] == 0) == is_copy
        assert not is_copy or row["page_count"] == next(
            other["page_count"] for other in rows(tmp_path / "out", "documents") if other["uri"] == row["duplicate_of"]
        )


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")  # Beam's own sockets
def test_rows_are_equal_when_the_references_are_spread(source: Path, deduped: Path, tmp_path: Path) -> None:
    runner = PipelineOptions(["--runner=FnApiRunner", "--direct_running_mode=multi_threading", "--direct_num_workers=2"])
    launched(source, tmp_path / "out", ExtractOptions(dedupe=True), runner=runner, is_spread=True)
    assert comparable(tmp_path / "out") == comparable(deduped)


def test_very_many_copies_are_taken_in_parts(
    source: Path, deduped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MOST_COPIES", 1)
    launched(source, tmp_path / "out", ExtractOptions(dedupe=True))
    assert comparable(tmp_path / "out") == comparable(deduped)


def test_bytes_that_change_between_the_comparison_and_the_reading_are_no_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    for name in "abc":
        (tmp_path / f"in/{name}.txt").write_text("the same\n")
    hashed = dedupe.hashed_candidate

    def changed(candidate: Candidate, job: Job) -> tuple[str, Candidate]:
        found = hashed(candidate, job)
        Path(candidate.ref.uri.removeprefix("file://")).write_text(f"not {candidate.ref.uri[-5:]}\n")
        return found

    monkeypatch.setattr(dedupe, "hashed_candidate", changed)
    report = launched(tmp_path / "in", tmp_path / "out", ExtractOptions(dedupe=True))
    assert report["sum_check"]["is_ok"]
    found = [(row["content"], row["duplicate_of"]) for row in comparable(tmp_path / "out")]
    assert found == [(f"not {name}.txt\n", None) for name in "abc"] or found == [(f"not {n}.txt", None) for n in "abc"]


@pytest.fixture(scope="module")
def small_parts(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small") / "out"
    assert extract(source, out, "--dedupe", "--part-rows", "3").returncode == 0
    return out


def staged_as_killed(out: Path, rest: int) -> None:
    """Make a committed run one that was killed before its commit, with only every third group of its files left."""
    (report,) = run_files(out)
    (out / "_docbeam/staging/killed").mkdir(parents=True)
    groups: dict[str, list[str]] = {}
    for part in report["parts"]:
        groups.setdefault(part["name"].rsplit("-", 1)[1].removesuffix(".parquet"), []).append(part["name"])
    for token, names in list(groups.items())[rest::3]:
        for name in names:
            dataset = name.split("/")[0]
            shutil.move(out / name, out / f"_docbeam/staging/killed/{dataset}-{token}-{len(names)}.parquet")
    for name in ("documents", "quarantine", "runs"):
        shutil.rmtree(out / name)


@pytest.mark.parametrize("rest", [0, 1, 2])
def test_a_killed_run_that_had_done_some_copies_and_not_others_ends_as_if_nothing_had_happened(
    source: Path, deduped: Path, small_parts: Path, tmp_path: Path, rest: int
) -> None:
    out = tmp_path / "out"
    shutil.copytree(small_parts, out)
    staged_as_killed(out, rest)
    done = extract(source, out, "--dedupe")
    assert done.returncode == 0, done.stderr
    assert comparable(out) == comparable(deduped)
    assert run_files(out)[-1]["sum_check"]["is_ok"]


def test_a_later_run_reads_only_what_is_new(source: Path, tmp_path: Path) -> None:
    inputs, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(source / "a/contracts", inputs / "a")
    assert extract(inputs, out, "--dedupe").returncode == 0
    shutil.copytree(source / "a/contracts", inputs / "b")
    shutil.copytree(source / "a/contracts", inputs / "c")
    assert extract(inputs, out, "--dedupe").returncode == 0
    first, last = run_files(out)
    assert (last["skipped"], last["sum_check"]["duplicates"]) == (first["listed"], first["listed"])
    assert extract(inputs, out, "--dedupe").returncode == 0
    assert run_files(out)[-1]["skipped"] == 3 * first["listed"]
