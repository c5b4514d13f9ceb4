"""Office Open XML under a password: the package stands encrypted in a compound file, and is handed out in plain.

Source: [MS-OFFCRYPTO] 2.3.4 (ECMA-376 document encryption): 2.3.4.5 to 2.3.4.9 standard, 2.3.4.10 to 2.3.4.15 agile.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.encryption.agile import read_agile
from docbeam.extractors.encryption.passwords import EXCEL, POWERPOINT, Keys, Opened
from docbeam.extractors.encryption.standard import read_standard
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

INFO, PACKAGE = "encryptioninfo", "encryptedpackage"
MAX_INFO_BYTES = 1 << 20
SIZE_BYTES = 8  # before the package
SEGMENT_BYTES = 4_096  # each has a start of its own
WHAT = "the compound file holds an encrypted package"
Plain = Callable[[int, bytes], bytes]  # a segment by its number


class Scheme(NamedTuple):
    """How a package is encrypted: in words, and what a password makes of it: the opened segments, or None."""

    words: str
    key_of: Callable[[str], Plain | None]


def open_package(source: Source, options: ExtractOptions) -> tuple[Source, Opened]:
    """Return the package in plain, and how it was opened.

    Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT if the encryption's own data is broken.
    """
    with source.open() as file:
        compound = CompoundFile(file, options.max_decompressed_bytes)
        package, info = compound.find(PACKAGE), compound.find(INFO)
        if package is None or info is None:
            message = "the document is under rights management, which no password opens"
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, message)
        words, key_of = _scheme(compound.read(info, MAX_INFO_BYTES))
        plain, by = Keys(source, options, (EXCEL, POWERPOINT)).fitting(key_of, WHAT)
        data = b"".join(_opened(compound.chunks(package), plain))
    return Source(data=data, name=source.name, passwords=source.passwords), Opened(words, by)


def _scheme(info: bytes) -> Scheme:
    major, minor = struct.unpack_from("<HH", info) if len(info) >= 8 else (0, 0)
    if (major, minor) == (4, 4):
        return Scheme(*read_agile(info[8:]))
    if minor == 2 and major in (2, 3, 4):
        return Scheme(*read_standard(info[4:]))
    raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: its encryption {major}.{minor} is not supported")


def _opened(chunks: Iterator[bytes], plain: Plain) -> Iterator[bytes]:
    """Yield the package: behind its size, segment by segment, and no more than that size."""
    waiting = b""
    left: int | None = None
    number = 0
    for chunk in chunks:
        waiting += chunk
        if left is None:
            if len(waiting) < SIZE_BYTES:
                continue
            left = struct.unpack_from("<Q", waiting)[0]
            waiting = waiting[SIZE_BYTES:]
        whole = len(waiting) // SEGMENT_BYTES * SEGMENT_BYTES
        for start in range(0, whole, SEGMENT_BYTES):
            data = plain(number, waiting[start : start + SEGMENT_BYTES])[:left]
            number += 1
            left -= len(data)
            yield data
        waiting = waiting[whole:]
    if waiting and left:
        yield plain(number, waiting)[:left]
