"""What recognition costs and how much of it is wrong, for each choice, on scans with known text: `python -m benchmarks.ocr`.

First each choice on its own, in one process: CPU seconds a page (the engine's process counted), pages a second of one core,
character error rate (Levenshtein distance to the known text, blanks folded, both in NFKC) and F1 of the words whatever
their order. Then `docbeam extract` beside OCRmyPDF (an outside command; --ocrmypdf names it) on the same PDFs and cores, and
with one child beside one a core.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import pypdfium2 as pdfium
from PIL import Image
from rapidfuzz.distance import Levenshtein

from benchmarks.scans import PAGES, Scan, joined_pdfs, make_scans
from docbeam.extractors.ocr import engines, read_picture, tesseract
from docbeam.extractors.ocr.protocol import OcrEngine
from docbeam.extractors.ocr.resident import ResidentEngine
from docbeam.extractors.pdf import rendering
from docbeam.schemas.options import ExtractOptions

TIMEOUT_SECONDS = 120.0  # a page
UNSPACED = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef])\s+(?=[\u2e80-\u9fff\uff00-\uffef])")
LEADERS = re.compile(r"(?:[.·…] ?){3,}")  # dotted lines of a table of contents: nobody wants them read
SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "\u00ad": None})


@dataclass(frozen=True)
class Choice:
    """One way to recognise a page."""

    about: str
    is_resident: bool = True
    dpi: int | None = None  # None: docbeam's own, the scan's resolution between 200 and 300
    mode: str | None = None  # of page segmentation
    settings: dict[str, str] = field(default_factory=dict)
    one_bit: bool = False
    attempts: bool = False  # all of read_picture: blank, skew, even, orientation
    languages: str | None = None
    needs_folder: bool = False


CHOICES = {
    "program-300": Choice("tesseract command, every page drawn at 300 dpi", is_resident=False, dpi=300),
    "program": Choice("tesseract command, scans drawn at their own resolution", is_resident=False),
    "resident-300": Choice("tesserocr, every page drawn at 300 dpi", dpi=300),
    "resident-200": Choice("tesserocr, every page drawn at 200 dpi", dpi=200),
    "resident": Choice("tesserocr, scans drawn at their own resolution"),
    "one-bit": Choice("the same in one bit, threshold 128", one_bit=True),
    "psm-1": Choice("the same with orientation detection (--psm 1)", mode="1"),
    "psm-4": Choice("the same as one column (--psm 4)", mode="4"),
    "psm-6": Choice("the same as one block (--psm 6)", mode="6"),
    "psm-11": Choice("the same as loose words (--psm 11)", mode="11"),
    "no-tables": Choice("the same without looking for tables", settings={"textord_tabfind_find_tables": "0"}),
    "no-inverse": Choice("the same without a second try in inverse", settings={"invert_threshold": "0"}),
    "eng-too": Choice("the same with eng beside another language", languages="+eng"),
    "large-model": Choice("the same with the language files in --tessdata", needs_folder=True),
    "docbeam-program": Choice("docbeam's reading of a page, tesseract command", is_resident=False, attempts=True),
    "docbeam": Choice("docbeam's reading of a page, tesserocr", attempts=True),
    "auto": Choice("docbeam's reading of a page, --ocr-languages auto", attempts=True, languages="auto"),
}


@dataclass(frozen=True)
class Score:
    """What one page cost and how right it is."""

    kind: str
    seconds: float
    error_rate: float
    words_f1: float


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ocr", description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="where the documents are [default ../shared]")
    parser.add_argument("--pages", type=int, default=len(PAGES), help="pages, each spoilt in two ways [default all]")
    parser.add_argument("--choices", nargs="*", default=list(CHOICES), choices=[*CHOICES], help="those to measure")
    parser.add_argument("--tessdata", help="a folder of other language files, for the choice large-model")
    parser.add_argument("--ocrmypdf", default=shutil.which("ocrmypdf"), help="OCRmyPDF's command")
    parser.add_argument(
        "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes [default one a core; 0: no commands]"
    )
    parser.add_argument("--one", choices=[*CHOICES], help=argparse.SUPPRESS)
    flags = parser.parse_args()
    scans = make_scans(flags.shared, flags.pages)
    if flags.one:
        print(json.dumps([vars(score) for score in measured(CHOICES[flags.one], scans, flags.tessdata)]))
        return
    if flags.choices:
        print("| choice | CPU s/page | pages/s | CER | word F1 | CER by kind |\n|---|---|---|---|---|---|")
    for name in flags.choices:
        if not CHOICES[name].needs_folder or flags.tessdata:
            print_choice(name, in_process_of_its_own(name, flags))
    if flags.jobs:
        compare_commands(scans, flags.ocrmypdf, flags.jobs)


def in_process_of_its_own(name: str, flags: argparse.Namespace) -> list[Score]:
    """Measure a choice where no other one has left a setting: some of Tesseract's are those of the whole process."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.ocr",
        "--one",
        name,
        "--shared",
        str(flags.shared),
        "--pages",
        str(flags.pages),
    ]
    command += ["--tessdata", flags.tessdata] if flags.tessdata else []
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
    return [Score(**one) for one in json.loads(done.stdout)]


