"""The image's recipe: linted, its steps tried without a Docker engine, its template's parameters known to the command."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
RECIPE = ROOT / "docker/Dockerfile"


def steps() -> list[str]:
    """Return the instructions of the recipe, continued lines joined, comments left out."""
    lines = [line for line in RECIPE.read_text().splitlines() if not line.startswith("#")]
    return [step.strip() for step in re.sub(r"\\\n\s*", "", "\n".join(lines)).split("\n") if step.strip()]


def template() -> ModuleType:
    spec = importlib.util.spec_from_file_location("flex_template", ROOT / "docker/flex_template.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_linter_finds_nothing() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint is not installed; the extra `dev` brings it")
    done = subprocess.run([linter, RECIPE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


def test_what_is_copied_is_enough_to_build_the_package(tmp_path: Path) -> None:
    context, stage = tmp_path / "context", ""
    context.mkdir()
    for step in steps():
        if step.startswith("FROM"):
            stage = step.split()[-1]
        if stage == "build" and step.startswith("COPY"):
            *sources, target = step.split()[1:]
            for source in sources:
                place = context / target / ("" if target.endswith("/") else ".")
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / source, place)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", tmp_path, context]
    subprocess.run(command, check=True, timeout=300)
    (wheel,) = tmp_path.glob("docbeam-*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("docbeam/")}
    tracked = subprocess.run(["git", "ls-files", "docbeam"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(tracked.split()) <= packed | {name for name in tracked.split() if not (ROOT / name).exists()}
    done = subprocess.run(
        [sys.executable, "-m", "docbeam", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(wheel)},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr


def test_languages_become_package_names(tmp_path: Path) -> None:
    """The step runs in a folder where apt-get and useradd only write down what they are asked."""
    (step,) = [step for step in steps() if step.startswith("RUN apt-get")]
    for name in ("apt-get", "useradd"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/asked\n')
        (tmp_path / name).chmod(0o755)
    script = step.removeprefix("RUN ").replace("/tmp/languages", f"{tmp_path}/languages").replace("/var/lib/apt/lists/*", "")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "OCR_LANGUAGES": "eng chi_sim Cyrillic"}
    subprocess.run(["bash", "-o", "pipefail", "-ec", script], env=environment, check=True, timeout=60)
    asked = (tmp_path / "asked").read_text()
    for package in (
        "tesseract-ocr",
        "tesseract-ocr-osd",
        "tesseract-ocr-eng",
        "tesseract-ocr-chi-sim",
        "tesseract-ocr-cyrillic",
    ):
        assert f" {package}" in asked
    assert "useradd" in asked


def test_every_image_ends_as_another_user_than_root() -> None:
    assert [step for step in steps() if step.startswith("USER")] == ["USER 1000"], "all three grow from this one"


def test_the_template_knows_only_parameters_of_the_command() -> None:
    described = json.loads((ROOT / "docker/flex-template.json").read_text())
    names = [parameter["name"] for parameter in described["parameters"]]
    made = template().arguments([f"--{name}=1" for name in names if name != "inputs"])
    assert made[made.index("--") :] == ["--"], "all of them are docbeam's"
    for parameter in described["parameters"]:
        for pattern in parameter.get("regexes", ()):
            re.compile(pattern)


def test_parameters_become_a_command_line() -> None:
    given = ["--inputs=gs://b/in;gs://b/*.pdf", "--output=gs://b/out", "--ocr_languages=eng+deu", "--project=p", "--region=r"]
    assert template().arguments(given) == [
        "extract", "gs://b/in", "gs://b/*.pdf", "--runner", "dataflow", "--progress", "none",
        "--output=gs://b/out", "--ocr-languages=eng+deu", "--", "--project=p", "--region=r",
    ]  # fmt: skip
