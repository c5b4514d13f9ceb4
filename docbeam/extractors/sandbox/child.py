"""The child's main loop: confine, say ready, then read documents and recognise pages one by one until the parent closes.

Run as `python -m docbeam.extractors.sandbox.child SOCKET LIFELINE NOTE` with three inherited descriptors. NOTE is a small
file in which the child says which document it has begun and what it takes it for, should it not live to answer.
"""

from __future__ import annotations

import faulthandler
import os
import re
import resource
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from typing import Any

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.sandbox.clean import clean_extracted, clean_text
from docbeam.extractors.sandbox.confine import confine, hold_lifeline
from docbeam.extractors.sandbox.frames import Malformed, packed, receive_exactly, receive_head, send_all
from docbeam.extractors.sandbox.wire import NOTE_BYTES, reading_form, reading_from, source_from
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

RECYCLE_AFTER_DOCUMENTS = 1_000  # slow leaks and fragmentation of parsers stay small; a restart costs some 60 ms
RECYCLE_RESIDENT_SHARE = 0.25  # of the memory cap: more than that is left over between two documents
RECYCLE_ADDRESS_SHARE = 0.6  # of the memory cap: parsers, fonts and arenas map about a fifth of 2 GiB at rest
MAX_MESSAGE_CHARS = 2_000
MAX_FRAMES = 12  # of a traceback in the evidence
QUOTED = re.compile(r"[`\"'][^`\"']*[`\"']")  # Rust panics quote the text that they stumbled over


def main(arguments: list[str]) -> None:
    """Serve one parent until it closes the connection or this child is spent."""
    sock_fd, lifeline, note = map(int, arguments)
    hold_lifeline(lifeline)
    sock = socket.socket(fileno=sock_fd)
    hello, _ = receive_head(sock)
    options = ExtractOptions(**hello["options"])
    confine(options.sandbox_memory_bytes)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=False)  # the parent asks where a child hangs before it kills it
    send_all(sock, packed({"ready": True}))
    with suppress(EOFError, ConnectionError):
        Server(sock, options, note).serve()
    os._exit(0)  # no parser's destructor and no forgotten thread may hold the exit up


