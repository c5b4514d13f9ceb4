"""Pictures inside documents of every format: recognised, and their words set where the pictures stand."""

from __future__ import annotations

import base64
import binascii
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont, ImageOps

from docbeam.extractors import extract_text
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.engine import read_document
from docbeam.extractors.html import HtmlExtractor
from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.image.metafile import bitmap_file, has_bitmap, largest_bitmap, metafile_lines
from docbeam.extractors.legacy.blips import Blips, blip_bytes
from docbeam.extractors.legacy.office_art import Art
from docbeam.extractors.library import TextDocument
from docbeam.extractors.ocr import find_engine
from docbeam.extractors.ocr.protocol import Recognised
from docbeam.extractors.picture_size import header_size
from docbeam.extractors.picture_words import kept
from docbeam.extractors.recognition import recognise_page
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import TABLES, ExtractOptions
from docbeam.schemas.records import Extracted, Target, Word
from docbeam.schemas.vocabulary import Branch, ErrorCategory, WarningCode
from tests.extractors.odf import packages as odf
from tests.extractors.ooxml import office
from tests.extractors.ooxml.workbooks import sheet, xlsx
from tests.extractors.pdfs import A4, Pdf, lines

OPTIONS = ExtractOptions()
GOLDEN = Path(__file__).parent.parent / "golden" / "pictures"
needs_engine = pytest.mark.skipif(find_engine() is None, reason="no OCR engine is installed")
EMU = 9525


@cache
def picture(words: str, kind: str = "PNG", size: tuple[int, int] = (600, 120)) -> bytes:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((30, 35), words, fill="black", font=ImageFont.load_default(44))
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


RIVER, STONE, CLOUD = "Yellow river seven", "Heavy stone nine", "Silver cloud four"


def native(data: bytes, name: str, options: ExtractOptions = OPTIONS) -> Extracted:
    found = read_document(Source(data=data, name=name), options)
    assert found.extracted is not None, found.error
    return found.extracted


def whole(data: bytes, name: str, options: ExtractOptions = OPTIONS) -> TextDocument:
    return extract_text(data, name=name, options=options, isolated=False)


def said(words: str) -> str:
    return f"[Image text: {words}]"


def drawing(key: str, width: int = 600, height: int = 120) -> str:
    extent = f'<wp:extent cx="{width * EMU}" cy="{height * EMU}"/>'
    return f'<w:r><w:drawing><wp:inline>{extent}<a:blip r:embed="{key}"/></wp:inline></w:drawing></w:r>'


def pictures_of_docx(**pictures: bytes) -> tuple[dict[str, tuple[str, str]], dict[str, bytes]]:
    relations = {key: ("image", f"media/{key}.png") for key in pictures}
    return relations, {f"word/media/{key}.png": data for key, data in pictures.items()}


# Word


@needs_engine
def test_word_pictures_stand_behind_their_paragraphs() -> None:
    relations, parts = pictures_of_docx(a=picture(RIVER), b=picture(STONE), c=picture(CLOUD))
    vml = '<w:p><w:r><w:t>shape</w:t></w:r><w:r><w:pict><v:shape><v:imagedata r:id="c"/></v:shape></w:pict></w:r></w:p>'
    body = office.p("one") + f"<w:p><w:r><w:t>two</w:t></w:r>{drawing('a')}</w:p><w:p>{drawing('b')}</w:p>" + office.p("three")
    found = whole(office.docx(body + vml + f"<w:p>{drawing('a')}</w:p>", relations, parts), "a.docx")
    expected = ["one", "two", said(RIVER), said(STONE), "three", "shape", said(CLOUD)]
    assert [line for line in found.content.split("\n") if line] == expected
    assert (found.branch, found.warnings) == (Branch.MIXED, ())
    assert found.ocr_confidence is not None and found.ocr_confidence > 0.8
    assert found.tiers == ("native", "ocr")


def table_of_docx() -> bytes:
    relations, parts = pictures_of_docx(a=picture(RIVER))

    def cell(content: str) -> str:
        return f"<w:tc><w:p>{content}</w:p></w:tc>"

    def text(word: str) -> str:
        return f"<w:r><w:t>{word}</w:t></w:r>"

    rows = (
        f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cell(text('Name'))}{cell(text('Shot'))}</w:tr>"
        f"<w:tr>{cell(text('Ann'))}{cell(text('x') + drawing('a'))}</w:tr><w:tr>{cell(text('Bob'))}{cell(text('y'))}</w:tr>"
    )
    return office.docx(f"<w:tbl>{rows}</w:tbl>" + office.p("end"), relations, parts)


