"""Starting a child: the descriptors that connect the two sides, and the process that inherits its ends of them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from typing import IO, NamedTuple

import docbeam
from docbeam.extractors.sandbox.environment import child_environment

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(docbeam.__file__)))
BOOT = """
import sys
sys.path[0] = sys.argv[1]
import docbeam  # this one, whatever else is installed; its modules are found through it
del sys.path[0]
from docbeam.extractors.sandbox.child import main
main(sys.argv[2:])
"""


class Line(NamedTuple):
    """The parent's ends. `lifeline` is held and never written: the kernel kills the child's group when it closes."""

    sock: socket.socket
    lifeline: IO[bytes]
    output: IO[bytes]
    note: IO[bytes]


def start_process(directory: str, descriptors: ExitStack) -> tuple[subprocess.Popen[bytes], Line]:
    """Start a child that works in `directory`; the parent's ends close with `descriptors`, the child's in any case.

    Raises: OSError.
    """
    with ExitStack() as theirs:
        sock, child_sock = socket.socketpair()
        descriptors.enter_context(sock)
        theirs.enter_context(child_sock)
        lifeline = _pipe(reader=theirs, writer=descriptors)
        output = _pipe(reader=descriptors, writer=theirs)
        note = descriptors.enter_context(tempfile.TemporaryFile(dir=directory, buffering=0))
        inherited = (child_sock.fileno(), lifeline[0].fileno(), note.fileno())
        # a fork of this program would share its threads' locks and Beam's gRPC; Popen without preexec_fn does vfork and exec
        process = subprocess.Popen(
            [sys.executable or "python3", "-c", BOOT, ROOT, *map(str, inherited)],
            stdin=subprocess.DEVNULL,
            stdout=output[1],
            stderr=output[1],
            pass_fds=inherited,
            cwd=directory,
            env=child_environment(directory),
            start_new_session=True,
        )
    sock.setblocking(False)
    os.set_blocking(output[0].fileno(), False)
    return process, Line(sock, lifeline[1], output[0], note)


def pidfd_of(pid: int) -> int | None:
    """Return a descriptor that is ready when the process exits, None where there is no such thing (Linux before 5.3)."""
    try:
        return os.pidfd_open(pid)
    except (OSError, AttributeError):
        return None


def oom_kills() -> int | None:
    """Return how often this kernel has killed for want of memory since it started, None if it does not say."""
    with suppress(OSError, ValueError, IndexError), open("/proc/vmstat", "rb") as file:
        return int(file.read().split(b"\noom_kill ")[1].split(b"\n", 1)[0])
    return None


def _pipe(*, reader: ExitStack, writer: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    """Return the read and the write end of a pipe, each closed by its own stack."""
    read_end, write_end = os.pipe()
    return reader.enter_context(open(read_end, "rb", 0)), writer.enter_context(open(write_end, "wb", 0))
