"""Where a command runs: --runner, and raw Beam options behind `--`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from docbeam.commands.progress import ProgressDisplay
from docbeam.schemas.options import RunOptions

COMMANDS = ("extract", "replay")  # the ones that run a pipeline
RAW = "beam_options"
Given = TypeVar("Given", str, str | None)
HELP = """\
Raw Beam options go behind `--` and win over the runner's preset, as in
  docbeam extract IN --output OUT --runner flink -- --flink_master=host:8081 --parallelism=8
"""


def split_raw(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments of the command itself, and the raw Beam options behind `--`."""
    arguments = list(argv)
    if arguments and arguments[0] in COMMANDS and "--" in arguments:
        place = arguments.index("--")
        return arguments[:place], arguments[place + 1 :]
    return arguments, []


def absolute(given: Given) -> Given:
    """Return a path or pattern that means the same in every working directory; a URL or None stays as it is."""
    return os.path.join(os.getcwd(), given) if given and "://" not in given else given


@contextmanager
def running(flags: argparse.Namespace, shown: RunOptions, run_id: str, total: Callable[[], int | None]) -> Iterator[Any]:
    """Yield the chosen runner for the length of a run, and show how far the run is. Raises: UsageError."""
    from docbeam.runners.choice import chosen
    from docbeam.transforms.counters import progress_of

    choice = chosen(shown.runner, getattr(flags, RAW, ()), f"docbeam-{run_id.lower()}")
    if choice.is_spread and shown.progress != "none":  # what other processes count is not seen here while they work
        print(f"docbeam: job docbeam-{run_id.lower()} on {choice.where}", file=sys.stderr, flush=True)
    with ProgressDisplay(progress_of(run_id).read, total, "none" if choice.is_spread else shown.progress):
        yield choice
