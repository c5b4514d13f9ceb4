"""Flags beat variables, variables beat the file, the file beats the defaults; what is wrong is named with its place."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import pytest

from docbeam.commands.settings import add_option_flags, options_from, read_config
from docbeam.schemas.errors import UsageError
from docbeam.schemas.options import ExtractOptions, RerunOptions, RunOptions, WorkOptions

CLASSES = (ExtractOptions, WorkOptions, RunOptions, RerunOptions)


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_option_flags(parser, *CLASSES)
    return parser.parse_args(arguments)


def test_flags_beat_variables_and_variables_beat_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "docbeam.toml"
    file.write_text("render_dpi = 100\nmax_zip_entries = 5\nmax_body_bytes = 7\n")
    monkeypatch.setenv("DOCBEAM_RENDER_DPI", "200")
    monkeypatch.setenv("DOCBEAM_MAX_BODY_BYTES", "8kB")
    config = read_config(str(file), *CLASSES)
    options = options_from(ExtractOptions, parsed("--render-dpi", "150"), config)
    assert (options.render_dpi, options.max_body_bytes, options.max_zip_entries) == (150, 8000, 5)
    assert options.ocr_languages == "eng"


@pytest.mark.parametrize(("text", "size"), [("100", 100), ("64MiB", 64 << 20), ("1_000", 1000), ("2G", 2_000_000_000)])
def test_sizes_may_have_a_suffix(text: str, size: int) -> None:
    assert options_from(ExtractOptions, parsed("--max-body-bytes", text), {}).max_body_bytes == size


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--max-body-bytes", "many"), "--max-body-bytes: 'many' is not a whole number"),
        (("--max-body-bytes", "0"), "max_body_bytes: 0 is out of range"),
        (("--max-body-bytes", "-5"), "--max-body-bytes: '-5' is not"),
        (("--extraction-timeout-seconds", "nan"), "extraction_timeout_seconds: nan is out of range"),
        (("--extraction-timeout-seconds", "1e300"), "extraction_timeout_seconds: 1e+300 is out of range, the most is 86400"),
        (("--sandbox-memory-bytes", "9" * 30 + "G"), "out of range, the most is 281474976710656 (bytes)"),
        (("--extraction-timeout-seconds", "soon"), "'soon' is not a number"),
        (("--ocr-languages", "eng fra"), "ocr_languages: 'eng fra' is not codes"),
        (("--tables", "html"), "tables: 'html' is not key_value, markdown, csv, tsv or omit"),
        (("--table-headers", "two"), "table_headers: 'two' is not auto, first_row or none"),
        (("--start-page", "0"), "start_page: 0 is out of range"),
        (("--end-page", "-1"), "--end-page: '-1' is not"),
    ],
)
def test_wrong_values_are_named_with_their_place(arguments: tuple[str, str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        options_from(ExtractOptions, parsed("=".join(arguments)), {})
    assert words in str(caught.value)


def test_wrong_variables_and_files_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCBEAM_OCR", "perhaps")
    with pytest.raises(UsageError, match="DOCBEAM_OCR: 'perhaps' is not yes or no"):
        options_from(ExtractOptions, parsed(), {})
    file = tmp_path / "docbeam.toml"
    file.write_text("rendr_dpi = 100")
    with pytest.raises(UsageError, match="unknown option 'rendr_dpi'"):
        read_config(str(file), *CLASSES)
    file.write_text("render_dpi = ")
    with pytest.raises(UsageError, match="--config"):
        read_config(str(file), *CLASSES)
    with pytest.raises(UsageError, match="No such file"):
        read_config(str(tmp_path / "nothing.toml"), *CLASSES)


def test_every_option_has_a_flag_a_unit_and_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_option_flags(parser, *CLASSES)
    text = " ".join(parser.format_help().split())
    for options_class in CLASSES:
        for field in dataclasses.fields(options_class):
            assert "--" + field.name.replace("_", "-") in text
            assert (field.metadata["unit"] and field.metadata["help"].strip()[0].isupper()) or field.name == "part_bytes"


def test_a_word_of_a_closed_choice_is_taken_from_every_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "docbeam.toml"
    file.write_text('tables = "csv"\ntable_headers = "none"\n')
    monkeypatch.setenv("DOCBEAM_TABLES", "markdown")
    options = options_from(ExtractOptions, parsed("--page-markers"), read_config(str(file), *CLASSES))
    assert (options.tables, options.table_headers, options.page_markers) == ("markdown", "none", True)
    file.write_text('tables = "pdf"')
    monkeypatch.delenv("DOCBEAM_TABLES")
    with pytest.raises(UsageError, match="tables: 'pdf' is not"):
        options_from(ExtractOptions, parsed(), read_config(str(file), *CLASSES))


@pytest.mark.parametrize(
    ("values", "last"),
    [({}, None), ({"end_page": 5}, 5), ({"max_pages": 2}, 2), ({"start_page": 3, "max_pages": 2}, 4),
     ({"start_page": 3, "end_page": 9, "max_pages": 2}, 4), ({"start_page": 3, "end_page": 3, "max_pages": 2}, 3)],
)  # fmt: skip
def test_the_last_wanted_page_is_the_stricter_of_both_limits(values: dict[str, int], last: int | None) -> None:
    assert ExtractOptions(**values).last_page == last  # type: ignore[arg-type]


def test_an_empty_variable_names_no_file_and_a_wrong_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCBEAM_CONFIG", "")
    assert read_config(None, *CLASSES) == {}
    monkeypatch.setenv("DOCBEAM_CONFIG", "/no/such.toml")
    with pytest.raises(UsageError, match=r"DOCBEAM_CONFIG ./no/such\.toml.: No such file"):
        read_config(None, *CLASSES)
