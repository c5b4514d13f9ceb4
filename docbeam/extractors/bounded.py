"""Caps that are measured while text and bytes stream by: characters, seconds, bytes out, entries."""

from __future__ import annotations

import lzma
import os
import tempfile
import time
import weakref
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import BinaryIO

from docbeam.extractors.zip_directory import ZipDirectory, read_directory
from docbeam.extractors.zip_member import entry_chunks
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Member, Notice, Page
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, PageKind, TruncationReason, WarningCode

CHUNK_BYTES = 1 << 20
CHECK_EVERY_ADDS = 16  # reading the clock costs more than a short add
MAX_NOTICES = 200  # a file can make millions; the last one says how many were left out
MAX_METADATA_CHARS = 4_000  # a title is a line, not a book
MAX_MEMBER_PATH_CHARS = 1_000  # honest paths stay under 260
MEMBER_PREFIX = "member-"
PAGE_BREAK = "\n\n"


class CutShort(Exception):
    """A member's data end here although there should be more: what came so far is handed out, marked as damaged."""


class Full(Exception):
    """No more text is wanted: a cap is reached or the soft deadline has passed."""


class TextBuilder:
    """Collects the text of one document under its character cap and its soft deadline.

    with out.until_full():
        for part in parts:
            out.add(part)
    return out.extracted()
    """

    def __init__(self, options: ExtractOptions) -> None:
        self.options = options
        self.metadata: dict[str, str] = {}
        self.notices: list[Notice] = []
        self.truncation: TruncationReason | None = None
        self.omitted_tables = 0  # what TableWriter left out on demand
        self._parts: list[str] = []
        self._chars = 0
        self._pages: list[Page] = []
        self._last_seen_page = 0
        self._adds = 0
        self._notices_left_out = 0
        self._members = MemberFiles(options)
        self._deadline = time.monotonic() + options.extraction_timeout_seconds

    @contextmanager
    def until_full(self) -> Iterator[None]:
        """Run a block that adds text; it ends early, without an error, when the text is full."""
        with suppress(Full):
            yield

    def add(self, text: str) -> None:
        """Append text as it is. Raises Full at the character cap (the part that fits is kept) and at the deadline."""
        room = self.options.max_extracted_chars - self._chars
        if len(text) > room:
            self._parts.append(text[:room])
            self._chars += room
            self.stop(TruncationReason.MAX_EXTRACTED_CHARS)
        self._parts.append(text)
        self._chars += len(text)
        self._adds += 1
        if self._adds % CHECK_EVERY_ADDS == 0:
            self.check_deadline()

    def line(self, text: str) -> None:
        """Append a line and its end."""
        self.add(text + "\n")

    def check_deadline(self) -> None:
        """Raise Full when the soft deadline has passed; call it in loops that add little text."""
        if time.monotonic() > self._deadline:
            self.stop(TruncationReason.DEADLINE)

    def remaining_seconds(self) -> float:
        """Return the seconds until the soft deadline, 0 when it has passed; a document inside this one gets no more."""
        return max(0.0, self._deadline - time.monotonic())

    def stop(self, reason: TruncationReason) -> None:
        """Mark the text as truncated and raise Full."""
        self.truncation = self.truncation or reason
        raise Full(reason)

    def cut(self, reason: TruncationReason) -> None:
        """Mark the text as truncated and go on."""
        self.truncation = self.truncation or reason

    def wants(self, number: int) -> bool:
        """Say whether a page is within the range that the options ask for; the work for others can be spared."""
        self._last_seen_page = max(self._last_seen_page, number)
        last = self.options.last_page
        return number >= self.options.start_page and (last is None or number <= last)

    def wanted(self, page_count: int) -> range:
        """Return the numbers of the pages to read, of a document that has `page_count` of them."""
        self._last_seen_page = max(self._last_seen_page, page_count)
        last = self.options.last_page
        return range(self.options.start_page, min(page_count, last or page_count) + 1)

    def page(
        self,
        number: int,
        text: str,
        origin: Origin = Origin.NATIVE,
        *,
        kind: PageKind = PageKind.PAGE,
        label: str | None = None,
    ) -> None:
        """Append one page, set off from the page before by a blank line. Raises Full as add does, with the page recorded.

        A page that the options don't want is left out. `kind` and `label` (the page's number, if there is none) make the
        marker that stands above the text, and belongs to the page, if the options ask for markers.
        """
        if not self.wants(number):
            return
        if self.options.page_markers:
            marker = page_marker(kind, label or str(number))
            text = f"{marker}\n{text}" if text else marker
        if self._chars and text:
            self.add(PAGE_BREAK)
        start = self._chars
        try:
            self.add(text)
        finally:
            self._pages.append(Page(number, start, self._chars, origin))

    def warn(self, code: WarningCode, part: str, message: str) -> None:
        """Record a warning; past MAX_NOTICES they are counted only."""
        if len(self.notices) < MAX_NOTICES:
            self.notices.append(Notice(code, part, message))
        else:
            self._notices_left_out += 1

    def meta(self, key: str, value: object) -> None:
        """Record a metadata value as text; None and blank values are left out."""
        text = "" if value is None else str(value).strip()
        if text:
            self.metadata[key] = text[:MAX_METADATA_CHARS]

    def member(self, path: str, data: bytes | Iterable[bytes], media_type: str | None = None) -> None:
        """Unpack an embedded document to a file, under the caps of entries and bytes; it becomes a row of its own.

        Past a cap nothing is unpacked any more, the text is marked as truncated and a warning says so. An error while
        the data is produced becomes the member's own problem, CutShort its damage.
        """
        if not self._members.is_open:
            return
        try:
            self._members.add(path, [data] if isinstance(data, bytes) else data, media_type)
            self.check_deadline()
        except TooMuch as limit:
            self.cut(TruncationReason.CONTAINER_LIMIT)
            self.warn(limit.code, path, f"{limit}: this entry and all behind it were left out")

    def failed_member(self, path: str, category: ErrorCategory, message: str, media_type: str | None = None) -> None:
        """Record an embedded document that can't be unpacked (encrypted, damaged); it becomes a quarantine row."""
        self._members.add_failed(path, (category, message), media_type)

    def adopt_members(self, path: str, members: Iterable[Member]) -> None:
        """Take over what was embedded in a part at `path` that another extractor has read for this document."""
        self._members.adopt(path, members)

    def extracted(
        self,
        *,
        page_count: int | None = None,
        confidence: Confidence = Confidence.DETERMINISTIC,
        tiers: tuple[str, ...] = ("native",),
        title: str | None = None,
        author: str | None = None,
        created_at: datetime | None = None,
        modified_at: datetime | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Extracted:
        """Return what was collected."""
        self._name_what_was_not_wanted(page_count)
        if self._notices_left_out:
            last = self.notices[-1]
            self.notices[-1] = Notice(last.code, last.part, f"{last.message} ({self._notices_left_out} more warnings left out)")
        return Extracted(
            content="".join(self._parts),
            pages=tuple(self._pages),
            page_count=page_count,
            confidence=confidence,
            truncation=self.truncation,
            tiers=tiers,
            title=title,
            author=author,
            created_at=created_at,
            modified_at=modified_at,
            metadata={**self.metadata, **(metadata or {})},
            warnings=tuple(self.notices),
            members=self._members.taken(),
        )

    def _name_what_was_not_wanted(self, page_count: int | None) -> None:
        if self.omitted_tables:
            count = f"{self.omitted_tables} table{'s' if self.omitted_tables > 1 else ''}"
            self.warn(WarningCode.PART_NOT_READ, "tables", f"{count} left out, as the option `tables` is omit")
        count_known, first, last = page_count or self._last_seen_page, self.options.start_page, self.options.last_page
        if count_known and first > count_known:
            self.warn(WarningCode.NO_TEXT, "document", f"start_page is {first}, and the last page is {count_known}")
        if (first > 1 and count_known) or (last is not None and count_known > last):
            self.cut(TruncationReason.PAGE_RANGE)


def page_marker(kind: PageKind, label: str) -> str:
    """Return the line that stands above a page's text: `[Slide 3]`."""
    return f"[{kind} {' '.join(label.split())}]"


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
        self._paths: Counter[str] = Counter()
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
        path = path[:MAX_MEMBER_PATH_CHARS] or "unnamed"
        self._paths[path] += 1
        return path if self._paths[path] == 1 else f"{path} ({self._paths[path]})"


_UNTAKEN: weakref.WeakSet[MemberFiles] = weakref.WeakSet()


def drop_untaken_members() -> None:
    """Remove what a failed extraction has unpacked, now: an exception's traceback can keep it alive for long."""
    for files in list(_UNTAKEN):
        files.drop()


def _remove_files(names: list[str]) -> None:
    for name in names:
        with suppress(OSError):
            os.unlink(name)


class ZipReader:
    """A ZIP file under its caps: entries and declared sizes first, then the bytes that really come out, over all members.

    Raises: ExtractionError TOO_MANY_ENTRIES, TOO_LARGE_DECOMPRESSED, ENCRYPTED_NO_KEY, CORRUPT or
    STREAM_DECOMPRESSION_FAIL.
    """

    def __init__(self, file: BinaryIO, options: ExtractOptions) -> None:
        self._file = file
        self._left = self._limit = options.max_decompressed_bytes
        directory = read_directory(file, options.max_zip_entries)
        check_directory(directory, options)
        if directory.problem is not None:
            raise ExtractionError(ErrorCategory.CORRUPT, f"ZIP directory: {directory.problem}")
        self.names = {entry.name: entry for entry in directory.entries}

    def read(self, name: str) -> bytes:
        """Return a member's bytes. Raises KeyError if there is no such member."""
        return b"".join(self.chunks(name))

    def chunks(self, name: str, size: int = CHUNK_BYTES) -> Iterator[bytes]:
        """Yield a member's bytes, at most `size` at a time; the caller may stop early. Raises KeyError as read does."""
        for chunk in entry_chunks(self._file, self.names[name], size):
            self._left -= len(chunk)
            if self._left < 0:
                raise ExtractionError(
                    ErrorCategory.TOO_LARGE_DECOMPRESSED,
                    f"member {name!r}: unpacks past the limit of {self._limit} bytes",
                )
            yield chunk


def check_directory(directory: ZipDirectory, options: ExtractOptions) -> None:
    """Hold a directory to the caps. Raises ExtractionError TOO_MANY_ENTRIES or TOO_LARGE_DECOMPRESSED."""
    if len(directory.entries) > options.max_zip_entries:
        limit = options.max_zip_entries
        raise ExtractionError(ErrorCategory.TOO_MANY_ENTRIES, f"ZIP directory: more than {limit} entries, limit {limit}")
    declared = sum(entry.file_size or 0 for entry in directory.entries)
    if declared > options.max_decompressed_bytes:
        limit = options.max_decompressed_bytes
        raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"ZIP directory: {declared} bytes declared, limit {limit}")
