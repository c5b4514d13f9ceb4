"""Text documents: spaces, notes, comments, tracked changes, lists, tables, frames, fields, objects."""

from __future__ import annotations

from docbeam.schemas.vocabulary import WarningCode
from tests.extractors.odf.packages import NAMES, content, package, read, text_of

NUMBERS = (
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>'
    '<text:list-level-style-number text:level="3" style:num-format="1" text:display-levels="2" style:num-suffix="."/>'
    "</text:list-style>"
)

SPANNED, REPEATED = 'table:number-columns-spanned="2"', 'table:number-columns-repeated="2"'


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def item(text: str) -> str:
    return f"<text:list-item>{text}</text:list-item>"


def test_white_space_is_one_space_and_its_elements_count() -> None:
    body = '<text:p>  a \n b<text:span> c</text:span> <text:s text:c="2"/>d<text:tab/>e<text:line-break/>f </text:p>'
    assert text_of(body) == "a b c   d\te\nf"


def test_words_are_not_torn_by_spans_marks_and_soft_hyphens() -> None:
    body = (
        '<text:p>har<text:span>bour</text:span> li<text:bookmark text:name="b"/>ght<text:change-start/>house'
        "<text:soft-page-break/> a\u00adn\u00adchor</text:p>"
    )
    assert text_of(body) == "harbour lighthouse anchor"


def test_footnotes_follow_their_paragraph_and_endnotes_the_document() -> None:
    body = (
        '<text:p>Oil<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>'
        'whale</text:p></text:note-body></text:note> and wick<text:note text:note-class="endnote"><text:note-citation>i'
        "</text:note-citation><text:note-body><text:p>cotton</text:p></text:note-body></text:note></text:p><text:p>next</text:p>"
    )
    assert text_of(body) == "Oil[1] and wick[i]\n[1] whale\nnext\n\n[i] cotton"


def test_comments_name_their_author() -> None:
    body = (
        "<text:p>lit<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024-01-01T00:00:00</dc:date><text:p>when?</text:p>"
        "</office:annotation> at dusk</text:p>"
    )
    assert text_of(body) == "lit at dusk\n[Comment by Ann: when?]"


def test_deletions_are_left_out_and_insertions_stay() -> None:
    body = (
        '<text:tracked-changes><text:changed-region text:id="c"><text:deletion><text:p>gone</text:p></text:deletion>'
        '</text:changed-region></text:tracked-changes><text:p>kept <text:change text:change-id="c"/><text:change-start/>new'
        "<text:change-end/></text:p>"
    )
    assert text_of(body) == "kept new"


def test_lists_have_their_labels_and_go_on_where_they_say() -> None:
    inner = f"<text:list>{item('<text:p>x</text:p>')}{item('<text:p>y</text:p>')}</text:list>"
    body = (
        f'<text:list text:style-name="L">{item("<text:p>one</text:p>" + inner)}{item("<text:p>two</text:p><text:p>more</text:p>")}'
        '</text:list><text:p>between</text:p><text:list text:style-name="L" text:continue-numbering="true">'
        f"{item('<text:p>three</text:p>')}</text:list>"
        f'<text:list text:style-name="L">{item("<text:p>again</text:p>")}</text:list>'
    )
    assert text_of(body, NUMBERS).split("\n") == [
        "1. one", "  a) x", "  b) y", "2. two", "more", "between", "3. three", "1. again",
    ]  # fmt: skip


def test_tables_are_rows_with_tabs_merged_cells_once_and_repeats_bounded() -> None:
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        f"{cell('Name', SPANNED)}<table:covered-table-cell/>{cell('Age')}</table:table-row>"
        f"</table:table-header-rows><table:table-row>{cell('a', REPEATED)}{cell('1')}</table:table-row>"
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/>'
        "</table:table-row></table:table><text:p>after</text:p>"
    )
    assert text_of(body) == "Name\t\tAge\na\ta\t1\n\nafter"


