"""What a child does to itself before it sees a parser: limits, priorities, and a lifeline to its parent.

The lifeline is a pipe whose write end only the parent holds. The child asks the kernel to send SIGKILL to its whole
process group when that end closes, in whatever way the parent dies: this also reaches grandchildren and code that hangs
in C with the GIL held. Source: fcntl(2), F_SETOWN, F_SETSIG; pipe(7), SIGIO on pipes; proc(5), oom_score_adj.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import threading
from contextlib import suppress

MAX_FILE_BYTES = 1 << 30  # no parser has a reason to write more to its temp directory
MAX_OPEN_FILES = 256  # a parser opens some dozens; a leak shall not become the host's


def confine(memory_bytes: int) -> None:
    """Set the limits of this process and of all that it starts."""
    os.umask(0o077)
    _limit(resource.RLIMIT_AS, memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # when memory runs out, the child goes first


def hold_lifeline(lifeline: int) -> None:
    """Make this process group die with the parent, also if the parent has died already."""
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    else:  # macOS: a thread does what it can
        threading.Thread(target=_die_at_end_of, args=(lifeline,), daemon=True).start()
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    if poll.poll(0):
        os.killpg(0, signal.SIGKILL)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError, OSError):  # macOS has no RLIMIT_AS
        resource.setrlimit(kind, (value, value))


def _die_at_end_of(lifeline: int) -> None:
    with suppress(OSError):
        os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)
