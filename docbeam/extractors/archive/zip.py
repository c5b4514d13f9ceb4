"""ZIP archives by their directory, or by their local headers where the directory is lost.

Source: PKWARE APPNOTE 6.3.10; Info-ZIP for Unix file types in the upper half of the external attributes.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from docbeam.extractors.archive.contents import Item, comment_line, mark_damaged, unpack
from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.codepages import name_of
from docbeam.extractors.member_names import decoded_names
from docbeam.extractors.source import Source
from docbeam.extractors.zip_directory import (
    UNICODE_PATH,
    UTF8,
    ZipDirectory,
    ZipEntry,
    extra_fields,
    read_directory,
    salvaged_entries,
)
from docbeam.extractors.zip_member import entry_chunks
from docbeam.extractors.zip_reader import check_directory
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Member
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, WarningCode

if TYPE_CHECKING:
    from docbeam.extractors.encryption.zip import ZipLock

DOS_HOSTS = frozenset((0, 6, 10, 11, 14))  # FAT, HPFS, NTFS and VFAT
UNIX_HOSTS = frozenset((3, 19))
DOS_FOLDER = 0x10
MAX_LINK_BYTES = 4_096
TELLING = (ErrorCategory.ENCRYPTED_NO_KEY, ErrorCategory.TOO_LARGE_DECOMPRESSED)  # say more of an archive than "corrupt"


class ZipExtractor:
    """Reads ZIP archives that are no package of another format."""

    name = "zip"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a ZIP archive."""
        return media_type in MediaType.ZIPS

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the listing, with the entries as members.

        Raises: ExtractionError TOO_MANY_ENTRIES or TOO_LARGE_DECOMPRESSED; CORRUPT if no entry can be found or read.
        """
        out = TextBuilder(options)
        with source.open() as file:
            directory, is_salvaged = _opened(file, options, out)
            entries = [entry for entry in directory.entries if not _is_folder(entry)]
            names, codec = _names(entries)
            if comment := comment_line(decoded_names([directory.comment])[0][0]):
                with out.until_full():
                    out.line(comment)
                out.meta("zip.comment", comment)
            lock = _lock(source, options) if any(entry.is_encrypted for entry in entries) else None
            items = [_item(file, entry, name, options, lock) for entry, name in zip(entries, names, strict=True)]
            unpack(items, out)
        if lock is not None:
            lock.describe(out)
        out.meta("zip.entryCount", len(entries))
        out.meta("zip.encryptedEntryCount", sum(entry.is_encrypted for entry in entries) or None)
        if codec is not None:
            out.meta("zip.nameCharset", name_of(codec))
            out.warn(WarningCode.CHARSET_GUESSED, "names", f"the names' charset is not declared, {name_of(codec)} fits best")
        is_sure = codec is None and not is_salvaged
        extracted = out.extracted(
            confidence=Confidence.DETERMINISTIC if is_sure else Confidence.HEURISTIC,
            tiers=("native", "repaired") if is_salvaged else ("native",),
        )
        _check_something_was_read(extracted.members, directory.problem)
        return extracted


def _check_something_was_read(members: tuple[Member, ...], problem: str | None) -> None:
    """Raise CORRUPT or what tells more if nothing could be unpacked: such an archive is no document."""
    if problem is not None and not members:
        raise ExtractionError(ErrorCategory.CORRUPT, f"ZIP directory: {problem}, and no entry can be found")
    if members and not any(member.file for member in members):
        problems = [member.problem for member in members if member.problem]
        category = next((found for found, _ in problems if found in TELLING), ErrorCategory.CORRUPT)
        raise ExtractionError(category, f"none of {len(members)} entries can be unpacked: {problems[0][1]}")


def _opened(file: BinaryIO, options: ExtractOptions, out: TextBuilder) -> tuple[ZipDirectory, bool]:
    """Return the directory within the caps, and whether it is made from local headers."""
    directory = read_directory(file, options.max_zip_entries)
    check_directory(directory, options)
    if directory.problem is None:
        return directory, False
    found = salvaged_entries(file, options.max_zip_entries)
    best = ZipDirectory(max(found, directory.entries, key=len), directory.comment, directory.problem)
    check_directory(best, options)
    if not best.entries:
        raise ExtractionError(ErrorCategory.CORRUPT, f"ZIP directory: {directory.problem}, and there are no local headers")
    mark_damaged(out, "ZIP directory", f"{directory.problem}; {len(best.entries)} entries were found by their own headers")
    return best, True


def _is_folder(entry: ZipEntry) -> bool:
    if entry.raw_name.endswith((b"/", b"\\")):
        return not entry.file_size
    return not entry.file_size and (not entry.raw_name or bool(entry.attributes & DOS_FOLDER))


def _names(entries: list[ZipEntry]) -> tuple[list[str], str | None]:
    """Return the names: by their Unicode field, as UTF-8 where it is flagged or valid, else in the likeliest code page."""
    names: list[str] = []
    unknown: list[bytes] = []
    is_dos = False
    for entry in entries:
        name = _unicode_path(entry)
        if name is None and entry.flags & UTF8:
            name = entry.raw_name.decode("utf-8", "replace")
        if name is None and not entry.raw_name.isascii():
            is_dos |= entry.host in DOS_HOSTS
        names.append(name if name is not None else "")
        unknown.append(entry.raw_name if name is None else b"")
    guessed, codec = decoded_names(unknown, is_dos=is_dos)
    return [name or guess for name, guess in zip(names, guessed, strict=True)], codec


def _unicode_path(entry: ZipEntry) -> str | None:
    """Return the name in the Info-ZIP Unicode Path field, if it belongs to the stored name."""
    for kind, data in extra_fields(entry.extra):
        if kind == UNICODE_PATH and len(data) > 5 and data[0] == 1:
            (crc,) = struct.unpack("<I", data[1:5])
            if crc == zlib.crc32(entry.raw_name):
                return data[5:].decode("utf-8", "replace")
    return None


def _lock(source: Source, options: ExtractOptions) -> ZipLock:
    from docbeam.extractors.encryption.zip import ZipLock  # late: few archives are encrypted

    return ZipLock(source, options)


def _item(file: BinaryIO, entry: ZipEntry, name: str, options: ExtractOptions, lock: ZipLock | None) -> Item:
    comment = decoded_names([entry.comment])[0][0] if entry.comment else ""
    link = None
    if entry.host in UNIX_HOSTS and stat.S_ISLNK(entry.attributes >> 16) and (entry.file_size or 0) <= MAX_LINK_BYTES:
        link = f"a symbolic link, not followed: {_target(file, entry)}"
    return Item(name, entry.file_size, lambda: _counted(file, entry, options.max_decompressed_bytes, lock), link, comment)


def _target(file: BinaryIO, entry: ZipEntry) -> str:
    try:
        return next(entry_chunks(file, entry, MAX_LINK_BYTES), b"").decode("utf-8", "replace")[:300]
    except ExtractionError:
        return "its target can't be read"


def _counted(file: BinaryIO, entry: ZipEntry, limit: int, lock: ZipLock | None) -> Iterator[bytes]:
    """Yield an entry's bytes; one that unpacks past the limit, whatever size it declares, fails alone."""
    count = 0
    for chunk in entry_chunks(file, entry, lock=lock):
        count += len(chunk)
        if count > limit:
            message = f"member {entry.name!r}: unpacks past the limit of {limit} bytes, {entry.file_size} declared"
            raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, message)
        yield chunk
