"""A pool of Python workers, for the tests of runners that ask one for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from docbeam.runners import worker


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[str]:
    """The address of a pool; after it, nothing that it has started is left."""
    home = tmp_path / "workers"
    process = subprocess.Popen(
        [sys.executable, "-m", "docbeam.runners.worker", "--pool", "0"],
        env={**os.environ, worker.HOME_VARIABLE: str(home)},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    yield process.stdout.readline().decode().split()[-1]
    started = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    process.communicate(timeout=60)
    assert not psutil.wait_procs(started, timeout=60)[1]
