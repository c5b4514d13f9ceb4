"""Caps that are measured while text and bytes stream by: characters, seconds, bytes out, entries."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import BinaryIO

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Notice, Page
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode

CHUNK_BYTES = 1 << 20
CHECK_EVERY_ADDS = 16  # reading the clock costs more than a short add
MAX_NOTICES = 200  # a file can make millions; the last one says how many were left out
MAX_METADATA_CHARS = 4_000  # a title is a line, not a book
PAGE_BREAK = "\n\n"


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
        self._parts: list[str] = []
        self._chars = 0
        self._pages: list[Page] = []
        self._page_start = 0
        self._adds = 0
        self._notices_left_out = 0
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

    def page(self, number: int, text: str, origin: Origin = Origin.NATIVE) -> None:
        """Append one page, set off from the page before by a blank line. Raises Full as add does, with the page recorded."""
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
        )


class ZipReader:
    """A ZIP file under its caps: entries and declared sizes first, then the bytes that really come out, over all members.

    Raises: ExtractionError TOO_MANY_ENTRIES, TOO_LARGE_DECOMPRESSED, ENCRYPTED_NO_KEY, CORRUPT or
    STREAM_DECOMPRESSION_FAIL.
    """

    def __init__(self, file: BinaryIO, options: ExtractOptions) -> None:
        self._left = self._limit = options.max_decompressed_bytes
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise ExtractionError(ErrorCategory.CORRUPT, f"ZIP directory: {error}") from error
        entries = self._zip.infolist()
        if len(entries) > options.max_zip_entries:
            raise ExtractionError(
                ErrorCategory.TOO_MANY_ENTRIES, f"ZIP directory: {len(entries)} entries, limit {options.max_zip_entries}"
            )
        declared = sum(entry.file_size for entry in entries)
        if declared > self._limit:
            raise ExtractionError(
                ErrorCategory.TOO_LARGE_DECOMPRESSED, f"ZIP directory: {declared} bytes declared, limit {self._limit}"
            )
        self.names = {entry.filename: entry for entry in entries}

    def read(self, name: str) -> bytes:
        """Return a member's bytes. Raises KeyError if there is no such member."""
        return b"".join(self.chunks(name))

    def chunks(self, name: str, size: int = CHUNK_BYTES) -> Iterator[bytes]:
        """Yield a member's bytes, at most `size` at a time; the caller may stop early. Raises KeyError as read does."""
        entry = self.names[name]
        if entry.flag_bits & 1:
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"member {name!r} is encrypted")
        try:
            with self._zip.open(entry) as member:
                while chunk := member.read(min(size, self._left + 1)):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise ExtractionError(
                            ErrorCategory.TOO_LARGE_DECOMPRESSED,
                            f"member {name!r}: unpacks past the limit of {self._limit} bytes",
                        )
                    yield chunk
        except ExtractionError:
            raise
        except Exception as error:  # zlib, bz2, lzma and zipfile raise their own kinds for broken data
            raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"member {name!r}: {error}") from error
