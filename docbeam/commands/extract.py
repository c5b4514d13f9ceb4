"""docbeam extract: documents to a Parquet dataset and a quarantine dataset."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from docbeam.commands.beam import HELP, absolute, running
from docbeam.commands.settings import (
    PREFIX,
    add_option_flags,
    add_passwords_flag,
    add_storage_flag,
    options_from,
    passwords_file_of,
    read_config,
)
from docbeam.schemas.errors import UsageError
from docbeam.schemas.options import ExtractOptions, RerunOptions, RunOptions, WorkOptions

OPTION_CLASSES = (ExtractOptions, WorkOptions, RunOptions)
ALL_OPTION_CLASSES = (*OPTION_CLASSES, RerunOptions)
EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_QUARANTINE_RATE = 0, 1, 2, 3
MOST_SHOWN = 10  # inputs of one kind that the closing table names; the run file names more
DESCRIPTION = """\
Read documents; write OUT/documents, OUT/quarantine and OUT/runs/<run_id>.json. Running the same command again reads only
what is new or changed, and picks up what a killed run left.
"""
NO_ENGINE = (
    "docbeam: Tesseract is not installed: pictures and scanned pages go to quarantine as needs_ocr (retryable); "
    "apt-get install tesseract-ocr brings it, --no-ocr silences this line"
)
EPILOG = """\
Every option can also come from a DOCBEAM_* variable (DOCBEAM_MAX_BODY_BYTES=50MB) or from a TOML file (--config);
flags are the strongest, then variables, then the file. Sizes take k, M, G, Ki, Mi, Gi.

{beam}
Exit codes: 0 done; 1 the run failed, its sums don't add up, or bytes are not the manifest's (--fail-on-integrity);
2 wrong usage; 3 done, but the share of quarantined documents is over --max-quarantine-rate.
"""


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "extract",
        help="documents to a Parquet dataset of text and a quarantine dataset",
        usage="docbeam extract [options] INPUT... --output OUT [-- BEAM OPTIONS]",
        description=DESCRIPTION,
        epilog=EPILOG.format(beam=HELP),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="file, folder, glob or fsspec URL (gs://, s3://, memory://, https://)"
    )
    parser.add_argument("--output", "-o", metavar="OUT", help="folder or fsspec URL for the datasets [path or URL; required]")
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="CSV, JSONL or Parquet file with a `uri` column, and `sha256`, `md5` and `size_bytes` to check the bytes by, "
        "if you have them [path or URL; default none]",
    )
    add_storage_flag(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="only list, and say what would be read and why; nothing is written"
    )
    add_passwords_flag(parser)
    add_option_flags(parser, *ALL_OPTION_CLASSES)
    parser.set_defaults(run=run)


def run(flags: argparse.Namespace) -> int:
    """Run the command; return its exit code. Raises: UsageError."""
    config = read_config(flags.config, *ALL_OPTION_CLASSES)
    options = options_from(ExtractOptions, flags, config)
    work = options_from(WorkOptions, flags, config)
    shown = options_from(RunOptions, flags, config)
    output = flags.output or os.environ.get(PREFIX + "OUTPUT")
    if not output:
        raise UsageError("no --output given: name the folder or URL for the datasets")
    if not flags.inputs and not flags.manifest:
        raise UsageError("no INPUT given: name files, folders, globs or URLs, or a --manifest")
    storage_options = storage_options_of(flags.storage_options)
    rerun = options_from(RerunOptions, flags, config)
    if flags.dry_run:
        return _dry_run(flags, output, storage_options, options, rerun)
    report = _extracted(flags, output, storage_options, options, work, shown, rerun)
    if not report:
        print(f"the job is written down and not started; its run file will be below {output}/runs")
        return EXIT_DONE
    print(summary(report, output))
    return exit_code(report, shown.max_quarantine_rate, shown.fail_on_integrity)


def _dry_run(
    flags: argparse.Namespace, output: str, storage_options: dict[str, Any], options: ExtractOptions, rerun: RerunOptions
) -> int:
    """Say what a run would read, a line each, and then how many; nothing is written, not even the output's folder."""
    from docbeam.commands.status import plan_lines, rules_for
    from docbeam.transforms.discover import check_apart, check_inputs
    from docbeam.transforms.status import begun_commits, planned
    from docbeam.transforms.storage import Folder

    check_inputs(flags.inputs, flags.manifest, storage_options)
    check_apart(flags.inputs, output, storage_options)
    rules = rules_for(options, rerun.reprocess, flags.manifest, storage_options)

    def say(ref: Any, decision: Any) -> None:
        if decision.is_read:
            print(f"{decision:10} {ref.uri}")

    folder = Folder(output, storage_options)
    for run_id in begun_commits(folder):
        print(f"docbeam: the commit of {run_id} was cut; a run finishes it first, and reads less than this", file=sys.stderr)
    counts, gone = planned(folder, tuple(flags.inputs), flags.manifest, rules, say)
    print("\n".join(plan_lines(counts, gone, rerun.tombstones)))
    return EXIT_DONE


