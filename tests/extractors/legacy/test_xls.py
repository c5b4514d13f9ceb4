"""Excel workbooks from records that are built here: cells, strings over CONTINUE, formats, sheets, damage."""

from __future__ import annotations

import struct

import pytest

from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.compounds import compound
from tests.extractors.legacy.reading import failure, golden, read

EOF = struct.pack("<HH", 0x0A, 0)


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def bof(kind: int, version: int = 0x600) -> bytes:
    return record(0x809, struct.pack("<HH", version, kind) + bytes(12 if version == 0x600 else 4))


def wide(text: str, length: str = "<H") -> bytes:
    return struct.pack(length, len(text)) + b"\1" + text.encode("utf-16-le")


def workbook(*sheets: bytes, extra: bytes = b"", states: str = "", strings: list[bytes] | None = None) -> bytes:
    """Return a BIFF8 stream: `sheets` are the records of each sheet, `strings` the bodies of SST and its CONTINUEs."""
    sst = b""
    for number, part in enumerate(strings or []):
        sst += record(0x3C if number else 0xFC, part if number else struct.pack("<II", 1, 1) + part)
    names = [wide(f"S{number}", "<B") for number in range(1, len(sheets) + 1)]
    size = len(bof(5)) + len(extra) + len(sst) + len(EOF) + sum(4 + 6 + len(name) for name in names)
    listed, bodies = b"", b""
    for number, (name, body) in enumerate(zip(names, sheets, strict=True)):
        state = int(states[number]) if states else 0
        listed += record(0x85, struct.pack("<IBB", size + len(bodies), state, 0) + name)
        bodies += bof(0x10) + body + EOF
    return bof(5) + listed + extra + sst + EOF + bodies


def number(row: int, column: int, value: float, style: int = 0) -> bytes:
    return record(0x203, struct.pack("<HHHd", row, column, style, value))


def shared(row: int, column: int, index: int) -> bytes:
    return record(0xFD, struct.pack("<HHHI", row, column, 0, index))


def rk(row: int, column: int, value: int) -> bytes:
    return record(0x27E, struct.pack("<HHHI", row, column, 0, value & 0xFFFFFFFF))


def content(data: bytes) -> str:
    return read(data, "a.xls").content


def test_numbers_in_all_their_forms_are_shown() -> None:
    cells = number(0, 0, 1.5) + rk(0, 1, 7 << 2 | 2) + rk(0, 2, -7 << 2 | 2) + rk(0, 3, 12345 << 2 | 3)
    many = record(
        0xBD, struct.pack("<HH", 1, 0) + struct.pack("<HI", 0, 1 << 2 | 2) + struct.pack("<HI", 0, 2 << 2 | 2) + b"\1\0"
    )
    assert content(workbook(cells + many)) == "S1\n1.5\t7\t-7\t123.45\n1\t2"


def test_a_shared_string_may_run_on_and_change_its_width_on_the_way() -> None:
    start = struct.pack("<HB", 6, 1) + "Жук".encode("utf-16-le")
    assert content(workbook(shared(0, 0, 0), strings=[start, b"\0abc"])) == "S1\nЖукabc"


def test_formatting_runs_and_phonetic_guides_are_left_out() -> None:
    rich = struct.pack("<HBHI", 2, 0x0D, 1, 5) + "漢字".encode("utf-16-le") + b"RUNS" + b"kanji"
    plain = struct.pack("<HB", 4, 0) + b"next"
    cut = [rich[:11], b"\1" + rich[11:] + plain]
    assert content(workbook(shared(0, 0, 0) + shared(0, 1, 1), strings=cut)) == "S1\n漢字\tnext"
    assert content(workbook(shared(0, 0, 0) + shared(0, 1, 1), strings=[rich + plain])) == "S1\n漢字\tnext"


def test_results_of_formulas_are_shown() -> None:
    def formula(column: int, result: bytes) -> bytes:
        return record(0x06, struct.pack("<HHH", 0, column, 0) + result + bytes(8))

    text = formula(0, b"\0\0\0\0\0\0\xff\xff") + record(0x207, wide("text"))
    cells = (
        text + formula(1, b"\1\0\1\0\0\0\xff\xff") + formula(2, b"\2\0\x2a\0\0\0\xff\xff") + formula(3, struct.pack("<d", 2.5))
    )
    assert content(workbook(cells)) == "S1\ntext\tTRUE\t#N/A\t2.5"


def test_dates_are_shown_by_their_format_and_by_the_calendar_of_the_workbook() -> None:
    styles = record(0xE0, struct.pack("<HH", 0, 15) + bytes(16))
    assert content(workbook(number(0, 0, 39219, 0), extra=styles)) == "S1\n17-May-07"
    since_1904 = record(0x22, b"\1\0") + styles
    assert content(workbook(number(0, 0, 37757, 0), extra=since_1904)) == "S1\n17-May-07"


def test_formats_of_the_workbook_are_used() -> None:
    code = record(0x41E, struct.pack("<H", 164) + wide('0.0 "km"'))
    style = record(0xE0, struct.pack("<HH", 0, 164) + bytes(16))
    assert content(workbook(number(0, 0, 3.14159, 0), extra=code + style)) == "S1\n3.1 km"


