"""The command line: `docbeam extract`, `docbeam text`, `docbeam inspect`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from docbeam import __version__
from docbeam.commands import extract, text
from docbeam.schemas.errors import ExtractionError, UsageError

EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130
TRACEBACK_VARIABLE = "DOCBEAM_TRACEBACK"  # set it to see where an error comes from


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="docbeam", description="Piles of documents to text: whole, or it says what is missing."
    )
    parser.add_argument("--version", action="version", version=f"docbeam {__version__}", help="show the version and end")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    extract.add_parser(commands)
    text.add_parsers(commands)
    flags = parser.parse_args(argv)
    try:
        code: int = flags.run(flags)
        return code
    except UsageError as error:
        print(f"docbeam: {error}", file=sys.stderr)
        return EXIT_USAGE
    except ExtractionError as error:
        print(f"docbeam: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("\ndocbeam: interrupted; run the same command again and it goes on from here", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has gone: nothing more to say
        return 128 + signal.SIGPIPE
    except OSError as error:
        if TRACEBACK_VARIABLE in os.environ:
            raise
        print(f"docbeam: {error.strerror or error}{f': {error.filename}' if error.filename else ''}", file=sys.stderr)
        return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
