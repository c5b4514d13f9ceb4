"""docbeam verify: is the dataset still what its runs wrote, and are the inputs still what was read?"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from docbeam.commands.extract import storage_options_of
from docbeam.commands.progress import FIRST_LINE_SECONDS, LINE_SECONDS
from docbeam.commands.settings import add_storage_flag
from docbeam.schemas.errors import UsageError

DESCRIPTION = """\
Read every run file and part file of OUT and compare digests, rows and sums; with --against, read the inputs again and
compare them with their rows. Each thing that is changed, missing or extra is a line; the exit code is 1 if there is one.
Nothing is written.
"""
EXIT_GOOD, EXIT_BAD = 0, 1
BROKEN = frozenset({"broken run files", "broken part files"})
MANIFEST_ENDS = (".csv", ".jsonl", ".ndjson", ".parquet")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "verify",
        help="compare the datasets with their run files, and with the inputs",
        usage="docbeam verify OUT [--against INPUT...] [options]",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("output", metavar="OUT", help="folder or fsspec URL of the datasets")
    parser.add_argument(
        "--against",
        nargs="+",
        default=[],
        metavar="INPUT",
        help="inputs to read again, as given to extract; a single CSV, JSONL or Parquet file that is no input itself is a "
        "manifest [paths or URLs; default none]",
    )
    parser.add_argument("--manifest", metavar="FILE", help="inputs to read again, by a manifest [path or URL; default none]")
    parser.add_argument(
        "--sample",
        default="all",
        metavar="N",
        help="how many inputs are read again, drawn by chance, or all [number; default all]",
    )
    add_storage_flag(parser)
    parser.add_argument("--progress", choices=("auto", "none"), default="auto", help="lines on standard error [default auto]")
    parser.set_defaults(run=run)


def run(flags: argparse.Namespace) -> int:
    """Run the command; return its exit code. Raises: UsageError."""
    from docbeam.transforms.ledger import opened_dataset

    sample = _sample_of(flags.sample)
    storage_options = storage_options_of(flags.storage_options)
    output, ledger = opened_dataset(flags.output, storage_options, may_be_broken=True)
    meter = _Meter(flags.progress != "none")
    first = None
    for problem in _problems(flags, output, ledger, sample, storage_options, meter):
        first = first or problem
        meter.add("problems")
        print(problem, flush=True)
    print(meter.summary())
    print(newest_line(output))
    if first is None:
        return EXIT_GOOD
    print(f"docbeam: {meter.counts['problems']:,} things are not as they were; the first: {first}", file=sys.stderr)
    return EXIT_BAD


def newest_line(output: Any) -> str:
    """Return the SHA-256 of the newest run file: each names the one before, so this one stands for all of them."""
    from docbeam.transforms.ledger import run_files

    *_, name = ["", *(name for name, _ in run_files(output))]
    if not name:
        return "newest     there is no run file that can be read"
    return f"newest     {hashlib.sha256(output.read(name)).hexdigest()}  {name}"


def _problems(
    flags: argparse.Namespace, output: Any, ledger: Any, sample: int | None, storage_options: dict[str, Any], meter: _Meter
) -> Iterator[Any]:
    yield from _dataset_problems(output, ledger, meter)
    if flags.against or flags.manifest:
        from docbeam.transforms.verify_inputs import Recorded

        recorded = Recorded(output, ledger, is_whole=not meter.counts.keys() & BROKEN)
        yield from _input_problems(flags, output, ledger, recorded, sample, storage_options, meter)


def _dataset_problems(output: Any, ledger: Any, meter: _Meter) -> Iterator[Any]:
    from docbeam.transforms.ledger import record_of
    from docbeam.transforms.verify import extra_files, part_problems, run_file_problems, sum_problems

    for problem in run_file_problems(output):
        if problem.kind in ("missing", "unreadable"):
            meter.add("broken run files")
        yield problem
    meter.add("run files", len(ledger.runs))
    parts = (*ledger.live, *ledger.history)
    meter.totals["part files"] = len(parts) + len(ledger.tombstones)
    broken: set[str] = set()
    for part in (*parts, *ledger.tombstones):
        for problem in part_problems(output, part):
            broken.add(part.run_id)
            meter.add("broken part files")
            yield problem
        meter.add("part files")
        meter.add("rows", part.rows)
        meter.add("bytes", part.file_bytes)
    yield from extra_files(output, ledger)
    for report in ledger.runs:
        if report["run_id"] not in broken:
            dropped = [part for part in ledger.dropped if record_of(part).run_id == report["run_id"]]
            yield from sum_problems(output, report, [part for part in parts if part.run_id == report["run_id"]], dropped)


def _input_problems(
    flags: argparse.Namespace,
    output: Any,
    ledger: Any,
    recorded: Any,
    sample: int | None,
    storage_options: dict[str, Any],
    meter: _Meter,
) -> Iterator[Any]:
    from docbeam.transforms.discover import check_inputs, list_blobs, ref_of
    from docbeam.transforms.verify_inputs import input_problems, input_uris, missing_inputs

    inputs, manifest = flags.against, flags.manifest
    is_list = len(inputs) == 1 and manifest is None and inputs[0].lower().endswith(MANIFEST_ENDS)
    if is_list and recorded.find(ref_of(inputs[0], storage_options).uri) is None:
        inputs, manifest = [], inputs[0]
    is_under = _is_under(inputs, manifest, storage_options)
    there = [given for given in inputs if not _is_gone(given)]
    check_inputs(there, manifest, storage_options)
    for given in inputs:
        if given not in there and not any(map(_is_under([given], None, storage_options), input_uris(output, ledger))):
            check_inputs([given], None, storage_options)  # neither there nor ever read: it says so
    if sample is not None:
        recorded.draw(sample)
    meter.totals["inputs"] = len(recorded)

    def listed() -> Iterator[Any]:
        for ref in list_blobs(there, manifest, storage_options, without=output.url):
            meter.add("inputs")
            yield ref

    def count(size_bytes: int) -> None:
        meter.add("inputs read again")
        meter.add("bytes", size_bytes)

    yield from input_problems(recorded, listed(), storage_options, count)
    yield from missing_inputs(output, ledger, recorded, is_under)


def _is_under(inputs: list[str], manifest: str | None, storage_options: dict[str, Any]) -> Callable[[str], bool]:
    """Return whether a URI is one of those that --against stands for: of all of them, with a manifest."""
    from docbeam.transforms.discover import input_prefix

    if manifest is not None:
        return lambda uri: True
    prefixes = tuple(input_prefix(given, storage_options) for given in inputs)
    return lambda uri: any(uri == prefix.rstrip("/") or uri.startswith(prefix) for prefix in prefixes)


def _is_gone(given: str) -> bool:
    """Say whether an input is a local file or folder that is not there (any more)."""
    from docbeam.transforms.places import has_glob, local_path

    path = local_path(given)
    return path is not None and not has_glob(given) and not os.path.lexists(path)


def _sample_of(given: str) -> int | None:
    if given == "all":
        return None
    if not given.isdecimal():
        raise UsageError(f"--sample: {given!r} is not a number or all")
    return int(given) if len(given) < sys.int_info.default_max_str_digits else None  # more than there can be


class _Meter:
    """Counts what was looked at, and says so now and then on standard error."""

    def __init__(self, is_shown: bool) -> None:
        self.counts: dict[str, int] = {}
        self.totals: dict[str, int] = {}
        self._is_shown = is_shown
        self._next = time.monotonic() + FIRST_LINE_SECONDS

    def add(self, what: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[what] = self.counts.get(what, 0) + number
        if self._is_shown and time.monotonic() > self._next:
            self._next = time.monotonic() + LINE_SECONDS
            print(" | ".join(self._words()), file=sys.stderr, flush=True)

    def summary(self) -> str:
        """Return what was looked at in all."""
        return f"verified   {', '.join(self._words())}"

    def _words(self) -> Iterator[str]:
        for what, number in self.counts.items():
            total = f" of {self.totals[what]:,}" if number < self.totals.get(what, 0) else ""
            yield f"{number:,}{total} {what}"
