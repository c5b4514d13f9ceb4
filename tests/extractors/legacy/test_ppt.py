"""PowerPoint presentations: slides in the order of the document, notes, numbers, tables, objects, damage."""

from __future__ import annotations

import io
import struct
import zlib

from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.compounds import compound
from tests.extractors.legacy.reading import GOLDEN, failure, golden, read


def record(kind: int, data: bytes = b"", *, instance: int = 0, version: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4 | version, kind, len(data)) + data


def container(kind: int, *children: bytes, instance: int = 0) -> bytes:
    return record(kind, b"".join(children), instance=instance, version=0xF)


def wide(kind: int, text: str, instance: int = 0) -> bytes:
    return record(kind, text.encode("utf-16-le"), instance=instance)


def textbox(text: str, *atoms: bytes, kind: int = 4) -> bytes:
    return container(0xF00D, record(0x0F9F, struct.pack("<I", kind)), wide(0x0FA0, text), *atoms)


def shape(*parts: bytes, box: tuple[int, int, int, int] | None = None, child: tuple[int, int, int, int] | None = None) -> bytes:
    anchor = record(0xF010, struct.pack("<4h", box[1], box[0], box[2], box[3])) if box else b""
    anchor += record(0xF00F, struct.pack("<4i", *child)) if child else b""
    return container(0xF004, record(0xF00A, bytes(8)), anchor, *parts)


def drawing(*shapes: bytes) -> bytes:
    root = container(0xF004, record(0xF00A, bytes(8)))
    return container(0x040C, container(0xF002, container(0xF003, root, *shapes)))


def deck(*slides: bytes, document: tuple[bytes, ...] = (), objects: tuple[bytes, ...] = (), user: bool = True) -> bytes:
    """Return a presentation whose slides are objects 2, 3 …, listed in reverse order of their place in the stream."""
    listed = b"".join(record(0x03F3, struct.pack("<IIIII", 2 + number, 0, 0, 256 + number, 0)) for number in range(len(slides)))
    parts = [container(0x03E8, container(0x0FF0, listed), *document), *slides, *objects]
    stream, offsets = b"", {}
    for number in [0, *range(len(parts) - 1, 0, -1)]:
        offsets[1 + number] = len(stream)
        stream += parts[number]
    directory = len(stream)
    places = struct.pack(f"<{len(parts)}I", *[offsets[1 + number] for number in range(len(parts))])
    stream += record(0x1772, struct.pack("<I", 1 | len(parts) << 20) + places)
    edit = len(stream)
    stream += record(0x0FF5, struct.pack("<IIIIIIII", 0, 0, 0, directory, 1, 0, 0, 0)[:28])
    current = record(0x0FF6, struct.pack("<III", 20, 0xE391C05F, edit) + bytes(8))
    return compound({"PowerPoint Document": stream.ljust(5000, b"\0"), "Current User": current if user else b""})


def slide(*shapes: bytes, extra: bytes = b"") -> bytes:
    return container(0x03EE, record(0x03EF, bytes(24), version=2), extra, drawing(*shapes))


def content(data: bytes) -> str:
    return read(data, "a.ppt").content


def test_slides_come_in_the_order_of_the_document_as_pages() -> None:
    found = read(deck(slide(shape(textbox("first"))), slide(shape(textbox("second")))), "a.ppt")
    assert found.content == "first\n\nsecond"
    assert [found.content[page.start : page.end] for page in found.pages] == ["first", "second"]
    assert found.page_count == 2


def test_without_the_current_user_the_directory_is_found_all_the_same() -> None:
    found = read(deck(slide(shape(textbox("text"))), user=False), "a.ppt")
    assert found.content == "text"
    assert found.truncation == TruncationReason.DAMAGED


def test_titles_come_first_and_lines_and_paragraphs_apart() -> None:
    place = container(0xF011, record(0x0BC3, struct.pack("<IBBH", 0, 0x0D, 0, 0)))
    shapes = (shape(textbox("one\rtwo\x0bthree")), shape(textbox("Title"), place))
    assert content(deck(slide(*shapes))) == "Title\none\ntwo\nthree"


def test_shapes_above_come_before_shapes_below() -> None:
    low, high = shape(textbox("low"), box=(0, 500, 100, 600)), shape(textbox("high"), box=(0, 0, 100, 100))
    assert content(deck(slide(low, high))) == "high\nlow"


def test_numbered_paragraphs_have_their_numbers_and_levels_are_indented() -> None:
    paragraphs = struct.pack("<IHI", 4, 0, 0) + struct.pack("<IHI", 4, 1, 0)
    runs = struct.pack("<II", 8, 0)
    style = record(0x0FA1, paragraphs + runs)
    entry = struct.pack("<IHHHHII", 0x03800000, 0xFFFF, 1, 3, 4, 0, 0)
    tags = container(0x1388, container(0x138A, wide(0x0FBA, "___PPT9"), record(0x138B, record(0x0FAC, entry))))
    assert content(deck(slide(shape(container(0xF011, tags), textbox("one\rsub", style))))) == "4. one\n  4. sub"


