"""Delimited text: the delimiter, quotes whole and broken, charsets, and bounds."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docbeam.extractors.csv import CsvExtractor, Table, found_delimiter
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, TruncationReason, WarningCode

GOLDEN = Path(__file__).parents[1] / "golden" / "csv"
OPTIONS = ExtractOptions()


def read(data: str | bytes, media_type: str = MediaType.CSV, options: ExtractOptions = OPTIONS) -> Extracted:
    return CsvExtractor().extract(Source(data=data.encode() if isinstance(data, str) else data), media_type, options)


def lines(data: str | bytes, media_type: str = MediaType.CSV) -> list[str]:
    return read(data, media_type).content.splitlines()


# The delimiter


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b,c\n1,2,3\n", ","),
        ("a;b;c\n1;2;3\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("name;age;city\n", ";"),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("name;price\nx;1,5\ny;2,25\n", ";"),
        ("Lorem, ipsum; dolor\nsed, do; ut\na, b; c, d\n", ";"),
        ("Title of a report\nmade by Ann, in May\n\nid|name|n\n1|a, b|3\n2|c|4\n3|d|5\n", "|"),
        ('"a,b,c";"d"\n"e,f,g";"h"\n', ";"),
        ("Quay 1, Hull, England;Ann;5\nPier 2, Cork, Ireland;Bo;7\n", ";"),
        ("1,5\t2,5\n3,5\t4,5\n", "\t"),
        ("a, b, c\nd, e, f\n", ","),
        ("a word\nand another\n", ","),
        ("", ","),
    ],
)
def test_the_delimiter_is_found_from_the_rows(text: str, delimiter: str) -> None:
    assert found_delimiter(text) == delimiter


def test_a_file_called_tab_separated_is_read_so_unless_its_rows_say_otherwise() -> None:
    assert lines("x\ta, b, c\ny\td, e, f\n", MediaType.TSV) == ["x\ta, b, c", "y\td, e, f"]
    assert lines("x,y\n1,2\n", MediaType.TSV) == ["x\ty", "1\t2"]


def test_the_line_in_which_excel_names_the_delimiter_is_obeyed_and_left_out() -> None:
    found = read("\ufeffsep=;\r\na;b,c;d\r\n")
    assert found.content == "a\tb,c\td\n"
    assert found.metadata["csv.delimiter"] == ";"


# Rows and cells


def test_cells_are_as_in_the_file_and_ragged_rows_are_kept() -> None:
    assert lines("id,zip,note\n007,01234, spaced \n1.50,,\n1,2,3,4,5\n") == [
        "id\tzip\tnote",
        "007\t01234\tspaced",
        "1.50",
        "1\t2\t3\t4\t5",
    ]


@pytest.mark.parametrize("text", ["a,b,c", "a,b,c\n", "a,b,c\r\n", "a,b,c\r"])
def test_a_header_alone_is_not_lost(text: str) -> None:
    found = read(text)
    assert found.content == "a\tb\tc\n"
    assert (found.metadata["csv.rowCount"], found.metadata["csv.columnCount"]) == ("1", "3")


def test_empty_rows_become_one_empty_line_between_others() -> None:
    assert lines("\n,,\na,b\n,,\n\n1,2\n,,\n") == ["a\tb", "", "1\t2"]


def test_line_breaks_and_tabs_in_quoted_cells_stay_in_their_row() -> None:
    assert lines('a,b\r\n1,"one\r\ntwo, and\tthree"\r\n2,x\r\n') == ["a\tb", "1\tone two, and three", "2\tx"]


def test_doubled_and_escaped_quotes_and_spaces_before_quotes_are_understood() -> None:
    assert lines('a,"say ""hi"", ok",c\n') == ['a\tsay "hi", ok\tc']
    assert lines('a,"say \\"hi\\", ok",c\n') == ['a\tsay \\"hi\\", ok\tc']
    assert lines('a, "b, c" ,d\n') == ["a\tb, c\td"]
    assert lines('pipe,5" wide,6"\n') == ['pipe\t5" wide\t6"']


@pytest.mark.parametrize(
    "broken",
    ['1,"x,3\n4,5,6\n7,8,9\n', '1,"x,3\n4,5,6\n7,8,9\n1,2,q"\n', '1,"x,3\n4,5,6\n7,8,9\n1,"q",2\n'],
    ids=["no other quote", "a quote at a later line's end", "a quoted cell later"],
)
def test_a_broken_quote_costs_its_line_and_not_the_file(broken: str) -> None:
    found = read("a,b,c\n" + broken)
    assert found.content.splitlines()[:4] == ["a\tb\tc", '1\t"x\t3', "4\t5\t6", "7\t8\t9"]
    assert [(notice.code, "line 2" in notice.message) for notice in found.warnings] == [(WarningCode.PART_DAMAGED, True)]


CELLS = st.text(st.sampled_from("ab,;\t|\"' é1."), max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5), st.sampled_from(",;\t|"))
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], delimiter: str) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    assert list(Table(written.getvalue(), delimiter).rows()) == rows


# Charsets


def test_japanese_after_a_long_ascii_part_is_decoded_and_marked_as_guessed() -> None:
    text = "id,name\n" + "".join(f"{n},crate {n}\n" for n in range(3000)) + "3001,灯台守の控え 髙橋 ㈱みなと工業 第①便\n"
    found = read(text.encode("cp932"))
    assert found.content.endswith("3001\t灯台守の控え 髙橋 ㈱みなと工業 第①便\n")
    assert found.confidence is Confidence.HEURISTIC
    assert found.metadata["text.charset"] == "shift_jis"


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-8"])
def test_unicode_files_are_certain(charset: str) -> None:
    found = read("név;kor\nJózsi;5\n".encode(charset))
    assert found.content == "név\tkor\nJózsi\t5\n"
    assert (found.confidence, found.warnings) == (Confidence.DETERMINISTIC, ())


# Bounds


def test_a_file_without_a_single_cell_of_text_says_so() -> None:
    assert [notice.code for notice in read(",,\n,,\n").warnings] == [WarningCode.NO_TEXT]


def test_huge_cells_and_rows_are_cut_at_the_cap() -> None:
    options = ExtractOptions(max_extracted_chars=1000)
    for text in ('a,b\n"' + "x" * 300_000 + '",2\n', ",".join(["x"] * 200_000), 'a,"' + '""' * 200_000 + "x\n1,2\n"):
        found = read(text, options=options)
        assert (len(found.content), found.truncation) == (1000, TruncationReason.MAX_EXTRACTED_CHARS)


def test_a_huge_cell_is_whole_where_the_cap_allows() -> None:
    assert lines('a,b\n"' + "x" * 200_000 + '",2\n')[1] == "x" * 200_000 + "\t2"


def test_the_shared_tables_hold_what_their_manifest_expects(shared: Path) -> None:
    for line in (shared / "corpus" / "manifest.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["mime"] in (MediaType.CSV, MediaType.TSV) and entry["expect"]["status"] == "ok":
            content = " ".join(read((shared / "corpus" / entry["path"]).read_bytes(), entry["mime"]).content.split())
            assert all(wanted in content for wanted in entry["expect"]["contains"]), entry["path"]
