"""A bounded run of the fuzzer over all formats; `make fuzz` runs it for long."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tests.conftest import ROOT, SAMPLES, SHARED

FILES = 600
SECONDS = 150


def test_mutated_documents_never_end_as_a_fault_of_ours() -> None:
    spec = importlib.util.spec_from_file_location("fuzz", ROOT / "scripts/fuzz.py")
    assert spec is not None and spec.loader is not None
    fuzzer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzzer)
    folders: list[Path] = [
        SAMPLES,
        ROOT / "tests/golden",
        *([SHARED / "corpus", SHARED / "cases/files"] if SHARED.is_dir() else []),
    ]
    documents = sorted(path for folder in folders for path in folder.rglob("*") if fuzzer._is_seed(path))
    outcomes, named = fuzzer.fuzz(documents, FILES, seed=11, seconds=SECONDS, children=2)
    assert outcomes["text"] > 0
    assert not [line for line in named if line.startswith("internal")]
