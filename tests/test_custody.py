"""The page on the chain of custody: its commands and queries are run, in their order, on a delivery."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pikepdf
import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/custody.md").read_text()
BLOCKS = re.findall(r"```(sh|sql)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a delivery, a file of passwords, and the command."""
    folder = tmp_path_factory.mktemp("custody")
    shutil.copytree(ROOT / "samples/notes", folder / "evidence/notes")
    (folder / "evidence/copy of a note.md").write_bytes((ROOT / "samples/notes/MARKDOWN.md").read_bytes())
    with pikepdf.open(ROOT / "samples/contracts/PDF.pdf") as pdf:
        pdf.save(folder / "evidence/locked.pdf", encryption=pikepdf.Encryption(user="spring", owner="spring"))
    (folder / "keys.txt").write_text("autumn\nspring\n")
    command = folder / "bin/docbeam"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docbeam "$@"\n')
    command.chmod(0o755)
    return folder


def test_the_page_tells_a_true_story(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    env = {**os.environ, "PATH": f"{case / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "DOCBEAM_PROGRESS": "none"}
    monkeypatch.chdir(case)
    for language, block in BLOCKS:
        if language == "sh":
            done = subprocess.run(["sh", "-ec", block], cwd=case, env=env, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
            said.append(done.stdout)
        else:
            said.append(str(duckdb.sql(block).fetchall()))
    delivery, deduped, copies, replayed, history, verified = said
    assert "integrity  4 with digests or sizes in the manifest, 0 don't match" in delivery
    assert "1  encrypted_no_key" in delivery
    assert "duplicates 1 of these" in deduped
    assert copies.endswith("copy of a note.md', 2)]")
    assert "would read again 1 inputs" in replayed
    assert "read again 1 = 1 now documents" in replayed
    assert "locked.pdf', 'encrypted_no_key'" in history
    assert verified.count("verified") == 3
    assert "spring" not in "".join(path.read_text(errors="replace") for path in (case / "out").rglob("*") if path.is_file())
