"""How a run behaves as the pile grows: rate, memory of the parent, seconds to list and to commit; what killers cost.

`python -m benchmarks.scale` makes a pile of mixed files (benchmarks/mixed.py) for each size and runs the command on it.
`--scan-pages` puts one scan of so many pages among 2,000 small files and compares with the ideal: what both take alone,
the scan's time cut into as many parts as there are children.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from benchmarks.corpus import make_texts
from benchmarks.mixed import make_mixed
from docbeam.transforms.discover import list_blobs

WATCH_SECONDS = 0.02


class Measured(NamedTuple):
    """One run: seconds of the whole command and of its commit, peak memory of the parent in KiB, and the run file."""

    seconds: float
    commit_seconds: float
    peak: int
    report: dict[str, object]


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000], help="piles to measure [documents]")
    parser.add_argument("--killers", type=float, default=0.01, help="share of killers [0 to 1; default 0.01]")
    parser.add_argument("--scan-pages", type=int, default=0, help="pages of one scan among 2,000 small files [default none]")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docbeam-scale-") as name:
        folder = Path(name)
        if flags.sizes:
            _scale(folder, flags.sizes, flags.killers)
        if flags.scan_pages:
            _one_large_scan(folder, flags.scan_pages)


def _scale(folder: Path, sizes: list[int], killers: float) -> None:
    run(_empty(folder), folder)  # the first start reads everything from the disk
    print(f"{'documents':>10} {'docs/s':>8} {'parent':>9} {'list':>8} {'commit':>8} {'quarantine':>11} {'cost of killers':>16}")
    for size in sizes:
        with_killers = make_mixed(folder / f"mixed-{size}", size, killers)
        started = time.perf_counter()
        listed = sum(1 for _ in list_blobs([str(with_killers)], None, {}))
        listing = time.perf_counter() - started
        assert listed == size, (listed, size)
        found = run(with_killers, folder)
        shutil.rmtree(with_killers)
        without = make_mixed(folder / f"clean-{size}", size, 0.0)
        clean = run(without, folder)
        shutil.rmtree(without)
        check = found.report["sum_check"]
        assert isinstance(check, dict)
        cost = found.seconds / clean.seconds - 1
        print(
            f"{size:>10,} {size / found.seconds:>8,.0f} {found.peak / 1024:>5,.0f} MiB {listing:>6.2f} s"
            f" {found.commit_seconds:>6.2f} s {check['quarantine'] / size:>11.2%} {cost:>16.0%}",
            flush=True,
        )


def _one_large_scan(folder: Path, pages: int) -> None:
    small = make_texts(folder / "small", 2_000)
    scan = folder / "scan"
    scan.mkdir()
    _make_scan(scan / "scan.tif", pages)
    both = folder / "both"
    shutil.copytree(small, both)
    shutil.copy(scan / "scan.tif", both)
    more = ("--max-pages-to-rasterise", str(pages))
    start = run(_empty(folder), folder).seconds
    alone = run(scan, folder, *more, "--max-concurrent-extractions", "1").seconds - start
    texts = run(small, folder).seconds - start
    children = len(os.sched_getaffinity(0))
    ideal = start + texts + alone / children
    real = run(both, folder, *more).seconds
    print(f"\none scan of {pages:,} pages among 2,000 small files, {children} children")
    print(f"  scan alone, one child {alone:.1f} s, small files {texts:.1f} s, start {start:.1f} s")
    print(f"  ideal {ideal:.1f} s, real {real:.1f} s, ratio {real / ideal:.2f}")


def _make_scan(path: Path, pages: int) -> None:
    font = ImageFont.load_default(40)
    frames = []
    for number in range(pages):
        page = Image.new("1", (900, 300), 1)
        ImageDraw.Draw(page).text((30, 100), f"This is page {number + 1} of the scan", font=font, fill=0)
        frames.append(page)
    frames[0].save(path, save_all=True, append_images=frames[1:], compression="group4", dpi=(200, 200))


def _empty(folder: Path) -> Path:
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    return empty


def run(files: Path, folder: Path, *flags: str) -> Measured:
    """Run the command on a folder and measure it."""
    output = folder / "out"
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "docbeam", "extract", str(files), "--output", str(output), "--progress", "none", *flags]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    watch = _Watch(output, process.pid)
    watch.start()
    process.wait()
    seconds = time.perf_counter() - started
    commit_seconds = watch.stop()
    if process.returncode:
        raise SystemExit(f"docbeam extract ended with {process.returncode}")
    (run_file,) = (output / "runs").glob("*.json")
    return Measured(seconds, commit_seconds, watch.peak, json.loads(run_file.read_text()))


class _Watch(threading.Thread):
    """Sees from outside when a commit begins (its plan is there) and ends (the run file is there), and the peak in KiB.

    What the kernel says at a process's end is the peak of its largest child too, so its own is read while it runs.
    """

    def __init__(self, output: Path, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._output = output
        self._status = Path(f"/proc/{pid}/status")
        self._is_ended = threading.Event()
        self._begun = self._done = 0.0

    def run(self) -> None:
        while not self._is_ended.wait(WATCH_SECONDS):
            now = time.perf_counter()
            with contextlib.suppress(OSError, StopIteration, ProcessLookupError):
                line = next(line for line in self._status.read_text().splitlines() if line.startswith("VmHWM"))
                self.peak = int(line.split()[1])
            if not self._begun and any(self._output.glob("_docbeam/staging/*/commit.json")):
                self._begun = now
            if not self._done and any(self._output.glob("runs/*.json")):
                self._done = now

    def stop(self) -> float:
        """Return the seconds of the commit, 0 if it was too short to be seen."""
        self._is_ended.set()
        self.join()
        return max(self._done - self._begun, 0.0) if self._begun and self._done else 0.0


if __name__ == "__main__":
    main()
