from datetime import UTC, datetime
from pathlib import Path

import pytest

from docbeam.extractors.ooxml.docx import DocxExtractor
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode
from tests.extractors.ooxml.office import docx, element, p

OPTIONS = ExtractOptions()
GOLDEN = Path(__file__).parents[2] / "golden" / "docx"


def read(data: bytes, options: ExtractOptions = OPTIONS) -> Extracted:
    return DocxExtractor().extract(Source(data=data), MediaType.DOCX, options)


def text(data: bytes) -> str:
    return read(data).content.strip()


def run(content: str) -> str:
    return f"<w:p><w:r>{content}</w:r></w:p>"


def cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def table(*rows: str) -> str:
    return "<w:tbl><w:tblPr/>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def char(kind: str, inner: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'


def field(code: str, result: str | None, data: str = "") -> str:
    shown = "" if result is None else char("separate") + f"<w:r><w:t>{result}</w:t></w:r>"
    return char("begin", data) + f"<w:r><w:instrText> {code} </w:instrText></w:r>" + shown + char("end")


# Characters and runs


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<w:t>1</w:t><w:noBreakHyphen/><w:t>24</w:t>", "1-24"),
        ("<w:t>hy</w:t><w:softHyphen/><w:t>phen</w:t>", "hyphen"),
        ("<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t>", "a\tb\nc\nd"),
        ('<w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FE"/>', "α☑"),
        ('<w:sym w:font="Unheard Of" w:char="0041"/><w:sym w:font="Symbol" w:char="zz"/>', "A"),
        ('<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>ab</w:t>', "αβ"),
        ("<w:t>a\nb</w:t>", "a b"),
        ("<w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t>", "hidden"),
        ("<w:t>kept</w:t><w:delText>gone</w:delText><w:lastRenderedPageBreak/>", "kept"),
    ],
)
def test_the_content_of_a_run_is_read_as_it_is_shown(content: str, expected: str) -> None:
    assert text(docx(run(content))) == expected


def test_readings_follow_the_whole_word_they_belong_to() -> None:
    def ruby(base: str, reading: str) -> str:
        return (
            f"<w:ruby><w:rubyPr/><w:rt><w:r><w:t>{reading}</w:t></w:r></w:rt>"
            f"<w:rubyBase><w:r><w:t>{base}</w:t></w:r></w:rubyBase></w:ruby>"
        )

    body = f"<w:p><w:r>{ruby('東', 'とう')}</w:r><w:r>{ruby('京', 'きょう')}</w:r><w:r><w:t>へ</w:t></w:r></w:p>"
    assert text(docx(body)) == "東京(とうきょう)へ"


def test_words_in_wrappers_stay_in_their_sentence() -> None:
    wrapped = (
        "<w:p><w:r><w:t>a</w:t></w:r><w:hyperlink><w:r><w:t>b</w:t></w:r></w:hyperlink><w:smartTag><w:smartTagPr/><w:r>"
        "<w:t>c</w:t></w:r></w:smartTag><w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent><w:r><w:t>d</w:t></w:r></w:sdtContent>"
        '</w:sdt><w:fldSimple w:instr="MERGEFIELD x"><w:r><w:t>e</w:t></w:r></w:fldSimple><w:unheardOf><w:r><w:t>f</w:t></w:r>'
        "</w:unheardOf></w:p>"
    )
    assert text(docx(wrapped)) == "abcdef"


def test_deletions_are_left_out_and_insertions_stay() -> None:
    body = (
        "<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:ins><w:r><w:t>c</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>d</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>e</w:t></w:r></w:moveTo></w:p>"
    )
    joined = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>run </w:t></w:r></w:p>" + p("on")
    assert text(docx(body + joined)) == "ace\nrun on"


def test_equations_stand_where_they_are() -> None:
    fraction = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    body = f"<w:p><w:r><w:t>so </w:t></w:r><m:oMath>{fraction}<m:r><m:t>=</m:t></m:r>{power}</m:oMath></w:p>"
    assert text(docx(body)) == "so (a + b)/2 = x²"


def test_neighbouring_equations_are_set_apart() -> None:
    def equation(content: str) -> str:
        return f"<m:oMath><m:r><m:t>{content}</m:t></m:r></m:oMath>"

    assert text(docx(f"<w:p>{equation('a=b')}{equation('c=d')}</w:p>")) == "a = b c = d"


