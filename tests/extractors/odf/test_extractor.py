"""OpenDocument: real files read as they are shown, broken ones as far as possible, metadata, flat files, templates."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.odf import OdfExtractor
from docbeam.extractors.odf.events import StreamEvents, tree_events
from docbeam.extractors.ooxml.xml import parse_xml
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.odf.packages import NAMES, ODF, OPTIONS, content, package, read, styles, text_of

GOLDEN = Path(__file__).parents[2] / "golden" / "odf"
META = (
    f"<office:document-meta {NAMES}><office:meta><dc:title>Log</dc:title><meta:initial-creator>Ann</meta:initial-creator>"
    "<dc:creator>Ben</dc:creator><meta:creation-date>2024-03-14T09:26:53</meta:creation-date><dc:date>2024-03-15</dc:date>"
    '<meta:keyword>sea</meta:keyword><meta:keyword>light</meta:keyword><meta:user-defined meta:name="Ship">Dove'
    "</meta:user-defined></office:meta></office:document-meta>"
)


def test_it_is_an_extractor_of_all_kinds_packed_and_flat() -> None:
    assert isinstance(OdfExtractor(), Extractor)
    for kind in ("text", "spreadsheet-template", "presentation", "graphics", "text-flat-xml"):
        assert OdfExtractor().can_handle(ODF + kind)


def test_templates_are_read_as_documents() -> None:
    extracted = read(package(content("<text:p>Dear …</text:p>"), "text-template"), "letter.ott")
    assert extracted.content.strip() == "Dear …"


@pytest.mark.parametrize(("kind", "name"), [("text", "a.fodt"), ("text", "")])
def test_flat_files_are_known_by_their_root(kind: str, name: str) -> None:
    xml = content("<text:p>all in one</text:p>").replace(
        "<office:document-content ", f'<office:document office:mimetype="{ODF}{kind}" '
    )
    extracted = read(xml.replace("document-content>", "document>").encode(), name)
    assert extracted.content.strip() == "all in one"


def test_a_package_without_mimetype_is_known_by_its_manifest() -> None:
    manifest = f'<m:manifest><m:file-entry m:media-type="{ODF}text" m:full-path="/"/></m:manifest>'
    data = package(content("<text:p>x</text:p>"), parts={"META-INF/manifest.xml": manifest}).replace(b"mimetype", b"nametype")
    assert read(data).content.strip() == "x"


def test_metadata_is_named_after_the_kind_and_lifted() -> None:
    extracted = read(package(content("<text:p>x</text:p>"), parts={"meta.xml": META}))
    assert (extracted.title, extracted.author) == ("Log", "Ann")
    assert extracted.created_at == datetime(2024, 3, 14, 9, 26, 53, tzinfo=UTC)
    assert extracted.metadata["odt.keywords"] == "sea; light"
    assert extracted.metadata["odt.lastModifiedBy"] == "Ben"
    assert extracted.metadata["odt.property.Ship"] == "Dove"


def test_broken_content_is_read_as_far_as_possible_and_says_so() -> None:
    whole = content("".join(f"<text:p>line {number}</text:p>" for number in range(100)))
    for broken in (
        whole[: len(whole) - 600],
        whole.replace("line 50<", "line 50& <"),
        whole.replace("xmlns:text=", "xmlns:text", 1),
    ):
        extracted = read(package(broken))
        assert "line 40" in extracted.content
        assert extracted.truncation is TruncationReason.DAMAGED
        assert [notice.code for notice in extracted.warnings] == [WarningCode.PART_DAMAGED]


def test_bytes_that_are_no_text_do_not_cut_the_rest() -> None:
    extracted = read(
        package(
            content("<text:p>before</text:p><text:p>BAD</text:p><text:p>after</text:p>").encode().replace(b"BAD", b"\xff\0")
        )
    )
    assert "before" in extracted.content
    assert "after" in extracted.content


def test_a_package_without_content_is_corrupt() -> None:
    reading = read_document(Source(data=package("").replace(b"content.xml", b"consent.xml")), OPTIONS)
    assert reading.error is not None
    assert reading.error.category is ErrorCategory.CORRUPT


def test_an_encrypted_document_needs_a_key() -> None:
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    reading = read_document(Source(data=package(b"\x9c\x01", parts={"META-INF/manifest.xml": manifest})), OPTIONS)
    assert reading.error is not None
    assert reading.error.category is ErrorCategory.ENCRYPTED_NO_KEY


def test_a_large_part_read_in_pieces_gives_the_same_events_as_its_tree() -> None:
    xml = content(
        '<text:p>a</text:p><text:section><text:p>b</text:p></text:section><table:table table:name="T"><table:table-row>'
        "<table:table-cell><table:table/></table:table-cell></table:table-row></table:table>"
    ).encode()
    pieces = StreamEvents(xml[at : at + 7] for at in range(0, len(xml), 7))
    assert [(what, node.tag) for what, node in pieces] == [(what, node.tag) for what, node in tree_events(parse_xml(xml))]
    assert pieces.problem is None


def test_text_past_the_cap_is_cut_and_deep_nesting_keeps_its_words() -> None:
    many = package(content("<text:p>hello</text:p>" * 1000))
    extracted = read(many, options=ExtractOptions(max_extracted_chars=100))
    assert len(extracted.content) == 100
    assert extracted.truncation is TruncationReason.MAX_EXTRACTED_CHARS
    deep = "<text:list><text:list-item>" * 300 + "<text:p>deep</text:p>" + "</text:list-item></text:list>" * 300
    assert "deep" in text_of(deep)


def test_headers_come_first_and_footers_last_each_text_once() -> None:
    master = (
        '<style:master-page style:name="Standard"><style:header><text:p>Head</text:p></style:header>'
        "<style:header-left><text:p>Head</text:p></style:header-left><style:footer><text:p>Foot</text:p></style:footer>"
        '</style:master-page><style:master-page style:name="Unused"><style:header><text:p>Nowhere</text:p></style:header>'
        "</style:master-page>"
    )
    assert text_of("<text:p>Body</text:p>", parts={"styles.xml": styles(master)}) == "Head\n\nBody\n\nFoot"


def test_macros_and_sounds_are_named_and_embedded_files_unpacked() -> None:
    parts = {"Basic/Standard/Module1.xml": "<x/>", "Media/song.mp3": "x", "offer.pdf": "%PDF-1.4", "Thumbnails/t.png": "x"}
    extracted = read(package(content("<text:p>x</text:p>"), parts=parts))
    assert {notice.part for notice in extracted.warnings} == {"Basic", "Media/song.mp3"}
    assert [member.path for member in extracted.members] == ["offer.pdf"]
    for member in extracted.members:
        Path(member.file or "").unlink()


def test_the_media_types_have_their_extensions() -> None:
    assert MediaType.ODG in MediaType.OPEN_DOCUMENT
