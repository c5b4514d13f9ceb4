"""docbeam text and docbeam inspect: one document, for scripts and for looking. Neither imports Beam."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any

from docbeam.commands.settings import add_option_flags, options_from, read_config
from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.options import ExtractOptions


def add_parsers(commands: Any) -> None:
    """Add both commands to the command line."""
    for name, words, run in (
        ("text", "print one document's text", run_text),
        ("inspect", "print one document's whole row as JSON", run_inspect),
    ):
        parser = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        parser.add_argument("file", metavar="FILE", help="local file, or - for standard input")
        add_option_flags(parser, ExtractOptions)
        parser.set_defaults(run=run)
