"""The file with the passwords of a run: only its URL travels with a pipeline, and each process reads it for itself."""

from __future__ import annotations

import os
import threading
from typing import Any

import fsspec

from docbeam.schemas.errors import ExtractionError, UsageError
from docbeam.schemas.passwords import MAX_FILE_BYTES, Passwords, parse_passwords
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.places import first_line, local_bytes_of, local_path
from docbeam.transforms.storage import StorageOptions


class PasswordFile:
    """Passwords by the URL of their file; no file, no passwords. Pickled as its URL alone. Thread-safe."""

    def __init__(self, url: str | None = None, storage_options: StorageOptions | None = None) -> None:
        self.url = url if url is None else local_path(url) or url  # absolute: workers may stand in another folder
        self._storage_options = dict(storage_options or {})
        self._lock = threading.Lock()
        self._found: Passwords | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return PasswordFile, (self.url, self._storage_options)

    def __repr__(self) -> str:
        return f"PasswordFile({self.url!r})"

    def load(self) -> Passwords:
        """Return the passwords, read from the file on the first call. Raises: UsageError if it can't be read."""
        with self._lock:
            if self._found is None:
                self._found = Passwords() if self.url is None else read_passwords(self.url, self._storage_options)
            return self._found

    def check_lasting(self) -> None:
        """Raise UsageError for a local file that can be read only once, such as a pipe: each process of a run reads it."""
        path = local_path(self.url) if self.url is not None else None
        if path is not None and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise UsageError(f"passwords file {self.url!r}: it is no regular file, and a run reads it more than once")

    def check_not_input(self, ref: BlobRef) -> None:
        """Raise ExtractionError for an input that is the file itself: its passwords would be a document's text."""
        if self.url is not None and (ref.uri == self.url or self._is_same_file(ref)):
            message = "this is the passwords file of the run, which is never read as a document"
            raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, message)

    def _is_same_file(self, ref: BlobRef) -> bool:
        path, own = ref.path or local_bytes_of(ref.uri), local_path(self.url or "")
        if path is None or own is None:
            return False
        try:
            return os.path.samefile(path, own)
        except OSError:
            return False


NO_PASSWORD_FILE = PasswordFile()


def read_passwords(url: str, storage_options: StorageOptions | None = None) -> Passwords:
    """Return the passwords of a file, by its path or fsspec URL. Raises: UsageError, which never shows a password."""
    try:
        path = local_path(url)
        if path is not None:
            with open(path, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        else:
            fs, remote = fsspec.core.url_to_fs(url, **(storage_options or {}))
            with fs.open(remote, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except Exception as error:  # every storage library has its own kinds
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UsageError(f"passwords file {url!r} can't be read: {reason}") from error
    return parse_passwords(data, url)
