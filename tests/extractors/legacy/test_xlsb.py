"""Binary workbooks from parts that are built here: cells, strings, formats, comments, damage."""

from __future__ import annotations

import io
import struct
import zipfile

from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.legacy.reading import failure, golden, read

REL = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
MAIN = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"


def record(kind: int, data: bytes = b"") -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = len(data)
    length = b""
    while True:
        length += bytes([size & 0x7F | (0x80 if size > 0x7F else 0)])
        size >>= 7
        if not size:
            return head + length + data


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def row(number: int, *, hidden: bool = False) -> bytes:
    return record(0, struct.pack("<IIHBB", number, 0, 0, 0, 0x10 if hidden else 0) + bytes(5))


def cell(kind: int, column: int, value: bytes, style: int = 0) -> bytes:
    return record(kind, struct.pack("<II", column, style) + value)


def xlsb(sheet: bytes, parts: dict[str, bytes | str] | None = None, workbook: bytes = b"") -> bytes:
    book = workbook or record(156, struct.pack("<II", 0, 1) + wide("rId1") + wide("Data"))
    links = f'<Relationship Id="rId1" Type="{TYPE}worksheet" Target="worksheets/sheet1.bin"/>'
    links += f'<Relationship Id="rId2" Type="{TYPE}sharedStrings" Target="sharedStrings.bin"/>'
    links += f'<Relationship Id="rId3" Type="{TYPE}styles" Target="styles.bin"/>'
    found: dict[str, bytes | str] = {
        "[Content_Types].xml": f'<Types><Override PartName="/xl/workbook.bin" ContentType="{MAIN}"/></Types>',
        "_rels/.rels": REL.format(f'<Relationship Id="r" Type="{TYPE}officeDocument" Target="xl/workbook.bin"/>'),
        "xl/workbook.bin": book,
        "xl/_rels/workbook.bin.rels": REL.format(links),
        "xl/worksheets/sheet1.bin": sheet,
        "xl/sharedStrings.bin": record(19, b"\0" + wide("first")) + record(19, b"\0" + wide("second")),
        "xl/styles.bin": record(44, struct.pack("<H", 200) + wide('0.0 "kg"'))
        + record(617) + record(47, struct.pack("<HH", 0, 0)) + record(47, struct.pack("<HH", 0, 200))
        + record(47, struct.pack("<HH", 0, 15)) + record(618),
        **(parts or {}),
    }  # fmt: skip
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in found.items():
            archive.writestr(name, data)
    return file.getvalue()


def content(data: bytes) -> str:
    return read(data, "a.xlsb").content


def test_cells_of_every_kind_are_shown() -> None:
    sheet = row(0) + cell(7, 0, struct.pack("<I", 1)) + cell(6, 1, wide("own")) + cell(5, 2, struct.pack("<d", 1.25))
    sheet += row(1) + cell(2, 0, struct.pack("<I", 5 << 2 | 2)) + cell(4, 1, b"\1") + cell(3, 2, b"\x2a")
    sheet += row(2) + cell(8, 0, wide("result")) + cell(9, 1, struct.pack("<d", 2)) + cell(10, 2, b"\0") + cell(11, 3, b"\x07")
    assert content(xlsb(sheet)) == "Data\nsecond\town\t1.25\n5\tTRUE\t#N/A\nresult\t2\tFALSE\t#DIV/0!"


def test_numbers_are_shown_by_the_format_of_their_style() -> None:
    sheet = row(0) + cell(5, 0, struct.pack("<d", 2.25), 1) + cell(5, 1, struct.pack("<d", 39219), 2)
    assert content(xlsb(sheet)) == "Data\n2.3 kg\t17-May-07"


def test_hidden_rows_and_sheets_are_counted_and_named() -> None:
    listed = record(156, struct.pack("<II", 1, 1) + wide("rId1") + wide("Data"))
    found = read(xlsb(row(0, hidden=True) + cell(7, 0, bytes(4)), workbook=listed), "a.xlsb")
    assert found.content == "Data\nfirst"
    assert (found.metadata["xlsb.hiddenRows"], found.metadata["xlsb.hiddenSheets"]) == ("1", "Data")


def test_comments_name_their_cell_and_author() -> None:
    comments = record(632, wide("Ann")) + record(635, struct.pack("<IIIII", 0, 2, 2, 1, 1) + bytes(16))
    comments += record(637, b"\0" + wide("hello"))
    parts: dict[str, bytes | str] = {
        "xl/worksheets/_rels/sheet1.bin.rels": REL.format(
            f'<Relationship Id="c" Type="{TYPE}comments" Target="../comments1.bin"/>'
        ),
        "xl/comments1.bin": comments,
    }
    assert content(xlsb(row(0) + cell(7, 0, bytes(4)), parts)) == "Data\nfirst\n\nB3 Ann: hello"


def test_headers_comments_drawings_and_footers_of_a_real_workbook_are_read() -> None:
    text = golden("everything.xlsb").content
    for words in ("OddLeftHeader", "C8 Allison, Timothy B.: test comment2", "test textbox", "test WordArt", "myChartTitle"):
        assert words in text


def test_a_sheet_that_breaks_off_keeps_what_came_before() -> None:
    found = read(xlsb(row(0) + cell(7, 0, bytes(4)) + cell(6, 1, wide("cut"))[:-3]), "a.xlsb")
    assert found.content == "Data\nfirst"
    assert found.truncation == TruncationReason.DAMAGED


def test_a_missing_sheet_is_named() -> None:
    listed = record(156, struct.pack("<II", 0, 1) + wide("rId9") + wide("Gone"))
    listed += record(156, struct.pack("<II", 0, 2) + wide("rId1") + wide("Data"))
    found = read(xlsb(row(0) + cell(7, 0, bytes(4)), workbook=listed), "a.xlsb")
    assert found.content == "Gone\n\nData\nfirst"
    assert WarningCode.ENTRY_MISSING in [notice.code for notice in found.warnings]


def test_a_workbook_without_sheets_is_corrupt() -> None:
    assert failure(xlsb(b"", workbook=record(131)), "a.xlsb") == ErrorCategory.CORRUPT
