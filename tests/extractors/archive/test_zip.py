"""ZIP archives: names, links, damage, bombs. The archives come from Python's zipfile, with bytes changed by hand."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib

import pytest

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode
from tests.extractors.archive.builders import members, problem, read, unpacked, zipped

TWO = [("a/one.txt", b"first text " * 50), ("two.txt", b"second text " * 50)]


def with_raw_name(raw: bytes, *, is_dos: bool = True, extra: bytes = b"", data: bytes = b"text") -> bytes:
    info = zipfile.ZipInfo("x" * len(raw))
    info.create_system = 0 if is_dos else 3
    info.extra = extra
    return zipped([(info, data)]).replace(b"x" * len(raw), raw)


def test_every_entry_is_a_member_and_a_line_of_the_listing() -> None:
    found = read(zipped(TWO))
    assert found.content == "a/one.txt (550 bytes)\ntwo.txt (600 bytes)\n"
    assert members(found) == dict(TWO)
    assert found.metadata["zip.entryCount"] == "2"
    assert found.warnings == ()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_all_methods_of_the_standard_library_are_unpacked(method: int) -> None:
    assert unpacked(zipped(TWO, method)) == dict(TWO)


def test_an_entry_in_an_unknown_method_is_in_quarantine_alone() -> None:
    data = bytearray(zipped(TWO))
    at = data.index(b"PK\x01\x02")
    data[at + 10 : at + 12] = struct.pack("<H", 98)
    assert unpacked(bytes(data)) == {"a/one.txt": "stream_decompression_fail", "two.txt": TWO[1][1]}


def test_folders_are_no_members() -> None:
    assert unpacked(zipped([("folder/", b""), ("folder/a.txt", b"text")])) == {"folder/a.txt": b"text"}


def test_an_encrypted_entry_leaves_the_others() -> None:
    data = bytearray(zipped(TWO))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    found = read(bytes(data))
    assert members(found) == {"a/one.txt": "encrypted_no_key", "two.txt": TWO[1][1]}
    assert found.metadata["zip.encryptedEntryCount"] == "1"


def test_an_archive_with_encrypted_entries_only_is_in_quarantine() -> None:
    data = bytearray(zipped(TWO[:1]))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert problem(bytes(data)) == "encrypted_no_key"


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("cp932", "見積書_2020.txt"),
        ("gb18030", "新建文本文档.txt"),
        ("cp866", "Договор.txt"),
        ("cp850", "Übersicht.txt"),
        ("cp437", "résumé.txt"),
        ("cp852", "żółw.txt"),
        ("utf-8", "مرحبا.txt"),
    ],
)
def test_a_name_without_a_declared_charset_is_read_as_its_program_wrote_it(codec: str, name: str) -> None:
    assert list(unpacked(with_raw_name(name.encode(codec)))) == [name]


def test_a_guessed_name_is_said() -> None:
    found = read(with_raw_name("見積書.txt".encode("cp932")))
    members(found)
    assert [notice.code for notice in found.warnings] == [WarningCode.CHARSET_GUESSED]
    assert found.confidence is Confidence.HEURISTIC
    assert found.metadata["zip.nameCharset"] == "shift_jis"


def test_the_unicode_field_has_the_name_if_it_belongs_to_the_stored_one() -> None:
    right, wrong = zlib.crc32(b"?.txt"), 1
    for crc, name in ((right, "š.txt"), (wrong, "?.txt")):
        text = struct.pack("<BI", 1, crc) + "š.txt".encode()
        extra = struct.pack("<HH", 0x7075, len(text)) + text
        assert list(unpacked(with_raw_name(b"?.txt", extra=extra))) == [name]


def test_names_that_lead_out_are_made_harmless_and_duplicates_are_kept() -> None:
    names = ["../../etc/passwd", "/root/a.txt", "C:\\b.txt", "c/./../d.txt", "same.txt", "same.txt", "new\nline.txt"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = unpacked(zipped([(name, b"text") for name in names]))
    assert list(found) == ["etc/passwd", "root/a.txt", "b.txt", "c/d.txt", "same.txt", "same (2).txt", "new\ufffdline.txt"]


def test_a_link_is_named_and_not_followed() -> None:
    link = zipfile.ZipInfo("link.txt")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    found = read(zipped([(link, b"/etc/passwd"), ("a.txt", b"text")]))
    assert members(found) == {"a.txt": b"text"}
    assert [(notice.code, notice.part) for notice in found.warnings] == [(WarningCode.EMBEDDED_NOT_READ, "link.txt")]
    assert "/etc/passwd" in found.warnings[0].message


def test_what_a_mac_adds_is_left_out_in_one_warning() -> None:
    fork = b"\0\5\x16\x07" + bytes(100)
    found = read(zipped([("a.txt", b"text"), ("__MACOSX/._a.txt", fork), (".DS_Store", b"\0\0\0\1Bud1"), ("._b", b"mine")]))
    assert list(members(found)) == ["a.txt", "._b"]
    assert [notice.message for notice in found.warnings] == ["2 resource forks and settings of the Finder left out"]


def test_comments_are_text() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("a.txt")
        info.comment = b"the last draft"
        archive.writestr(info, b"text")
        archive.comment = b"Sent on Monday"
    found = read(out.getvalue())
    members(found)
    assert found.content == "Sent on Monday\na.txt (4 bytes): the last draft\n"


def test_bytes_before_and_behind_the_archive_do_no_harm() -> None:
    assert unpacked(b"MZ" + bytes(100) + zipped(TWO) + b"\r\n", "setup.exe") == dict(TWO)


@pytest.mark.parametrize("cut", [10, 200])
def test_a_lost_directory_is_made_up_from_local_headers(cut: int) -> None:
    data = zipped(TWO)
    found = read(data[:-cut] if cut < 100 else data[: data.index(b"PK\x01\x02")])
    assert members(found) == dict(TWO)
    assert found.truncation is TruncationReason.DAMAGED
    assert found.confidence is Confidence.HEURISTIC
    assert found.tiers == ("native", "repaired")


def test_entries_without_sizes_are_salvaged_too() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

        def seek(self, *where: int) -> int:
            raise OSError

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in TWO:
            archive.writestr(name, text)
    data = out.getvalue()
    assert unpacked(data) == dict(TWO)
    assert unpacked(data[: data.index(b"PK\x01\x02")]) == dict(TWO)


def test_a_cut_archive_gives_its_whole_entries() -> None:
    data = zipped(TWO)
    assert unpacked(data[: data.rindex(b"PK\x03\x04") + 50]) == {"a/one.txt": TWO[0][1], "two.txt": "stream_decompression_fail"}


def test_an_archive_of_which_nothing_is_left_is_corrupt() -> None:
    assert problem(zipped(TWO)[:45]) == "corrupt"
    assert problem(b"PK\x03\x04" + bytes(100)) == "corrupt"


def test_a_wrong_checksum_is_found() -> None:
    data = bytearray(zipped(TWO, zipfile.ZIP_STORED))
    data[data.index(b"first text")] ^= 1
    assert unpacked(bytes(data)) == {"a/one.txt": "stream_decompression_fail", "two.txt": TWO[1][1]}


def test_too_many_entries_are_counted_before_they_are_read() -> None:
    data = zipped([(f"{number}.txt", b"") for number in range(21)])
    assert problem(data, options=ExtractOptions(max_zip_entries=20)) == "too_many_entries"
    assert problem(data, options=ExtractOptions(max_zip_entries=21)) == "none"


def test_declared_sizes_are_held_to_the_cap() -> None:
    options = ExtractOptions(max_decompressed_bytes=1000)
    assert problem(zipped(TWO), options=options) == "too_large_decompressed"


def test_a_lying_size_is_found_by_counting() -> None:
    data = bytearray(zipped([("bomb.txt", bytes(100_000)), ("good.txt", b"text")]))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    options = ExtractOptions(max_decompressed_bytes=50_000)
    assert unpacked(bytes(data), options=options)["bomb.txt"] == "too_large_decompressed"


def test_entries_that_share_their_data_are_refused() -> None:
    data = bytearray(zipped(TWO))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 0)
    first = data.index(b"PK\x01\x02")
    data[first + 42 : first + 46] = struct.pack("<I", 0)
    assert problem(bytes(data)) == "corrupt"


def test_zip64_is_read() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, archive.open("a.txt", "w", force_zip64=True) as entry:
        entry.write(b"text")
    data = out.getvalue()
    assert unpacked(data) == {"a.txt": b"text"}
    at = data.index(b"PK\x05\x06")
    start = data.index(b"PK\x01\x02")
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, at - start, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, at, 1)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    assert unpacked(data[:at] + record + locator + end) == {"a.txt": b"text"}


def test_an_empty_archive_says_so() -> None:
    found = read(zipped([]))
    assert [notice.code for notice in found.warnings] == [WarningCode.NO_TEXT]


def test_the_listing_can_be_cut_and_the_entries_are_there_all_the_same() -> None:
    found = read(zipped(TWO), options=ExtractOptions(max_extracted_chars=10))
    assert members(found) == dict(TWO)
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS


def test_a_second_member_of_a_name_never_takes_the_name_of_another() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile's, about the names
        data = zipped([("a", b"1"), ("a", b"2"), ("a (2)", b"3"), ("a (2)", b"4"), ("a", b"5")])
    found = read(data)
    paths = [member.path for member in found.members]
    assert len(set(paths)) == 5
    assert paths[:2] == ["a", "a (2)"]
    assert sorted(members(found).values()) == [b"1", b"2", b"3", b"4", b"5"]
