"""The options of an extraction. Everything here can change a row, so all of it is in the engine fingerprint."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from docbeam.schemas.errors import UsageError

MIB = 1024 * 1024
MOST = 1 << 48  # for any number: past it, arithmetic in C overflows somewhere
MOST_SECONDS = 86_400
MOST_CHILDREN = 1024
TABLES = ("key_value", "markdown", "csv", "tsv", "omit")
TABLE_HEADERS = ("auto", "first_row", "none")
REPROCESS = ("changed-input", "changed-engine", "all")


def option(default: Any, unit: str, help: str, *, least: float = 1, most: float = MOST, choices: tuple[str, ...] = ()) -> Any:
    """Declare an option: its default, unit and sentence; the command line, the reference page and the checks read them.

    An option with `choices` takes one of these words, and they stand for its unit.
    """
    unit = named_choices(choices) if choices else unit
    metadata = {"unit": unit, "help": help, "least": least, "most": most, "choices": choices}
    return dataclasses.field(default=default, metadata=metadata)


def named_choices(choices: tuple[str, ...]) -> str:
    """Return words as a sentence lists them: `a, b or c`."""
    return f"{', '.join(choices[:-1])} or {choices[-1]}"


def check_options(options: Any) -> None:
    """Raise UsageError for a field whose value has the wrong type or is out of its range."""
    for field in dataclasses.fields(options):
        value, default = getattr(options, field.name), field.default
        if isinstance(default, bool):
            if not isinstance(value, bool):
                raise UsageError(f"{field.name}: {value!r} is not true or false")
        elif isinstance(default, (int, float)):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise UsageError(f"{field.name}: {value!r} is not a number ({field.metadata['unit']})")
            if isinstance(default, int) and not isinstance(value, int):
                raise UsageError(f"{field.name}: {value!r} is not a whole number ({field.metadata['unit']})")
            least, most = field.metadata["least"], field.metadata["most"]
            if not least <= value <= most:
                limit = f"the most is {most}" if value > most else f"the least is {least}"
                raise UsageError(f"{field.name}: {value!r} is out of range, {limit} ({field.metadata['unit']})")
        elif isinstance(default, str) and not isinstance(value, str):
            raise UsageError(f"{field.name}: {value!r} is not a text")
        elif (choices := field.metadata["choices"]) and value not in choices:
            raise UsageError(f"{field.name}: {value!r} is not {named_choices(choices)}")


@dataclass(frozen=True, kw_only=True)
class ExtractOptions:
    """Caps and choices of the extractors. Raises UsageError on birth if a value is out of range."""

    max_body_bytes: int = option(100 * MIB, "bytes", "Largest file that is read; larger ones go to quarantine.")
    max_decompressed_bytes: int = option(500_000_000, "bytes", "Most bytes that one container may unpack to.")
    max_zip_entries: int = option(10_000, "entries", "Most entries that one container may have.")
    max_extracted_chars: int = option(500_000, "characters", "Longest text of a document; the rest is cut and the row says so.")
    max_depth: int = option(
        10, "levels", "Deepest level at which embedded documents are read; an attachment is at level 1.", least=0
    )
    container_timeout_seconds: float = option(
        600.0,
        "seconds",
        "Longest time for all documents embedded in one input; the rest goes to quarantine.",
        least=0.1,
        most=MOST_SECONDS,
    )
    extraction_timeout_seconds: float = option(
        30.0,
        "seconds",
        "Soft deadline of one document's native extraction; the hard kill comes a little later.",
        least=0.1,
        most=MOST_SECONDS,
    )
    ocr_page_timeout_seconds: float = option(
        60.0, "seconds", "Hard deadline for recognising one page.", least=0.1, most=MOST_SECONDS
    )
    sandbox_memory_bytes: int = option(2048 * MIB, "bytes", "Address space of one sandbox child.", least=256 * MIB)
    min_native_chars_per_page: int = option(
        32, "characters", "A page of a PDF with fewer characters of its own is rasterised and recognised.", least=0
    )
    render_dpi: int = option(300, "dots per inch", "Resolution at which pages are rasterised for OCR.", least=36)
    max_pages_to_rasterise: int = option(200, "pages", "Most pages of one document that are recognised.", least=0)
    max_page_pixels: int = option(
        104_857_600, "pixels", "Largest rasterised page; a larger one gets a lower resolution or none."
    )
    max_image_pixels: int = option(100_000_000, "pixels", "Largest picture that is decoded, by its header.")
    tables: str = option("tsv", "", "How tables are written; omit leaves them out and says so in the warnings.", choices=TABLES)
    table_headers: str = option(
        "auto", "", "Which rows name the columns: those that the format marks, the first one, or none.", choices=TABLE_HEADERS
    )
    page_markers: bool = option(False, "yes or no", "Begin each page's text with a line such as [Page 3] or [Slide 3].")
    start_page: int = option(1, "page", "First page, slide, sheet, chapter or frame that is read.")
    end_page: int = option(0, "page", "Last one that is read; 0 is the document's last.", least=0)
    max_pages: int = option(0, "pages", "Most of them that are read, from the first wanted one on; 0 is no limit.", least=0)
    dedupe: bool = option(False, "yes or no", "Read inputs with equal bytes once in a run; the others' rows say duplicate_of.")
    duplicate_text: bool = option(True, "yes or no", "Give duplicates their text too; without, only the first has it.")
    ocr: bool = option(True, "yes or no", "Recognise text in pictures and in pages without text.")
    ocr_embedded: bool = option(True, "yes or no", "Recognise pictures inside of documents too, not only whole pages.")
    max_ocr_images: int = option(20, "pictures", "Most pictures inside one document that are recognised.", least=0)
    ocr_languages: str = option(
        "eng",
        "language codes",
        "Tesseract's languages, joined by +, such as eng+fra; auto: each page's script and text choose among the installed.",
    )
    ocr_words: bool = option(False, "yes or no", "Give recognised pages their words with confidence and box.")

    def __post_init__(self) -> None:
        check_options(self)
        if not re.fullmatch(r"[A-Za-z_/]+(\+[A-Za-z_/]+)*", self.ocr_languages):
            raise UsageError(f"ocr_languages: {self.ocr_languages!r} is not codes joined by +, such as eng+fra")
        if self.end_page and self.end_page < self.start_page:
            raise UsageError(f"end_page: {self.end_page} lies before start_page {self.start_page}")

    @property
    def last_page(self) -> int | None:
        """The last page that is wanted, or None for the document's last: the stricter of `end_page` and `max_pages`."""
        ends = [end for end in (self.end_page, self.max_pages and self.start_page + self.max_pages - 1) if end]
        return min(ends, default=None)


