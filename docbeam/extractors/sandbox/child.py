"""The child's main loop: confine, say ready, then read documents and recognise pages one by one until the parent closes.

Started by `spawn.py` with three inherited descriptors: SOCKET, LIFELINE and NOTE. NOTE is a small file in which the child
says which document it has begun and what it takes it for, should it not live to answer.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Any

from docbeam.extractors.registry import use_third_party
from docbeam.extractors.sandbox.answers import Drawing, answer_drawing, answer_page, answer_reading
from docbeam.extractors.sandbox.clean import clean_text
from docbeam.extractors.sandbox.confine import confine, hold_lifeline
from docbeam.extractors.sandbox.frames import packed, receive_exactly, receive_head, send_all
from docbeam.extractors.sandbox.wire import NOTE_BYTES, source_from
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Target

RECYCLE_AFTER_DOCUMENTS = 1_000  # slow leaks and fragmentation of parsers stay small; a restart costs some 0.1 s
RECYCLE_RESIDENT_SHARE = 0.25  # of the memory cap: more than that is left over between two documents
RECYCLE_RESIDENT_LEAST_BYTES = 192 << 20  # all parsers loaded and at rest take 115 MB
RECYCLE_ADDRESS_SHARE = 0.7  # of the memory cap: parsers at rest map 145 MB

PAGE_BYTES = resource.getpagesize()


def main(arguments: list[str]) -> None:
    """Serve one parent until it closes the connection or this child is spent."""
    sock_fd, lifeline, note = map(int, arguments)
    hold_lifeline(lifeline)
    sock = socket.socket(fileno=sock_fd)
    hello, _ = receive_head(sock)
    options = ExtractOptions(**hello["options"])
    sys.path.extend(path for path in hello["import_paths"] if path not in sys.path)
    use_third_party(tuple((name, target) for name, target in hello["third_party"]))
    confine(options.sandbox_memory_bytes)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=False)  # the parent asks where a child hangs before it kills it
    send_all(sock, packed({"ready": True, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
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
        self._gauge = MemoryGauge()
        self._drawing = Drawing()

    def serve(self) -> None:
        """Answer until the parent closes the connection (EOFError) or this child is spent."""
        is_spent = False
        while not is_spent:
            header, _ = receive_head(self._sock)
            entries, passwords = header["documents"], header["passwords"]
            sources = [
                source_from(entry, receive_exactly(self._sock, entry["size"]), passwords[entry["keys"]]) for entry in entries
            ]
            sources.reverse()  # each is let go when it has been read
            for entry in entries:
                is_spent = self._answer(sources.pop(), entry)
                if is_spent:
                    break

    def _answer(self, source: Source, entry: dict[str, Any]) -> bool:
        """Read a document or recognise a page, send what came of it, and say whether this child is spent."""
        self._documents += 1
        media_type, page = entry["media_type"], entry["page"]
        if page is None:
            options = replace(self._options, **entry["limits"]) if entry["limits"] else self._options
            answer = answer_reading(source, options, media_type, self._write_note)
        elif entry["is_drawing_only"]:
            self._write_note(media_type, "", "")
            answer = answer_drawing(source, self._options, media_type, Target(page, entry["picture"]), self._drawing)
        else:
            self._write_note(media_type, "", "")
            image = self._drawing.take(source, Target(page, entry["picture"]))
            answer = answer_page(source, self._options, media_type, page, entry["picture"], image)
        is_spent = answer.is_fatal or self._is_grown()
        header = {"value": answer.header, "is_fatal": answer.is_fatal, "is_spent": is_spent}
        send_all(self._sock, packed(header, (answer.body,)))
        return is_spent

    def _write_note(self, *found: str) -> None:
        """Note which document of this child's life is being read, and what it is taken for."""
        note = "\n".join((str(self._documents), *map(clean_text, found), "")).encode("utf-8")[:NOTE_BYTES]
        with suppress(OSError):  # a full disk costs the note, not the document
            os.pwrite(self._note, note.ljust(NOTE_BYTES), 0)

    def _is_grown(self) -> bool:
        """Say whether this child has read enough, or keeps too much memory between two documents."""
        if self._documents >= RECYCLE_AFTER_DOCUMENTS:
            return True
        address_bytes, resident_bytes = self._gauge.read()
        limit = self._options.sandbox_memory_bytes
        resident_limit = max(RECYCLE_RESIDENT_SHARE * limit, RECYCLE_RESIDENT_LEAST_BYTES)
        return resident_bytes > resident_limit or address_bytes > RECYCLE_ADDRESS_SHARE * limit


class MemoryGauge:
    """Reads how much memory this process uses; one system call a reading."""

    def __init__(self) -> None:
        try:
            self._statm: int | None = os.open("/proc/self/statm", os.O_RDONLY)
        except OSError:  # no /proc: the peak has to do
            self._statm = None

    def read(self) -> tuple[int, int]:
        """Return the bytes of address space and of resident memory."""
        if self._statm is None:
            return 0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        pages = os.pread(self._statm, 100, 0).split()
        return int(pages[0]) * PAGE_BYTES, int(pages[1]) * PAGE_BYTES
