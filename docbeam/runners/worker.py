"""docbeam-worker: starts a Python worker where a runner asks for one, without Docker and without Go.

It follows Beam's container contract (`--id`, `--provision_endpoint` and so on), so it serves as the command of a PROCESS
environment; with `--pool PORT` (pool.py) it is the service of an EXTERNAL one. Artifacts are not fetched: docbeam is
installed where the workers run. Source: beam_provision_api.proto, sdks/python/container.

Two processes for each worker: a small one that keeps what the worker prints in a log file, and ends it when the runner
asks or is gone; and the worker itself, which the kernel ends when the small one is gone.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

MODULE = "docbeam.runners.worker"
HOME_VARIABLE = "DOCBEAM_WORKER_DIR"  # where logs and temporary files of the workers are
MOST_LOGS = 50
MOST_LOG_BYTES = 8 * 1024 * 1024  # of each worker, twice: the log and what it was before
POLL_SECONDS = 1.0  # how often to look whether the runner is still there
GRACE_SECONDS = 5.0  # from SIGTERM to SIGKILL


def main(argv: Sequence[str] | None = None) -> int:
    """Start a worker, or serve as the pool that starts workers; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="docbeam-worker", description="Start Beam's Python worker for a runner, without Docker."
    )
    parser.add_argument("--id", default="", help="the worker's name [text; given by the runner]")
    parser.add_argument(
        "--provision_endpoint", help="where the worker asks for everything else [host:port; given by the runner]"
    )
    parser.add_argument("--logging_endpoint", help="where logs go, if the provision service does not say [host:port]")
    parser.add_argument("--control_endpoint", help="where work comes from, if the provision service does not say [host:port]")
    parser.add_argument(
        "--pool", type=int, metavar="PORT", help="serve as an EXTERNAL environment on this port [port; default none]"
    )
    parser.add_argument("--host", default="localhost", help="the address that --pool listens on [host; default localhost]")
    parser.add_argument("--harness", action="store_true", help=argparse.SUPPRESS)
    flags, _ = parser.parse_known_args(argv)  # runners add flags of their own
    if flags.pool is not None:
        from docbeam.runners.pool import serve_pool  # which loads Beam

        return serve_pool(flags.host, flags.pool)
    if not flags.provision_endpoint:
        parser.error("no --provision_endpoint given: a runner starts this program; --pool PORT is for people")
    if flags.harness:
        return _run_harness(flags)
    return _supervise(flags.id or "worker", [*(sys.argv[1:] if argv is None else argv), "--harness"])


# The small process


def _supervise(worker_id: str, arguments: Sequence[str]) -> int:
    parent = os.getppid()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    with _home(worker_id) as (temporary, log):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(temporary), "DOCBEAM_SUPERVISOR": str(os.getpid())},
        )
        try:
            _pump(process, log, lambda: os.getppid() == parent)
        except SystemExit:
            pass
        finally:
            code = ended(process)
    return code if code >= 0 else 128 - code


def _stop(number: int, _: Any) -> None:
    raise SystemExit(128 + number)


def _pump(process: subprocess.Popen[bytes], log: Path, is_wanted: Callable[[], bool]) -> None:
    """Write what the worker prints to its log, until it ends or nobody wants it any more."""
    output = process.stdout
    assert output is not None
    written = 0
    with selectors.DefaultSelector() as selector, open(log, "ab", buffering=0) as file:
        selector.register(output, selectors.EVENT_READ)
        while is_wanted():
            if not selector.select(POLL_SECONDS):
                if process.poll() is not None:  # something that it has started holds the pipe
                    return
                continue
            data = os.read(output.fileno(), 1 << 16)
            if not data:  # it has closed its output, most likely since it ends
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_SECONDS)
                    return
            with suppress(OSError):  # a full disk loses the log, not the worker
                if written + len(data) > MOST_LOG_BYTES:
                    shutil.copyfile(log, log.with_suffix(".old"))
                    file.truncate(0)
                    written = 0
                written += file.write(data) or 0


def ended(process: subprocess.Popen[bytes]) -> int:
    """End the worker if it has not ended by itself; return its exit code."""
    with suppress(subprocess.TimeoutExpired):
        if process.poll() is None:
            process.terminate()
            process.wait(GRACE_SECONDS)
    if process.poll() is None:
        process.kill()
    return process.wait()


@contextmanager
def _home(worker_id: str) -> Iterator[tuple[Path, Path]]:
    """Yield a temporary folder that is gone at the end, and the log file, which stays; clear what dead workers left."""
    home = Path(os.environ.get(HOME_VARIABLE) or Path(tempfile.gettempdir()) / f"docbeam-workers-{os.getuid()}")
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if home.stat().st_uid != os.getuid():
        sys.exit(f"docbeam-worker: {home} belongs to another user: remove it, or name a folder in {HOME_VARIABLE}")
    _clear(home)
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", worker_id)[:80]
    temporary = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=home))
    try:
        yield temporary, home / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}-{name}.log"
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _clear(home: Path) -> None:
    for folder in home.iterdir():
        if folder.is_dir() and not _is_running(folder.name.partition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)
    for log in sorted(home.glob("*.log"), reverse=True)[MOST_LOGS:]:
        log.unlink(missing_ok=True)
        log.with_suffix(".old").unlink(missing_ok=True)


def _is_running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        pass
    return True


# The worker itself


def _run_harness(flags: argparse.Namespace) -> int:
    _die_with_supervisor()
    from apache_beam.runners.worker import sdk_worker_main

    os.environ.update(_environment(flags))
    sdk_worker_main.main([])
    return 0


def _die_with_supervisor() -> None:
    """Have the kernel end this process with the one that started it, also when that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != int(os.environ.get("DOCBEAM_SUPERVISOR", os.getppid())):
        sys.exit("docbeam-worker: the process that started it has gone already")


def _environment(flags: argparse.Namespace) -> Mapping[str, str]:
    """Return the variables that Beam's worker reads, from what the provision service says."""
    import grpc
    from apache_beam.portability.api import beam_provision_api_pb2 as api
    from apache_beam.portability.api import beam_provision_api_pb2_grpc, endpoints_pb2
    from google.protobuf import json_format, text_format

    with grpc.insecure_channel(flags.provision_endpoint) as channel:
        grpc.channel_ready_future(channel).result(timeout=60)
        service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
        metadata = (("worker_id", flags.id),)
        info = service.GetProvisionInfo(api.GetProvisionInfoRequest(), metadata=metadata, timeout=60).info

    def descriptor(name: str) -> str:
        found = getattr(info, name)
        url = found.url or getattr(flags, name, None)
        return text_format.MessageToString(endpoints_pb2.ApiServiceDescriptor(url=url)) if url else ""

    found = {
        "WORKER_ID": flags.id,
        "PIPELINE_OPTIONS": json_format.MessageToJson(info.pipeline_options),
        "LOGGING_API_SERVICE_DESCRIPTOR": descriptor("logging_endpoint"),
        "CONTROL_API_SERVICE_DESCRIPTOR": descriptor("control_endpoint"),
        "STATUS_API_SERVICE_DESCRIPTOR": descriptor("status_endpoint"),
        "RUNNER_CAPABILITIES": " ".join(info.runner_capabilities),
        "SEMI_PERSISTENT_DIRECTORY": tempfile.gettempdir(),
    }
    return {name: value for name, value in found.items() if value}


if __name__ == "__main__":
    sys.exit(main())
