"""docbeam status: what is done, in quarantine, waiting and held; and, with inputs, what another run would do."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from docbeam.commands.extract import storage_options_of
from docbeam.commands.progress import FIRST_LINE_SECONDS, LINE_SECONDS
from docbeam.commands.settings import add_storage_flag, options_from
from docbeam.schemas.options import REPROCESS, ExtractOptions

DESCRIPTION = """\
Say where OUT stands: what is done, what is in quarantine and whether another try can help, what a killed run has left,
who writes to it, and which rows an older engine or other options have made. With INPUT, also what another run over these
inputs, with the options of the newest one, would do: what is new, changed, gone and the same. Nothing is written.
"""
EXIT_DONE = 0
MOST_SHOWN = 10
WORDS = {  # Decision: how the plan says it
    "new": "new: would be read",
    "changed": "changed: would be read again",
    "again": "the same, and would be read again all the same",
    "recovered": "read by a killed run: would be taken over",
    "same": "the same: done",
    "other-engine": "the same, read by another engine or with other options: --reprocess changed-engine reads them again",
}


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "status",
        help="what is done, in quarantine and waiting, and what another run would do",
        usage="docbeam status OUT [INPUT...] [options]",
        description=DESCRIPTION,
        epilog="Exit codes: 0 done; 2 wrong usage, such as a folder that is no output.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("output", metavar="OUT", help="folder or fsspec URL of the datasets")
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="inputs as given to extract [paths or URLs; default none]")
    parser.add_argument(
        "--manifest", metavar="FILE", help="inputs by a manifest, as given to extract [path or URL; default none]"
    )
    parser.add_argument(
        "--reprocess", choices=REPROCESS, default=REPROCESS[0], help="as for extract [word; default changed-input]"
    )
    parser.add_argument("--json", action="store_true", help="say it as JSON")
    add_storage_flag(parser)
    parser.add_argument("--progress", choices=("auto", "none"), default="auto", help="lines on standard error [default auto]")
    parser.set_defaults(run=run)


def run(flags: argparse.Namespace) -> int:
    """Run the command; return its exit code. Raises: UsageError."""
    from docbeam.transforms.discover import check_inputs
    from docbeam.transforms.ledger import opened_dataset
    from docbeam.transforms.status import planned, status_of

    storage_options = storage_options_of(flags.storage_options)
    output, ledger = opened_dataset(flags.output, storage_options)
    check_inputs(flags.inputs, flags.manifest, storage_options)
    meter = Meter(flags.progress != "none")
    newest = _newest(ledger)
    status = status_of(output, ledger, lambda rows: meter.add("rows", rows))
    plan = None
    if flags.inputs or flags.manifest:
        options = options_from(ExtractOptions, argparse.Namespace(), _options_of(newest))
        rules = rules_for(options, flags.reprocess, flags.manifest, storage_options)
        plan = planned(output, tuple(flags.inputs), flags.manifest, rules, lambda *_: meter.add("inputs"))
    print(_json(ledger, status, plan) if flags.json else "\n".join(_lines(flags.output, ledger, newest, status, plan)))
    return EXIT_DONE


def rules_for(options: ExtractOptions, reprocess: str, manifest: str | None, storage_options: dict[str, Any]) -> Any:
    """Return by what a run with these options decides which inputs it reads. Raises: UsageError for unknown languages."""
    from docbeam.extractors.fingerprint import engine_parts, fingerprint_of
    from docbeam.extractors.ocr import check_languages, find_engine
    from docbeam.transforms.done import DoneRules

    engine = find_engine() if options.ocr else None
    if engine is not None:
        check_languages(engine, options.ocr_languages)
    return DoneRules(
        fingerprint=fingerprint_of(engine_parts(options)),
        reprocess=reprocess,
        has_digests=manifest is not None,
        storage_options=storage_options,
    )


def plan_lines(counts: Any, gone: Any, has_tombstones: bool = False) -> list[str]:
    """Return what a run would do, in numbers."""
    lines = [f"listed     {counts.total():,}"]
    lines += [f"{number:>18,}  {WORDS[decision]}" for decision, number in sorted(counts.items(), key=lambda one: -one[1])]
    if gone.keys:
        then = "their rows would be taken out" if has_tombstones else "their rows stay, unless --tombstones"
        lines.append(f"gone       {len(gone.keys):,} inputs that were read before are not there any more; {then}")
        lines += [f"           {uri}" for uri in gone.named[:MOST_SHOWN]]
    if gone.unclear:
        lines.append(
            f"unclear    {gone.unclear:,} inputs that were read before were not listed, and may be there; their rows stay"
        )
        lines += [f"           {uri}: {reason}" for uri, reason in gone.unclear_named[:MOST_SHOWN]]
    return lines


def _newest(ledger: Any) -> dict[str, Any]:
    """Return the run file of the newest run that has read anything by its own options."""
    runs = [run for run in ledger.runs if run.get("command", {}).get("name", "extract") == "extract"]
    return dict((runs or ledger.runs)[-1])


def _options_of(report: dict[str, Any]) -> dict[str, Any]:
    return dict(report.get("engine", {}).get("options", {}))


def _lines(url: str, ledger: Any, newest: dict[str, Any], status: Any, plan: Any) -> list[str]:
    last = ledger.runs[-1]
    lines = [
        f"output     {url}",
        f"runs       {len(ledger.runs):,}, the newest {last['run_id']}, ended {last.get('finished_at', 'unknown')}",
        f"done       {status.inputs['documents']:,} documents + {status.inputs['quarantine']:,} quarantined",
    ]
    if status.embedded.total():
        lines.append(
            f"embedded   {status.embedded['documents']:,} documents + "
            f"{status.embedded['quarantine']:,} quarantined, inside of these"
        )
    for number, ((category, is_retryable), rows) in enumerate(status.quarantine.most_common()):
        hint = "  (another try can help)" if is_retryable else ""
        lines.append(f"{'quarantine' if number == 0 else '':10} {rows:>7,}  {category}{hint}")
    lines += _engine_lines(newest, status)
    for title, parts in (("superseded", ledger.history), ("tombstones", ledger.tombstones)):
        if parts:
            lines.append(f"{title} {sum(part.rows for part in parts):,} rows in {len(parts):,} files")
    if status.missing:
        lines.append(f"missing    {status.missing:,} part files; docbeam verify names them, and a run reads their inputs again")
    lines += _waiting_lines(status)
    return lines + (plan_lines(*plan) if plan is not None else [])


def _engine_lines(newest: dict[str, Any], status: Any) -> list[str]:
    of_newest = status.engines[newest.get("engine_fingerprint", "")]
    older = status.engines.total() - of_newest
    if not older:
        return []
    others = len(status.engines) - (of_newest > 0)
    return [
        f"engines    {of_newest:,} inputs by the newest run's engine and options, {older:,} by {others:,} others; "
        "docbeam extract --reprocess changed-engine reads these again"
    ]


def _waiting_lines(status: Any) -> list[str]:
    lines = []
    holding = (status.holder or {}).get("run_id") if status.is_held else None
    for run_id, waiting in status.waiting.items():
        if run_id == holding:
            lines.append(f"running    {run_id} has written {waiting.rows:,} rows so far")
        elif waiting.is_begun:
            lines.append(f"pending    the commit of {run_id} was cut; the next run finishes it")
        elif waiting.files:
            files = f"{waiting.rows:,} rows in {waiting.files:,} files of {run_id}"
            lines.append(f"pending    {files}, which was killed; a run with the same options takes them over")
    if status.holder is not None:
        who = f"{status.holder.get('run_id')} (process {status.holder.get('pid')} on {status.holder.get('host')})"
        lines.append(f"held       by {who}" if status.is_held else f"held       by nobody: {who} is dead")
    return lines


def _json(ledger: Any, status: Any, plan: Any) -> str:
    found = {"runs": [run["run_id"] for run in ledger.runs], **status.form()}
    for title, parts in (("superseded", ledger.history), ("tombstones", ledger.tombstones)):
        found[title] = {"files": len(parts), "rows": sum(part.rows for part in parts)}
    if plan is not None:
        found["plan"] = {**{str(decision): number for decision, number in plan[0].items()}, "gone": plan[1].form()}
    return json.dumps(found, indent=1, ensure_ascii=False)


class Meter:
    """Says now and then on standard error how much was looked at."""

    def __init__(self, is_shown: bool) -> None:
        self._counts: dict[str, int] = {}
        self._is_shown = is_shown
        self._next = time.monotonic() + FIRST_LINE_SECONDS

    def add(self, what: str, number: int = 1) -> None:
        """Add to a count."""
        self._counts[what] = self._counts.get(what, 0) + number
        if self._is_shown and time.monotonic() > self._next:
            self._next = time.monotonic() + LINE_SECONDS
            print(" | ".join(f"{number:,} {what}" for what, number in self._counts.items()), file=sys.stderr, flush=True)
