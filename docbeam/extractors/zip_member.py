"""The bytes of one ZIP entry, unpacked chunk by chunk and held to their checksum.

Source: PKWARE APPNOTE 6.3.10, 4.3.7 (local file header).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from docbeam.extractors.unpacking import BROKEN, OUT_BYTES, limited, unpacked, zip_stream
from docbeam.extractors.zip_directory import LOCAL, ZipEntry
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from docbeam.extractors.encryption.zip import ZipLock


def entry_chunks(file: BinaryIO, entry: ZipEntry, size: int = OUT_BYTES, lock: ZipLock | None = None) -> Iterator[bytes]:
    """Yield an entry's bytes, at most `size` at a time. The caller counts them: a declared size is only a claim.

    `lock` has the passwords for encrypted entries.
    Raises: ExtractionError ENCRYPTED_NO_KEY, CORRUPT or STREAM_DECOMPRESSION_FAIL, the last two also at the end.
    """
    if entry.is_encrypted and lock is None:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"member {entry.name!r} is encrypted")
    if entry.is_overlapped:
        raise ExtractionError(ErrorCategory.CORRUPT, f"member {entry.name!r}: its data runs into another entry")
    start = _data_start(file, entry)
    place, compressed_bytes, method, expected_crc = start, entry.compressed_bytes, entry.method, entry.crc
    cipher = None
    if entry.is_encrypted and lock is not None:
        cipher, offset, compressed_bytes, method, expected_crc = lock.open(
            entry, lambda at, size: _at(file, start, entry, at, size)
        )
        place += offset

    def read_on(wanted: int) -> bytes:  # the file may have been moved by the caller between two chunks
        nonlocal place
        file.seek(place)
        data = file.read(wanted)
        place += len(data)
        return data if cipher is None else cipher.plain(data)

    crc = count = 0
    try:
        read = limited(read_on, compressed_bytes)
        stream = zip_stream(method, read)
        for chunk in unpacked(stream, read, size):
            crc = zlib.crc32(chunk, crc)
            count += len(chunk)
            yield chunk
    except ExtractionError as error:
        raise ExtractionError(error.category, f"member {entry.name!r}: {error.message}") from error
    except EOFError as error:
        is_complete = method == 0 if entry.file_size is None else count >= entry.file_size
        if not is_complete:
            message = f"member {entry.name!r}: its data ends behind byte {count}"
            raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, message) from error
    except BROKEN as error:
        message = f"member {entry.name!r}: broken behind byte {count}: {error}"
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, message) from error
    if expected_crc is not None and crc != expected_crc:
        message = f"member {entry.name!r}: its checksum (CRC-32) is {crc:08x}, the directory says {expected_crc:08x}"
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, message)


def _at(file: BinaryIO, start: int, entry: ZipEntry, at: int, size: int) -> bytes:
    """Return bytes of an entry's data, none from behind its end."""
    file.seek(start + at)
    return file.read(max(0, min(size, entry.compressed_bytes - at)))


def _data_start(file: BinaryIO, entry: ZipEntry) -> int:
    header = b""
    if 0 <= entry.offset < 1 << 62:
        file.seek(entry.offset)
        header = file.read(30)
    if len(header) < 30 or header[:4] != LOCAL:
        raise ExtractionError(ErrorCategory.CORRUPT, f"member {entry.name!r}: no local header at byte {entry.offset}")
    name_bytes, extra_bytes = struct.unpack("<HH", header[26:30])
    return entry.offset + 30 + int(name_bytes) + int(extra_bytes)
