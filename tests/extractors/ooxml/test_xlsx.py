"""Workbooks: cells as shown, what stands around them, and what a damaged or hostile file does."""

from __future__ import annotations

from pathlib import Path

import pytest

from docbeam.extractors.ooxml.xlsx import XlsxExtractor
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Picture
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode
from tests.extractors.ooxml.office import element, rels
from tests.extractors.ooxml.workbooks import ROOT, sheet, strings, styles, xlsx

GOLDEN = Path(__file__).parents[2] / "golden" / "xlsx"
OPTIONS = ExtractOptions()


def read(data: bytes, options: ExtractOptions = OPTIONS) -> Extracted:
    return XlsxExtractor().extract(Source(data=data), MediaType.XLSX, options)


def rows(*lines: str, parts: dict[str, str | bytes] | None = None, properties: str = "") -> list[str]:
    """The lines of a workbook's only sheet, without its name."""
    return read(xlsx({"S": sheet("".join(lines))}, parts, properties=properties)).content.split("\n")[1:]


def text_cell(reference: str, text: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


def codes(found: Extracted) -> list[WarningCode]:
    return [notice.code for notice in found.warnings]


# Golden files


# Cells


def test_every_type_of_cell_is_shown_as_excel_shows_it() -> None:
    cells = (
        '<c r="A1" t="s"><v>1</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="b"><v>0</v></c><c r="D1" t="e"><v>#DIV/0!</v></c>'
        '<c r="E1"><v>3.0</v></c><c r="F1"><v>0.30000000000000004</v></c><c r="G1" t="str"><f>A1</f><v>x</v></c>'
        '<c r="H1" t="d"><v>2020-05-04T00:00:00</v></c><c r="I1" t="n"><v>1.5E-7</v></c><c r="J1"><v>NaN</v></c>'
    )
    assert rows(f'<row r="1">{cells}</row>', parts={"xl/sharedStrings.xml": strings("<t>no</t>", "<t>yes</t>")}) == [
        "yes\tTRUE\tFALSE\t#DIV/0!\t3\t0.3\tx\t2020-05-04\t1.5E-07\t#NUM!"
    ]


def test_numbers_follow_the_format_of_their_style() -> None:
    look = styles("#,##0.00", "0%", "yyyy-mm-dd", "[h]:mm")
    values = ((1, "1234.5"), (2, ".5"), (3, "43831"), (4, "1.5"), (99, "7"))
    cells = "".join(f'<c s="{style}"><v>{value}</v></c>' for style, value in values)
    assert rows(f'<row r="1">{cells}</row>', parts={"xl/styles.xml": look}) == ["1,234.50\t50%\t2020-01-01\t36:00\t7"]


def test_the_1904_date_system_moves_the_dates() -> None:
    look = {"xl/styles.xml": styles("yyyy-mm-dd")}
    line = '<row r="1"><c r="A1" s="1"><v>0</v></c></row>'
    assert rows(line, parts=look, properties='<workbookPr date1904="1"/>') == ["1904-01-01"]


def test_rich_text_is_joined_and_phonetic_guides_are_left_out() -> None:
    item = '<r><t>東</t></r><r><rPr/><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>'
    assert rows('<row><c t="s"><v>0</v></c></row>', parts={"xl/sharedStrings.xml": strings(item)}) == ["東京"]


def test_escapes_are_decoded_once_and_a_row_stays_on_its_line() -> None:
    items = strings("<t>a_x000D_\nb</t>", "<t>_x005F_x0041_ stays</t>", "<t>_xD83D__xDE00_ _x0007_end</t>", "<t>tab\there</t>")
    cells = "".join(f'<c t="s"><v>{n}</v></c>' for n in range(4))
    assert rows(f"<row>{cells}</row>", parts={"xl/sharedStrings.xml": items}) == ["a b\t_x0041_ stays\t😀 end\ttab here"]


def test_formulas_without_a_value_show_their_source_and_are_named() -> None:
    lines = (
        '<row r="1"><c r="A1"><f>SUM(B1:C1)</f></c><c r="B1" t="str"><f>_xlfn.CONCAT("a")</f></c>'
        '<c r="C1"><f>1+1</f><v/></c></row>'
        '<row r="2"><c r="A2"><f t="shared" si="0">B2*$C$1+"B2"</f></c><c r="B2" t="str"><f>""</f><v></v></c></row>'
        '<row r="3"><c r="A3"><f t="shared" si="0"/></c></row>'
    )
    found = read(xlsx({"S": sheet(lines)}))
    assert found.content == 'S\n=SUM(B1:C1)\t=CONCAT("a")\t=1+1\n=B2*$C$1+"B2"\n=B3*$C$1+"B2"'
    assert [notice.message for notice in found.warnings] == ["5 formulas without a value, the first in A1"]
    assert codes(found) == [WarningCode.FORMULA_WITHOUT_VALUE]


def test_a_picture_in_a_cell_is_named_and_not_shown_as_an_error() -> None:
    found = read(xlsx({"S": sheet('<row><c r="A1" t="e" vm="1"><v>#VALUE!</v></c><c r="B1"><v>1</v></c></row>')}))
    assert found.content == "S\n1"
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.PART_NOT_READ, "page 1")]


