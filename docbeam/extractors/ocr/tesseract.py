"""Tesseract 4 and 5 as an outside program: a picture goes in as a file in memory, words come out by a pipe (TSV).

Why not by a pipe both ways: docs/decisions/0005-tesseract-by-memory-file.md.

Source: tesseract(1), and the TSV renderer in src/api/renderer.cpp (level, page, block, paragraph, line, word, box, conf, text).
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from docbeam.extractors.ocr.protocol import Recognised
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
SOLID_CHARS, SOLID_CONFIDENCE = 3, 0.6
TESSDATA_FOLDERS = ("/usr/share/tessdata", "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata")
# Han, kana and their punctuation and wide forms: scripts whose words have no space between them
UNSPACED = re.compile(
    "[\u2e80-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


class Word(NamedTuple):
    """One word of Tesseract's TSV. `confidence` is 0 to 1."""

    block: str
    paragraph: str
    line: str
    confidence: float
    text: str


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

    def recognise(self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False) -> Recognised:
        """Return the text of an image; see OcrEngine."""
        mode = PSM_SPARSE if is_sparse else PSM_PAGE
        arguments = ["-l", languages, "--psm", mode, *_dpi_argument(image), "-c", "tessedit_create_tsv=1"]
        table = self._run(arguments, image, timeout_seconds)
        if table.strip() and not table.startswith(TSV_HEADING):
            raise ExtractionError(ErrorCategory.CRASHED, "tesseract printed something else than its table of words")
        words = list(parsed_words(table))
        return Recognised(joined(words), mean_confidence(words), solid_share(words))

    def needed_turn(self, image: Image, timeout_seconds: float) -> int | None:
        """Return the turn that orientation detection proposes; None without osd.traineddata or with too few letters."""
        if "osd" not in self.languages:
            return None
        try:
            report = self._run(["-l", "osd", "--psm", PSM_ORIENTATION, *_dpi_argument(image)], image, timeout_seconds)
        except ExtractionError as error:
            if error.category is ErrorCategory.TIMEOUT:
                raise
            return None
        found = re.search(r"^Rotate: (\d+)", report, re.MULTILINE)
        return int(found[1]) if found else None

    def _run(self, arguments: list[str], image: Image, timeout_seconds: float) -> str:
        with picture_file(image) as (path, descriptors):
            return _run([self.command, path, "stdout", *arguments], timeout_seconds, descriptors)


def parsed_words(tsv: str) -> Iterator[Word]:
    """Return the words of Tesseract's TSV in its reading order; empty ones are left out."""
    for row in tsv.split("\n"):
        cells = row.rstrip("\r").split("\t", 11)
        if len(cells) == 12 and cells[0] == "5" and cells[11].strip():
            yield Word(cells[2], cells[3], cells[4], min(max(float(cells[10]) / 100, 0.0), 1.0), cells[11].strip())


def joined(words: list[Word]) -> str:
    """Return lines of words, with a blank line between paragraphs."""
    paragraphs = []
    for _, paragraph in groupby(words, lambda word: (word.block, word.paragraph)):
        lines = [_line(list(line)) for _, line in groupby(paragraph, lambda word: word.line)]
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def _line(words: list[Word]) -> str:
    text = words[0].text
    for word in words[1:]:
        is_unspaced = UNSPACED.match(text[-1]) and UNSPACED.match(word.text[0])
        text += word.text if is_unspaced else " " + word.text
    return text


def mean_confidence(words: list[Word]) -> float | None:
    """Return the mean confidence of words, weighted by their length; None without words."""
    letters = sum(len(word.text) for word in words)
    return round(sum(word.confidence * len(word.text) for word in words) / letters, 4) if letters else None


def solid_share(words: list[Word]) -> float:
    """Return the share of letters in words of three and more that are sure; noise in photos is short and unsure."""
    letters = sum(len(word.text) for word in words)
    solid = sum(len(word.text) for word in words if _is_solid(word))
    return round(solid / letters, 4) if letters else 0.0


def _is_solid(word: Word) -> bool:
    is_long = len(word.text) >= SOLID_CHARS or UNSPACED.match(word.text) is not None
    return is_long and word.confidence >= SOLID_CONFIDENCE


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


def _dpi_argument(image: Image) -> list[str]:
    dpi = image.info.get("dpi")
    first = dpi[0] if isinstance(dpi, tuple) and dpi else dpi
    if isinstance(first, (int, float)) and SANE_DPI.start <= first < SANE_DPI.stop:
        return ["--dpi", str(round(first))]
    return []


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
    candidates = [named[1]] if named else [*filter(None, [os.environ.get("TESSDATA_PREFIX")]), *TESSDATA_FOLDERS]
    return next((folder for folder in candidates if os.path.isdir(folder)), None)
