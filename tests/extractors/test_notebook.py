"""Jupyter notebooks: cells in order, outputs as a reader sees them, pictures as members."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from docbeam.extractors.notebook import NotebookExtractor
from docbeam.extractors.protocol import Extractor
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode
from tests.extractors.archive.builders import members

OPTIONS = ExtractOptions()


def read(data: bytes) -> Extracted:
    return NotebookExtractor().extract(Source(data=data), MediaType.NOTEBOOK, OPTIONS)


def notebook(*cells: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5, **more}).encode()


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def shown(**data: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {key.replace("__", "/"): value for key, value in data.items()}}


def test_it_is_an_extractor() -> None:
    assert isinstance(NotebookExtractor(), Extractor)


def test_a_real_notebook_reads_as_another_program_shows_it(shared: Path) -> None:
    found = read((shared / "truth/docs/0178.ipynb").read_bytes())
    blocks = [
        "# Test Notebook",
        'print("markitdown")',
        "markitdown",
        "## Code Cell Below",
        "# comment in code\nprint(42)",
        "42",
    ]
    assert found.content == "\n\n".join([*blocks, "End\n\n---"]) + "\n"
    assert found.title == "Test Notebook Title"
    assert found.metadata["notebook.language"] == "python"
    assert found.metadata["notebook.cellCount"] == "5"


def test_outputs_are_text_without_colours_and_overwritten_bars() -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": ["  0%\r 50%\r100% done\n", "\x1b[31mred\x1b[0m\n"]}
    error = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0;31mE\x1b[0m: v", "line 2"]}
    assert read(notebook(code("x", stream, error))).content == "x\n\n100% done\nred\n\nE: v\nline 2\n"


def test_the_most_readable_form_of_an_output_is_taken() -> None:
    table = shown(text__plain="a  b\n1  2", text__html="<table></table>")
    words = shown(text__plain="<IPython.core.display.Markdown object>", text__markdown="**bold**")
    page = shown(text__plain="<IPython.core.display.HTML object>", text__html="<p>page</p>")
    found = read(notebook(code("x", table, words, page)))
    assert found.content == "x\n\na  b\n1  2\n\n**bold**\n"
    assert members(found) == {"cell-1-output-3.html": b"<p>page</p>"}


def test_pictures_are_members() -> None:
    picture = base64.b64encode(b"\x89PNG picture").decode()
    cell = {"cell_type": "markdown", "source": "![](attachment:a.png)", "attachments": {"../a.png": {"image/png": picture}}}
    found = read(notebook(cell, code("plot()", shown(text__plain="<Figure size 1x1>", image__png=picture))))
    assert members(found) == {"cell-1/a.png": b"\x89PNG picture", "cell-2-output-1.png": b"\x89PNG picture"}
    assert found.content == "![](attachment:a.png)\n\nplot()\n"


def test_format_3_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Title"]},
        {"cell_type": "code", "input": ["1 + 1"], "outputs": [{"output_type": "pyout", "text": ["2"]}]},
    ]
    book = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert read(book).content == "## Title\n\n1 + 1\n\n2\n"


def test_what_is_no_notebook_is_read_as_json() -> None:
    for data in (b'{"cells": [{"cell_type"', b'{"cells": 5}', b"[" * 100_000):
        assert read(data).content == data.decode()


def test_wrong_types_do_no_harm() -> None:
    odd = {"cell_type": 5, "source": {}, "outputs": [3, {"output_type": "stream", "text": {}}, {"data": []}], "attachments": []}
    found = read(notebook(odd, {}, metadata=[]))
    assert found.content == ""
    assert WarningCode.NO_TEXT in {notice.code for notice in found.warnings}


def test_half_a_surrogate_pair_breaks_nothing() -> None:
    assert read(notebook(code("a\ud83db"))).content == "a\\ud83db\n"