def test_a_table_is_rows_of_cells() -> None:
    cells = [
        shape(textbox(name), child=(left, top, left + 10, top + 10))
        for name, left, top in (("a", 0, 0), ("c", 0, 10), ("d", 10, 10), ("b", 10, 0))
    ]
    head = container(0xF004, record(0xF00A, bytes(8)), record(0xF122, struct.pack("<HI", 0x39F, 1), instance=1))
    assert content(deck(slide(container(0xF003, head, *cells)))) == "a\tb\nc\td"


def test_the_number_of_a_slide_and_its_footer_stand_where_signs_stand_for_them() -> None:
    atoms = container(0x0FD9, record(0x0FDA, struct.pack("<HH", 0, 0x20)), wide(0x0FBA, "Foot", 2))
    number = shape(textbox("page *", record(0x0FD8, struct.pack("<I", 5))))
    assert content(deck(slide(number, extra=atoms))) == "page 1\nFoot"


def test_comments_name_their_author() -> None:
    assert "[Comment by Administrator: This is a test comment" in golden("comment.ppt").content


def test_embedded_documents_become_members() -> None:
    inner = compound({"Workbook": b"\x09\x08" * 3000})
    packed = record(0x1011, struct.pack("<I", len(inner)) + zlib.compress(inner), instance=1)
    atom = record(0x0FC3, struct.pack("<IIIIII", 0, 0, 1, 0, 3, 0))
    listed = container(0x0409, container(0x0FCC, atom, wide(0x0FBA, "Work&sheet", 1)))
    found = read(deck(slide(shape(textbox("text"))), document=(listed,), objects=(packed,)), "a.ppt")
    assert [member.path for member in found.members] == ["Worksheet 0.xls"]


def test_a_broken_object_is_the_objects_own_problem() -> None:
    packed = record(0x1011, b"\0\0\0\0not packed", instance=1)
    atom = record(0x0FC3, struct.pack("<IIIIII", 0, 0, 1, 0, 3, 0))
    listed = container(0x0409, container(0x0FCC, atom))
    found = read(deck(slide(shape(textbox("text"))), document=(listed,), objects=(packed,)), "a.ppt")
    assert found.content == "text"
    assert [member.problem[0] for member in found.members if member.problem] == [ErrorCategory.STREAM_DECOMPRESSION_FAIL]


def test_a_missing_slide_is_named() -> None:
    data = deck(slide(shape(textbox("gone"))), slide(shape(textbox("text"))))
    found = read(data.replace(struct.pack("<IIIII", 2, 0, 0, 256, 0), struct.pack("<IIIII", 77, 0, 0, 256, 0)), "a.ppt")
    assert found.content == "text"
    assert found.truncation == TruncationReason.DAMAGED
    assert WarningCode.ENTRY_MISSING in [notice.code for notice in found.warnings]


def test_pictures_without_data_are_named() -> None:
    picture = record(0xF00B, struct.pack("<HI", 0x4104, 1), instance=1)
    found = read(deck(slide(shape(picture, box=(0, 0, 3000, 3000)), shape(textbox("text")))), "a.ppt")
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.NEEDS_OCR, "picture 1")]


def test_an_encrypted_presentation_is_refused() -> None:
    data = (GOLDEN / "comment.ppt").read_bytes().replace(struct.pack("<I", 0xE391C05F), struct.pack("<I", 0xF3D1C4DF))
    assert failure(data, "a.ppt") == ErrorCategory.ENCRYPTED_NO_KEY


def test_a_presentation_of_version_95_gives_its_text() -> None:
    found = read(compound({"PowerPoint Document": bytes(5000), "Text_Content": b"One\rTwo\x93\r"}), "a.ppt")
    assert found.content == "One\nTwo“\n"
    assert [notice.code for notice in found.warnings] == [WarningCode.PART_NOT_READ]
    assert failure(compound({"PP40": b"x"}), "a.ppt") == ErrorCategory.UNSUPPORTED_MEDIA_TYPE


def test_a_stream_of_rubbish_is_corrupt() -> None:
    assert (
        failure(compound({"PowerPoint Document": io.BytesIO(b"rubbish").getvalue() * 1000}), "a.ppt") == ErrorCategory.CORRUPT
    )


def test_slides_are_found_where_the_document_is_broken() -> None:
    data = deck(slide(shape(textbox("one"))), slide(shape(textbox("two"))), user=False)
    found = read(data.replace(b"\x0f\0\xe8\x03", b"\x0f\0\xe9\x03").replace(b"\xf5\x0f", b"\xf6\x0f"), "a.ppt")
    assert found.content == "two\n\none"
    assert found.truncation == TruncationReason.DAMAGED
