"""Shared fixtures: the sample documents, and the large corpus where it is laid beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.harness import PATIENT, extract

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
SHARED = ROOT.parent / "shared"


@pytest.fixture
def samples() -> Path:
    return SAMPLES


@pytest.fixture(scope="session")
def direct_corpus(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of one direct run over the shared corpus: more than one test compares with it."""
    out = tmp_path_factory.mktemp("corpus") / "out"
    done = extract(shared / "corpus", out, *PATIENT, "--max-concurrent-extractions", "4", "--pages-per-task", "1")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared corpus is not laid beside this checkout")
    return SHARED