def exit_code(report: dict[str, Any], max_quarantine_rate: float, fail_on_integrity: bool = False) -> int:
    """Return the exit code of a finished run."""
    check = report["sum_check"]
    if not check["is_ok"]:
        total = check["documents"] + check["quarantine"] + check["skipped"]
        inputs, members = (
            f"{check['listed']} listed, {total} found",
            f"{check['members']} embedded, {check['embedded_rows']} found",
        )
        print(f"docbeam: the sums don't add up: {inputs}; {members}; please report it", file=sys.stderr)
        return EXIT_FAILED
    mismatched = report["rates"]["integrity_mismatched"]
    if mismatched and fail_on_integrity:
        print(
            f"docbeam: {mismatched:,} of {report['rates']['integrity_expected']:,} inputs are not what the manifest says: see "
            "error_message of the rows with error_category integrity_mismatch in quarantine; get the right files, or "
            "correct the manifest, and run the same command again",
            file=sys.stderr,
        )
        return EXIT_FAILED
    made = check["documents"] + check["quarantine"]
    rate = check["quarantine"] / made if made else 0.0
    if rate > max_quarantine_rate:
        print(
            f"docbeam: {rate:.1%} of the documents are in quarantine, the limit is {max_quarantine_rate:.1%}", file=sys.stderr
        )
        return EXIT_QUARANTINE_RATE
    return EXIT_DONE


def summary(report: dict[str, Any], output: str) -> str:
    """Return the table that a run ends with."""
    check, sums, counts = report["sum_check"], report["sums"], report["counts"]
    lines = [
        f"run        {report['run_id']}",
        f"listed     {check['listed']:,} = {check['documents']:,} documents + {check['quarantine']:,} quarantined"
        f" + {check['skipped']:,} done before",
    ]
    if any(report["embedded_rows"].values()):
        lines.append(
            f"embedded   {report['embedded_rows']['documents']:,} documents + "
            f"{report['embedded_rows']['quarantine']:,} quarantined, inside of these"
        )
    if check["duplicates"]:
        lines.append(f"duplicates {check['duplicates']:,} of these have the bytes of another one")
    rates = report["rates"]
    if rates["integrity_expected"]:
        lines.append(
            f"integrity  {rates['integrity_expected']:,} with digests or sizes in the manifest, "
            f"{rates['integrity_mismatched']:,} don't match"
        )
    lines += _rerun_lines(report, output)
    if check["documents"]:
        lines.append(
            f"text       {sums.get('chars', 0):,} characters, {sums.get('pages', 0):,} pages,"
            f" {sums.get('ocr_pages', 0):,} of them recognised"
        )
    for key, title in (("media_type", "types"), ("truncation_reason", "truncated"), ("error_category", "quarantine")):
        for number, (value, how_many) in enumerate(counts.get(key, {}).items()):
            lines.append(f"{title if number == 0 else '':10} {how_many:>7,}  {value}")
    lines.append(f"datasets   {output}/documents  {output}/quarantine")
    lines.append(f"run file   {output}/runs/{report['run_id']}.json")
    return "\n".join(lines)