# Rows and columns


def test_columns_stay_in_line_and_gaps_stay_small() -> None:
    assert rows(
        f'<row r="3">{text_cell("C3", "a")}{text_cell("XFD3", "z")}</row>',
        f'<row r="4">{text_cell("D4", "b")}</row>',
        f'<row r="1048576">{text_cell("XFD1048576", "end")}</row>',
    ) == ["a\t\t\tz", "\tb", "", "\t\t\tend"]


def test_cells_and_rows_without_references_follow_each_other_and_odd_orders_are_sorted() -> None:
    assert rows(
        "<row><c><v>1</v></c><c><v>2</v></c></row>", '<row r="2"><c r="B2"><v>4</v></c><c r="A2"><v>3</v></c></row>'
    ) == [
        "1\t2",
        "3\t4",
    ]


def test_a_claimed_dimension_is_not_believed() -> None:
    found = read(xlsx({"S": sheet('<row r="9"><c r="B9"><v>5</v></c></row>', before='<dimension ref="A1"/>')}))
    assert found.content == "S\n5"


def test_a_merged_range_is_written_once() -> None:
    merged = sheet(
        f'<row r="1">{text_cell("A1", "wide")}<c r="B1" s="0"/><c r="C1"/></row>',
        '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>',
    )
    assert read(xlsx({"S": merged})).content == "S\nwide"


# Sheets


def test_every_sheet_is_a_page_under_its_name_and_hidden_ones_are_named() -> None:
    found = read(
        xlsx(
            {
                "One & two": sheet("<row><c><v>1</v></c></row>"),
                "Zwei": sheet(""),
                "Deep": sheet("<row hidden='1'><c><v>3</v></c></row>"),
            },
            states={"Zwei": "hidden", "Deep": "veryHidden"},
        )
    )
    assert [found.content[page.start : page.end] for page in found.pages] == ["One & two\n1", "Zwei", "Deep\n3"]
    assert (found.page_count, found.metadata["xlsx.sheetCount"]) == (3, "3")
    assert (found.metadata["xlsx.hiddenSheets"], found.metadata["xlsx.hiddenRows"]) == ("Zwei; Deep", "1")


def test_headers_and_footers_lose_their_codes_and_keep_their_text() -> None:
    after = (
        '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Left &amp;&amp; so'
        "&amp;C&amp;KFF0000&amp;A&amp;RRight &amp;D</oddHeader>"
        "<oddFooter>&amp;CInternal use</oddFooter><evenFooter>&amp;CInternal use</evenFooter></headerFooter>"
    )
    found = read(xlsx({"Plan": sheet("<row><c><v>1</v></c></row>", after)}))
    assert found.content == "Plan\nLeft & so\tPlan\tRight\n1\nInternal use"


def test_properties_are_lifted() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Budget</dc:title>'
        "<dc:creator>Ann</dc:creator><dcterms:created>2020-01-02T03:04:05Z</dcterms:created></cp:coreProperties>"
    )
    found = read(xlsx({"S": sheet("")}, {"docProps/core.xml": core}))
    assert (found.title, found.author) == ("Budget", "Ann")
    assert found.created_at is not None and found.created_at.isoformat() == "2020-01-02T03:04:05+00:00"
    assert (found.metadata["xlsx.title"], found.metadata["xlsx.author"]) == ("Budget", "Ann")


def test_tables_are_named_in_the_metadata() -> None:
    table = f'<table {ROOT} displayName="Sales" ref="A1:B2"/>'
    found = read(xlsx({"S": sheet("")}, {"xl/t.xml": table}, sheet_relations={"r1": ("table", "../t.xml")}))
    assert found.metadata["xlsx.tables"] == "Sales"


# Around the cells