@needs_engine
@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("tsv", ["Name\tShot", "Ann\tx", said(RIVER), "Bob\ty", "end"]),
        ("csv", ["Name,Shot", "Ann,x", said(RIVER), "Bob,y", "end"]),
        ("key_value", ["Name: Ann | Shot: x", said(RIVER), "Name: Bob | Shot: y", "end"]),
        ("markdown", ["| Name | Shot |", "| --- | --- |", "| Ann | x |", "| Bob | y |", said(RIVER), "end"]),
        ("omit", [said(RIVER), "end"]),
    ],
)
def test_rows_of_tables_stay_whole(form: str, expected: list[str]) -> None:
    found = whole(table_of_docx(), "a.docx", ExtractOptions(tables=form))
    assert [line for line in found.content.split("\n") if line] == expected


@pytest.mark.parametrize("form", TABLES)
def test_pictures_without_words_leave_no_trace(form: str) -> None:
    with_pictures = native(table_of_docx(), "a.docx", ExtractOptions(tables=form))
    without = native(table_of_docx(), "a.docx", ExtractOptions(tables=form, ocr=False))
    assert with_pictures.content == without.content
    assert len(with_pictures.pictures) == 1 and not without.pictures


def test_headers_that_differ_by_their_pictures_only_come_once() -> None:
    headers = {f"word/h{n}.xml": office.element("w:hdr", office.p("Firm")[:-6] + drawing("a") + "</w:p>") for n in (1, 2)}
    rels = office.rels({"a": ("image", "media/a.png")})
    parts = {**headers, "word/_rels/h1.xml.rels": rels, "word/_rels/h2.xml.rels": rels, "word/media/a.png": picture(RIVER)}
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="h1"/><w:headerReference w:type="first" r:id="h2"/></w:sectPr>'
    )
    data = office.docx(office.p("text") + section, {"h1": ("header", "h1.xml"), "h2": ("header", "h2.xml")}, parts)
    found = native(data, "a.docx")
    assert found.content == native(data, "a.docx", ExtractOptions(ocr=False)).content
    assert found.content.count("Firm") == 1 and len(found.pictures) == 1


@needs_engine
def test_pictures_of_an_imported_page_are_recognised() -> None:
    page = f'<html><body><p>imported</p><img src="data:image/png;base64,{base64.b64encode(picture(STONE)).decode()}"></body></html>'
    data = office.docx(
        office.p("one") + '<w:altChunk r:id="i"/>' + office.p("two"), {"i": ("aFChunk", "i.html")}, {"word/i.html": page}
    )
    assert native(data, "a.docx").pictures[0].part == "word/i.html!/picture 1"
    assert [line for line in whole(data, "a.docx").content.split("\n") if line] == ["one", "imported", said(STONE), "two"]


# Metafiles


def emf(*records: bytes) -> bytes:
    header = struct.pack("<II", 1, 88) + bytes(32) + b" EMF" + bytes(44)
    return header + b"".join(records) + struct.pack("<III", 14, 20, 0) + bytes(8)


def emf_text(text: str, x: int, y: int) -> bytes:
    raw = text.encode("utf-16-le")
    raw += bytes(-len(raw) % 4)
    head = bytes(28) + struct.pack("<iiIII", x, y, len(text), 76, 0) + bytes(20)
    return struct.pack("<II", 84, 8 + len(head) + len(raw)) + head + raw


def emf_bitmap(dib: bytes) -> bytes:
    head = bytes(40) + struct.pack("<IIII", 80, 40, 120, len(dib) - 40) + bytes(16)
    return struct.pack("<II", 81, 8 + len(head) + len(dib)) + head + dib


def dib_of(words: str) -> bytes:
    return picture(words, "BMP")[14:]


