"""OCR: the engine as an outside program, and the attempts at one picture. A shell script stands in for a bad engine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docbeam.extractors.ocr import Recognised, check_languages, engine_versions, find_engine, read_picture
from docbeam.extractors.ocr.ground import evened
from docbeam.extractors.ocr.skew import skew_degrees, straightened
from docbeam.extractors.ocr.tesseract import TesseractEngine, Word, joined, mean_confidence, parsed_words
from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.vocabulary import ErrorCategory

needs_engine = pytest.mark.skipif(find_engine() is None, reason="the tesseract command is not installed")
HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
LINES = ("Harbour dues are payable on arrival", "The keeper counts the boats at noon", "No rope is left on the quay at night")


def printed(lines: tuple[str, ...] = LINES, times: int = 1) -> Image.Image:
    image = Image.new("L", (1_000, 80 + 60 * len(lines) * times), 255)
    font = ImageFont.load_default(36)
    for number, line in enumerate(lines * times):
        ImageDraw.Draw(image).text((40, 40 + 60 * number), line, fill=0, font=font)
    return image


class FakeEngine:
    """Answers from a list and remembers what it was asked."""

    name, version, languages = "fake", "1", ("eng",)

    def __init__(self, *answers: Recognised | ExtractionError, turn: int | None = 0) -> None:
        self.answers, self.turn, self.asked = list(answers), turn, []

    def recognise(self, image: Image.Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False) -> Recognised:
        self.asked.append((image.size, is_sparse))
        answer = self.answers.pop(0)
        if isinstance(answer, ExtractionError):
            raise answer
        return answer

    def needed_turn(self, image: Image.Image, timeout_seconds: float) -> int | None:
        return self.turn


def script(folder: Path, body: str) -> str:
    path = folder / "tesseract"
    path.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo "tesseract 5.9.9"; exit; fi\n'
        f'if [ "$1" = --list-langs ]; then echo "List of available languages (1):"; echo eng; exit; fi\n{body}\n'
    )
    path.chmod(0o755)
    return str(path)


def test_words_become_lines_and_paragraphs_and_empty_ones_go() -> None:
    rows = ["1\t1\t1\t1\t90\tA", "1\t1\t1\t2\t90\tquay", "1\t1\t2\t1\t90\tat dusk", "1\t2\t1\t1\t90\tNext", "2\t1\t1\t1\t95\t "]
    tsv = HEAD + "".join("5\t1\t{}\t{}\t{}\t{}\t0\t0\t9\t9\t{}\t{}\n".format(*row.split("\t")) for row in rows)
    words = list(parsed_words(tsv))
    assert joined(words) == "A quay\nat dusk\n\nNext"
    assert mean_confidence(words) == 0.9


def test_confidence_is_weighted_by_length() -> None:
    assert mean_confidence([Word("1", "1", "1", 1.0, "abcdefghi"), Word("1", "1", "1", 0.0, "x")]) == 0.9
    assert mean_confidence([]) is None


def test_han_and_kana_have_no_space_between_words() -> None:
    texts = ("新鲜", "甘草", "ABC", "です")
    assert joined([Word("1", "1", "1", 0.9, text) for text in texts]) == "新鲜甘草 ABC です"


def test_a_hanging_engine_is_killed_at_the_deadline(tmp_path: Path) -> None:
    engine = TesseractEngine(script(tmp_path, "echo $$ > " + str(tmp_path / "pid") + "; exec sleep 600"))
    with pytest.raises(ExtractionError) as caught:
        engine.recognise(printed(), "eng", 1.0)
    assert caught.value.category is ErrorCategory.TIMEOUT
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("body", "category"),
    [
        ("kill -SEGV $$", ErrorCategory.CRASHED),
        ("echo broken >&2; exit 3", ErrorCategory.CRASHED),
        ("echo std::bad_alloc >&2; exit 1", ErrorCategory.MEMORY_LIMIT),
        ("head -c 3000000 /dev/zero >&2; exit 1", ErrorCategory.CRASHED),
    ],
)
def test_a_failing_engine_is_an_error_of_the_page(tmp_path: Path, body: str, category: ErrorCategory) -> None:
    with pytest.raises(ExtractionError) as caught:
        TesseractEngine(script(tmp_path, body)).recognise(printed(), "eng", 20.0)
    assert caught.value.category is category
    assert len(caught.value.message) < 500


def test_only_named_variables_and_one_thread_reach_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("TESSDATA_PREFIX", "/somewhere")
    seen = tmp_path / "seen"
    TesseractEngine(script(tmp_path, f"env > {seen}")).recognise(printed(), "eng", 20.0)
    assert "secret" not in seen.read_text()
    assert "OMP_THREAD_LIMIT=1" in seen.read_text()
    assert "TESSDATA_PREFIX=/somewhere" in seen.read_text()


def test_without_the_command_there_is_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_engine() is None
    assert engine_versions("eng") == {}


def test_a_missing_language_is_named_with_its_package() -> None:
    with pytest.raises(UsageError, match=r"has no chi_sim, deu .*tesseract-ocr-chi-sim tesseract-ocr-deu"):
        check_languages(FakeEngine(), "eng+chi_sim+deu")
    check_languages(FakeEngine(), "eng")


@needs_engine
def test_versions_name_the_engine_and_its_language_files() -> None:
    versions = engine_versions("eng")
    assert set(versions) >= {"tesseract", "eng.traineddata"}
    assert len(versions["eng.traineddata"]) == 16


@needs_engine
@pytest.mark.parametrize("mode", ["L", "RGB", "1"])
def test_print_is_read(mode: str) -> None:
    engine = find_engine()
    assert engine is not None
    found = engine.recognise(printed().convert(mode), "eng", 60.0)
    assert found.text.splitlines() == list(LINES)
    assert found.confidence is not None and found.confidence > 0.8


@needs_engine
@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_on_its_side_or_head_is_read(degrees: int) -> None:
    engine = find_engine()
    assert engine is not None
    found = read_picture(engine, printed().rotate(degrees, expand=True, fillcolor=255), "eng", 60.0)
    assert found.text.split() == " ".join(LINES).split()


@needs_engine
def test_a_crooked_page_is_levelled_and_nothing_is_lost() -> None:
    engine = find_engine()
    assert engine is not None
    crooked = printed(times=4).rotate(-6, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    found = read_picture(engine, crooked, "eng", 60.0)
    assert found.text.split() == " ".join(LINES * 4).split()


@pytest.mark.parametrize("degrees", [-12, -3, 2, 8])
def test_skew_is_found_and_undone(degrees: int) -> None:
    crooked = printed(times=5).rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    found = skew_degrees(crooked)
    assert found == pytest.approx(-degrees, abs=1)
    assert skew_degrees(straightened(crooked, found)) == 0


@needs_engine
def test_text_in_coloured_cells_and_dark_boxes_is_not_lost() -> None:
    engine = find_engine()
    assert engine is not None
    image, font = Image.new("L", (1_000, 900), 255), ImageFont.load_default(36)
    for top, ground, ink in ((0, 150, 0), (300, 255, 0), (600, 20, 255)):
        ImageDraw.Draw(image).rectangle((0, top, 1_000, top + 300), fill=ground)
        for number, line in enumerate(LINES):
            ImageDraw.Draw(image).text((40, top + 40 + 70 * number), line, fill=ink, font=font)
    found = read_picture(engine, image, "eng", 60.0)
    assert found.text.split() == " ".join(LINES * 3).split()


def test_even_paper_stays_and_uneven_paper_is_evened() -> None:
    assert evened(printed(times=6)) is None
    shaded = printed(times=6)
    shaded.paste(shaded.point(lambda level: level // 2), (0, 0))
    assert evened(shaded) is None
    half = printed(times=6)
    half.paste(half.crop((0, 0, 1_000, 500)).point(lambda level: level // 2), (0, 0))
    even = evened(half)
    assert even is not None
    assert even.getpixel((5, 5)) > 240
    assert even.getpixel((5, even.height - 5)) > 240


def test_level_pages_and_empty_ones_are_left_alone() -> None:
    assert skew_degrees(printed(times=5)) == 0
    assert skew_degrees(Image.new("L", (500, 700), 255)) == 0


def test_a_blank_page_does_not_start_the_engine() -> None:
    engine = FakeEngine()
    assert read_picture(engine, Image.new("L", (500, 700), 250), "eng", 60.0) == Recognised("", None, 0.0)
    assert read_picture(engine, Image.new("1", (500, 700), 1), "eng", 60.0).text == ""
    assert engine.asked == []


def test_a_sure_reading_is_the_only_one() -> None:
    engine = FakeEngine(Recognised("quay", 0.9))
    assert read_picture(engine, printed(), "eng", 60.0).text == "quay"
    assert len(engine.asked) == 1


def test_an_unsure_page_is_turned_as_the_engine_says() -> None:
    engine = FakeEngine(Recognised("ʎɐnb", 0.2, 0.1), Recognised("quay", 0.9), turn=90)
    found = read_picture(engine, printed(), "eng", 60.0)
    assert (found.text, found.turned_degrees) == ("quay", 90)
    assert [size for size, _ in engine.asked] == [(1_000, 260), (260, 1_000)]


def test_where_nothing_is_found_words_are_looked_for_anywhere() -> None:
    engine = FakeEngine(Recognised("", None, 0.0), Recognised("quay", 0.9))
    assert read_picture(engine, printed(), "eng", 60.0).text == "quay"
    assert [is_sparse for _, is_sparse in engine.asked] == [False, True]


def test_noise_is_left_out_but_its_confidence_is_kept() -> None:
    found = read_picture(FakeEngine(Recognised("a | = ~", 0.3, 0.0)), printed(), "eng", 60.0)
    assert (found.text, found.confidence) == ("", 0.3)


def test_a_timeout_of_a_later_attempt_keeps_the_first() -> None:
    late = ExtractionError(ErrorCategory.TIMEOUT, "late")
    assert read_picture(FakeEngine(Recognised("quay", 0.6), late, turn=90), printed(), "eng", 60.0).text == "quay"
    with pytest.raises(ExtractionError):
        read_picture(FakeEngine(late), printed(), "eng", 60.0)


def test_an_engine_that_prints_no_table_has_failed(tmp_path: Path) -> None:
    script = tmp_path / "tesseract"
    script.write_text("#!/bin/sh\necho some noise\n")
    script.chmod(0o755)
    with pytest.raises(ExtractionError) as caught:
        TesseractEngine(str(script)).recognise(printed(), "eng", 10.0)
    assert caught.value.category is ErrorCategory.CRASHED
