"""Shared fixtures: the sample documents, and the large corpus where it is laid beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
SHARED = ROOT.parent / "shared"


@pytest.fixture
def samples() -> Path:
    return SAMPLES


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared corpus is not laid beside this checkout")
    return SHARED
