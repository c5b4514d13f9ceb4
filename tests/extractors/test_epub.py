"""EPUB: the spine's order, odd addresses, missing and encrypted chapters, what stands beside the spine, metadata."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.epub import EpubExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Picture
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

GOLDEN = Path(__file__).parent.parent / "golden" / "epub"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)
XHTML = "application/xhtml+xml"


def page(text: str) -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>{text}</p></body></html>'


def package(items: list[tuple[str, str, str]], spine: list[str], metadata: str = "") -> str:
    manifest = "".join(f'<item id="{key}" href="{href}" {rest}/>' for key, href, rest in items)
    refs = "".join(f'<itemref idref="{key}"/>' for key in spine)
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0"><metadata>'
        f"{metadata}</metadata><manifest>{manifest}</manifest><spine>{refs}</spine></package>"
    )


def book(parts: Mapping[str, str | bytes], container: str | None = CONTAINER) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", MediaType.EPUB)
        if container is not None:
            archive.writestr("META-INF/container.xml", container)
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def reading(data: bytes, options: ExtractOptions | None = None) -> Reading:
    return read_document(Source(data=data), options or ExtractOptions())


def read(data: bytes, options: ExtractOptions | None = None) -> Extracted:
    found = reading(data, options)
    assert found.error is None, found.error
    assert found.extractor == "epub"
    assert found.extracted is not None
    return found.extracted


def item(key: str, href: str, media_type: str = XHTML, rest: str = "") -> tuple[str, str, str]:
    return key, href, f'media-type="{media_type}" {rest}'


def test_it_is_an_extractor_of_epub() -> None:
    assert isinstance(EpubExtractor(), Extractor)
    assert EpubExtractor().can_handle(MediaType.EPUB)


def test_chapters_come_in_the_order_of_the_spine_each_a_page() -> None:
    opf = package([item("a", "a.xhtml"), item("b", "b.xhtml"), item("nav", "nav.xhtml", XHTML, 'properties="nav"')], ["b", "a"])
    parts = {
        "OEBPS/book.opf": opf,
        "OEBPS/a.xhtml": page("first"),
        "OEBPS/b.xhtml": page("second"),
        "OEBPS/nav.xhtml": page("toc"),
    }
    extracted = read(book(parts))
    assert extracted.content == "second\n\nfirst"
    assert [page.number for page in extracted.pages] == [1, 2]
    assert extracted.page_count == 2
    assert read(book(parts), ExtractOptions(page_markers=True)).content.startswith("[Chapter 1]\nsecond")


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("chapter%20one.xhtml", "OEBPS/chapter one.xhtml"),
        ("a%23b.xhtml", "OEBPS/a#b.xhtml"),
        ("./x/../one.xhtml#part2", "OEBPS/one.xhtml"),
        ("one.xhtml?v=2", "OEBPS/one.xhtml"),
        ("/OEBPS/one.xhtml", "OEBPS/one.xhtml"),
        ("ONE.xhtml", "OEBPS/one.xhtml"),
        ("text\\one.xhtml", "OEBPS/text/one.xhtml"),
        ("K%C3%BCche.xhtml", "OEBPS/Ku\u0308che.xhtml"),
        ("wrong/folder/one.xhtml", "OEBPS/one.xhtml"),
    ],
)
def test_odd_addresses_find_their_chapter(href: str, name: str) -> None:
    extracted = read(book({"OEBPS/book.opf": package([item("a", href)], ["a"]), name: page("found")}))
    assert extracted.content == "found"
    assert extracted.warnings == ()


def test_missing_chapters_are_named() -> None:
    opf = package([item("a", "a.xhtml"), item("b", "lost.xhtml")], ["a", "b", "c"])
    extracted = read(book({"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("here")}))
    assert extracted.content == "here"
    assert [(notice.code, "missing" in notice.message) for notice in extracted.warnings] == [
        (WarningCode.ENTRY_MISSING, True)
    ] * 2


def test_pages_beside_the_spine_come_last_and_files_become_members() -> None:
    opf = package(
        [item("a", "a.xhtml"), item("n", "notes.xhtml"), item("p", "map.pdf", "application/pdf"), item("s", "s.css", "text/css"),
         item("ncx", "toc.ncx", "application/x-dtbncx+xml"), item("v", "v.mp4", "video/mp4"),
         item("c", "cover.jpg", "image/jpeg", 'properties="cover-image"')],
        ["a"],
    )  # fmt: skip
    parts = {
        "OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("a"), "OEBPS/notes.xhtml": page("note"), "OEBPS/map.pdf": "%PDF-1.4",
        "OEBPS/s.css": "p{}", "OEBPS/toc.ncx": "<ncx/>", "OEBPS/v.mp4": "x", "OEBPS/cover.jpg": b"x" * 9000,
    }  # fmt: skip
    extracted = read(book(parts))
    assert extracted.content == "a\n\nnote"
    assert [member.path for member in extracted.members] == ["OEBPS/map.pdf"]
    Path(extracted.members[0].file or "").unlink()
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [
        (WarningCode.PART_NOT_READ, "OEBPS/v.mp4"),
    ]
    assert extracted.pictures == (Picture("OEBPS/cover.jpg", 0),)


def test_drawings_with_words_are_members_and_others_are_not() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
    opf = package([item("a", "a.xhtml"), item("w", "w.svg", "image/svg+xml"), item("l", "l.svg", "image/svg+xml")], ["a"])
    parts = {"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("a"), "OEBPS/w.svg": svg.format("<text>w</text>"), "OEBPS/l.svg": svg}
    extracted = read(book(parts))
    assert [member.path for member in extracted.members] == ["OEBPS/w.svg"]
    Path(extracted.members[0].file or "").unlink()


@pytest.mark.parametrize(
    ("algorithm", "is_encrypted"),
    [("http://www.w3.org/2001/04/xmlenc#aes256-cbc", True), ("http://www.idpf.org/2008/embedding", False)],
)
def test_encrypted_pages_need_a_key_and_obfuscated_fonts_none(algorithm: str, is_encrypted: bool) -> None:
    encryption = (
        '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod '
        f'Algorithm="{algorithm}"/><enc:CipherData><enc:CipherReference URI="OEBPS/a.xhtml"/></enc:CipherData>'
        "</enc:EncryptedData></encryption>"
    )
    opf = package([item("a", "a.xhtml")], ["a"])
    found = reading(book({"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("readable"), "META-INF/encryption.xml": encryption}))
    if is_encrypted:
        assert found.error is not None
        assert found.error.category is ErrorCategory.ENCRYPTED_NO_KEY
    else:
        assert found.extracted is not None
        assert found.extracted.content == "readable"


def test_a_book_without_container_package_or_spine_is_still_read() -> None:
    opf = package([item("a", "a.xhtml")], [])
    for parts, container in (
        ({"book.opf": opf, "a.xhtml": page("text")}, None),
        ({"OEBPS/a.xhtml": page("text")}, CONTAINER),
        ({"OEBPS/book.opf": "<package", "OEBPS/a.xhtml": page("text")}, CONTAINER),
    ):
        extracted = read(book(parts, container))
        assert extracted.content == "text"
        assert extracted.warnings


def test_a_book_without_mimetype_is_known_by_its_container() -> None:
    opf = package([item("a", "a.xhtml")], ["a"])
    data = book({"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("text")}).replace(b"mimetype", b"nametype")
    assert read(data).content == "text"


def test_a_book_without_pages_is_corrupt() -> None:
    found = reading(book({"x.css": "p{}"}))
    assert found.error is not None
    assert found.error.category is ErrorCategory.CORRUPT


def test_metadata_is_lifted_and_named() -> None:
    metadata = (
        "<dc:title>Log</dc:title><dc:title>of a keeper</dc:title><dc:creator>Ann</dc:creator><dc:creator>Ben</dc:creator>"
        "<dc:language>en</dc:language><dc:identifier>urn:x</dc:identifier><dc:publisher>P</dc:publisher><dc:date>1851</dc:date>"
        '<meta property="dcterms:modified">2024-03-14T09:26:53Z</meta>'
    )
    opf = package([item("a", "a.xhtml")], ["a"], metadata)
    extracted = read(book({"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("x")}))
    assert (extracted.title, extracted.author) == ("Log", "Ann; Ben")
    assert extracted.created_at == datetime(1851, 1, 1, tzinfo=UTC)
    assert extracted.modified_at == datetime(2024, 3, 14, 9, 26, 53, tzinfo=UTC)
    assert extracted.metadata["epub.publisher"] == "P"
    assert extracted.metadata["epub.otherTitles"] == "of a keeper"


def test_long_books_are_cut_at_the_cap() -> None:
    opf = package([item("a", "a.xhtml"), item("b", "b.xhtml")], ["a", "b"])
    parts = {"OEBPS/book.opf": opf, "OEBPS/a.xhtml": page("word " * 100), "OEBPS/b.xhtml": page("never")}
    extracted = read(book(parts), ExtractOptions(max_extracted_chars=50))
    assert len(extracted.content) == 50
    assert extracted.truncation is TruncationReason.MAX_EXTRACTED_CHARS