def _rerun_lines(report: dict[str, Any], output: str) -> list[str]:
    """Return what a run over an output that was there already has to say of it."""
    lines = []
    if older := report.get("other_engine"):
        lines.append(
            f"older      {older:,} of those done before were read by another engine or with other options;"
            " --reprocess changed-engine reads them again"
        )
    if replaced := sum(change["history"]["rows"] for change in report.get("replaced", ()) if change["history"]):
        lines.append(f"replaced   {replaced:,} older rows, now in {output}/superseded")
    stayed = report.get("stayed", ())
    for number, one in enumerate(stayed[:MOST_SHOWN]):
        lines.append(
            f"{'stayed' if number == 0 else '':10} {one['uri']}: can't be read now, its older rows stay: {one['reason']}"
        )
    if len(stayed) > MOST_SHOWN:
        lines.append(f"           and {len(stayed) - MOST_SHOWN:,} more: see `stayed` in the run file")
    gone = report.get("gone", {})
    if gone.get("inputs"):
        what = (
            "taken out and recorded in OUT/tombstones" if report["rerun"]["tombstones"] else "their rows stay; see --tombstones"
        )
        lines.append(f"gone       {gone['inputs']:,} inputs that were read before are not there any more; {what}")
        lines += [f"           {uri}" for uri in gone["named"][:MOST_SHOWN]]
    if gone.get("unclear"):
        lines.append(
            f"unclear    {gone['unclear']:,} inputs that were read before were not listed, and may be there; their rows stay"
        )
        lines += [f"           {one['uri']}: {one['reason']}" for one in gone["unclear_named"][:MOST_SHOWN]]
    return lines


def storage_options_of(given: str | None) -> dict[str, Any]:
    """Return the arguments for fsspec's file systems. Raises: UsageError."""
    given = given or os.environ.get(PREFIX + "STORAGE_OPTIONS")
    try:
        value = json.loads(given) if given else {}
    except ValueError as error:
        raise UsageError(f"--storage-options: no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("--storage-options: not a JSON object, such as '{\"anon\": true}'")
    return value


def _extracted(
    flags: argparse.Namespace,
    output: str,
    storage_options: dict[str, Any],
    options: ExtractOptions,
    work: WorkOptions,
    shown: RunOptions,
    rerun: RerunOptions,
) -> dict[str, Any]:
    logging.getLogger().setLevel(logging.CRITICAL)  # what Beam logs is raised as well, and said in one line
    from docbeam.extractors.ocr import find_engine
    from docbeam.pipelines.launch import checked_output, launch, new_run_id
    from docbeam.transforms.discover import list_blobs
    from docbeam.transforms.listing import Inputs

    inputs, manifest = tuple(flags.inputs), flags.manifest
    if shown.runner != "direct":  # workers have working directories of their own
        inputs, output = tuple(map(absolute, inputs)), absolute(output)
        manifest = absolute(manifest)
    given = Inputs(inputs=inputs, manifest=manifest, storage_options=storage_options)
    folder = checked_output(given, output)
    if options.ocr and find_engine() is None:
        print(NO_ENGINE, file=sys.stderr)
    run_id = new_run_id()
    counted = _Counted(lambda: sum(1 for _ in list_blobs(inputs, manifest, storage_options, without=output)))
    if shown.progress != "none":
        counted.start()
    with running(flags, shown, run_id, counted.value) as runner:
        return launch(
            given,
            folder,
            options,
            work,
            runner.options,
            run_id=run_id,
            is_spread=runner.is_spread,
            ocr_hints=runner.ocr_hints,
            passwords=absolute(passwords_file_of(flags)),
            rerun=rerun,
        )


class _Counted:
    """The number of inputs, counted by a thread of its own while the run lists and reads them."""

    def __init__(self, count: Callable[[], int]) -> None:
        self._count = count
        self._value: int | None = None
        self._thread = threading.Thread(target=self._run, name="docbeam-count", daemon=True)

    def value(self) -> int | None:
        """Return the number, or None while it is not known."""
        return self._value

    def start(self) -> None:
        """Begin to count."""
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(Exception):  # the run itself says what is wrong
            self._value = self._count()
