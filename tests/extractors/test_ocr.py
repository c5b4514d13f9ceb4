"""OCR: the engine as an outside program, and the attempts at one picture. A shell script stands in for a bad engine."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docbeam.extractors.ocr import Orientation, Recognised, check_languages, engine_versions, find_engine, read_picture
from docbeam.extractors.ocr.blank import is_blank
from docbeam.extractors.ocr.ground import evened
from docbeam.extractors.ocr.languages import language_of_script, likely_languages
from docbeam.extractors.ocr.placing import Pose, placed
from docbeam.extractors.ocr.resident import ResidentEngine
from docbeam.extractors.ocr.skew import skew_degrees, straightened
from docbeam.extractors.ocr.tesseract import TesseractEngine
from docbeam.extractors.ocr.word_table import Cell, boxed, joined, mean_confidence, parsed_words
from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.records import Word
from docbeam.schemas.vocabulary import ErrorCategory

needs_engine = pytest.mark.skipif(find_engine() is None, reason="the tesseract command is not installed")
needs_program = pytest.mark.skipif(shutil.which("tesseract") is None, reason="the tesseract command is not installed")
needs_resident = pytest.mark.skipif(
    importlib.util.find_spec("tesserocr") is None, reason="the extra tesserocr is not installed"
)
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

    name, version, data_folder = "fake", "1", None

    def __init__(
        self,
        *answers: Recognised | ExtractionError,
        turn: int | None = 0,
        script: str = "Latin",
        languages: tuple[str, ...] = ("eng",),
    ) -> None:
        self.answers, self.asked, self.asked_languages = list(answers), [], []
        self.found = None if turn is None else Orientation(turn, script, 5.0)
        self.languages = languages

    def recognise(
        self,
        image: Image.Image,
        languages: str,
        timeout_seconds: float,
        *,
        is_sparse: bool = False,
        with_boxes: bool = False,
    ) -> Recognised:
        self.asked_languages.append(languages)
        self.asked.append((image.size, is_sparse))
        answer = self.answers.pop(0)
        if isinstance(answer, ExtractionError):
            raise answer
        return answer

    def orientation(self, image: Image.Image, timeout_seconds: float) -> Orientation | None:
        return self.found


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
    assert mean_confidence([Cell("1", "1", "1", 1.0, "abcdefghi"), Cell("1", "1", "1", 0.0, "x")]) == 0.9
    assert mean_confidence([]) is None


def test_han_and_kana_have_no_space_between_words() -> None:
    texts = ("新鲜", "甘草", "ABC", "です")
    assert joined([Cell("1", "1", "1", 0.9, text) for text in texts]) == "新鲜甘草 ABC です"


def test_of_letters_listed_one_by_one_the_gap_tells_words_apart() -> None:
    lefts = (0, 30, 60, 120, 150)
    letters = [Cell("1", "1", "1", 0.9, text, (left, 0, 26, 40)) for text, left in zip("มนุกข", lefts, strict=True)]
    assert joined(letters) == "มนุ กข"


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
    heading = "printf 'level\\tpage_num\\n'"
    TesseractEngine(script(tmp_path, f"env > {seen}; {heading}")).recognise(printed(), "eng", 20.0)
    assert "secret" not in seen.read_text()
    assert "OMP_THREAD_LIMIT=1" in seen.read_text()
    assert "TESSDATA_PREFIX=/somewhere" in seen.read_text()


def test_without_the_command_there_is_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))  # where a resident engine would find its languages
    assert find_engine() is None
    assert engine_versions("eng") == {}


def test_a_missing_language_is_named_with_its_package() -> None:
    with pytest.raises(UsageError, match=r"has no chi_sim, deu .*tesseract-ocr-chi-sim tesseract-ocr-deu"):
        check_languages(FakeEngine(), "eng+chi_sim+deu")
    check_languages(FakeEngine(), "eng")
    with pytest.raises(UsageError, match="osd is no language"):
        check_languages(FakeEngine(), "eng+osd")


@needs_engine
def test_versions_name_the_engine_and_its_language_files() -> None:
    versions = engine_versions("eng")
    assert set(versions) >= {"eng.traineddata"}
    assert set(versions) & {"tesseract", "tesserocr"}
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


ROW = "level\\tpage_num\\n5\\t1\\t1\\t1\\t1\\t1\\t%s\\t7\\t9\\t9\\t%s\\tword\\n"


@pytest.mark.parametrize(
    "printed_text",
    ["some noise", "", ROW % ("x", 90), ROW % (7, "sure"), ROW % (7, "nan"), ROW % (7, "inf")],
    ids=["noise", "nothing", "no place", "no confidence", "nan", "inf"],
)
def test_an_engine_that_prints_no_table_has_failed(tmp_path: Path, printed_text: str) -> None:
    with pytest.raises(ExtractionError) as caught:
        TesseractEngine(script(tmp_path, f"printf '{printed_text}'")).recognise(printed(), "eng", 10.0)
    assert caught.value.category is ErrorCategory.CRASHED


def paper(size: tuple[int, int] = (1_240, 1_754), sigma: float = 6) -> Image.Image:
    """Return an empty page of A4 at 150 dpi with a scanner's grain."""
    chance = random.Random(3)
    grain = Image.frombytes("L", (101, 97), bytes(min(max(round(chance.gauss(235, sigma)), 0), 255) for _ in range(101 * 97)))
    page = Image.new("L", size)
    for left in range(0, size[0], 101):
        for top in range(0, size[1], 97):
            page.paste(grain, (left, top))
    return page


