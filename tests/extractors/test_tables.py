"""Tables in every form: what a header does, what can't break a row, and that no row is lost."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.csv_header import has_header
from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.extractors.tables import MAX_WAITING_ROWS, TableWriter
from docbeam.schemas.options import TABLES, ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

ROWS = [["Name", "Age"], ["Ann", "31"], ["Bob", ""]]
CELL = st.text(st.sampled_from(["a", "é", "|", "\\", '"', ",", "\t", "\n", " ", "\u2028"]), max_size=6)


def written(
    rows: list[list[str]], tables: str, table_headers: str = "auto", header_rows: int | None = 1, **options: object
) -> Extracted:
    out = TextBuilder(ExtractOptions(tables=tables, table_headers=table_headers, **options))  # type: ignore[arg-type]
    table = TableWriter(out, header_rows=header_rows)
    with out.until_full():
        for row in rows:
            table.row(row)
        table.end()
    return out.extracted()


def read(data: str, name: str, **options: object) -> Extracted:
    extracted = read_document(Source(data=data.encode(), name=name), ExtractOptions(**options)).extracted  # type: ignore[arg-type]
    assert extracted is not None
    return extracted


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ("key_value", "Name: Ann | Age: 31\nName: Bob\n"),
        ("markdown", "| Name | Age |\n| --- | --- |\n| Ann | 31 |\n| Bob | |\n"),
        ("csv", "Name,Age\nAnn,31\nBob,\n"),
        ("tsv", "Name\tAge\nAnn\t31\nBob\n"),
        ("omit", ""),
    ],
)
def test_a_table_in_each_form(tables: str, expected: str) -> None:
    assert written(ROWS, tables).content == expected


@pytest.mark.parametrize(
    ("table_headers", "header_rows", "expected"),
    [
        ("auto", None, "Name | Age\nAnn | 31\nBob\n"),
        ("auto", 1, "Name: Ann | Age: 31\nName: Bob\n"),
        ("first_row", None, "Name: Ann | Age: 31\nName: Bob\n"),
        ("none", 1, "Name | Age\nAnn | 31\nBob\n"),
    ],
)
def test_the_header_is_what_the_options_say(table_headers: str, header_rows: int | None, expected: str) -> None:
    assert written(ROWS, "key_value", table_headers, header_rows).content == expected


def test_a_pipe_table_without_a_header_gets_an_empty_one() -> None:
    assert written(ROWS[1:2], "markdown", header_rows=None).content == "| | |\n| --- | --- |\n| Ann | 31 |\n"


@pytest.mark.parametrize("tables", [form for form in TABLES if form != "omit"])
def test_a_table_of_only_a_header_is_not_lost(tables: str) -> None:
    content = written(ROWS[:1], tables).content
    assert "Name" in content and "Age" in content


def test_header_rows_above_each_other_name_a_column_together() -> None:
    rows = [["Name", "Sales", "", "Total"], ["", "2019", "2020", ""], ["Ann", "1", "2", "3"]]
    assert written(rows, "key_value", header_rows=2).content == "Name: Ann | Sales 2019: 1 | Sales 2020: 2 | Total: 3\n"


def test_more_cells_than_headers_are_kept_without_a_name() -> None:
    assert written([["A"], ["1", "2"]], "key_value").content == "A: 1 | 2\n"
    assert written([["A"], ["1", "2"]], "markdown").content == "| A | |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_name_whose_column_is_empty_is_not_lost() -> None:
    assert written([["A", "B", "C"], ["1"], ["2"]], "key_value").content == "A: 1\nA: 2\nB: | C:\n"


def test_a_paragraph_names_no_column() -> None:
    assert written([["word " * 100, "x"], ["1", "2"]], "key_value").content == f"{('word ' * 100).strip()} | x\n1 | 2\n"


def test_a_row_wider_than_the_first_ones_is_kept_in_a_pipe_table() -> None:
    rows = [["a"]] * MAX_WAITING_ROWS + [["b", "c"]]
    assert written(rows, "markdown", header_rows=0).content.endswith("| a |\n| b | c |\n")


def test_signs_of_the_forms_are_escaped() -> None:
    assert written([['a|b\\|"c"', "d,e\nf"]], "markdown", header_rows=0).content.endswith('| a\\|b\\\\\\|"c" | d,e f |\n')
    assert written([['a|b\\|"c"', "d,e\nf"]], "csv", header_rows=0).content == '"a|b\\|""c""","d,e f"\n'


