"""The shared corpus, scored by its own tools: what a right extraction holds, and how each bad file must fail."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docbeam.extractors.registry import BUILT_IN
from docbeam.schemas.arrow import DATASETS
from tests.pipelines.harness import PATIENT, command, comparable, rows, run_files

READ = frozenset(media_type for entry in BUILT_IN for media_type in entry.media_types)
LEAST_RATE = 0.97
LEAST_TYPED_RIGHT = 0.99
LONGEST_SECONDS = 1_800


@pytest.fixture(scope="module")
def corpus() -> Path:
    folder = Path(__file__).parent.parent.parent.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared corpus is not laid beside this checkout")
    return folder


@pytest.fixture(scope="module")
def out(direct_corpus: Path) -> Path:
    return direct_corpus


@pytest.fixture(scope="module")
def verdicts(corpus: Path, out: Path) -> list[dict[str, object]]:
    scored = out.parent / "verdicts.json"
    tool, manifest = corpus / "tools/check_corpus.py", corpus / "corpus/manifest.jsonl"
    datasets = ["--documents", out / "documents", "--quarantine", out / "quarantine"]
    subprocess.run(
        [sys.executable, tool, "--manifest", manifest, *datasets, "--json", scored, "--min-rate", "0", "--strict-category"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    files: list[dict[str, object]] = json.loads(scored.read_text())["files"]
    return files


def test_every_file_is_in_exactly_one_dataset(out: Path, corpus: Path) -> None:
    found = [row for dataset in DATASETS for row in rows(out, dataset)]
    assert len({row["uri"] for row in found}) == len(found)
    inputs = [row for row in found if row["depth"] == 0]
    assert len(inputs) == sum(path.is_file() for path in (corpus / "corpus").rglob("*"))
    assert len(found) > len(inputs), "mails and archives bring documents of their own"
    assert run_files(out)[0]["sum_check"]["is_ok"]


def test_media_types_are_found_from_the_bytes(out: Path, corpus: Path) -> None:
    found = {row["uri"]: row["media_type"] for dataset in DATASETS for row in rows(out, dataset)}
    manifest = [json.loads(line) for line in (corpus / "corpus/manifest.jsonl").read_text().splitlines()]
    wrong = {item["path"] for item in manifest if found[f"file://{corpus}/corpus/{item['path']}"] != item["mime"]}
    assert len(wrong) <= (1 - LEAST_TYPED_RIGHT) * len(manifest), wrong


@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed here")
def test_readable_documents_hold_their_strings(verdicts: list[dict[str, object]]) -> None:
    counted = [v for v in verdicts if v["mime"] in READ and v["status"] in ("ok", "ocr", "empty_ok")]
    failed = [v["path"] for v in counted if not v["pass"]]
    assert len(failed) <= (1 - LEAST_RATE) * len(counted), failed


def test_bad_documents_fail_as_expected(verdicts: list[dict[str, object]]) -> None:
    bad = [v for v in verdicts if v["status"] == "quarantine"]
    assert len(bad) >= 15
    assert not [(v["path"], v["quarantine"], v["note"]) for v in bad if not v["pass"]]


def test_nothing_ends_as_a_fault_of_ours(out: Path) -> None:
    assert not [(row["uri"], row["error_message"]) for row in rows(out, "quarantine") if row["error_category"] == "internal"]


def test_equal_bytes_options_and_fingerprint_give_equal_rows_at_one_child_and_at_four(
    corpus: Path, out: Path, tmp_path: Path
) -> None:
    flags = (*PATIENT, "--max-concurrent-extractions", "1", "--progress", "none")
    done = subprocess.run(  # all of its OCR, one page after the other
        command("extract", corpus / "corpus", "--output", tmp_path / "out", *flags),
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    one, four = ({row["uri"]: row for row in comparable(folder)} for folder in (tmp_path / "out", out))
    assert one.keys() == four.keys()
    differing = {
        uri: [name for name in row if row[name] != four[uri].get(name)] for uri, row in one.items() if row != four[uri]
    }
    assert not differing
