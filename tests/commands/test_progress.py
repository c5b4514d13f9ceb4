"""What the progress line says."""

from __future__ import annotations

from docbeam.commands.progress import duration, progress_line


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