@dataclass(frozen=True, kw_only=True)
class WorkOptions:
    """How the work is done. Nothing here changes a row, so nothing of it is in the engine fingerprint."""

    max_concurrent_extractions: int = option(
        0,
        "children",
        "Documents read at the same time in one process, each in its own child; 0 is one a core.",
        least=0,
        most=MOST_CHILDREN,
    )
    pages_per_task: int = option(4, "pages", "Pages that one OCR task takes; the tasks of a long scan spread over all workers.")
    part_rows: int = option(10_000, "rows", "A part file is closed when it has this many rows,")
    part_bytes: int = option(64 * MIB, "bytes", "or when its rows hold this much text.")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class RerunOptions:
    """What a run over an output that is there already reads again, and what it records."""

    reprocess: str = option(
        "changed-input",
        "",
        "What is read again beside new inputs: changed ones; those that another engine or other options have read; or all.",
        choices=REPROCESS,
    )
    tombstones: bool = option(
        False, "yes or no", "Take the rows of deleted inputs out of the datasets, and record them in OUT/tombstones."
    )

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What one run of the command counts as a success and shows, and where it runs."""

    max_quarantine_rate: float = option(
        1.0, "share from 0 to 1", "Exit code 3 if more than this share of the documents is in quarantine.", least=0
    )
    fail_on_integrity: bool = option(
        False, "yes or no", "Exit code 1 if the bytes of an input are not those that the manifest names."
    )
    progress: str = option(
        "auto", "", "How progress is shown; auto is a bar on a terminal, else lines.", choices=("auto", "bar", "lines", "none")
    )
    runner: str = option(
        "direct", "name", "Where it runs: direct, flink, dataflow, or a Beam runner's own name; Beam's options go behind `--`."
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.max_quarantine_rate > 1:
            raise UsageError(f"max_quarantine_rate: {self.max_quarantine_rate!r} is not a share from 0 to 1")
