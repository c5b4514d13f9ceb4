"""One run at a time writes to an output: a small file that its holder renews, and that a dead run loses."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from typing import Any

from docbeam.schemas.errors import UsageError
from docbeam.transforms.parts import OURS, STAGING
from docbeam.transforms.storage import Folder

LEASE = f"{OURS}/lease.json"
RENEW_SECONDS = 10.0
STALE_SECONDS = 60.0  # six renewals missed


class Lease:
    """Holds an output for the length of a block. Raises: UsageError if a living run holds it."""

    def __init__(self, output: Folder, run_id: str) -> None:
        self._output = output
        self._run_id = run_id
        self._is_left = False
        self._is_ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="docbeam-lease", daemon=True)

    def __enter__(self) -> Lease:
        if self._output.create(LEASE, self._mine()):
            self._thread.start()
            return self
        holder, is_alive = holder_of(self._output)
        if holder is not None and is_alive:
            who = f"process {holder.get('pid')} on {holder.get('host')}"
            raise UsageError(
                f"output {self._output.url!r}: run {holder.get('run_id')} ({who}) is writing to it; wait, or end it"
            )
        self._output.write(LEASE, self._mine())  # the holder is dead
        holder, _ = holder_of(self._output)
        if holder is None or holder.get("run_id") != self._run_id:
            raise UsageError(f"output {self._output.url!r}: another run has just begun to write to it")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_ended.set()
        self._thread.join()
        if self._is_left:
            return
        self._output.remove(LEASE)
        self._output.remove_empty(STAGING, OURS)

    def leave(self) -> None:
        """Leave the lease to a job that runs later and elsewhere: it holds the output until another run takes it."""
        self._is_left = True

    def _mine(self) -> bytes:
        mine = {"run_id": self._run_id, "host": socket.gethostname(), "pid": os.getpid(), "renewed_at": time.time()}
        return json.dumps(mine, indent=1).encode()

    def _renew(self) -> None:
        while not self._is_ended.wait(RENEW_SECONDS):
            try:
                self._output.write(LEASE, self._mine())
            except OSError:
                continue  # a full disk or a network gap: the next renewal may succeed, and the run itself will say


def holder_of(output: Folder) -> tuple[dict[str, Any] | None, bool]:
    """Return what the run that holds an output says of itself, None if there is none, and whether it lives."""
    try:
        holder = output.read_json(LEASE)
    except (FileNotFoundError, json.JSONDecodeError):
        return None, False
    return (holder, _is_alive(holder)) if isinstance(holder, dict) else (None, False)


def check_lease(output: Folder, run_id: str, *, must_be_there: bool = False) -> None:
    """Raise UsageError if another run holds the output, or none and one must.

    A job on a cluster goes on when the command that started it was killed. It may go on until the next run comes, but then
    it ends, and it publishes only what its own lease covers.
    """
    try:
        holder = output.read_json(LEASE)["run_id"]
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        holder = None
    if holder != run_id and (holder is not None or must_be_there):
        raise UsageError(f"output {output.url!r}: run {run_id} does not hold it any more, {holder or 'none'} does")


def _is_alive(holder: dict[str, Any]) -> bool:
    if time.time() - float(holder.get("renewed_at", 0)) > STALE_SECONDS:
        return False
    if holder.get("host") != socket.gethostname():
        return True
    try:
        os.kill(int(holder["pid"]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