def wmf_record(kind: int, body: bytes) -> bytes:
    body += bytes(len(body) % 2)
    return struct.pack("<IH", 3 + len(body) // 2, kind) + body


def wmf(*records: bytes) -> bytes:
    return struct.pack("<HHHIHIH", 1, 9, 0x300, 0, 0, 0, 0) + b"".join(records) + struct.pack("<IH", 3, 0)


def test_words_of_metafiles_are_read_line_by_line() -> None:
    drawn = emf(emf_text("below", 0, 300), emf_text("right", 500, 101), emf_text("left", 10, 100))
    assert metafile_lines(drawn) == ["left right", "below"]
    old = wmf(
        wmf_record(0x521, struct.pack("<H", 5) + b"plain\0" + struct.pack("<hh", 10, 0)),
        wmf_record(0xA32, struct.pack("<hhHH", 90, 0, 5, 0) + b"moved"),
    )
    assert metafile_lines(old) == ["plain", "moved"]
    assert not has_bitmap(drawn) and largest_bitmap(old) is None


@pytest.mark.parametrize("kind", ["emf", "emz"])
def test_what_a_metafile_writes_needs_no_recognition(kind: str) -> None:
    drawn = emf(emf_text("Written words", 0, 0))
    relations = {"a": ("image", f"media/a.{kind}")}
    packer = zlib.compressobj(wbits=31)
    data = drawn if kind == "emf" else packer.compress(drawn) + packer.flush()
    data += bytes(500)  # what is smaller is a dot
    found = native(office.docx(f"<w:p>{drawing('a')}</w:p>", relations, {f"word/media/a.{kind}": data}), "a.docx")
    assert (found.content.strip(), found.pictures, found.warnings) == (said("Written words"), (), ())


def test_a_drawing_without_words_is_named() -> None:
    relations = {"a": ("image", "media/a.emf")}
    data = office.docx(office.p("x") + f"<w:p>{drawing('a')}</w:p>", relations, {"word/media/a.emf": emf() + bytes(600)})
    found = native(data, "a.docx")
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.NEEDS_OCR, "word/media/a.emf")]
    assert "drawing of lines and shapes" in found.warnings[0].message


@needs_engine
def test_a_bitmap_in_a_metafile_is_recognised() -> None:
    relations = {"a": ("image", "media/a.emf"), "b": ("image", "media/b.wmf")}
    stretched = wmf(wmf_record(0xF43, struct.pack("<IH8h", 0xCC0020, 0, 120, 600, 0, 0, 120, 600, 0, 0) + dib_of(STONE)))
    parts = {"word/media/a.emf": emf(emf_bitmap(dib_of(RIVER))), "word/media/b.wmf": stretched}
    found = whole(office.docx(f"<w:p>{drawing('a')}</w:p><w:p>{drawing('b')}</w:p>", relations, parts), "a.docx")
    assert found.content.split() == f"{said(RIVER)} {said(STONE)}".split()


# PowerPoint, Excel


def pic(key: str) -> str:
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="7" name="x"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="{key}"/>'
        '</p:blipFill><p:spPr><a:xfrm><a:off x="0" y="900000"/><a:ext cx="3000000" cy="3000000"/></a:xfrm></p:spPr></p:pic>'
    )


@needs_engine
def test_pictures_of_slides_belong_to_their_slides() -> None:
    parts = {"ppt/media/a.png": picture(RIVER), "ppt/media/b.jpg": picture(STONE, "JPEG")}
    relations = {"a": ("image", "../media/a.png"), "b": ("image", "../media/b.jpg")}
    parts |= {f"ppt/slides/_rels/slide{number}.xml.rels": office.rels(relations).encode() for number in (1, 2, 3)}
    data = office.pptx([office.box("first") + pic("a"), pic("b"), office.box("third") + pic("a")], parts)
    found = whole(data, "a.pptx")
    texts = [found.content[page.start : page.end] for page in found.pages]
    assert texts == [f"first\n{said(RIVER)}", said(STONE), "third"]
    assert native(data, "a.pptx").content == "first\n\nthird"


@needs_engine
def test_pictures_of_sheets_follow_the_cells() -> None:
    drawing_part = office.element(
        "xdr:wsDr",
        '<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>1</xdr:row></xdr:from><xdr:pic><xdr:blipFill><a:blip r:embed="p"/>'
        '</xdr:blipFill><xdr:spPr><a:xfrm><a:ext cx="9999999" cy="9999999"/></a:xfrm></xdr:spPr></xdr:pic></xdr:twoCellAnchor>',
    )
    parts = {
        "xl/drawings/d.xml": drawing_part,
        "xl/drawings/_rels/d.xml.rels": office.rels({"p": ("image", "../media/a.png")}),
        "xl/media/a.png": picture(CLOUD),
    }
    data = xlsx(
        {"S": sheet("<row><c><v>1</v></c></row>"), "T": sheet("<row><c><v>2</v></c></row>")},
        parts,
        sheet_relations={"r1": ("drawing", "../drawings/d.xml")},
    )
    found = whole(data, "a.xlsx")
    assert found.content.split("\n")[:3] == ["S", "1", said(CLOUD)]
    assert native(data, "a.xlsx").content == native(data, "a.xlsx", ExtractOptions(ocr=False)).content


