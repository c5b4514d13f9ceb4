"""Spreadsheets as they are shown, within bounds; slides and drawing pages in order with their notes."""

from __future__ import annotations

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import WarningCode
from tests.extractors.odf.packages import content, package, read, sheets, slides, styles

TITLE, NOTES = 'presentation:class="title"', 'presentation:class="notes"'
ROW = "<table:table-row {}>{}</table:table-row>"


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"


def table(rows: str, attributes: str = 'table:name="S"') -> str:
    return f"<table:table {attributes}>{rows}</table:table>"


def test_cells_show_their_text_and_not_their_value() -> None:
    row = cell("14.03.24", 'office:value-type="date" office:date-value="2024-03-14"') + cell(
        "12%", 'office:value-type="percentage" office:value="0.1234" table:formula="of:=[.A1]"'
    )
    extracted = sheets(table(ROW.format("", row)))
    assert extracted.content == "S\n14.03.24\t12%"
    assert extracted.page_count == 1


def test_values_without_text_are_shown_and_formulas_without_value_named() -> None:
    row = cell("", 'office:value-type="float" office:value="7"') + cell("", 'table:formula="of:=SUM([.A1])"')
    extracted = sheets(table(ROW.format("", row)))
    assert extracted.content == "S\n7\t=SUM([.A1])"
    assert [notice.code for notice in extracted.warnings] == [WarningCode.FORMULA_WITHOUT_VALUE]


def test_repeats_of_empty_cells_cost_nothing_and_of_filled_ones_are_bounded() -> None:
    rows = (
        ROW.format('table:number-rows-repeated="1048570"', cell("", 'table:number-columns-repeated="16384"'))
        + ROW.format("", cell("", 'table:number-columns-repeated="9"') + cell("x", 'table:number-columns-repeated="3"'))
        + ROW.format('table:number-rows-repeated="999999999"', cell("y"))
    )
    extracted = sheets(table(rows))
    lines = extracted.content.split("\n")
    assert lines[1].split() == ["x", "x", "x"]
    assert lines.count("y") == 1000
    assert "repeats 999999999 times" in extracted.warnings[0].message


def test_comments_shapes_and_hidden_sheets_are_kept() -> None:
    note = "<office:annotation><dc:creator>Ann</dc:creator><text:p>check</text:p></office:annotation>"
    hidden = '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    body = table(ROW.format("", cell("a") + cell("b").replace("<text:p>", note + "<text:p>"))) + table(
        "<table:shapes><draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></table:shapes>"
        + ROW.format('table:visibility="collapse"', cell("c")),
        'table:name="T" table:style-name="h"',
    )
    extracted = sheets(body, hidden)
    assert extracted.content == "S\na\tb\n\nB1 Ann: check\n\nT\nc\n\nbox"
    assert [page.number for page in extracted.pages] == [1, 2]
    assert extracted.metadata["ods.hiddenSheets"] == "T"
    assert extracted.metadata["ods.hiddenRows"] == "1"


def test_rows_that_repeat_on_every_page_are_headers() -> None:
    head = f"<table:table-header-rows>{ROW.format('', cell('Name') + cell('Age'))}</table:table-header-rows>"
    xml = content(table(head + ROW.format("", cell("Ann") + cell("7"))), "spreadsheet")
    extracted = read(package(xml, "spreadsheet"), options=ExtractOptions(tables="key_value"))
    assert extracted.content == "S\nName: Ann | Age: 7"


def test_covered_text_is_named_and_not_shown() -> None:
    row = (
        cell("a", 'table:number-columns-spanned="2"')
        + "<table:covered-table-cell><text:p>under</text:p></table:covered-table-cell>"
    )
    extracted = sheets(table(ROW.format("", row)))
    assert extracted.content == "S\na"
    assert extracted.warnings[0].code is WarningCode.PART_NOT_READ


def frame(text: str, attributes: str = "") -> str:
    return f"<draw:frame {attributes}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"


def test_slides_are_pages_with_notes_comments_and_footers_once() -> None:
    master = styles(f'<style:master-page style:name="M">{frame("Logo Ltd")}{frame("Click to edit", TITLE)}</style:master-page>')
    page = '<draw:page draw:master-page-name="M" presentation:use-footer-name="f">{}</draw:page>'
    notes = f"<presentation:notes><draw:page-thumbnail/>{frame('say this', NOTES)}</presentation:notes>"
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>shorter</text:p></office:annotation>"
    body = (
        '<presentation:footer-decl presentation:name="f">Confidential</presentation:footer-decl>'
        + page.format(comment + frame("Title", TITLE) + frame("point") + notes)
        + page.format(frame("Second") + frame("<text:page-number>&lt;number&gt;</text:page-number>"))
    )
    extracted = slides(body, parts={"styles.xml": master})
    assert extracted.content == (
        "Title\n\npoint\nLogo Ltd\nConfidential\n\nNotes:\nsay this\n\n[Comment by Ann: shorter]\n\nSecond\n2"
    )
    assert extracted.page_count == 2


def test_hidden_slides_are_kept_and_named() -> None:
    style = (
        '<style:style style:name="d" style:family="drawing-page"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>'
    )
    extracted = slides(f'<draw:page draw:style-name="d">{frame("kept")}</draw:page>', style)
    assert extracted.content == "kept"
    assert extracted.metadata["odp.hiddenSlides"] == "1"
