"""Word documents from a FIB, pieces and formatting pages that are built here, and what golden documents say besides text."""

from __future__ import annotations

import struct

from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.compounds import compound
from tests.extractors.legacy.reading import GOLDEN, failure, golden, read

TEXT_AT, PAGE_AT, STREAM_BYTES = 0x800, 0x1800, 0x2000
CHARACTERS, FONTS, CLX = 12, 15, 33


def doc(
    pieces: list[tuple[str, bool]],
    *,
    runs: list[tuple[int, int, bytes]] | None = None,
    flags: int = 0x0200,
    parts: dict[int, bytes] | None = None,
    extra: dict[str, bytes] | None = None,
) -> bytes:
    """Return a document: pieces of text, each with whether it is 16 bits wide, and runs of bytes with their modifiers."""
    text, table, at = b"", b"", TEXT_AT
    starts, descriptors = [0], b""
    for letters, is_wide in pieces:
        raw = letters.encode("utf-16-le" if is_wide else "cp1252")
        count = len(raw) // 2 if is_wide else len(raw)
        starts.append(starts[-1] + count)
        descriptors += struct.pack("<HIH", 0, at if is_wide else at * 2 | 0x40000000, 0)
        text += raw
        at += len(raw)
    plc = struct.pack(f"<{len(starts)}I", *starts) + descriptors
    found = {CLX: b"\2" + struct.pack("<I", len(plc)) + plc, **(parts or {})}
    page = b""
    if runs:
        found[CHARACTERS] = struct.pack("<III", TEXT_AT, TEXT_AT + 0x800, PAGE_AT // 512)
        offsets = struct.pack(f"<{len(runs) + 1}I", *[TEXT_AT + low for low, _, _ in runs], TEXT_AT + runs[-1][1])
        places, body = b"", b""
        for _, _, modifiers in reversed(runs):
            body = (bytes([len(modifiers)]) + modifiers).ljust(-(-(len(modifiers) + 1) // 2) * 2, b"\0") + body
            places = bytes([(511 - len(body) - (511 - len(body)) % 2) // 2]) + places
        start = 511 - len(body) - (511 - len(body)) % 2
        page = (offsets + places).ljust(start, b"\0") + body
        page = page.ljust(511, b"\0") + bytes([len(runs)])
    pairs = [(0, 0)] * 93
    for index, part in found.items():
        pairs[index] = (len(table), len(part))
        table += part
    head = struct.pack("<HHHHHH", 0xA5EC, 0xC1, 0, 0x409, 0, flags).ljust(32, b"\0") + struct.pack("<H", 14) + bytes(28)
    head += struct.pack("<H", 22) + bytes(12) + struct.pack("<I", starts[-1]) + bytes(72)
    head += struct.pack("<H", 93) + b"".join(struct.pack("<II", *pair) for pair in pairs)
    main = (head.ljust(TEXT_AT, b"\0") + text).ljust(PAGE_AT, b"\0") + page
    return compound({"WordDocument": main.ljust(STREAM_BYTES, b"\0"), "1Table": table.ljust(5000, b"\0"), **(extra or {})})


def content(data: bytes) -> str:
    return read(data, "a.doc").content.strip()


def test_pieces_of_both_widths_are_joined() -> None:
    assert content(doc([("Caf\u00e9 \u2013 ", False), ("Жук 𐌲!\r", True)])) == "Café – Жук 𐌲!"


def test_special_characters_are_what_word_shows() -> None:
    assert content(doc([("a\x1eb soft\x1fly one\x0btwo\x07\rend\r", False)])) == "a-b softly one\ntwo\n\nend"


def test_deleted_text_is_left_out_and_inserted_text_stays() -> None:
    runs = [(0, 5, b""), (5, 10, b"\x00\x08\x01"), (10, 16, b"\x01\x08\x01")]
    assert content(doc([("keep drop added\r", False)], runs=runs)) == "keep added"


def test_a_deleted_paragraph_mark_joins_two_paragraphs() -> None:
    assert content(doc([("one\rtwo\r", False)], runs=[(0, 3, b""), (3, 4, b"\x00\x08\x01"), (4, 8, b"")])) == "onetwo"


def test_the_result_of_a_field_is_shown_and_not_its_code() -> None:
    assert content(doc([('see \x13HYPERLINK "http://a.example"\x14here\x15.\r', False)])) == "see here."
    assert content(doc([("a \x13 IF \x13 PAGE \x142\x15 = 2 \x14yes\x15\r", False)])) == "a yes"
    assert content(doc([("open \x13 PAGE and the end", False)])).startswith("open")


def test_signs_of_symbol_fonts_are_signs() -> None:
    name = "Wingdings\0".encode("utf-16-le")
    fonts = struct.pack("<HH", 1, 0) + bytes([39 + len(name)]) + bytes(39) + name
    runs = [(0, 1, b"\x09\x6a" + struct.pack("<HH", 0, 0xF0FC)), (1, 4, b"")]
    assert content(doc([("( x\r", False)], runs=runs, parts={FONTS: fonts})) == "✓ x"


def test_an_encrypted_document_is_refused() -> None:
    assert failure(doc([("secret\r", False)], flags=0x0300), "a.doc") == ErrorCategory.ENCRYPTED_NO_KEY


def test_a_document_whose_pieces_lie_outside_the_file_is_damaged() -> None:
    data = doc([("first ", False), ("second\r", False)])
    second = struct.pack("<HI", 0, (TEXT_AT + 6) * 2 | 0x40000000)
    found = read(data.replace(second, struct.pack("<HI", 0, 0x7FFFFFFE)), "a.doc")
    assert found.content.startswith("first")
    assert found.truncation == TruncationReason.DAMAGED


def test_objects_of_the_pool_become_members() -> None:
    def native(name: bytes, data: bytes) -> bytes:
        body = b"\2\0" + name + b"\0C:\\x\\" + name + b"\0\0\0\3\0" + struct.pack("<I", 5) + b"C:\\t\0"
        body += struct.pack("<I", len(data)) + data
        return struct.pack("<I", len(body)) + body

    extra = {
        "ObjectPool/_1/\x01Ole10Native": native(b"../note.txt", b"hello"),
        "ObjectPool/_2/Workbook": b"\x09\x08" * 4000,
        "ObjectPool/_3/Equation Native": b"x",
        "Macros/VBA/dir": b"x",
    }
    found = read(doc([("text\r", False)], extra=extra), "a.doc")
    assert [(member.path, member.size_bytes > 0) for member in found.members] == [("note.txt", True), ("_2.xls", True)]
    assert {notice.part for notice in found.warnings} == {"_3", "Macros"}


def test_cells_of_a_table_stay_apart() -> None:
    assert golden("nested_table.doc").content.splitlines()[0] == "A\tB\tC"


def test_pictures_are_named() -> None:
    runs = [(0, 1, b"\x03\x6a\0\0\0\0\x55\x08\x01"), (1, 6, b"")]
    found = read(doc([("\1 text\r"[:6] + "\r", False)], runs=runs), "a.doc")
    assert [notice.code for notice in found.warnings] == [WarningCode.NEEDS_OCR]


def test_a_file_of_word_2_gives_its_text() -> None:
    head = struct.pack("<HHHHHH", 0xA5DB, 0x2D, 0, 0x409, 0, 0).ljust(0x18, b"\0") + struct.pack("<II", 0x400, 0x40B)
    data = (head.ljust(0x34, b"\0") + struct.pack("<I", 11)).ljust(0x400, b"\0") + b"Hello old\r\n"
    assert content(data) == "Hello old"
    assert failure(b"\x9b\xa5" + data[2:], "a.doc") in (ErrorCategory.UNSUPPORTED_MEDIA_TYPE, ErrorCategory.CORRUPT)


def test_properties_are_metadata() -> None:
    found = golden("word_6.doc")
    assert (found.title, found.author) == ("The quick brown fox jumps over the lazy dog", "Nevin Nollop")
    assert found.metadata["doc.version"] == "Word 6 or 95"
    assert str(found.created_at) == "2005-05-26 12:57:00+00:00"


def test_encryption_of_word_6_is_seen() -> None:
    data = bytearray((GOLDEN / "word_6.doc").read_bytes())
    place = data.index(b"\xdc\xa5")
    data[place + 11] |= 1
    assert failure(bytes(data), "a.doc") == ErrorCategory.ENCRYPTED_NO_KEY


def test_a_document_that_lost_its_directory_gives_its_letters() -> None:
    data = doc([("Caf\u00e9 text\r", False)])
    place = data.index("Root Entry".encode("utf-16-le"))
    head = data.index(b"\xec\xa5\xc1\0")
    data = data[: head + 0x18] + struct.pack("<II", TEXT_AT, TEXT_AT + 10) + data[head + 0x20 :]
    found = read(data[:place] + bytes(512) + data[place + 512 :], "a.doc")
    assert found.content.strip() == "Café text"
    assert found.truncation == TruncationReason.DAMAGED


def test_a_chain_of_sectors_that_breaks_off_goes_on_with_the_next_sector() -> None:
    data = bytearray(doc([("one ", False), ("two\r", False)]))
    fat = 512
    for at in range(fat, fat + 512, 4):
        if struct.unpack_from("<I", data, at)[0] == (at - fat) // 4 + 1:
            struct.pack_into("<I", data, at, 0xFFFFFFFF)
    found = read(bytes(data), "a.doc")
    assert found.content.strip() == "one two"
    assert found.truncation == TruncationReason.DAMAGED
