"""Which of a document's passwords fits: tried in order, under a deadline; the error where none does names none of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

TRY_SHARE = 0.5  # of the soft deadline: what is left is for reading
SCHEME, OPENED_BY = "encryption.scheme", "encryption.openedBy"  # keys of the metadata
BLANK, WELL_KNOWN, GIVEN = "blank password", "well-known password", "given password"
EXCEL, POWERPOINT = "VelvetSweatshop", "/01Hannes Ruescher/01"  # with these, Excel and PowerPoint open files and ask nobody
K = TypeVar("K")
Order = Callable[[tuple[str, ...]], tuple[str, ...]]


class Opened(NamedTuple):
    """How a document was opened: by which scheme it is encrypted, and by what kind of password. Never the password."""

    scheme: str
    by: str

    def describe(self, out: TextBuilder) -> None:
        """Record it as metadata of the row."""
        out.meta(SCHEME, self.scheme)
        out.meta(OPENED_BY, self.by)


class Keys:
    """The passwords to try on one document: the blank one and well-known ones first, then those that are given."""

    def __init__(
        self, source: Source, options: ExtractOptions, well_known: Iterable[str] = (), *, order: Order | None = None
    ) -> None:
        self._given = source.passwords if order is None else order(source.passwords)
        self._well_known = tuple(well_known)
        self._seconds = TRY_SHARE * options.extraction_timeout_seconds
        self._deadline = time.monotonic() + self._seconds

    def fitting(self, key_of: Callable[[str], K | None], what: str) -> tuple[K, str]:
        """Return the key that the first fitting password makes, and the kind of that password.

        `key_of` returns None for a password that does not fit. `what` begins the message of the error.
        Raises: ExtractionError(ENCRYPTED_NO_KEY) if none fits, or the time for trying is over.
        """
        tried = 0
        for password, by in self._candidates():
            if by != BLANK and time.monotonic() > self._deadline:
                break
            key = key_of(password)
            if key is not None:
                return key, by
            tried += by == GIVEN
        left = [password for password, by in self._candidates() if by == GIVEN][tried:]
        raise self.too_late(what, tried) if left else self.no_key(what)

    def no_key(self, what: str) -> ExtractionError:
        """Return the error for a document that no password opens: it says how many there were, and never which."""
        return ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{what}: {none_fits(len(self._given))}")

    def too_late(self, what: str, tried: int) -> ExtractionError:
        """Return the error for a document on which there was no time to try all passwords."""
        message = f"{tried} of {len(self._given)} given passwords were tried in {self._seconds:g} s, and none fits"
        hint = "raise extraction_timeout_seconds, or name documents in the passwords file"
        return ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{what}: {message}; {hint}")

    def _candidates(self) -> Iterator[tuple[str, str]]:
        first = ("", *self._well_known)
        yield "", BLANK
        yield from ((password, WELL_KNOWN) for password in self._well_known)
        yield from ((password, GIVEN) for password in self._given if password not in first)


def none_fits(count: int) -> str:
    """Return the words for passwords that don't open a document."""
    if count == 0:
        return "no password was given for it"
    return "the given password does not fit" if count == 1 else f"none of {count} given passwords fits"
