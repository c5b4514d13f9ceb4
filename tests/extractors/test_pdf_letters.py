"""Letters, hyphens and order of a PDF page, as a reader sees them."""

from __future__ import annotations

import pikepdf
import pytest
from pikepdf import Dictionary, Name

from docbeam.extractors.pdf.letters import JOINT, NOTHING, TABLE, cleaned, joined_hyphens, symbol
from docbeam.schemas.vocabulary import Origin, WarningCode
from tests.extractors.pdfs import Pdf, document, line, lines
from tests.extractors.test_pdf import read

LEFT = (
    "The harbour master keeps a ledger of",
    "every vessel that has entered the old",
    "basin since the flood. It names the",
    "pilot, the cargo and the toll that was",
    "paid, and a clerk copies it each week",
)
RIGHT = (
    "Apples from the northern orchard were",
    "sold at auction in September, although",
    "the frost had taken nearly half of",
    "them. The growers asked the council",
    "for relief and were told that nothing",
)


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("reim|bursement", "reimbursement"),
        ("Stress|Engineered", "Stress-Engineered"),
        ("REIM|BURSEMENT", "REIMBURSEMENT"),
        ("non|resident", "non-resident"),
        ("self|ish", "selfish"),
        ("one|self", "oneself"),
        ("state-of-the|art", "state-of-the-art"),
        ("B|52", "B-52"),
    ],
)
def test_a_word_broken_at_a_line_end_is_joined_and_a_compound_keeps_its_hyphen(broken: str, whole: str) -> None:
    assert joined_hyphens(f"a {broken.replace('|', JOINT)} b", "") == f"a {whole} b"


def test_what_the_document_does_elsewhere_decides_of_a_hyphen() -> None:
    assert joined_hyphens(f"light{JOINT}house", "a light-house keeper") == "light-house"
    assert joined_hyphens(f"non{JOINT}linear", "it is nonlinear") == "nonlinear"


def test_broken_lines_of_a_page_are_joined() -> None:
    assert read(document(lines("The clerk asked for reim-", "bursement of the travel cost."))).content == (
        "The clerk asked for reimbursement of the travel cost."
    )


def test_ligatures_invisible_letters_and_controls_are_resolved_or_marked() -> None:
    assert cleaned("ﬁnd ﬂour oﬃce", TABLE, "") == ("find flour office", 0)
    assert cleaned("a\u200bb\ufeffc\xa0d", TABLE, "") == ("abc d", 0)
    assert cleaned("it\x92s", TABLE, "") == ("it’s", 0)
    assert cleaned("x\x1cy\ue123z\ud835", TABLE, "") == (f"x{NOTHING}y{NOTHING}z{NOTHING}", 3)


@pytest.mark.parametrize(
    ("code", "font", "letter"),
    [
        (0xF0B7, "ABCDEF+Symbol", "•"),
        (0xF0A7, "Wingdings-Regular", "▪"),
        (0xF061, "SymbolMT", "α"),
        (0xF0B7, "Calibri", "•"),
        (0x00, "CMEX10", "("),
        (0x1C, "ABCDEF+CMSY7", "≪"),
        (0x1C, "Helvetica", NOTHING),
        (0xE001, "Helvetica", NOTHING),
    ],
)
def test_codes_of_symbol_fonts_are_the_symbols_they_draw(code: int, font: str, letter: str) -> None:
    assert symbol(code, font) == letter


def with_map(entries: bytes, content: bytes) -> bytes:
    """Return a page in a font whose Unicode map has the entries, and whose first codes are named fi and fl."""
    pdf = Pdf()
    encoding = Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=[1, Name.fi, Name.fl])
    cmap = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n" + entries + b"\nendcmap"
    pdf.font = pdf.pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name.Helvetica,
            Encoding=encoding,
            FirstChar=0,
            LastChar=255,
            Widths=[500] * 256,
            ToUnicode=pdf.pdf.make_stream(cmap),
        )
    )
    pdf.page(content)
    return pdf.bytes()


def test_letters_mapped_to_nothing_are_found_by_the_names_of_their_glyphs() -> None:
    data = with_map(b"2 beginbfchar <01> <0000> <02> <0000> endbfchar", b"BT /F1 12 Tf 60 700 Td (\\001nal \\002ood) Tj ET")
    extracted = read(data)
    assert extracted.content == "final flood"
    assert not extracted.warnings


def test_letters_outside_the_basic_plane_are_whole() -> None:
    data = with_map(b"1 beginbfrange <61> <63> <D835DC4E> endbfrange", b"BT /F1 12 Tf 60 700 Td (abc = X) Tj ET")
    assert read(data).content == "𝑎𝑏𝑐 = X"


def test_letters_that_nobody_knows_are_marked_and_said() -> None:
    data = with_map(b"1 beginbfchar <61> <D800> endbfchar", b"BT /F1 12 Tf 60 700 Td (abc) Tj ET")
    extracted = read(data)
    assert extracted.content == f"{NOTHING}bc"
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.GARBAGE_TEXT, "page 1")]


def test_bold_made_by_drawing_twice_is_read_once() -> None:
    assert read(document(line("Amount overdue", x=60) + line("Amount overdue", x=60.4))).content == "Amount overdue"


