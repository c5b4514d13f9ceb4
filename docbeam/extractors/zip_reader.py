"""A ZIP file under its caps: entries and declared sizes first, then the bytes that really come out, over all members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from docbeam.extractors.source import CHUNK_BYTES
from docbeam.extractors.zip_directory import ZipDirectory, read_directory
from docbeam.extractors.zip_member import entry_chunks
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory


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
