r"""RTF: code pages of fonts, \u and its skips, tables, notes, fields, lists, shapes, objects, broken files."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docbeam.extractors.engine import read_document
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.rtf import RtfExtractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode

GOLDEN = Path(__file__).parents[2] / "golden" / "rtf"
FONTS = (
    r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 MS Mincho{\*\falt Other};}"
    r"{\f3\fcharset2 Symbol;}{\f4\fcharset134 SimSun;}{\f5\fcharset136 MingLiU;}{\f6\fcharset129 Batang;}{\f7\fcharset130 J;}"
    r"{\f8\fnil Courier Greek;}{\f9\fnil\cpg1250 Old;}{\f10\fcharset177 David;}}"
)


def read(rtf: str | bytes, options: ExtractOptions | None = None) -> Extracted:
    data = rtf.encode("latin-1") if isinstance(rtf, str) else rtf
    return RtfExtractor().extract(Source(data=data), MediaType.RTF, options or ExtractOptions())


def text(body: str) -> str:
    return read(r"{\rtf1\ansi\ansicpg1252\deff0" + FONTS + body + "}").content.strip()


def test_it_is_an_extractor_of_rtf() -> None:
    assert isinstance(RtfExtractor(), Extractor)
    assert RtfExtractor().can_handle(MediaType.RTF)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"{\f0 caf\'e9}", "café"),
        (r"{\f1 \'cf\'f0\'e8}", "При"),
        (r"{\f2 \'93\'94\'83\'5c\'83A\'83\{}", "灯ソアボ"),  # the second byte can be a letter or an escaped brace
        (r"{\f4 \'d6\'d0}", "中"),
        (r"{\f5 \'a4\'a4}", "中"),
        (r"{\f6 \'c7\'d1}", "한"),
        (r"{\f7 " + "".join(f"\\'{byte:02x}" for byte in "한".encode("johab")) + "}", "한"),
        (r"{\f8 \'d6\'dc}", "Φά"),
        (r"{\f9 \'b9}", "ą"),
        (r"{\f3 \'b7a}", "•α"),
        (r"{\f0 caf" + "\xe9}", "café"),
    ],
)
def test_bytes_are_read_in_the_code_page_of_their_font(body: str, expected: str) -> None:
    assert text(body) == expected


def test_an_ansi_font_means_the_document_unless_another_font_has_its_code_page() -> None:
    table = r"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}%s}\f0 \'cf}"
    assert read(table % "").content.strip() == "П"
    assert read(table % r"{\f1\fcharset204 B;}").content.strip() == "Ï"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"\u26085?end", "日end"),
        (r"\uc2\u26085\'93\'fa end", "日 end"),
        (r"\uc0\u26085 end", "日end"),
        (r"\uc2{\u26085\'93\'fa}{\uc1\u8217\'92}s", "日’s"),
        (r"\u-10179?\u-8694?", "😊"),
        (r"lone \u-10179? half", "lone \ufffd half"),
        (r"\u8220\ldblquote x", "“x"),
        (r"\u228\par next", "ä\nnext"),
        (r"{\upr{ANSI}{\*\ud{\u21\'3f\u223?}}}", "ß"),
    ],
)
def test_unicode_takes_the_place_of_what_is_there_for_others(body: str, expected: str) -> None:
    assert text(body) == expected


def test_signs_lines_and_hyphens() -> None:
    body = r"a\emdash b\~c\_d op\-tional \lquote x\rquote\tab y\line z\par \{\\\}"
    assert text(body) == "a—b\u00a0c-d optional ‘x’\ty\nz\n{\\}"


def test_what_is_no_text_is_not_shown() -> None:
    body = (
        r"{\*\generator Word;}{\stylesheet{\s1 Heading;}}{\*\unknown junk}{\pict\wmetafile8 0102}{\xe {\v index}}"
        r"{\*\bkmkstart mark}shown\bin3 {{{ too {\b\*\cs7 kept}"
    )
    assert text(body) == "shown too kept"


def test_a_picture_is_handed_out_and_its_fallback_is_not() -> None:
    picture = r"{\*\shppict{\pict\picwgoal3000\pichgoal3000 HEX}}{\nonshppict{\pict HEX}}".replace("HEX", "00" * 600)
    extracted = read(r"{\rtf1 x" + picture + "}")
    assert [picture.part for picture in extracted.pictures] == ["picture 1 at byte 25"]
    assert extracted.content == "x\n"


def test_tables_nested_tables_and_header_rows() -> None:
    body = (
        r"\trowd\trhdr\cellx1\cellx2\intbl Name\cell Age\cell\row\trowd\intbl Ann\par Lee\cell 1\cell\row"
        r"\intbl before\par\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\itap1 after\cell c\cell"
        r"\row\pard end"
    )
    assert text(body).split("\n") == ["Name\tAge", "Ann Lee\t1", "before", "x\ty", "after", "c", "", "end"]
    assert "Name: Ann Lee | Age: 1" in read(r"{\rtf1" + body + "}", ExtractOptions(tables="key_value")).content


def test_fields_show_their_result_and_forms_their_value() -> None:
    body = (
        r'{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt the {\b al}manac}}, {\field{\*\fldinst SYMBOL 183 \\f "Symbol"}'
        r"{\fldrslt}} {\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1{\*\ffname P}{\*\ffl Bremen}{\*\ffl Rotterdam}}}}"
        r"{\fldrslt}} {\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}{\fldrslt}}"
    )
    assert text(body) == "the almanac, • Rotterdam ☒"


def test_notes_comments_and_boxes_follow_their_paragraph() -> None:
    body = (
        r"Oil{\super\chftn{\footnote {\super\chftn} whale}} and wick{\chftn{\footnote\ftnalt {\chftn} cotton}}"
        r"{\*\atnid A}{\*\atnauthor Ann}\chatn{\*\annotation{\*\atndate 1} when?}{\shp{\*\shpinst{\sp{\sn a}{\sv b}}"
        r"{\shptxt\pard boxed\par}}{\shprslt{\*\do{\dptxbxtext boxed}}}}\par next"
    )
    assert text(body).split("\n") == [
        "Oil[1] and wick[i]",
        "[1] whale",
        "[Comment by Ann: when?]",
        "boxed",
        "next",
        "",
        "[i] cotton",
    ]


def test_headers_come_first_footers_last_and_each_text_once() -> None:
    body = r"{\header Head\par}{\footer Foot\par}{\headerf Head\par}body\sect{\footer Foot\par}more"
    assert text(body).split("\n") == ["Head", "", "body", "", "Foot", "", "more"]


def test_list_labels_deletions_and_hidden_text() -> None:
    body = r"{\listtext\pard\plain\f3 \'b7\tab}\ilvl1 point\par{\pntext 2.\tab}\ilvl0 two {\deleted gone}{\v secret}\par"
    extracted = read(r"{\rtf1" + FONTS + body + "}")
    assert extracted.content.rstrip("\n").split("\n") == ["  • point", "2. two secret"]
    assert extracted.metadata["rtf.hiddenChars"] == "6"


def test_a_property_with_the_name_of_a_group_skips_nothing() -> None:
    assert text(r"one \cb3\sp two{\b\xe  three} four") == "one two three four"


def test_formulas_are_lines_without_their_properties() -> None:
    body = (
        r"so {\mmath{\*\moMath{\mf{\mfPr{\mtype bar}}{\mnum{\mr a}}{\mden{\mr b}}}{\mr =}{\msSup{\msSupPr}{\me{\mr x}}"
        r"{\msup{\mr 2}}}}{\*\mmathPict{\pict 00}}}"
    )
    assert text(body) == "so a/b=x^2"


def test_the_info_group_is_metadata() -> None:
    extracted = read(
        r"{\rtf1\ansi{\info{\title Log}{\author A\'e9}{\creatim\yr2024\mo3\dy14\hr9\min26}{\keywords sea}}"
        r"{\*\userprops{\propname Ship}\proptype30{\staticval Dove}}x}"
    )
    assert (extracted.content.strip(), extracted.title, extracted.author) == ("x", "Log", "Aé")
    assert extracted.created_at == datetime(2024, 3, 14, 9, 26, tzinfo=UTC)
    assert (extracted.metadata["rtf.keywords"], extracted.metadata["rtf.property.Ship"]) == ("sea", "Dove")


def test_a_packaged_file_becomes_a_member() -> None:
    packed = b"\x02\0log.txt\0C:\\log.txt\0\0\0\x03\0" + struct.pack("<I", 1) + b"\0" + struct.pack("<I", 5) + b"hello"
    ole = struct.pack("<III", 0x501, 2, 8) + b"Package\0" + struct.pack("<III", 0, 0, len(packed)) + packed
    extracted = read(r"{\rtf1 a{\object\objemb{\*\objclass Package}{\*\objdata " + ole.hex() + r"}{\result{\pict 00}}}}")
    (member,) = extracted.members
    assert member.path == "log.txt"
    path = Path(member.file or "")
    assert path.read_bytes() == b"hello"
    path.unlink()


def test_a_file_that_is_cut_is_read_as_far_as_it_goes() -> None:
    extracted = read(r"{\rtf1\ansi {\b some text\par more")
    assert extracted.content.split() == ["some", "text", "more"]
    assert extracted.truncation is TruncationReason.DAMAGED
    assert extracted.confidence is Confidence.HEURISTIC


def test_a_brace_too_many_or_too_few_loses_no_text() -> None:
    extracted = read(r"{\rtf1 one\par}} two\par three}")
    assert extracted.content.split() == ["one", "two", "three"]
    assert [notice.code for notice in extracted.warnings] == [WarningCode.PART_DAMAGED]
    assert read(r"{\rtf1{\stylesheet{\s1 {Normal;}\pard text that stands behind a group without end\par}").content.startswith(
        "text"
    )


def test_a_broken_file_without_text_is_corrupt() -> None:
    reading = read_document(Source(data=rb"{\rtf1\ansi{\fonttbl{\f0 Ar"), ExtractOptions())
    assert reading.error is not None
    assert reading.error.category is ErrorCategory.CORRUPT


@pytest.mark.parametrize(
    "junk",
    ["{" * 50_000, "{}" * 50_000, r"{\footnote a" * 5_000, r"{\field{\*\fldinst a" * 5_000, r"\intbl\itap99 x\nestcell" * 20_000,
     r"{\pict{\pard " * 5_000, r"{\upr{" * 20_000, r"\bin9999999999 ", r"\u99999999999 \uc99999999 \itap-5 \cell\row\nestrow"],
)  # fmt: skip
def test_hostile_nesting_and_numbers_end_without_an_error_of_ours(junk: str) -> None:
    reading = read_document(Source(data=(r"{\rtf1 start " + junk).encode()), ExtractOptions())
    assert reading.error is None or reading.error.category is ErrorCategory.CORRUPT
    assert reading.error is not None or "start" in reading.extracted.content  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\n {\\rtf1 text\\par}", "text"),
        (b"\xef\xbb\xbf{\\rtf1 text\\par}", "text"),
        (b"junk \x01\x02 {\\rtf1 text\\par}", "text"),
        (b"{\\pard text\\par}", "text"),
        (b"{\\urtf0 caf\xc3\xa9}", "caf\xe9"),
        (b"\\pard text {\\b bold}\\par", "text bold"),
    ],
)
def test_a_file_without_its_first_bytes_is_still_rtf(data: bytes, expected: str) -> None:
    reading = read_document(Source(data=data, name="a.rtf"), ExtractOptions())
    assert reading.extracted is not None, reading.error
    assert reading.extracted.content.strip() == expected


def test_properties_are_in_the_code_page_of_the_document_and_not_of_the_default_font() -> None:
    found = read(
        r"{\rtf1\ansi\ansicpg932\deff1{\fonttbl{\f0\fcharset128 MS Mincho;}{\f1\fcharset0 Century;}}"
        r"{\info{\title \'83\'5e\'83\'43\'83\'67\'83\'8b}}\f1 caf\'e9\par}"
    )
    assert found.title == "タイトル"
    assert found.content.strip() == "café"