def with_edges_and_holes() -> Image.Image:
    page = paper()
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, 1_240, 12), fill=30)
    draw.polygon(((0, 0), (14, 0), (4, 1_754), (0, 1_754)), fill=10)
    for top in (600, 1_080):
        draw.ellipse((60, top, 96, top + 36), fill=40)
    draw.line((700, 0, 704, 1_754), fill=170, width=2)
    return page


@pytest.mark.parametrize(
    "page",
    [paper(), paper(sigma=12), paper(sigma=40).point(lambda level: 255 * (level > 128)).convert("1"), with_edges_and_holes()],
    ids=["grain", "coarse grain", "fax", "edges, holes and a streak"],
)
def test_grain_specks_edges_holes_and_streaks_make_a_blank_page(page: Image.Image) -> None:
    assert is_blank(page)


@pytest.mark.parametrize("place", [(600, 1_650), (610, 60), (1_120, 70), (100, 900)])
@pytest.mark.parametrize("ink", [0, 180])
def test_a_lone_page_number_or_faint_word_is_not_blank(place: tuple[int, int], ink: int) -> None:
    page = with_edges_and_holes()
    ImageDraw.Draw(page).text(place, "17", fill=ink, font=ImageFont.load_default(22))
    assert not is_blank(page)


def test_light_words_on_a_dark_page_are_not_blank() -> None:
    page = Image.new("L", (1_240, 1_754), 20)
    assert is_blank(page)
    ImageDraw.Draw(page).text((500, 800), "Quay", fill=230, font=ImageFont.load_default(22))
    assert not is_blank(page)


def test_boxes_are_shares_of_the_image() -> None:
    (word,) = boxed([Cell("1", "1", "1", 0.9, "quay", (100, 50, 200, 25))], (1_000, 500))
    assert (word.left, word.top, word.width, word.height) == (0.1, 0.1, 0.2, 0.05)


@pytest.mark.parametrize(
    ("degrees", "box"),
    [(0, (0.1, 0.2, 0.3, 0.05)), (90, (0.2, 0.6, 0.05, 0.3)), (180, (0.6, 0.75, 0.3, 0.05)), (270, (0.75, 0.1, 0.05, 0.3))],
)
def test_boxes_of_a_turned_copy_lie_on_the_page_as_it_is_shown(degrees: int, box: tuple[float, ...]) -> None:
    (word,) = placed([Word("quay", 0.9, 0.1, 0.2, 0.3, 0.05)], Pose((1_000, 500), degrees))
    assert (word.left, word.top, word.width, word.height) == pytest.approx(box)


@needs_engine
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_words_are_found_where_they_stand_on_a_crooked_and_turned_page(turn: int) -> None:
    engine = find_engine()
    assert engine is not None
    image, font = Image.new("L", (1_200, 1_200), 255), ImageFont.load_default(36)
    for number in range(12):
        ImageDraw.Draw(image).text((150, 200 + 60 * number), LINES[number % 3], fill=0, font=font)
    image = image.rotate(-5, Image.Resampling.BICUBIC, fillcolor=255).rotate(turn, fillcolor=255)
    found = read_picture(engine, image, "eng", 60.0, with_boxes=True)
    assert found.text.split() == [word.text for word in found.words]
    for word in found.words:
        left, top = word.left * image.width, word.top * image.height
        part = image.crop((int(left), int(top), int(left + word.width * image.width), int(top + word.height * image.height)))
        assert part.getextrema()[0] < 80, word
    assert read_picture(engine, image, "eng", 60.0).words == ()


