"""Embedded documents, unpacked to temporary files under the caps of entries and bytes, until somebody takes them."""

from __future__ import annotations

import lzma
import os
import tempfile
import weakref
import zlib
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Member
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

MAX_MEMBER_PATH_CHARS = 1_000  # honest paths stay under 260
MAX_ENDING_CHARS = 10
MEMBER_PREFIX = "member-"


class CutShort(Exception):
    """A member's data end here although there should be more: what came so far is handed out, marked as damaged."""


class TooMuch(Exception):
    """A cap on embedded documents is reached; `code` is the warning for it."""

    def __init__(self, code: WarningCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class MemberFiles:
    """The unpacked members of one document, in temporary files that are removed if nobody takes them."""

    def __init__(self, options: ExtractOptions) -> None:
        self.is_open = True
        self._options = options
        self._bytes = 0
        self._paths: Counter[str] = Counter()  # how often each path was asked for
        self._taken: set[str] = set()
        self._members: list[Member] = []
        self._files: list[str] = []
        self._finalizer = weakref.finalize(self, _remove_files, self._files)
        _UNTAKEN.add(self)

    def add(self, path: str, chunks: Iterable[bytes], media_type: str | None) -> None:
        """Write a member's file. Raises TooMuch at a cap; a broken stream becomes the member's problem."""
        if len(self._members) >= self._options.max_zip_entries:
            self.is_open = False
            raise TooMuch(WarningCode.ENTRY_LIMIT, f"entry {len(self._members) + 1}, limit {self._options.max_zip_entries}")
        size, problem, damage = 0, None, None
        with tempfile.NamedTemporaryFile(prefix=MEMBER_PREFIX, delete=False) as file:
            self._files.append(file.name)
            iterator = iter(chunks)
            while True:
                try:
                    chunk = next(iterator, None)
                except CutShort as cut:
                    damage = str(cut)
                    break
                except ExtractionError as error:
                    problem = (error.category, error.message)
                    break
                except (OSError, ValueError, EOFError, LookupError, ArithmeticError, zlib.error, lzma.LZMAError) as error:
                    problem = (ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"{type(error).__name__}: {error}"[:300])
                    break
                if chunk is None:
                    break
                size += len(chunk)
                if self._bytes + size > self._options.max_decompressed_bytes:
                    self.is_open = False
                    limit = self._options.max_decompressed_bytes
                    raise TooMuch(WarningCode.BYTE_LIMIT, f"more than {limit} bytes unpacked, limit {limit}")
                file.write(chunk)
        self._bytes += size
        if problem is not None:
            self.add_failed(path, problem, media_type)
        else:
            unique = self._unique(path)
            self._members.append(Member(path=unique, file=file.name, size_bytes=size, media_type=media_type, damage=damage))

    def add_failed(self, path: str, problem: tuple[ErrorCategory, str], media_type: str | None) -> None:
        """Record a member that can't be unpacked."""
        if len(self._members) < self._options.max_zip_entries:
            self._members.append(Member(path=self._unique(path), media_type=media_type, problem=problem))

    def adopt(self, path: str, members: Iterable[Member]) -> None:
        """Take over members with their files."""
        for member in members:
            if member.file is not None:
                self._files.append(member.file)
            self._bytes += member.size_bytes
            self._members.append(replace(member, path=self._unique(f"{path}/{member.path}")))

    def taken(self) -> tuple[Member, ...]:
        """Return the members; their files belong to the caller from now on."""
        kept = {member.file for member in self._members}
        _remove_files([name for name in self._files if name not in kept])
        self._finalizer.detach()
        _UNTAKEN.discard(self)
        return tuple(self._members)

    def drop(self) -> None:
        """Remove all files: nobody will take them."""
        self._finalizer()
        _UNTAKEN.discard(self)

    def _unique(self, path: str) -> str:
        path = unique = path[:MAX_MEMBER_PATH_CHARS] or "unnamed"
        self._paths[path] += 1
        while unique in self._taken:
            self._paths[path] += unique != path  # another member has this path by name
            stem, ending = os.path.splitext(path)
            if len(ending) > MAX_ENDING_CHARS:
                stem, ending = path, ""
            unique = f"{stem} ({self._paths[path]}){ending}"  # the ending stays: it is a hint for the media type
        self._taken.add(unique)
        return unique


_UNTAKEN: weakref.WeakSet[MemberFiles] = weakref.WeakSet()


def drop_untaken_members() -> None:
    """Remove what a failed extraction has unpacked, now: an exception's traceback can keep it alive for long."""
    for files in list(_UNTAKEN):
        files.drop()


def _remove_files(names: list[str]) -> None:
    for name in names:
        with suppress(OSError):
            os.unlink(name)
