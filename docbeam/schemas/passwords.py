"""Passwords for encrypted documents: which are tried on which document, and in which order.

They come from a file of one of two forms. A file whose name ends in .csv, or whose first line is `uri,password`, is CSV with a
pattern and a password a line; any other file has one password a line, and the whole line is the password.
"""

from __future__ import annotations

import csv
import fnmatch
import io
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn
from urllib.parse import unquote

from docbeam.schemas.errors import UsageError

HEADER = ("uri", "password")
MAX_FILE_BYTES = 6 << 20  # all of it fits in one message to a child
MAX_PASSWORD_CHARS = 1_024  # PDF uses 127 bytes at most, Office 255 characters
EVERYWHERE = ("", "*", "**")  # patterns of passwords that are for all documents
WILDCARDS = re.compile(r"[*?\[]")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Rule(NamedTuple):
    """A password and the pattern of the URIs that it is for; an empty pattern is for all."""

    pattern: str
    password: str

    def __repr__(self) -> str:
        return f"Rule({self.pattern!r}, …)"


class Passwords:
    """The passwords of one run. Nothing that shows it shows them, and it can't be pickled: only its file's URL travels.

    A pattern is matched against the whole URI, in which `*` stands for any characters, `/` included; one that begins with no
    `/`, `*` or scheme may begin at any part of the path: `report.pdf`, `2024/*.xlsx`.
    """

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        general: list[str] = []
        self._exact: dict[str, list[tuple[int, Rule]]] = {}  # patterns without wildcards, by their last part
        self._patterns: list[tuple[int, re.Pattern[str], str]] = []
        self.count = 0
        for number, rule in enumerate(rules):
            self.count += 1
            if rule.pattern in EVERYWHERE:
                general.append(rule.password)
            elif WILDCARDS.search(rule.pattern):
                self._patterns.append((number, _compiled(rule.pattern), rule.password))
            else:
                self._exact.setdefault(rule.pattern.rpartition("/")[2], []).append((number, rule))
        self._general = tuple(dict.fromkeys(general))

    @classmethod
    def of(cls, given: Passwords | Iterable[str] | None) -> Passwords:
        """Return passwords as they are, or those of a list, which are for all documents.

        Raises: UsageError for a single text, which could be a password or a file's name, and for what is no text.
        """
        if isinstance(given, Passwords):
            return given
        if isinstance(given, (str, bytes)):
            raise UsageError("passwords: give a list of passwords, such as [password], or read_passwords(URL)")
        found = list(given or ())
        if not all(isinstance(password, str) for password in found):
            raise UsageError("passwords: one of them is no text (str)")
        return cls(Rule("", password) for password in found)

    def for_uri(self, uri: str) -> tuple[str, ...]:
        """Return the passwords to try on a document: those whose pattern its URI matches, then those for all."""
        if not (self._exact or self._patterns):
            return self._general
        names = list(dict.fromkeys(_spellings(uri)))
        found = [pair for name in names for pair in self._exactly(name)]
        found += [(number, password) for number, pattern, password in self._patterns if any(map(pattern.fullmatch, names))]
        return tuple(dict.fromkeys((*(password for _, password in sorted(found)), *self._general)))

    def __bool__(self) -> bool:
        return self.count > 0

    def __repr__(self) -> str:
        return f"<{self.count} passwords>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("passwords are not pickled: the file's URL travels, and each process reads it")

    def _exactly(self, name: str) -> Iterator[tuple[int, str]]:
        for number, rule in self._exact.get(name.rpartition("/")[2], ()):
            if name == rule.pattern or (_is_relative(rule.pattern) and name.endswith("/" + rule.pattern)):
                yield number, rule.password


NO_PASSWORDS = Passwords()


def parse_passwords(data: bytes, name: str) -> Passwords:
    """Return the passwords of a file; its name says which form it has, or its first line does.

    Raises: UsageError with the line's number, and never its text.
    """
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"passwords file {name!r}: {len(data)} bytes, limit {MAX_FILE_BYTES}")
    text = _decoded(data, name)
    lines = re.split(r"\r\n|\n|\r", text)
    is_csv = name.partition("?")[0].lower().endswith(".csv") or _is_header(lines[0].split(","))
    rules = list(_csv_rules(text, name) if is_csv else (Rule("", line) for line in lines if line))
    for rule in rules:
        if len(rule.password) > MAX_PASSWORD_CHARS:
            message = f"a password has {len(rule.password)} characters, limit {MAX_PASSWORD_CHARS}"
            raise UsageError(f"passwords file {name!r}: {message}")
    if not rules:
        raise UsageError(f"passwords file {name!r}: there is no password in it")
    return Passwords(rules)


def _csv_rules(text: str, name: str) -> Iterator[Rule]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for place, row in enumerate(reader):
            if not row or (place == 0 and _is_header(row)):
                continue
            if len(row) != len(HEADER):
                message = f"line {reader.line_num} has {len(row)} fields in place of uri-glob,password"
                hint = '; a password with a comma or a quote stands in quotes: "a,""b"'
                raise UsageError(f"passwords file {name!r}: {message}{hint}")
            if row[1]:
                yield Rule(row[0].strip(), row[1])
    except csv.Error:  # its message is of the form, and the line would be of a password
        raise UsageError(f"passwords file {name!r}: line {reader.line_num}: quotes that don't close or stand alone") from None


def _is_header(row: list[str]) -> bool:
    return tuple(field.strip().strip('"').lower() for field in row) == HEADER


def _decoded(data: bytes, name: str) -> str:
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line} is not {'UTF-16' if is_wide else 'UTF-8'}; save the file as UTF-8"
        raise UsageError(f"passwords file {name!r}: {message}") from None
    if "\0" in text:
        raise UsageError(f"passwords file {name!r}: it holds NUL, so it is no text file")
    return text


def _spellings(uri: str) -> Iterator[str]:
    """Yield a URI as a person may write it: as it is, decoded, and a local file's path."""
    for spelling in (uri, unquote(uri)):
        yield spelling
        if spelling.startswith("file://"):
            yield spelling[len("file://") :]


def _is_relative(pattern: str) -> bool:
    return not pattern.startswith(("/", "*")) and not SCHEME.match(pattern)


def _compiled(pattern: str) -> re.Pattern[str]:
    plain = fnmatch.translate(pattern)
    return re.compile(f"(?:.*/)?{plain}" if _is_relative(pattern) else plain, re.DOTALL)
