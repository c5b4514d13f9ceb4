"""The Beam YAML example runs as its page says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from docbeam.schemas.errors import UsageError
from docbeam.transforms.beam_yaml import ExtractRows

ROOT = Path(__file__).parent.parent.parent


def lines(folder: Path, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for path in sorted(folder.glob(f"{name}*")) for line in path.read_text().splitlines()]


def test_the_example_gives_texts_and_reasons(samples: Path, tmp_path: Path) -> None:
    names = ("notes/MARKDOWN.md", "contracts/PDFVarious.pdf", "scans/OCR.png", "broken/password.pdf")
    (tmp_path / "names.csv").write_text("uri\n" + "".join(f"{samples / name}\n" for name in names))
    variables = json.dumps({"names": str(tmp_path / "names.csv"), "output": str(tmp_path)})
    command = [sys.executable, "-m", "apache_beam.yaml.main", "--runner=FnApiRunner"]
    command += [f"--yaml_pipeline_file={ROOT / 'examples/extract.yaml'}", f"--jinja_variables={variables}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    texts = {str(row["uri"]).rsplit("/", 1)[1]: row for row in lines(tmp_path, "texts")}
    reasons = lines(tmp_path, "quarantine")
    assert set(texts) == {"MARKDOWN.md", "PDFVarious.pdf", "OCR.png"} or len(reasons) == 2
    assert "PDFVarious.pdf" in texts and texts["PDFVarious.pdf"]["is_truncated"] is False
    assert {"encrypted_no_key"} <= {row["error_category"] for row in reasons}
    (locked,) = [row for row in reasons if row["error_category"] == "encrypted_no_key"]
    assert locked["is_retryable"] is False and len(str(locked["sha256"])) == 64


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(UsageError, match="max_charz"):
        ExtractRows(max_charz=3)