@pytest.mark.parametrize(
    ("name", "parts", "expected"),
    [
        ("sSup", {"e": "(x-c)/v", "sup": "2"}, "((x-c)/v)²"),
        ("sSup", {"e": "x", "sup": "n+1"}, "xⁿ⁺¹"),
        ("sSup", {"e": "x", "sup": "a+1"}, "x^(a + 1)"),
        ("sSub", {"e": "K", "sub": "damp"}, "Kdamp"),
        ("sSubSup", {"e": "x", "sub": "i", "sup": "2"}, "xi²"),
        ("rad", {"deg": "3", "e": "a+b"}, "³√(a + b)"),
        ("nary", {"sub": "i=1", "sup": "n", "e": "i"}, "∫_(i = 1)^n i"),
        ("d", {"e": "a"}, "(a)"),
        ("func", {"fName": "sin", "e": "x"}, "sin x"),
        ("limLow", {"e": "lim", "lim": "x→0"}, "lim_(x → 0)"),
        ("acc", {"e": "x"}, "x̂"),
        ("unheardOf", {"e": "a", "lim": "b"}, "ab"),
        ("f", {"num": "a", "e": "b"}, "ab"),
    ],
)
def test_equations_are_one_line(name: str, parts: dict[str, str], expected: str) -> None:
    inner = "".join(f"<m:{key}><m:r><m:t>{value}</m:t></m:r></m:{key}>" for key, value in parts.items())
    assert text(docx(f"<w:p><m:oMath><m:{name}>{inner}</m:{name}></m:oMath></w:p>")) == expected


# Fields


def test_a_field_shows_its_result_and_not_its_instruction() -> None:
    nested = char("begin") + "<w:r><w:instrText>IF </w:instrText></w:r>" + field("MERGEFIELD n", "hidden")
    nested += char("separate") + "<w:r><w:t>shown</w:t></w:r>" + char("end")
    assert text(docx(f"<w:p>{field('PAGE', '7')}</w:p><w:p>{nested}</w:p>")) == "7\nshown"


@pytest.mark.parametrize(
    ("code", "data", "result", "expected"),
    [
        ("FORMCHECKBOX", "<w:ffData><w:checkBox><w:default w:val='1'/></w:checkBox></w:ffData>", None, "☒"),
        ("FORMCHECKBOX", "<w:ffData><w:checkBox><w:default w:val='1'/><w:checked w:val='0'/></w:checkBox></w:ffData>", "", "☐"),
        (
            "FORMDROPDOWN",
            "<w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='red'/><w:listEntry w:val='blue'/></w:ddList>"
            "</w:ffData>",
            "",
            "blue",
        ),
        ("FORMDROPDOWN", "<w:ffData><w:ddList><w:listEntry w:val='red'/></w:ddList></w:ffData>", None, "red"),
        ("FORMTEXT", "<w:ffData><w:textInput><w:default w:val='none'/></w:textInput></w:ffData>", "typed", "typed"),
        ("MACROBUTTON Run [Click here]", "", None, "[Click here]"),
        (r'SYMBOL 97 \f "Symbol" \s 10', "", None, "α"),
        (r'EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(かん),漢)', "", None, "かん 漢"),
        ("TOC", "", None, ""),
    ],
)
def test_fields_that_show_something_else_than_a_result(code: str, data: str, result: str | None, expected: str) -> None:
    assert (
        text(docx(f"<w:p><w:r><w:t>[</w:t></w:r>{field(code, result, data)}<w:r><w:t>]</w:t></w:r></w:p>")) == f"[{expected}]"
    )


def test_a_field_that_never_ends_hides_nothing() -> None:
    assert "after it" in text(docx(f"<w:p>{char('begin')}</w:p>" + p("after it")))


# Tables


def test_a_row_is_a_line_and_its_cells_are_set_off_by_tabs() -> None:
    rows = [
        cell(p("a") + p("b")) + cell(p("c")),
        cell(p("wide"), '<w:gridSpan w:val="2"/>') + cell(p("d")),
        cell(p("")) + cell(p("e")),
    ]
    assert text(docx(p("before") + table(*rows) + p("after"))) == "before\n\na b\tc\nwide\t\td\n\te\n\nafter"


def test_rows_of_a_nested_table_never_run_into_the_outer_row() -> None:
    inner = table(cell(p("i1")) + cell(p("i2")), cell(p("i3")) + cell(p("i4")))
    outer = table(cell(p("name")) + cell(p("above") + inner + p("below")), cell(p("x")) + cell(p("y")))
    assert text(docx(outer)) == "name\nabove\ni1\ti2\ni3\ti4\nbelow\nx\ty"