# OpenDocument


@needs_engine
@pytest.mark.parametrize("is_flat", [False, True])
def test_pictures_of_open_document_texts(is_flat: bool) -> None:
    stored = f"<office:binary-data>{base64.encodebytes(picture(RIVER)).decode()}</office:binary-data>"
    image = f"<draw:image>{stored}</draw:image>" if is_flat else '<draw:image xlink:href="Pictures/a.png"/>'
    body = f'<text:p>one<draw:frame svg:width="9cm" svg:height="3cm">{image}</draw:frame></text:p><text:p>two</text:p>'
    if is_flat:
        mime = f'office:mimetype="{odf.ODF}text"'
        root = f"<office:document {odf.NAMES} {mime}><office:body><office:text>{body}</office:text></office:body></office:document>"
        data, name = f'<?xml version="1.0"?>{root}'.encode(), "a.fodt"
    else:
        data, name = odf.package(odf.content(body), parts={"Pictures/a.png": picture(RIVER)}), "a.odt"
    assert [line for line in whole(data, name).content.split("\n") if line] == ["one", said(RIVER), "two"]
    assert native(data, name).content == native(data, name, ExtractOptions(ocr=False)).content


# HTML, EPUB, mail


def data_address(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


@needs_engine
def test_pictures_that_a_page_holds_itself() -> None:
    wrapped = data_address(picture(STONE, "JPEG"), "jpeg")
    head, _, payload = wrapped.partition(",")
    wrapped = f"{head},{chr(10).join(payload[at : at + 76] for at in range(0, len(payload), 76))}"
    page = (
        f"<p>one</p><p><img alt='A river' src='{data_address(picture(RIVER))}'></p><p>two</p><table><tr><td>a<td>b<img src='{wrapped}'>"
        f"<tr><td>c<td>d</table><p>three<img src='{data_address(picture(RIVER))}'>"
        f"<img src='{data_address(picture('dot', size=(30, 30)))}'></p>"
    ).encode()
    found = whole(page, "a.html")
    expected = ["one", "A river", said(RIVER), "two", "a\tb", "c\td", said(STONE), "three"]
    assert [line for line in found.content.split("\n") if line] == expected
    assert native(page, "a.html").content == native(page, "a.html", ExtractOptions(ocr=False)).content
    assert found.warnings == ()


def test_a_drawing_with_words_inside_a_page_is_named_and_one_without_is_not() -> None:
    drawn = [
        f"<svg xmlns='http://www.w3.org/2000/svg'>{inner}{' ' * 300}</svg>".encode() for inner in ("<text>w</text>", "<g/>")
    ]
    page = "".join(f"<p>x<img src='{data_address(data, 'svg+xml')}'>" for data in drawn).encode()
    assert [picture.part for picture in native(page, "a.html").pictures] == ["picture 1"]
    with pytest.raises(ExtractionError) as caught:
        HtmlExtractor().picture(Source(data=page), "text/html", "picture 1", OPTIONS)
    assert caught.value.category is ErrorCategory.UNSUPPORTED_MEDIA_TYPE and "SVG" in caught.value.message


def test_a_page_cannot_ask_for_pictures_that_it_does_not_hold() -> None:
    page = b"<p>x<img src='data:image/png;docbeam=5,'><img src='data:image/png;docbeam=0,'>"
    assert native(page, "a.html").pictures == ()


@needs_engine
def test_pictures_of_books_stand_in_their_chapters() -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{}</p><img src="{}"/></body></html>'
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>'
        '<item id="c" href="cover.png" media-type="image/png" properties="cover-image"/>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="p" href="i/a.png" media-type="image/png"/>'
        '</manifest><spine><itemref idref="a"/></spine></package>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="O/b.opf"/>'
            "</rootfiles></container>",
        )
        archive.writestr("O/b.opf", opf)
        archive.writestr("O/a.xhtml", page.format("one", "i/a.png"))
        archive.writestr("O/i/a.png", picture(RIVER) + bytes(4096))
        archive.writestr("O/cover.png", picture(CLOUD) + bytes(4096))
    found = whole(file.getvalue(), "a.epub")
    assert [line for line in found.content.split("\n") if line] == [said(CLOUD), "one", said(RIVER)]
    assert found.content[found.pages[0].start : found.pages[0].end] == f"one\n{said(RIVER)}"


