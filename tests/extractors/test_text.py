"""Plain text: kept as written, with its declared charset, under the caps."""

from __future__ import annotations

from pathlib import Path

import pytest

from docbeam.extractors.protocol import Extractor
from docbeam.extractors.sniff import sniff
from docbeam.extractors.source import Source
from docbeam.extractors.text import TextExtractor, declared_charset
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode

GOLDEN = Path(__file__).parent.parent / "golden" / "text"
OPTIONS = ExtractOptions()


def read(data: bytes, media_type: str = MediaType.PLAIN, options: ExtractOptions = OPTIONS) -> Extracted:
    return TextExtractor().extract(Source(data=data), media_type, options)


@pytest.mark.parametrize("expected", sorted(GOLDEN.glob("*.expected")), ids=lambda path: path.stem)
def test_a_real_file_reads_as_expected(expected: Path) -> None:
    source = Source(path=str(expected.with_suffix("")), name=expected.stem)
    found = sniff(source, OPTIONS)
    extracted = TextExtractor().extract(source, found.media_type, OPTIONS)
    assert extracted.content == expected.read_text(encoding="utf-8")
    assert not found.is_contradicted


def test_it_is_an_extractor_for_every_text_type() -> None:
    extractor = TextExtractor()
    assert isinstance(extractor, Extractor)
    assert all(extractor.can_handle(media_type) for media_type in MediaType.TEXTS)
    assert not extractor.can_handle(MediaType.HTML)


def test_indentation_blank_lines_and_markup_are_kept() -> None:
    text = "# Title\n\n\tcode:\n\t\tif x:  \n\n\n- *a*\n  - b\n"
    assert read(text.replace("\n", "\r\n").encode(), MediaType.MARKDOWN).content == text


@pytest.mark.parametrize(
    ("start", "media_type", "label"),
    [
        (b'<?xml version="1.0" encoding="windows-1251"?>', MediaType.XML, "windows-1251"),
        (b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "text/x-python", "latin-1"),
        (b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-2\\n"', "text/x-gettext-translation", "ISO-8859-2"),
        (b"\\documentclass{a}\n\\usepackage[ansinew]{inputenc}", "text/x-tex", "cp1252"),
        (b"line one\nline two\n# coding: koi8-r", MediaType.PLAIN, None),
    ],
)
def test_a_charset_is_declared_in_the_way_of_the_format(start: bytes, media_type: str, label: str | None) -> None:
    assert declared_charset(start, media_type) == label


def test_a_declared_charset_makes_the_text_certain() -> None:
    extracted = read('<?xml version="1.0" encoding="koi8-r"?><p>Маяк</p>'.encode("koi8-r"), MediaType.XML)
    assert "<p>Маяк</p>" in extracted.content
    assert extracted.confidence == Confidence.DETERMINISTIC
    assert extracted.metadata["text.charset"] == "koi8-r"


def test_a_guessed_charset_is_heuristic() -> None:
    extracted = read("Grüße aus der Stadt".encode("latin-1"))
    assert extracted.content == "Grüße aus der Stadt"
    assert extracted.confidence == Confidence.HEURISTIC
    assert [notice.code for notice in extracted.warnings] == [WarningCode.CHARSET_GUESSED]


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "cp1251", "utf-32"])
def test_text_is_cut_at_the_cap_whatever_its_charset(codec: str) -> None:
    options = ExtractOptions(max_extracted_chars=1000)
    line = "Смотритель маяка ведёт журнал.\r\n"
    extracted = read((line * 20_000).encode(codec), options=options)
    assert extracted.content == (line.replace("\r", "") * 1000)[:1000]
    assert extracted.truncation == TruncationReason.MAX_EXTRACTED_CHARS


def test_a_text_of_exactly_the_cap_is_whole() -> None:
    extracted = read(b"x" * 1000, options=ExtractOptions(max_extracted_chars=1000))
    assert (len(extracted.content), extracted.truncation) == (1000, None)


def test_only_the_wanted_part_of_a_large_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(b"a line of the log\n" * 200_000)
    source = Source(path=str(path), name="large.log")
    extracted = TextExtractor().extract(source, MediaType.PLAIN, ExtractOptions(max_extracted_chars=100))
    assert len(extracted.content) == 100
    assert source._data is None


def test_nuls_and_control_characters_are_flagged() -> None:
    assert WarningCode.GARBAGE_TEXT in [notice.code for notice in read(b"one\0two\0three").warnings]
    assert WarningCode.GARBAGE_TEXT in [notice.code for notice in read(b"\x01\x02\x03 words \x05\x06").warnings]
    assert read(b"\x1b[31mred\x1b[0m\tand\x0c").warnings == ()


def test_white_space_alone_is_no_text() -> None:
    assert [notice.code for notice in read(b" \n\n").warnings] == [WarningCode.NO_TEXT]
