"""docbeam-worker alone: the container contract, kept by a fake runner that speaks just enough of Beam's Fn API."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from apache_beam.portability.api import (
    beam_fn_api_pb2,
    beam_fn_api_pb2_grpc,
    beam_provision_api_pb2,
    beam_provision_api_pb2_grpc,
    endpoints_pb2,
)
from google.protobuf import struct_pb2

from docbeam.runners import worker

WAIT_SECONDS = 60


class FakeRunner(
    beam_fn_api_pb2_grpc.BeamFnControlServicer,
    beam_fn_api_pb2_grpc.BeamFnLoggingServicer,
    beam_provision_api_pb2_grpc.ProvisionServiceServicer,
):
    """Provides, takes the control connection, and asks for nothing."""

    def __init__(self) -> None:
        self.connected: list[str] = []
        self.server = grpc.server(ThreadPoolExecutor(8))
        beam_fn_api_pb2_grpc.add_BeamFnControlServicer_to_server(self, self.server)
        beam_fn_api_pb2_grpc.add_BeamFnLoggingServicer_to_server(self, self.server)
        beam_provision_api_pb2_grpc.add_ProvisionServiceServicer_to_server(self, self.server)
        self.address = f"localhost:{self.server.add_insecure_port('localhost:0')}"
        self.is_over = False
        self.server.start()

    def GetProvisionInfo(self, request: Any, context: Any) -> Any:
        here = endpoints_pb2.ApiServiceDescriptor(url=self.address)
        options = struct_pb2.Struct()
        options.update({"beam:option:beam_plugins:v1": ["tests.runners.talkative"]})
        info = beam_provision_api_pb2.ProvisionInfo(control_endpoint=here, logging_endpoint=here, pipeline_options=options)
        return beam_provision_api_pb2.GetProvisionInfoResponse(info=info)

    def Control(self, responses: Any, context: Any) -> Iterator[Any]:
        self.connected.append(dict(context.invocation_metadata())["worker_id"])
        while not self.is_over:
            time.sleep(0.05)
        return
        yield

    def Logging(self, entries: Any, context: Any) -> Iterator[Any]:
        for _ in entries:
            pass
        return
        yield

    def close(self) -> None:
        self.is_over = True
        self.server.stop(0).wait()


@pytest.fixture
def runner() -> Iterator[FakeRunner]:
    found = FakeRunner()
    yield found
    found.close()


def started(runner: FakeRunner, home: Path, *more: str) -> subprocess.Popen[bytes]:
    arguments = more or ("--id=1-1", f"--provision_endpoint={runner.address}")
    return subprocess.Popen(
        [sys.executable, "-m", "docbeam.runners.worker", *arguments],
        env={**os.environ, worker.HOME_VARIABLE: str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE if more else subprocess.DEVNULL,
    )


def wait_until(holds: Any, what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not come about in {WAIT_SECONDS} s"
        time.sleep(0.05)


def running(pid: int) -> list[psutil.Process]:
    with_children = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return [process for process in with_children if process.is_running()]


def all_gone(processes: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)


def test_a_worker_that_prints_much_more_than_a_pipe_holds_goes_on_and_its_output_is_in_a_log(
    runner: FakeRunner, tmp_path: Path
) -> None:
    process = started(runner, tmp_path)
    wait_until(lambda: runner.connected == ["1-1"], "the control connection")
    runner.is_over = True
    assert process.wait(WAIT_SECONDS) == 0
    (log,) = tmp_path.glob("*-1-1.log")
    assert log.read_bytes().count(b"x" * 1000) == 500, "what tests.runners.talkative prints, through Python and to fd 1"
    assert [path.name for path in tmp_path.iterdir()] == [log.name], "the temporary folder is gone"


def test_a_log_does_not_grow_without_end(runner: FakeRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_LOG_BYTES", 100_000)
    log = tmp_path / "x.log"
    printing = subprocess.Popen([sys.executable, "-c", "print('y' * 1_000_000)"], stdout=subprocess.PIPE)
    worker._pump(printing, log, lambda: True)
    printing.wait()
    assert printing.stdout is not None
    printing.stdout.close()
    assert log.stat().st_size <= 100_000 and log.with_suffix(".old").stat().st_size <= 100_000
    assert log.read_text().endswith("y\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_all_of_a_worker_ends_when_the_runner_stops_or_kills_it(runner: FakeRunner, tmp_path: Path, number: int) -> None:
    process = started(runner, tmp_path)
    wait_until(lambda: runner.connected == ["1-1"], "the control connection")
    found = running(process.pid)
    assert len(found) >= 2
    process.send_signal(number)
    process.wait(WAIT_SECONDS)
    wait_until(lambda: all_gone(found), "the end of all processes")
    assert any(path.is_dir() for path in tmp_path.iterdir()) == (number == signal.SIGKILL)
    worker._clear(tmp_path)
    assert not any(path.is_dir() for path in tmp_path.iterdir()), "the next worker removes what a killed one has left"


def test_a_worker_ends_when_the_process_that_asked_for_it_is_gone(runner: FakeRunner, tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "docbeam.runners.worker", "--id=1-1", f"--provision_endpoint={runner.address}"]
    code = f"import subprocess, time; print(subprocess.Popen({arguments!r}).pid, flush=True); time.sleep(600)"
    env = {**os.environ, worker.HOME_VARIABLE: str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        wait_until(lambda: runner.connected == ["1-1"], "the control connection")
        found = running(pid)
        asking.kill()
    wait_until(lambda: all_gone(found), "the end of all processes")


def test_a_worker_that_is_killed_gives_its_exit_code(runner: FakeRunner, tmp_path: Path) -> None:
    process = started(runner, tmp_path)
    wait_until(lambda: runner.connected == ["1-1"], "the control connection")
    (harness,) = psutil.Process(process.pid).children()
    harness.kill()
    assert process.wait(WAIT_SECONDS) == 128 + signal.SIGKILL


def test_the_pool_starts_and_stops_workers_and_they_end_with_it(runner: FakeRunner, tmp_path: Path) -> None:
    process = started(runner, tmp_path, "--pool", "0")
    assert process.stdout is not None
    address = process.stdout.readline().decode().split()[-1]
    here = endpoints_pb2.ApiServiceDescriptor(url=runner.address)
    with grpc.insecure_channel(address) as channel:
        pool = beam_fn_api_pb2_grpc.BeamFnExternalWorkerPoolStub(channel)
        for name in ("a", "b"):
            request = beam_fn_api_pb2.StartWorkerRequest(worker_id=name, provision_endpoint=here, control_endpoint=here)
            assert not pool.StartWorker(request, timeout=WAIT_SECONDS).error
        wait_until(lambda: sorted(runner.connected) == ["a", "b"], "two control connections")
        found = running(process.pid)
        pool.StopWorker(beam_fn_api_pb2.StopWorkerRequest(worker_id="a"), timeout=WAIT_SECONDS)
        wait_until(lambda: sum(one.is_running() for one in found) == 3, "the end of one worker")
    process.kill()
    process.communicate()
    wait_until(lambda: all_gone(found), "the end of all processes")