@needs_engine
def test_pictures_of_a_mail_are_documents_of_their_own() -> None:
    mail = EmailMessage()
    mail["Subject"] = "Lamp"
    dot = base64.b64encode(picture(".", size=(20, 20))).decode()
    mail.set_content(
        f"<p>Hello<img src='cid:a@b'><img src='{data_address(picture(STONE))}'><img src='data:image/png;base64,{dot}'>",
        subtype="html",
    )
    mail.add_related(picture(RIVER), "image", "png", cid="<a@b>", filename="river.png")
    found = whole(bytes(mail), "a.eml")
    texts = [one.document.content.strip() for one in found.embedded if one.document is not None]
    assert sorted(texts) == sorted([RIVER, STONE])
    assert "Hello" in found.content and "[Image text" not in found.content


@needs_engine
def test_pictures_of_notebooks_and_drawings_are_documents_of_their_own() -> None:
    shown = {"output_type": "display_data", "data": {"image/png": base64.b64encode(picture(RIVER)).decode()}, "metadata": {}}
    cell = {"cell_type": "code", "source": "plot()", "outputs": [shown], "metadata": {}, "execution_count": 1}
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}).encode()
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><text>t</text><image href="{data_address(picture(STONE))}"/></svg>'.encode()
    for data, name, words in ((notebook, "a.ipynb", RIVER), (svg, "a.svg", STONE)):
        found = whole(data, name)
        assert [one.document.content.strip() for one in found.embedded if one.document is not None] == [words]


# RTF


def rtf_pictures() -> bytes:
    png, dib = picture(RIVER), dib_of(STONE)
    size = rb"\picw600\pich120\picwgoal9000\pichgoal1800"
    hexed = b"\n".join(binascii.hexlify(png[at : at + 64]) for at in range(0, len(png), 64))
    return (
        rb"{\rtf1\ansi one {\*\shppict{\pict{\*\picprop{\sp{\sn x}{\sv 1}}}\pngblip" + size + b" " + hexed + rb"}}"
        rb"{\nonshppict{\pict\wmetafile8 00}}\par two {\pict\dibitmap0" + size + rb"\bin" + b"%d " % len(dib) + dib + rb"}\par "
        rb"three {\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\pngblip"
        + size
        + b" "
        + binascii.hexlify(picture(CLOUD))
        + rb"}}}}}\par end}"
    )


@needs_engine
def test_pictures_of_rtf_in_hex_in_binary_and_in_shapes() -> None:
    found = whole(rtf_pictures(), "a.rtf")
    expected = ["one", said(RIVER), "two", said(STONE), "three", said(CLOUD), "end"]
    assert [line.strip() for line in found.content.split("\n") if line.strip()] == expected


# Word, Excel and PowerPoint before 2007


@needs_engine
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pictures.doc", ["before", said(RIVER), "after", "a\tb", said(STONE), "c\td", "end"]),
        ("pictures.xls", ["Sheet1", "1\t2", said(CLOUD)]),
        ("pictures.ppt", ["One", said(RIVER), "Two", said(STONE)]),
    ],
)
def test_pictures_of_old_office_files(name: str, expected: list[str]) -> None:
    found = whole((GOLDEN / name).read_bytes(), name)
    assert [line for line in found.content.split("\n") if line] == expected
    assert not [notice for notice in found.warnings if notice.code is WarningCode.NEEDS_OCR]


def blip(kind: int, instance: int, body: bytes) -> bytes:
    return struct.pack("<HHI", instance << 4, kind, len(body)) + body


def test_blips_are_unpacked_within_their_cap() -> None:
    packed = zlib.compress(emf(emf_text("words", 0, 0)))
    body = bytes(16) + struct.pack("<I", 0) + bytes(28) + bytes([0, 0xFE]) + packed
    record = blip(0xF01A, 0x3D4, body)
    art = Art(0xF01A, 0x3D4, False, 8, len(record))
    assert metafile_lines(blip_bytes(record, art, 1 << 20)) == ["words"]
    with pytest.raises(ExtractionError) as caught:
        blip_bytes(record, art, 20)
    assert caught.value.category is ErrorCategory.TOO_LARGE_DECOMPRESSED
    assert blip_bytes(blip(0xF01E, 0x6E1, bytes(33) + b"png"), Art(0xF01E, 0x6E1, False, 8, 44), 10) == b"png"


