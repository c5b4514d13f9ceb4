"""The files that a PDF carries, as members."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf

from docbeam.extractors.pdf import PdfExtractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from tests.extractors.archive.builders import members


def read(data: bytes) -> Extracted:
    return PdfExtractor().extract(Source(data=data), MediaType.PDF, ExtractOptions(min_native_chars_per_page=0))


def saved(pdf: pikepdf.Pdf, **how: object) -> bytes:
    out = io.BytesIO()
    pdf.save(out, **how)  # type: ignore[arg-type]
    return out.getvalue()


def carrier(**files: bytes) -> pikepdf.Pdf:
    pdf = pikepdf.new()
    pdf.add_blank_page()
    for name, data in files.items():
        pdf.attachments[name] = data
    return pdf


def test_a_portfolio_gives_its_documents(shared: Path) -> None:
    found = read((shared / "cases/files/pdf_portfolio.pdf").read_bytes())
    assert "This is a collection of files." in found.content
    kept = members(found)
    assert list(kept) == ["crane-offer.pdf", "minutes-é.txt"]
    assert b"The vote on the breakwater was postponed." in kept["minutes-é.txt"]  # type: ignore[operator]


def test_a_file_pinned_to_a_page_is_a_member_with_its_declared_type(shared: Path) -> None:
    found = read((shared / "corpus/pdf/tika__testPDFFileEmbInAnnotation_noContents.pdf").read_bytes())
    assert [(member.path, member.size_bytes) for member in found.members] == [("Excel.xlsx", 9518)]
    assert found.members[0].media_type == MediaType.XLSX
    members(found)


def test_files_of_a_document_that_is_encrypted_without_a_password_are_read() -> None:
    pdf = carrier(a=b"text " * 100)
    assert members(read(saved(pdf, encryption=pikepdf.Encryption(owner="x", user="")))) == {"a": b"text " * 100}


def test_one_stream_under_two_names_is_one_member() -> None:
    pdf = carrier(a=b"text")
    names = pdf.Root.Names.EmbeddedFiles.Names
    names.append(pikepdf.String("b"))
    names.append(names[1])
    assert members(read(saved(pdf))) == {"a": b"text"}


def test_a_broken_stream_fails_alone() -> None:
    pdf = carrier(a=b"text", b=b"other")
    stream = pdf.attachments["a"].obj.EF.F
    stream.write(b"no zlib data", filter=pikepdf.Name.FlateDecode)
    assert members(read(saved(pdf, compress_streams=False))) == {"a": "stream_decompression_fail", "b": b"other"}


def test_names_that_lead_out_are_made_harmless() -> None:
    pdf = carrier(a=b"text")
    specification = pdf.attachments["a"].obj
    specification.UF = specification.F = pikepdf.String("..\\..\\a/../b.txt")
    assert list(members(read(saved(pdf)))) == ["a/b.txt"]
