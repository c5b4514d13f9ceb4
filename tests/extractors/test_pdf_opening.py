"""Opening PDF files: nothing of one document shows in the reading of another, and a rebuilt one is kept for its pages."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pikepdf
import pytest

from docbeam.extractors.pdf import PdfExtractor, opening, repairs
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from tests.extractors.pdfs import Pdf, document, line
from tests.extractors.test_pdf import LONG


def reading(data: bytes) -> str:
    try:
        return repr(PdfExtractor().extract(Source(data=data), MediaType.PDF, ExtractOptions()))
    except ExtractionError as error:
        return repr((error.category, str(error)))


def locked() -> bytes:
    pdf = Pdf()
    pdf.page(line(LONG))
    return pdf.bytes(encryption=pikepdf.Encryption(user="secret", owner="secret"))


def without_pages() -> bytes:
    """Return a document that PDFium opens and finds no page in."""
    return document(line(LONG)).replace(b"/Type /Pages", b"/Type /Nages").replace(b"/Count 1", b"/Count 0")


def test_a_document_without_pages_reads_the_same_whatever_came_before() -> None:
    bad = [without_pages(), locked(), b"%PDF-1.7\n" + b"nothing that can be used " * 40, document(line(LONG))]
    alone = [reading(data) for data in bad]
    assert "encrypted" not in alone[0]
    for order in permutations(range(len(bad))):
        for at in order:
            assert reading(bad[at]) == alone[at]


def test_the_shared_corpus_reads_the_same_in_any_order(shared: Path) -> None:
    names = ("pdfjs__poppler-395-0-fuzzed.pdf", "unstructured__password.pdf", "pdfminer__zen_of_python_corrupted.pdf")
    data = [(shared / "corpus" / "pdf" / name).read_bytes() for name in names]
    readings = [{at: reading(data[at]) for at in order} for order in permutations(range(len(data)))]
    assert all(found == readings[0] for found in readings)


def test_a_rebuilt_document_is_kept_and_only_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rebuilt: list[bytes] = []

    def rebuild(source: Source, options: ExtractOptions) -> repairs.Repaired:
        rebuilt.append(source.read())
        return repairs.Repaired(document(line(source.read()[-1:].decode())))

    monkeypatch.setattr(repairs, "REPAIRS", (rebuild,))
    monkeypatch.setattr(repairs, "_repaired_last", {})
    one, other = b"no PDF at all 1", b"no PDF at all 2"
    for data in (one, one, other, other, one):
        with opening.opened(Source(data=data), ExtractOptions()) as (_, tiers):
            assert tiers == ("native", "repaired")
    assert rebuilt == [one, other, one]
