"""One sandbox child as its parent sees it: start it, talk to it under a deadline, kill it with all it started, reap it.

No call here waits without a limit, and none trusts the child: its output is drained while the parent waits, its
answers are bounded before there is room for them, and it is killed by its session before its process id is given back.
"""

from __future__ import annotations

import os
import re
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import ExitStack, suppress
from typing import Any

from docbeam.extractors.sandbox.fields import Fields
from docbeam.extractors.sandbox.frames import HEAD, RECEIVE_BYTES, head_of, header_from, packed, sent_part
from docbeam.extractors.sandbox.spawn import oom_kills, pidfd_of, start_process
from docbeam.extractors.sandbox.wire import NOTE_BYTES

START_TIMEOUT_SECONDS = 60.0  # 0.1 s on an idle machine; a loaded one with a cold disk takes far longer
EXIT_GRACE_SECONDS = 1.0  # from the end of the connection to the exit status: freeing 2 GiB takes 0.3 s
REAP_TIMEOUT_SECONDS = 10.0  # a killed process dies at once, unless the kernel holds it in a dead file system
LAST_WORDS_SECONDS = 0.2  # for the traceback of a child that hangs; printing it takes a millisecond
POLL_SECONDS = 0.02  # how often to look for an exit where the kernel has no pidfd
TAIL_BYTES = 8_192
MAX_EVIDENCE_CHARS = 2_000
NOISE = (  # what differs from run to run or place to place, and what is the same in all
    (re.compile(r"0x[0-9a-fA-F]{4,}"), "0x…"),
    (re.compile(r"^Extension modules: .*\n?", re.MULTILINE), ""),
    (
        re.compile(
            r'^  File "[^"]*/docbeam/extractors/(?:engine|boundary|recognition|sandbox/answers|sandbox/child)\.py", .*\n?',
            re.MULTILINE,
        ),
        "",
    ),
    (re.compile(r'^  File "<(?:frozen|string).*\n?', re.MULTILINE), ""),
    (re.compile(r'File "[^"]*/([^/"]+/[^/"]+)"'), r'File "\1"'),
)


class TimedOut(Exception):
    """The deadline has passed."""


class Gone(Exception):
    """The child has died or has closed its connection."""


