"""Bring one document's bytes to this machine: capped, hashed in the same pass, retried with back-off.

A storage that fails is never the document's fault: what can't be read now ends as `transient_io`.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

import fsspec

from docbeam.extractors.source import CHUNK_BYTES, Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.places import local_bytes_of, local_version
from docbeam.transforms.storage import StorageOptions

INLINE_BYTES = 256 * 1024  # up to here bytes travel by the socket; above, the child opens the file itself
BACKOFF_SECONDS = (0.2, 1.0, 3.0)
FINAL_BACKOFF_SECONDS = (0.1,)  # missing or forbidden: one more look is enough
FINAL_ERRORS = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document's bytes on this machine, with their digests (hex) and what storage called this version."""

    source: Source
    size_bytes: int
    sha256: str
    md5: str
    source_version: str | None


class LimitedStream:
    """Counts and hashes what is read from a stream, and stops it at the body cap.

    Raises: ExtractionError(INPUT_TOO_LARGE) for the first byte over the cap.
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
            check_size(self.size_bytes, self._limit_bytes)
            self.sha256.update(chunk)
            self.md5.update(chunk)
            yield chunk


def check_size(size_bytes: int, limit_bytes: int) -> None:
    """Raise ExtractionError(INPUT_TOO_LARGE) if a body is over its cap."""
    if size_bytes > limit_bytes:
        message = f"body: at least {size_bytes} bytes, limit {limit_bytes} (max_body_bytes)"
        raise ExtractionError(ErrorCategory.INPUT_TOO_LARGE, message)


@contextmanager
def fetched(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Iterator[Fetched]:
    """Bring a document here for the length of a block; a spool file is removed behind it.

    Raises: ExtractionError INPUT_TOO_LARGE, NOT_A_REGULAR_FILE, TRANSIENT_IO (after retries), INTEGRITY_MISMATCH.
    """
    if ref.problem is not None:
        raise ExtractionError(*ref.problem)
    found = _with_retries(ref, limit_bytes, storage_options)
    try:
        if ref.expected_sha256 and found.sha256 != ref.expected_sha256:
            message = f"SHA-256 is {found.sha256}, the manifest says {ref.expected_sha256}"
            raise ExtractionError(ErrorCategory.INTEGRITY_MISMATCH, message)
        yield found
    finally:
        if found.source.path is not None and local_bytes_of(ref.uri) is None:
            os.unlink(found.source.path)


def is_unchanged(ref: BlobRef, found: Fetched) -> bool:
    """Say whether a local file, which the child opens by its path, is still the one that was hashed."""
    if found.source.path is None:
        return True
    path = ref.path or local_bytes_of(ref.uri)
    if path is None:
        return True
    try:
        return local_version(os.stat(path)) == found.source_version
    except OSError:
        return False


def _with_retries(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Fetched:
    path = ref.path or local_bytes_of(ref.uri)
    attempt = 0
    while True:
        try:
            if path is not None:
                return _read_local(ref, path, limit_bytes)
            return _read_remote(ref, limit_bytes, storage_options)
        except ExtractionError:
            raise
        except Exception as error:  # every storage library has its own kinds; none of them is the document's fault
            waits = FINAL_BACKOFF_SECONDS if isinstance(error, FINAL_ERRORS) else BACKOFF_SECONDS
            if attempt >= len(waits):
                reason = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
                message = f"can't be read after {attempt + 1} attempts: {' '.join(str(reason).split())[:300]}"
                raise ExtractionError(ErrorCategory.TRANSIENT_IO, message) from error
            time.sleep(waits[attempt])
            attempt += 1


def _read_local(ref: BlobRef, path: bytes, limit_bytes: int) -> Fetched:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a FIFO put here since can't block us
    with open(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ExtractionError(ErrorCategory.NOT_A_REGULAR_FILE, "became something else than a file since it was listed")
        check_size(status.st_size, limit_bytes)
        stream = LimitedStream(file, limit_bytes)
        name = os.path.basename(path).decode("utf-8", "replace")
        if status.st_size <= INLINE_BYTES:
            data = b"".join(stream.chunks())
            source = Source(data=data, name=name)
        else:
            for _ in stream.chunks():
                pass
            source = Source(path=os.fsdecode(path), name=name)
    return _fetched(source, stream, local_version(status))


def _read_remote(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Fetched:
    if ref.size_bytes is not None:
        check_size(ref.size_bytes, limit_bytes)
    fs, path = fsspec.core.url_to_fs(ref.uri, **storage_options)
    name = ref.uri.split("?")[0].rstrip("/").rsplit("/", 1)[-1]
    with fs.open(path, "rb") as file:
        stream = LimitedStream(file, limit_bytes)
        kept: list[bytes] = []
        chunks = stream.chunks()
        for chunk in chunks:
            kept.append(chunk)
            if stream.size_bytes > INLINE_BYTES:
                return _fetched(_spooled(kept, chunks, name), stream, ref.source_version)
    return _fetched(Source(data=b"".join(kept), name=name), stream, ref.source_version)


def _spooled(kept: list[bytes], rest: Iterator[bytes], name: str) -> Source:
    descriptor, path = tempfile.mkstemp(prefix="docbeam-spool-")
    try:
        with open(descriptor, "wb") as file:
            file.writelines(kept)
            file.writelines(rest)
        return Source(path=path, name=name)
    except BaseException:
        os.unlink(path)
        raise


def _fetched(source: Source, stream: LimitedStream, version: str | None) -> Fetched:
    return Fetched(source, stream.size_bytes, stream.sha256.hexdigest(), stream.md5.hexdigest(), version)
