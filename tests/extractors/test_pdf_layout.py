"""What a page's geometry says: the order of its blocks, blank lines between paragraphs, rows and cells of ruled tables."""

from __future__ import annotations

from pathlib import Path

from docbeam.extractors.pdf import PdfExtractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from tests.extractors.pdfs import document, line
from tests.extractors.test_pdf import read
from tests.extractors.test_pdf_letters import LEFT, RIGHT

NOTE = "1 The ledger of the year 1742 is lost."


def column(texts: tuple[str, ...], x: float, top: float, size: float = 10) -> bytes:
    return b"".join(line(text, x=x, y=top - 1.4 * size * at, size=size) for at, text in enumerate(texts))


def boxes(xs: tuple[float, ...], ys: tuple[float, ...]) -> bytes:
    """Draw the lines of a grid, each alone."""
    level = b"".join(b"%g %g m %g %g l S\n" % (xs[0], y, xs[-1], y) for y in ys)
    return level + b"".join(b"%g %g m %g %g l S\n" % (x, ys[0], x, ys[-1]) for x in xs)


def test_a_footnote_stored_first_comes_after_its_column() -> None:
    first, second = column(LEFT * 3, 60, 740), column(RIGHT * 4, 310, 740)
    content = read(document(line(NOTE, x=60, y=500, size=8) + first + second)).content
    assert content.split() == " ".join([*LEFT * 3, NOTE, *RIGHT * 4]).split()


def test_a_heading_and_a_page_number_stored_last_and_first_stand_around_the_columns() -> None:
    head, foot = line("The bulletin of the harbour", x=60, y=800, size=16), line("Page 7", x=300, y=40)
    content = read(document(foot + column(LEFT, 60, 740) + column(RIGHT, 310, 740) + head)).content
    assert content.split() == " ".join(["The bulletin of the harbour", *LEFT, *RIGHT, "Page 7"]).split()


def test_columns_in_a_possible_order_stay_as_the_file_has_them() -> None:
    content = read(document(column(RIGHT, 310, 740) + column(LEFT, 60, 740))).content
    assert content.split() == " ".join([*RIGHT, *LEFT]).split()


def test_a_wide_gap_is_a_blank_line_and_even_gaps_are_none() -> None:
    prose = column(LEFT, 60, 760) + column(RIGHT, 60, 760 - 14 * len(LEFT) - 12)
    assert read(document(prose)).content == "\n".join([*LEFT, "", *RIGHT])
    spaced = b"".join(line(text, y=700 - 30 * at, size=10) for at, text in enumerate(LEFT))
    assert read(document(spaced)).content == "\n".join(LEFT)


def test_a_sentence_that_runs_on_is_no_new_paragraph() -> None:
    rest = tuple(text.lower() for text in RIGHT)
    prose = column(LEFT, 60, 760) + column(rest, 60, 760 - 14 * len(LEFT) - 12)
    assert read(document(prose)).content == "\n".join([*LEFT, *rest])


def test_a_ruled_table_has_a_line_for_each_row_also_where_cells_have_several() -> None:
    grid = boxes((50, 150, 350, 450), (700, 660, 620, 600))
    cells = (
        line("Berth", x=55, y=685, size=9) + line("Remarks", x=155, y=685, size=9) + line("Depth", x=355, y=685, size=9),
        line("North", x=55, y=645, size=9),
        line("The crane is being re-", x=155, y=650, size=9) + line("paired until spring", x=155, y=638, size=9),
        line("7.5 m", x=355, y=645, size=9),
        line("South", x=55, y=607, size=9) + line("9 m", x=355, y=607, size=9),
    )
    content = read(document(line("The berths", y=750) + b"".join(cells) + grid + line("As of May.", y=560))).content
    assert [text for text in content.split("\n") if text] == [
        "The berths",
        "Berth\tRemarks\tDepth",
        "North\tThe crane is being repaired until spring\t7.5 m",
        "South\t\t9 m",
        "As of May.",
    ]


def test_a_cell_that_spans_columns_is_one_cell() -> None:
    level = b"".join(b"50 %d m 350 %d l S\n" % (y, y) for y in (700, 680, 660, 640))
    upright = b"50 640 m 50 700 l S 350 640 m 350 700 l S 200 640 m 200 680 l S\n"
    text = line("Tolls of the year", x=55, y=685, size=9)
    text += b"".join(
        line(word, x=x, y=y, size=9)
        for word, x, y in (("Ships", 55, 665), ("120", 205, 665), ("Rafts", 55, 645), ("8", 205, 645))
    )
    assert read(document(level + upright + text)).content.split("\n") == ["Tolls of the year", "Ships\t120", "Rafts\t8"]


def test_rows_without_rules_between_them_do_not_become_one() -> None:
    grid = boxes((50, 200, 350), (700, 680, 600))
    rows = (("Ships", "120"), ("Rafts", "8"), ("Boats", "77"))
    text = line("Kind", x=55, y=685, size=9) + line("Number", x=205, y=685, size=9)
    text += b"".join(
        line(a, x=55, y=665 - 14 * at, size=9) + line(b, x=205, y=665 - 14 * at, size=9) for at, (a, b) in enumerate(rows)
    )
    assert read(document(grid + text)).content.split() == ["Kind", "Number", "Ships", "120", "Rafts", "8", "Boats", "77"]


def test_frames_around_text_are_no_tables() -> None:
    content = read(document(column(LEFT, 60, 740) + b"50 650 300 120 re S 45 640 310 140 re S\n")).content
    assert content == "\n".join(LEFT)


def test_tables_of_the_shared_corpus_have_their_cells(shared: Path) -> None:
    for name, row in {
        "pdfplumber__issue-67-example.pdf": "杨琴秀\t境内自然人\t3.20%\t27,955,752",
        "unstructured__korean-text-with-tables.pdf": "주유\t모든 주유소",
    }.items():
        source = Source(path=str(shared / "corpus" / "pdf" / name))
        assert row in PdfExtractor().extract(source, MediaType.PDF, ExtractOptions()).content.split("\n")
