"""docbeam compact: fewer and larger part files, with the same rows; history goes only if told so."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from docbeam.commands.extract import storage_options_of
from docbeam.commands.settings import add_storage_flag, options_from
from docbeam.commands.status import Meter
from docbeam.schemas.errors import UsageError
from docbeam.schemas.options import WorkOptions

DESCRIPTION = """\
Merge the small part files of each run into larger ones; the rows, their order and their run stay as they are. Where an
input has rows of several runs, only the newest stay in the datasets; the others move to OUT/superseded. With
--drop-history, superseded rows are removed for good. The next run, or this command, finishes what a kill has cut.
"""
EPILOG = """\
Part files of different runs are not merged: a row's run is the name of its folder.

Exit codes: 0 done, or there was nothing to do; 1 a part file is not as its run file says, and was left alone; 2 wrong
usage, or another run holds OUT.
"""
EXIT_DONE, EXIT_BROKEN = 0, 1


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "compact",
        help="merge small part files",
        usage="docbeam compact OUT [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = WorkOptions()
    parser.add_argument("output", metavar="OUT", help="folder or fsspec URL of the datasets")
    parser.add_argument(
        "--part-rows", metavar="VALUE", help=f"a merged file has at most this many rows, [rows; default {defaults.part_rows}]"
    )
    parser.add_argument(
        "--part-bytes",
        metavar="VALUE",
        help=f"and at most this many bytes before compression [bytes; default {defaults.part_bytes}]",
    )
    parser.add_argument(
        "--drop-history",
        metavar="DAYS",
        help="remove superseded rows that were replaced longer ago than that; 0 is all of them [days; default none: they stay]",
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done; nothing is written")
    add_storage_flag(parser)
    parser.add_argument("--progress", choices=("auto", "none"), default="auto", help="lines on standard error [default auto]")
    parser.set_defaults(run=run)


def run(flags: argparse.Namespace) -> int:
    """Run the command; return its exit code. Raises: UsageError."""
    from docbeam.transforms.compact import CompactRules, compact, compact_plan
    from docbeam.transforms.ledger import opened_dataset
    from docbeam.transforms.parts import COMPACT_SUFFIX, new_run_id

    limits = options_from(WorkOptions, argparse.Namespace(part_rows=flags.part_rows, part_bytes=flags.part_bytes), {})
    rules = CompactRules(part_rows=limits.part_rows, part_bytes=limits.part_bytes, drop_days=_days_of(flags.drop_history))
    output, ledger = opened_dataset(flags.output, storage_options_of(flags.storage_options))
    meter = Meter(flags.progress != "none")
    if flags.dry_run:
        print(_planned(compact_plan(output, ledger, rules, meter.add)))
        return EXIT_DONE
    report, broken = compact(output, new_run_id(COMPACT_SUFFIX), rules, meter.add)
    print(_summary(report, flags.output))
    for name in broken:
        print(f"docbeam: {name} is not as its run file says, and was left alone; see docbeam verify", file=sys.stderr)
    return EXIT_BROKEN if broken else EXIT_DONE


def _days_of(given: str | None) -> float | None:
    if given is None:
        return None
    try:
        days = float(given)
    except ValueError:
        days = -1.0
    if not 0 <= days <= 1_000_000:
        raise UsageError(f"--drop-history: {given!r} is not a number of days")
    return days


def _planned(plan: Any) -> str:
    if plan.is_empty():
        return "nothing to do"
    lines = [f"would merge {sum(map(len, plan.merges)):,} part files into {len(plan.merges):,}"]
    if plan.newest:
        lines.append(f"would move the older rows of {len(plan.newest):,} inputs to history")
    if plan.drops:
        lines.append(f"would remove {sum(part.rows for part in plan.drops):,} superseded rows in {len(plan.drops):,} files")
    return "\n".join(lines)


def _summary(report: dict[str, Any] | None, output: str) -> str:
    if report is None:
        return "nothing to do"
    merges = [change for change in report["replaced"] if not (change["kept"] and change["history"])]
    merged = [change for change in merges if len(change["old"]) > 1]
    moved = sum(change["history"]["rows"] for change in report["replaced"] if change["history"] and change not in merged)
    lines = [
        f"run        {report['run_id']}",
        f"merged     {sum(len(change['old']) for change in merged):,} part files into {len(merged):,}",
    ]
    if moved:
        lines.append(f"superseded {moved:,} older rows, now in {output}/superseded")
    if report["dropped"]:
        rows = sum(part["rows"] for part in report["dropped"])
        lines.append(f"dropped    {rows:,} superseded rows in {len(report['dropped']):,} files, for good")
    lines.append(f"run file   {output}/runs/{report['run_id']}.json")
    return "\n".join(lines)
