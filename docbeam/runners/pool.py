"""The pool of an EXTERNAL environment: starts and stops Python workers as a runner asks. `docbeam-worker --pool PORT` runs it.

Beam's own pool starts `python` from the PATH without the pipeline's options, and hangs once a worker has printed 64 KiB.
Source: beam_fn_api.proto (BeamFnExternalWorkerPool).
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from apache_beam.portability.api import beam_fn_api_pb2 as api
from apache_beam.portability.api import beam_fn_api_pb2_grpc

from docbeam.runners.worker import MODULE, ended


def serve_pool(host: str, port: int) -> int:
    """Start and stop workers as a runner asks over gRPC, until this process is told to end."""
    pool = _Pool()
    server = grpc.server(ThreadPoolExecutor(4))
    beam_fn_api_pb2_grpc.add_BeamFnExternalWorkerPoolServicer_to_server(pool, server)
    bound = server.add_insecure_port(f"{host}:{port}")
    server.start()
    is_over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_over.set())
    print(f"docbeam-worker: listening on {host}:{bound}", flush=True)
    is_over.wait()
    server.stop(0)
    pool.close()
    return 0


class _Pool:
    """Beam's BeamFnExternalWorkerPool. The workers see by themselves when this process is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: dict[str, subprocess.Popen[bytes]] = {}

    def StartWorker(self, request: Any, _: Any) -> Any:
        """Start a worker."""
        arguments = [f"--id={request.worker_id}"]
        for name in ("provision", "logging", "control"):
            if url := getattr(request, f"{name}_endpoint").url:
                arguments.append(f"--{name}_endpoint={url}")
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", MODULE, *arguments], stdin=subprocess.DEVNULL, stdout=sys.stderr
            )
        except OSError as error:
            return api.StartWorkerResponse(error=str(error))
        with self._lock:
            self._workers[request.worker_id] = process
        return api.StartWorkerResponse()

    def StopWorker(self, request: Any, _: Any) -> Any:
        """Stop a worker."""
        with self._lock:
            process = self._workers.pop(request.worker_id, None)
        if process is not None:
            ended(process)
        return api.StopWorkerResponse()

    def close(self) -> None:
        """Stop all workers."""
        with self._lock:
            workers, self._workers = self._workers, {}
        for process in workers.values():
            process.terminate()
        for process in workers.values():
            ended(process)
