"""Embedded documents in the datasets: rows of their own, all of an input's rows at once, sums that count them."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path

import psutil
import pytest

from tests.extractors.test_tree import nested, zipped
from tests.pipelines.harness import comparable, docbeam, extract, rows, run_files
from tests.pipelines.test_recovery import started

SAMPLES = Path(__file__).parent.parent.parent / "samples"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    members = {path.name: path.read_bytes() for path in SAMPLES.rglob("*") if path.is_file()}
    (folder / "all.zip").write_bytes(zipped({**members, "we!rd%41.txt": b"odd name\n", "more/inner.zip": nested(2)}))
    (folder / "deep.zip").write_bytes(nested(12))
    (folder / "plain.txt").write_text("plain\n")
    return folder


def test_members_have_rows_that_lead_back_to_their_input(source: Path, tmp_path: Path) -> None:
    done = extract(source, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path / "out", "documents") + rows(tmp_path / "out", "quarantine")
    by_uri = {row["uri"]: row for row in found}
    assert len(by_uri) == len(found)
    for row in found:
        if row["depth"]:
            parent = by_uri[row["parent_uri"]]
            assert row["uri"].startswith(parent["uri"] + "!/")
            assert (row["depth"], row["root_uri"]) == (parent["depth"] + 1, parent["root_uri"])
            assert row["source_version"] == parent["source_version"]
    odd = next(row for row in found if row["member_path"] == "we!rd%41.txt")
    assert odd["uri"].endswith("all.zip!/we%21rd%2541.txt")
    (report,) = run_files(tmp_path / "out")
    assert report["sum_check"]["is_ok"]
    assert report["sum_check"]["embedded_rows"] == report["sum_check"]["members"] == sum(row["depth"] > 0 for row in found)
    assert [row["error_category"] for row in rows(tmp_path / "out", "quarantine") if "deep.zip" in row["uri"]] == ["too_deep"]


@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed here")
def test_pictures_in_archives_are_recognised(source: Path, tmp_path: Path) -> None:
    assert extract(source, tmp_path / "out").returncode == 0
    texts = {row["member_path"]: row for row in rows(tmp_path / "out", "documents")}
    assert "This file contains some words." in texts["OCR.png"]["content"]
    assert texts["OCR.png"]["branch"] == "ocr"
    assert "Happy New Year 2003!" in texts["OCR.pdf"]["content"]


@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed here")
def test_killed_while_pages_are_recognised_all_rows_of_an_input_come_together(source: Path, tmp_path: Path) -> None:
    assert extract(source, tmp_path / "undisturbed").returncode == 0
    out = tmp_path / "out"
    for pages in (1, 3):
        process = started(source, out, "--pages-per-task", "1", "--max-concurrent-extractions", "1")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if len(list((out / "_docbeam/scratch").rglob("page-*"))) >= pages:
                break
            time.sleep(0.005)
        children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.send_signal(signal.SIGKILL)
        process.wait()
        psutil.wait_procs(children, timeout=10)
    assert extract(source, out).returncode == 0
    assert comparable(out) == comparable(tmp_path / "undisturbed")


def test_text_joins_embedded_documents_with_clear_separators(source: Path) -> None:
    done = docbeam("text", source / "all.zip", "--no-ocr")
    assert done.returncode == 0
    assert "\n===== !/MARKDOWN.md =====\n# Title" in done.stdout
    assert "\n===== !/more/inner.zip!/0.zip!/note.txt =====\nthe innermost note\n" in done.stdout
    assert "password.pdf: encrypted_no_key" in done.stderr
