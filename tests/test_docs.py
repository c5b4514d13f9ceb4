"""The pages are held to the code, and the README's commands, queries and examples to what really happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from docbeam.schemas.options import ExtractOptions
from tests.pipelines.harness import extract

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_generated_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts/docs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_readme_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("readme") / "out"
    done = extract(ROOT / "samples", out, "--no-ocr")
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize("number", range(3))
def test_readme_queries_run_on_a_real_result(result: Path, number: int) -> None:
    queries = re.findall(r"```sql\n(.*?)```", README, re.DOTALL)
    assert len(queries) == 3
    assert duckdb.sql(queries[number].replace("out/", f"{result}/")).fetchall()


def test_readme_library_example_runs(samples: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    code = code.replace("report.pdf", str(samples / "contracts/PDF.pdf"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Apache Tika" in done.stdout


def test_readme_pipeline_example_runs(samples: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1]
    code = code.replace("file:///data/report.pdf", f"file://{samples}/contracts/PDF.pdf")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"PDF\.pdf \d+", done.stdout)


def test_example_extractor_of_the_docs_works_as_an_installed_package(tmp_path: Path) -> None:
    page = (ROOT / "docs/extractors.md").read_text()
    package = tmp_path / "site/acme"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "docbeam.py").write_text(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0])
    point = re.findall(r'acme-pipes = "(.*?)"', page)[0]
    info = tmp_path / "site/acme_docbeam-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-docbeam\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[docbeam.extractors]\nacme-pipes = {point}\n")
    (tmp_path / "in.pipes").write_text("PIPES|one|two")
    done = subprocess.run(
        [sys.executable, "-m", "docbeam", "text", tmp_path / "in.pipes"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path / "site"), "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout == "PIPES\none\ntwo\n", done.stderr


def test_metadata_keys_of_the_golden_documents_are_documented() -> None:
    from docbeam.extractors import extract_text
    from tests.golden.pairs import pairs

    page = (ROOT / "docs/metadata.md").read_text()
    for document, _ in pairs():
        for key in (
            extract_text(document, isolated=False, options=ExtractOptions(ocr=False)).metadata if _is_read(document) else ()
        ):
            assert f"`{key}`" in page or ".property." in key or key.startswith("html.og."), f"{key}, of {document.name}"


def _is_read(document: Path) -> bool:
    return document.suffix not in (".jpg", ".png", ".tif", ".webp")
