"""Bring one document's bytes to this machine: capped, hashed in the same pass, retried with back-off.

Bytes that change while they are read, or are not as many as the listing says, are read again.

A storage that fails is never the document's fault: what can't be read now ends as `transient_io`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.places import local_bytes_of, local_version
from docbeam.transforms.storage import StorageOptions
from docbeam.transforms.stream import ChangedError, Hashed, LimitedStream, UnreadError, local_path_of, opened

INLINE_BYTES = 256 * 1024  # up to here bytes travel by the socket; above, the child opens the file itself
BACKOFF_SECONDS = (0.2, 1.0, 3.0)
FINAL_BACKOFF_SECONDS = (0.1,)  # missing or forbidden: one more look is enough
FINAL_ERRORS = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document's bytes on this machine, with their digests (hex) and what storage called this version."""

    source: Source
    size_bytes: int
    sha256: str
    md5: str
    source_version: str | None


def check_integrity(ref: BlobRef, found: Fetched | Hashed) -> None:
    """Raise UnreadError(INTEGRITY_MISMATCH) if the bytes are not those that the manifest names."""
    differences = [
        f"{name} is {real}, the manifest says {expected}"
        for name, real, expected in (
            ("size", found.size_bytes, ref.expected_bytes),
            ("SHA-256", found.sha256, ref.expected_sha256),
            ("MD5", found.md5, ref.expected_md5),
        )
        if expected is not None and real != expected
    ]
    if differences:
        raise UnreadError(ErrorCategory.INTEGRITY_MISMATCH, "; ".join(differences), found=_without_source(found))


def _without_source(found: Fetched | Hashed) -> Hashed:
    return Hashed(found.size_bytes, found.sha256, found.md5, found.source_version)


@contextmanager
def fetched(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Iterator[Fetched]:
    """Bring a document here for the length of a block; a spool file is removed behind it.

    Raises: ExtractionError INPUT_TOO_LARGE, NOT_A_REGULAR_FILE, TRANSIENT_IO (after retries), INTEGRITY_MISMATCH.
    """
    if ref.problem is not None:
        raise ExtractionError(*ref.problem)
    found = _with_retries(lambda: _read(ref, limit_bytes, storage_options))
    try:
        check_integrity(ref, found)
        yield found
    finally:
        if local_bytes_of(ref.uri) is None:
            _forget(found.source)


def hashed(ref: BlobRef, storage_options: StorageOptions, limit_bytes: int = sys.maxsize) -> Hashed:
    """Return size and digests of a document's bytes, which are not kept.

    Raises: ExtractionError INPUT_TOO_LARGE, NOT_A_REGULAR_FILE, TRANSIENT_IO (after retries).
    """
    if ref.problem is not None:
        raise ExtractionError(*ref.problem)
    return _with_retries(lambda: _hash(ref, limit_bytes, storage_options))


def name_of(ref: BlobRef) -> str:
    """Return the last part of a document's name."""
    path = local_path_of(ref)
    if path is not None:
        return os.path.basename(path).decode("utf-8", "replace")
    return ref.uri.split("?")[0].rstrip("/").rsplit("/", 1)[-1]


def is_unchanged(ref: BlobRef, found: Fetched) -> bool:
    """Say whether a local file, which the child opens by its path, is still the one that was hashed."""
    if found.source.path is None:
        return True
    path = local_path_of(ref)
    if path is None:
        return True
    try:
        return local_version(os.stat(path)) == found.source_version
    except OSError:
        return False


def _with_retries(read: Callable[[], T]) -> T:
    attempt = 0
    while True:
        try:
            return read()
        except ExtractionError:
            raise
        except Exception as error:  # every storage library has its own kinds; none of them is the document's fault
            waits = FINAL_BACKOFF_SECONDS if isinstance(error, FINAL_ERRORS) else BACKOFF_SECONDS
            if attempt >= len(waits):
                message = f"can't be read after {attempt + 1} attempts: {' '.join(_reason(error).split())[:300]}"
                raise ExtractionError(ErrorCategory.TRANSIENT_IO, message) from error
            time.sleep(waits[attempt])
            attempt += 1


def _reason(error: Exception) -> str:
    if isinstance(error, ChangedError):
        return str(error)
    return error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"


def _read(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Fetched:
    local = local_path_of(ref)
    spooled: list[Source] = []
    try:
        with opened(ref, limit_bytes, storage_options) as (stream, version):
            if local is not None:
                source = _local_source(stream, os.fsdecode(local), name_of(ref))
            else:
                source = _remote_source(stream, name_of(ref))
                spooled.append(source)
    except BaseException:
        for source in spooled:
            _forget(source)
        raise
    return Fetched(source, stream.size_bytes, stream.sha256.hexdigest(), stream.md5.hexdigest(), version)


def _hash(ref: BlobRef, limit_bytes: int, storage_options: StorageOptions) -> Hashed:
    with opened(ref, limit_bytes, storage_options) as (stream, version):
        for _ in stream.chunks():
            pass
    return Hashed(stream.size_bytes, stream.sha256.hexdigest(), stream.md5.hexdigest(), version)


def _local_source(stream: LimitedStream, path: str, name: str) -> Source:
    kept = b""
    for chunk in stream.chunks():
        kept = kept + chunk if stream.size_bytes <= INLINE_BYTES else b""
    return Source(data=kept, name=name) if stream.size_bytes <= INLINE_BYTES else Source(path=path, name=name)


def _remote_source(stream: LimitedStream, name: str) -> Source:
    kept: list[bytes] = []
    chunks = stream.chunks()
    for chunk in chunks:
        kept.append(chunk)
        if stream.size_bytes > INLINE_BYTES:
            return _spooled(kept, chunks, name)
    return Source(data=b"".join(kept), name=name)


def _forget(source: Source) -> None:
    if source.path is not None:
        os.unlink(source.path)


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