class Server:
    """Answers the requests of one parent."""

    def __init__(self, sock: socket.socket, options: ExtractOptions, note: int) -> None:
        self._sock = sock
        self._options = options
        self._note = note
        self._documents = 0

    def serve(self) -> None:
        """Answer until the parent closes the connection (EOFError) or this child is spent."""
        is_spent = False
        while not is_spent:
            header, _ = receive_head(self._sock)
            entries = header["documents"]
            sources = [source_from(entry, receive_exactly(self._sock, entry["size"])) for entry in entries]
            sources.reverse()  # each is let go when it has been read
            for entry in entries:
                is_spent = self._answer(sources.pop(), entry["media_type"])
                if is_spent:
                    break

    def _answer(self, source: Source, media_type: str | None) -> bool:
        """Read one document, send what came of it, and say whether this child is spent."""
        self._documents += 1
        header, body, is_fatal = self._read(source, media_type)
        is_spent = is_fatal or self._is_grown()
        send_all(self._sock, packed({"reading": header, "is_fatal": is_fatal, "is_spent": is_spent}, (body,)))
        return is_spent

    def _read(self, source: Source, media_type: str | None) -> tuple[dict[str, Any], bytes, bool]:
        reading = Reading(media_type or MediaType.UNKNOWN_BINARY, None, None, None, None)

        def begun(media_type: str, declared: str | None, extractor: str) -> None:
            nonlocal reading
            reading = Reading(media_type, declared, extractor, None, None)
            self._write_note(media_type, declared or "", extractor)

        try:
            reading = read_document(source, self._options, media_type, begun)
            return *self._form(reading), is_out_of_memory(reading.error)
        except BaseException as error:  # sys.exit, KeyboardInterrupt, a Rust panic: this child can't go on
            is_fatal = not isinstance(error, Exception) or isinstance(error, MemoryError)
            return *reading_form(replace(reading, extracted=None, error=death(error), evidence=where(error))), is_fatal

    def _form(self, reading: Reading) -> tuple[dict[str, Any], bytes]:
        """Return the answer for a reading; what breaks the contract is told apart from what the document did."""
        if reading.error is not None:
            return reading_form(self._explained(reading))
        try:
            assert reading.extracted is not None
            clean = clean_extracted(reading.extracted, self._options.max_extracted_chars)
            header, body = reading_form(replace(reading, extracted=clean))
            reading_from(header, body, self._options.max_extracted_chars)
            packed(header)
        except (TypeError, AttributeError, ValueError, KeyError, Malformed) as error:
            message = f"extractor {reading.extractor!r} breaks the contract: {described(error)}"
            return reading_form(replace(reading, extracted=None, error=ExtractionError(ErrorCategory.INTERNAL, message)))
        return header, body

    def _explained(self, reading: Reading) -> Reading:
        """Return a failed reading whose message is clean, and whose evidence says where a fault of ours arose."""
        error = reading.error
        assert error is not None
        message = clean_text(error.message)[:MAX_MESSAGE_CHARS]
        if is_out_of_memory(error):
            message = f"{message} (limit {self._options.sandbox_memory_bytes} bytes)"
        evidence = where(error.__cause__) if error.category is ErrorCategory.INTERNAL and error.__cause__ else None
        return replace(reading, error=ExtractionError(error.category, message), evidence=evidence)

    def _write_note(self, *found: str) -> None:
        """Note which document of this child's life is being read, and what it is taken for."""
        note = "\n".join((str(self._documents), *map(clean_text, found), "")).encode("utf-8")[:NOTE_BYTES]
        with suppress(OSError):  # a full disk costs the note, not the document
            os.pwrite(self._note, note.ljust(NOTE_BYTES), 0)

    def _is_grown(self) -> bool:
        """Say whether this child has read enough, or keeps too much memory between two documents."""
        if self._documents >= RECYCLE_AFTER_DOCUMENTS:
            return True
        address_bytes, resident_bytes = memory_in_use()
        limit = self._options.sandbox_memory_bytes
        return resident_bytes > RECYCLE_RESIDENT_SHARE * limit or address_bytes > RECYCLE_ADDRESS_SHARE * limit


def is_out_of_memory(error: ExtractionError | None) -> bool:
    """Say whether a document failed for want of memory."""
    return error is not None and error.category is ErrorCategory.MEMORY_LIMIT


def death(error: BaseException) -> ExtractionError:
    """Return the error for an exception that passed the boundary."""
    if isinstance(error, SystemExit):
        return ExtractionError(ErrorCategory.CRASHED, f"the extractor called sys.exit({error.code if error.code else 0!r})")
    if isinstance(error, MemoryError):
        return ExtractionError(ErrorCategory.MEMORY_LIMIT, "MemoryError")
    category = ErrorCategory.INTERNAL if isinstance(error, Exception) else ErrorCategory.CRASHED
    return ExtractionError(category, described(error))


def described(error: BaseException) -> str:
    """Return an exception's class and message, without what the message quotes."""
    message = clean_text(QUOTED.sub("…", " ".join(str(error).split())))[:300]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def where(error: BaseException) -> str:
    """Return the lines of code that led to an exception, the last one last."""
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    places = [f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} {frame.name}" for frame in frames]
    return clean_text("\n".join((*places, type(error).__name__)))


def memory_in_use() -> tuple[int, int]:
    """Return the bytes of address space and of resident memory of this process."""
    try:
        with open("/proc/self/statm", "rb") as file:
            pages = file.read().split()
        return int(pages[0]) * resource.getpagesize(), int(pages[1]) * resource.getpagesize()
    except OSError:  # no /proc: the peak has to do
        return 0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main(sys.argv[1:])
