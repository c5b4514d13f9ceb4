"""The ladder of a PDF: what is left of damaged files, text that is garbage, and which tiers were tried."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Dictionary, Name

from docbeam.extractors.ladder import LADDER, NATIVE, OCR, REPAIRED
from docbeam.extractors.pdf import PdfExtractor
from docbeam.extractors.pdf.salvage import salvaged
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode
from tests.extractors.pdfs import Pdf, line, lines

PAGES = 12
WORDS = "All human beings are born free and equal in dignity and rights and should act in a spirit of brotherhood"


def read(data: bytes) -> Extracted:
    return PdfExtractor().extract(Source(data=data), MediaType.PDF, ExtractOptions())


def book(*, packed: bool = False, encryption: pikepdf.Encryption | None = None) -> bytes:
    """Return a document of PAGES pages; `packed` puts its dictionaries into object streams."""
    pdf = Pdf()
    for number in range(1, PAGES + 1):
        pdf.page(lines(f"This is page {number} of {PAGES}", WORDS, *(f"{WORDS} {number * 100 + row}" for row in range(9))))
    out = io.BytesIO()
    mode = pikepdf.ObjectStreamMode.generate if packed else pikepdf.ObjectStreamMode.disable
    pdf.pdf.save(out, object_stream_mode=mode, encryption=encryption or False)
    return out.getvalue()


def cut_behind(data: bytes, share: float) -> bytes:
    return data[: int(len(data) * share)]


def pages_found(extracted: Extracted) -> list[int]:
    return [int(number) for number in re.findall(r"This is page (\d+) of", extracted.content)]


def test_the_ladder_is_one_table_of_three_steps() -> None:
    assert [tier.name for tier in LADDER] == [NATIVE, REPAIRED, OCR]


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_a_file_that_ends_early_keeps_the_pages_before_the_cut(share: float) -> None:
    extracted = read(cut_behind(book(), share))
    found = pages_found(extracted)
    assert found == list(range(1, len(found) + 1))
    assert len(found) >= PAGES * share - 3
    assert extracted.tiers == (NATIVE, REPAIRED)
    assert extracted.confidence is Confidence.HEURISTIC
    assert extracted.truncation is TruncationReason.DAMAGED
    assert WarningCode.PART_DAMAGED in [notice.code for notice in extracted.warnings]


def test_pages_in_object_streams_are_found_without_the_table_at_the_end() -> None:
    data = book(packed=True)
    extracted = read(data[: data.rindex(b"/XRef") - 40])
    assert pages_found(extracted) == list(range(1, PAGES + 1))


def test_a_wrong_start_of_the_table_costs_nothing() -> None:
    extracted = read(re.sub(rb"startxref\s+\d+", b"startxref\n12", book()))
    assert pages_found(extracted) == list(range(1, PAGES + 1))
    assert extracted.tiers == (NATIVE,)
    assert extracted.truncation is None


def test_a_broken_page_tree_is_put_together_from_its_pages() -> None:
    extracted = read(book().replace(b"/Type /Pages", b"/Type /Pxges").replace(b"/Kids", b"/Kxds").replace(b"/Pages", b"/Pxges"))
    assert pages_found(extracted) == list(range(1, PAGES + 1))
    assert extracted.tiers == (NATIVE, REPAIRED)


def test_the_order_of_the_pages_is_that_of_the_page_tree() -> None:
    pdf = Pdf()
    for number in (2, 3, 1):
        pdf.page(line(f"This is page {number} of 3: {WORDS}"))
    pdf.pdf.pages.insert(0, pdf.pdf.pages[2])
    del pdf.pdf.pages[3]
    data = pdf.bytes()
    for extracted in (read(data), read(salvaged(data, 1 << 30) or b"")):
        assert pages_found(extracted) == [1, 2, 3]


def test_what_the_keys_are_lost_for_is_not_put_together() -> None:
    data = book(encryption=pikepdf.Encryption(user="", owner="secret"))
    assert pages_found(read(data)) == list(range(1, PAGES + 1))
    assert salvaged(data, 1 << 30) is None


@pytest.mark.parametrize(
    ("data", "category", "tiers"),
    [
        (b"%PDF-1.7\n" + b"nothing " * 50, ErrorCategory.MALFORMED_XREF, (NATIVE, REPAIRED)),
        (b"\0" * 500, ErrorCategory.CORRUPT, (NATIVE, REPAIRED)),
        (book(encryption=pikepdf.Encryption(user="secret", owner="secret")), ErrorCategory.ENCRYPTED_NO_KEY, ()),
    ],
)
def test_a_failure_says_which_tiers_were_tried(data: bytes, category: ErrorCategory, tiers: tuple[str, ...]) -> None:
    with pytest.raises(ExtractionError) as caught:
        read(data)
    assert (caught.value.category, caught.value.tiers) == (category, tiers)


@pytest.mark.parametrize(
    "data",
    [
        b"1 0 obj " * 20_000,
        b"".join(b"%d 0 obj<</Type/Page>>endobj\n" % number for number in range(5_000)),
        b"1 0 obj<<>>stream\n" * 20_000,
        b"1 0 obj<</Type/Pages/Kids[2 0 R]>>endobj 2 0 obj<</Type/Pages/Kids[1 0 R]>>endobj 3 0 obj<</Type/Page>>endobj",
        b"9 0 obj<</Type/ObjStm/N 9999999/First 9/Filter/FlateDecode>>stream\nx\x9c no",
    ],
)
def test_hostile_leftovers_are_read_within_bounds(data: bytes) -> None:
    found = salvaged(data, 10_000_000)
    assert found is None or len(found) <= 10_000_000


def with_map(pdf: Pdf, shift: int) -> None:
    """Give the font a map to Unicode that is off by `shift`."""
    entries = "\n".join(f"<{code:02X}> <{code + shift:04X}>" for code in range(0x20, 0x7F))
    cmap = f"1 begincodespacerange <00> <FF> endcodespacerange\n95 beginbfchar\n{entries}\nendbfchar"
    pdf.font.ToUnicode = pdf.pdf.make_stream(f"begincmap\n{cmap}\nendcmap".encode())


@pytest.mark.parametrize(("shift", "origin"), [(0, Origin.NATIVE), (3, Origin.PENDING), (0x9000, Origin.PENDING)])
def test_a_page_whose_map_is_wrong_is_recognised(shift: int, origin: Origin) -> None:
    pdf = Pdf()
    with_map(pdf, shift)
    pdf.page(lines(*[WORDS] * 6))
    extracted = read(pdf.bytes())
    assert [page.origin for page in extracted.pages] == [origin]
    is_garbage = origin is Origin.PENDING
    assert (WarningCode.GARBAGE_TEXT in [notice.code for notice in extracted.warnings]) is is_garbage
    assert extracted.confidence is (Confidence.HEURISTIC if is_garbage else Confidence.DETERMINISTIC)


@pytest.mark.parametrize(
    ("layer", "origin"),
    [
        (WORDS, Origin.NATIVE),
        ("7KH TXLFN EURZQ IRA MXPSV RYHU WKH ODCB GRJ DQG UXQV DZDB IURP WKH ZROI LQ WKH IRUHVW DJDLQ", Origin.PENDING),
        ("x", Origin.PENDING),
        ("", Origin.PENDING),
    ],
)
def test_a_searchable_scan_is_read_by_its_layer_unless_that_is_garbage(layer: str, origin: Origin) -> None:
    pdf = Pdf()
    page = pdf.page(b"".join(line(layer, y=700 - 20 * row, mode=3) for row in range(5)) if layer else b"")
    pdf.picture(page, 0, 0, 595, 842, (64, 64))
    assert [page.origin for page in read(pdf.bytes()).pages] == [origin]


def test_a_stamp_over_a_scan_does_not_stand_for_the_page() -> None:
    pdf = Pdf()
    page = pdf.page(line("Confidential. Produced under the protective order of the court, page 17", size=8, y=20))
    pdf.picture(page, 0, 0, 595, 842, (64, 64))
    assert [page.origin for page in read(pdf.bytes()).pages] == [Origin.PENDING]


def test_the_fuzzed_document_of_the_corpus_stays_in_quarantine(shared: Path) -> None:
    data = (shared / "corpus" / "pdf" / "pdfjs__poppler-395-0-fuzzed.pdf").read_bytes()
    with pytest.raises(ExtractionError) as caught:
        read(data)
    assert caught.value.category in (ErrorCategory.MALFORMED_XREF, ErrorCategory.CORRUPT)


def test_fields_of_a_salvaged_form_are_read() -> None:
    pdf = Pdf()
    page = pdf.page(lines(*[WORDS] * 3))
    pdf.field(page, "Tx", "city", (60, 500, 300, 520), V="Freiburg im Breisgau")
    assert "Freiburg im Breisgau" in read(salvaged(pdf.bytes(), 1 << 30) or b"").content


def test_pages_whose_content_is_zeroed_are_named() -> None:
    data = book()
    streams = [match.end() for match in re.finditer(rb"[^d]stream\n", data)]
    begins, ends = streams[2] + 150, streams[3] + 10
    found = read(data[:begins] + bytes(ends - begins) + data[ends:])
    assert pages_found(found) == [1, 2, 3, *range(5, PAGES + 1)]
    named = [(notice.code, notice.part) for notice in found.warnings]
    assert named == [(WarningCode.PAGE_FAILED, "page 4"), (WarningCode.PART_DAMAGED, "page 3")]
    assert found.truncation is TruncationReason.DAMAGED


def test_pages_that_cannot_be_unpacked_are_named_with_their_tiers() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.obj.Contents = pikepdf.Stream(pdf.pdf, b"this is not Flate at all, and never was", Dictionary(Filter=Name.FlateDecode))
    out = io.BytesIO()
    pdf.pdf.save(out, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
    with pytest.raises(ExtractionError) as caught:
        read(out.getvalue())
    assert (caught.value.category, caught.value.tiers) == (ErrorCategory.STREAM_DECOMPRESSION_FAIL, (NATIVE,))
