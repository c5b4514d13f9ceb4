"""Compressed streams as bounded chunks: Deflate, gzip, bzip2, LZMA and XZ behind one interface.

Source: RFC 1951, RFC 1952; PKWARE APPNOTE 6.3.10, 4.4.5 and 5.8; the .xz file format 1.2.1.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

IN_BYTES = 65_536  # read at a time
OUT_BYTES = 1 << 20  # handed out at a time, at most
MAX_DICTIONARY_BYTES = 256 << 20  # of LZMA; the strongest preset of xz takes 64 MiB
RAW_DEFLATE, GZIP = -15, 31  # zlib's window bits
BROKEN = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)  # what the decompressors raise for broken data


class Decompressor(Protocol):
    """What the standard library's decompressors have in common; `unused_data` is what follows the stream's end."""

    @property
    def eof(self) -> bool:
        """Whether the end of the stream has been reached."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out without more input."""

    @property
    def unused_data(self) -> bytes:
        """Input behind the end of the stream."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` bytes."""


class Inflate:
    """zlib's decompressor with the interface of the others."""

    def __init__(self, window_bits: int) -> None:
        self._stream = zlib.decompressobj(window_bits)

    @property
    def eof(self) -> bool:
        """Whether the end of the stream has been reached."""
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        """Whether all input has been taken."""
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """Input behind the end of the stream."""
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` bytes."""
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class Stored:
    """Data that is not compressed; the caller knows where it ends."""

    eof = False
    needs_input = True
    unused_data = b""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return the data."""
        return data


def unpacked(stream: Decompressor, read: Callable[[int], bytes], size: int = OUT_BYTES) -> Iterator[bytes]:
    """Yield what comes out of a stream until its end, at most `size` bytes at a time.

    Raises: what is in BROKEN; EOFError where the input ends too early.
    """
    while not stream.eof:
        data = read(min(IN_BYTES, size)) if stream.needs_input else b""
        is_over = not data and stream.needs_input
        out = stream.decompress(data, size)
        if out:
            yield out
        elif is_over:
            raise EOFError("the compressed data ends in the middle")


def limited(read: Callable[[int], bytes], count: int) -> Callable[[int], bytes]:
    """Return a reader that ends after `count` bytes."""
    left = count

    def read_within(size: int) -> bytes:
        nonlocal left
        data = read(min(size, left))
        left -= len(data)
        return data

    return read_within


def zip_stream(method: int, read: Callable[[int], bytes]) -> Decompressor:
    """Return the decompressor for a ZIP entry's method; of LZMA's data the header is read.

    Raises: ExtractionError(STREAM_DECOMPRESSION_FAIL) for a method that is not known.
    """
    if method == 0:
        return Stored()
    if method == 8:
        return Inflate(RAW_DEFLATE)
    if method == 12:
        return bz2.BZ2Decompressor()
    if method == 14:
        return _lzma_of_zip(read)
    if method == 95:
        return xz_stream()
    name = {1: "Shrink", 6: "Implode", 9: "Deflate64", 93: "Zstandard", 97: "WavPack", 98: "PPMd", 99: "AES"}.get(method)
    raise ExtractionError(
        ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"compression method {method}{f' ({name})' if name else ''} is not supported"
    )


def xz_stream() -> lzma.LZMADecompressor:
    """Return a decompressor of one .xz or .lzma stream."""
    return lzma.LZMADecompressor(lzma.FORMAT_AUTO, memlimit=MAX_DICTIONARY_BYTES)


def _lzma_of_zip(read: Callable[[int], bytes]) -> lzma.LZMADecompressor:
    header = read(4)
    size = struct.unpack("<2xH", header)[0] if len(header) == 4 else 0
    properties = read(size)
    if size != 5 or len(properties) != 5 or properties[0] >= 9 * 5 * 5:
        raise lzma.LZMAError("the LZMA header is broken")
    literal, dictionary_bytes = struct.unpack("<BI", properties)
    if dictionary_bytes > MAX_DICTIONARY_BYTES:
        raise lzma.LZMAError(f"dictionary of {dictionary_bytes} bytes, limit {MAX_DICTIONARY_BYTES}")
    rest, lc = divmod(literal, 9)
    pb, lp = divmod(rest, 5)
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": max(dictionary_bytes, 4096), "lc": lc, "lp": lp, "pb": pb}]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
