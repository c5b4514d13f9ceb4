"""Which quarantined inputs to read again: `--where key=value`, and the inputs whose newest rows match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import pyarrow.parquet as pq

from docbeam.schemas.errors import UsageError
from docbeam.schemas.vocabulary import ErrorCategory, Stage
from docbeam.transforms.ledger import Ledger, PartRecord
from docbeam.transforms.storage import Folder
from docbeam.transforms.supersede import key_of

COLUMNS = {  # key of --where: column of the quarantine dataset
    "category": "error_category",
    "stage": "stage",
    "is_retryable": "is_retryable",
    "media_type": "media_type",
    "uri": "uri",
    "run_id": "run_id",
}
CLOSED = {
    "category": tuple(word.value for word in ErrorCategory),
    "stage": tuple(word.value for word in Stage),
    "is_retryable": ("true", "false"),
}
BATCH_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Condition:
    """One --where: the row's value must match one of the patterns."""

    key: str
    patterns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.key}={','.join(self.patterns)}"

    def is_met(self, value: Any) -> bool:
        """Say whether a row's value matches."""
        text = str(value).lower() if isinstance(value, bool) else str(value) if value is not None else ""
        return any(fnmatchcase(text, pattern) for pattern in self.patterns)


def conditions_of(given: Sequence[str]) -> tuple[Condition, ...]:
    """Return the conditions that all must be met. Raises: UsageError that lists what there is, for an unknown key or word."""
    if not given:
        raise UsageError("no --where given: name what to read again, such as category=timeout; uri=* is all of it")
    return tuple(_condition(text) for text in given)


def _condition(text: str) -> Condition:
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals or not value or key not in COLUMNS:
        problem = f"unknown key {key!r}" if equals and value else "not key=value"
        raise UsageError(f"--where {text!r}: {problem}; the keys are: {', '.join(COLUMNS)}")
    if key not in CLOSED:
        return Condition(key, (value,))
    words = tuple(word.strip().lower() for word in value.split(","))
    for word in words:
        if word not in CLOSED[key]:
            raise UsageError(f"--where {text!r}: unknown {key} {word!r}; there are: {', '.join(CLOSED[key])}")
    return Condition(key, words)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input to read again: `root_uri`, and the run and category of the row that matched, which may be an embedded one's."""

    root_uri: str
    run_id: str
    category: str


def candidates(output: Folder, ledger: Ledger, conditions: Sequence[Condition]) -> Iterator[Candidate]:
    """Yield each input once whose newest rows match all conditions. Memory grows with what matches, not with the dataset."""
    matched = {key_of(found.root_uri): found.run_id for found in _matching(output, ledger, conditions)}
    newest = _newest_runs(output, ledger, matched)
    for found in _matching(output, ledger, conditions):
        key = key_of(found.root_uri)
        if newest.get(key) == found.run_id:
            del newest[key]
            yield found


def counted(found: Sequence[Candidate]) -> Counter[str]:
    """Return how many inputs there are of each category."""
    return Counter(candidate.category for candidate in found)


def check_values(output: Folder, ledger: Ledger, conditions: Sequence[Condition]) -> None:
    """Raise UsageError for a media type or run that no quarantined row has."""
    for condition in conditions:
        if condition.key in ("media_type", "run_id"):
            column = COLUMNS[condition.key]
            rows = (row for part in _quarantine(ledger) for row in _rows(output, part, [column]))
            known = sorted({str(row[column]) for row in rows})
            if not any(condition.is_met(value) for value in known):
                given = f"{condition.key}={condition.patterns[0]}"
                raise UsageError(f"--where {given!r}: no quarantined row has it; there are: {', '.join(known) or 'none'}")


def _matching(output: Folder, ledger: Ledger, conditions: Sequence[Condition]) -> Iterator[Candidate]:
    columns = sorted({"root_uri", "error_category", *(COLUMNS[condition.key] for condition in conditions)})
    for part in _quarantine(ledger):
        for row in _rows(output, part, columns):
            if all(condition.is_met(row[COLUMNS[condition.key]]) for condition in conditions):
                yield Candidate(row["root_uri"], part.run_id, row["error_category"])


def _newest_runs(output: Folder, ledger: Ledger, matched: dict[bytes, str]) -> dict[bytes, str]:
    """Return the newest run of each matched input that has rows of it, in either dataset."""
    newest: dict[bytes, str] = {}
    for part in ledger.live if matched else ():
        for row in _rows(output, part, ["root_uri"]):
            key = key_of(row["root_uri"])
            if key in matched:
                newest[key] = max(newest.get(key, ""), part.run_id)
    return newest


def _quarantine(ledger: Ledger) -> Iterator[PartRecord]:
    return (part for part in ledger.live if part.dataset == "quarantine")


def _rows(output: Folder, part: PartRecord, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield rows of a part file, with the run that its folder names."""
    wanted = [name for name in columns if name != "run_id"] or ["root_uri"]
    try:
        with output.open(part.name) as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=wanted):
                for row in batch.to_pylist():
                    yield {**row, "run_id": part.run_id}
    except FileNotFoundError:  # somebody has removed it; `docbeam verify` names it
        return
