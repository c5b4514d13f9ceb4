"""The exit codes of a finished run, and sums that don't add up."""

from __future__ import annotations

import pytest

from docbeam.commands.extract import exit_code
from docbeam.transforms.commit import Listing, RunHead, run_report
from docbeam.transforms.parts import PartFile

HEAD = RunHead(
    run_id="r",
    started_at="2020-01-01T00:00:00+00:00",
    inputs=("in",),
    engine_version="0",
    engine_fingerprint="f",
    engine={},
    work={},
)


def part(dataset: str, rows: int, inputs: int, members: int = 0) -> PartFile:
    name = f"_docbeam/staging/r/{dataset}-{'0' * 32}-1.parquet"
    return PartFile(dataset, name, rows, inputs, 1, "digest", {"members": members})


@pytest.mark.parametrize(
    ("listed", "skipped", "parts", "code"),
    [
        (10, 0, [part("documents", 9, 9), part("quarantine", 1, 1)], 0),
        (10, 4, [part("documents", 6, 6)], 0),
        (10, 0, [part("documents", 9, 9)], 1),  # one lost
        (10, 0, [part("documents", 11, 11)], 1),  # one twice
        (10, 0, [part("documents", 12, 10, members=2)], 0),
        (10, 0, [part("documents", 12, 10, members=3)], 1),  # an embedded one lost
        (10, 0, [part("documents", 5, 5), part("quarantine", 5, 5)], 3),
        (0, 0, [], 0),
    ],
)
def test_exit_code_follows_the_sums_and_the_rate(
    listed: int, skipped: int, parts: list[PartFile], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run_report(HEAD, Listing(listed=listed, skipped=skipped), parts)
    assert exit_code(report, 0.4) == code
    assert ("don't add up" in capsys.readouterr().err) == (code == 1)
