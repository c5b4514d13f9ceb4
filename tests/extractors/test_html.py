"""HTML: laid out in blocks as a browser does, with nothing fetched, run, torn, glued or lost in silence."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docbeam.extractors.html import HtmlExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode

GOLDEN = Path(__file__).parent.parent / "golden" / "html"
OPTIONS = ExtractOptions()


def read(markup: str | bytes, media_type: str = MediaType.HTML, options: ExtractOptions = OPTIONS) -> Extracted:
    data = markup.encode() if isinstance(markup, str) else markup
    return HtmlExtractor().extract(Source(data=data), media_type, options)


def text(markup: str) -> str:
    return read(markup).content


@pytest.mark.parametrize("page", sorted(GOLDEN.glob("*.html")), ids=lambda path: path.stem)
def test_a_real_page_reads_as_a_browser_shows_it(page: Path) -> None:
    assert read(page.read_bytes()).content == page.with_suffix(".txt").read_text(encoding="utf-8")


def test_it_is_an_extractor_of_html_and_xhtml() -> None:
    assert isinstance(HtmlExtractor(), Extractor)
    assert HtmlExtractor().can_handle(MediaType.XHTML)
    assert not HtmlExtractor().can_handle(MediaType.XML)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>un<b>believ</b>able", "unbelievable"),
        ("<p>First<b> </b><i>Last</i>", "First Last"),
        ("<p>a  \n\t b <i> c</i> d ", "a b c d"),
        ("<div>north</div><div>south</div>", "north\nsouth"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<h1>Title</h1>words<h2>Next</h2>", "Title\n\nwords\n\nNext"),
        ("Harbour<br>Master<br><br><br>x", "Harbour\nMaster\n\nx"),
        ("<p>end<br></p><p>next", "end\n\nnext"),
        ("<p>extra<wbr>ordinary a<!-- c -->nchor", "extraordinary anchor"),
        ("<p>&nbsp;</p><p>Tel.&nbsp;99&amp;&#x41;&hellip;</p>", "Tel. 99&A…"),
        ("<p>日本\n語と English\nwords", "日本語と English words"),
        ("<pre>\n  if x:\n\ty = 1\n</pre>after", "  if x:\n\ty = 1\n\nafter"),
        ('<p style="white-space: pre">a  b', "a  b"),
        ("<dl><dt>bell<dd>rings</dl>", "bell\nrings"),
        ("<ul><li>one<li>two<ul><li>deep</ul><li>three</ul>", "- one\n- two\n  - deep\n- three"),
        ("<ol start=3><li>c<li value=7>g<li>h</ol>", "3. c\n7. g\n8. h"),
        ("<ol reversed><li>b<li>a</ol><ol type=i><li>x<li>y</ol>", "2. b\n1. a\n\ni. x\nii. y"),
        ("<ul><li><li>x</ul>", "- x"),
        ("x<hr>y", "x\n\ny"),
        ("<p>10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 5<sup>th</sup>, word<sup>[1]</sup>", "10⁶ m², H2O, 5th, word[1]"),
        ("<p><img alt='A lamp'>is lit<img src=x>", "A lamp is lit"),
        ("<p><ruby>東<rp>(</rp><rt>とう</rt>京<rt>きょう</rt></ruby>へ", "東京(とうきょう)へ"),
        ("<details><summary>More</summary>inside</details><dialog>asked</dialog>", "More\ninside\nasked"),
        ("<span style='display:block'>a</span><span style='display:block'>b</span>", "a\nb"),
        ("x<div style='display: inline'>y</div>z", "xyz"),
        ("<!--[if IE]>old<![endif]--><![if !mso]>new<![endif]>", "new"),
        ("<p><a>Home</a><a>News</a>, b<a>old</a>er", "Home News, bolder"),
        ("<nav>menu</nav><main>body</main><footer>imprint</footer>", "menu\nbody\nimprint"),
        ("<svg><title>Chart</title><text>label</text></svg>", "label"),
        ("<p>a<p>b</p></body></html>c", "a\n\nb\n\nc"),
        ("no markup at all", "no markup at all"),
        ("", ""),
    ],
)
def test_blocks_lines_and_words(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2"),
        ("<table><caption>Tides</caption><tr><td>1<td><p>two</p><p>three</p></table>", "Tides\n\n1\ttwo three"),
        ("<table><tr><td>a<td><td>c<tr><td>1<td>2<td>3</table>", "a\t\tc\n1\t2\t3"),
        ("<table><tr><td>a<td><td>c<tr><td>1<td><td>3</table>", "a\tc\n1\t3"),
        ("<table><tr><td colspan=2>wide<td>c<tr><td>1<td>2<td>3</table>", "wide\t\tc\n1\t2\t3"),
        ("<table><tr><td rowspan=2>tall<td>b<tr><td>2</table>", "tall\tb\n\t2"),
        ("<table><tr><td>x<td><table><tr><td>1<td>2</table><td>y</table>", "x\t1 2\ty"),
        ("<table><tr><td>a<br>b<td>c<tr></table>after", "a b\tc\n\nafter"),
        ("<table><tr><td><h1>Page</h1><p>one<p>two<td>side</table>", "Page\n\none\n\ntwo\n\nside"),
        ("<table><tr><td>only<tr><td>column</table>", "only\ncolumn"),
        ("<table role=presentation><tr><td>left<td>right</table>", "left\nright"),
        ("<table><tr><td><ul><li>p<li>q</ul><td>r</table>", "- p - q\tr"),
    ],
)
def test_tables_have_a_line_a_row(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<label>Name <input value='Ada'></label><input type=hidden value=t><input type=password value=s>",
            "Name Ada",
        ),
        ("<input placeholder='your name'>", "your name"),
        ("<input type=checkbox checked>yes<input type=radio>no", "[x] yes ( ) no"),
        ("<select><option>red<option selected>blue</select>", "( ) red (x) blue"),
        ("<select><optgroup label=g><option>red</optgroup></select>", "(x) red"),
        ("<textarea>\n two  lines\n kept</textarea>", " two  lines\n kept"),
        ("<button>Send</button><button>Cancel</button>", "Send Cancel"),
    ],
)
def test_forms_show_what_they_hold(markup: str, expected: str) -> None:
    assert text(markup) == expected


def test_formulas_are_one_line() -> None:
    fraction = "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>"
    power = "<msup><mi>x</mi><mn>2</mn></msup>"
    tex = "<annotation encoding='application/x-tex'>\\frac</annotation>"
    assert (
        text(f"<p>let <math><semantics><mrow>{power}<mo>=</mo>{fraction}</mrow>{tex}</semantics></math>.") == "let x²=a/(b+1)."
    )


def test_what_is_no_text_is_left_out() -> None:
    markup = (
        "<style>p{}</style><script>var a='<p>no</p>'</script><template>no</template><p>yes</p><datalist><option>no</datalist>"
    )
    extracted = read(markup)
    assert extracted.content == "yes"
    assert extracted.warnings == ()


@pytest.mark.parametrize(
    "markup",
    [
        "<p hidden>secret</p>",
        "<p style='display:none'>secret</p>",
        "<p style='color:red; Visibility: hidden'>secret</p>",
        "<noscript>secret</noscript>",
    ],
)
def test_hidden_text_is_not_content_and_is_named(markup: str) -> None:
    extracted = read(f"<p>shown</p>{markup}")
    assert extracted.content == "shown"
    assert [(notice.code, notice.message[:2]) for notice in extracted.warnings] == [(WarningCode.PART_NOT_READ, "6 ")]


def test_the_page_in_a_frame_is_read_and_frames_end() -> None:
    assert text("<p>a</p><iframe srcdoc='<p>in &amp;lt;b</p>'></iframe><p>c</p>") == "a\n\nin <b\n\nc"
    page = "<p>x</p>"
    for _ in range(8):
        page = "<p>x</p><iframe srcdoc='" + page.replace("&", "&amp;").replace("'", "&#39;") + "'></iframe>"
    assert text(page).count("x") == 4


def test_frameset_pages_have_their_replacement_text() -> None:
    assert (
        text("<frameset cols='1,2'><frame src=a><noframes><body><p>No <b>frames</b> here</body></noframes></frameset>")
        == "No frames here"
    )


def test_nothing_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    markup = (
        "<!DOCTYPE html SYSTEM 'http://x.invalid/a.dtd'><link rel=stylesheet href=http://x.invalid/a.css><base href=http://x.invalid>"
        "<img src=http://x.invalid/a.png><iframe src=http://x.invalid/></iframe><script src=http://x.invalid/a.js></script><p>alone"
    )
    assert text(markup) == "alone"


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        ('<meta charset="windows-1251">', "windows-1251"),
        ("<meta http-equiv=content-type content='charset=windows-1251'>", "windows-1251"),
        ("<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset = koi8-r'>", "koi8-r"),
        ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", "windows-1251"),
        ("<?xml version='1.0' encoding='windows-1251'?>", "windows-1251"),
        ("<script>" + "x" * 20_000 + "</script><meta charset=koi8-r>", "koi8-r"),
    ],
)
def test_the_declared_charset_is_obeyed(data: str, declared: str) -> None:
    extracted = read((data + "<p>Маяк").encode(declared))
    assert extracted.content == "Маяк"
    assert extracted.confidence == Confidence.DETERMINISTIC
    assert extracted.metadata["text.charset"] == declared


def test_a_byte_order_mark_is_stronger_than_a_label() -> None:
    assert read("\ufeff<meta charset=koi8-r><p>Маяк".encode("utf-16")[2:]).content == "Маяк"


def test_xhtml_may_close_any_element_at_once() -> None:
    markup = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="et"><head><title/><script src="x"/></head>'
        '<body><a name="top"/><p>kept <![CDATA[1 < 2 & more]]></p><textarea/><p>end</p></body></html>'
    )
    extracted = read(markup, MediaType.XHTML)
    assert extracted.content == "kept 1 < 2 & more\n\nend"
    assert extracted.metadata["html.lang"] == "et"


def test_xhtml_with_a_prefix_is_read() -> None:
    markup = '<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:p>one</h:p><h:p>two</h:p></h:body></h:html>'
    assert read(markup, MediaType.XHTML).content == "one\n\ntwo"


def test_the_head_becomes_metadata() -> None:
    extracted = read(
        "<html lang=fr><head><title> The\n lamp </title><meta name=Author content='Ada L.'>"
        "<meta name=description content='About lamps'>"
        "<meta property='article:published_time' content='2024-03-01T10:00:00Z'>"
        "<meta property='og:updated_time' content='2024-03-02'>"
        "<link rel=canonical href='https://x.example/lamp'></head><body>light<svg><title>not this</title></svg>"
    )
    assert (extracted.title, extracted.author, extracted.content) == ("The lamp", "Ada L.", "light")
    assert extracted.created_at == datetime(2024, 3, 1, 10, tzinfo=UTC)
    assert extracted.modified_at == datetime(2024, 3, 2, tzinfo=UTC)
    assert extracted.metadata["html.description"] == "About lamps"
    assert extracted.metadata["html.canonical"] == "https://x.example/lamp"
    assert extracted.metadata["html.lang"] == "fr"


def test_a_date_that_is_none_is_left_out() -> None:
    assert read("<meta name=date content='last Tuesday'>x").created_at is None


def test_a_page_without_text_says_so() -> None:
    assert [notice.code for notice in read("<script>app()</script><div id=root></div>").warnings] == [WarningCode.NO_TEXT]


@pytest.mark.parametrize("tag", ["div", "ul><li", "b", "span", "blockquote", "section", "font size=1", "x-y"])
def test_twenty_thousand_nested_elements_are_read(tag: str) -> None:
    name = tag.split(">")[0].split(" ")[0]
    for markup in (f"<{tag}>" * 20_000 + "core" + f"</{name}>" * 20_000, f"<{tag}>x " * 9_000 + "core"):
        assert text(markup).endswith("core")


def test_flattened_blocks_still_part_words() -> None:
    words = text("".join(f"<div>w{number}" for number in range(6000))).split()
    assert words == [f"w{number}" for number in range(6000)]


def test_a_table_of_a_million_cells_is_cut_at_the_cap() -> None:
    extracted = read("<table>" + "<tr><td>a<td>b" * 100_000 + "</table>", options=ExtractOptions(max_extracted_chars=1000))
    assert len(extracted.content) == 1000
    assert extracted.truncation == TruncationReason.MAX_EXTRACTED_CHARS


def test_a_page_far_larger_than_its_cap_is_cut_and_says_so() -> None:
    extracted = read("<p>x</p>" * 2 + "<i></i>" * 10_000 + "<p>end", options=ExtractOptions(max_extracted_chars=1000))
    assert extracted.content == "x\n\nx"
    assert extracted.truncation == TruncationReason.MAX_EXTRACTED_CHARS


def test_a_picture_inside_the_page_is_no_markup() -> None:
    extracted = read(f"<img src='data:image/png;base64,{'A' * 100_000}'>x", options=ExtractOptions(max_extracted_chars=1000))
    assert (extracted.content, extracted.truncation) == ("x", None)


def test_spans_and_attributes_of_any_size_are_harmless() -> None:
    assert text("<table><tr><td colspan=999999999 rowspan=999999999>a<td colspan=-1>b<td rowspan=x>c</table>") == "a\tb\tc"
    assert text(f"<p title='{'x' * 2_000_000}'>y") == "y"
    assert text("<p " + "a=b " * 100_000 + ">y") == "y"


def test_broken_markup_gives_what_it_has() -> None:
    for markup in (
        "<",
        "<p",
        "</",
        "<!--",
        "<p><table><tr><td>x",
        "<table><p>x",
        "<select><option>",
        "<math><mfrac>",
        "<ruby><rt>",
        "\x00<p>x",
    ):
        read(markup)


def test_the_corpus_holds_what_its_manifest_says(shared: Path) -> None:
    for line in (shared / "corpus/manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["mime"] == MediaType.HTML:
            content = "".join(read((shared / "corpus" / row["path"]).read_bytes()).content.split())
            for wanted in row["expect"]["contains"]:
                assert "".join(wanted.split()) in content, row["path"]
