"""SVG: text in its lines, HTML inside, one branch of a switch, pictures as members."""

from __future__ import annotations

from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.extractors.svg import SvgExtractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode
from tests.extractors.archive.builders import members

HTML = 'xmlns="http://www.w3.org/1999/xhtml"'


def read(body: str, start: str = "") -> Extracted:
    markup = f'{start}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{body}</svg>'
    return SvgExtractor().extract(Source(data=markup.encode()), MediaType.SVG, ExtractOptions())


def test_it_is_an_extractor() -> None:
    assert isinstance(SvgExtractor(), Extractor)


def test_words_are_whole_and_lines_are_apart() -> None:
    found = read(
        '<title>Chart</title><desc>Sales by year</desc><text>Hel<tspan fill="red">lo</tspan> world'
        '<tspan x="1" dy="1.2em">second line</tspan><tspan x="80">right</tspan></text><text>H<tspan dy="3">2</tspan>O</text>'
        "<style>.a{}</style><script>alert()</script>"
    )
    assert found.content == "Chart\nSales by year\nHello world\nsecond line right\nH2O\n"
    assert found.title == "Chart"
    assert found.warnings == ()


def test_html_inside_is_read_by_its_blocks_and_its_stand_in_is_not() -> None:
    found = read(
        f"<switch><foreignObject><div {HTML}><p>Box <b>one</b></p><p>two</p></div></foreignObject>"
        "<text>Text is not SVG - cannot display</text></switch>"
    )
    assert found.content == "Box one\ntwo\n"


def test_pictures_in_data_uris_are_members() -> None:
    found = read(
        '<text>a</text><image xlink:href="data:image/png;base64,aGVs bG8="/><image href="data:,a%20b"/><image href="x.png"/>'
    )
    assert members(found) == {"image-1.png": b"hello", "image-2.bin": b"a b"}


def test_entities_are_not_expanded_from_files() -> None:
    found = read("<text>a &x; b</text>", '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
    assert "root:" not in found.content


def test_a_cut_drawing_gives_what_is_there_and_says_so() -> None:
    markup = b'<svg xmlns="http://www.w3.org/2000/svg"><text>first</text><text>sec'
    found = SvgExtractor().extract(Source(data=markup), MediaType.SVG, ExtractOptions())
    assert found.content.startswith("first\n")
    assert found.truncation is TruncationReason.DAMAGED


def test_a_drawing_without_text_says_so() -> None:
    assert [notice.code for notice in read("<path/>").warnings] == [WarningCode.NO_TEXT]
