"""Tar archives of all flavours, from Python's tarfile and with bytes changed by hand."""

from __future__ import annotations

import io
import tarfile

import pytest

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import TruncationReason, WarningCode
from tests.extractors.archive.builders import members, problem, read, unpacked

LONG = "folder/" * 30 + "größe.txt"
FLAVOURS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]


def tarred(*entries: tuple[str, bytes | str, bytes], flavour: int = tarfile.PAX_FORMAT, encoding: str = "utf-8") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=flavour, encoding=encoding) as archive:
        for name, content, kind in entries:
            info = tarfile.TarInfo(name)
            info.type = kind
            if isinstance(content, bytes):
                info.size = len(content)
            else:
                info.linkname = content
            archive.addfile(info, io.BytesIO(content) if isinstance(content, bytes) else None)
    return out.getvalue()


TWO = tarred(("a.txt", b"first" * 200, tarfile.REGTYPE), ("b.txt", b"second" * 200, tarfile.REGTYPE))


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_file_is_a_member_and_a_line_of_the_listing(flavour: int) -> None:
    data = tarred(("b", b"", tarfile.DIRTYPE), ("b/a.txt", b"text", tarfile.REGTYPE), flavour=flavour)
    found = read(data)
    assert found.content == "b/a.txt (4 bytes)\n"
    assert members(found) == {"b/a.txt": b"text"}
    assert found.warnings == ()


@pytest.mark.parametrize("flavour", FLAVOURS[1:])
def test_long_names_are_whole(flavour: int) -> None:
    assert unpacked(tarred((LONG, b"text", tarfile.REGTYPE), flavour=flavour)) == {LONG: b"text"}


def test_a_header_from_before_posix_is_read() -> None:
    data = bytearray(TWO)
    for start in (0, 512 + 1024):
        data[start + 257 : start + 265] = bytes(8)
        data[start + 148 : start + 156] = b" " * 8
        data[start + 148 : start + 156] = b"%06o\0 " % sum(data[start : start + 512])
    assert list(unpacked(bytes(data))) == ["a.txt", "b.txt"]


def test_links_and_devices_are_named_and_not_followed() -> None:
    data = tarred(
        ("a.txt", b"text", tarfile.REGTYPE),
        ("hard", "a.txt", tarfile.LNKTYPE),
        ("soft", "/etc/passwd", tarfile.SYMTYPE),
        ("pipe", "", tarfile.FIFOTYPE),
    )
    found = read(data)
    assert members(found) == {"a.txt": b"text"}
    assert [(notice.code, notice.part) for notice in found.warnings] == [
        (WarningCode.EMBEDDED_NOT_READ, name) for name in ("hard", "soft", "pipe")
    ]


def test_names_of_a_legacy_charset_are_guessed() -> None:
    data = tarred(("Отчёт.txt", b"text", tarfile.REGTYPE), flavour=tarfile.GNU_FORMAT, encoding="koi8-r")
    assert list(unpacked(data)) == ["Отчёт.txt"]


def test_paths_are_made_harmless() -> None:
    assert list(unpacked(tarred(("../../a", b"t", tarfile.REGTYPE), ("/b", b"t", tarfile.REGTYPE)))) == ["a", "b"]


def test_a_cut_archive_gives_what_is_there_and_says_so() -> None:
    found = read(TWO[: 512 + 1024 + 512 + 700])
    assert found.members[1].damage == "the archive ends 700 bytes into it, 1200 declared"
    assert members(found) == {"a.txt": b"first" * 200, "b.txt": (b"second" * 200)[:700]}


def test_a_broken_header_is_stepped_over() -> None:
    data = bytearray(TWO)
    data[512 + 1024] ^= 1
    found = read(bytes(data))
    assert list(members(found)) == ["a.txt"]
    assert found.truncation is TruncationReason.DAMAGED


def test_joined_archives_are_read_to_the_end() -> None:
    assert list(unpacked(TWO + tarred(("c.txt", b"third", tarfile.REGTYPE)))) == ["a.txt", "b.txt", "c.txt"]


def test_the_caps_hold() -> None:
    assert problem(TWO, options=ExtractOptions(max_zip_entries=1)) == "too_many_entries"
    assert problem(TWO, options=ExtractOptions(max_decompressed_bytes=2000)) == "too_large_decompressed"


def test_a_broken_first_header_is_corrupt() -> None:
    assert problem(b"x" + TWO[1:]) == "corrupt"


def test_a_sparse_file_is_in_quarantine_alone() -> None:
    data = bytearray(TWO)
    data[156:157] = b"S"
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert unpacked(bytes(data)) == {"a.txt": "stream_decompression_fail", "b.txt": b"second" * 200}
