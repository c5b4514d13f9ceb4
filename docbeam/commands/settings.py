"""Options from four places, the stronger first: flags, DOCBEAM_* variables, a TOML file (--config), the defaults."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

from docbeam.schemas.errors import UsageError

PREFIX = "DOCBEAM_"
SIZES = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1024, "mi": 1024**2, "gi": 1024**3}
TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
T = TypeVar("T")


def add_option_flags(parser: argparse.ArgumentParser, *classes: type) -> None:
    """Add a flag for each field of the option classes, with its help, unit and default."""
    for options_class in classes:
        title = (options_class.__doc__ or options_class.__name__).split(".")[0]
        group = parser.add_argument_group(title[0].lower() + title[1:])
        for field in dataclasses.fields(options_class):
            flag = "--" + field.name.replace("_", "-")
            words = f"{field.metadata['help']} [{field.metadata['unit']}; default {_shown(field.default)}]"
            if isinstance(field.default, bool):
                group.add_argument(flag, dest=field.name, action=argparse.BooleanOptionalAction, default=None, help=words)
            else:
                group.add_argument(flag, dest=field.name, default=None, metavar="VALUE", help=words)
    parser.add_argument(
        "--config", metavar="FILE", help="TOML file with options, named as the flags with _ for - [path; default none]"
    )


def add_storage_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag with arguments for fsspec's file systems."""
    parser.add_argument(
        "--storage-options", metavar="JSON", help="arguments for fsspec's file systems, as a JSON object [JSON; default {}]"
    )


def add_passwords_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names the file with passwords."""
    parser.add_argument(
        "--passwords-file",
        metavar="FILE",
        help="passwords for encrypted documents, one a line; or, if its name ends in .csv or its first line is uri,password, "
        "CSV with a pattern of URIs and a password a line [path or URL; default none]",
    )


def passwords_file_of(flags: argparse.Namespace) -> str | None:
    """Return the path or URL of the file with passwords, or None. Passwords themselves have no flag and no variable."""
    given: str | None = flags.passwords_file
    return given or os.environ.get(PREFIX + "PASSWORDS_FILE") or None


def options_from(options_class: type[T], flags: argparse.Namespace, config: Mapping[str, Any]) -> T:
    """Return an options object from the flags, the environment and a configuration, in this order of strength.

    Raises: UsageError with the place, the name and the value of what is wrong.
    """
    values: dict[str, Any] = {}
    for field in dataclasses.fields(options_class):  # type: ignore[arg-type]
        given = getattr(flags, field.name, None)
        variable = PREFIX + field.name.upper()
        if given is not None:
            values[field.name] = _parsed("--" + field.name.replace("_", "-"), field.default, given)
        elif variable in os.environ:
            values[field.name] = _parsed(variable, field.default, os.environ[variable])
        elif field.name in config:
            values[field.name] = _parsed(f"{field.name} in the configuration", field.default, config[field.name])
    return options_class(**values)


def read_config(path: str | None, *classes: type) -> dict[str, Any]:
    """Return the options of a TOML file. Raises: UsageError for a file that can't be read or names no known option."""
    place = "--config" if path is not None else PREFIX + "CONFIG"
    path = path if path is not None else os.environ.get(PREFIX + "CONFIG") or None
    if path is None:
        return {}
    try:
        with open(path, "rb") as file:
            config = tomllib.load(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"{place} {path!r}: {getattr(error, 'strerror', None) or error}") from error
    known = {field.name for options_class in classes for field in dataclasses.fields(options_class)}
    unknown = sorted(set(config) - known)
    if unknown:
        raise UsageError(f"{place} {path!r}: unknown option {unknown[0]!r}; `docbeam extract --help` lists them")
    return config


def _parsed(place: str, default: Any, given: Any) -> Any:
    if not isinstance(given, str) or isinstance(default, str):
        return (
            given if not isinstance(default, float) or isinstance(given, bool) or not isinstance(given, int) else float(given)
        )
    text = given.strip()
    if isinstance(default, bool):
        if text.lower() not in TRUTHS:
            raise UsageError(f"{place}: {given!r} is not yes or no")
        return TRUTHS[text.lower()]
    if isinstance(default, int):
        match = re.fullmatch(r"(\d+)\s*([kmg]i?|)b?", text.replace("_", "").lower())
        if match is None:
            raise UsageError(f"{place}: {given!r} is not a whole number (200000, 100MB or 64MiB)")
        return int(match[1]) * SIZES[match[2]]
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{place}: {given!r} is not a number") from None


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)