class Child:
    """A running child. Used by one thread at a time; `kill` may be called from any."""

    def __init__(self, hello: dict[str, Any], parent_directory: str) -> None:
        self.documents = 0
        self.peak_bytes = 0  # of resident memory; 0 where it is not known
        self._first_peak = 0
        self.note: list[str] = []  # what the child had begun: number, media type, declared type, extractor
        self._hello = packed(hello)
        self._lock = threading.Lock()
        self._exit: int | None = None
        self._is_reaped = self.is_ready = False
        self._tail: deque[bytes] = deque()
        self.oom_kills = oom_kills()
        self.directory = tempfile.mkdtemp(prefix="child-", dir=parent_directory)
        self._descriptors = ExitStack()
        try:
            self._open()
        except BaseException:
            self._descriptors.close()
            shutil.rmtree(self.directory, ignore_errors=True)
            raise

    def _open(self) -> None:
        self._process, self._line = start_process(self.directory, self._descriptors)
        self.pid = self._process.pid
        self._sock, self._output = self._line.sock, self._line.output
        self._selector = self._descriptors.enter_context(selectors.DefaultSelector())
        self._selector.register(self._sock, selectors.EVENT_READ)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._awaited = selectors.EVENT_READ
        self._pidfd = pidfd_of(self.pid)
        if self._pidfd is not None:
            self._descriptors.callback(os.close, self._pidfd)
            self._selector.register(self._pidfd, selectors.EVENT_READ)

    # Conversation

    def await_ready(self) -> None:
        """Wait until the child is ready. Raises TimedOut, Gone or Malformed."""
        if not self.is_ready:
            deadline = time.monotonic() + START_TIMEOUT_SECONDS
            self.send(self._hello, deadline)
            header, _ = self.receive(deadline, 0)
            self._first_peak = Fields(header).count("peak")
            self.is_ready = True

    def send(self, buffers: list[memoryview], deadline: float) -> None:
        """Send a frame. Raises TimedOut or Gone."""
        while buffers:
            if not self._is_sent_part(buffers):
                self._wait(deadline, selectors.EVENT_WRITE)

    def receive(self, deadline: float, max_body_bytes: int) -> tuple[dict[str, Any], bytearray]:
        """Return the next frame. Raises TimedOut, Gone or Malformed."""
        header_bytes, body_bytes = head_of(self._receive_exactly(HEAD.size, deadline), max_body_bytes)
        header = header_from(self._receive_exactly(header_bytes, deadline))
        return header, self._receive_exactly(body_bytes, deadline)

    def forget_output(self) -> None:
        """Drop what the child has printed so far: the next document shall not be blamed for it."""
        self._drain()
        self._tail.clear()

    def is_alive(self) -> bool:
        """Say whether an idle child still holds its connection and has not spoken out of turn: one system call."""
        try:
            self._sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def _read_note(self) -> list[str]:
        try:
            return os.pread(self._line.note.fileno(), NOTE_BYTES, 0).decode("utf-8").split("\n")[:-1]
        except (OSError, ValueError):  # a parser gone wild wrote it
            return []

    def _receive_exactly(self, size: int, deadline: float) -> bytearray:
        data = bytearray(size)
        view = memoryview(data)
        while len(view):
            count = self._received_into(view)
            if count == 0:
                self._wait(deadline)
            view = view[count:]
        return data

    def _is_sent_part(self, buffers: list[memoryview]) -> bool:
        """Send what the socket takes at once; say whether it took anything. Raises Gone."""
        try:
            sent_part(self._sock, buffers)
        except BlockingIOError:
            return False
        except OSError as error:
            raise Gone(str(error)) from error
        return True

    def _received_into(self, view: memoryview) -> int:
        """Receive what is there and return how much that is. Raises Gone at the end of the connection."""
        try:
            count = self._sock.recv_into(view, min(len(view), RECEIVE_BYTES))
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Gone(str(error)) from error
        if count == 0:
            raise Gone("end of the connection")
        return count

    def _wait(self, deadline: float, event: int = selectors.EVENT_READ) -> None:
        """Wait until the socket may be used again, and drain the child's output meanwhile. Raises TimedOut or Gone."""
        if event != self._awaited:
            self._selector.modify(self._sock, event)
            self._awaited = event
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimedOut
            ready = {key.fd for key, _ in self._selector.select(left if self._pidfd is not None else min(left, POLL_SECONDS))}
            if self._output.fileno() in ready:
                self._drain()
            if self._sock.fileno() in ready:
                return
            if self._pidfd in ready or (self._pidfd is None and self._has_exited()):
                raise Gone("exit")

    def _drain(self) -> None:
        """Keep the tail of what the child has printed; one pipeful at most, so that endless output can't hold us."""
        with suppress(BlockingIOError):
            data = os.read(self._output.fileno(), 1 << 16)
            if not data:
                with suppress(KeyError):
                    self._selector.unregister(self._output)
                return
            self._tail.append(data[-TAIL_BYTES:])
            while len(self._tail) > 1 and sum(map(len, self._tail)) - len(self._tail[0]) >= TAIL_BYTES:
                self._tail.popleft()

    # The end

    def last_words(self) -> None:
        """Let a child that hangs print where it hangs; the handler runs in C and needs no GIL."""
        with self._lock:
            if self._is_reaped:
                return
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + LAST_WORDS_SECONDS
        with suppress(TimedOut, Gone, KeyError):
            self._selector.unregister(self._sock)
            while not any(b"most recent call first" in part for part in self._tail):
                self._wait_for_output(deadline)
            while True:  # until it is silent
                self._wait_for_output(min(deadline, time.monotonic() + POLL_SECONDS))

    def await_exit(self, seconds: float = EXIT_GRACE_SECONDS) -> bool:
        """Give a child that has ended the connection a moment to exit by itself; say whether it has."""
        deadline = time.monotonic() + seconds
        while not (has_exited := self._has_exited()) and time.monotonic() < deadline:
            time.sleep(0.001)
        return has_exited

    def kill(self) -> None:
        """Kill the child and all that it started, while its process id is still its own."""
        with self._lock:
            if not self._is_reaped:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> int | None:
        """Kill, wait, and return the exit code as subprocess writes it; None if nobody knows it."""
        self.kill()
        has_exited = self.await_exit(REAP_TIMEOUT_SECONDS)
        with self._lock:
            if has_exited and not self._is_reaped:
                self._is_reaped = True
                with suppress(ChildProcessError):  # a SIGCHLD handler of the host program was faster
                    _, status, usage = os.wait4(self.pid, 0)
                    self._exit = os.waitstatus_to_exitcode(status)
                    if usage.ru_maxrss > self._first_peak:  # else it is that of our own process, which a child starts with
                        self.peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
                self._process.returncode = self._exit if self._exit is not None else 0
        return self._exit

    def finish(self) -> int | None:
        """Kill, reap, and give back descriptors and the temp directory; return the exit code."""
        code = self.reap()
        if not self._output.closed:
            with suppress(OSError):
                self._drain()
            self.note = self._read_note()
        self._descriptors.close()
        shutil.rmtree(self.directory, ignore_errors=True)
        return code

    def abandon(self) -> None:
        """Let go of the descriptors after a fork: this child belongs to another process."""
        self._is_reaped = True
        self._process.returncode = 0
        self._descriptors.close()

    def output(self) -> str:
        """Return the tail of the child's output, without what differs from run to run."""
        text = b"".join(self._tail)[-TAIL_BYTES:].decode("utf-8", "replace").replace(self.directory, "$TMPDIR")
        for pattern, replacement in NOISE:
            text = pattern.sub(replacement, text)
        return "".join(char for char in text if char == "\n" or char.isprintable()).strip()[-MAX_EVIDENCE_CHARS:]

    def _has_exited(self) -> bool:
        """Say whether the child has exited, without taking its exit status."""
        if self._is_reaped:
            return True
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def _wait_for_output(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimedOut
        if self._selector.select(left):
            if self._has_exited():
                raise Gone("exit")
            self._drain()
