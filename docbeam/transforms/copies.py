"""Inputs with equal bytes: read once, with a row for each. No Beam here.

The first of them, by its URI, is read; the others, its copies, repeat its rows with their own names. Where the name can
change what is read (the same bytes as .csv and as .txt), a copy is read for itself, and says all the same what it repeats.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from docbeam.extractors.engine import mismatch_notice
from docbeam.extractors.sniff.decide import extension_of
from docbeam.schemas.media_types import BY_EXTENSION, MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import BlobRef, Document, Extracted, Row
from docbeam.schemas.vocabulary import WarningCode
from docbeam.transforms.read import name_of

MOST_COPIES = 1_000  # that one reference carries: their rows wait in memory together
KNOWN_BY_BYTES = (MediaType.EMPTY, MediaType.PDF)  # and pictures: their names change nothing
NAMED_INSIDE = (MediaType.GZIP, MediaType.BZIP2, MediaType.XZ, MediaType.LZMA)  # what they hold is named by their own name


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedRef(BlobRef):
    """A reference that is read for others too. `sha256` is what all of them had when they were compared.

    `has_rows` is False where its own rows are made elsewhere.
    """

    sha256: str
    copies: tuple[BlobRef, ...]
    has_rows: bool = True

    def plain(self) -> list[BlobRef]:
        """Return all that it stands for, each for itself."""
        own = BlobRef(**{field.name: getattr(self, field.name) for field in fields(BlobRef)})
        return [own, *self.copies] if self.has_rows else list(self.copies)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reference that may have copies. `sha256` is set if it is known; `is_done`: its rows were recovered."""

    ref: BlobRef
    sha256: str | None = None
    is_done: bool = False

    def with_version(self, source_version: str | None) -> Candidate:
        """Return it with the version that was compared."""
        return replace(self, ref=replace(self.ref, source_version=source_version))


def with_copies(sha256: str, candidates: Iterable[Candidate]) -> Iterator[BlobRef]:
    """Yield the references to read for inputs with equal bytes, given by their URIs: one for all, or a few for very many."""
    rest = iter(candidates)
    first = next(rest)
    known = {field.name: getattr(first.ref, field.name) for field in fields(BlobRef)}
    copies = (candidate.ref for candidate in rest if not candidate.is_done)
    has_rows = not first.is_done
    while chunk := tuple(itertools.islice(copies, MOST_COPIES)):
        yield CopiedRef(**known, sha256=sha256, copies=chunk, has_rows=has_rows)
        has_rows = False
    if has_rows:
        yield first.ref


def parted(first: BlobRef, media_type: str | None, copies: Sequence[BlobRef]) -> tuple[list[BlobRef], list[BlobRef]]:
    """Return the copies that repeat the first one's rows, and those that are read for themselves because of their names."""
    repeating, own = list[BlobRef](), list[BlobRef]()
    for copy in copies:
        is_alike = _is_alike(name_of(first), name_of(copy), media_type)
        (repeating if is_alike else own).append(copy if is_alike else replace(copy, duplicate_of=first.uri))
    return repeating, own


@dataclass(frozen=True, slots=True)
class Copies:
    """The copies that repeat an input's rows. `has_rows`: the input's own rows are made along with theirs."""

    refs: Sequence[BlobRef] = ()
    has_rows: bool = True

    def rows(self, rows: tuple[Row, ...], options: ExtractOptions) -> Iterator[tuple[Row, ...]]:
        """Yield the input's rows, and for each copy the same under its own name."""
        if self.has_rows:
            yield rows
        for copy in self.refs:
            yield tuple(_copied(row, rows[0].identity.uri, copy, options) for row in rows)

    def form(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        refs = [{"uri": ref.uri, "source_version": ref.source_version} for ref in self.refs]
        return {"refs": refs, "has_rows": self.has_rows}


NO_COPIES = Copies()


def copies_from(form: Mapping[str, Any]) -> Copies:
    """Return what `form` has kept: of the references as much as rows need."""
    return Copies([BlobRef(**ref) for ref in form["refs"]], form["has_rows"])


def _is_alike(first: str, copy: str, media_type: str | None) -> bool:
    if media_type in NAMED_INSIDE:
        return first == copy
    is_known_by_bytes = media_type in KNOWN_BY_BYTES or (media_type or "").startswith("image/")
    return (is_known_by_bytes and media_type != "image/svg+xml") or extension_of(first) == extension_of(copy)


def _copied(row: Row, first_uri: str, copy: BlobRef, options: ExtractOptions) -> Row:
    old = row.identity
    parent = None if old.parent_uri is None else copy.uri + old.parent_uri.removeprefix(first_uri)
    first, own = name_of(BlobRef(uri=first_uri)), name_of(copy)
    declared = old.declared_media_type
    if old.depth == 0 and declared == BY_EXTENSION.get(extension_of(first)):
        declared = BY_EXTENSION.get(extension_of(own))
    identity = replace(
        old,
        uri=copy.uri + old.uri.removeprefix(first_uri),
        root_uri=copy.uri,
        parent_uri=parent,
        source_version=copy.source_version,
        declared_media_type=declared,
        duplicate_of=old.uri,
    )
    if not isinstance(row, Document):
        return replace(row, identity=identity)
    extracted = row.extracted
    if old.depth == 0:
        extracted = _with_own_mismatch(extracted, own, declared, old.media_type or "")
    if not options.duplicate_text:
        extracted = replace(extracted, content="", pages=())
    return replace(row, identity=identity, extracted=extracted)


def _with_own_mismatch(extracted: Extracted, name: str, declared: str | None, media_type: str) -> Extracted:
    """Return a text whose warning about the name is the copy's own, not the first one's."""
    others = tuple(notice for notice in extracted.warnings if notice.code is not WarningCode.TYPE_MISMATCH)
    notice = mismatch_notice(name, declared, media_type)
    warnings = (notice, *others) if notice is not None else others
    return extracted if warnings == extracted.warnings else replace(extracted, warnings=warnings)
