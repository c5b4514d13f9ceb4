"""What a Dataflow Flex Template starts: its parameters become the arguments of `docbeam extract --runner dataflow`.

`inputs` is a list joined by `;`; parameters named as docbeam's flags are docbeam's, all others are Beam's own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from docbeam.__main__ import main
from docbeam.commands import extract


def arguments(given: Sequence[str]) -> list[str]:
    """Return the command line for the parameters that the launcher passes as --name=value."""
    flags: list[str] = []
    inputs: list[str] = []
    beam: list[str] = []
    commands = argparse.ArgumentParser().add_subparsers()
    extract.add_parser(commands)
    ours = commands.choices["extract"]._option_string_actions
    for one in given:
        name, _, value = one.partition("=")
        if name == "--inputs":
            inputs += [part for part in value.split(";") if part]
        elif name.replace("_", "-") in ours:
            flags.append(f"{name.replace('_', '-')}={value}")
        else:
            beam.append(one)
    return ["extract", *inputs, "--runner", "dataflow", "--progress", "none", *flags, "--", *beam]


if __name__ == "__main__":
    sys.exit(main(arguments(sys.argv[1:])))
