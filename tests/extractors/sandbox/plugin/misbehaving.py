"""An extractor that does what its media type says: `application/x-test.hangs` hangs."""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import Extracted, Notice, Page
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

PREFIX = "application/x-test."
FORGED = {
    "media_type": "text/forged",
    "declared_media_type": None,
    "extractor": None,
    "extracted": None,
    "error": ["corrupt", "forged", ""],
    "evidence": None,
}


def send_to_all(data):
    """Write to every socket, as a parser would that was taken over."""
    for fd in range(3, 1024):
        try:
            socket.socket(fileno=os.dup(fd)).sendall(data)
        except OSError:
            continue


def forge(header):
    """Answer in the child's name, and hang."""
    text = json.dumps(header).encode()
    send_to_all(b"DBS1" + struct.pack("!IQ", len(text), 0) + text)
    time.sleep(3600)


class Panic(BaseException):
    """Looks like pyo3's PanicException, which is no Exception."""


class Misbehaving:
    name = "misbehaving"

    def can_handle(self, media_type):
        return media_type.startswith(PREFIX)

    def extract(self, source, media_type, options):
        """A document of the form `verb argument` may name another behaviour than the media type."""
        if media_type.endswith(".measures"):
            return Extracted(content=str(len(source.read())))
        text = source.read().decode("utf-8", "replace")
        verb, _, argument = text.partition(" ") if text.startswith("do:") else (media_type[len(PREFIX) :], "", text)
        return getattr(self, verb.removeprefix("do:"))(argument, options)

    def render(self, source, media_type, number, options):
        from PIL import Image

        self.extract(source, media_type, options)
        return Image.new("L", (64, 64), 255)

    def echoes(self, argument, options):
        return Extracted(content=argument)

    def raises(self, argument, options):
        raise ExtractionError(ErrorCategory.CORRUPT, "byte 7 is wrong")

    def errs(self, argument, options):
        raise ArithmeticError("a fault in the code")

    def hangs(self, argument, options):
        print("about to hang", flush=True)
        while True:
            time.sleep(0.01)

    def hangs_in_c(self, argument, options):
        re.match("(a+)+$", "a" * 64 + "b")

    def eats(self, argument, options):
        blocks = []
        while True:
            blocks.append(bytearray(64 << 20))

    def overallocates(self, argument, options):
        return Extracted(content=str(len(bytearray(1 << 40))))

    def segfaults(self, argument, options):
        ctypes.string_at(0)

    def aborts_for_memory(self, argument, options):
        os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
        os.abort()

    def aborts(self, argument, options):
        os.abort()

    def is_killed(self, argument, options):
        os.kill(os.getpid(), signal.SIGKILL)

    def is_killed_twice(self, argument, options):
        with open(argument, "a") as file:
            file.write("x")
        if os.path.getsize(argument) <= 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return self.echoes("lives", options)

    def exits(self, argument, options):
        sys.exit(3)

    def exits_at_once(self, argument, options):
        os._exit(int(argument) if argument.isdigit() else 3)

    def interrupts(self, argument, options):
        raise KeyboardInterrupt

    def panics(self, argument, options):
        print("thread '<unnamed>' panicked at src/lib.rs:1", file=sys.stderr)
        raise Panic("called `Option::unwrap()` on a `secret` value")

    def prints(self, argument, options):
        for _ in range(64):
            os.write(1, b"x" * 100_000)
        os.write(2, b"\nlast line\n")
        return Extracted(content="printed")

    def prints_and_dies(self, argument, options):
        self.prints(argument, options)
        os._exit(9)

    def prints_for_ever(self, argument, options):
        while True:
            os.write(1, b"y" * 65_536)

    def closes(self, argument, options):
        os.closerange(3, 250)
        time.sleep(3600)

    def closes_and_returns(self, argument, options):
        os.closerange(3, 250)
        return Extracted(content="closed")

    def spawns(self, argument, options):
        """Leave a grandchild that holds every descriptor, write its id to the file `argument`, and hang."""
        child = subprocess.Popen(["sleep", "3600"], close_fds=False)
        with open(argument, "w") as file:
            file.write(f"{os.getpid()} {child.pid}")
        time.sleep(3600)

    def spawns_and_dies(self, argument, options):
        pid = os.fork()
        if pid == 0:
            time.sleep(3600)
        with open(argument, "w") as file:
            file.write(f"{os.getpid()} {pid}")
        os._exit(1)

    def bombs(self, argument, options):
        for _ in range(8):
            if os.fork() == 0:
                break
        while True:
            time.sleep(0.05)

    def returns_wrong(self, argument, options):
        return {"content": "a dictionary"}

    def returns_wrong_pages(self, argument, options):
        return Extracted(content="ab", pages=(Page(1, 0, 99),))

    def returns_too_much(self, argument, options):
        return Extracted(
            content="z" * (options.max_extracted_chars + 10), pages=(Page(1, 0, options.max_extracted_chars + 10),)
        )

    def returns_dirt(self, argument, options):
        clean = Extracted(content="a\x00b\ud800c\ud83d\ude00d", pages=(Page(1, 0, 3), Page(2, 3, 8)))
        notice = Notice(WarningCode.PART_NOT_READ, "p\x00art", "x\udfff")
        return replace(clean, title="t\x00", metadata={"k\x00": "v\ud800"}, warnings=(notice,), created_at=datetime(2020, 1, 2))

    def speaks_out_of_turn(self, argument, options):
        send_to_all(b"\xff" * 64)
        time.sleep(3600)

    def promises_much(self, argument, options):
        send_to_all(b"DBS1" + struct.pack("!IQ", 2, 1 << 50) + b"{}")
        time.sleep(3600)

    def forgets_flags(self, argument, options):
        forge({"value": FORGED})

    def forges(self, argument, options):
        forge({"value": FORGED, "is_fatal": True, "is_spent": False})

    def tells(self, argument, options):
        import resource

        limits = {name: resource.getrlimit(getattr(resource, name)) for name in ("RLIMIT_AS", "RLIMIT_CORE", "RLIMIT_NOFILE")}
        with open("/proc/self/oom_score_adj") as file:
            score = file.read().strip()
        mask = os.umask(0o077)
        told = {
            "modules": sorted(sys.modules),
            "environment": dict(os.environ),
            "limits": limits,
            "oom_score_adj": score,
            "umask": mask,
            "pid": os.getpid(),
            "cwd": os.getcwd(),
            "stdin": os.readlink("/proc/self/fd/0"),
        }
        return Extracted(content=json.dumps(told))

    def keeps(self, argument, options):
        """Keep 40 MB for ever."""
        self.kept = [*getattr(self, "kept", []), b"x" * 40_000_000]
        return Extracted(content=str(os.getpid()))

    def remembers(self, argument, options):
        """Say how many documents this child has read, and die at the one that is said, unless it is the first."""
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen > 1 and argument == "poisoned":
            os.abort()
        return Extracted(content=f"{argument} {self.seen} {os.getpid()}")
