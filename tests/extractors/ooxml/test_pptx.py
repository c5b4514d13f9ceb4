from pathlib import Path

import pytest

from docbeam.extractors.ooxml.pptx import PptxExtractor
from docbeam.extractors.ooxml.pptx.order import Box, reading_order
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Picture
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode
from tests.extractors.ooxml.office import box, element, pptx, rels

OPTIONS = ExtractOptions()
GOLDEN = Path(__file__).parents[2] / "golden" / "pptx"
TITLE = '<p:ph type="title"/>'


def read(data: bytes, options: ExtractOptions = OPTIONS) -> Extracted:
    return PptxExtractor().extract(Source(data=data), MediaType.PPTX, options)


def text(data: bytes) -> str:
    return read(data).content


def frame(inner: str) -> str:
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="x"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        f"<a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def group(*shapes: str) -> str:
    head = '<p:nvGrpSpPr><p:cNvPr id="5" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    return f"<p:grpSp>{head}{''.join(shapes)}</p:grpSp>"


# Slides


def test_slides_come_in_the_order_of_the_presentation_as_pages() -> None:
    listed = '<p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst>'
    found = read(pptx([box("first"), box("second")], {"ppt/presentation.xml": element("p:presentation", listed)}))
    assert found.content == "second\n\nfirst"
    assert [found.content[page.start : page.end] for page in found.pages] == ["second", "first"]
    assert (found.page_count, found.metadata["pptx.slideCount"]) == (2, "2")


def test_a_hidden_slide_is_read_and_named() -> None:
    hidden = element("p:sld", f"<p:cSld><p:spTree>{box('secret')}</p:spTree></p:cSld>", 'show="0"')
    found = read(pptx([box("open"), ""], {"ppt/slides/slide2.xml": hidden}))
    assert found.content == "open\n\nsecret"
    assert found.metadata["pptx.hiddenSlides"] == "2"


def test_a_missing_slide_leaves_an_empty_page_and_a_broken_one_what_can_be_read() -> None:
    broken = element("p:sld", f"<p:cSld><p:spTree>{box('kept')}</p:spTree></p:cSld>")[:-40]
    relations = {
        "rId1": ("slide", "slides/gone.xml"),
        "rId2": ("slide", "slides/slide2.xml"),
        "rId3": ("slide", "slides/slide3.xml"),
    }
    parts = {"ppt/slides/slide2.xml": broken, "ppt/_rels/presentation.xml.rels": rels(relations)}
    found = read(pptx(["", "", box("last")], parts))
    assert found.content == "kept\n\nlast"
    assert [(page.number, page.start, page.end) for page in found.pages] == [(1, 0, 0), (2, 0, 4), (3, 6, 10)]
    assert [notice.code for notice in found.warnings] == [WarningCode.ENTRY_MISSING, WarningCode.PART_DAMAGED]


def test_a_broken_main_part_still_gives_the_slides() -> None:
    found = read(pptx([box("one"), box("two")], {"ppt/presentation.xml": element("p:presentation", "")[:-5]}))
    assert found.content == "one\n\ntwo"
    assert (found.confidence, found.truncation) == (Confidence.HEURISTIC, TruncationReason.DAMAGED)
    with pytest.raises(ExtractionError) as caught:
        read(pptx([box("one")], {"ppt/presentation.xml": "nothing"}))
    assert caught.value.category is ErrorCategory.CORRUPT


# Reading order


def test_the_title_comes_first_and_footers_last() -> None:
    footer = box("42", 0, 0, placeholder='<p:ph type="sldNum"/>')
    assert text(pptx([footer + box("body", 0, 5000) + box("Title", 0, 9000, placeholder=TITLE)])) == "Title\nbody\n42"


def test_a_shape_plainly_above_another_is_read_before_it() -> None:
    assert text(pptx([box("below", 0, 3000) + box("above", 0, 1000) + box("right", 5000, 1000)])) == "above\nbelow\nright"


def test_cards_keep_their_heading_and_text_together() -> None:
    cards = [Box(x, y, x + 10, y + h) for x in (0, 20, 40) for y, h in ((0, 5), (10, 50))]
    assert reading_order(cards) == [0, 1, 2, 3, 4, 5]
    assert reading_order(list(reversed(cards))) != list(range(6))


def test_overlapping_and_placeless_shapes_keep_the_order_of_the_file() -> None:
    assert reading_order([Box(0, 0, 10, 10), None, Box(1, 1, 11, 11), Box(0, 0, 10, 10)]) == [0, 1, 2, 3]
    assert reading_order([]) == []
    pinwheel = [Box(0, 0, 6, 3), Box(7, 0, 10, 6), Box(4, 7, 10, 10), Box(0, 4, 3, 10)]
    assert sorted(reading_order(pinwheel)) == [0, 1, 2, 3]


