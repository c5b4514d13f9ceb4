import io
import zipfile
from datetime import UTC, datetime

import pytest
from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package, parsed_date, resolved
from docbeam.extractors.ooxml.xml import W, parse_xml
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode
from tests.extractors.ooxml.office import REL, docx, element, p, package, rels

OPTIONS = ExtractOptions()


def opened(data: bytes, options: ExtractOptions = OPTIONS) -> Package:
    return Package(io.BytesIO(data), options)


def zipped(**parts: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("part", "target", "name"),
    [
        ("word/document.xml", "media/image1.png", "word/media/image1.png"),
        ("word/document.xml", "/word/media/image1.png", "word/media/image1.png"),
        ("ppt/slides/slide1.xml", "../media/image1.png", "ppt/media/image1.png"),
        ("word/document.xml", "..\\word\\header1.xml", "word/header1.xml"),
        ("word/document.xml", "./header1.xml#x", "word/header1.xml"),
        ("word/document.xml", "../../../etc/passwd", "etc/passwd"),
        ("", "/word/document.xml", "word/document.xml"),
    ],
)
def test_targets_resolve_to_part_names(part: str, target: str, name: str) -> None:
    assert resolved(part, target) == name


def test_a_part_is_found_whatever_its_casing_slashes_and_percent_signs() -> None:
    file = opened(docx("", parts={"Word\\Media\\my picture.PNG": b"x"}))
    assert file.part("word/media/my%20picture.png") == b"x"
    assert file.part("/WORD/media/My Picture.png") == b"x"
    with pytest.raises(KeyError):
        file.part("word/media/other.png")


def test_the_main_part_is_found_without_relationships_and_without_content_types() -> None:
    assert opened(zipped(**{"Word/Document.xml": "<x/>"})).main_part() == "Word/Document.xml"
    with pytest.raises(ExtractionError) as caught:
        opened(zipped(readme="x")).main_part()
    assert caught.value.category is ErrorCategory.CORRUPT


def test_strict_namespaces_become_transitional_ones() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    root = parse_xml(f'<w:p xmlns:w="{strict}" w:id="7"><w:t>http://purl.oclc.org/ooxml/x</w:t></w:p>'.encode())
    assert root.tag == W + "p"
    assert root.get(W + "id") == "7"
    assert root[0].text == "http://purl.oclc.org/ooxml/x"


def test_entities_are_never_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]><x>1&b;&f;2</x>'
    assert parse_xml(bomb.encode()).text == "12"


def test_an_entity_bomb_in_an_attribute_is_refused() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 20 if n else "x" * 50}">' for n in range(9))
    with pytest.raises(etree.XMLSyntaxError):
        parse_xml(f'<!DOCTYPE x [{entities}]><x y="&e8;"/>'.encode())


def test_a_missing_part_and_a_broken_part_become_warnings() -> None:
    file = opened(docx("", parts={"word/broken.xml": element("w:hdr", p("kept"))[:-9]}))
    out = TextBuilder(OPTIONS)
    assert file.xml_or_warn("word/absent.xml", out) is None
    root = file.xml_or_warn("word/broken.xml", out)
    assert [node.text for node in root.iter(W + "t")] == ["kept"]
    assert [notice.code for notice in out.notices] == [WarningCode.ENTRY_MISSING, WarningCode.PART_DAMAGED]


def test_a_part_whose_checksum_is_wrong_gives_what_comes_out_of_it() -> None:
    data = bytearray(zipped(**{"word/document.xml": "<x>" + "<y>word</y>" * 2000 + "</x>"}))
    data[60] ^= 1
    file = opened(bytes(data))
    out = TextBuilder(OPTIONS)
    root = file.xml_or_warn("word/document.xml", out)
    assert root is not None
    assert len(root) > 1000
    assert out.notices[0].code is WarningCode.PART_DAMAGED


def test_the_caps_of_a_container_are_not_swallowed() -> None:
    data = docx("", parts={"word/big.xml": b" " * 3_000_000})
    with pytest.raises(ExtractionError) as caught:
        opened(data, ExtractOptions(max_decompressed_bytes=1_000_000))
    assert caught.value.category is ErrorCategory.TOO_LARGE_DECOMPRESSED
    with pytest.raises(ExtractionError) as caught:
        opened(data, ExtractOptions(max_zip_entries=3))
    assert caught.value.category is ErrorCategory.TOO_MANY_ENTRIES


def test_properties_are_read_by_relationship_and_by_their_usual_name() -> None:
    core = '<x xmlns:dc="urn:dc"><dc:title> A\n title </dc:title><dc:empty/></x>'
    app = "<x><title>not this</title><Company>Bell Works</Company></x>"
    parts = {"docProps/core.xml": core, "docProps/app.xml": app}
    assert opened(docx("", parts=parts)).core_properties() == {"title": "A title", "Company": "Bell Works"}
    parts = {"custom/core.xml": core, "_rels/.rels": rels({"a": ("metadata/core-properties", "custom/core.xml")})}
    assert opened(package(parts, "x.xml", "")).core_properties() == {"title": "A title"}


def test_external_targets_are_kept_as_they_are() -> None:
    listed = f'<R><Relationship Id="a" Type="{REL}image" Target="file:///C:/x.png" TargetMode="External"/></R>'
    file = opened(docx("", parts={"word/_rels/header1.xml.rels": listed}))
    relation = file.rels("word/header1.xml")["a"]
    assert (relation.type, relation.target, relation.is_external) == ("image", "file:///C:/x.png", True)
    assert file.related("word/header1.xml", "image") == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-03-14T09:26:52Z", datetime(2024, 3, 14, 9, 26, 52, tzinfo=UTC)),
        ("2024-03-14T09:26:52.1234567Z", datetime(2024, 3, 14, 9, 26, 52, 123456, tzinfo=UTC)),
        ("2024-03-14", datetime(2024, 3, 14, tzinfo=UTC)),
        ("2024-03", datetime(2024, 3, 1, tzinfo=UTC)),
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_are_aware_or_nothing(text: str | None, date: datetime | None) -> None:
    assert parsed_date(text) == date
