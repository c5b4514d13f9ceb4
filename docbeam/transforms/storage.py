"""Storage by URL, through fsspec: whole objects appear at once, or not at all."""

from __future__ import annotations

import errno
import json
import os
import posixpath
import stat
import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, BinaryIO

import fsspec
from fsspec.implementations.local import LocalFileSystem

StorageOptions = Mapping[str, Any]


class Folder:
    """A folder that docbeam writes to: local or on an object store.

    Raises: OSError as the storage raises it.
    """

    def __init__(self, url: str, storage_options: StorageOptions | None = None) -> None:
        self.url = url
        self.storage_options = dict(storage_options or {})
        self.fs, root = fsspec.core.url_to_fs(url, **self.storage_options)
        self.root = str(root).rstrip("/")
        self.is_local = isinstance(self.fs, LocalFileSystem)

    def __reduce__(self) -> tuple[Any, ...]:
        return Folder, (self.url, self.storage_options)

    def path(self, name: str) -> str:
        """Return the file system's path of a name in this folder."""
        return posixpath.join(self.root, name)

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole: a reader, and a run that follows a kill, sees all of it or nothing."""
        path = self.path(name)
        if not self.is_local:
            self.fs.pipe_file(path, data)
            return
        draft = f"{os.path.dirname(path)}/.{os.path.basename(path)}.{uuid.uuid4().hex[:8]}.tmp"
        try:
            with _created(draft) as file:
                file.write(data)
            os.replace(draft, path)
        except BaseException:
            if os.path.exists(draft):
                os.unlink(draft)
            raise

    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole if there is none of this name; return whether it was written. At most one of many succeeds.

        A store that can't promise it (no conditional writes) looks first and writes then.
        """
        path = self.path(name)
        if self.is_local:
            return _linked(self, name, data)
        try:
            self.fs.pipe_file(path, data, mode="create")
        except FileExistsError:
            return False
        except Exception:  # every storage library has its own kinds for what it can't do and for what is there already
            self.fs.invalidate_cache()
            if self.fs.exists(path):
                return False
            self.fs.pipe_file(path, data)
        return True

    def write_json(self, name: str, value: object) -> None:
        """Write a value as indented JSON, whole."""
        self.write(name, (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))

    def read(self, name: str) -> bytes:
        """Return a file's bytes. Raises FileNotFoundError."""
        if self.is_local:
            with _opened(self.path(name)) as file:
                return file.read()
        data: bytes = self.fs.cat_file(self.path(name))
        return data

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading parts of it. Raises FileNotFoundError."""
        if self.is_local:
            return _opened(self.path(name))
        file: BinaryIO = self.fs.open(self.path(name), "rb")
        return file

    def read_json(self, name: str) -> Any:
        """Return a file's JSON. Raises FileNotFoundError, or ValueError if it is no JSON."""
        return json.loads(self.read(name))

    def exists(self, name: str) -> bool:
        """Say whether the file or folder is there."""
        return bool(self.fs.exists(self.path(name)))

    def names(self, under: str = "") -> list[str]:
        """Return the names of all files under a folder, relative to this one, sorted. A missing folder has none."""
        self.fs.invalidate_cache()
        top = self.path(under) if under else self.root
        try:
            found = self.fs.find(top)
        except FileNotFoundError:
            return []
        return sorted(str(path)[len(self.root) + 1 :] for path in found)

    def move(self, name: str, target: str) -> None:
        """Move a file; where the target is there already and the name is not, it was moved before and all is well."""
        if self.is_local:
            os.makedirs(os.path.dirname(self.path(target)), exist_ok=True)
            try:
                os.replace(self.path(name), self.path(target))
            except FileNotFoundError:
                if not os.path.exists(self.path(target)):
                    raise
        elif self.fs.exists(self.path(name)):
            self.fs.mv(self.path(name), self.path(target))
        elif not self.fs.exists(self.path(target)):
            raise FileNotFoundError(self.path(name))

    def remove_empty(self, *names: str) -> None:
        """Remove folders that are empty, in this order; object stores have none."""
        for name in names if self.is_local else ():
            with suppress(OSError):
                os.rmdir(self.path(name))

    def remove(self, name: str) -> None:
        """Remove a file or a whole folder; a missing one is no error."""
        try:
            self.fs.rm(self.path(name), recursive=True)
        except FileNotFoundError:
            return


def _linked(folder: Folder, name: str, data: bytes) -> bool:
    draft = f"{name}.{uuid.uuid4().hex[:8]}"
    folder.write(draft, data)
    try:
        os.link(folder.path(draft), folder.path(name))  # whole from its first moment, unlike a file opened with O_EXCL
        return True
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        try:
            with open(folder.path(name), "xb") as file:
                file.write(data)
            return True
        except FileExistsError:
            return False
    finally:
        os.unlink(folder.path(draft))


def _opened(path: str) -> BinaryIO:
    """Open a file for reading. Raises OSError for what is none: to open a FIFO would wait for its writer for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return open(descriptor, "rb")


def _created(path: str) -> BinaryIO:
    """Open a new file, with its folders: a run that ends may remove one that is empty between the two steps."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    try:
        return open(path, "wb")
    except FileNotFoundError:
        os.makedirs(folder, exist_ok=True)
        return open(path, "wb")