def test_rows_and_cells_in_content_controls_are_read_and_deleted_rows_are_not() -> None:
    def control(content: str) -> str:
        return f"<w:sdt><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    row = control(f"<w:tr>{cell(p('a'))}{control(cell(p('b')))}</w:tr>")
    deleted = f"<w:tr><w:trPr><w:del/></w:trPr>{cell(p('gone'))}</w:tr>"
    assert text(docx(f"<w:tbl>{row}{deleted}</w:tbl>")) == "a\tb"


def test_a_row_of_long_cells_lays_out_a_page_and_keeps_its_lines() -> None:
    columns = table(cell("".join(p(f"left {n}") for n in range(15))) + cell(p("right")))
    assert text(docx(columns)).split("\n")[:2] == ["left 0", "left 1"]
    assert text(docx(table(cell(p("one") + p("two"))))) == "one\ntwo"


def test_tables_ten_thousand_deep_end_with_a_warning_and_keep_their_text() -> None:
    deep = p("first") + "<w:tbl><w:tr><w:tc>" * 90 + p("innermost") + "</w:tc></w:tr></w:tbl>" * 90
    found = read(docx(deep))
    assert found.content.split() == ["first", "innermost"]
    assert WarningCode.PART_DAMAGED in {notice.code for notice in found.warnings}
    depth = 10_000
    found = read(docx(p("first") + "<w:tbl><w:tr><w:tc>" * depth + p("x") + "</w:tc></w:tr></w:tbl>" * depth))
    assert "first" in found.content
    assert WarningCode.PART_DAMAGED in {notice.code for notice in found.warnings}


# Stories beside the body


def test_headers_and_footers_come_with_their_section_and_once() -> None:
    margins = "".join(f'<w:{kind}Reference w:type="default" r:id="{key}"/>' for kind, key in (("header", "h"), ("footer", "f")))
    body = f"<w:p><w:pPr><w:sectPr>{margins}</w:sectPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>"
    last = '<w:sectPr><w:headerReference w:type="default" r:id="h2"/><w:footerReference w:type="default" r:id="f"/></w:sectPr>'
    found = docx(
        body + p("two") + last,
        {"h": ("header", "h.xml"), "h2": ("header", "h2.xml"), "f": ("footer", "f.xml")},
        {
            "word/h.xml": element("w:hdr", p("head")),
            "word/h2.xml": element("w:hdr", p("head")),
            "word/f.xml": element("w:ftr", p("foot")),
        },
    )
    assert text(found) == "head\n\none\n\nfoot\n\ntwo"


def test_notes_follow_their_paragraph_and_endnotes_the_document() -> None:
    marks = '<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="2"/><w:t>b</w:t><w:endnoteReference w:id="3"/></w:r></w:p>'
    separator = '<w:footnote w:id="0" w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    parts = {
        "word/footnotes.xml": element(
            "w:footnotes",
            f'{separator}<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/><w:t>foot</w:t></w:r></w:p></w:footnote>'
            f'<w:footnote w:id="9">{p("stray")}</w:footnote>',
        ),
        "word/endnotes.xml": element("w:endnotes", f'<w:endnote w:id="3">{p("end")}</w:endnote>'),
    }
    relations = {"f": ("footnotes", "footnotes.xml"), "e": ("endnotes", "endnotes.xml")}
    assert text(docx(marks + p("next"), relations, parts)) == "a[1]b[i]\n[1] foot\nnext\n\n[footnote] stray\n\n[i] end"


def test_comments_are_marked_with_their_author() -> None:
    body = '<w:p><w:commentRangeStart w:id="1"/><w:r><w:t>a</w:t></w:r><w:r><w:commentReference w:id="1"/></w:r></w:p>'
    comments = element("w:comments", f'<w:comment w:id="1" w:author="Ada">{p("why?")}</w:comment>')
    found = docx(body, {"c": ("comments", "comments.xml")}, {"word/comments.xml": comments})
    assert text(found) == "a\n[Comment by Ada: why?]"


def test_a_text_box_is_read_once_and_after_its_paragraph() -> None:
    content = f"<w:txbxContent>{p('boxed')}</w:txbxContent>"
    shape = f"<w:drawing><wp:inline><wps:txbx>{content}</wps:txbx></wp:inline></w:drawing>"
    old = f"<mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
    both = f"<mc:AlternateContent><mc:Choice Requires='wps'>{shape}</mc:Choice>{old}</mc:AlternateContent>"
    assert text(docx(f"<w:p><w:r><w:t>a</w:t></w:r><w:r>{both}</w:r><w:r><w:t>b</w:t></w:r></w:p>")) == "ab\nboxed"
    empty = f"<mc:AlternateContent><mc:Choice Requires='x'><w:drawing/></mc:Choice>{old}</mc:AlternateContent>"
    assert text(docx(f"<w:p><w:r>{empty}</w:r></w:p>")) == "boxed"


