"""Number formats. Expectations are Excel's own, as recorded in apache/poi's format tests or read in Excel's documentation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbeam.extractors.ooxml.xlsx.numbers import general, shower

ACCOUNTING = '_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-;_-* "-"??\\ [$€-407]_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (5.0, "5"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.3"),
        (1.1 * 3, "3.3"),
        (1 / 3, "0.3333333333"),
        (13.1211231321, "13.1211231321"),
        (123456789012345.0, "123456789012345"),
        (1e20, "1E+20"),
        (1.5e-7, "1.5E-07"),
        (1234567.891, "1234567.891"),
        (float("nan"), "#NUM!"),
        (float("inf"), "#NUM!"),
    ],
)
def test_general_shows_no_noise_and_no_needless_zeros(value: float, shown: str) -> None:
    assert general(value) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0.00", 2.675, "2.68"),
        ("0", -0.5, "-1"),
        ("#,##0", 1234567.5, "1,234,568"),
        ("#,##0.00;(#,##0.00)", -1234.5, "(1,234.50)"),
        ("0%", 0.125, "13%"),
        ("0.0 %", 0.5, "50.0 %"),
        ("000.00", 12.3, "012.30"),
        ("#.##", 12.344, "12.34"),
        ('"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', -1599.99, "($1,599.99)"),
        (ACCOUNTING, 1234.5, "1,234.50 €"),
        (ACCOUNTING, -1234.5, "-1,234.50 €"),
        (ACCOUNTING, 0.0, "- €"),
        ('0\\ "dollars and"\\ .00\\ "cents"', 19.99, "19 dollars and .99 cents"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("(###) ###-####", 5551234567, "(555) 123-4567"),
        ("0.00E+00", 198356388, "1.98E+08"),
        ("##0.0E+0", 12345, "12.3E+3"),
        ("#.#E+###", 0, "0E+0"),
        ("0.##", 5, "5"),
        ("0.0E-0", 0.00012, "1.2E-4"),
        ("# ?/?", 2.5, "2 1/2"),
        ('# ??/16" in"', 2.5, "2 8/16 in"),
        ("# ?/?", 0.9999, "1"),
        ('#,##0,"K"', 1234567, "1,235K"),
        ("0.0,,", 12345678, "12.3"),
        ('[>999999]#,,"M";[>999]#,"K";#', 1021.02, "1K"),
        ('[<10]#" Wow"', 11, "11"),
        ('[<-10]#" Wow"', -11, "-11 Wow"),
        ("[$€-407] #,##0.00", 5, "€ 5.00"),
        ("#,##0.00 [$USD]", 5, "5.00 USD"),
        ('"TRUE";"TRUE";"FALSE"', 0.0, "FALSE"),
        ('General" pcs"', 5, "5 pcs"),
        (";;;", 5, "5"),
        ("@", 5, "5"),
        ("0.00", 1e300, "1E+300"),
        ("0" * 2000, 5, "5"),
    ],
)
def test_numbers_are_shown_by_their_code(code: str, value: float, shown: str) -> None:
    assert shower(code)(float(value)) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("d-mmm-yy", 39219, "17-May-07"),
        ("mmm yyyy", 43831, "Jan 2020"),
        ("dd.mm.yyyy", 43894, "04.03.2020"),
        ("yyyy/mm/dd", 43894, "2020/03/04"),
        ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", 43363, "Thursday, September 20, 2018"),
        ("[$-407]dddd, d. mmmm yyyy;@", 43894, "Mittwoch, 4. März 2020"),
        ("[$-40C]d mmm yyyy", 43894, "4 mars 2020"),
        ("[$-411]yyyy/m/d aaa", 43894, "2020/3/4 水"),
        ("[$-xyz]mmmmm-yy", 43894, "M-20"),
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("hh:mm:ss a/p", 0.1, "02:24:00 a"),
        ("h:mm am/pm", 0.5, "12:00 PM"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("[mm]:ss.0", 3.14159, "4523:53.4"),
        ("[s].000", 3.14159, "271433.376"),
        ("[h]:mm", -0.0625, "-1:30"),
        ("mm:ss.0", 1.23 / 86400, "00:01.2"),
        ('yyyy"年"m"月"d"日"', 43831, "2020年1月1日"),
        ('[$-411]ggge"年"m"月"d"日"', 43831, "令和2年1月1日"),
        ("yyyy-mm-dd", 1, "1900-01-01"),
        ("yyyy-mm-dd", 61, "1900-03-01"),
        ("yyyy-mm-dd", -5, "-5"),
        ("yyyy-mm-dd", 3e6, "3000000"),
        ("h:mm", 0.99999999, "0:00"),
    ],
)
def test_dates_times_and_durations_are_shown_by_their_code(code: str, value: float, shown: str) -> None:
    assert shower(code)(float(value)) == shown


@pytest.mark.parametrize("code", ["mm-dd-yy", "m/d/yyyy", "dd/mm/yyyy", "d-m-y", "[$-409]m/d/yy;@"])
def test_dates_whose_day_and_month_can_be_confused_are_shown_in_iso_form(code: str) -> None:
    assert shower(code)(43894.0) == "2020-03-04"


@given(st.text('0#?.,%/E+-_*;[]<>="\\@ymdhsgeb年AMP/x', max_size=20), st.floats())
def test_no_code_and_no_number_do_harm(code: str, value: float) -> None:
    assert isinstance(shower(code)(value), str)
