"""Requests and answers through as many children as it takes.

A crash is believed only of a child that had read nothing before: memory that an earlier document has spoiled must not
be laid at the door of a later one. So a document that kills a used child is read again in a fresh one, and what
happens there is its result, the same in any order and with any neighbours. A child that somebody kills from outside says
nothing of its document, which is read again too, a few times.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from docbeam.extractors.sandbox.fields import Fields
from docbeam.extractors.sandbox.frames import Malformed
from docbeam.extractors.sandbox.process import START_TIMEOUT_SECONDS, Child, Gone, TimedOut
from docbeam.extractors.sandbox.verdict import Fault, Limit, fault_of
from docbeam.schemas.errors import DocbeamError, ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

START_PAUSES_SECONDS = (0.0, 0.2, 1.0)  # before each try to start a child; a full disk or process table may pass
START_LIMIT = Limit(START_TIMEOUT_SECONDS, "the time to start a child")

MAX_KILLS_FROM_OUTSIDE = 3  # of one document; then it is taken for the cause

T = TypeVar("T")
Request = Callable[[int], list[memoryview]]  # the frame that asks for everything from this index on
Decode = Callable[[dict[str, Any], bytearray], T]


class SandboxClosed(DocbeamError):
    """The pool was closed while a document was read; nothing is known of the document."""


class StartFailed(Exception):
    """No child can be started; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.error.message)
        self.fault = fault


class Conversation:
    """Talks to one child at a time, and replaces it when it dies, hangs or is spent."""

    def __init__(self, options: ExtractOptions, start: Callable[[], Child], closed: threading.Event) -> None:
        self._options = options
        self._start = start
        self._closed = closed
        self._child: Child | None = None
        self._owed = 0  # answers that the child has still to give
        self._turn = 0
        self._kills = 0  # from outside, over the answer that is waited for
        self.last_words = ""  # what the child printed over the last document, if that was the end of it

    def answers(self, request: Request, count: int, limit: Limit, decode: Decode[T]) -> Iterator[T | Fault]:
        """Yield `count` answers in order, or the fault in the place of an answer. Raises SandboxClosed."""
        if self._owed:
            self.discard()
        self._turn = turn = self._turn + 1
        done = 0
        while done < count:
            if self._turn != turn:
                raise RuntimeError("another request was made before all answers to this one were taken")
            answer = self._next(request, done, count, limit, decode)
            if answer is not None:
                done += 1
                self._kills = 0
                yield answer

    @property
    def directory(self) -> str:
        """The temp directory of the child that has just answered. Only while an answer is decoded."""
        assert self._child is not None
        return self._child.directory

    def release(self) -> None:
        """Get ready for the next lease: replace a child that still owes answers."""
        if self._owed or self._closed.is_set():
            self.discard()

    def discard(self) -> None:
        """Kill the child, if there is one, and give back all that it holds."""
        child, self._child, self._owed = self._child, None, 0
        if child is not None:
            child.finish()

    def abandon(self) -> None:
        """Let go of the child without harm to it: this process is a fork of the one that started it."""
        if self._child is not None:
            self._child.abandon()

    def _next(self, request: Request, done: int, count: int, limit: Limit, decode: Decode[T]) -> T | Fault | None:
        """Return the next answer or fault; None if it has to be asked for again in a fresh child."""
        is_used = False
        try:
            child = self._child if self._owed and self._child else self.ready_child()
            is_used = child.documents > 0
            child.documents += 1
            deadline = time.monotonic() + limit.seconds
            if not self._owed:
                child.forget_output()
                child.send(request(done), deadline)
                self._owed = count - done
            header, body = child.receive(deadline, 4 * self._options.max_extracted_chars)
            answer = decode(header, body)
            self._owed -= 1
            return self._settled(answer, Fields(header), child, is_used)
        except StartFailed as failure:
            return failure.fault
        except (TimedOut, Gone, Malformed) as cause:
            return self._fault(cause, limit, is_used)
        except BaseException:
            self.discard()
            raise

    def _settled(self, answer: T, fields: Fields, child: Child, is_used: bool) -> T | None:
        """Return the answer, None if it is not to be believed; replace a child that says it is spent."""
        is_fatal, is_spent = fields.flag("is_fatal"), fields.flag("is_spent")
        if is_fatal or is_spent:
            self._replace()
        self.last_words = child.output() if is_fatal else ""
        return None if is_fatal and is_used else answer

    def _fault(self, cause: Exception, limit: Limit, is_used: bool) -> Fault | None:
        child, self._child, self._owed = self._child, None, 0
        assert child is not None
        if self._closed.is_set():
            child.finish()
            raise SandboxClosed("the sandbox was closed while a document was read") from cause
        fault = fault_of(child, cause, limit, self._options.sandbox_memory_bytes)
        self._replace()
        self._kills += fault.is_from_outside
        is_outside = fault.is_from_outside and self._kills <= MAX_KILLS_FROM_OUTSIDE
        return None if is_outside or (is_used and not isinstance(cause, TimedOut)) else fault

    def _replace(self) -> None:
        """Start the next child already: it gets ready while the caller deals with the answer."""
        self.discard()
        if not self._closed.is_set():
            try:
                self._child = self._start()
            except (OSError, subprocess.SubprocessError, SandboxClosed):
                self._child = None  # tried again, with pauses, when it is needed

    def ready_child(self) -> Child:
        """Return a child that waits for a request. Raises StartFailed when several tries have failed."""
        if self._child is not None and self._child.is_ready and not self._child.is_alive():
            self.discard()  # it died between two documents
        fault = None
        for pause in START_PAUSES_SECONDS:
            if self._closed.wait(pause):
                self.discard()
                raise SandboxClosed("the sandbox is closed")
            try:
                self._child = self._child or self._start()
                self._child.await_ready()
                return self._child
            except (OSError, subprocess.SubprocessError) as error:
                fault = Fault(ExtractionError(ErrorCategory.INTERNAL, str(error)), None)
            except (TimedOut, Gone, Malformed) as cause:
                assert self._child is not None
                fault = fault_of(self._child, cause, START_LIMIT, self._options.sandbox_memory_bytes)
            self.discard()
        assert fault is not None
        message = f"the sandbox child does not start, {len(START_PAUSES_SECONDS)} tries: {fault.error.message}"
        raise StartFailed(Fault(ExtractionError(ErrorCategory.INTERNAL, message), fault.evidence))