def test_word_art_and_descriptions_of_pictures_are_read() -> None:
    art = '<w:pict><v:shape><v:textpath string="Grand Opening"/></v:shape></w:pict>'
    picture = '<w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A lighthouse at dusk"/></wp:inline></w:drawing>'
    named = '<w:drawing><wp:inline><wp:docPr id="1" name="x" descr="C:\\pictures\\image 1.png"/></wp:inline></w:drawing>'
    assert text(docx(run(art) + run(picture) + run(named))) == "Grand Opening\n\n[Image: A lighthouse at dusk]"


# Lists


def test_list_labels_are_counted_as_word_counts_them() -> None:
    def level(number: int, form: str, shown: str) -> str:
        return f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{shown}"/></w:lvl>'

    levels = level(0, "decimal", "%1.") + level(1, "lowerLetter", "%1.%2)")
    numbering = element(
        "w:numbering",
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:abstractNum w:abstractNumId="1">'
        f'{level(0, "bullet", "&#xF0B7;")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
    )
    styles = element(
        "w:styles",
        '<w:style w:type="paragraph" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="M"><w:basedOn w:val="L"/></w:style>',
    )

    def item(content: str, number: int, depth: int = 0) -> str:
        properties = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
        return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{content}</w:t></w:r></w:p>"

    styled = '<w:p><w:pPr><w:pStyle w:val="M"/></w:pPr><w:r><w:t>dot</w:t></w:r></w:p>'
    body = (
        item("a", 1) + item("b", 1, 1) + item("c", 1, 1) + item("d", 1) + item("e", 1, 1) + item("f", 3) + styled + item("g", 0)
    )
    found = docx(
        body,
        {"n": ("numbering", "numbering.xml"), "s": ("styles", "styles.xml")},
        {"word/numbering.xml": numbering, "word/styles.xml": styles},
    )
    assert text(found) == "1. a\n  1.a) b\n  1.b) c\n2. d\n  2.a) e\n5. f\n• dot\ng"


def test_a_heading_is_set_off_by_a_blank_line() -> None:
    styles = element("w:styles", '<w:style w:type="paragraph" w:styleId="H"><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>')
    heading = '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>'
    found = docx(p("a") + heading + p("b"), {"s": ("styles", "styles.xml")}, {"word/styles.xml": styles})
    assert text(found) == "a\n\nHead\nb"


# What is not read, missing or broken


def test_pictures_are_handed_out_and_embedded_files_are_named() -> None:
    def inline(key: str, width: int) -> str:
        extent = f'<wp:extent cx="{width}" cy="952500"/>'
        return f'<w:r><w:drawing><wp:inline>{extent}<a:blip r:embed="{key}"/></wp:inline></w:drawing></w:r>'

    pictures = inline("big", 4_000_000) * 2 + inline("small", 90_000) + inline("lost", 4_000_000)
    found = read(
        docx(
            f"<w:p>{pictures}</w:p>",
            {"big": ("image", "media/big.png"), "small": ("image", "media/s.png"), "lost": ("image", "media/lost.png")},
            {
                "word/media/big.png": b"x" * 900,
                "word/media/s.png": b"x" * 900,
                "word/embeddings/oleObject1.bin": b"x",
                "word/activeX/activeX1.xml": b"<x/>",
            },
        )
    )
    assert [picture.part for picture in found.pictures] == ["word/media/big.png"]
    assert [(notice.code, notice.part) for notice in found.warnings] == [
        (WarningCode.ENTRY_MISSING, "word/media/lost.png"),
        (WarningCode.PART_NOT_READ, "word/activeX/activeX1.xml"),
    ]


def test_a_missing_header_and_a_missing_note_leave_the_rest() -> None:
    body = p("body") + '<w:p><w:r><w:footnoteReference w:id="4"/></w:r></w:p><w:sectPr><w:headerReference r:id="h"/></w:sectPr>'
    found = read(docx(body, {"h": ("header", "gone.xml")}))
    assert found.content.strip() == "body"
    assert [notice.code for notice in found.warnings] == [WarningCode.ENTRY_MISSING] * 2


