"""The pipeline against a bare loop over the same readers, in one run on the same files, and its peak memory.

bare loop: as many processes as the pipeline has children, each calls the engine's own read_document on files, keeps the
text's length and nothing else: no isolation, no deadline, no digests, no rows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpus import make_pdfs, make_texts
from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

ROUNDS = 3


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--pdfs", type=int, default=300, help="PDFs of several pages [documents; default 300]")
    parser.add_argument("--texts", type=int, default=5000, help="text files of a kilobyte [documents; default 5000]")
    parser.add_argument("--memory", type=int, nargs="*", default=[1000, 20_000], help="sizes for peak memory [documents]")
    flags = parser.parse_args()
    children = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="docbeam-bench-") as folder:
        for name, make, number in (("PDFs", make_pdfs, flags.pdfs), ("1 KB texts", make_texts, flags.texts)):
            files = make(Path(folder) / name.replace(" ", "-"), number)
            compare(name, files, children, Path(folder))
        if flags.memory:
            print(f"\n{'documents':>10} {'peak memory of the parent':>28} {'documents/s':>12}")
        for number in flags.memory:
            files = make_texts(Path(folder) / f"memory-{number}", number)
            seconds, peak = pipeline_run(files, Path(folder), children)
            print(f"{number:>10,} {peak / 1024:>24,.0f} MiB {number / seconds:>12,.0f}")


def compare(name: str, files: Path, children: int, folder: Path) -> None:
    """Print the pipeline's rate, the bare loop's, and their ratio: the best of a few rounds each, taken in turns."""
    number = sum(1 for _ in files.iterdir())
    bare = min(bare_loop(files, children) for _ in range(1))
    piped = startup = float("inf")
    for _ in range(ROUNDS):
        bare = min(bare, bare_loop(files, children))
        piped = min(piped, pipeline_run(files, folder, children)[0])
        startup = min(startup, empty_run(folder, children))
    print(f"\n{number:,} {name}, {children} processes each, best of {ROUNDS}")
    print(f"  bare loop                  {number / bare:>10,.0f} documents/s   {bare:6.2f} s")
    print(f"  pipeline, whole command    {number / piped:>10,.0f} documents/s   {piped:6.2f} s   ratio {bare / piped:.2f}")
    work = max(piped - startup, 1e-9)
    print(f"  pipeline without start-up  {number / work:>10,.0f} documents/s   {work:6.2f} s   ratio {bare / work:.2f}")


def bare_loop(files: Path, processes: int) -> float:
    """Return the seconds of the bare loop."""
    paths = sorted(str(path) for path in files.iterdir())
    started = time.perf_counter()
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        sum(pool.imap_unordered(_bare, paths, chunksize=8))
    return time.perf_counter() - started


def _bare(path: str) -> int:
    with open(path, "rb") as file:
        reading = read_document(Source(data=file.read(), name=os.path.basename(path)), ExtractOptions())
    return len(reading.extracted.content) if reading.extracted else 0


def pipeline_run(files: Path, folder: Path, children: int) -> tuple[float, int]:
    """Return the seconds of the whole command and the peak memory of its parent process in KiB."""
    output = folder / "out"
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "docbeam", "extract", str(files), "--output", str(output), "--progress", "none"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--max-concurrent-extractions", str(children)], stdout=subprocess.DEVNULL, env={**os.environ}
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"docbeam extract ended with {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss


def empty_run(folder: Path, children: int) -> float:
    """Return the seconds of a command that finds nothing to read."""
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    return pipeline_run(empty, folder, children)[0]


if __name__ == "__main__":
    main()
