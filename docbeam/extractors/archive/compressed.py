"""Single compressed files (gzip, bzip2, XZ, LZMA): the one document inside, over all streams that follow each other.

Source: RFC 1952; the bzip2 and .xz formats; LZMA SDK for the .lzma header.
"""

from __future__ import annotations

import bz2
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO

from docbeam.extractors.archive.contents import mark_damaged
from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.member_names import harmless_path
from docbeam.extractors.members import CutShort
from docbeam.extractors.source import Source
from docbeam.extractors.unpacking import BROKEN, GZIP, Decompressor, Inflate, unpacked, xz_stream
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode

HEADER_BYTES = 65_536  # of gzip: a name and a comment have no length of their own
FORMATS: dict[str, tuple[str, tuple[bytes, ...], Callable[[], Decompressor]]] = {
    MediaType.GZIP: ("gzip", (b"\x1f\x8b",), lambda: Inflate(GZIP)),
    MediaType.BZIP2: ("bzip2", (b"BZh",), bz2.BZ2Decompressor),
    MediaType.XZ: ("xz", (b"\xfd7zXZ\0",), xz_stream),
    MediaType.LZMA: ("lzma", (), xz_stream),
}
INSIDE = {
    ".tgz": ".tar", ".tbz": ".tar", ".tbz2": ".tar", ".tb2": ".tar", ".txz": ".tar", ".tlz": ".tar", ".svgz": ".svg",
    ".emz": ".emf", ".wmz": ".wmf", ".gz": "", ".gzip": "", ".bz2": "", ".bz": "", ".xz": "", ".lzma": "",
}  # fmt: skip
EXTRA, NAME, COMMENT = 4, 8, 16  # flags in gzip's header


class CompressedExtractor:
    """Unpacks files that hold one other file; of a tar.gz that is the tar."""

    name = "compressed"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is one compressed file."""
        return media_type in FORMATS

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the name of the document inside, which is the only member.

        Raises: ExtractionError TOO_LARGE_DECOMPRESSED past the cap, STREAM_DECOMPRESSION_FAIL if nothing comes out.
        """
        out = TextBuilder(options)
        label, signatures, make = FORMATS[media_type]
        header = _gzip_header(source.head(HEADER_BYTES)) if media_type == MediaType.GZIP else _Header()
        path = harmless_path(_inner_name(source.name, header.name)) or "unnamed"
        with source.open() as file:
            streams = _Streams(file, signatures, make, out)
            with suppress(Full):
                out.member(path, streams.chunks())
        if streams.problem is not None and streams.problem.category is ErrorCategory.TOO_LARGE_DECOMPRESSED:
            raise streams.problem
        if out.truncation is TruncationReason.DEADLINE:
            out.warn(WarningCode.EMBEDDED_NOT_READ, path, f"time is up after {streams.count} bytes: it was not unpacked")
        elif streams.problem is not None:
            if not streams.count:
                raise streams.problem
            mark_damaged(out, path, f"{streams.problem.message}; what came out before was unpacked")
        if streams.trailing:
            out.warn(WarningCode.PART_NOT_READ, "end of the file", f"{streams.trailing} bytes that are no {label} stream")
        with out.until_full():
            out.line(f"{path} ({streams.count} bytes)")
            if header.comment:
                out.line(header.comment)
        out.meta(f"{label}.name", header.name)
        out.meta(f"{label}.comment", header.comment)
        return out.extracted(modified_at=header.modified)


class _Streams:
    """The streams of one file, one behind the other; `problem`, `count` and `trailing` say how it went."""

    def __init__(
        self, file: BinaryIO, signatures: tuple[bytes, ...], make: Callable[[], Decompressor], out: TextBuilder
    ) -> None:
        self.problem: ExtractionError | None = None
        self.count = 0
        self.trailing = 0
        self._file = file
        self._signatures = signatures
        self._make = make
        self._out = out
        self._unread = b""

    def chunks(self) -> Iterator[bytes]:
        """Yield what comes out, up to the first fault."""
        limit = self._out.options.max_decompressed_bytes
        while True:
            self._out.check_deadline()
            stream = self._make()
            try:
                for chunk in unpacked(stream, self._read):
                    self._out.check_deadline()
                    self.count += len(chunk)
                    if self.count > limit:
                        message = f"unpacks past the limit of {limit} bytes"
                        self.problem = ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, message)
                        return
                    yield chunk
            except BROKEN as error:
                message = f"broken behind byte {self.count}: {error}"
                self.problem = ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, message)
                raise CutShort(message) from error
            self._unread = stream.unused_data + self._unread
            if not self._is_continued():
                return

    def _is_continued(self) -> bool:
        """Say whether another stream follows; zeros that fill up the last block are passed over."""
        while not self._unread.strip(b"\0"):
            self._unread = self._file.read(65_536)
            if not self._unread:
                return False
        self._unread = self._unread.lstrip(b"\0")
        self._unread += self._file.read(8)
        if self._unread.startswith(self._signatures):
            return True
        here = self._file.tell()
        self.trailing = len(self._unread) + self._file.seek(0, 2) - here
        return False

    def _read(self, size: int) -> bytes:
        if not self._unread:
            return self._file.read(size)
        data, self._unread = self._unread[:size], self._unread[size:]
        return data


@dataclass(frozen=True, slots=True)
class _Header:
    """What gzip's header says of the file inside."""

    name: str = ""
    comment: str = ""
    modified: datetime | None = None


def _gzip_header(head: bytes) -> _Header:
    if len(head) < 10:
        return _Header()
    flags, seconds = struct.unpack("<BI", head[3:8])
    at = 10
    if flags & EXTRA and len(head) >= 12:
        at += 2 + int(struct.unpack("<H", head[10:12])[0])
    texts = []
    for flag in (NAME, COMMENT):
        end = head.find(b"\0", at) if flags & flag else -1
        texts.append(_text(head[at:end]) if end >= 0 else "")
        at = end + 1 if end >= 0 else at
    moment = datetime.fromtimestamp(seconds, UTC) if seconds else None
    return _Header(texts[0], " ".join(texts[1].split()), moment)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # RFC 1952, 2.3.1


def _inner_name(outer: str, stored: str) -> str:
    """Return the name of the document inside: the file's own without its ending, as gunzip gives, else the stored one."""
    stem, dot, ending = outer.rpartition(".")
    if dot and stem and (inner := INSIDE.get(dot + ending.lower())) is not None:
        return stem + inner
    return stored.replace("\\", "/").rpartition("/")[2] or outer
