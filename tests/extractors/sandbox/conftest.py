"""A pool whose children know the extractors of plugin/misbehaving.py."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docbeam.extractors.engine import Reading
from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

PLUGIN = Path(__file__).parent / "plugin"
MEMORY_BYTES = 512 << 20  # small, so that eating it is quick


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(PLUGIN), *sys.path])
    return PLUGIN


@pytest.fixture
def pool(plugin: Path) -> Iterator[SandboxPool]:
    with SandboxPool(ExtractOptions(sandbox_memory_bytes=MEMORY_BYTES), size=1) as pool:
        yield pool


@pytest.fixture
def hasty_pool(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SandboxPool]:
    """A pool with a hard deadline of 1.2 s."""
    monkeypatch.setattr("docbeam.extractors.sandbox.worker.GRACE_SECONDS", 1.0)
    with SandboxPool(ExtractOptions(extraction_timeout_seconds=0.2, ocr_page_timeout_seconds=1.0), size=1) as pool:
        yield pool


@pytest.fixture(scope="module")
def shared_pool() -> Iterator[SandboxPool]:
    """A pool that outlives a test, since whatever a document does must not matter to the next one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(PLUGIN), *sys.path])
        with SandboxPool(ExtractOptions(sandbox_memory_bytes=MEMORY_BYTES), size=1) as pool:
            yield pool


@pytest.fixture
def read(shared_pool: SandboxPool) -> Callable[..., Reading]:
    """Read one document whose extractor behaves as the verb says."""

    def read(verb: str, text: str = "x") -> Reading:
        with shared_pool.worker() as worker:
            return worker.read(document(text), media_type(verb))

    return read


def document(text: str) -> Source:
    return Source(data=text.encode(), name="document")


def media_type(verb: str) -> str:
    return f"application/x-test.{verb}"


def is_alive(pid: int) -> bool:
    """Say whether a process runs; one that is dead and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def die_soon(pids: list[int], seconds: float = 10.0) -> bool:
    """Say whether all the processes end within a time that only a broken sandbox needs."""
    deadline = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(is_alive, pids))


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def children_of(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for listing in children for child in listing.read_text().split()]
