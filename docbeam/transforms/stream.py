"""A document's bytes as a stream: capped, hashed as they pass, and the same from the first to the last."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

import fsspec

from docbeam.extractors.source import CHUNK_BYTES
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.places import local_bytes_of, local_version
from docbeam.transforms.storage import StorageOptions


@dataclass(frozen=True, slots=True)
class Hashed:
    """Size and digests (hex) of a document's bytes, and what storage called this version."""

    size_bytes: int
    sha256: str
    md5: str
    source_version: str | None


class UnreadError(ExtractionError):
    """An input whose bytes were not handed on, with what is known of them all the same: size, and digests if read whole."""

    def __init__(self, category: ErrorCategory, message: str, *, found: Hashed | None = None, size: int | None = None) -> None:
        super().__init__(category, message)
        self.found = found
        self.size_bytes = found.size_bytes if found is not None else size


class ChangedError(OSError):
    """A file that was not the same from the first byte read to the last: worth another try."""


class LimitedStream:
    """Counts and hashes what is read from a stream, and stops it at the body cap.

    Raises: UnreadError(INPUT_TOO_LARGE) for the first byte over the cap.
    """

    def __init__(self, stream: BinaryIO, limit_bytes: int) -> None:
        self._stream = stream
        self._limit_bytes = limit_bytes
        self.size_bytes = 0
        self.sha256 = hashlib.sha256()
        self.md5 = hashlib.md5(usedforsecurity=False)

    def chunks(self) -> Iterator[bytes]:
        """Return the stream's bytes in chunks of at most a mebibyte."""
        while chunk := self._stream.read(CHUNK_BYTES):
            self.size_bytes += len(chunk)
            if self.size_bytes > self._limit_bytes:
                raise UnreadError(ErrorCategory.INPUT_TOO_LARGE, _too_large(f"at least {self.size_bytes}", self._limit_bytes))
            self.sha256.update(chunk)
            self.md5.update(chunk)
            yield chunk


def check_size(size_bytes: int, limit_bytes: int) -> None:
    """Raise UnreadError(INPUT_TOO_LARGE) if a body is over its cap."""
    if size_bytes > limit_bytes:
        raise UnreadError(ErrorCategory.INPUT_TOO_LARGE, _too_large(str(size_bytes), limit_bytes), size=size_bytes)


def _too_large(size: str, limit_bytes: int) -> str:
    return f"body: {size} bytes, limit {limit_bytes} (max_body_bytes)"


@contextmanager
def opened(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Iterator[tuple[LimitedStream, str | None]]:
    """Open a document for the length of a block, which reads it to its end; yield its stream and version.

    Raises: ChangedError if it was not the same all the time, or is not as long as the listing says.
    """
    path = local_path_of(ref)
    if path is None:
        if ref.size_bytes is not None:
            check_size(ref.size_bytes, limit_bytes)
        fs, remote = fsspec.core.url_to_fs(ref.uri, **storage_options)
        with fs.open(remote, "rb") as file:
            stream = LimitedStream(file, limit_bytes)
            yield stream, ref.source_version
        if ref.size_bytes is not None and stream.size_bytes != ref.size_bytes:
            raise ChangedError(f"{stream.size_bytes} bytes were read, the listing says {ref.size_bytes}")
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a FIFO put here since can't block us
    with open(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ExtractionError(ErrorCategory.NOT_A_REGULAR_FILE, "became something else than a file since it was listed")
        check_size(status.st_size, limit_bytes)
        stream = LimitedStream(file, limit_bytes)
        yield stream, local_version(status)
        if stream.size_bytes != status.st_size or local_version(os.fstat(descriptor)) != local_version(status):
            sizes = f"{status.st_size} bytes before, {stream.size_bytes} read"
            raise ChangedError(f"the file changed while it was read: {sizes}")


def local_path_of(ref: BlobRef) -> bytes | None:
    """Return the path of a document in a local file system, None for another one."""
    return ref.path or local_bytes_of(ref.uri)
