"""Tables of Office files: which row is the header by the document's own mark, and what stays out of a table's rows."""

from __future__ import annotations

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode
from tests.extractors.ooxml.office import docx, element, p, pptx
from tests.extractors.ooxml.workbooks import ROOT, sheet, xlsx

MARK = "<w:trPr><w:tblHeader/></w:trPr>"
STYLES = (
    '<w:style w:type="table" w:styleId="Plain"/>'
    '<w:style w:type="table" w:styleId="Striped"><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>'
    '<w:style w:type="table" w:styleId="Own"><w:basedOn w:val="Striped"/></w:style>'
)


def read(data: bytes, tables: str = "key_value", **options: object) -> Extracted:
    found = read_document(Source(data=data), ExtractOptions(tables=tables, **options))  # type: ignore[arg-type]
    assert found.extracted is not None, found.error
    return found.extracted


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{properties}{''.join(f'<w:tc>{p(cell)}</w:tc>' for cell in cells)}</w:tr>"


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{''.join(rows)}</w:tbl>"


def word(body: str) -> bytes:
    parts = {"word/styles.xml": element("w:styles", STYLES)}
    return docx(body, {"rId1": ("styles", "styles.xml")}, parts)


ROWS = (row("Name", "Age"), row("Ann", "31"))


@pytest.mark.parametrize(
    ("style", "look", "is_header"),
    [
        ("Striped", 'w:firstRow="1"', True),
        ("Own", 'w:val="04A0"', True),
        ("Own", 'w:val="0480"', False),
        ("Striped", 'w:val="04A0" w:firstRow="0"', False),
        ("Plain", 'w:firstRow="1"', False),
        ("Missing", 'w:val="zz"', False),
    ],
)
def test_the_first_row_of_a_word_table_is_a_header_if_its_style_draws_it_so(style: str, look: str, is_header: bool) -> None:
    properties = f'<w:tblStyle w:val="{style}"/><w:tblLook {look}/>'
    expected = "Name: Ann | Age: 31" if is_header else "Name | Age\nAnn | 31"
    assert read(word(table(*ROWS, properties=properties))).content.strip() == expected


def test_rows_that_repeat_on_each_page_are_headers() -> None:
    assert read(word(table(row("Name", "Age", properties=MARK), row("Ann", "31")))).content.strip() == "Name: Ann | Age: 31"


def test_a_first_row_in_bold_is_a_header() -> None:
    bold = [f"<w:tc><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>" for text in ("Name", "Age")]
    head = f"<w:tr>{''.join(bold)}</w:tr>"
    assert read(word(table(head, row("Ann", "31")))).content.strip() == "Name: Ann | Age: 31"
    assert read(word(table(head, head))).content.strip() == "Name | Age\nName | Age"


def test_a_row_over_all_columns_does_not_break_its_word_table_in_two() -> None:
    head = row("Name", "Age", properties=MARK)
    title = "<w:tr><w:tc>" + p("Group") + "</w:tc></w:tr>"
    content = read(word(table(head, row("Ann", "31"), title, row("Bob", "7"))), "markdown").content
    lines = content.strip().split("\n")
    assert lines[:3] == ["| Name | Age |", "| --- | --- |", "| Ann | 31 |"]
    assert "Group" in lines and lines[-1] == "| Bob | 7 |"


def test_rows_of_a_nested_word_table_are_no_rows_of_the_outer_one() -> None:
    inner = "<w:tr><w:tc>" + table(*ROWS) + p("") + "</w:tc><w:tc>" + p("beside") + "</w:tc></w:tr>"
    lines = read(word(table(row("a", "b", properties=MARK), inner, row("c", "d")))).content.strip().split("\n")
    assert lines == ["a | b", "Name | Age", "Ann | 31", "beside", "a: c | b: d"]  # the header comes before what interrupts it


def test_word_tables_that_are_left_out_take_their_title_rows_with_them() -> None:
    title = "<w:tr><w:tc>" + p("Group") + "</w:tc></w:tr>"
    found = read(word(p("before") + table(*ROWS, title) + p("after")), "omit")
    assert found.content.split() == ["before", "after"]
    assert [w.code for w in found.warnings] == [WarningCode.PART_NOT_READ]


def test_a_table_on_a_slide_has_a_header_if_it_says_so() -> None:
    def cells(*texts: str) -> str:
        body = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>" for text in texts)
        return f"<a:tr>{body}</a:tr>"

    for first_row, expected in (("1", "Name: Ann | Age: 31"), ("0", "Name | Age\nAnn | 31")):
        frame = (
            f'<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="{first_row}"/>'
            f"{cells('Name', 'Age')}{cells('Ann', '31')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        )
        assert read(pptx([frame])).content == expected


def cells(number: int, *texts: str) -> str:
    inner = "".join(
        f'<c r="{"ABCD"[at]}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for at, text in enumerate(texts) if text
    )
    return f'<row r="{number}">{inner}</row>'


LIST = cells(1, "Title") + cells(2, "Name", "Age") + cells(3, "Ann", "31") + cells(4, "Bob")
PANE = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" state="frozen"/></sheetView></sheetViews>'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (xlsx({"S": sheet(LIST)}), "S\nTitle\nName | Age\nAnn | 31\nBob"),
        (xlsx({"S": sheet(LIST, before=PANE)}), "S\nTitle\n\nName: Ann | Age: 31\nName: Bob"),
        (xlsx({"S": sheet(LIST, '<autoFilter ref="A2:B3"/>')}), "S\nTitle\n\nName: Ann | Age: 31\nName: Bob"),
        (
            xlsx(
                {"S": sheet(LIST)},
                {"xl/tables/table1.xml": f'<table {ROOT} displayName="T" ref="A2:B3"/>'},
                sheet_relations={"r1": ("table", "../tables/table1.xml")},
            ),
            "S\nTitle\n\nName: Ann | Age: 31\n\nBob",
        ),
        (
            xlsx(
                {"S": sheet(LIST)},
                {"xl/tables/table1.xml": f'<table {ROOT} displayName="T" ref="A2:B3" headerRowCount="0"/>'},
                sheet_relations={"r1": ("table", "../tables/table1.xml")},
            ),
            "S\nTitle\nName | Age\nAnn | 31\nBob",
        ),
    ],
)
def test_the_header_of_a_sheet_is_its_tables_its_filters_or_the_last_frozen_row(data: bytes, expected: str) -> None:
    assert read(data).content == expected


def test_marks_of_a_sheet_do_not_count_where_no_headers_are_wanted() -> None:
    data = xlsx({"S": sheet(LIST, before=PANE)})
    assert read(data, table_headers="none").content == "S\nTitle\nName | Age\nAnn | 31\nBob"
    assert read(data, table_headers="first_row").content == "S\nTitle: Name | Age\nTitle: Ann | 31\nTitle: Bob"


def test_a_sheet_without_its_tables_is_its_name() -> None:
    found = read(xlsx({"S": sheet(LIST)}), "omit")
    assert found.content == "S"
    assert [w.code for w in found.warnings] == [WarningCode.PART_NOT_READ]
