"""RTF bodies: decompressed as Outlook does, and the HTML in them taken out."""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.mail.compressed_rtf import decompressed, wrapped_html
from docbeam.schemas.options import ExtractOptions

# The two examples of [MS-OXRTFCP], 4.
SIMPLE = bytes.fromhex("2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0")
CROSSING = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")


def out() -> TextBuilder:
    return TextBuilder(ExtractOptions())


def test_the_examples_of_the_specification_are_decompressed() -> None:
    assert decompressed(SIMPLE, out()) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert decompressed(CROSSING, out()) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_a_cut_value_gives_what_comes_before_the_cut() -> None:
    assert decompressed(SIMPLE[:-8], out()).startswith(b"{\\rtf1\\ansi\\ansicpg1252\\pard hel")
    assert decompressed(b"", out()) == b""


def test_html_is_taken_out_of_the_rtf() -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fnil\fcharset161 X;}}"
        rb"{\*\htmltag19 <html>}{\*\htmltag64 <p>}\htmlrtf {\b \htmlrtf0 \'cf\'ee {\f1 \'e1} \u8364?5\{\}"
        rb"\htmlrtf }\htmlrtf0 {\*\mhtmltag1 <no>}\par{\*\htmltag72 </p>}}"
    )
    assert wrapped_html(rtf, out()) == "<html><p>По α €5{}\r\n</p>"


def test_rtf_that_wraps_no_html_is_left_alone() -> None:
    assert wrapped_html(rb"{\rtf1\ansi hello}", out()) is None
