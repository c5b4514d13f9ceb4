"""The types of archives and pictures that are told by more than their first bytes."""

from __future__ import annotations

import lzma

import pytest

from docbeam.extractors.sniff import sniff
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from tests.extractors.archive.builders import zipped

ARCHIVE = zipped([("a.txt", b"text")])
JAR = zipped([("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0"), ("a.txt", b"text")])


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (lzma.compress(b"text" * 100, lzma.FORMAT_ALONE), "", MediaType.LZMA),
        (b"]\0\0 text in brackets", "", MediaType.UNKNOWN_BINARY),
        (b"MZ" + bytes(200) + ARCHIVE, "setup.exe", MediaType.ZIP),
        (b"\x01\x02\x03\x00" * 50 + ARCHIVE, "data.bin", MediaType.ZIP),
        (b"MZ" + bytes(200), "setup.exe", "application/vnd.microsoft.portable-executable"),
        (JAR, "a.jar", "application/java-archive"),
        (JAR, "a.zip", MediaType.ZIP),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf" + bytes(40), "a.avif", MediaType.AVIF),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heicmiaf" + bytes(40), "a.heic", MediaType.HEIC),
        (b"WARC/1.1\r\n", "a.warc", MediaType.WARC),
    ],
)
def test_types(data: bytes, name: str, media_type: str) -> None:
    assert sniff(Source(data=data, name=name), ExtractOptions()).media_type == media_type
