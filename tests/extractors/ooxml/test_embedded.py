"""Files embedded in Office files: as they are, and out of the OLE objects that wrap them."""

from __future__ import annotations

import struct

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import SIGNATURE
from docbeam.extractors.ooxml.embedded import hand_out_embedded
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import WarningCode
from tests.extractors.archive.builders import members


class FakePackage:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def part(self, name: str) -> bytes:
        return self.data

    def chunks(self, name: str) -> list[bytes]:
        return [self.data]


def compound(name: str, content: bytes) -> bytes:
    """Build a compound file with one large stream in its root: FAT, directory, stream."""
    content = content.ljust(4096, b"\0")
    sectors = -(-len(content) // 512)
    fat = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, 2 + sectors), 0xFFFFFFFE]
    header = SIGNATURE + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0) + struct.pack("<I", 0) + b"\xff" * 432
    none = 0xFFFFFFFF

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        raw = title.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<III", none, none, child)
        return (
            raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), kind, 1) + links + bytes(36) + struct.pack("<IQ", start, size)
        )

    directory = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry(name, 2, none, 2, len(content))
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(512, b"\xff")
    return header + table + directory.ljust(512, b"\0") + content


def handed_out(name: str, data: bytes) -> tuple[dict[str, bytes | str], list[WarningCode]]:
    out = TextBuilder(ExtractOptions())
    hand_out_embedded(FakePackage(data), name, out)  # type: ignore[arg-type]
    extracted = out.extracted()
    return members(extracted), [notice.code for notice in extracted.warnings]


def test_a_document_is_handed_out_as_it_is() -> None:
    assert handed_out("word/embeddings/Sheet1.xlsx", b"PK") == ({"word/embeddings/Sheet1.xlsx": b"PK"}, [])


def test_a_package_comes_out_with_the_name_that_it_was_packed_by() -> None:
    body = struct.pack("<H", 2) + b"report.txt\0C:\\Users\\me\\report.txt\0" + struct.pack("<HHI", 0, 3, 3) + b"C:\0"
    body += struct.pack("<I", 4) + b"text"
    found, codes = handed_out(
        "word/embeddings/oleObject1.bin", compound("\x01Ole10Native", struct.pack("<I", len(body)) + body)
    )
    assert found == {"report.txt": b"text"}
    assert codes == []


def test_a_wrapped_document_comes_out_with_its_ending() -> None:
    found, _ = handed_out("word/embeddings/oleObject1.bin", compound("CONTENTS", b"%PDF-1.7 text"))
    assert list(found) == ["word/embeddings/oleObject1.pdf"]


def test_other_objects_are_handed_out_as_they_are() -> None:
    data = compound("WordDocument", b"words")
    assert handed_out("ppt/embeddings/oleObject1.bin", data) == ({"ppt/embeddings/oleObject1.bin": data}, [])