def test_cells_of_a_table_are_not_glued() -> None:
    row = b"BT /F1 6 Tf 60 %d Td [(Guam) -9000 (12) -9000 (3) -4700 (0) -9000 (171)] TJ ET\n"
    cells = b"".join(row % (700 - 10 * at) for at in range(6))
    single = b"BT /F1 6 Tf 300 %d Td [(3) -4700 (0)] TJ ET\n"
    rows = b"".join(row % (700 - 10 * at) + single % (700 - 10 * at) for at in range(6))
    assert read(document(cells)).content.split("\n") == ["Guam 12 3 0 171"] * 6
    assert read(document(rows)).content.split("\n") == ["Guam 12 3 0 171 3 0"] * 6


@pytest.mark.parametrize("step", [0, 3])
def test_columns_stored_row_by_row_are_read_column_by_column(step: int) -> None:
    rows = b"".join(
        line(left, x=60, y=700 - 14 * at, size=10) + line(right, x=310, y=700 + step - 14 * at, size=10)
        for at, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
    )
    head, foot = (
        "A heading that crosses the whole page of this bulletin",
        "A sentence below both columns that spans the page too",
    )
    content = read(document(line(head, y=760, size=16) + rows + line(foot, y=560, size=16))).content
    assert content.split("\n") == [head, "", *LEFT, *RIGHT, foot]


def test_the_raised_number_of_a_footnote_is_not_glued_to_its_word() -> None:
    notes = b"".join(
        line("1", y=704 - 40 * at, size=6) + line("Preliminary report.", x=63.4, y=700 - 40 * at) for at in range(2)
    )
    assert read(document(notes)).content == "1 Preliminary report.\n1 Preliminary report."
    assert read(document(line("3Dimensional models"))).content == "3Dimensional models"


def test_blocks_stored_out_of_order_are_read_from_the_top() -> None:
    foot, table, body = (
        line("Page 7", y=60),
        line("Total 12", y=600),
        line("Before the table.", y=700) + line("After it.", y=500),
    )
    assert read(document(foot + body + table)).content == "Before the table.\nTotal 12\nAfter it.\nPage 7"


def test_a_table_stays_in_rows() -> None:
    names = ("Bolts and nuts", "Copper pipe", "Rope, 12 mm", "Paint, white", "Brushes, wide")
    rows = b"".join(
        line(name, x=60, y=700 - 14 * at, size=10) + line(f"{at},250.00", x=310, y=700 - 14 * at, size=10)
        for at, name in enumerate(names)
    )
    assert read(document(rows)).content.split("\n") == [f"{name} {at},250.00" for at, name in enumerate(names)]


def test_sideways_pages_read_as_upright_ones() -> None:
    pdf = Pdf()
    pdf.page(lines("First line of the page.", "Second line of it."), Rotate=90)
    assert read(pdf.bytes()).content == "First line of the page.\nSecond line of it."


def test_text_outside_the_visible_page_is_left_out_and_said() -> None:
    pdf = Pdf()
    pdf.page(line("What a reader sees.") + line("What stands beside the sheet of paper.", x=700))
    extracted = read(pdf.bytes())
    assert extracted.content == "What a reader sees."
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.PART_NOT_READ, "page 1")]


def composite(codes: str, letters: str, content: bytes) -> bytes:
    """Return a page in a composite font whose codes stand for the letters, or for nothing known."""
    pdf = Pdf()
    pairs = "\n".join(
        f"<{code}> <{letter.encode('utf-16-be').hex()}>" for code, letter in zip(codes.split(), letters, strict=False)
    )
    spaces = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange"
    cmap = f"{spaces} {len(letters)} beginbfchar\n{pairs}\nendbfchar endcmap"
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Arial,
        CIDSystemInfo=Dictionary(Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0),
        DW=500,
        FontDescriptor=Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name.Arial,
            Flags=4,
            FontBBox=[0, -200, 1000, 900],
            ItalicAngle=0,
            Ascent=900,
            Descent=-200,
            CapHeight=700,
            StemV=80,
        ),
    )
    pdf.font = pdf.pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name.Arial,
            Encoding=Name("/Identity-H"),
            DescendantFonts=[pdf.pdf.make_indirect(descendant)],
        )
    )
    if letters:
        pdf.font.ToUnicode = pdf.pdf.make_stream(cmap.encode())
    pdf.page(content)
    return pdf.bytes()


def test_a_page_in_letters_without_a_map_is_recognised_instead() -> None:
    codes = " ".join(f"{code:04X}" for code in (0x24, 0x27, 0x2B, 0x37, 0x36))
    content = b"BT /F1 12 Tf 1 0 0 1 60 700 Tm <" + codes.replace(" ", "").encode() * 12 + b"> Tj ET\n"
    extracted = read(composite(codes, "", content))
    assert [page.origin for page in extracted.pages] == [Origin.PENDING]
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.GARBAGE_TEXT, "page 1")]


def test_right_to_left_cells_and_numbers_are_in_logical_order() -> None:
    # drawn from the left: 2 0 3, then far to the right the letters of "שלום" turned around
    codes = "0001 0002 0003 0004 0005 0006 0007"
    content = b"BT /F1 12 Tf 1 0 0 1 60 700 Tm <000100020003> Tj ET\nBT /F1 12 Tf 1 0 0 1 400 700 Tm <0007000600050004> Tj ET\n"
    assert read(composite(codes, "203שלום", content)).content == "שלום 203"