def test_hidden_sheets_are_read_and_named() -> None:
    found = read(workbook(number(0, 0, 1), number(0, 0, 2), states="01"), "a.xls")
    assert found.content == "S1\n1\n\nS2\n2"
    assert found.metadata["xls.hiddenSheets"] == "S2"
    assert [page.number for page in found.pages] == [1, 2]


def test_comments_name_their_cell_and_author() -> None:
    thing = record(0x5D, struct.pack("<HHHH", 0x15, 0x12, 0x19, 9) + bytes(14))
    text = record(0x1B6, struct.pack("<HH6xHH", 0, 0, 5, 0) + bytes(4)) + record(0x3C, b"\0hello")
    note = record(0x1C, struct.pack("<HHHH", 2, 1, 0, 9) + wide("Ann"))
    assert content(workbook(thing + text + note)) == "S1\n\nB3 Ann: hello"


def test_text_boxes_and_titles_of_charts_are_read() -> None:
    box = record(0x5D, struct.pack("<HHHH", 0x15, 0x12, 6, 1) + bytes(14))
    box += record(0x1B6, struct.pack("<HH6xHH", 0, 0, 7, 0) + bytes(4)) + record(0x3C, b"\0one") + record(0x3C, b"\0\ntwo")
    chart = bof(0x20) + record(0x100D, b"\0\0" + wide("Sales", "<B")) + EOF
    assert content(workbook(number(0, 0, 1) + box + chart)) == "S1\n1\n\none\ntwo\nSales"


def test_a_workbook_with_a_broken_list_of_sheets_is_read_in_the_order_of_the_stream() -> None:
    data = workbook(number(0, 0, 1), number(0, 0, 2))
    place = data.index(record(0x85)[:2]) + 4
    found = read(data[:place] + struct.pack("<I", 3) + data[place + 4 :], "a.xls")
    assert found.content == "S1\n1\n\nS2\n2"
    assert found.truncation == TruncationReason.DAMAGED


def test_a_workbook_that_breaks_off_keeps_what_came_before() -> None:
    found = read(workbook(number(0, 0, 1), number(0, 0, 2) + number(1, 0, 3))[:-10], "a.xls")
    assert found.content.startswith("S1\n1\n\nS2\n2")
    assert found.truncation == TruncationReason.DAMAGED


def test_a_missing_shared_string_is_named() -> None:
    found = read(workbook(number(0, 0, 1) + shared(0, 1, 5)), "a.xls")
    assert any(notice.code == WarningCode.PART_DAMAGED for notice in found.warnings)


@pytest.mark.parametrize("kind", [0x2F])
def test_an_encrypted_workbook_is_refused(kind: int) -> None:
    assert failure(compound({"Workbook": workbook(number(0, 0, 1), extra=record(kind, bytes(54)))}), "a.xls") == (
        ErrorCategory.ENCRYPTED_NO_KEY
    )


def test_a_stream_without_a_sheet_is_corrupt() -> None:
    assert failure(compound({"Workbook": b"no records here"}), "a.xls") == ErrorCategory.CORRUPT
    assert failure(compound({"Workbook": bof(5) + EOF}), "a.xls") == ErrorCategory.CORRUPT


def test_embedded_documents_become_members() -> None:
    streams = {"Workbook": workbook(number(0, 0, 1)), "MBD00A/Package": b"%PDF-1.4 inside", "MBD00B/WordDocument": b"\xec\xa5"}
    found = read(compound(streams), "a.xls")
    assert [member.path for member in found.members] == ["MBD00A.pdf", "MBD00B.doc"]


def test_a_workbook_of_version_4_has_its_sheet() -> None:
    cells = record(0x204, struct.pack("<HHHH", 0, 0, 0, 3) + b"abc") + record(0x203, struct.pack("<HHHd", 1, 0, 0, 4.0))
    assert content(record(0x409, struct.pack("<HH", 0, 0x10) + b"\0\0") + cells + EOF) == "Sheet1\nabc\n4"


def test_letters_of_older_workbooks_are_in_their_code_page() -> None:
    label = record(0x204, struct.pack("<HHHH", 0, 0, 0, 3) + "Жук".encode("cp1251"))
    page = record(0x42, struct.pack("<H", 1251))
    assert content(bof(0x10, 0x500) + page + label + EOF) == "Sheet1\nЖук"


def test_properties_are_lifted() -> None:
    found = golden("comments.xls")
    assert found.metadata["xls.lastModifiedBy"] == "Yegor Kozlov"
    assert str(found.created_at) == "1996-10-14 23:33:28+00:00"


def test_a_workbook_whose_globals_are_broken_still_gives_its_sheets() -> None:
    sst = [struct.pack("<HB", 4, 0) + b"word"]
    data = workbook(number(0, 0, 1) + shared(0, 1, 0), number(0, 0, 2), strings=sst)
    found = read(compound({"Workbook": data[:20] + record(0xE1, b"\0\0")[:2] + b"\xff\x7f" + data[20:]}), "a.xls")
    assert "1\tword" in found.content and "2" in found.content
    assert found.truncation == TruncationReason.DAMAGED


def test_a_workbook_whose_directory_is_lost_is_found_by_its_beginning() -> None:
    data = compound({"Workbook": workbook(number(0, 0, 1)).ljust(5000, b"\0")})
    place = data.index("Root Entry".encode("utf-16-le"))
    found = read(data[:place] + bytes(512) + data[place + 512 :], "a.xls")
    assert found.content == "S1\n1"
    assert found.truncation == TruncationReason.DAMAGED