@pytest.mark.parametrize("number", [0, 1, 2, 1 << 31])
def test_a_store_without_the_picture_names_it(number: int) -> None:
    out = TextBuilder(OPTIONS)
    store = struct.pack("<HHI", 0xF, 0xF000, 16) + struct.pack("<HHI", 0xF, 0xF001, 8) + struct.pack("<HHI", 0, 0xF007, 0)
    assert Blips(store, bytes, out).lines(number) == []
    assert [notice.part for notice in out.notices] == [f"picture {number}"]


# PDF


def pdf_with_pictures() -> bytes:
    pdf = Pdf()
    page = pdf.page(lines(*["Running text of the page that is long enough to be read."] * 8), Rotate=90)
    add_picture(pdf, page, picture(RIVER), (120, 300, 300, 60))
    pdf.page(lines("Second page has text as well, and it is long enough."))
    page = pdf.page(lines(*["Running text of the page that is long enough to be read."] * 8))
    add_picture(pdf, page, picture(RIVER), (120, 300, 300, 60))
    form = pdf.appearance(b"q 300 0 0 60 0 0 cm /Im0 Do Q", 300, 60)
    form.Resources.XObject = {"/Im0": image_of(pdf, picture(STONE))}
    page.Resources.XObject["/Fm0"] = form
    page.contents_add(b"q 1 0 0 1 100 200 cm /Fm0 Do Q\n")
    return pdf.bytes()


def image_of(pdf: Pdf, data: bytes) -> object:
    from pikepdf import Name

    image = Image.open(io.BytesIO(data)).convert("L")
    return pdf.pdf.make_stream(
        image.tobytes(),
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=image.width,
        Height=image.height,
        ColorSpace=Name.DeviceGray,
        BitsPerComponent=8,
    )


def add_picture(pdf: Pdf, page: object, data: bytes, box: tuple[int, int, int, int]) -> None:
    x, y, width, height = box
    page.Resources.XObject["/Im0"] = image_of(pdf, data)  # type: ignore[attr-defined]
    is_turned = "/Rotate" in page  # type: ignore[operator]
    matrix = f"0 {width} {-height} 0 {x + height} {y}" if is_turned else f"{width} 0 0 {height} {x} {y}"
    page.contents_add(f"q {matrix} cm /Im0 Do Q\n".encode())  # type: ignore[attr-defined]


@needs_engine
def test_pictures_beside_the_text_of_a_page_come_at_its_end() -> None:
    data = pdf_with_pictures()
    found = whole(data, "a.pdf")
    ends = [found.content[page.start : page.end].split("\n")[-1] for page in found.pages]
    assert ends == [said(RIVER), "Second page has text as well, and it is long enough.", said(STONE)]
    parts = [picture.part for picture in native(data, "a.pdf").pictures]
    assert parts == ["page 1 picture 1", "page 3 picture 2"]  # the same picture is read once
    assert native(data, "a.pdf").content == native(data, "a.pdf", ExtractOptions(ocr=False)).content


def test_different_pictures_of_one_size_and_length_are_all_read() -> None:
    pdf = Pdf()
    for words in (RIVER, STONE, RIVER):  # as they are not compressed, they have the same length
        page = pdf.page(lines(*["Running text of the page that is long enough to be read."] * 8))
        add_picture(pdf, page, picture(words), (120, 300, 300, 60))
    data = pdf.bytes(compress_streams=False)
    assert [picture.part for picture in native(data, "a.pdf").pictures] == ["page 1 picture 1", "page 2 picture 1"]


@needs_engine
def test_white_letters_over_a_dark_box_are_read() -> None:
    from pikepdf import Name

    pdf = Pdf()
    page = pdf.page(lines(*["Running text of the page that is long enough to be read."] * 8))
    ink = ImageOps.invert(Image.open(io.BytesIO(picture(RIVER))).convert("L"))
    entries = {"Type": Name.XObject, "Subtype": Name.Image, "Width": ink.width, "Height": ink.height}
    entries |= {"ColorSpace": Name.DeviceGray, "BitsPerComponent": 8}
    mask = pdf.pdf.make_stream(ink.tobytes(), **entries)
    page.Resources.XObject["/Im0"] = pdf.pdf.make_stream(b"\xff" * ink.width * ink.height, SMask=mask, **entries)
    page.contents_add(b"q 0 0 0.5 rg 100 290 340 80 re f 300 0 0 60 120 300 cm /Im0 Do Q\n")
    assert whole(pdf.bytes(), "a.pdf").content.split("\n")[-1] == said(RIVER)


