"""Tar archives of all flavours; links and devices are named and not followed."""

from __future__ import annotations

from collections.abc import Iterator

from docbeam.extractors.archive.contents import Item, mark_damaged, unpack
from docbeam.extractors.archive.tar_headers import (
    BLOCK_BYTES,
    DEVICES,
    HARD_LINK,
    NOT_FILES,
    SYMBOLIC_LINK,
    TarEntry,
    TarReader,
    is_header,
)
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.codepages import name_of
from docbeam.extractors.member_names import decoded_names
from docbeam.extractors.members import CutShort
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, WarningCode


class TarExtractor:
    """Reads tar archives; compressed ones are unpacked first, as the only entry of their compressed file."""

    name = "tar"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a tar archive."""
        return media_type == MediaType.TAR

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the listing, with the files as members.

        Raises: ExtractionError CORRUPT if the file does not begin with a header, TOO_MANY_ENTRIES or TOO_LARGE_DECOMPRESSED.
        """
        out = TextBuilder(options)
        with source.open() as file:
            if not is_header(file.read(BLOCK_BYTES)):
                raise ExtractionError(ErrorCategory.CORRUPT, "the checksum of the first tar header is wrong")
            reader = TarReader(file, out.check_deadline)
            entries: list[TarEntry] = []
            with out.until_full():
                for entry in _within_caps(reader, options):
                    entries.append(entry)
            names, codec = decoded_names([entry.raw_name for entry in entries])
            links, _ = decoded_names([entry.raw_link for entry in entries])
            for part, message in reader.problems:
                mark_damaged(out, part, message)
            unpack([_item(reader, *given) for given in zip(entries, names, links, strict=True)], out)
        out.meta("tar.entryCount", len(entries))
        out.meta("tar.comment", reader.comment)
        if codec is not None:
            out.meta("tar.nameCharset", name_of(codec))
            out.warn(WarningCode.CHARSET_GUESSED, "names", f"the names' charset is not declared, {name_of(codec)} fits best")
        return out.extracted(confidence=Confidence.DETERMINISTIC if codec is None else Confidence.HEURISTIC)


def _within_caps(reader: TarReader, options: ExtractOptions) -> Iterator[TarEntry]:
    """Yield the entries that are files or links. Folders count too: a header each is work."""
    total = 0
    for count, entry in enumerate(reader.entries(), 1):
        if count > options.max_zip_entries:
            limit = options.max_zip_entries
            raise ExtractionError(ErrorCategory.TOO_MANY_ENTRIES, f"tar archive: more than {limit} entries, limit {limit}")
        total += min(entry.size_bytes, reader.file_bytes)
        if total > options.max_decompressed_bytes:
            limit = options.max_decompressed_bytes
            raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"tar archive: {total} bytes and more, limit {limit}")
        if entry.kind not in NOT_FILES and (entry.raw_name or entry.size_bytes):
            yield entry


def _item(reader: TarReader, entry: TarEntry, name: str, link: str) -> Item:
    message = None
    if entry.kind == HARD_LINK:
        message = f"a link to {link[:300]}, which is an entry of the archive"
    elif entry.kind == SYMBOLIC_LINK:
        message = f"a symbolic link, not followed: {link[:300]}"
    elif entry.kind in DEVICES:
        message = f"{DEVICES[entry.kind]}, not opened"
    return Item(name, entry.size_bytes, lambda: _whole(reader, entry), message)


def _whole(reader: TarReader, entry: TarEntry) -> Iterator[bytes]:
    """Yield an entry's data. Raises CutShort at its end if the archive has less of it, ExtractionError if it has nothing."""
    if entry.is_sparse:
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, "a sparse file, whose holes are not filled")
    count = 0
    for chunk in reader.chunks(entry):
        count += len(chunk)
        yield chunk
    if count < entry.size_bytes:
        message = f"the archive ends {count} bytes into it, {entry.size_bytes} declared"
        if not count:
            raise ExtractionError(ErrorCategory.CORRUPT, message)
        raise CutShort(message)
