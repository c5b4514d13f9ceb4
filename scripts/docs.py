"""Write the generated pages: docs/schema.md, docs/options.md, docs/vocabulary.md, and the tables inside README.md.

`--check` writes nothing and ends with 1 if a page is out of date; a test calls it.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pyarrow as pa

from docbeam.commands.settings import PREFIX
from docbeam.extractors.registry import BUILT_IN
from docbeam.schemas import vocabulary
from docbeam.schemas.arrow import CLOCK_COLUMNS, DATASETS
from docbeam.schemas.media_types import BY_EXTENSION
from docbeam.schemas.options import ExtractOptions, RerunOptions, RunOptions, WorkOptions

ROOT = Path(__file__).parent.parent
MADE = "<!-- Made by `make docs`; do not edit. -->"


def main(is_check: bool) -> int:
    """Write the pages, or say which are out of date."""
    readme = (ROOT / "README.md").read_text()
    pages = {
        "docs/schema.md": "\n".join(schema_lines()) + "\n",
        "docs/options.md": "\n".join(options_lines()) + "\n",
        "docs/vocabulary.md": "\n".join(vocabulary_lines()) + "\n",
        "README.md": with_tables(readme),
    }
    stale = [name for name, text in pages.items() if not (ROOT / name).exists() or (ROOT / name).read_text() != text]
    for name in stale:
        if not is_check:
            (ROOT / name).write_text(pages[name])
        print(f"{name}: {'out of date; run make docs' if is_check else 'written'}")
    return 1 if is_check and stale else 0


def schema_lines() -> Iterator[str]:
    """Yield the page of the two datasets' columns."""
    yield from ("# The datasets' columns", "", MADE, "")
    yield "Both datasets are Hive-partitioned by `run_id`. Columns marked (clock) differ between equal runs; no other does."
    for name, schema in DATASETS.items():
        yield from ("", f"## {name}", "", "| column | type | null | what it says |", "|---|---|---|---|")
        for field in schema:
            yield from _field_lines(field, field.name)


def _field_lines(field: pa.Field, name: str) -> Iterator[str]:
    metadata = field.metadata or {}
    words = metadata.get(b"description", b"").decode()
    clock = " (clock)" if name in CLOCK_COLUMNS else ""
    yield f"| `{name}`{clock} | {_kind(field.type)} | {'yes' if field.nullable else 'no'} | {words} |"
    inner = field.type.value_type if pa.types.is_list(field.type) else field.type
    if pa.types.is_struct(inner):
        for part in inner:
            yield from _field_lines(part, f"{name}.{part.name}")


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_kind(kind.value_type)}"
    if pa.types.is_map(kind):
        return "map of string to string"
    return "struct" if pa.types.is_struct(kind) else str(kind)


def options_lines() -> Iterator[str]:
    """Yield the page of all options."""
    yield from ("# Options", "", MADE, "")
    yield "Flags are the strongest, then `DOCBEAM_*` variables, then the TOML file that `--config` names, then the defaults."
    yield "In the TOML file an option is named as its variable, in lower case and without the prefix."
    for options_class in (ExtractOptions, WorkOptions, RunOptions, RerunOptions):
        yield from ("", f"## {(options_class.__doc__ or '').split('.')[0]}", "")
        yield from ("| flag | variable | default | unit | what it does |", "|---|---|---|---|---|")
        for field in dataclasses.fields(options_class):
            flag, variable = "--" + field.name.replace("_", "-"), PREFIX + field.name.upper()
            default = (
                {True: "yes", False: "no"}.get(field.default, field.default)
                if isinstance(field.default, bool)
                else field.default
            )
            yield f"| `{flag}` | `{variable}` | {default} | {field.metadata['unit']} | {field.metadata['help']} |"


def vocabulary_lines() -> Iterator[str]:
    """Yield the page of the closed vocabularies."""
    yield from ("# Vocabularies", "", MADE, "")
    yield "Every word that a row can carry. A failure that is retryable can end well with the same bytes: later, or with more."
    for words in (
        vocabulary.ErrorCategory,
        vocabulary.WarningCode,
        vocabulary.TruncationReason,
        vocabulary.Confidence,
        vocabulary.Branch,
        vocabulary.Origin,
        vocabulary.Stage,
    ):
        yield from _word_lines(words)


def _word_lines(words: type[Enum]) -> Iterator[str]:
    has_retry = words is vocabulary.ErrorCategory
    yield from ("", f"## {words.__name__}", "", (words.__doc__ or "").split("\n")[0], "")
    yield from ("| word | means |" + (" retryable |" if has_retry else ""), "|---|---|" + ("---|" if has_retry else ""))
    for word in words:
        retry = f" {'yes' if word.is_retryable else 'no'} |" if has_retry else ""  # type: ignore[attr-defined]
        yield f"| `{word.value}` | {word.sentence} |{retry}"  # type: ignore[attr-defined]


def format_lines() -> Iterator[str]:
    """Yield the README's table of formats."""
    yield from ("| extractor | media type | extensions |", "|---|---|---|")
    for entry in BUILT_IN:
        for media_type in entry.media_types:
            extensions = " ".join(f"`{extension}`" for extension, found in BY_EXTENSION.items() if found == media_type)
            yield f"| {entry.name} | {media_type} | {extensions} |"


def with_tables(readme: str) -> str:
    """Return the README with its generated tables made anew."""
    table = "\n".join(format_lines())
    return re.sub(r"(<!-- formats -->\n).*?(<!-- /formats -->)", lambda m: f"{m[1]}{table}\n{m[2]}", readme, flags=re.DOTALL)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