def test_a_background_and_a_recognised_scan_are_not_read_again() -> None:
    pdf = Pdf()
    text = ["Words that lie over the picture of the page, as those of a searchable scan."] * 12
    pdf.picture(pdf.page(lines(*text)), 0, 0, *A4, pixels=(500, 800))
    assert native(pdf.bytes(), "a.pdf").pictures == ()


# Hostile


def many_pictures(count: int, names: Callable[[int], str]) -> bytes:
    relations = {f"r{n}": ("image", f"media/{names(n)}") for n in range(count)}
    body = "".join(f"<w:p>{drawing(f'r{n}')}</w:p>" for n in range(count))
    parts = {f"word/media/{names(n)}": b"x" * 600 for n in range(count)}
    return office.docx(office.p("text") + body, relations, parts)


def test_many_pictures_are_capped_and_named() -> None:
    found = native(many_pictures(3000, lambda n: f"{n}.png"), "a.docx", ExtractOptions(max_zip_entries=10_000))
    assert len(found.pictures) == OPTIONS.max_ocr_images
    assert found.content.strip() == "text"
    assert "max_ocr_images" in found.warnings[-1].message and "more warnings left out" in found.warnings[-1].message


def test_the_same_picture_everywhere_is_one() -> None:
    found = native(many_pictures(3000, lambda n: "a.png"), "a.docx")
    assert [picture.part for picture in found.pictures] == ["word/media/a.png"]


def test_icons_become_a_dot_and_giants_are_refused() -> None:
    assert embedded_picture(picture("x", size=(99, 99)), "p", OPTIONS).size == (1, 1)
    giant = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + b"\x08\0\0\0\0"
    giant += struct.pack(">I", zlib.crc32(giant[12:])) + picture("x")[33:]
    with pytest.raises(ExtractionError) as caught:
        embedded_picture(giant, "p", OPTIONS)
    assert caught.value.category is ErrorCategory.IMAGE_TOO_LARGE


@pytest.mark.parametrize("data", [b"", b"no picture", b"<svg xmlns='x'/>", b"%PDF-1.4", emf(), b"\x1f\x8b" + bytes(40)])
def test_what_is_no_picture_has_a_category(data: bytes) -> None:
    with pytest.raises(ExtractionError) as caught:
        embedded_picture(data, "part", OPTIONS)
    assert caught.value.category in (ErrorCategory.UNSUPPORTED_MEDIA_TYPE, ErrorCategory.STREAM_DECOMPRESSION_FAIL)


@needs_engine
def test_a_broken_picture_is_named_and_costs_nothing_else() -> None:
    relations, parts = pictures_of_docx(a=b"\x89PNG\r\n\x1a\n" + bytes(900), b=picture(STONE))
    found = whole(
        office.docx(office.p("x") + f"<w:p>{drawing('a')}</w:p><w:p>{drawing('b')}</w:p>", relations, parts), "a.docx"
    )
    assert [line for line in found.content.split("\n") if line] == ["x", said(STONE)]
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.NEEDS_OCR, "word/media/a.png")]


@pytest.mark.parametrize("seed", range(40))
def test_mutated_metafiles_end(seed: int) -> None:
    data = bytearray(emf(emf_text("words", 0, 0), emf_bitmap(dib_of(STONE)[:5000])))
    for step in range(12):
        data[(seed * 7919 + step * 104_729) % min(len(data), 400)] = (seed * 31 + step * 17) % 256
    for drawn in (bytes(data), wmf(bytes(data))):
        metafile_lines(drawn)
        largest_bitmap(drawn)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "JPEG"])
def test_headers_tell_the_size(kind: str) -> None:
    assert header_size(picture("x", kind, (123, 77))) == (123, 77)
    for length in range(40):
        header_size(picture("x", kind)[:length])


def test_bare_bitmaps_get_a_header() -> None:
    for mode, bits in (("1", 1), ("L", 8), ("RGB", 24)):
        file = io.BytesIO()
        Image.new(mode, (40, 30), 0).save(file, "BMP")
        with Image.open(io.BytesIO(bitmap_file(file.getvalue()[14:]))) as opened:
            opened.load()
            assert opened.size == (40, 30), (mode, bits)
    assert bitmap_file(b"") == b"" == bitmap_file(bytes(60))


