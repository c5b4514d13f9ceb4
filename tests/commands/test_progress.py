"""What the progress line says."""

from __future__ import annotations

import io

import pytest

from docbeam.commands.progress import ProgressDisplay, duration, progress_line


def test_line_says_done_of_total_rate_quarantined_and_time_left() -> None:
    line = progress_line({"documents": 30, "quarantined": 10, "skipped": 20}, 160, 20.0, bar=False)
    assert line == "60 of 160 documents | 2.0/s | 10 quarantined | 20 done before | 50 s left | 20 s elapsed"


def test_line_says_the_time_left_by_pages_once_pages_are_recognised() -> None:
    counts = {"documents": 90, "pages_pending": 40}
    assert "left" not in progress_line(counts, 100, 20.0, bar=False)
    line = progress_line({**counts, "pages_ocred": 10}, 100, 40.0, 20.0, bar=False)
    assert "OCR 10 of 40 pages | 1 min 0 s left" in line


def test_line_without_a_total_has_no_time_left() -> None:
    assert progress_line({}, None, 0.0, bar=True) == "0 of ? documents | 0.0/s | 0 quarantined | 0 s elapsed"


def test_bar_is_full_at_the_end_and_never_longer() -> None:
    assert progress_line({"documents": 9}, 8, 1.0, bar=True).startswith("[" + "#" * 24 + "]")


def test_durations_read_as_a_person_says_them() -> None:
    assert [duration(s) for s in (59, 61, 3700)] == ["59 s", "1 min 1 s", "1 h 1 min"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_of_a_run_that_did_not_begin() -> None:
    out = io.StringIO()
    with pytest.raises(ValueError), ProgressDisplay(dict, lambda: None, "auto", out):
        raise ValueError
    assert out.getvalue() == ""


def test_an_error_does_not_begin_in_the_line_of_the_bar() -> None:
    out = Terminal()
    with pytest.raises(ValueError), ProgressDisplay(dict, lambda: None, "auto", out) as display:
        display._show()
        raise ValueError
    assert out.getvalue().endswith("elapsed\n")


class Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_terminal_that_has_gone_does_not_end_the_run() -> None:
    with ProgressDisplay(dict, lambda: None, "lines", Gone()) as display:
        display._show()
