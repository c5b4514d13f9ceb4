"""What is hidden is read, and said to be hidden, once for each kind."""

from __future__ import annotations

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode
from tests.canaries.excel import excel
from tests.canaries.odf import odf_sheet, odf_slides, odf_text
from tests.canaries.planting import Bed
from tests.canaries.powerpoint import powerpoint
from tests.canaries.rtf import rtf
from tests.canaries.word import word
from tests.extractors.compounds import compound
from tests.extractors.legacy.test_xls import number, workbook
from tests.extractors.ooxml.office import docx, p, rels
from tests.extractors.ooxml.workbooks import sheet, xlsx

OPTIONS = ExtractOptions()


def read(data: bytes, name: str) -> Extracted:
    extracted = read_document(Source(data=data, name=name), OPTIONS).extracted
    assert extracted is not None
    return extracted


def said(extracted: Extracted, code: WarningCode) -> list[tuple[str, str]]:
    return [(notice.part, notice.message) for notice in extracted.warnings if notice.code is code]


@pytest.mark.parametrize(
    ("bed", "parts"),
    [
        (word(), ["text"]),
        (excel(), ["sheets", "rows", "columns"]),
        (powerpoint(), ["shapes", "slides"]),
        (odf_text(), ["sections", "text"]),
        (odf_sheet(), ["sheets", "rows", "columns"]),
        (odf_slides(), ["slides"]),
        (rtf(), ["text"]),
    ],
    ids=lambda value: value.name if isinstance(value, Bed) else "",
)
def test_each_kind_of_hidden_thing_is_named_once(bed: Bed, parts: list[str]) -> None:
    assert sorted(part for part, _ in said(read(bed.data, bed.name), WarningCode.HIDDEN)) == sorted(parts)


def test_hidden_sheets_are_named() -> None:
    book = xlsx({name: sheet("") for name in "ABC"}, states={"B": "hidden", "C": "veryHidden"})
    assert said(read(book, "a.xlsx"), WarningCode.HIDDEN) == [("sheets", "hidden sheets: B; C")]


def test_hidden_sheets_of_old_workbooks_are_named() -> None:
    book = compound({"Workbook": workbook(number(0, 0, 1.0), number(0, 0, 2.0), states="01")})
    assert [part for part, _ in said(read(book, "a.xls"), WarningCode.HIDDEN)] == ["sheets"]


def test_runs_that_a_style_hides_count() -> None:
    styles = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    body = '<w:p><w:r><w:rPr><w:rStyle w:val="H"/></w:rPr><w:t>a</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>b</w:t></w:r></w:p>'
    found = read(docx(body, {"r1": ("styles", "styles.xml")}, {"word/styles.xml": styles}), "a.docx")
    assert found.content.strip() == "ab"
    assert said(found, WarningCode.HIDDEN) == [("text", "runs of hidden text: 1")]


def test_a_plain_document_hides_nothing() -> None:
    assert said(read(docx(p("a")), "a.docx"), WarningCode.HIDDEN) == []


def test_linked_files_are_named_in_one_warning() -> None:
    links = "".join(
        f'<Relationship Id="r{n}" Type="x/image" TargetMode="External" Target="https://example.org/{n}.png"/>'
        for n in range(12)
    )
    links += '<Relationship Id="h" Type="x/hyperlink" TargetMode="External" Target="https://example.org/page"/>'
    parts = {"word/_rels/document.xml.rels": rels({}).replace("</Relationships>", f"{links}</Relationships>")}
    ((part, message),) = said(read(docx(p("a"), parts=parts), "a.docx"), WarningCode.EXTERNAL_LINK)
    assert part == "word/document.xml"
    assert message.count("(image)") == 10
    assert message.endswith("and 2 more")
    assert "page" not in message


@pytest.mark.parametrize("bed", [word(), excel(), powerpoint(), odf_text()], ids=lambda bed: bed.name)
def test_macros_are_named(bed: Bed) -> None:
    assert len(said(read(bed.data, bed.name), WarningCode.MACROS)) == 1