# Encrypted documents, icons


@needs_engine
def test_pictures_of_an_encrypted_document_are_found_again() -> None:
    source = Source(path=str(GOLDEN / "encrypted.docx"), name="a.docx", passwords=("lamp",))
    reading = read_document(source, OPTIONS)
    assert reading.extracted is not None and [picture.part for picture in reading.extracted.pictures] == ["word/media/a.png"]
    engine = find_engine()
    assert engine is not None
    found = recognise_page(source, reading.media_type, Target(1, "word/media/a.png"), OPTIONS, engine)
    assert (found.text, found.error) == (RIVER, None)


def mail_with(data: bytes) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Lamp"
    mail.set_content("Hello<img src='cid:a@b'>", subtype="html")
    mail.add_related(data, "image", "png", cid="<a@b>")
    return bytes(mail)


def test_tracking_dots_of_mails_are_no_quarantine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbeam.extractors.library.find_engine", lambda: None)
    (dot,) = whole(mail_with(picture("", size=(1, 1))), "a.eml").embedded
    assert dot.document is not None and dot.document.branch is Branch.NATIVE
    assert [(notice.code, notice.message) for notice in dot.document.warnings] == [
        (WarningCode.NO_TEXT, "a picture of 1 × 1 pixels, too small for text")
    ]
    (large,) = whole(mail_with(picture(RIVER)), "a.eml").embedded
    assert large.error is not None and large.error.category is ErrorCategory.NEEDS_OCR


@needs_engine
def test_small_pictures_in_archives_are_files_and_read() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.png", picture(RIVER, size=(600, 120)))
        archive.writestr("label.png", picture(".", size=(60, 30)))
    small = whole(file.getvalue(), "a.zip").embedded[1]
    assert small.document is not None and small.document.tiers == ("ocr",)


# What is kept of recognised words


@pytest.mark.parametrize(
    ("text", "confidence", "expected"),
    [
        ("a |\n= ~", 0.95, "a |\n= ~"),
        ("*, -\nVisual Text\n> &\nRo -", 0.64, "Visual Text"),
        ("Sales\n\ni\n\n12.5%\n(3)", 0.7, "Sales\n\n12.5%\n(3)"),
        ("12\n34", 0.7, ""),
        ("arX", 0.5, ""),
        ("ภาพ\nक ख", 0.5, "ภาพ\nक ख"),
        ("", None, ""),
    ],
)
def test_specks_go_and_words_stay(text: str, confidence: float | None, expected: str) -> None:
    assert kept(Recognised(text, confidence)).text == expected


def test_sure_words_in_noise_stay() -> None:
    words = [
        ("a", 0.9),
        ("More", 0.97),
        ("Fill", 0.92),
        ("of", 0.3),
        ("Colours", 0.95),
        ("the", 0.95),
        ("~=", 0.1),
        ("arX", 0.4),
    ]
    noise = Recognised(
        "a More Fill of Colours\nthe ~=\narX", 0.31, 0.28, words=tuple(Word(text, sure, 0, 0, 0.1, 0.1) for text, sure in words)
    )
    found = kept(noise)
    assert (found.text, found.words) == ("More Fill Colours", ())
    assert found.confidence is not None and found.confidence > 0.9
    assert kept(replace(noise, words=())).text == ""


@needs_engine
def test_strips_and_tiles_of_one_picture_are_read_as_one() -> None:
    pdf = Pdf()
    page = pdf.page(lines(*["Running text of the page that is long enough to be read."] * 8))
    whole_picture = Image.open(io.BytesIO(picture(RIVER)))
    content = b""
    for row, column in ((row, column) for row in range(4) for column in range(2)):
        file = io.BytesIO()
        whole_picture.crop((300 * column, 30 * row, 300 * column + 300, 30 * row + 30)).save(file, "PNG")
        page.Resources.XObject[f"/Im{row}{column}"] = image_of(pdf, file.getvalue())
        content += f"q 150 0 0 15 {100 + 150 * column} {300 - 15 * row} cm /Im{row}{column} Do Q\n".encode()
    page.contents_add(content)
    found = whole(pdf.bytes(), "a.pdf")
    assert [one.part for one in native(pdf.bytes(), "a.pdf").pictures] == ["page 1 picture 1"]
    assert found.content.split("\n")[-1] == said(RIVER)
