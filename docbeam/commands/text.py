"""docbeam text and docbeam inspect: one document, for scripts and for looking. Neither imports Beam."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from datetime import UTC, datetime
from typing import Any

from docbeam.commands.settings import add_option_flags, add_passwords_flag, options_from, passwords_file_of, read_config
from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.options import ExtractOptions, RunOptions, WorkOptions
from docbeam.schemas.records import Document, Quarantined, Row
from docbeam.schemas.rows import EngineStamp, row_columns


def add_parsers(commands: Any) -> None:
    """Add both commands to the command line."""
    for name, words, run in (
        ("text", "print one document's text", run_text),
        ("inspect", "print one document's whole row as JSON", run_inspect),
    ):
        parser = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        parser.add_argument("file", metavar="FILE", help="file or fsspec URL, or - for standard input")
        add_passwords_flag(parser)
        add_option_flags(parser, ExtractOptions)
        parser.set_defaults(run=run)


def run_text(flags: argparse.Namespace) -> int:
    """Print the text of a document and of all that is embedded in it, warnings to standard error; return the exit code.

    Raises: UsageError, ExtractionError.
    """
    root, *members = _rows(flags)
    if isinstance(root, Quarantined):
        raise ExtractionError(root.category, root.message)
    _print_text(root, "")
    for row in members:
        path = row.identity.uri.removeprefix(root.identity.uri)
        if isinstance(row, Document):
            _write(f"\n===== {path} =====\n")
            _print_text(row, f"{path}: ")
        else:
            print(f"docbeam: {path}: {row.category}: {row.message}", file=sys.stderr)
    return 0


def run_inspect(flags: argparse.Namespace) -> int:
    """Print the row as JSON, and each embedded document's row behind it; return 1 if the document itself is in quarantine.

    Raises: UsageError.
    """
    from docbeam import __version__
    from docbeam.extractors.fingerprint import engine_parts, fingerprint_of

    rows = _rows(flags)
    stamp = EngineStamp(version=__version__, fingerprint=fingerprint_of(engine_parts(_options(flags))))
    for row in rows:
        dataset, columns = row_columns(row, stamp, datetime.now(UTC))
        if "metadata" in columns:
            columns["metadata"] = dict(columns["metadata"])
        _write(json.dumps({"dataset": dataset, **columns}, indent=2, ensure_ascii=False, default=str) + "\n")
    return 0 if isinstance(rows[0], Document) else 1


def _print_text(row: Document, path: str) -> None:
    text = row.extracted
    _write(text.content if text.content.endswith("\n") else text.content + "\n")
    if text.truncation is not None:
        print(f"docbeam: {path}truncated: {text.truncation.sentence}", file=sys.stderr)
    for notice in text.warnings:
        print(f"docbeam: {path}{notice.code}: {notice.part}: {notice.message}", file=sys.stderr)


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))  # whatever the terminal's charset


def _options(flags: argparse.Namespace) -> ExtractOptions:
    return options_from(ExtractOptions, flags, read_config(flags.config, ExtractOptions, WorkOptions, RunOptions))


def _rows(flags: argparse.Namespace) -> tuple[Row, ...]:
    from docbeam.extractors.ocr import check_languages, find_engine
    from docbeam.transforms.discover import check_inputs, list_blobs
    from docbeam.transforms.outcome import single_rows, stream_rows
    from docbeam.transforms.password_file import PasswordFile
    from docbeam.transforms.places import local_path

    options = _options(flags)
    passwords = PasswordFile(passwords_file_of(flags)).load()
    engine = find_engine() if options.ocr else None
    if engine is not None:
        check_languages(engine, options.ocr_languages)
    if flags.file == "-":
        return stream_rows("stdin:", sys.stdin.buffer, options, passwords)
    check_inputs([flags.file], None, {})
    path = local_path(flags.file)
    if path is not None and os.path.isdir(path):
        raise UsageError(f"{flags.file!r} is a folder; `docbeam extract` reads folders")
    first, *more = itertools.islice(list_blobs([flags.file], None, {}), 2)
    if more:
        raise UsageError(f"{flags.file!r} is more than one document; `docbeam extract` reads many")
    return single_rows(first, options, {}, passwords)
