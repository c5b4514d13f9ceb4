"""What the run files say together: which part files are live now, which hold history, and the chain of the run files.

A run file is never changed. Each names the part files that its run wrote, the ones that it replaced, and the SHA-256 of
the run file before it; its own `digest` is over all else in it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from docbeam.schemas.errors import UsageError
from docbeam.transforms.places import first_line
from docbeam.transforms.storage import Folder, StorageOptions

RUNS = "runs"
TOMBSTONES = "tombstones"
DIGEST = "digest"
NO_RUN_FILE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)  # what checked_report raises


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A part file as a run file names it. `run_id` is the run that made its rows."""

    name: str
    rows: int
    file_bytes: int
    sha256: str

    @property
    def dataset(self) -> str:
        """The dataset that it belongs to, or belonged to."""
        return self.name.removeprefix("superseded/").split("/", 1)[0]

    @property
    def run_id(self) -> str:
        """The run that made its rows."""
        found = re.search(r"/run_id=([^/]*)/", self.name)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All run files, oldest first, the live part files, oldest run first, and the ones that hold history.

    `tombstones` are the files that record deleted inputs; `dropped` the forms of history files that were removed for good.
    """

    runs: tuple[dict[str, Any], ...]
    live: tuple[PartRecord, ...]
    history: tuple[PartRecord, ...]
    tombstones: tuple[PartRecord, ...] = ()
    dropped: tuple[dict[str, Any], ...] = ()

    def run(self, run_id: str) -> Mapping[str, Any]:
        """Return the run file of a run; empty if there is none."""
        return next((run for run in self.runs if run["run_id"] == run_id), {})


def opened_dataset(url: str, storage_options: StorageOptions, may_be_broken: bool = False) -> tuple[Folder, Ledger]:
    """Return a finished output and what its run files say. Raises: UsageError if there is none.

    `may_be_broken`: also one where something is in the place of the run files, and none of it can be read as one.
    """
    try:
        output = Folder(url, storage_options)
        ledger = read_ledger(output)
    except Exception as error:  # every storage library has its own kinds
        raise UsageError(f"output {url!r}: {first_line(error)}") from error
    if not ledger.runs and not (may_be_broken and output.names(RUNS)):
        raise UsageError(
            f"output {url!r}: no run file in {url.rstrip('/')}/{RUNS}; it is not what `docbeam extract` has written"
        )
    return output, ledger


def read_ledger(output: Folder) -> Ledger:
    """Return what the run files say; JSON files that are no run files are left out."""
    runs = tuple(report for _, report in run_files(output))
    live: dict[str, PartRecord] = {}
    history: dict[str, PartRecord] = {}
    for report in runs:
        for part in report["parts"]:
            live[part["name"]] = record_of(part)
        for change in report.get("replaced", ()):
            for old in change["old"]:
                live.pop(old["name"], None)
                history.pop(old["name"], None)
            if change["kept"]:
                live[change["kept"]["name"]] = record_of(change["kept"])
            if change["history"]:
                history[change["history"]["name"]] = record_of(change["history"])
        for part in report.get("dropped", ()):
            history.pop(part["name"], None)
    in_order = tuple(sorted(live.values(), key=lambda part: part.run_id))
    tombstones = tuple(record_of(part) for report in runs for part in report.get("tombstones", ()))
    dropped = tuple(part for report in runs for part in report.get("dropped", ()))
    return Ledger(runs, in_order, tuple(history.values()), tombstones, dropped)


def run_files(output: Folder) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and content of each run file, oldest first."""
    for name in output.names(RUNS):
        if name.endswith(".json"):
            with suppress(*NO_RUN_FILE, FileNotFoundError):
                yield name, checked_report(output.read_json(name))


def checked_report(report: Any) -> dict[str, Any]:
    """Return a run file's content. Raises one of NO_RUN_FILE if it is none."""
    if not isinstance(report, dict):
        raise TypeError("not an object")
    _text(report, "run_id")
    if report.get("previous") is not None:
        _text(report["previous"], "run_id")
        _text(report["previous"], "sha256")
    if not isinstance(report.get("sum_check", {}), dict):
        raise TypeError("sum_check is not an object")
    for part in (*report["parts"], *report.get("tombstones", ()), *report.get("dropped", ())):
        record_of(part)
    for change in report.get("replaced", ()):
        for part in (*change["old"], *filter(None, (change["kept"], change["history"]))):
            record_of(part)
    return report


def record_of(part: Mapping[str, Any]) -> PartRecord:
    """Return a part file's record from its form in a run file."""
    return PartRecord(_text(part, "name"), _number(part, "rows"), _number(part, "bytes"), _text(part, "sha256"))


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is {value!r}, which is no text")
    return value


def _number(values: Mapping[str, Any], key: str) -> int:
    value = values[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} is {value!r}, which is no whole number")
    return value


def previous_run(output: Folder) -> dict[str, str] | None:
    """Return the newest run file's id and SHA-256, for the next one to name; None if there is none."""
    *_, last = [None, *run_files(output)]
    if last is None:
        return None
    name, report = last
    return {"run_id": report["run_id"], "sha256": hashlib.sha256(output.read(name)).hexdigest()}


def sealed(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run file's content with its digest, as it will be read back."""
    plain = json.loads(json.dumps(report, ensure_ascii=False).encode("utf-8", "replace"))
    return {**plain, DIGEST: content_digest(plain)}


def content_digest(report: Mapping[str, Any]) -> str:
    """Return the digest of everything in a run file but the digest itself."""
    content = {key: value for key, value in report.items() if key != DIGEST}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