def print_choice(name: str, scores: list[Score]) -> None:
    """Print one row of the table."""
    seconds = mean(score.seconds for score in scores)
    kinds = sorted({score.kind for score in scores})
    by_kind = [f"{kind} {mean(s.error_rate for s in scores if s.kind == kind):.3f}" for kind in kinds]
    errors, words = mean(score.error_rate for score in scores), mean(score.words_f1 for score in scores)
    about = CHOICES[name].about if name in CHOICES else name
    print(f"| {about} | {seconds:.2f} | {1 / seconds:.2f} | {errors:.3f} | {words:.3f} | {', '.join(by_kind)} |", flush=True)


def measured(choice: Choice, scans: Sequence[Scan], folder: str | None) -> list[Score]:
    """Recognise all scans in the way of a choice."""
    tesseract.SETTINGS.update(choice.settings)
    if choice.mode:
        tesseract.PSM_PAGE = choice.mode
    engine = _engine(choice, folder)
    if choice.mode and isinstance(engine, ResidentEngine):
        engine._library = _WithMode(engine._library, int(choice.mode))
    return [_measured(choice, engine, scan) for scan in scans]


def _engine(choice: Choice, folder: str | None) -> OcrEngine:
    program = engines._probed(shutil.which("tesseract") or "tesseract")
    if program is None:
        raise SystemExit("the tesseract command is not installed")
    if not choice.is_resident:
        return program
    return ResidentEngine((folder if choice.needs_folder else None) or program.data_folder or "")


def _measured(choice: Choice, engine: OcrEngine, scan: Scan) -> Score:
    languages = scan.languages
    if choice.languages == "auto":
        languages = "auto"
    elif choice.languages and languages != "eng":
        languages += choice.languages
    started = cpu_seconds()
    image = drawn(scan, choice.dpi)
    if choice.one_bit:
        info, image = image.info, image.point(lambda level: 255 * (level > 128)).convert("1")
        image.info = info
    if choice.attempts:
        text = read_picture(engine, image, languages, TIMEOUT_SECONDS).text
    else:
        text = engine.recognise(image, languages, TIMEOUT_SECONDS).text
    seconds = cpu_seconds() - started
    return Score(scan.kind, seconds, error_rate(scan.text, text), words_f1(scan.text, text))


def drawn(scan: Scan, dpi: int | None) -> Image.Image:
    """Return the scan's page as the engine gets it."""
    document = pdfium.PdfDocument(scan.pdf)
    if dpi is None:
        return rendering.render_page(document, 1, ExtractOptions())
    image = document[0].render(scale=dpi / 72, grayscale=True).to_pil().convert("L").copy()
    image.info["dpi"] = (dpi, dpi)
    return image


class _WithMode:
    """tesserocr with another mode in the place of the usual one."""

    def __init__(self, library: object, mode: int) -> None:
        self._library = library
        self.PSM = type("PSM", (), {"AUTO": mode, "SPARSE_TEXT": 11, "OSD_ONLY": 0})

    def __getattr__(self, name: str) -> object:
        return getattr(self._library, name)