def test_a_placeholder_stands_where_its_layout_puts_it() -> None:
    empty = "<p:spPr/>"

    def holder(content: str, index: int) -> str:
        head = f'<p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph idx="{index}"/></p:nvPr></p:nvSpPr>'
        return f"<p:sp>{head}{empty}<p:txBody><a:p><a:r><a:t>{content}</a:t></a:r></a:p></p:txBody></p:sp>"

    layout = box("Click to edit", 0, 9000, placeholder='<p:ph idx="1"/>') + box("Prompt", 0, 100, placeholder='<p:ph idx="2"/>')
    parts = {"ppt/slideLayouts/slideLayout1.xml": element("p:sldLayout", f"<p:cSld><p:spTree>{layout}</p:spTree></p:cSld>")}
    relations = {"l": ("slideLayout", "../slideLayouts/slideLayout1.xml")}
    assert text(pptx([holder("low", 1) + holder("high", 2)], parts, relations)) == "high\nlow"


def test_words_of_a_layout_are_read_once_and_its_prompts_never() -> None:
    layout = box("ACME CORP") + box("Click to edit", placeholder=TITLE)
    parts = {
        "ppt/slideLayouts/slideLayout1.xml": element("p:sldLayout", f"<p:cSld><p:spTree>{layout}</p:spTree></p:cSld>"),
        "ppt/slides/_rels/slide2.xml.rels": rels({"l": ("slideLayout", "../slideLayouts/slideLayout1.xml")}),
    }
    relations = {"l": ("slideLayout", "../slideLayouts/slideLayout1.xml")}
    assert text(pptx([box("one"), box("two")], parts, relations)) == "one\n\nACME CORP\n\ntwo"


# Shapes


def test_groups_in_groups_are_read_and_ten_thousand_of_them_end_with_a_warning() -> None:
    assert text(pptx([group(box("a"), group(box("b", 0, 900)))])) == "a\nb"
    deep = box("innermost")
    for _ in range(80):
        deep = f"<p:grpSp>{deep}</p:grpSp>"
    found = read(pptx([box("first") + deep]))
    assert found.content == "first\ninnermost"
    assert [notice.code for notice in found.warnings] == [WarningCode.PART_DAMAGED]
    found = read(pptx([box("first") + "<p:grpSp>" * 10_000 + box("x") + "</p:grpSp>" * 10_000]))
    assert found.content.startswith("first")
    assert WarningCode.PART_DAMAGED in {notice.code for notice in found.warnings}


def test_a_table_has_a_line_for_each_row_and_merged_cells_once() -> None:
    def cell(content: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{content}</a:t></a:r></a:p></a:txBody></a:tc>"

    wide = cell("wide", 'gridSpan="2"') + cell("", 'hMerge="1"') + cell("c")
    tall = cell("", 'vMerge="1"') + cell("d") + cell("e")
    table = f"<a:tbl><a:tr>{wide}</a:tr><a:tr>{tall}</a:tr></a:tbl>"
    assert text(pptx([frame(table)])) == "wide\t\tc\n\td\te"


def test_a_chart_is_a_table_of_its_series() -> None:
    def points(*values: str) -> str:
        return "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))

    def series(name: str, code: str, *values: str) -> str:
        categories = f"<c:cat><c:strRef><c:strCache>{points('North', 'South')}</c:strCache></c:strRef></c:cat>"
        numbers = f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points(*values)}</c:numCache></c:numRef>"
        return f"<c:ser><c:tx><c:v>{name}</c:v></c:tx>{categories}<c:val>{numbers}</c:val></c:ser>"

    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    plot = series("Cod", "General", "4.2999999999999998", "2") + series("Share", "0.0%", "0.125", "0.5")
    chart = element("c:chartSpace", f"<c:chart>{title}<c:plotArea><c:barChart>{plot}</c:barChart></c:plotArea></c:chart>")
    relations = {"c": ("chart", "../charts/chart1.xml"), "gone": ("chart", "../charts/gone.xml")}
    shapes = frame('<c:chart r:id="c"/>') + frame('<c:chart r:id="gone"/>')
    found = read(pptx([shapes], {"ppt/charts/chart1.xml": chart}, relations))
    assert found.content == "Catch\n\tCod\tShare\nNorth\t4.3\t12.5%\nSouth\t2\t50.0%"
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.ENTRY_MISSING, "ppt/charts/gone.xml")]


