"""XML: values by line, prose in one piece, Office's one-file formats by paragraph and row, nothing expanded or loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.extractors.xml import XmlExtractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

OPTIONS = ExtractOptions()
WORD = 'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"'
EXCEL = 'xmlns="urn:schemas-microsoft-com:office:spreadsheet"'


def read(markup: str | bytes, options: ExtractOptions = OPTIONS) -> Extracted:
    data = markup.encode() if isinstance(markup, str) else markup
    return XmlExtractor().extract(Source(data=data), MediaType.XML, options)


def test_it_is_an_extractor_of_xml() -> None:
    assert isinstance(XmlExtractor(), Extractor)
    assert XmlExtractor().can_handle(MediaType.XML)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a><name>Ada</name><born year='1815'/></a>", "name: Ada\nborn (year: 1815)\n"),
        ("<a xmlns:x='u'><x:b x:c='1' xml:lang='en'> two\n words </x:b></a>", "b: two words (c: 1)\n"),
        ("<p>un<b>believ</b>able <i>and</i> <i>so on</i></p>", "unbelievable and so on\n"),
        ("<p>by <n>Ada</n><n>Bob</n></p>", "by Ada Bob\n"),
        ("<a><![CDATA[1 < 2]]></a>", "a: 1 < 2\n"),
        ("<a><!-- no --><b>x</b><?pi no?></a>", "b: x\n"),
        (
            f"<w:d {WORD}><w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo</w:t><w:br/><w:t>you</w:t></w:r></w:p><w:p/></w:d>",
            "Hello\nyou\n",
        ),
        ("<doc><title>T</title><p>one</p><p>two</p></doc>", "title: T\none\ntwo\n"),
        (f"<Table {EXCEL}><Row><Cell><Data>a</Data></Cell><Cell><Data>b</Data></Cell></Row></Table>", "a\tb\n"),
    ],
)
def test_values_prose_paragraphs_and_rows(markup: str, expected: str) -> None:
    assert read(markup).content == expected


def test_the_declared_charset_is_obeyed() -> None:
    extracted = read('<?xml version="1.0" encoding="koi8-r"?><a>Маяк</a>'.encode("koi8-r"))
    assert (extracted.content, extracted.metadata["text.charset"]) == ("a: Маяк\n", "koi8-r")
    assert read('<?xml version="1.0" encoding="utf-16"?><a>Маяк</a>'.encode("utf-16")).content == "a: Маяк\n"


def test_entities_are_neither_loaded_nor_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret words")
    content = read(f'<!DOCTYPE a [<!ENTITY x SYSTEM "file://{secret}">]><a>see &x; here</a>').content
    assert "secret words" not in content
    assert "see" in content
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    assert len(read(f'<!DOCTYPE a [<!ENTITY l0 "lol">{bomb}]><a>&l8;</a>').content) < 5000
    assert len(read(f'<!DOCTYPE a [<!ENTITY l0 "lol">{bomb}]><a b="&l8;"/>').content) < 5000


def test_what_is_not_well_formed_is_kept_as_written() -> None:
    for markup in ("<a><b>one</a>", "<a>&nbsp;two</a>", "no markup", "<a>" * 5000 + "deep"):
        assert read(markup).content == markup


def test_an_embedded_file_is_named() -> None:
    extracted = read(f"<a><b>x</b><data>{'QUJD' * 200}</data></a>")
    assert extracted.content == "b: x\n"
    assert [notice.code for notice in extracted.warnings] == [WarningCode.EMBEDDED_NOT_READ]


def test_a_document_without_values_says_so() -> None:
    assert [notice.code for notice in read("<a><b/></a>").warnings] == [WarningCode.NO_TEXT]


def test_a_document_far_larger_than_its_cap_is_cut_and_says_so() -> None:
    extracted = read("<a>" + "<b>x</b>" * 10_000 + "</a>", ExtractOptions(max_extracted_chars=100))
    assert extracted.content == ("b: x\n" * 20)
    assert extracted.truncation == TruncationReason.MAX_EXTRACTED_CHARS


def test_the_corpus_holds_what_its_manifest_says(shared: Path) -> None:
    for line in (shared / "corpus/manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["mime"] == MediaType.XML:
            content = "".join(read((shared / "corpus" / row["path"]).read_bytes()).content.split())
            for wanted in row["expect"]["contains"]:
                assert "".join(wanted.split()) in content, row["path"]
