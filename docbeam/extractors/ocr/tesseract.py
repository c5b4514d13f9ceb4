"""Tesseract 4 and 5 as an outside program: a picture goes in by a pipe (PNM), words come out by another (TSV).

Source: tesseract(1), and the TSV renderer in src/api/renderer.cpp (level, page, block, paragraph, line, word, box, conf, text).
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import IO, TYPE_CHECKING, NamedTuple

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
        self.version = _version(_run([command, "--version"], b"", PROBE_SECONDS))
        listing = _run([command, "--list-langs"], b"", PROBE_SECONDS)
        first, *names = listing.splitlines() or [""]
        self.languages = tuple(sorted(name.strip() for name in names if name.strip()))
        self.data_folder = _data_folder(first)

    def recognise(self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False) -> Recognised:
        """Return the text of an image; see OcrEngine."""
        mode = PSM_SPARSE if is_sparse else PSM_PAGE
        arguments = ["-l", languages, "--psm", mode, *_dpi_argument(image), "-c", "tessedit_create_tsv=1"]
        words = list(parsed_words(self._run(arguments, image, timeout_seconds)))
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
        return _run([self.command, "stdin", "stdout", *arguments], pnm(image), timeout_seconds)


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


def pnm(image: Image) -> bytes:
    """Return an image of mode 1, L or RGB as PBM, PGM or PPM: no compression to pay for, none to undo."""
    kind = {"1": b"P4 %d %d\n", "L": b"P5 %d %d 255\n", "RGB": b"P6 %d %d 255\n"}[image.mode]
    pixels = image.tobytes("raw", "1;I") if image.mode == "1" else image.tobytes()
    return kind % image.size + pixels


def _dpi_argument(image: Image) -> list[str]:
    dpi = image.info.get("dpi")
    first = dpi[0] if isinstance(dpi, tuple) and dpi else dpi
    if isinstance(first, (int, float)) and SANE_DPI.start <= first < SANE_DPI.stop:
        return ["--dpi", str(round(first))]
    return []


def _run(command: list[str], data: bytes, timeout_seconds: float) -> str:
    """Run the program with `data` on its input and return what it prints. No shell; killed and reaped at the deadline."""
    deadline = time.monotonic() + timeout_seconds
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
    ) as process:
        try:
            out, err = _exchange(process, data, deadline)
            code = process.wait(max(deadline - time.monotonic(), 0.01))
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            message = f"tesseract did not end within {timeout_seconds:g} seconds"
            raise ExtractionError(ErrorCategory.TIMEOUT, message) from error
        finally:
            process.kill()
    if code != 0:
        raise _failure(code, err)
    return out.decode("utf-8", "replace")


def _exchange(process: subprocess.Popen[bytes], data: bytes, deadline: float) -> tuple[bytes, bytes]:
    """Feed the program and drain both of its outputs. Raises TimeoutError at the deadline."""
    assert process.stdin and process.stdout and process.stderr
    kept = {process.stdout: bytearray(), process.stderr: bytearray()}
    rest = memoryview(data)
    os.set_blocking(process.stdin.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while selector.get_map():
            ready = selector.select(max(deadline - time.monotonic(), 0))
            if time.monotonic() >= deadline:
                raise TimeoutError
            for key, _ in ready:
                pipe = key.fileobj
                if pipe is process.stdin:
                    rest = _fed(process.stdin, rest)
                    if not rest:
                        selector.unregister(process.stdin)
                        _close(process.stdin)
                elif chunk := os.read(key.fd, PIPE_BYTES):
                    _keep(kept[pipe], chunk, MAX_OUTPUT_BYTES if pipe is process.stdout else MAX_STDERR_BYTES)  # type: ignore[index]
                else:
                    selector.unregister(pipe)
    return bytes(kept[process.stdout]), bytes(kept[process.stderr])


def _fed(pipe: IO[bytes], rest: memoryview) -> memoryview:
    try:
        return rest[os.write(pipe.fileno(), rest[: PIPE_BYTES * 4]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:  # the program ended early; its exit code says why
        return rest[:0]


def _close(pipe: IO[bytes]) -> None:
    with suppress(BrokenPipeError):
        pipe.close()


def _keep(kept: bytearray, chunk: bytes, limit: int) -> None:
    kept += chunk[: max(limit - len(kept), 0)]


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