def test_a_diagram_is_read_in_the_order_of_its_tree() -> None:
    def point(key: str, content: str, kind: str = "node") -> str:
        body = f"<dgm:t><a:p><a:r><a:t>{content}</a:t></a:r></a:p></dgm:t>" if content else ""
        return f'<dgm:pt modelId="{key}" type="{kind}">{body}</dgm:pt>'

    def link(source: str, target: str, order: int) -> str:
        return f'<dgm:cxn modelId="{source}{target}" srcId="{source}" destId="{target}" srcOrd="{order}"/>'

    points = point("2", "second") + point("0", "", "doc") + point("11", "inner") + point("1", "first") + point("8", "stray")
    links = link("0", "2", 1) + link("0", "1", 0) + link("1", "11", 0)
    data = element("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>")
    relations = {"d": ("diagramData", "../diagrams/data1.xml")}
    assert text(pptx([frame('<dgm:relIds r:dm="d"/>')], {"ppt/diagrams/data1.xml": data}, relations)) == (
        "first\n  inner\nsecond\nstray"
    )


def test_paragraphs_show_breaks_fields_equations_levels_and_numbers() -> None:
    paragraphs = (
        "<a:p><a:r><a:t>Duties of</a:t></a:r><a:br/><a:r><a:t>page </a:t></a:r>"
        '<a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
        "<a:p><a:r><a:t>rate </a:t></a:r><a14:m><m:oMath><m:r><m:t>Q=2</m:t></m:r></m:oMath></a14:m></a:p>"
        '<a:p><a:pPr lvl="1"><a:buAutoNum type="alphaLcParenR"/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>'
        '<a:p><a:pPr lvl="1"><a:buAutoNum type="alphaLcParenR"/></a:pPr><a:r><a:t>y_x000B_z</a:t></a:r></a:p>'
        '<a:p><a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>so \uf0e0 then</a:t></a:r></a:p>'
    )
    shape = f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody>{paragraphs}</p:txBody></p:sp>"
    assert text(pptx([shape])) == "Duties of\npage 7\nrate Q = 2\n  a) x\n  b) y\nz\nso → then"


def test_a_shape_behind_markup_alternatives_is_read_once() -> None:
    def alternatives(choice: str) -> str:
        fallback = f"<mc:Fallback>{box('old')}</mc:Fallback>"
        return f"<mc:AlternateContent><mc:Choice Requires='a14'>{choice}</mc:Choice>{fallback}</mc:AlternateContent>"

    assert text(pptx([alternatives(box("new")) + alternatives("<x/>")])) == "new\nold"


def test_pictures_are_described_and_handed_out() -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="7" name="x" descr="A map of the bay"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="i"/></p:blipFill>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="3000000"/></a:xfrm></p:spPr></p:pic>'
    )
    found = read(pptx([picture], {"ppt/media/image1.png": b"x" * 900}, {"i": ("image", "../media/image1.png")}))
    assert found.content == "[Image: A map of the bay]"
    assert found.pictures == (Picture("ppt/media/image1.png", len(found.content), 1),)


# Notes and comments


def test_notes_and_comments_follow_their_slide_and_are_marked() -> None:
    notes = "".join(
        box(content, placeholder=f'<p:ph type="{kind}"/>')
        for content, kind in (("7", "sldNum"), ("say this", "body"), ("Head", "hdr"))
    )

    def body(content: str) -> str:
        return f"<t:txBody><a:p><a:r><a:t>{content}</a:t></a:r></a:p></t:txBody>"

    threaded = (
        f"<t:cmLst xmlns:t='urn:threaded'><t:cm authorId='{{A}}'><t:replyLst><t:reply authorId='1'>{body('answer')}</t:reply>"
        f"</t:replyLst>{body('question')}</t:cm></t:cmLst>"
    )
    parts = {
        "ppt/notesSlides/notesSlide1.xml": element("p:notes", f"<p:cSld><p:spTree>{notes}</p:spTree></p:cSld>"),
        "ppt/comments/comment1.xml": element("p:cmLst", '<p:cm authorId="1"><p:text>old style</p:text></p:cm>'),
        "ppt/comments/modern.xml": element("x", threaded),
        "ppt/commentAuthors.xml": element("p:cmAuthorLst", '<p:cmAuthor id="1" name="Ada"/>'),
        "ppt/_rels/presentation.xml.rels": rels(
            {"rId1": ("slide", "slides/slide1.xml"), "rId9": ("commentAuthors", "commentAuthors.xml")}
        ),
    }
    relations = {
        "n": ("notesSlide", "../notesSlides/notesSlide1.xml"),
        "c": ("comments", "../comments/comment1.xml"),
        "m": ("comments", "../comments/modern.xml"),
    }
    assert text(pptx([box("slide")], parts, relations)) == (
        "slide\n\nNotes:\nsay this\nHead\n\n[Comment by Ada: old style]\n\n[Comment: question]\n\n[Comment by Ada: answer]"
    )


def test_text_past_the_cap_is_cut_and_the_page_ends_there() -> None:
    found = read(pptx([box("0123456789"), box("0123456789")]), ExtractOptions(max_extracted_chars=15))
    assert (found.content, found.truncation) == ("0123456789\n\n012", TruncationReason.MAX_EXTRACTED_CHARS)
    assert [(page.start, page.end) for page in found.pages] == [(0, 10), (12, 15)]