@given(st.lists(st.lists(CELL, min_size=1, max_size=4), max_size=5), st.integers(0, 3), st.sampled_from(TABLES))
def test_a_row_is_always_one_line_and_no_cell_is_lost(rows: list[list[str]], headers: int, tables: str) -> None:
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    content = written(rows, tables, header_rows=headers).content
    lines = content.split("\n")[:-1]
    if tables == "omit":
        assert content == ""
    elif tables in ("csv", "tsv"):
        assert len(lines) == len(filled)
    assert all(len(line.splitlines()) == 1 for line in lines)
    if tables == "csv":
        expected = [[" ".join(cell.split()) for cell in row] for row in filled]
        assert [[" ".join(cell.split()) for cell in row] for row in csv.reader(io.StringIO(content))] == expected


def test_tables_that_are_left_out_are_counted_in_a_warning() -> None:
    html = "<p>before</p>" + "<table><tr><td>a</td><td>b</td></tr></table>" * 2 + "<p>after</p>"
    found = read(html, "a.html", tables="omit")
    assert found.content.split() == ["before", "after"]
    assert [(w.code, w.message) for w in found.warnings] == [
        (WarningCode.PART_NOT_READ, "2 tables left out, as the option `tables` is omit")
    ]


def test_the_cap_counts_the_form_that_is_written() -> None:
    found = written([["Name"], *[["x" * 10]] * 100], "key_value", max_extracted_chars=100)
    assert len(found.content) == 100 and found.truncation is TruncationReason.MAX_EXTRACTED_CHARS


# Formats


def test_an_html_header_is_a_thead_or_a_row_of_only_th() -> None:
    body = "<tr><th>Ann</th><td>1</td></tr><tr><td>Bob</td><td>2</td></tr>"
    expected = "Name: Ann | Age: 1\nName: Bob | Age: 2"
    for head in ("<tr><th>Name</th><th>Age</th></tr>", "<thead><tr><td>Name</td><td>Age</td></tr></thead>"):
        assert read(f"<table>{head}{body}</table>", "a.html", tables="key_value").content == expected
    assert read(f"<table>{body}</table>", "a.html", tables="key_value").content == "Ann | 1\nBob | 2"


def test_a_nested_html_table_stays_inside_its_cell() -> None:
    inner = "<table><tr><th>n</th><th>m</th></tr><tr><td>1</td><td>2</td></tr></table>"
    html = f"<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>{inner}</td></tr></table>"
    assert read(html, "a.html", tables="key_value").content == "A: x | B: n m 1 2"


def test_a_merged_html_cell_is_written_once() -> None:
    html = "<table><tr><td colspan=2>wide</td><td>c</td></tr><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>d</td></tr></table>"
    assert read(html, "a.html", tables="csv").content == "wide,,c\na,b\n,d"


def test_a_csv_file_is_one_table_with_its_first_row_as_a_header() -> None:
    text = "id;name\n1;Ann\n\n2;Bob\n"
    assert read(text, "a.csv", tables="key_value").content == "id: 1 | name: Ann\nid: 2 | name: Bob\n"
    assert read(text, "a.csv", tables="tsv").content == "id\tname\n1\tAnn\n\n2\tBob\n"
    assert read("1;Ann\n2;Bob\n", "a.csv", tables="key_value").content == "1 | Ann\n2 | Bob\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["id", "name"], ["1", "Ann"]], True),
        ([["name", "city"], ["Ann", "Oslo"], ["Bob", "Rome"]], True),
        ([["When", "Sum"], ["2020-01-02", "$ 1,234.50"]], True),
        ([["Country", "2019", "2020"], ["Norway", "1.5", "2"]], True),
        ([["2019", "2020"], ["1.5", "2"]], False),
        ([["1", "Ann"], ["2", "Bob"]], False),
        ([["Ann", "Oslo"], ["Bob", "Oslo"]], False),
        ([["a", "a"], ["1", "2"]], False),
        ([["name", "city"]], False),
        ([["Report of the year.", ""], ["1", "2"]], True),
        ([["", "", "x"], ["1", "2", "3"]], False),
        ([["x" * 100, "b"], ["1", "2"]], False),
    ],
)
def test_the_first_row_of_a_csv_file_looks_like_a_header(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows) is expected
