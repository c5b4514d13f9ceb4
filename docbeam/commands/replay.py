"""docbeam replay: read quarantined inputs again, with a key, an engine or an option that they lacked."""

from __future__ import annotations

import argparse
import dataclasses
import logging
import secrets
import sys
from typing import Any

from docbeam.commands.beam import absolute, running
from docbeam.commands.extract import (
    ALL_OPTION_CLASSES,
    EXIT_DONE,
    NO_ENGINE,
    OPTION_CLASSES,
    exit_code,
    storage_options_of,
)
from docbeam.commands.settings import (
    add_option_flags,
    add_passwords_flag,
    add_storage_flag,
    options_from,
    passwords_file_of,
    read_config,
)
from docbeam.schemas.options import ExtractOptions, RunOptions, WorkOptions

DESCRIPTION = """\
Read again just the inputs whose newest rows are in OUT/quarantine and match, and put the new rows in their place. An
input is read as a whole, with all that is embedded in it. The rows that are replaced move to OUT/superseded. An input that
can't be read now, or would lose text that it has, keeps its old rows, and that is said.
"""
EPILOG = """\
Options that are not given are those of the run that quarantined the inputs. Keys of --where: category, stage,
is_retryable, media_type, uri, run_id; several --where must all hold; uri and media_type take patterns (uri=*.pdf),
category and stage several words (category=timeout,crashed).

Exit codes are those of `docbeam extract`.
"""


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "replay",
        help="read quarantined inputs again and put their new rows in place",
        usage="docbeam replay OUT --where KEY=VALUE... [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("output", metavar="OUT", help="folder or fsspec URL of the datasets")
    parser.add_argument(
        "--where", action="append", default=[], metavar="KEY=VALUE", help="which quarantined rows; repeat it to narrow [text]"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be read again")
    parser.add_argument("--manifest", metavar="FILE", help="check the bytes by this manifest again [path or URL; default none]")
    add_storage_flag(parser)
    add_passwords_flag(parser)
    add_option_flags(parser, *OPTION_CLASSES)
    parser.set_defaults(run=run)


def run(flags: argparse.Namespace) -> int:
    """Run the command; return its exit code. Raises: UsageError."""
    from docbeam.transforms.ledger import opened_dataset
    from docbeam.transforms.selection import candidates, check_values, conditions_of

    logging.getLogger().setLevel(logging.CRITICAL)  # what Beam logs is raised as well, and said in one line
    conditions = conditions_of(flags.where)
    storage_options = storage_options_of(flags.storage_options)
    output, ledger = opened_dataset(flags.output, storage_options)
    if not flags.dry_run and _is_finished_now(output):
        output, ledger = opened_dataset(flags.output, storage_options)
    check_values(output, ledger, conditions)
    found = list(candidates(output, ledger, conditions))
    if not found:
        print(f"nothing in {flags.output}/quarantine matches")
        return EXIT_DONE
    config = read_config(flags.config, *ALL_OPTION_CLASSES)  # one file for all commands
    run_id = max(candidate.run_id for candidate in found)
    options = options_from(ExtractOptions, flags, {**_options_of(ledger.run(run_id)), **config})
    if flags.dry_run:
        print(plan(found, options, run_id, _options_of(ledger.run(run_id))))
        return EXIT_DONE
    work, shown = options_from(WorkOptions, flags, config), options_from(RunOptions, flags, config)
    from docbeam.transforms.replay import Selected  # which loads Beam

    selected = Selected(conditions=conditions, manifest=flags.manifest, storage_options=storage_options)
    report = _replayed(flags, selected, output, options, work, shown, len(found))
    print(summary(report, flags.output))
    return exit_code(report, shown.max_quarantine_rate, shown.fail_on_integrity)


def _is_finished_now(output: Any) -> bool:
    """Finish what a killed run has begun to commit, and return whether there was anything: else nothing might match."""
    from docbeam.transforms.commit import PLAN
    from docbeam.transforms.lease import Lease
    from docbeam.transforms.parts import STAGING
    from docbeam.transforms.recover import finish_begun_commits

    if not any(name.endswith(f"/{PLAN}") for name in output.names(STAGING)):
        return False
    with Lease(output, f"finishing-{secrets.token_hex(3)}"):
        finish_begun_commits(output)
    return True


def plan(found: list[Any], options: ExtractOptions, run_id: str, old: dict[str, Any]) -> str:
    """Return what would be read again."""
    from docbeam.transforms.selection import counted

    lines = [f"would read again {len(found):,} inputs, with the options of run {run_id}{_changes(options, old)}"]
    lines += [f"{number:>7,}  {category}" for category, number in counted(found).most_common()]
    lines += [f"{candidate.category:25} {candidate.root_uri}" for candidate in found]
    return "\n".join(lines)


def summary(report: dict[str, Any], output: str) -> str:
    """Return the table that a replay ends with."""
    check, stayed = report["sum_check"], report["stayed"]
    rows = {what: sum(c[what]["rows"] for c in report["replaced"] if c[what]) for what in ("history", "kept")}
    lines = [
        f"run        {report['run_id']}",
        f"read again {check['listed']:,} = {check['documents']:,} now documents + {check['quarantine']:,} still quarantined"
        f" + {check['skipped']:,} stayed as they were",
        f"replaced   {rows['history']:,} rows, now in {output}/superseded",
    ]
    for number, (value, how_many) in enumerate(report["counts"].get("error_category", {}).items()):
        lines.append(f"{'quarantine' if number == 0 else '':10} {how_many:>7,}  {value}")
    for one in stayed:
        lines.append(f"stayed     {one['uri']}: {one['reason']}")
    if check["skipped"] > len(stayed):
        lines.append(f"           and {check['skipped'] - len(stayed):,} more")
    lines.append(f"run file   {output}/runs/{report['run_id']}.json")
    return "\n".join(lines)


def _options_of(report: Any) -> dict[str, Any]:
    """Return the options of a run, as far as this version knows them."""
    known = {field.name for field in dataclasses.fields(ExtractOptions)}
    given = report.get("engine", {}).get("options", {})
    return {name: value for name, value in given.items() if name in known}


def _changes(options: ExtractOptions, old: dict[str, Any]) -> str:
    new = dataclasses.asdict(options)
    changed = [f"{name}={new[name]}" for name in new if name in old and new[name] != old[name]]
    return f", but {', '.join(changed)}" if changed else ""


def _replayed(
    flags: argparse.Namespace,
    selected: Any,
    output: Any,
    options: ExtractOptions,
    work: WorkOptions,
    shown: RunOptions,
    total: int,
) -> dict[str, Any]:
    from docbeam.extractors.ocr import find_engine
    from docbeam.pipelines.launch import launch_replay, new_run_id
    from docbeam.transforms.discover import check_inputs
    from docbeam.transforms.parts import REPLAY_SUFFIX
    from docbeam.transforms.storage import Folder

    check_inputs((), selected.manifest, selected.storage_options)
    if shown.runner != "direct":  # workers have working directories of their own
        output = Folder(absolute(output.url), output.storage_options)
        manifest = absolute(selected.manifest)
        selected = dataclasses.replace(selected, manifest=manifest)
    if options.ocr and find_engine() is None:
        print(NO_ENGINE, file=sys.stderr)
    run_id = new_run_id(REPLAY_SUFFIX)
    with running(flags, shown, run_id, lambda: total) as runner:
        return launch_replay(
            selected,
            output,
            options,
            work,
            runner.options,
            run_id=run_id,
            is_spread=runner.is_spread,
            ocr_hints=runner.ocr_hints,
            passwords=absolute(passwords_file_of(flags)),
        )
