"""The bytes of one document, in memory or in a local file."""

from __future__ import annotations

import copy
import io
import os
from typing import BinaryIO

CHUNK_BYTES = 1 << 20  # what is read and hashed at a time
HEAD_BYTES = 65_536  # enough for every signature, a ZIP's first headers and an HTML head with its charset


class Source:
    """Bytes in hand, or a local file that stays as it is while it is read.

    `name` is the last part of the document's name: a hint and never the truth. `passwords` are those to try if it is
    encrypted, in this order; they belong in no message, row or log.
    """

    def __init__(
        self, *, data: bytes | None = None, path: str | None = None, name: str = "", passwords: tuple[str, ...] = ()
    ) -> None:
        if (data is None) == (path is None):
            raise ValueError("a Source has either data or a path")
        self.path = path
        self.name = name
        self.passwords = passwords
        self._data = data
        self.size_bytes = len(data) if data is not None else os.path.getsize(path or "")

    def with_passwords(self, passwords: tuple[str, ...]) -> Source:
        """Return the same bytes with passwords to try."""
        found = copy.copy(self)
        found.passwords = passwords
        return found

    def read(self) -> bytes:
        """Return all bytes; the body cap has been checked before a Source exists."""
        if self._data is None:
            with open(self.path or "", "rb") as file:
                self._data = file.read()
        return self._data

    def head(self, size: int = HEAD_BYTES) -> bytes:
        """Return the first bytes, at most `size`."""
        if self._data is not None:
            return self._data[:size]
        with open(self.path or "", "rb") as file:
            return file.read(size)

    def open(self) -> BinaryIO:
        """Open the bytes as a seekable file."""
        return io.BytesIO(self._data) if self._data is not None else open(self.path or "", "rb")