def test_a_broken_main_part_gives_what_can_be_read_and_says_so() -> None:
    whole = element("w:document", f"<w:body>{p('kept')}{p('lost')}</w:body>")
    found = read(docx("", parts={"word/document.xml": whole[: whole.index("lost")]}))
    assert found.content.strip() == "kept"
    assert (found.confidence, found.truncation) == (Confidence.HEURISTIC, TruncationReason.DAMAGED)
    assert [notice.code for notice in found.warnings] == [WarningCode.PART_DAMAGED]


@pytest.mark.parametrize("main", ["", "not xml at all", "<w:document", '<x xmlns="urn:x"><y></x>'])
def test_a_main_part_without_any_text_is_corrupt(main: str) -> None:
    with pytest.raises(ExtractionError) as caught:
        read(docx("", parts={"word/document.xml": main}))
    assert caught.value.category is ErrorCategory.CORRUPT


def test_text_past_the_cap_is_cut_also_inside_a_table() -> None:
    options = ExtractOptions(max_extracted_chars=100)
    long = read(docx("".join(p("0123456789") for _ in range(50))), options)
    assert (len(long.content), long.truncation) == (100, TruncationReason.MAX_EXTRACTED_CHARS)
    wide = read(docx(table("".join(cell(p("0123456789")) for _ in range(200)))), options)
    assert (len(wide.content), wide.truncation) == (100, TruncationReason.MAX_EXTRACTED_CHARS)


def test_properties_are_lifted_and_kept() -> None:
    core = (
        '<x xmlns:d="urn:d"><d:title>T</d:title><d:creator>A</d:creator><d:created>2024-03-14T09:26:52Z</d:created>'
        "<d:keywords>k</d:keywords><d:revision>3</d:revision></x>"
    )
    found = read(docx(p("x"), parts={"docProps/core.xml": core}))
    assert (found.title, found.author, found.modified_at) == ("T", "A", None)
    assert found.created_at == datetime(2024, 3, 14, 9, 26, 52, tzinfo=UTC)
    assert found.metadata == {"docx.title": "T", "docx.author": "A", "docx.keywords": "k", "docx.revision": "3"}


# Imported documents


def test_an_imported_word_document_is_read_in_its_place() -> None:
    inner = docx(p("inner"))
    found = docx(p("a") + '<w:altChunk r:id="c"/>' + p("b"), {"c": ("aFChunk", "part.docx")}, {"word/part.docx": inner})
    assert text(found).split() == ["a", "inner", "b"]


def test_imported_pages_web_archives_and_texts_are_read() -> None:
    archive = (
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html; charset=iso-8859-1\n"
        "Content-Transfer-Encoding: quoted-printable\n\n<p>Stra=DFe</p>\n--b--\n"
    )
    parts = {"word/a.html": "<h1>Head</h1><p>body", "word/b.mht": archive, "word/c.txt": "plain text"}
    body = "".join(f'<w:altChunk r:id="{key}"/>' for key in "abc")
    relations = {"a": ("aFChunk", "a.html"), "b": ("aFChunk", "/word/b.mht"), "c": ("aFChunk", "c.txt")}
    assert text(docx(body, relations, parts)).split() == ["Head", "body", "Straße", "plain", "text"]


def test_a_document_that_imports_itself_ends_with_a_warning() -> None:
    data = docx(p("core"))
    for _ in range(6):
        data = docx(p("x") + '<w:altChunk r:id="c"/>', {"c": ("aFChunk", "part.docx")}, {"word/part.docx": data})
    found = read(data)
    assert found.content.split() == ["x"] * 4
    assert WarningCode.EMBEDDED_NOT_READ in {notice.code for notice in found.warnings}


def test_imports_that_cannot_be_read_are_named() -> None:
    body = "".join(f'<w:altChunk r:id="{key}"/>' for key in "abc")
    relations = {"a": ("aFChunk", "a.bin"), "b": ("aFChunk", "gone.docx"), "c": ("aFChunk", "c.docx")}
    found = read(docx(body + p("x"), relations, {"word/a.bin": b"\x00\x01", "word/c.docx": b"PK broken"}))
    assert found.content.strip() == "x"
    assert [(notice.code, notice.part) for notice in found.warnings] == [
        (WarningCode.EMBEDDED_NOT_READ, "word/a.bin"),
        (WarningCode.ENTRY_MISSING, "word/gone.docx"),
        (WarningCode.PART_DAMAGED, "word/c.docx"),
    ]
