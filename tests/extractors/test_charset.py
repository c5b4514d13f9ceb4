"""Charsets: marks, labels, UTF-8 with faults, wide text, and legacy code pages by their letters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.codepages import codec_of
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import Confidence, WarningCode
from tests.extractors.sentences import SENTENCES

CASES = [(language, codec) for language, (_, codecs) in SENTENCES.items() for codec in codecs]


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_a_sentence_in_a_legacy_code_page_is_recognised(language: str, codec: str) -> None:
    text = SENTENCES[language][0]
    found = decode(text.encode(codec))
    assert found.text == text
    assert found.is_guessed == (codec != "iso2022_jp")


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_the_declared_charset_is_obeyed(language: str, codec: str) -> None:
    text = SENTENCES[language][0]
    found = decode(text.encode(codec), declared=codec)
    assert (found.text, found.how, found.replaced) == (text, "declared", 0)
    assert found.confidence == Confidence.DETERMINISTIC


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1252", "shift_jis", "gbk", "koi8-r", "no-such-charset", ""])
@pytest.mark.parametrize("language", ["fr", "ru", "ja", "zh_Hans", "ko"])
def test_utf8_stays_utf8_whatever_is_declared(language: str, label: str) -> None:
    text = SENTENCES[language][0]
    assert decode(text.encode(), declared=label).text == text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_wins_and_is_left_out(codec: str) -> None:
    found = decode("Ärger\r\nund Ruhe".encode(codec), declared="iso-8859-1")
    assert (found.text, found.how) == ("Ärger\nund Ruhe", "bom")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", ["de", "ru"])
def test_wide_text_without_a_mark_is_told_by_its_zero_bytes(codec: str, language: str) -> None:
    text = SENTENCES[language][0]
    assert decode(text.encode(codec)).text == text


def test_a_label_of_utf_16_in_a_narrow_page_is_a_mistake() -> None:
    assert decode(b"<p>plain</p>", declared="utf-16").text == "<p>plain</p>"
    assert decode("<p>grün</p>".encode(), declared="utf-16").text == "<p>grün</p>"


def test_utf16_without_any_ascii_is_read_where_it_is_declared() -> None:
    assert decode("漢字仮名交".encode("utf-16-le"), declared="utf-16").text == "漢字仮名交"


def test_one_bad_byte_does_not_turn_utf8_into_something_else() -> None:
    found = decode("Grüße aus Köln ".encode() + b"\xff" + " schöne Tage".encode())
    assert (found.text, found.charset, found.replaced) == ("Grüße aus Köln \ufffd schöne Tage", "utf-8", 1)


def test_a_cut_last_letter_does_not_turn_utf8_into_something_else() -> None:
    found = decode("Vorräte: drei Sä".encode()[:-1])
    assert found.charset == "utf-8"
    assert found.replaced == 1


def test_surrogate_halves_join_or_are_replaced() -> None:
    found = decode("é ".encode() + b"\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd.")
    assert (found.text, found.replaced) == ("é 😀 \ufffd.", 1)


def test_a_single_letter_of_latin_1_is_read() -> None:
    assert decode(b"caf\xe9 au lait").text == "café au lait"


@pytest.mark.parametrize(
    "words",
    [
        "it’s “quoted” – he said",
        "50 € or 5 £",
        "20 °C ± 5",
        "Acme® and Foo™",
        "½ cup",
        "• item",
        "© 2020 José",
        "§ 12",
        "x² + y²",
        "ÉCOLE",
    ],
)
def test_a_few_marks_in_english_are_western(words: str) -> None:
    assert decode(f"plain words before {words} and after".encode("cp1252")).text == f"plain words before {words} and after"


@pytest.mark.parametrize(
    ("words", "codec"),
    [("東京", "cp932"), ("山田太郎", "cp932"), ("北京", "gbk"), ("中華民國", "big5"), ("서울", "cp949"),
     ("Москва", "cp1251"), ("МОСКВА", "cp1251"), ("Москва", "koi8_r"), ("Αθήνα", "cp1253"),
     ("שלום", "cp1255"), ("Łódź", "cp1250")],
)  # fmt: skip
def test_one_foreign_word_in_a_table_is_enough(words: str, codec: str) -> None:
    assert decode(f"name,value\n1,{words},2\n".encode(codec)).text == f"name,value\n1,{words},2\n"


def test_nuls_are_left_out_and_counted() -> None:
    found = decode("grün\0\0 und blau".encode())
    assert (found.text, found.nuls) == ("grün und blau", 2)


def test_line_ends_become_lf() -> None:
    assert decode(b"a\r\nb\rc\nd").text == "a\nb\nc\nd"


def test_vendor_characters_of_japanese_are_read_in_every_encoding() -> None:
    text = "第①便 ㈱みなと工業 髙橋"
    assert decode(text.encode("cp932"), declared="Shift_JIS").text == text
    euc = "第①便 ㈱みなと".encode("euc_jis_2004")  # the same places as code page 51932
    assert decode(euc, declared="euc-jp").text == "第①便 ㈱みなと"
    assert decode(b"\x1b$B" + bytes(byte & 0x7F for byte in "第①便".encode("euc_jis_2004")) + b"\x1b(B.").text == "第①便."


def test_japanese_after_a_long_ascii_part_is_judged_by_itself() -> None:
    text = "".join(f"{number},crate {number},shelf\n" for number in range(5000)) + "灯台守の控え,ソナー表,予備\n"
    assert decode(text.encode("cp932")).text == text


def test_latin_1_that_is_really_arabic_is_not_believed() -> None:
    text = SENTENCES["ar"][0]
    assert decode(text.encode("cp1256"), declared="iso-8859-1").text == text


def test_latin_1_means_windows_1252() -> None:
    assert decode("“10 €” – Œuvre".encode("cp1252"), declared="iso-8859-1").text == "“10 €” – Œuvre"


@pytest.mark.parametrize(
    ("label", "codec"),
    [("latin1", "cp1252"), ("x-sjis", "cp932"), ("GB2312", "gb18030"), ("ks_c_5601-1987", "cp949"), ("tis-620", "cp874"),
     ("ISO-8859-9", "cp1254"), ("x-mac-cyrillic", "mac_cyrillic"), ("utf8", "utf_8"), ("rot13", None), ("base64", None),
     ("unicode_escape", None), ("", None), ("x" * 900, None)],
)  # fmt: skip
def test_labels_mean_what_the_encoding_standard_says(label: str, codec: str | None) -> None:
    assert codec_of(label) in (codec, (codec or "").replace("utf_8", "utf_8") or None)


def test_what_was_guessed_or_lost_is_said_in_the_row() -> None:
    out = TextBuilder(ExtractOptions())
    decode(b"caf\xe9 au lait").report(out)
    decode("Grüße, Köln, ".encode() + b"\xff").report(out)
    assert [notice.code for notice in out.notices] == [WarningCode.CHARSET_GUESSED, WarningCode.UNDECODABLE]
    assert out.metadata["text.charset"] == "utf-8"


def test_every_byte_string_has_a_text() -> None:
    for data in (b"", b"\xff", b"\x80", b"\0", b"\0\0\0\0", bytes(range(256)), b"\x1b$B", b"\x1b$B\xff", b"\xfe\xff\xd8"):
        assert "\0" not in decode(data).text


def test_utf8_needs_no_detector() -> None:
    code = (
        "import sys; from docbeam.extractors.charset import decode; decode('grün'.encode());"
        "sys.exit('docbeam.extractors.letters' in sys.modules or 'charset_normalizer' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_the_corpus_is_decoded_as_it_was_encoded(shared: Path) -> None:
    data = (shared / "corpus/csv/markitdown__test_mskanji.csv").read_bytes()
    assert decode(data).text == data.decode("cp932").replace("\r\n", "\n")


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
def test_dashes_of_windows_are_no_words_of_a_mac(count: int) -> None:
    text = "in pursuit of happiness. \u2014 That to secure these rights, governments are instituted " * count
    found = decode(text.encode("cp1252"))
    assert (found.text, found.charset) == (text, "windows-1252")
