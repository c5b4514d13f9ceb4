"""Web archives (WARC): the pages and files that a server answered with, each under its address.

Source: ISO 28500:2017 (WARC 1.1); RFC 9112, 7.1 (chunked bodies).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import unquote

from docbeam.extractors.archive.contents import Item, mark_damaged, unpack
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.members import CutShort
from docbeam.extractors.source import Source
from docbeam.extractors.unpacking import BROKEN, Inflate, limited, unpacked
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

MAX_HEADER_BYTES = 65_536  # of one record or one HTTP answer
CHUNK_BYTES = 1 << 20
ZLIB_OR_GZIP = 47  # zlib's window bits
HTTP_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})")
ADDRESS = re.compile(r"^<?[A-Za-z][A-Za-z0-9+.-]*:(?://)?")
Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its fields, and where its block lies in the file."""

    fields: Fields
    offset: int
    size_bytes: int


class WarcExtractor:
    """Reads web archives; compressed ones are unpacked first."""

    name = "warc"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a web archive."""
        return media_type == MediaType.WARC

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the addresses, with the answers as members.

        Raises: ExtractionError CORRUPT if the first record is broken, TOO_MANY_ENTRIES past the cap.
        """
        out = TextBuilder(options)
        items: list[Item] = []
        counts = {"record": 0, "other": 0}
        with source.open() as file:
            for record, item in _documents(file, out):
                counts["record"] += 1
                if item is None:
                    counts["other"] += record.fields.get("warc-type") == "response"
                    continue
                items.append(item)
                if len(items) > options.max_zip_entries:
                    limit = options.max_zip_entries
                    raise ExtractionError(
                        ErrorCategory.TOO_MANY_ENTRIES, f"web archive: more than {limit} answers, limit {limit}"
                    )
            if not counts["record"]:
                raise ExtractionError(ErrorCategory.CORRUPT, "the first record is broken")
            unpack(items, out)
        if counts["other"]:
            out.warn(WarningCode.PART_NOT_READ, "records", f"{counts['other']} answers that are no success were left out")
        out.meta("warc.recordCount", counts["record"])
        return out.extracted()


def _documents(file: BinaryIO, out: TextBuilder) -> Iterator[tuple[Record, Item | None]]:
    """Yield the records, with the document in each that has one, while there is time."""
    with out.until_full():
        for record in _records(file, out):
            out.check_deadline()
            yield record, _item(file, record)


def _records(file: BinaryIO, out: TextBuilder) -> Iterator[Record]:
    size = file.seek(0, 2)
    at = 0
    while at < size:
        file.seek(at)
        line = file.readline(MAX_HEADER_BYTES)
        if not line.strip():
            at += len(line)
            continue
        fields = _fields(file) if line.startswith(b"WARC/") else {}
        length = fields.get("content-length", "")
        if not length.isdigit() or len(length) > 15:
            mark_damaged(out, f"byte {at}", "no record where one should be; the rest was left out")
            return
        start = file.tell()
        yield Record(fields, start, int(length))
        at = start + int(length)


def _fields(file: BinaryIO) -> Fields:
    """Return header fields by their names in lower case, up to the empty line."""
    fields: Fields = {}
    left = MAX_HEADER_BYTES
    while left > 0 and (line := file.readline(left)).strip():
        left -= len(line)
        name, _, value = line.decode("utf-8", "replace").partition(":")
        fields.setdefault(name.strip().lower(), value.strip())
    return fields


def _item(file: BinaryIO, record: Record) -> Item | None:
    """Return the document of a record, None where it has none: requests, notes about other records, answers of failure."""
    kind, address = record.fields.get("warc-type", "").lower(), record.fields.get("warc-target-uri", "")
    if kind in ("resource", "conversion"):
        return Item(_path(address), record.size_bytes, lambda: _read(file, record.offset, record.size_bytes))
    if kind != "response":
        return None
    file.seek(record.offset)
    status = HTTP_STATUS.match(file.readline(MAX_HEADER_BYTES))
    if status is None:
        return Item(_path(address), record.size_bytes, lambda: _read(file, record.offset, record.size_bytes))
    if not status[1].startswith(b"2"):
        return None
    fields = _fields(file)
    start = file.tell()
    size = max(0, record.offset + record.size_bytes - start)
    return Item(_path(address), size, lambda: _body(file, start, size, fields)) if size else None


def _path(address: str) -> str:
    """Return an address as a path: host and path; a folder stands for its index page."""
    path = unquote(ADDRESS.sub("", address.rstrip(">")).partition("#")[0], errors="replace")
    return f"{path}index.html" if path.endswith("/") else path


def _read(file: BinaryIO, start: int, size: int) -> Iterator[bytes]:
    """Yield the bytes of a block. Raises CutShort where the file ends inside it."""
    read = _reader(file, start, size)
    count = 0
    while data := read(CHUNK_BYTES):
        count += len(data)
        yield data
    if count < size:
        raise CutShort(f"the web archive ends {count} bytes into it, {size} declared")


def _reader(file: BinaryIO, start: int, size: int) -> Callable[[int], bytes]:
    place = start

    def read_on(wanted: int) -> bytes:
        nonlocal place
        file.seek(place)
        data = file.read(wanted)
        place += len(data)
        return data

    return limited(read_on, size)


def _body(file: BinaryIO, start: int, size: int, fields: Fields) -> Iterator[bytes]:
    """Yield the body of an answer without its transfer and content codings. Raises ExtractionError for unknown ones."""
    coding = fields.get("content-encoding", "identity").lower()
    pieces = _read(file, start, size)
    if "chunked" in fields.get("transfer-encoding", "").lower():
        pieces = _dechunked(pieces)
    if coding in ("gzip", "x-gzip", "deflate"):
        pieces = _inflated(pieces)
    elif coding not in ("identity", ""):
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"content coding {coding[:40]!r} is not supported")
    yield from pieces


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    waiting = b""

    def read(size: int) -> bytes:
        nonlocal waiting
        waiting = waiting or next(pieces, b"")
        data, waiting = waiting[:size], waiting[size:]
        return data

    count = 0
    try:
        for chunk in unpacked(Inflate(ZLIB_OR_GZIP), read):
            count += len(chunk)
            yield chunk
    except BROKEN as error:
        raise CutShort(f"its compressed body is broken behind byte {count}: {error}") from error


def _dechunked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what chunks hold; a body that only claims to be chunked is yielded as it is."""
    waiting = next(pieces, b"")
    is_first = True
    while True:
        while b"\n" not in waiting[:100] and (more := next(pieces, b"")):
            waiting += more
        line, found, rest = waiting.partition(b"\n")
        length = line.split(b";")[0].strip()
        if not found or not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", length):
            if is_first:
                yield waiting
                yield from pieces
            return
        is_first = False
        left, waiting = int(length, 16), rest
        if not left:
            return
        while left > 0:
            waiting = waiting or next(pieces, b"")
            if not waiting:
                return
            data, waiting = waiting[:left], waiting[left:]
            left -= len(data)
            yield data
        while len(waiting) < 2 and (more := next(pieces, b"")):
            waiting += more
        waiting = waiting.removeprefix(b"\r").removeprefix(b"\n")
