"""The main job on real documents, run as a user runs it, its Parquet read back."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from docbeam.schemas.arrow import DATASETS
from tests.pipelines.harness import TIMEOUT_SECONDS, command, comparable, docbeam, extract, rows, run_files

HAS_TESSERACT = shutil.which("tesseract") is not None

# What a person sees in the samples.
SEEN = {
    "contracts/PDF.pdf": ["Apache Tika is a toolkit for detecting", "March 22nd, 2007: Apache Tika project"],
    "contracts/PDFVarious.pdf": ["This is the header text.", "Row 1 Col 3", "ゾルゲと尾崎、淡々と最期", "This is a footnote."],
    "contracts/PDF_acroform3.pdf": ["Example PDF file that contains a form"],
    "contracts/WORD_features.docx": ["Lorem ipsum dolor sit amet", "insert this", "euismod posuere rhoncus. Duis mollis"],
    "contracts/WORD_various.docx": ["This is the header text.", "This is a footnote.", "Here is a text box", "Row 2 Col 2"],
    "notes/MARKDOWN.md": ['System.out.println("hi");', "Café naïve résumé"],
    "notes/russian.cp866.txt": ["Однажды, в студеную зимнюю пору"],
    "sheets/2023-half-year-analyses-by-segment.xlsx": ["3. Analyses by segment", "Zone GC", "Unallocated items"],
    "sheets/semicolon-delimited.csv": ["Lorem, ipsum", "adipiscing", "sed, do"],
    "slides/PPT_various.pptx": ["Row 2 Col 2", "Here is a text box", "ゾルゲと尾崎、淡々と最期", "(Kramer)"],
    "web/example-steelJIS-datasheet.html": ["SteelJIS: Japanese Steels and Alloys", "The entire risk as to use of these"],
}
SEEN_BY_OCR = {
    "scans/OCR.pdf": ["Happy New Year 2003!"],
    "scans/OCR.png": ["This file contains some words."],
    "scans/TIFF_multipage.tif": ["Multipage", "Page 1", "Page 2"],
}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "out"
    done = extract(Path(__file__).parent.parent.parent / "samples", folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_sample_is_in_one_dataset(out: Path, samples: Path) -> None:
    listed = sorted(f"file://{path}" for path in samples.rglob("*") if path.is_file())
    assert sorted(row["uri"] for dataset in DATASETS for row in rows(out, dataset)) == listed


def test_rows_hold_what_a_person_sees(out: Path, samples: Path) -> None:
    texts = {row["uri"]: "".join(row["content"].split()) for row in rows(out, "documents")}
    for name, strings in (SEEN | (SEEN_BY_OCR if HAS_TESSERACT else {})).items():
        for string in strings:
            assert "".join(string.split()) in texts[f"file://{samples / name}"], name


def test_broken_samples_are_quarantined_by_category(out: Path) -> None:
    found = {os.path.basename(row["uri"]): row["error_category"] for row in rows(out, "quarantine")}
    if not HAS_TESSERACT:
        assert {found.pop(os.path.basename(name)) for name in SEEN_BY_OCR} == {"needs_ocr"}
    assert found == {"empty.txt": "empty", "password.pdf": "encrypted_no_key", "WORD_truncated.docx": "corrupt"}


def test_identity_columns_are_those_of_the_files(out: Path) -> None:
    for dataset in DATASETS:
        for row in rows(out, dataset):
            data = Path(row["uri"].removeprefix("file://")).read_bytes()
            assert row["size_bytes"] == len(data)
            assert row["sha256"] == hashlib.sha256(data).hexdigest()
            assert row["md5"] == hashlib.md5(data).hexdigest()
            assert (row["parent_uri"], row["member_path"], row["depth"]) == (None, None, 0)


def test_pages_point_into_the_content(out: Path) -> None:
    paged = [row for row in rows(out, "documents") if row["pages"]]
    assert paged
    for row in paged:
        ends = [0] + [page["end"] for page in row["pages"]]
        for page, before in zip(row["pages"], ends, strict=False):
            assert before <= page["start"] <= page["end"] <= row["char_count"] == len(row["content"])


@pytest.mark.skipif(not HAS_TESSERACT, reason="Tesseract is not installed here")
def test_recognised_rows_say_so(out: Path) -> None:
    for row in rows(out, "documents"):
        if "/scans/" in row["uri"]:
            assert (row["branch"], row["confidence"], row["tiers"][-1]) == ("ocr", "heuristic", "ocr")
            assert 0 < row["ocr_confidence"] <= 1
            assert {page["origin"] for page in row["pages"]} == {"ocr"}


def test_run_file_adds_up_and_names_every_part(out: Path) -> None:
    (report,) = run_files(out)
    assert report["sum_check"]["is_ok"]
    assert report["listed"] == report["rows"]["documents"] + report["rows"]["quarantine"]
    on_disk = {str(path.relative_to(out)) for dataset in DATASETS for path in (out / dataset).rglob("*") if path.is_file()}
    assert {part["name"] for part in report["parts"]} == on_disk
    for part in report["parts"]:
        data = (out / part["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (part["bytes"], part["sha256"])
        assert pq.read_metadata(out / part["name"]).num_rows == part["rows"]
    assert report["engine"]["options"]["render_dpi"] == 300
    assert sum(report["counts"]["media_type"].values()) == report["listed"]


def test_part_files_have_the_documented_schema(out: Path) -> None:
    for dataset, schema in DATASETS.items():
        for path in (out / dataset).rglob("*.parquet"):
            assert pq.read_schema(path).equals(schema)


def test_nothing_of_ours_is_visible_to_readers(out: Path) -> None:
    assert sorted(path.name for path in out.iterdir() if path.name[0] not in "._") == ["documents", "quarantine", "runs"]
    assert not [path for path in (out / "_docbeam").rglob("*") if path.is_file()], "a finished run leaves no work behind"
    count = duckdb.sql(f"SELECT count(*), count(DISTINCT run_id) FROM read_parquet('{out}/documents/*/*.parquet')").fetchall()
    assert count == [(len(rows(out, "documents")), 1)]


def test_second_run_skips_all_and_third_reads_only_what_changed(samples: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(samples / "notes", source)
    assert extract(source, out).returncode == 0
    before = comparable(out)
    assert extract(source, out).returncode == 0
    assert comparable(out) == before
    assert run_files(out)[-1]["skipped"] == len(before)
    (source / "MARKDOWN.md").write_text("# Changed\n")
    (source / "new.txt").write_text("brand new\n")
    assert extract(source, out).returncode == 0
    last = run_files(out)[-1]
    assert (last["listed"], last["skipped"], last["rows"]["documents"]) == (3, 1, 2)
    other = ("--max-extracted-chars", "5")
    assert extract(source, out, *other).returncode == 0
    assert run_files(out)[-1]["skipped"] == 3, "other options are another engine: what is read already stays"
    assert extract(source, out, *other, "--reprocess", "changed-engine").returncode == 0
    assert run_files(out)[-1]["rows"]["documents"] == 3


@pytest.mark.parametrize("children", [1, 4])
def test_rows_are_equal_with_any_number_of_children(out: Path, samples: Path, tmp_path: Path, children: int) -> None:
    done = extract(samples, tmp_path / "out", "--max-concurrent-extractions", str(children), "--pages-per-task", "1")
    assert done.returncode == 0, done.stderr
    assert comparable(tmp_path / "out") == comparable(out)


def test_exit_code_three_when_quarantine_is_over_its_rate(samples: Path, tmp_path: Path) -> None:
    done = extract(samples / "broken", tmp_path / "out", "--max-quarantine-rate", "0.5")
    assert done.returncode == 3
    assert "100.0%" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/no/such/folder", "--output", "OUT"], "input '/no/such/folder': no such file or folder"),
        (["samples", "--output", "/dev/null/out"], "output '/dev/null/out' can't be written"),
        (["samples"], "no --output"),
        (["--output", "OUT"], "no INPUT"),
        (["samples", "--output", "OUT", "--render-dpi", "low"], "'low' is not a whole number"),
        (["samples", "--output", "OUT", "--ocr-languages", "xyz"], "xyz"),
        (["samples", "--output", "OUT", "--storage-options", "{"], "--storage-options"),
        (["--manifest", "/no/such.csv", "--output", "OUT"], "/no/such.csv"),
        (["samples", "--output", "OUT", "--no-such-flag"], "--no-such-flag"),
    ],
)
def test_wrong_usage_is_one_clear_line(samples: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    if "xyz" in arguments and not HAS_TESSERACT:
        pytest.skip("languages are checked against the installed Tesseract, and none is installed here")
    given = [{"OUT": str(tmp_path / "out"), "samples": str(samples / "notes")}.get(word, word) for word in arguments]
    done = docbeam("extract", *given)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out/documents").exists()


def test_odd_entries_are_all_accounted_for(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    os.mkfifo(source / "fifo")
    os.symlink("circle", source / "circle")
    (source / "zero").write_bytes(b"")
    (source / "ünï\u202eçø 日本.txt").write_text("odd name\n")
    with open(os.fsencode(source) + b"/\xff\xfe.txt", "w") as file:
        file.write("no UTF-8 in the name\n")
    (source / "gone.txt").symlink_to("nowhere")
    done = extract(source, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert (
        sorted(row["error_category"] for row in rows(tmp_path / "out", "quarantine")) == ["empty"] + ["not_a_regular_file"] * 3
    )
    assert sorted(row["content"].strip() for row in rows(tmp_path / "out", "documents")) == ["no UTF-8 in the name", "odd name"]


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root reads all, and setpriv is not here")
def test_unreadable_files_and_folders_are_quarantined_as_retryable(tmp_path: Path) -> None:
    source = tmp_path / "in"
    (source / "folder").mkdir(parents=True)
    (source / "folder/inside.txt").write_text("x")
    (source / "file.txt").write_text("x")
    (source / "good.txt").write_text("readable\n")
    (source / "folder").chmod(0)
    (source / "file.txt").chmod(0)
    unprivileged = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    arguments = command("extract", source, "--output", tmp_path / "out", "--progress", "none")
    done = subprocess.run([*unprivileged, *arguments], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    found = {
        os.path.basename(row["uri"]): (row["error_category"], row["is_retryable"])
        for row in rows(tmp_path / "out", "quarantine")
    }
    assert found == dict.fromkeys(("folder", "file.txt"), ("transient_io", True))
    (source / "folder").chmod(0o755)
    (source / "file.txt").chmod(0o644)
    assert extract(source, tmp_path / "out").returncode == 0
    assert run_files(tmp_path / "out")[-1]["rows"]["documents"] == 2, "what failed for the storage is tried again"


def test_manifest_with_a_wrong_digest_is_an_integrity_mismatch(samples: Path, tmp_path: Path) -> None:
    name = samples / "notes/MARKDOWN.md"
    entries = [{"uri": str(name), "sha256": "0" * 64}, {"uri": f"file://{samples}/notes/russian.cp866.txt"}]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, entries)))
    done = docbeam("extract", "--manifest", tmp_path / "m.jsonl", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert [row["error_category"] for row in rows(tmp_path / "out", "quarantine")] == ["integrity_mismatch"]
    assert len(rows(tmp_path / "out", "documents")) == 1


def test_progress_lines_are_plain_off_a_terminal(samples: Path, tmp_path: Path) -> None:
    done = docbeam("extract", samples / "notes", "--output", tmp_path / "out", "--progress", "lines")
    assert "2 of 2 documents" in done.stderr
    assert "\r" not in done.stderr
    assert "listed     2 = 2 documents + 0 quarantined + 0 done before" in done.stdout


def test_without_tesseract_all_else_is_read_and_one_line_says_so(samples: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    arguments = ("extract", samples / "notes", samples / "scans", "--output", tmp_path / "out", "--progress", "none")
    done = docbeam(*arguments, env={"PATH": str(tmp_path / "bin"), "TESSDATA_PREFIX": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Tesseract is not installed") == 1
    assert len(rows(tmp_path / "out", "documents")) == 2
    found = {(row["error_category"], row["is_retryable"]) for row in rows(tmp_path / "out", "quarantine")}
    assert found == {("needs_ocr", True)}
    assert (
        "Tesseract"
        not in docbeam(*arguments, "--no-ocr", env={"PATH": str(tmp_path / "bin"), "TESSDATA_PREFIX": str(tmp_path)}).stderr
    )
