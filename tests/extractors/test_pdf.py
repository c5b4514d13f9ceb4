"""PDF: opened or refused for a reason, pages that need OCR told apart, caps kept, pages drawn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pikepdf
import pytest

from docbeam.extractors.pdf import PdfExtractor
from docbeam.extractors.pdf.details import moment
from docbeam.extractors.protocol import Extractor, PageRenderer
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode
from tests.extractors.pdfs import A4, Pdf, document, line, lines

GOLDEN = Path(__file__).parent.parent / "golden" / "pdf"
OPTIONS = ExtractOptions()
LONG = "A sentence that is long enough for a page to count as text."


def read(data: bytes, options: ExtractOptions = OPTIONS) -> Extracted:
    return PdfExtractor().extract(Source(data=data), MediaType.PDF, options)


def refusal(data: bytes) -> ErrorCategory:
    with pytest.raises(ExtractionError) as caught:
        read(data)
    return caught.value.category


def origins(extracted: Extracted) -> list[Origin]:
    return [page.origin for page in extracted.pages]


@pytest.mark.parametrize("sample", sorted(GOLDEN.glob("*.pdf")), ids=lambda path: path.stem)
def test_a_real_document_reads_as_its_reader_sees_it(sample: Path) -> None:
    extracted = PdfExtractor().extract(Source(path=str(sample)), MediaType.PDF, OPTIONS)
    assert extracted.content == sample.with_suffix(".txt").read_text(encoding="utf-8").rstrip("\n")


def test_it_is_an_extractor_of_pdf_and_renders() -> None:
    assert isinstance(PdfExtractor(), Extractor)
    assert isinstance(PdfExtractor(), PageRenderer)
    assert PdfExtractor().can_handle(MediaType.PDF)
    assert not PdfExtractor().can_handle(MediaType.PLAIN)


def test_pages_follow_each_other_and_know_their_places() -> None:
    extracted = read(document(line("First page."), line("Second page.")))
    assert extracted.content == "First page.\n\nSecond page."
    assert [extracted.content[page.start : page.end] for page in extracted.pages] == ["First page.", "Second page."]
    assert extracted.page_count == 2
    assert extracted.tiers == ("native",)
    assert extracted.confidence is Confidence.DETERMINISTIC


def test_reading_twice_gives_equal_values() -> None:
    data = document(lines(LONG, "Again and a-", "gain."))
    assert read(data) == read(data)


def test_bytes_and_a_file_give_the_same(tmp_path: Path) -> None:
    data = document(line(LONG))
    (tmp_path / "é.pdf").write_bytes(data)
    assert PdfExtractor().extract(Source(path=str(tmp_path / "é.pdf")), MediaType.PDF, OPTIONS) == read(data)


def test_rubbish_before_the_header_is_tolerated() -> None:
    assert read(b"\r\nMIME-Version: 1.0\r\n\r\n" + document(line(LONG))).content == LONG


def test_a_password_is_asked_for_at_once_and_a_blank_one_is_tried() -> None:
    pdf = Pdf()
    pdf.page(line(LONG))
    locked = pdf.bytes(encryption=pikepdf.Encryption(user="secret", owner="secret"))
    assert refusal(locked) is ErrorCategory.ENCRYPTED_NO_KEY
    assert read(pdf.bytes(encryption=pikepdf.Encryption(user="", owner="secret"))).content == LONG


def test_a_broken_structure_is_told_from_what_is_no_pdf() -> None:
    assert refusal(b"%PDF-1.7\n" + b"nothing that can be used " * 40) is ErrorCategory.MALFORMED_XREF
    assert refusal(b"\x00\x01 nothing at all " * 40) is ErrorCategory.CORRUPT


def test_a_file_cut_short_is_rebuilt_and_says_so() -> None:
    pdf = Pdf()
    for number in range(30):
        pdf.page(line(f"Page {number} of a report. {LONG}"))
    data = pdf.bytes(object_stream_mode=pikepdf.ObjectStreamMode.disable)
    extracted = read(data[: data.rindex(b"xref\n0")])
    assert "Page 0 of a report." in extracted.content
    assert extracted.confidence is Confidence.HEURISTIC or extracted.tiers == ("native",)


def test_content_that_cannot_be_unpacked_is_no_blank_page() -> None:
    pdf = Pdf()
    for number in range(2):
        page = pdf.page(lines(LONG, f"Page {number}"))
        if number:
            page.Contents = pdf.pdf.make_stream(b"\xff\x00 rubbish that no inflater takes" * 9, Filter=pikepdf.Name.FlateDecode)
    extracted = read(pdf.bytes(stream_decode_level=pikepdf.StreamDecodeLevel.none))
    assert extracted.truncation is TruncationReason.DAMAGED
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.PAGE_FAILED, "page 2")]
    del pdf.pdf.pages[0]
    data = pdf.bytes(stream_decode_level=pikepdf.StreamDecodeLevel.none)
    assert refusal(data) is ErrorCategory.STREAM_DECOMPRESSION_FAIL


def test_what_the_document_says_of_itself_is_kept() -> None:
    pdf = Pdf()
    pdf.page(line(LONG))
    pdf.pdf.docinfo["/Title"] = "The crane"
    pdf.pdf.docinfo["/Author"] = "Ödön"
    pdf.pdf.docinfo["/Keywords"] = "harbour, crane"
    pdf.pdf.docinfo["/CreationDate"] = "D:20240229235959+05'30'"
    extracted = read(pdf.bytes(min_version="1.7"))
    assert (extracted.title, extracted.author) == ("The crane", "Ödön")
    assert extracted.created_at == datetime(2024, 2, 29, 23, 59, 59, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert extracted.modified_at is None
    assert extracted.metadata["pdf.keywords"] == "harbour, crane"
    assert extracted.metadata["pdf.version"] == "1.7"
    assert extracted.metadata["pdf.isTagged"] == "false"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("D:2019", datetime(2019, 1, 1, tzinfo=UTC)),
        ("20190304050607Z", datetime(2019, 3, 4, 5, 6, 7, tzinfo=UTC)),
        ("D:20190304050607-08'00'", datetime(2019, 3, 4, 5, 6, 7, tzinfo=timezone(timedelta(hours=-8)))),
        ("D:20191399", None),
        ("D:20190101000000+99'00'", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_aware_or_none(value: str, expected: datetime | None) -> None:
    assert moment(value) == expected


def test_a_scan_is_pending_and_a_blank_page_is_not() -> None:
    pdf = Pdf()
    pdf.picture(pdf.page(), 0, 0, *A4)
    pdf.page()
    pdf.page(line("Chapter 2"))
    pdf.page(line("Chapter 3") + b"50 690 m 500 690 l S 40 40 500 700 re S\n")
    extracted = read(pdf.bytes())
    assert origins(extracted) == [Origin.PENDING, Origin.NATIVE, Origin.NATIVE, Origin.NATIVE]
    assert extracted.content == "Chapter 2\n\nChapter 3"


def test_a_stamp_over_a_scan_does_not_make_it_text() -> None:
    pdf = Pdf()
    stamp = line("CONFIDENTIAL - PRODUCED UNDER PROTECTIVE ORDER - ABC0000123", y=20, size=8)
    pdf.picture(pdf.page(stamp), 0, 0, *A4)
    pdf.picture(pdf.page(line("COPY", y=20) + line(LONG, y=400, mode=3)), 0, 0, *A4)
    pdf.picture(pdf.page(lines(*[LONG] * 12)), 0, 0, *A4)
    pdf.picture(pdf.page(lines(LONG)), 60, 600, 90, 40)
    assert origins(read(pdf.bytes())) == [Origin.PENDING, Origin.NATIVE, Origin.NATIVE, Origin.NATIVE]


def test_a_picture_that_may_hold_text_beside_text_is_handed_out_once() -> None:
    pdf = Pdf()
    page = pdf.page(lines(*[LONG] * 12))
    pdf.picture(page, 60, 300, 200, 100, pixels=(400, 200))
    pdf.picture(pdf.page(lines(*[LONG] * 12)), 60, 300, 20, 10, pixels=(400, 200))
    pdf.picture(pdf.page(lines(*[LONG] * 12)), 0, 0, *A4, pixels=(500, 800))
    for _ in range(4):
        pdf.picture(pdf.page(lines(*[LONG] * 12)), 60, 300, 200, 100, pixels=(300, 120))
    extracted = read(pdf.bytes())
    assert set(origins(extracted)) == {Origin.NATIVE}
    assert [picture.part for picture in extracted.pictures] == ["page 1 picture 1", "page 4 picture 1"]
    assert {picture.position for picture in extracted.pictures} == {extracted.pages[0].end, extracted.pages[3].end}


def test_letters_drawn_as_outlines_are_pending() -> None:
    curve = b"".join(b"%d 100 m %d 130 %d 160 %d 190 c h f\n" % (x, x, x + 5, x + 9) for x in range(60, 560, 10))
    assert origins(read(document(curve))) == [Origin.PENDING]


def test_pages_beyond_the_cap_are_named() -> None:
    pdf = Pdf()
    for _ in range(5):
        pdf.picture(pdf.page(), 0, 0, *A4)
    extracted = read(pdf.bytes(), ExtractOptions(max_pages_to_rasterise=2))
    assert origins(extracted).count(Origin.PENDING) == 2
    assert extracted.truncation is TruncationReason.MAX_PAGES_TO_RASTERISE
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.NEEDS_OCR, "pages 3-5")]


def test_text_is_cut_at_the_cap() -> None:
    extracted = read(document(line(LONG), line(LONG)), ExtractOptions(max_extracted_chars=70))
    assert len(extracted.content) == 70
    assert extracted.truncation is TruncationReason.MAX_EXTRACTED_CHARS
    assert extracted.page_count == 2


def test_attached_files_are_handed_out() -> None:
    pdf = Pdf()
    pdf.page(line(LONG))
    pdf.pdf.attachments["offer-é.txt"] = b"The offer."
    extracted = read(pdf.bytes())
    assert [(member.path, member.size_bytes) for member in extracted.members] == [("offer-é.txt", 10)]
    assert extracted.warnings == ()


def test_a_page_is_drawn_in_grey_at_the_resolution_asked_for() -> None:
    image = PdfExtractor().render(Source(data=document(line(LONG))), MediaType.PDF, 1, ExtractOptions(render_dpi=100))
    assert (image.mode, image.info["dpi"]) == ("L", (100, 100))
    assert abs(image.width - 595 / 72 * 100) < 2
    assert image.getextrema()[0] < 64


def test_a_large_page_is_drawn_smaller_or_not_at_all() -> None:
    pdf = Pdf()
    pdf.page(line(LONG), size=(1440, 1440))
    source = Source(data=pdf.bytes())
    image = PdfExtractor().render(source, MediaType.PDF, 1, ExtractOptions(max_page_pixels=4_000_000))
    assert image.width * image.height <= 4_000_000
    assert image.info["dpi"][0] == 100
    with pytest.raises(ExtractionError) as caught:
        PdfExtractor().render(source, MediaType.PDF, 1, ExtractOptions(max_page_pixels=1_000_000))
    assert caught.value.category is ErrorCategory.IMAGE_TOO_LARGE


def test_form_fields_and_notes_are_drawn() -> None:
    pdf = Pdf()
    page = pdf.page()
    box = pdf.field(page, "Tx", "name", (100, 100, 300, 200), V="x")
    box.AP = pikepdf.Dictionary(N=pdf.appearance(b"0 0 200 100 re f\n", 200, 100))
    image = PdfExtractor().render(Source(data=pdf.bytes()), MediaType.PDF, 1, ExtractOptions(render_dpi=72))
    assert image.getpixel((200, 842 - 150)) < 64


def test_the_shared_corpus_reads_as_expected(shared: Path) -> None:
    for name, words in {
        "pdfminer__jo.pdf": "わたくしといふ現象は",
        "pdfplumber__nics-background-checks-2015-11-rotated.pdf": "Guam 0 100 55 12 3 0",
        "unstructured__multi-column-2p.pdf": "wide range of open-domain QA datasets",
    }.items():
        source = Source(path=str(shared / "corpus" / "pdf" / name))
        content = PdfExtractor().extract(source, MediaType.PDF, OPTIONS).content
        assert words in content.replace("\n", " ")
