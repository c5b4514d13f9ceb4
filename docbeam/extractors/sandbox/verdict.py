"""From the way a child ended to the category, the sentence and the evidence of the document that it was reading."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass, replace

from docbeam.extractors.sandbox.fields import text_of
from docbeam.extractors.sandbox.frames import Malformed
from docbeam.extractors.sandbox.process import MAX_EVIDENCE_CHARS, Child, Gone, TimedOut
from docbeam.extractors.sandbox.spawn import oom_kills
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import ErrorCategory

OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|cannot allocate memory|memory allocation of \d+ bytes failed|malloc.* failed",
    re.IGNORECASE,
)
MEMORY_SHARE = 0.8  # a child that crashed with this much of its cap resident has most likely hit it
MAX_NAME_CHARS = 200
SENT_SIGNALS = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP, -signal.SIGQUIT}


@dataclass(frozen=True, slots=True)
class Limit:
    """A hard deadline and the sentence that explains it."""

    seconds: float
    explanation: str


@dataclass(frozen=True, slots=True)
class Fault:
    """How a child failed at a document. `extractor` and the media types are what it had found out before.

    `is_from_outside`: it died of a signal that somebody sends, not of one that broken code brings about.
    """

    error: ExtractionError
    evidence: str | None
    media_type: str = MediaType.UNKNOWN_BINARY
    declared_media_type: str | None = None
    extractor: str | None = None
    is_from_outside: bool = False


def fault_of(child: Child, cause: Exception, limit: Limit, memory_bytes: int) -> Fault:
    """Kill and reap a child that failed, and return the verdict on the document it had begun."""
    if isinstance(cause, TimedOut):
        child.last_words()
        child.finish()
        error = ExtractionError(ErrorCategory.TIMEOUT, f"no answer within {limit.seconds:g} s: {limit.explanation}")
        return _fault(child, error, "killed at the hard deadline (SIGKILL)")
    has_exited = isinstance(cause, Gone) and child.await_exit()
    code = child.finish()
    if isinstance(cause, Malformed):
        return _fault(child, ExtractionError(ErrorCategory.CRASHED, f"the child's answer makes no sense: {cause}"), "killed")
    if not has_exited:
        error = ExtractionError(ErrorCategory.CRASHED, "the parser has closed the child's connection and lives on")
        return _fault(child, error, "killed (SIGKILL)")
    how = "exit status unknown" if code is None else exit_name(code)
    error = _death(child, code, how, memory_bytes)
    is_from_outside = error.category is ErrorCategory.CRASHED and code in SENT_SIGNALS
    return replace(_fault(child, error, how), is_from_outside=is_from_outside)


def exit_name(code: int) -> str:
    """Return the name of the signal or the exit code."""
    try:
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"
    except ValueError:
        return f"signal {-code}"


def evidence_of(how: str, output: str) -> str:
    """Return the evidence: one line about the end, then the tail of the output."""
    how = how[-MAX_EVIDENCE_CHARS // 2 :]
    return f"{how}\n{output[-(MAX_EVIDENCE_CHARS - len(how) - 1) :]}".strip()


def _death(child: Child, code: int | None, how: str, memory_bytes: int) -> ExtractionError:
    if code == -signal.SIGKILL and oom_kills() != child.oom_kills:
        return ExtractionError(
            ErrorCategory.MEMORY_LIMIT, "the child was killed by SIGKILL, most likely by the kernel's out-of-memory killer"
        )
    if code == -signal.SIGKILL and child.oom_kills is None:
        return ExtractionError(
            ErrorCategory.MEMORY_LIMIT,
            "the child was killed by SIGKILL from outside, perhaps for want of memory on the machine",
        )
    if OUT_OF_MEMORY.search(child.output()) or (_is_fault(code) and child.peak_bytes >= MEMORY_SHARE * memory_bytes):
        return ExtractionError(ErrorCategory.MEMORY_LIMIT, f"the parser died ({how}) at its limit of {memory_bytes} bytes")
    return ExtractionError(ErrorCategory.CRASHED, f"the parser died: {how}")


def _is_fault(code: int | None) -> bool:
    return code is not None and code < 0 and code != -signal.SIGKILL


def _fault(child: Child, error: ExtractionError, how: str) -> Fault:
    evidence = evidence_of(how, child.output())
    try:
        number, media_type, declared, extractor = (text_of(line)[:MAX_NAME_CHARS] for line in child.note)
        if number == str(child.documents):
            return Fault(error, evidence, media_type, declared or None, extractor)
    except (ValueError, Malformed):  # the note was never written, or is the work of a parser gone wild
        pass
    return Fault(error, evidence)
