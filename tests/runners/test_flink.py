"""The same rows on a real Flink cluster of two TaskManagers, whatever is killed while it works.

Needs Java and Maven; scripts/flink.py downloads the rest once, into .flink/.
"""

from __future__ import annotations

import importlib.util
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest
from PIL import Image, ImageDraw, ImageFont

from docbeam.extractors.ocr import find_engine
from docbeam.runners import flink as preset
from tests.conftest import ROOT, SAMPLES
from tests.pipelines.harness import PATIENT, command, comparable, extract, run_files

WAIT_SECONDS = 600
SCANS = 12
OWN = ("--no-dedupe",)  # fewer stages; the test over the corpus has them all


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("flink", ROOT / "scripts/flink.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["flink"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kit() -> Any:
    flink = loaded()
    if not Path(preset.worker_command()).exists():
        pytest.skip(f"{preset.worker_command()} is not there: pip install --editable .")
    try:
        return flink.fetch()
    except flink.Unavailable as error:
        pytest.skip(f"no Flink here: {error}")


@pytest.fixture(scope="module")
def cluster(kit: Any) -> Iterator[Any]:
    with sys.modules["flink"].Cluster(kit) as running:
        running.shared_flags = running.start_job_server()
        yield running


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of all kinds, and scans that keep both TaskManagers busy for some seconds."""
    folder = tmp_path_factory.mktemp("flink") / "in"
    shutil.copytree(SAMPLES, folder)
    for number in range(200):
        (folder / f"{number}.txt").write_text(f"note {number}\n")
    font = ImageFont.load_default(size=40)
    for number in range(SCANS if find_engine() else 0):
        page = Image.new("L", (1600, 2000), 255)
        text = "\n".join(f"Line {line} of scan number {number} reads well" for line in range(30))
        ImageDraw.Draw(page).multiline_text((80, 80), text, font=font, fill=0)
        page.save(folder / f"scan-{number}.png")
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    done = extract(source, out, *OWN)
    assert done.returncode == 0, done.stderr
    return out


def started(source: Path, out: Path, flags: list[str], *own: str) -> subprocess.Popen[str]:
    given = ["--output", out, "--progress", "none", *(own or OWN), "--runner", "flink", "--", *flags]
    return subprocess.Popen(command("extract", source, *given), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ended(process: subprocess.Popen[str]) -> None:
    said, _ = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 0, said


def wait_until(holds: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + WAIT_SECONDS
    while not (found := holds()):
        assert time.monotonic() < deadline, f"{what} did not come about in {WAIT_SECONDS} s"
        time.sleep(0.1)
    return found


def below(cluster: Any, word: str) -> list[psutil.Process]:
    """Return the processes of the TaskManagers that have a word in their command line."""
    found = []
    for manager in cluster.workers:
        try:
            processes = psutil.Process(manager.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            continue
        for process in processes:
            try:
                if process.status() != psutil.STATUS_ZOMBIE and word in " ".join(process.cmdline()):
                    found.append(process)
            except psutil.NoSuchProcess:
                continue
    return found


def pages_done(out: Path) -> int:
    """Return how many pages or part files a run has finished so far."""
    scratch, staging = out / "_docbeam/scratch", out / "_docbeam/staging"
    return len(list(scratch.rglob("page-*"))) + len(list(staging.rglob("*.parquet")))


def in_the_middle(cluster: Any, out: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a run has finished something and sandbox children are at work."""

    def is_there() -> bool:
        assert process.poll() is None, f"the run was over before something could be killed: {process.communicate()[0]}"
        return pages_done(out) > 1 and bool(below(cluster, "docbeam.extractors"))

    wait_until(is_there, "a run in the middle of its work")


def assert_exact_and_clean(cluster: Any, out: Path, undisturbed: Path) -> None:
    assert comparable(out) == comparable(undisturbed)
    assert not [path for path in (out / "_docbeam").rglob("*") if path.is_file()], "nothing is left in the work folder"
    assert all(run["sum_check"]["is_ok"] for run in run_files(out))
    wait_until(lambda: not below(cluster, "docbeam"), "the end of all Python workers and their children")


def failures(cluster: Any) -> int:
    """Return how often a task has failed on this cluster."""
    return cluster.log("jobmanager").count("switched from RUNNING to FAILED")


@pytest.mark.parametrize("environment", ["PROCESS", "EXTERNAL"])
def test_flink_inside_the_job_server_gives_equal_rows_with_workers_of_both_kinds(
    kit: Any, tmp_path: Path, pool: str, environment: str
) -> None:
    assert extract(SAMPLES, tmp_path / "direct", *OWN).returncode == 0
    workers = {"PROCESS": [], "EXTERNAL": ["--environment_type=EXTERNAL", f"--environment_config={pool}"]}[environment]
    flags = [f"--flink_job_server_jar={kit.job_server_jar}", "--flink_master=[local]", "--parallelism=2", *workers]
    ended(started(SAMPLES, tmp_path / "out", flags))
    assert comparable(tmp_path / "out") == comparable(tmp_path / "direct")
    assert bool(list((tmp_path / "workers").glob("*.log"))) == (environment == "EXTERNAL")


@pytest.mark.filterwarnings("ignore::ResourceWarning")
class TestFlink:
    """In this order: the cluster is one."""

    def test_rows_equal_the_direct_runners(self, cluster: Any, source: Path, undisturbed: Path, tmp_path: Path) -> None:
        process = started(source, tmp_path / "out", cluster.shared_flags)
        ended(process)
        assert_exact_and_clean(cluster, tmp_path / "out", undisturbed)
        assert extract(source, tmp_path / "out", *OWN).returncode == 0
        first, second = run_files(tmp_path / "out")
        assert second["skipped"] == second["listed"] == first["listed"], "another runner reads nothing again"
        assert failures(cluster) == 0

    def test_rows_of_the_shared_corpus_equal_the_direct_runners(
        self, cluster: Any, shared: Path, direct_corpus: Path, tmp_path: Path
    ) -> None:
        ended(started(shared / "corpus", tmp_path / "out", cluster.shared_flags, *PATIENT))
        assert_exact_and_clean(cluster, tmp_path / "out", direct_corpus)

    @pytest.mark.parametrize("victim", ["--harness", "docbeam.extractors"], ids=["python_worker", "sandbox_child"])
    def test_a_killed_process_of_a_worker_changes_nothing(
        self, cluster: Any, source: Path, undisturbed: Path, tmp_path: Path, victim: str
    ) -> None:
        process, before = started(source, tmp_path / "out", cluster.shared_flags), failures(cluster)
        in_the_middle(cluster, tmp_path / "out", process)
        wait_until(lambda: below(cluster, victim), f"a process with {victim}")[0].kill()
        ended(process)
        assert_exact_and_clean(cluster, tmp_path / "out", undisturbed)
        assert (failures(cluster) > before) == (victim == "--harness"), "Flink sees a lost worker, and no lost child"

    def test_a_killed_task_manager_changes_nothing(self, cluster: Any, source: Path, undisturbed: Path, tmp_path: Path) -> None:
        process = started(source, tmp_path / "out", cluster.shared_flags)
        in_the_middle(cluster, tmp_path / "out", process)
        lost = next(one for one in cluster.workers if psutil.Process(one.pid).children())
        theirs = psutil.Process(lost.pid).children(recursive=True)
        lost.kill()
        lost.wait()
        cluster.workers.append(cluster.start_task_manager())
        ended(process)
        wait_until(lambda: not any(one.is_running() for one in theirs), "the end of the lost TaskManager's workers")
        assert_exact_and_clean(cluster, tmp_path / "out", undisturbed)

    def test_a_killed_driver_loses_nothing_and_the_next_run_is_exact(
        self, cluster: Any, source: Path, undisturbed: Path, tmp_path: Path
    ) -> None:
        process = started(source, tmp_path / "out", cluster.flags())
        in_the_middle(cluster, tmp_path / "out", process)
        servers = [child for child in psutil.Process(process.pid).children(recursive=True) if child.name() == "java"]
        assert servers, "Beam's job server is this command's own"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        wait_until(lambda: not any(one.is_running() for one in servers), "the end of the job server")
        ended(started(source, tmp_path / "out", cluster.shared_flags))
        wait_until(lambda: not cluster.get("/overview")["jobs-running"], "the end of the killed run's job")
        assert len(run_files(tmp_path / "out")) == 1, "the killed run's job has not published"
        assert extract(source, tmp_path / "out", *OWN).returncode == 0, "what that job has staged since is cleared"
        assert_exact_and_clean(cluster, tmp_path / "out", undisturbed)
        assert run_files(tmp_path / "out")[-1]["skipped"] == run_files(tmp_path / "out")[-1]["listed"]