def compare_commands(scans: Sequence[Scan], ocrmypdf: str | None, jobs: int) -> None:
    """Print docbeam beside OCRmyPDF on the same PDFs, and one child beside `jobs`: seconds by the clock and of CPU."""
    print("\n| whole command | jobs | seconds | CPU s | pages/s | CER | word F1 |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="docbeam-ocr-") as folder:
        piles = [(languages, pdf, mine, Path(folder) / f"{languages}.pdf") for languages, pdf, mine in joined_pdfs(list(scans))]
        for _, pdf, _, path in piles:
            path.write_bytes(pdf)
        ways: list[tuple[str, int, Callable[[str, Path, Path, int], list[str]], tuple[str, ...]]] = [
            ("docbeam extract", jobs, docbeam_texts, ()),
            ("docbeam extract", 1, docbeam_texts, ()),
        ]
        if ocrmypdf:
            fastest = ("--output-type", "pdf", "--optimize", "0")
            for name, arguments in (("its defaults", ()), ("fastest", fastest), ("as we do", (*fastest, *SAME_STEPS))):
                ways.append((f"OCRmyPDF, {name}", jobs, _ocrmypdf_texts(ocrmypdf, arguments), arguments))
        for name, wanted, read, arguments in ways:
            clock, cpu = time.perf_counter(), cpu_seconds()
            found = [read(languages, path, Path(folder) / "out", wanted) for languages, _, _, path in piles]
            clock, cpu = time.perf_counter() - clock, cpu_seconds() - cpu
            texts = [text for texts in found for text in texts]
            known = [scan.text for _, _, mine, _ in piles for scan in mine]
            errors = mean(error_rate(truth, text) for truth, text in zip(known, texts, strict=True))
            words = mean(words_f1(truth, text) for truth, text in zip(known, texts, strict=True))
            shown = f"{name}: {' '.join(arguments)}" if arguments else name
            print(
                f"| {shown} | {wanted} | {clock:.1f} | {cpu:.1f} | {len(known) / clock:.2f} | {errors:.3f} | {words:.3f} |",
                flush=True,
            )


SAME_STEPS = ("--rotate-pages", "--deskew")


def docbeam_texts(languages: str, path: Path, out: Path, jobs: int) -> list[str]:
    """Run `docbeam extract` on one PDF and return the text of each page."""
    import pyarrow.dataset as dataset

    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "docbeam", "extract", str(path), "--output", str(out), "--progress", "none"]
    command += ["--ocr-languages", languages, "--max-concurrent-extractions", str(jobs), "--pages-per-task", "1"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    row = dataset.dataset(out / "documents").to_table(columns=["content", "pages"]).to_pylist()[0]
    return [row["content"][page["start"] : page["end"]] for page in row["pages"]]


def _ocrmypdf_texts(command: str, arguments: Sequence[str]) -> Callable[[str, Path, Path, int], list[str]]:
    def texts(languages: str, path: Path, out: Path, jobs: int) -> list[str]:
        sidecar = out.with_suffix(".txt")
        given = ["--quiet", "--jobs", str(jobs), "-l", languages, *arguments, "--sidecar", str(sidecar)]
        subprocess.run([command, *given, str(path), str(out.with_suffix(".pdf"))], check=True)
        return sidecar.read_text().removesuffix("\f").split("\f")

    return texts


def normal(text: str) -> str:
    """Return a text in the form in which errors are counted."""
    folded = unicodedata.normalize("NFKC", text.translate(SAME))
    return UNSPACED.sub("", " ".join(LEADERS.sub(" ", " ".join(folded.split())).split()))


def error_rate(truth: str, text: str) -> float:
    """Return the share of characters that are wrong, 1 at most."""
    known, found = normal(truth), normal(text)
    return min(Levenshtein.distance(known, found) / max(len(known), 1), 1.0)


def words_f1(truth: str, text: str) -> float:
    """Return the F1 of the words, each counted as often as it stands there."""
    known, found = Counter(normal(truth).split()), Counter(normal(text).split())
    return 2 * (known & found).total() / max(known.total() + found.total(), 1)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that have ended below it."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
