"""Recognised pages in their document, documents that can't be recognised, and the library's extract_text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from docbeam.extractors import extract_text
from docbeam.extractors.ocr import Recognised, find_engine
from docbeam.extractors.recognition import PageText, join_pages, named_pages, recognise_page, unrecognised
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Notice, Page, Target
from docbeam.schemas.vocabulary import Branch, Confidence, ErrorCategory, Origin, TruncationReason, WarningCode

GOLDEN = Path(__file__).parent.parent / "golden" / "image"
OPTIONS = ExtractOptions()
FAILURE = ExtractionError(ErrorCategory.TIMEOUT, "too slow")
needs_engine = pytest.mark.skipif(find_engine() is None, reason="the tesseract command is not installed")


def document(*pages: tuple[str, Origin], tail: str = "") -> Extracted:
    content, laid = "", []
    for number, (text, origin) in enumerate(pages, 1):
        content += "\n\n" if content and text else ""
        laid.append(Page(number, len(content), len(content) + len(text), origin))
        content += text
    return Extracted(content=content + tail, pages=tuple(laid), page_count=len(laid))


def scan(count: int) -> Extracted:
    return document(*[("", Origin.PENDING)] * count)


def texts(extracted: Extracted) -> list[str]:
    return [extracted.content[page.start : page.end] for page in extracted.pages]


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_recognised_pages_take_their_places_in_order() -> None:
    found = [PageText(number=2, text="two", confidence=0.8), PageText(number=1, text="one", confidence=0.9)]
    joined, branch, confidence = join_pages(scan(2), found, OPTIONS)
    assert joined.content == "one\n\ntwo"
    assert texts(joined) == ["one", "two"]
    assert (branch, confidence) == (Branch.OCR, 0.85)
    assert joined.confidence is Confidence.HEURISTIC
    assert joined.tiers == ("native", "ocr")
    assert [(page.origin, page.ocr_confidence) for page in joined.pages] == [(Origin.OCR, 0.9), (Origin.OCR, 0.8)]


def test_native_pages_and_text_outside_of_pages_stay() -> None:
    native = document(("first", Origin.NATIVE), ("", Origin.PENDING), ("third", Origin.NATIVE), tail="\n\nnotes")
    joined, branch, _ = join_pages(native, [PageText(number=2, text="second", confidence=0.9)], OPTIONS)
    assert joined.content == "first\n\nsecond\n\nthird\n\nnotes"
    assert texts(joined) == ["first", "second", "third"]
    assert branch is Branch.MIXED


def test_a_page_keeps_its_own_text_where_ocr_found_fewer_letters() -> None:
    native = document(("Page 7 of the harbour book", Origin.PENDING), ("7", Origin.PENDING))
    found = [PageText(number=1, text="~", confidence=0.3), PageText(number=2, text="The whole page", confidence=0.9)]
    joined, branch, _ = join_pages(native, found, OPTIONS)
    assert texts(joined) == ["Page 7 of the harbour book", "The whole page"]
    assert [page.origin for page in joined.pages] == [Origin.NATIVE, Origin.OCR]
    assert branch is Branch.MIXED


def test_a_short_title_beside_a_picture_is_not_lost_to_its_reading() -> None:
    found = PageText(number=1, text="Anrual repart\nA picture of the eastern bridge", confidence=0.8)
    joined, *_ = join_pages(document(("Annual report", Origin.PENDING)), [found], OPTIONS)
    assert joined.content == "Annual report\n\nAnrual repart\nA picture of the eastern bridge"
    assert [(page.start, page.end, page.origin) for page in joined.pages] == [(0, len(joined.content), Origin.OCR)]


def test_blank_pages_leave_no_gap() -> None:
    found = [
        PageText(number=1, text="one", confidence=0.9),
        PageText(number=2),
        PageText(number=3, text="three", confidence=0.9),
    ]
    joined, _, _ = join_pages(scan(3), found, OPTIONS)
    assert joined.content == "one\n\nthree"
    assert texts(joined) == ["one", "", "three"]


@pytest.mark.parametrize("limit", [1, 3, 4, 5, 8])
def test_the_character_cap_holds_and_offsets_stay_inside(limit: int) -> None:
    found = [PageText(number=1, text="one", confidence=0.9), PageText(number=2, text="two", confidence=0.9)]
    joined, _, _ = join_pages(scan(2), found, ExtractOptions(max_extracted_chars=limit))
    assert joined.content == "one\n\ntwo"[:limit]
    assert (joined.truncation is TruncationReason.MAX_EXTRACTED_CHARS) == (limit < 8)
    assert all(0 <= page.start <= page.end <= len(joined.content) for page in joined.pages)


def test_failed_pages_are_named_and_the_others_kept() -> None:
    joined, _, _ = join_pages(
        scan(2), [PageText(number=1, text="one", confidence=0.9), PageText(number=2, error=FAILURE)], OPTIONS
    )
    assert joined.content == "one"
    assert joined.truncation is TruncationReason.PAGE_FAILED
    assert [(notice.code, notice.part) for notice in joined.warnings] == [(WarningCode.PAGE_FAILED, "page 2")]
    assert joined.pages[1].origin is Origin.PENDING


def test_if_all_pages_fail_and_there_is_no_text_the_document_fails() -> None:
    with pytest.raises(ExtractionError) as caught:
        join_pages(scan(2), [PageText(number=1, error=FAILURE), PageText(number=2, error=FAILURE)], OPTIONS)
    assert caught.value is FAILURE


def test_if_all_pages_fail_native_text_keeps_the_document() -> None:
    native = document(("first", Origin.NATIVE), ("", Origin.PENDING))
    joined, branch, _ = join_pages(native, [PageText(number=2, error=FAILURE)], OPTIONS)
    assert (joined.content, branch, joined.confidence) == ("first", Branch.NATIVE, Confidence.DETERMINISTIC)


def test_pages_that_were_never_tried_are_named() -> None:
    joined, _, _ = join_pages(scan(4), [PageText(number=1, text="one", confidence=0.9)], OPTIONS)
    assert [(notice.code, notice.part) for notice in joined.warnings] == [(WarningCode.NEEDS_OCR, "pages 2-4")]


def test_a_damaged_page_marks_the_document() -> None:
    notice = Notice(WarningCode.PART_DAMAGED, "page 1", "cut")
    joined, _, _ = join_pages(scan(1), [PageText(number=1, text="one", confidence=0.9, notices=(notice,))], OPTIONS)
    assert joined.truncation is TruncationReason.DAMAGED
    assert notice in joined.warnings


def test_a_picture_without_text_says_so() -> None:
    joined, branch, confidence = join_pages(scan(1), [PageText(number=1)], OPTIONS)
    assert (joined.content, branch, confidence) == ("", Branch.OCR, None)
    assert [notice.code for notice in joined.warnings] == [WarningCode.NO_TEXT]


def test_without_ocr_native_text_stays_and_the_pages_are_named() -> None:
    native = document(("first", Origin.NATIVE), ("", Origin.PENDING), ("", Origin.PENDING))
    kept = unrecognised(native, MediaType.PDF, ocr_wanted=True)
    assert kept.content == "first"
    assert [(notice.code, notice.part) for notice in kept.warnings] == [(WarningCode.NEEDS_OCR, "pages 2-3")]


@pytest.mark.parametrize(
    ("media_type", "ocr_wanted", "category"),
    [
        (MediaType.PDF, False, ErrorCategory.MISSING_TEXT_LAYER),
        (MediaType.PDF, True, ErrorCategory.NEEDS_OCR),
        (MediaType.PNG, False, ErrorCategory.NEEDS_OCR),
        (MediaType.PNG, True, ErrorCategory.NEEDS_OCR),
    ],
)
def test_without_ocr_and_text_there_is_no_document(media_type: str, ocr_wanted: bool, category: ErrorCategory) -> None:
    with pytest.raises(ExtractionError) as caught:
        unrecognised(scan(2), media_type, ocr_wanted=ocr_wanted)
    assert caught.value.category is category


def test_page_numbers_are_named_in_runs() -> None:
    assert named_pages([3]) == "page 3"
    assert named_pages([7, 1, 2, 3, 9, 10]) == "pages 1-3, 7, 9-10"


class OneAnswer:
    """An engine that always gives the same answer."""

    name, version, languages, data_folder = "fake", "1", ("eng",), None

    def __init__(self, answer: Recognised) -> None:
        self.answer = answer

    def recognise(self, image: Image.Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False) -> Recognised:
        return self.answer

    def orientation(self, image: Image.Image, timeout_seconds: float) -> None:
        return None


def bar() -> Image.Image:
    image = Image.new("L", (400, 300), 255)
    ImageDraw.Draw(image).rectangle((20, 20, 200, 60), fill=0)
    return image


@pytest.mark.parametrize(
    ("answer", "text", "confidence", "codes"),
    [
        (Recognised("quay", 0.9), "quay", 0.9, []),
        (Recognised("quay", 0.5), "quay", 0.5, [WarningCode.LOW_CONFIDENCE]),
        (Recognised("~ =", 0.2, 0.0), "", None, [WarningCode.LOW_CONFIDENCE]),
        (Recognised("", None, 0.0), "", None, []),
    ],
)
def test_doubt_about_a_page_is_in_its_notices(
    answer: Recognised, text: str, confidence: float, codes: list[WarningCode]
) -> None:
    page = recognise_page(Source(data=png(bar())), MediaType.PNG, Target(1), OPTIONS, OneAnswer(answer))
    assert (page.text, page.confidence) == (text, confidence)
    assert [notice.code for notice in page.notices] == codes


def test_a_cut_picture_gives_what_it_has_or_is_corrupt() -> None:
    noise = Image.effect_noise((400, 300), 90)
    data = png(noise)[:40_000]
    page = recognise_page(Source(data=data), MediaType.PNG, Target(1), OPTIONS, OneAnswer(Recognised("quay", 0.9)))
    assert [notice.code for notice in page.notices] == [WarningCode.PART_DAMAGED]
    page = recognise_page(Source(data=data), MediaType.PNG, Target(1), OPTIONS, OneAnswer(Recognised("", None, 0.0)))
    assert page.error is not None and page.error.category is ErrorCategory.CORRUPT


def test_a_type_without_pictures_of_pages_is_an_error_in_the_page() -> None:
    page = recognise_page(Source(data=b"a,b\n"), MediaType.CSV, Target(1), OPTIONS, OneAnswer(Recognised("", None)))
    assert page.error is not None and page.error.category is ErrorCategory.UNSUPPORTED_MEDIA_TYPE


@needs_engine
@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_real_pictures_are_read(path: Path) -> None:
    picture = next(other for other in GOLDEN.glob(path.stem + ".*") if other.suffix != ".txt")
    assert extract_text(picture, isolated=False).content.strip() == path.read_text().strip()


@needs_engine
@pytest.mark.parametrize("isolated", [True, False])
def test_the_library_reads_paths_bytes_and_files(isolated: bool) -> None:
    picture = GOLDEN / "tika__testOCR.jpg"
    with picture.open("rb") as file:
        found = [extract_text(given, isolated=isolated) for given in (str(picture), picture.read_bytes(), file)]
    assert {one.content for one in found} == {"Apache Tika\nOCR Testing"}
    one = found[0]
    assert (one.media_type, one.extractor, one.branch) == (MediaType.JPEG, "image", Branch.OCR)
    assert (one.is_truncated, one.confidence, one.page_count) == (False, Confidence.HEURISTIC, 1)
    assert one.ocr_confidence is not None and one.ocr_confidence > 0.9


@pytest.mark.parametrize("given", [b"x" * 20, io.BytesIO(b"x" * 20)])
def test_the_library_keeps_the_body_cap(given: bytes | io.BytesIO) -> None:
    with pytest.raises(ExtractionError) as caught:
        extract_text(given, options=ExtractOptions(max_body_bytes=10), isolated=False)
    assert caught.value.category is ErrorCategory.INPUT_TOO_LARGE


def test_the_library_reads_text_without_an_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))  # where a resident engine would find its languages
    assert extract_text(b"plain words\n", name="a.txt", isolated=False).content.strip() == "plain words"
    with pytest.raises(ExtractionError) as caught:
        extract_text(png(bar()), isolated=False)
    assert caught.value.category is ErrorCategory.NEEDS_OCR


@needs_engine
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("jpeg_exif_orientation.jpg", "Receipt of the chandler twelve fathoms of rope paid in full at noon"),
        ("png_16_bit.png", "Sounding chart number nine mud and shells at low water"),
    ],
)
def test_known_traps_of_pictures_are_read(shared: Path, name: str, words: str) -> None:
    found = extract_text(shared / "cases" / "files" / name, isolated=False)
    assert found.content.split() == words.split()
