"""Leases, threads, closing, forks, and the ways in which a parent can die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docbeam.extractors.sandbox import SandboxClosed, SandboxPool
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory
from tests.extractors.sandbox.conftest import children_of, die_soon, document, media_type

PARENT = """
    import os, sys, threading, time
    sys.path.insert(0, {plugin!r})
    from docbeam.extractors.sandbox import SandboxPool
    from docbeam.extractors.source import Source
    from docbeam.schemas.options import ExtractOptions
    pool = SandboxPool(ExtractOptions(), size=1)
    def read(verb, text="x"):
        with pool.worker() as worker:
            return worker.read(Source(data=text.encode()), "application/x-test." + verb)
"""


def started(plugin: Path, script: str) -> subprocess.Popen[str]:
    """Start a program that uses a pool as any other program would."""
    code = textwrap.dedent(PARENT.format(plugin=str(plugin))) + textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_no_child_is_started_before_it_is_needed(pool: SandboxPool) -> None:
    before = children_of(os.getpid())  # of other pools that live in this process
    with pool.worker():
        assert set(children_of(os.getpid())) <= set(before)


def test_one_child_serves_one_document_after_the_other(pool: SandboxPool) -> None:
    pids = set()
    for text in ("a", "b", "c"):
        with pool.worker() as worker:
            pids.add(worker.read(document(text), media_type("remembers")).extracted.content.split()[2])
    assert len(pids) == 1


def test_bytes_and_paths_give_the_same_reading(pool: SandboxPool, tmp_path: Path) -> None:
    data = b"0123456789abcdef" * 30_000
    path = tmp_path / os.fsdecode(b"n\xffame")
    path.write_bytes(data)
    with pool.worker() as worker:
        inline = worker.read(Source(data=data, name="n"), media_type("echoes"))
        assert worker.read(Source(path=str(path), name="n"), media_type("echoes")) == inline
    assert inline.extracted.content == data.decode()


def test_large_and_small_documents_keep_their_order(pool: SandboxPool) -> None:
    texts = [str(number) * (1 if number % 3 else 200_000) for number in range(1, 10)]
    with pool.worker() as worker:
        found = [reading.extracted.content for reading in worker.read_many(map(document, texts), media_type("echoes"))]
    assert found == texts


def test_threads_share_the_pool_and_get_their_own_answers(plugin: Path) -> None:
    before = children_of(os.getpid())
    with SandboxPool(ExtractOptions(), size=2) as pool, ThreadPoolExecutor(8) as threads:

        def read(number: int) -> bool:
            verb = "exits_at_once" if number % 7 == 0 else "echoes"
            with pool.worker() as worker:
                reading = worker.read(document(str(number)), media_type(verb))
            if verb == "echoes":
                return reading.extracted is not None and reading.extracted.content == str(number)
            return reading.error is not None and reading.error.category is ErrorCategory.CRASHED

        assert all(threads.map(read, range(50)))
        assert len(set(children_of(os.getpid())) - set(before)) <= 2


def test_answers_that_nobody_took_do_not_reach_the_next_request(pool: SandboxPool) -> None:
    with pool.worker() as worker:
        first = worker.read_many([document(text) for text in "abc"], media_type("echoes"))
        assert next(first).extracted.content == "a"
        assert worker.read(document("z"), media_type("echoes")).extracted.content == "z"
        with pytest.raises(RuntimeError, match="another request"):
            next(first)
        next(worker.read_many([document(text) for text in "abc"], media_type("echoes")))
    with pool.worker() as worker:
        assert worker.read(document("y"), media_type("echoes")).extracted.content == "y"


def test_a_child_that_died_while_idle_costs_no_document(pool: SandboxPool) -> None:
    with pool.worker() as worker:
        for _ in range(3):
            pid = int(worker.read(document("x"), media_type("remembers")).extracted.content.split()[2])
            os.kill(pid, signal.SIGKILL)
            assert die_soon([pid])
            assert worker.read(document("x"), media_type("echoes")).extracted.content == "x"


def test_a_child_is_replaced_after_a_thousand_documents(pool: SandboxPool) -> None:
    with pool.worker() as worker:
        readings = worker.read_many((document(str(number)) for number in range(1_002)), media_type("remembers"))
        words = [reading.extracted.content.split() for reading in readings]
    assert [int(number) for number, _, _ in words] == list(range(1_002))
    assert [int(seen) for _, seen, _ in words] == [*range(1, 1_001), 1, 2]
    assert len({pid for _, _, pid in words}) == 2


def test_a_child_that_keeps_memory_is_replaced(pool: SandboxPool) -> None:
    with pool.worker() as worker:
        pids = [reading.extracted.content for reading in worker.read_many([document("x")] * 12, media_type("keeps"))]
    assert len(set(pids)) > 1


def test_closing_kills_what_is_being_read(pool: SandboxPool, tmp_path: Path) -> None:
    raised = []

    def read() -> None:
        with pool.worker() as worker:
            try:
                worker.read(document(f"{tmp_path}/pids"), media_type("spawns"))
            except SandboxClosed as error:
                raised.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    pids = pids_in(tmp_path / "pids")
    pool.close()
    thread.join(10)
    assert raised and die_soon(pids)
    pool.close()
    with pytest.raises(SandboxClosed), pool.worker():
        pass


def test_a_forgotten_pool_ends_its_children(plugin: Path) -> None:
    pool = SandboxPool(ExtractOptions(), size=1)
    with pool.worker() as worker:
        pid = int(worker.read(document("x"), media_type("remembers")).extracted.content.split()[2])
    del worker, pool
    assert die_soon([pid])


@pytest.mark.parametrize("verb", ["spawns", "hangs_in_c"])
@pytest.mark.parametrize("last", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda last: last.name)
def test_no_orphan_survives_its_parent(plugin: Path, tmp_path: Path, verb: str, last: signal.Signals) -> None:
    parent = started(
        plugin,
        f"""
        threading.Thread(target=read, args=("{verb}", r"{tmp_path}/pids"), daemon=True).start()
        time.sleep(600)
        """,
    )
    if verb == "spawns":
        pids = pids_in(tmp_path / "pids")
    else:
        pids = [first_child_of(parent.pid)]
        time.sleep(0.5)
    parent.send_signal(last)
    parent.communicate(timeout=30)
    assert len(pids) >= 1 and die_soon(pids)


def test_temp_files_of_a_killed_process_are_removed_by_the_next(
    plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    living, dead = (started(plugin, f"""read("spawns", r"{tmp_path}/{name}")""") for name in ("living", "dead"))
    pids = pids_in(tmp_path / "living") + pids_in(tmp_path / "dead")
    assert len(list(tmp_path.glob("docbeam-sandbox-*/child-*"))) == 2
    dead.kill()
    dead.communicate(timeout=30)
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        assert worker.read(document("x"), media_type("echoes")).error is None
        assert len(list(tmp_path.glob("docbeam-sandbox-*"))) == 2
    assert len(list(tmp_path.glob("docbeam-sandbox-*/child-*"))) == 1
    living.kill()
    living.communicate(timeout=30)
    assert die_soon(pids)


def test_an_interrupt_in_the_parent_kills_the_child(plugin: Path, tmp_path: Path) -> None:
    parent = started(plugin, f"""read("spawns", r"{tmp_path}/pids")""")
    pids = pids_in(tmp_path / "pids")
    parent.send_signal(signal.SIGINT)
    _, errors = parent.communicate(timeout=30)
    assert errors.count("Traceback") == 1 and errors.rstrip().endswith("KeyboardInterrupt")
    assert die_soon(pids)


def test_a_fork_leaves_the_children_to_the_process_that_started_them(plugin: Path) -> None:
    parent = started(
        plugin,
        """
        before = read("remembers", "parent").extracted.content
        child = os.fork()
        if child == 0:
            print(read("remembers", "fork").extracted.content, flush=True)
            pool.close()
            os._exit(0)
        os.waitpid(child, 0)
        print(before, read("remembers", "parent").extracted.content)
        """,
    )
    output, errors = parent.communicate(timeout=60)
    assert errors == ""
    fork, own = (line.split() for line in output.splitlines())
    assert fork[:2] == ["fork", "1"]
    assert own[0:2] == ["parent", "1"] and own[3:5] == ["parent", "2"] and own[2] == own[5] != fork[2]


def test_a_child_that_cannot_start_is_an_error_after_few_tries(pool: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbeam.extractors.sandbox.spawn.BOOT", "import no_such_module")
    monkeypatch.setattr("docbeam.extractors.sandbox.conversation.START_PAUSES_SECONDS", (0.0, 0.01))
    with pool.worker() as worker:
        failed = worker.read(document("x"), media_type("echoes"))
        assert failed.error.category is ErrorCategory.INTERNAL
        assert failed.error.message.startswith("the sandbox child does not start, 2 tries")
        assert "no_such_module" in failed.evidence
        monkeypatch.undo()
        monkeypatch.setattr(sys, "path", [str(Path(__file__).parent / "plugin"), *sys.path])
        assert worker.read(document("x"), media_type("echoes")).extracted.content == "x"


def test_a_folder_full_of_names_from_the_standard_library_does_no_harm(
    plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("types", "enum", "json", "socket", "re", "site"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not this one')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        assert worker.read(document("x"), media_type("echoes")).extracted.content == "x"


def test_a_full_disk_is_an_error_after_few_tries(pool: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    monkeypatch.setattr("docbeam.extractors.sandbox.conversation.START_PAUSES_SECONDS", (0.0, 0.01))
    with pool.worker() as worker:
        failed = worker.read(document("x"), media_type("echoes"))
    assert failed.error.category is ErrorCategory.INTERNAL and "No space left on device" in failed.error.message


def test_the_child_sees_no_beam_no_secret_and_its_limits(pool: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with pool.worker() as worker:
        told = json.loads(worker.read(document("x"), media_type("tells")).extracted.content)
    roots = {name.partition(".")[0] for name in told["modules"]}
    assert not roots & {"apache_beam", "pyarrow", "fsspec", "grpc", "numpy", "multiprocessing", "importlib_metadata"}
    assert "AWS_SECRET_ACCESS_KEY" not in told["environment"]
    assert {name: told["environment"][name] for name in ("OMP_THREAD_LIMIT", "PYTHONHASHSEED", "TZ")} == {
        "OMP_THREAD_LIMIT": "1",
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
    }
    assert told["environment"]["TMPDIR"] == told["cwd"]
    assert told["limits"] == {"RLIMIT_AS": [512 << 20] * 2, "RLIMIT_CORE": [0, 0], "RLIMIT_NOFILE": [256, 256]}
    assert (told["oom_score_adj"], told["umask"], told["stdin"]) == ("1000", 0o077, "/dev/null")


def first_child_of(pid: int) -> int:
    deadline = time.monotonic() + 30
    while not (children := children_of(pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return children[0]


def pids_in(path: Path) -> list[int]:
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [int(pid) for pid in path.read_text().split()]