def test_a_table_in_a_cell_stands_on_lines_of_its_own() -> None:
    inner = f"<table:table><table:table-row>{cell('c')}{cell('d')}</table:table-row></table:table>"
    body = (
        f"<table:table><table:table-row>{cell('a')}<table:table-cell>{inner}</table:table-cell></table:table-row></table:table>"
    )
    assert text_of(body) == "a\nc\td"


def test_text_boxes_shapes_and_alternative_texts_are_read() -> None:
    body = (
        "<text:p>Para<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame> end</text:p>"
        "<text:p><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></text:p>"
        '<text:p><draw:frame svg:width="9cm" svg:height="5cm"><draw:image xlink:href="Pictures/a.png"/><svg:desc>A light</svg:desc>'
        "</draw:frame></text:p>"
    )
    extracted = read(package(content(body), parts={"Pictures/a.png": b"x" * 900}))
    assert [line for line in extracted.content.split("\n") if line] == ["Para end", "boxed", "shape", "[Image: A light]"]
    assert [picture.part for picture in extracted.pictures] == ["Pictures/a.png"]


def test_form_controls_show_their_values_in_place() -> None:
    body = (
        '<office:forms><form:form><form:text form:id="t" form:current-value="Rotterdam"/><form:checkbox form:id="b" '
        'form:label="Dangerous" form:current-state="checked"/><form:listbox form:id="l"><form:option form:label="no"/>'
        '<form:option form:label="yes" form:selected="true"/></form:listbox></form:form></office:forms>'
        '<text:p>Port:<draw:control draw:control="t"/></text:p><text:p><draw:control draw:control="b"/></text:p>'
    )
    assert [line for line in text_of(body).split("\n") if line] == ["Port:", "Rotterdam", "☒ Dangerous", "yes"]


def test_charts_and_formulas_are_read_from_their_objects() -> None:
    chart = content(
        "<chart:chart><chart:title><text:p>Oil</text:p></chart:title><table:table><table:table-row>"
        f"{cell('1850')}{cell('7')}</table:table-row></table:table></chart:chart>",
        "chart",
    )
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>'
    body = (
        '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
        '<text:p>so <draw:frame><draw:object xlink:href="./Object 2"/></draw:frame> holds</text:p>'
    )
    extracted = read(package(content(body), parts={"Object 1/content.xml": chart, "Object 2/content.xml": formula}))
    assert [line for line in extracted.content.split("\n") if line] == ["Oil", "1850\t7", "so a/b holds"]
    assert extracted.warnings == ()


def test_missing_pictures_and_objects_are_named() -> None:
    body = '<text:p><draw:frame><draw:object xlink:href="./Object 9"/><draw:image xlink:href="Pictures/no.png"/></draw:frame></text:p>'
    codes = [notice.code for notice in read(package(content(body))).warnings]
    assert codes == [WarningCode.ENTRY_MISSING, WarningCode.ENTRY_MISSING]


def test_ruby_follows_its_base_and_hidden_text_is_kept_and_counted() -> None:
    hidden = '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>'
    ruby = "<text:ruby><text:ruby-base>{}</text:ruby-base><text:ruby-text>{}</text:ruby-text></text:ruby>"
    body = (
        f'<text:p>{ruby.format("灯", "とう")}{ruby.format("台", "だい")}です</text:p><text:p>see<text:span text:style-name="H"> me'
        '</text:span></text:p><text:section text:name="S" text:display="none"><text:p>secret</text:p></text:section>'
    )
    extracted = read(package(content(body, automatic=hidden)))
    assert extracted.content.split() == ["灯台(とうだい)です", "see", "me", "secret"]
    assert extracted.metadata["odt.hiddenChars"] == "3"
    assert extracted.metadata["odt.hiddenSections"] == "S"


def test_an_embedded_document_is_read_in_place() -> None:
    inner = content("<text:p>inner words</text:p>")
    body = '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    assert text_of(body, parts={"Object 1/content.xml": inner}) == "inner words"
    assert NAMES in inner
