"""The directions between the folders, and what may be loaded where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINKS = ("pipelines", "transforms", "schemas", "runners")


def loaded_by(*imports: str) -> set[str]:
    code = "import sys\n" + "\n".join(f"import {name}" for name in imports) + "\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def all_modules(folder: str) -> list[str]:
    files = sorted((ROOT / "docbeam" / folder).rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]


def test_extractors_load_no_beam_no_storage_and_no_arrow() -> None:
    modules = [name for name in all_modules("extractors") if not name.endswith("sandbox.child")]
    assert loaded_by(*modules).isdisjoint({"apache_beam", "fsspec", "pyarrow", "aiohttp", "requests"})


def test_the_command_line_starts_without_beam_and_without_parsers() -> None:
    assert loaded_by("docbeam.__main__").isdisjoint({"apache_beam", "pyarrow", "pypdfium2", "lxml", "PIL", "selectolax"})


def test_text_of_one_document_needs_no_beam(samples: Path) -> None:
    code = (
        "import sys\nfrom docbeam.__main__ import main\n"
        f"code = main(['text', {str(samples / 'notes/MARKDOWN.md')!r}])\n"
        "assert code == 0 and 'apache_beam' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("name", LINKS)
def test_the_roles_stand_at_the_top_as_links_into_the_package(name: str) -> None:
    link = ROOT / name
    assert link.is_symlink()
    assert link.resolve() == ROOT / "docbeam" / name


def test_no_file_is_a_drawer() -> None:
    drawers = {"utils", "helpers", "common", "core", "misc"}
    assert not [path for path in (ROOT / "docbeam").rglob("*") if path.stem in drawers]
