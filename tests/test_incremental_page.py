"""The page on running again: its commands and queries are run, in their order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```(sh|sql)\n(.*?)```", (ROOT / "docs/incremental.md").read_text(), re.DOTALL)


def test_the_page_tells_a_true_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mail").mkdir()
    for number in range(4):
        (tmp_path / f"mail/{number}.txt").write_text(f"mail {number}\n")
    command = tmp_path / "bin/docbeam"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docbeam "$@"\n')
    command.chmod(0o755)
    env = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "DOCBEAM_PROGRESS": "none",
    }
    monkeypatch.chdir(tmp_path)
    said = []
    for language, block in BLOCKS:
        if language == "sh":
            done = subprocess.run(["sh", "-ec", block], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
            said.append(done.stdout)
        else:
            said.append(str(duckdb.sql(block).fetchall()))
    again, planned, engine, gone, tombstone, compacted = said
    assert "listed     4 = 0 documents + 0 quarantined + 4 done before" in again
    assert planned.count("4  the same: done") == 2
    assert "older      4 of those done before" in engine
    assert "replaced   4 older rows" in engine
    assert "their rows stay" in gone
    assert "recorded in" in gone
    assert "mail/2.txt" in tombstone
    assert "verified" in compacted
