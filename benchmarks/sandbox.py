"""What the sandbox costs: starts, calls, bytes by socket or by path, crashes. `python -m benchmarks.sandbox`

The best of several rounds is shown with the median: the best says what the code costs, the median what this machine does.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from docbeam.extractors.engine import read_document
from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.sandbox.worker import Worker
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

PLUGIN = Path(__file__).parents[1] / "tests" / "extractors" / "sandbox" / "plugin"
TEXT = ("The quick brown fox jumps over the lazy dog. " * 23)[:1024].encode()
LARGE_BYTES = 10_000_000
CRASHES = 100


def main() -> None:
    """Measure and print, in milliseconds."""
    sys.path.insert(0, str(PLUGIN))
    options = ExtractOptions()
    with SandboxPool(options, size=1) as pool, pool.worker() as worker, tempfile.TemporaryDirectory() as folder:
        show("start a child, until it is ready", 10, 1, lambda: restart(worker))
        worker.read(Source(data=TEXT))
        small = [Source(data=TEXT, name="a.txt") for _ in range(32)]
        show("1 KB text in this process, no sandbox", 20, 32, lambda: [read_document(source, options) for source in small])
        show("1 KB text, read", 20, 32, lambda: [worker.read(source) for source in small])
        show("1 KB text, read_many(32), a document", 20, 32, lambda: list(worker.read_many(small)))
        path = Path(folder) / "large"
        path.write_bytes(bytes(LARGE_BYTES))
        inline = Source(data=bytes(LARGE_BYTES))
        measures = media_type("measures")
        show("10 MB by socket, and read() in the child", 20, 1, lambda: worker.read(inline, measures))
        show("10 MB by path, and read() in the child", 20, 1, lambda: worker.read(Source(path=str(path)), measures))
        crash = Source(data=b"x")
        show("segfault and the next document", 10, 1, lambda: crash_and_read(worker, crash))
        show(f"{CRASHES} segfaults in a row, each", 1, CRASHES, lambda: [crash_once(worker, crash) for _ in range(CRASHES)])
        pids = Path(folder) / "pids"
        worker.read(Source(data=str(pids).encode()), media_type("spawns_and_dies"))
        show("1 KB text right after, read", 1, 32, lambda: [worker.read(source) for source in small])


def media_type(verb: str) -> str:
    """Return the media type whose extractor behaves so."""
    return f"application/x-test.{verb}"


def restart(worker: Worker) -> None:
    """Kill the child and wait for the next one."""
    worker.conversation.discard()
    worker.conversation.ready_child()


def crash_once(worker: Worker, source: Source) -> None:
    """Read a document that kills the child."""
    assert worker.read(source, media_type("segfaults")).error is not None


def crash_and_read(worker: Worker, source: Source) -> None:
    """Read a document that kills the child, and another one."""
    crash_once(worker, source)
    assert worker.read(Source(data=TEXT)).extracted is not None


def show(what: str, rounds: int, calls: int, call: Callable[[], object]) -> None:
    """Print how long a call takes."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1000 / calls)
    print(f"{what:45} {min(times):9.3f} ms  median {statistics.median(times):9.3f} ms", flush=True)


if __name__ == "__main__":
    main()
