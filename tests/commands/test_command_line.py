"""What the command does to its user: exit codes, one line for an error, streams that are closed or speak no UTF-8."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import docbeam.commands.text
from docbeam.__main__ import main
from tests.pipelines.harness import TIMEOUT_SECONDS, command
from tests.pipelines.harness import docbeam as run_docbeam


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "né.txt").write_text("héllo\n", encoding="utf-8")
    return tmp_path / "né.txt"


def shell(line: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-c", line, "sh", *command(*arguments)], capture_output=True, timeout=TIMEOUT_SECONDS)


def test_output_is_utf8_or_escaped_whatever_the_terminal_speaks(note: Path, tmp_path: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    assert run_docbeam("text", note, env=ascii_only).stdout == "héllo\n"
    assert json.loads(run_docbeam("inspect", note, env=ascii_only).stdout)["content"] == "héllo\n"
    done = run_docbeam("extract", note, "--output", tmp_path / "öut", "--progress", "none", env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\xf6ut/documents" in done.stdout


@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(note: Path, tmp_path: Path, closed: str) -> None:
    assert shell(f'"$@" {closed}', "extract", note, "--output", tmp_path / "out").returncode == 0
    assert list((tmp_path / "out/runs").iterdir())


def test_closed_input_is_an_empty_document() -> None:
    done = shell('"$@" <&-', "text", "-")
    assert (done.returncode, done.stderr) == (1, b"docbeam: empty: 0 bytes\n")


def test_a_reader_that_goes_early_is_no_fault(note: Path) -> None:
    for arguments in (("inspect", note), ("--help",)):
        assert shell('"$@" | true', *arguments).stderr == b""


def test_an_error_of_an_unknown_kind_is_one_line_and_the_traceback_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], note: Path
) -> None:
    def rows(*_: object) -> None:
        raise ArithmeticError("two\nlines")

    monkeypatch.setattr(docbeam.commands.text, "_rows", rows)
    assert main(["text", str(note)]) == 1
    assert capsys.readouterr().err == "docbeam: ArithmeticError: two lines; DOCBEAM_TRACEBACK=1 shows where\n"
    monkeypatch.setenv("DOCBEAM_TRACEBACK", "1")
    with pytest.raises(ArithmeticError):
        main(["text", str(note)])


def test_a_pattern_of_many_documents_is_none_for_one(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (note.parent / "other.txt").write_text("x")
    assert main(["text", f"{note.parent}/*.txt"]) == 2
    assert "more than one document" in capsys.readouterr().err