def test_notes_and_threaded_comments_come_with_cell_and_author() -> None:
    notes = (
        f"<comments {ROOT}><authors><author>Ann</author><author>tc={{1}}</author></authors><commentList>"
        '<comment ref="B2" authorId="0"><text><r><t>Ann:\n</t></r><r><t>check this</t></r></text></comment>'
        '<comment ref="C3" authorId="1"><text><t>[Threaded comment] your version of Excel</t></text></comment>'
        "</commentList></comments>"
    )
    space = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
    comment = '<threadedComment ref="C3" personId="p1" id="1"><text>why 7?</text></threadedComment>'
    thread = f'<ThreadedComments xmlns="{space}">{comment}</ThreadedComments>'
    people = f'<personList xmlns="{space}"><person displayName="Bo" id="p1"/></personList>'
    book = xlsx(
        {"S": sheet("<row><c><v>7</v></c></row>")},
        {"xl/comments1.xml": notes, "xl/threads1.xml": thread, "xl/person.xml": people},
        sheet_relations={"r1": ("comments", "../comments1.xml"), "r2": ("threadedComment", "../threads1.xml")},
        book_relations={"rP": ("person", "person.xml")},
    )
    assert read(book).content == "S\n7\n\nB2 Ann: check this\nC3 Bo: why 7?"


DRAWING = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"'


def anchored(row: int, inner: str) -> str:
    return f"<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:row>{row}</xdr:row></xdr:from>{inner}</xdr:twoCellAnchor>"


def with_drawing(*anchors: str, parts: dict[str, str | bytes], relations: dict[str, tuple[str, str]]) -> bytes:
    return xlsx(
        {"S": sheet("")},
        {
            "xl/drawings/drawing1.xml": element("xdr:wsDr", "".join(anchors), DRAWING),
            "xl/drawings/_rels/drawing1.xml.rels": rels(relations),
            **parts,
        },
        sheet_relations={"r1": ("drawing", "../drawings/drawing1.xml")},
    )


def test_shapes_charts_and_pictures_are_read_or_named_from_top_to_bottom() -> None:
    box = "<xdr:sp><xdr:txBody><a:p><a:r><a:t>low</a:t></a:r><a:br/><a:r><a:t>er</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    choice, fallback = f"<mc:Choice Requires='a14'>{box}</mc:Choice>", f"<mc:Fallback>{box}</mc:Fallback>"
    both = f"<mc:AlternateContent>{choice}{fallback}</mc:AlternateContent>"
    picture = (
        '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="P" descr="A lighthouse at dusk"/></xdr:nvPicPr>'
        '<xdr:blipFill><a:blip r:embed="rP"/></xdr:blipFill>'
        '<xdr:spPr><a:xfrm><a:ext cx="9999999" cy="9999999"/></a:xfrm></xdr:spPr></xdr:pic>'
    )
    frame = '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rC"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    name = "<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>Cod</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    values = "<c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>9</c:v></c:pt></c:numCache></c:numRef></c:val>"
    series = f"<c:ser>{name}{values}</c:ser>"
    found = read(
        with_drawing(
            anchored(20, both),
            anchored(2, frame),
            anchored(5, picture),
            parts={
                "xl/charts/chart1.xml": element("c:chartSpace", f"<c:chart>{title}<c:plotArea>{series}</c:plotArea></c:chart>"),
                "xl/media/image1.png": b"\x89PNG" + bytes(range(256)) * 4,
            },
            relations={"rC": ("chart", "../charts/chart1.xml"), "rP": ("image", "../media/image1.png")},
        )
    )
    assert found.content.split("\n")[2:] == ["Catch", "Cod", "[Image: A lighthouse at dusk]", "low", "er"]
    assert found.pictures == (Picture("xl/media/image1.png", found.content.index("\nlow"), 1),)


def test_controls_of_old_are_read_and_their_notes_are_not_read_twice() -> None:
    vml = (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        '<v:shape><v:textbox><div><font>Press<br>me</font></div></v:textbox><x:ClientData ObjectType="Button"/></v:shape>'
        '<v:shape><v:textbox><div>note</div></v:textbox><x:ClientData ObjectType="Note"/></v:shape></xml>'
    )
    book = xlsx({"S": sheet("")}, {"xl/v.vml": vml}, sheet_relations={"r1": ("vmlDrawing", "../v.vml")})
    found = read(book).content
    assert "Press" in found and "note" not in found


def test_embedded_files_and_macros_are_named() -> None:
    found = read(
        xlsx({"S": sheet("<row><c><v>1</v></c></row>")}, {"xl/embeddings/oleObject1.bin": b"x", "xl/vbaProject.bin": b"y"})
    )
    assert codes(found) == [WarningCode.MACROS]
    assert [member.path for member in found.members] == ["xl/embeddings/oleObject1.bin"]


def test_embedded_files_are_handed_out_also_if_the_text_is_cut() -> None:
    book = xlsx({"S": sheet('<row><c t="str"><v>long text</v></c></row>')}, {"xl/embeddings/Note1.docx": b"x"})
    found = read(book, ExtractOptions(max_extracted_chars=5))
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS
    assert [member.path for member in found.members] == ["xl/embeddings/Note1.docx"]


def test_a_workbook_without_text_says_so() -> None:
    assert codes(read(xlsx({"S": sheet("")}))) == [WarningCode.NO_TEXT]