def test_the_script_chooses_the_language() -> None:
    engine = FakeEngine(Recognised("Причал", 0.9), script="Cyrillic", languages=("eng", "osd", "rus"))
    assert read_picture(engine, printed(), "auto", 60.0).languages == "rus"
    assert engine.asked_languages == ["rus"]


def test_a_text_in_another_installed_language_is_read_again_with_that() -> None:
    german = "Der Hafenmeister zählt am Mittag die Boote und schreibt ihre Namen in das große Buch im Zollhaus."
    engine = FakeEngine(Recognised(german, 0.8), Recognised(german, 0.9), languages=("deu", "eng", "osd"))
    assert read_picture(engine, printed(), "auto", 60.0).languages == "deu"
    assert engine.asked_languages == ["eng", "deu"]


def test_where_no_script_is_found_and_the_reading_is_unsure_likely_languages_are_tried_together() -> None:
    answers = [Recognised("x", 0.3, 0.5), *[Recognised("", None, 0.0)] * 3, Recognised("港口", 0.9), Recognised("港口", 0.9)]
    engine = FakeEngine(*answers, turn=None, languages=("chi_sim", "eng", "osd"))
    assert read_picture(engine, printed(), "auto", 60.0).text == "港口"
    assert "eng+chi_sim" in engine.asked_languages


def test_a_script_without_an_installed_language_has_none() -> None:
    assert language_of_script("Thai", ("eng", "osd")) is None
    assert language_of_script("Nobody's", ("eng",)) is None
    assert likely_languages(("osd", "xyz")) == "xyz"


def test_auto_needs_orientation_data_and_a_language() -> None:
    with pytest.raises(UsageError, match="tesseract-ocr-osd"):
        check_languages(FakeEngine(), "auto")
    with pytest.raises(UsageError, match="has no language"):
        check_languages(FakeEngine(languages=("osd",)), "auto")
    check_languages(FakeEngine(languages=("eng", "osd")), "auto")


def test_a_poor_page_that_lies_right_is_read_as_loose_words_too() -> None:
    engine = FakeEngine(Recognised("1.1. Tpo u une u a", 0.44, 0.4), Recognised("1.1 Quays", 0.9))
    assert read_picture(engine, printed(), "eng", 60.0).text == "1.1 Quays"
    assert [is_sparse for _, is_sparse in engine.asked] == [False, True]


@needs_program
@needs_resident
def test_the_resident_engine_reads_what_the_program_reads_and_says_how_sure_it_is() -> None:
    program = TesseractEngine(shutil.which("tesseract") or "")
    resident = ResidentEngine(program.data_folder or "")
    assert set(resident.languages) == set(program.languages)
    found = [engine.recognise(printed(), "eng", 60.0, with_boxes=True) for engine in (program, resident)]
    assert found[0].text == found[1].text
    assert found[1].confidence == pytest.approx(found[0].confidence, abs=0.05)
    assert len(found[0].words) == len(found[1].words)
    turned = printed(times=6).rotate(180)
    assert [engine.orientation(turned, 60.0).turn_degrees for engine in (program, resident)] == [180, 180]


@needs_program
@needs_resident
def test_what_the_resident_engine_read_before_does_not_show() -> None:
    program = TesseractEngine(shutil.which("tesseract") or "")
    engine = ResidentEngine(program.data_folder or "")
    pages = [printed(), printed(LINES[::-1], times=2), with_edges_and_holes()]
    before = [engine.recognise(page, "eng", 60.0) for page in pages]
    assert [engine.recognise(page, "eng", 60.0) for page in reversed(pages)] == before[::-1]


@needs_program
@needs_resident
def test_the_resident_engine_keeps_to_its_time() -> None:
    program = TesseractEngine(shutil.which("tesseract") or "")
    with pytest.raises(ExtractionError) as caught:
        ResidentEngine(program.data_folder or "").recognise(printed(times=20), "eng", 0.001)
    assert caught.value.category is ErrorCategory.TIMEOUT


@needs_resident
def test_the_resident_engine_is_chosen_where_its_extra_is_installed() -> None:
    engine = find_engine()
    assert engine is not None and engine.name == "tesserocr"
    assert "tesseract" in engine_versions()["tesserocr"]
