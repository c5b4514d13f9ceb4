"""JSON and JSON Lines: as they are written, but readable; what is broken is kept and named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docbeam.extractors.json import JsonExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

OPTIONS = ExtractOptions()


def read(text: str | bytes, media_type: str = MediaType.JSON, options: ExtractOptions = OPTIONS) -> Extracted:
    data = text if isinstance(text, bytes) else text.encode()
    return JsonExtractor().extract(Source(data=data), media_type, options)


def codes(extracted: Extracted) -> list[tuple[WarningCode, str]]:
    return [(notice.code, notice.part) for notice in extracted.warnings]


def test_it_is_an_extractor_of_both_types() -> None:
    assert isinstance(JsonExtractor(), Extractor)
    assert JsonExtractor().can_handle(MediaType.JSON) and JsonExtractor().can_handle(MediaType.JSON_LINES)


def test_what_has_lines_is_kept_as_it_is_written() -> None:
    text = '{\n    "a" : [1, 2.50, 1e400, -0],\n    "a" : NaN,\n    "long": 123456789012345678901234567890\n}\n'
    found = read(text)
    assert found.content == text
    assert codes(found) == []


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"caf\u00e9", "café"),
        (r"\ud83d\ude0a!", "😊!"),
        (r"half \ud83d and on", r"half \ud83d and on"),
        (r"nul \u0000 and \u0007", r"nul \u0000 and \u0007"),
        (r"one\ntwo\r\nthree\tfour", "one\ntwo\nthree\tfour"),
        (r"a \"quoted\" C:\\new\\u0041", r"a \"quoted\" C:\\new\\u0041"),
        (r"\u0022 \u005c \u003cb\u003e <\/b>", r"\" \\ <b> </b>"),
    ],
)
def test_escapes_of_letters_are_resolved_and_the_text_stays_json(written: str, shown: str) -> None:
    found = read(f'{{"key": "{written}"}}').content
    assert found == f'{{"key": "{shown}"}}'
    assert json.loads(found, strict=False) == {"key": json.loads(f'"{written}"').replace("\r\n", "\n")}


def test_a_crammed_file_is_set_in_lines() -> None:
    value = {"records": [{"name": f"n{number}", "at": [1.5, 2], "none": {}, "deep": [[1], [2]]} for number in range(60)]}
    found = read(json.dumps(value, separators=(",", ":"))).content
    assert json.loads(found) == value
    assert '\n      "name": "n7",\n      "at": [1.5,2],\n      "none": {},\n' in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b\\u00e9": {"c": [1]}, "a": 2}', {"rootKind": "object", "topLevelPropertyCount": "3"}),
        ('[1, [2, [3]], {"a": [4, 5]}, [], "x"]', {"rootKind": "array", "topLevelArrayLength": "5"}),
        ("[]", {"rootKind": "array", "topLevelArrayLength": "0"}),
        ('"text"', {"rootKind": "string"}),
        ("-12.5e3", {"rootKind": "number"}),
        ("null", {"rootKind": "null"}),
        ("true", {"rootKind": "boolean"}),
    ],
)
def test_the_metadata_describes_the_root(text: str, expected: dict[str, str]) -> None:
    metadata = read(text).metadata
    assert {key[5:]: value for key, value in metadata.items() if key.startswith("json.")} | expected == {
        key[5:]: value for key, value in metadata.items() if key.startswith("json.")
    }


def test_the_names_of_the_root_are_readable() -> None:
    assert read('{"a": 1, "b\\u00e9": 2}').metadata["json.topLevelProperties"] == "a, bé"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1,\n"b": }\n', "line 3"),
        ('{\n"a": 1\n', "line 3"),
        ("{\n// a comment\n}", "line 2"),
        ("[1,\n2,]", "line 2"),
        ('{"a": "never ends}', "line 1"),
        ("[1 2]", "line 1"),
        ("[01]", "line 1"),
        ("{} {}", "line 1"),
    ],
)
def test_what_is_not_valid_is_kept_and_its_line_named(text: str, line: str) -> None:
    found = read(text)
    assert found.content == text
    assert codes(found) == [(WarningCode.MALFORMED, line)]


def test_nesting_without_end_is_no_work() -> None:
    text = "[" * 100_000 + "]" * 100_000
    found = read(text)
    assert found.content.replace("\n", "").replace(" ", "") == text
    assert codes(found) == []
    assert len(read('{"a":' * 50_000 + "1" + "}" * 50_000).content) <= OPTIONS.max_extracted_chars
    assert codes(read("[" * 100_000))[0][0] is WarningCode.MALFORMED


def test_files_in_strings_are_named_and_left_out() -> None:
    found = read('{"file": "' + "aB3/" * 200 + '", "gene": "' + "GATTACA" * 100 + '"}')
    assert codes(found) == [(WarningCode.EMBEDDED_NOT_READ, "line 2")]
    assert found.content == '{\n  "file": "…",\n  "gene": "' + "GATTACA" * 100 + '"\n}'


def test_json_lines_are_read_one_by_one() -> None:
    found = read('{"a": "\\u00e9"}\n\n{"b": \n[1, 2]\n', MediaType.JSON_LINES)
    assert found.content == '{"a": "é"}\n\n{"b": \n[1, 2]\n'
    assert codes(found) == [(WarningCode.MALFORMED, "line 3")]
    assert found.metadata["json.rootKind"] == "lines"
    assert found.metadata["json.lineCount"] == "3"


def test_text_is_cut_at_the_cap_without_calling_the_rest_broken() -> None:
    options = ExtractOptions(max_extracted_chars=1000)
    found = read("[" + ", ".join(map(str, range(200_000))) + "]", options=options)
    assert len(found.content) == 1000
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS
    assert codes(found) == []


@pytest.mark.parametrize("codec", ["utf-16", "utf-32", "utf-8-sig"])
def test_other_unicode_encodings_are_read(codec: str) -> None:
    assert read('{"a": "é"}'.encode(codec)).content == '{"a": "é"}'


def test_half_a_surrogate_pair_breaks_no_line(shared: Path) -> None:
    found = read((shared / "cases/files/json_lone_surrogates.jsonl").read_bytes(), MediaType.JSON_LINES)
    assert '"half an emoji \\ud83d and on", "tag": "café"' in found.content
    assert "whole 😊 one" in found.content
    found.content.encode()