# Damaged files


def test_missing_styles_strings_and_sheets_cost_only_themselves() -> None:
    lines = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="4"><v>43831</v></c></row>'
    relations = {"rId2": ("worksheet", "worksheets/gone.xml")}
    book = xlsx(
        {"S": sheet(lines), "T": sheet("")}, {"xl/styles.xml": "", "xl/sharedStrings.xml": ""}, book_relations=relations
    )
    found = read(book)
    assert found.content == "S\n43831\n\nT"
    assert found.truncation is TruncationReason.DAMAGED
    assert codes(found).count(WarningCode.ENTRY_MISSING) == 3
    assert "1 cells whose shared string is missing, the first in A1" in [notice.message for notice in found.warnings]


def test_a_broken_sheet_keeps_the_rows_before_the_break_and_the_other_sheets() -> None:
    broken = sheet('<row r="1"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>')[:-45]
    found = read(xlsx({"S": broken, "T": sheet("<row><c><v>3</v></c></row>")}))
    assert found.content == "S\n1\n\nT\n3"
    assert found.truncation is TruncationReason.DAMAGED
    assert codes(found) == [WarningCode.PART_DAMAGED]


def test_without_relationships_parts_are_found_by_their_usual_names() -> None:
    line = '<row><c t="s"><v>0</v></c><c s="1"><v>43831</v></c></row>'
    parts = {
        "xl/_rels/workbook.xml.rels": "",
        "xl/sharedStrings.xml": strings("<t>kept</t>"),
        "xl/styles.xml": styles("mmm-yy"),
    }
    found = read(xlsx({"S": sheet(line)}, parts))
    assert found.content == "S\nkept\tJan-20"
    assert codes(found) == [WarningCode.ENTRY_MISSING]


def test_a_stray_control_character_costs_itself_alone() -> None:
    found = read(xlsx({"S": sheet(f"<row>{text_cell('A1', 'a&#11;b')}</row><row>{text_cell('A2', 'c' + chr(1) + 'd')}</row>")}))
    assert found.content == "S\na b\ncd"
    assert codes(found) == [WarningCode.PART_DAMAGED]
    assert found.confidence is Confidence.HEURISTIC


@pytest.mark.parametrize("content", ["no markup", f"<workbook {ROOT}><sheets/></workbook>", ""])
def test_an_unreadable_workbook_is_corrupt(content: str) -> None:
    with pytest.raises(ExtractionError) as caught:
        read(xlsx({"S": sheet("")}, {"xl/workbook.xml": content}))
    assert caught.value.category is ErrorCategory.CORRUPT


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="A1" t="s"><v>99999999999999999999</v></c>',
        '<c r="A1" t="s"><v>-1</v></c>',
        '<c r="ZZZZZZZZ1"><v>x</v></c>',
        '<c r="A1" s="-5"><v>1e999</v></c>',
        '<c r="A1"><is/></c>',
        '<c r="٣"><v>٣</v></c>',
        '<c r="A1" t="e"/>',
    ],
)
def test_senseless_cells_do_no_harm(cell: str) -> None:
    assert "5" in read(xlsx({"S": sheet(f'<row r="1">{cell}</row><row r="x"><c r="A2"><v>5</v></c></row>')})).content


# Bounds


def test_one_long_string_in_many_cells_stops_at_the_cap() -> None:
    line = "<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>"
    found = read(
        xlsx({"S": sheet(line * 1000)}, {"xl/sharedStrings.xml": strings(f"<t>{'x' * 30_000}</t>")}),
        ExtractOptions(max_extracted_chars=100_000),
    )
    assert len(found.content) == 100_000
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS


def test_a_diagonal_of_cells_stays_within_the_cap() -> None:
    lines = "".join(
        f'<row r="{n}"><c r="{column}{n}"><v>1</v></c></row>' for n, column in enumerate(map(_letters, range(0, 9000, 2)), 1)
    )
    found = read(xlsx({"S": sheet(lines)}), ExtractOptions(max_extracted_chars=50_000))
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>' + sheet(
        "<row><c t='inlineStr'><is><t>&b;</t></is></c></row>"
    )
    assert "aaaa" not in read(xlsx({"S": bomb})).content


def test_the_deadline_keeps_what_was_read() -> None:
    lines = "".join(f'<row r="{n}"><c><v>{n}</v></c></row>' for n in range(1, 200_000))
    found = read(xlsx({"S": sheet(lines)}), ExtractOptions(extraction_timeout_seconds=0.1, max_extracted_chars=10**9))
    assert found.content.startswith("S\n1\n2\n")
    assert found.truncation in (TruncationReason.DEADLINE, None)


def _letters(index: int) -> str:
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
