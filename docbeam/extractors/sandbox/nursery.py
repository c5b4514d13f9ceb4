"""Where children are started, and the folder in which they have their temp directories."""

from __future__ import annotations

import dataclasses
import fcntl
import os
import shutil
import tempfile
import threading
import weakref
from contextlib import suppress
from typing import Any

from docbeam.extractors.registry import third_party_points
from docbeam.extractors.sandbox.conversation import SandboxClosed
from docbeam.extractors.sandbox.environment import import_paths
from docbeam.extractors.sandbox.process import Child
from docbeam.schemas.options import ExtractOptions

PREFIX = "docbeam-sandbox-"
LOCK = "lock"


class Nursery:
    """Starts children in a directory of its own and knows all that are alive."""

    def __init__(self, options: ExtractOptions) -> None:
        self.closed = threading.Event()
        self._options = options
        self._hello: dict[str, Any] | None = None
        self._lock = threading.Lock()
        self._children: weakref.WeakSet[Child] = weakref.WeakSet()
        self._folder: TempFolder | None = None

    def start(self) -> Child:
        """Start a child. Raises OSError or SandboxClosed."""
        with self._lock:
            if self.closed.is_set():
                raise SandboxClosed("the sandbox is closed")
            if self._folder is None or not os.path.isdir(self._folder.path):
                self._folder = TempFolder()
            if self._hello is None:
                self._hello = {
                    "options": dataclasses.asdict(self._options),
                    "import_paths": import_paths(),
                    "third_party": third_party_points(),
                }
            child = Child(self._hello, self._folder.path)
            self._children.add(child)
            return child

    def kill(self) -> None:
        """Kill all children, whoever uses them."""
        with self._lock:
            for child in self._children:
                child.kill()

    def close(self) -> None:
        """Kill and reap all children and remove the directory."""
        self.closed.set()
        with self._lock:
            for child in self._children:
                child.finish()
            if self._folder is not None:
                self._folder.remove()
                self._folder = None


class TempFolder:
    """A folder whose lock is held as long as this process lives. Raises: OSError.

    What a killed process has left behind is found by its free lock and removed by the next one.
    """

    def __init__(self) -> None:
        with suppress(OSError):
            remove_leftovers(tempfile.gettempdir())
        self.path = tempfile.mkdtemp(prefix=PREFIX)
        unnamed = os.path.join(self.path, "unlocked")
        self._lock = open(unnamed, "wb")  # noqa: SIM115
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(unnamed, os.path.join(self.path, LOCK))  # so that no lock is ever seen that is not held

    def remove(self) -> None:
        """Remove the folder and give its lock back."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def remove_leftovers(directory: str) -> None:
    """Remove the sandbox folders of this user whose process is dead."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):  # it has no lock yet, or its process lives
                    _remove_if_dead(entry)


def _remove_if_dead(entry: os.DirEntry[str]) -> None:
    if entry.stat(follow_symlinks=False).st_uid != os.getuid():
        return
    descriptor = os.open(os.path.join(entry.path, LOCK), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(entry.path, ignore_errors=True)
    finally:
        os.close(descriptor)
