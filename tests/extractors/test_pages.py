"""Page markers and page ranges, by format: what is wanted is read, the numbers stay the document's own."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.engine import read_document
from docbeam.extractors.recognition import PageText, join_pages, unrecognised
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Branch, ErrorCategory, Origin, PageKind, TruncationReason, WarningCode
from tests.extractors.ooxml.office import box, pptx
from tests.extractors.ooxml.workbooks import sheet, xlsx
from tests.extractors.pdfs import Pdf, line

WORDS = ("first page with enough words on it", "second page with enough words on it", "third page with enough words on it")
MARKERS = ExtractOptions(page_markers=True)


def pdf() -> bytes:
    document = Pdf()
    for words in WORDS:
        document.page(line(words))
    return document.bytes()


def book() -> bytes:
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>{}</t></is></c></row>'
    return xlsx({f"Name {n}": sheet(row.format(words)) for n, words in enumerate(WORDS, 1)})


def scan() -> bytes:
    file = io.BytesIO()
    pages = [Image.new("L", (100, 50), 255) for _ in range(3)]
    pages[0].save(file, "TIFF", save_all=True, append_images=pages[1:])
    return file.getvalue()


def read(data: bytes, **options: object) -> Extracted:
    found = read_document(Source(data=data), ExtractOptions(**options))  # type: ignore[arg-type]
    assert found.extracted is not None, found.error
    return found.extracted


def texts(extracted: Extracted) -> list[str]:
    return [extracted.content[page.start : page.end] for page in extracted.pages]


@pytest.mark.parametrize(
    ("data", "markers"),
    [
        (pdf(), ["[Page 1]", "[Page 2]", "[Page 3]"]),
        (pptx([box(words) for words in WORDS]), ["[Slide 1]", "[Slide 2]", "[Slide 3]"]),
        (book(), ["[Sheet Name 1]", "[Sheet Name 2]", "[Sheet Name 3]"]),
    ],
    ids=["pdf", "pptx", "xlsx"],
)
def test_each_page_begins_with_its_marker(data: bytes, markers: list[str]) -> None:
    found = read(data, page_markers=True)
    assert texts(found) == [f"{marker}\n{words}" for marker, words in zip(markers, WORDS, strict=True)]
    assert found.content == "\n\n".join(texts(found))


@pytest.mark.parametrize("data", [pdf(), pptx([box(words) for words in WORDS]), book()], ids=["pdf", "pptx", "xlsx"])
@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({"start_page": 2}, [2, 3]),
        ({"end_page": 2}, [1, 2]),
        ({"max_pages": 1}, [1]),
        ({"start_page": 2, "max_pages": 1}, [2]),
        ({"start_page": 2, "end_page": 3, "max_pages": 9}, [2, 3]),
    ],
)
def test_only_wanted_pages_are_read_and_keep_their_numbers(data: bytes, options: dict[str, int], numbers: list[int]) -> None:
    found = read(data, **options)
    assert [page.number for page in found.pages] == numbers
    assert [words in found.content for words in WORDS] == [number in numbers for number in (1, 2, 3)]
    assert found.page_count == 3
    assert found.truncation is TruncationReason.PAGE_RANGE


@pytest.mark.parametrize("data", [pdf(), book()], ids=["pdf", "xlsx"])
def test_a_range_that_covers_the_document_cuts_nothing(data: bytes) -> None:
    assert read(data, end_page=3, max_pages=7).truncation is None


@pytest.mark.parametrize("data", [pdf(), pptx([box("x")]), book(), scan()], ids=["pdf", "pptx", "xlsx", "tiff"])
def test_a_start_behind_the_end_gives_no_text_and_a_warning(data: bytes) -> None:
    found = read(data, start_page=9)
    assert (found.content, found.pages, found.truncation) == ("", (), TruncationReason.PAGE_RANGE)
    assert [notice.code for notice in found.warnings] == [WarningCode.NO_TEXT]
    assert found.page_count is not None


def test_frames_outside_of_the_range_are_not_recognised() -> None:
    found = read(scan(), start_page=2, end_page=2)
    assert [(page.number, page.origin) for page in found.pages] == [(2, Origin.PENDING)]
    assert (found.page_count, found.truncation) == (3, TruncationReason.PAGE_RANGE)
    assert [page.number for page in read(scan(), start_page=3, max_pages_to_rasterise=1).pages] == [3]


def test_a_start_behind_the_end_page_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="end_page: 2 lies before start_page 3"):
        ExtractOptions(start_page=3, end_page=2)


def test_an_extractor_that_reads_all_pages_still_shows_only_the_wanted_ones() -> None:
    out = TextBuilder(ExtractOptions(start_page=2, page_markers=True))
    for number in (1, 2, 3):
        out.page(number, f"text {number}", kind=PageKind.CHAPTER, label=f"{number}\n of 3")
    found = out.extracted()
    assert found.content == "[Chapter 2 of 3]\ntext 2\n\n[Chapter 3 of 3]\ntext 3"
    assert found.truncation is TruncationReason.PAGE_RANGE


def test_documents_without_pages_are_read_whole() -> None:
    found = read(b"some text without any pages", start_page=5, page_markers=True)
    assert (found.content, found.truncation) == ("some text without any pages", None)


# OCR


def pending(native: str = "") -> Extracted:
    out = TextBuilder(MARKERS)
    out.page(1, native, Origin.PENDING)
    out.page(2, "", Origin.PENDING)
    return out.extracted(page_count=2)


def test_recognised_text_stands_under_its_marker() -> None:
    found = [PageText(number=1, text="one", confidence=0.9), PageText(number=2, text="two", confidence=0.9)]
    joined, branch, _ = join_pages(pending("x"), found, MARKERS)
    assert joined.content == "[Page 1]\none\n\n[Page 2]\ntwo"
    assert texts(joined) == ["[Page 1]\none", "[Page 2]\ntwo"]
    assert branch is Branch.OCR


def test_markers_are_no_text_of_a_document_that_could_not_be_recognised() -> None:
    with pytest.raises(ExtractionError) as caught:
        unrecognised(pending(), MediaType.PDF, ocr_wanted=True)
    assert caught.value.category is ErrorCategory.NEEDS_OCR
    failure = ExtractionError(ErrorCategory.TIMEOUT, "too slow")
    with pytest.raises(ExtractionError):
        join_pages(pending(), [PageText(number=n, error=failure) for n in (1, 2)], MARKERS)
    assert unrecognised(pending("native words"), MediaType.PDF, ocr_wanted=True).content.endswith("[Page 2]")


def test_markers_count_towards_the_cap() -> None:
    found = read(pdf(), page_markers=True, max_extracted_chars=20)
    assert (found.content, found.truncation) == (f"[Page 1]\n{WORDS[0]}"[:20], TruncationReason.MAX_EXTRACTED_CHARS)


def test_a_real_workbook_has_one_marker_a_sheet(golden: Path = Path(__file__).parent.parent / "golden" / "xlsx") -> None:
    for path in sorted(golden.glob("*.xlsx")):
        found = read(path.read_bytes(), page_markers=True)
        assert all(text.startswith("[Sheet ") for text in texts(found))
