"""The command line: `docbeam extract`, `text`, `inspect`, `verify`, `replay`, `status` and `compact`."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence

from docbeam import __version__
from docbeam.commands import compact, extract, replay, status, text, verify
from docbeam.commands.beam import RAW, split_raw
from docbeam.schemas.errors import ExtractionError, UsageError

EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130
TRACEBACK_VARIABLE = "DOCBEAM_TRACEBACK"  # set it to see where an error comes from


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    _open_streams()
    parser = argparse.ArgumentParser(
        prog="docbeam", description="Piles of documents to text: whole, or it says what is missing."
    )
    parser.add_argument("--version", action="version", version=f"docbeam {__version__}", help="show the version and end")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    extract.add_parser(commands)
    text.add_parsers(commands)
    verify.add_parser(commands)
    replay.add_parser(commands)
    status.add_parser(commands)
    compact.add_parser(commands)
    try:
        arguments, raw = split_raw(sys.argv[1:] if argv is None else argv)
        flags = parser.parse_args(arguments, argparse.Namespace(**{RAW: raw}))
        code: int = flags.run(flags)
        sys.stdout.flush()  # here, where a reader that has gone is no fault
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
    except Exception as error:  # storage and Beam raise their own kinds: a user gets the line, a developer the traceback
        if TRACEBACK_VARIABLE in os.environ:
            raise
        reason = " ".join(str(error).split())[:500]
        print(f"docbeam: {type(error).__name__}: {reason}; {TRACEBACK_VARIABLE}=1 shows where", file=sys.stderr)
        return EXIT_FAILED


def _open_streams() -> None:
    """Give standard streams that are closed a place to go, and let no character be the end of a finished run."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:  # else the next file opened would take its number
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error does


if __name__ == "__main__":
    sys.exit(main())
