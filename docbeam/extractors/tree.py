"""A document and all that is embedded in it, level by level, each read for itself under budgets that the whole tree shares.

Members are driven from outside of the sandbox: each is a document of its own there, so one that crashes or hangs costs
only itself. Bytes, entries, depth and time are counted over the whole tree: nesting can't multiply them.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from docbeam.extractors.bounded import MAX_NOTICES
from docbeam.extractors.engine import Reading
from docbeam.extractors.icons import without_icon
from docbeam.extractors.recognition import PageText
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.passwords import NO_PASSWORDS, Passwords
from docbeam.schemas.records import Extracted, Member, Notice, Target
from docbeam.schemas.vocabulary import ErrorCategory, Origin, TruncationReason, WarningCode

MEMBER_MARK = "!/"  # between a document and the path of one that is embedded in it
READ_AHEAD = 32  # members in one message: their texts wait in memory together
CAN_UNPACK = (b"PK", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\xd0\xcf\x11\xe0", b"%PDF", b"7z\xbc\xaf", b"]\x00\x00")
ASTRAL, WIDE = re.compile("[\U00010000-\U0010ffff]"), re.compile("[\u0100-\uffff]")
UNPACKS_ALONE_BYTES = 1 << 20  # a tar or a mail bursts into no more than its own size; a large one is read alone


class Reader(Protocol):
    """Reads documents and recognises pages: a sandbox's worker, or this process itself."""

    def read(self, source: Source) -> Reading:
        """Return the native reading of a document."""

    def read_many(
        self, sources: Sequence[Source], media_type: str | None = None, limits: Mapping[str, int] | None = None
    ) -> Iterator[Reading]:
        """Yield the native readings of documents, in their order. `limits` take the place of options."""

    def recognise(self, source: Source, media_type: str, target: Target) -> PageText:
        """Return the text of one page or picture, drawn and recognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One document of a tree. `parent` is the parent's place in the list, None for the root; digests are in hex.

    `path` is its path inside the parent, `declared` the media type that the parent declares for it. `uri` is its own one,
    by which passwords are chosen; it is known while the tree is read.
    """

    parent: int | None = None
    path: str | None = None
    depth: int = 0
    reading: Reading
    size_bytes: int | None = None
    sha256: str | None = None
    md5: str | None = None
    declared: str | None = None
    duration_ms: int = 0
    uri: str = ""


class Budget:
    """What the tree may still use. Bytes and entries are what comes out of its containers.

    The texts of all its documents wait in memory together until the last one is read, and a small document can have a
    large text: what they take there is held to the limit for bytes as well.
    """

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options
        self.bytes_left = options.max_decompressed_bytes
        self.entries_left = options.max_zip_entries
        self.text_left = options.max_decompressed_bytes
        self._deadline = time.monotonic() + options.container_timeout_seconds

    def limits(self) -> dict[str, int]:
        """Return the options that the next document is read under."""
        return {"max_decompressed_bytes": max(self.bytes_left, 1), "max_zip_entries": max(self.entries_left, 1)}

    def take(self, members: Sequence[Member]) -> Sequence[Member]:
        """Count what a document has unpacked; return the members that are still within the budget."""
        for place, member in enumerate(members):
            if self.entries_left < 1 or member.size_bytes > self.bytes_left:
                return members[:place]
            self.entries_left -= 1
            self.bytes_left -= member.size_bytes
        return members

    def hold(self, reading: Reading) -> None:
        """Count the text of a document that was read."""
        if reading.extracted is not None:
            self.text_left -= _memory_bytes(reading.extracted.content)

    def refusal(self, depth: int) -> ExtractionError | None:
        """Return why nothing is read at this depth, or None."""
        if depth > self._options.max_depth:
            message = f"level {depth}, limit {self._options.max_depth} (max_depth)"
            return ExtractionError(ErrorCategory.TOO_DEEP, message)
        if self.text_left < 0:
            message = f"the texts of the input's embedded documents: more than {self._options.max_decompressed_bytes} bytes"
            return ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"{message} in all (max_decompressed_bytes)")
        if time.monotonic() > self._deadline:
            limit = self._options.container_timeout_seconds
            return ExtractionError(ErrorCategory.TIMEOUT, f"the input's embedded documents took over {limit:g} s in all")
        return None


def read_tree(
    reader: Reader,
    root: Node,
    options: ExtractOptions,
    keep: Callable[[Node, Source], None] | None = None,
    passwords: Passwords = NO_PASSWORDS,
) -> list[Node]:
    """Return the root and all documents embedded in it, parents before children.

    `keep` is called for each embedded document with something to recognise, while its bytes are there. Every member's file
    is removed on return.
    """
    nodes, budget, waiting = [root], Budget(options), deque([0])
    try:
        while waiting:
            place = waiting.popleft()
            for group in _groups(_within_budget(nodes, place, budget), nodes[place].depth + 1, budget):
                for node in _read_group(reader, group, place, nodes[place], budget, keep, passwords):
                    nodes.append(node)
                    if members_of(node):
                        waiting.append(len(nodes) - 1)
    finally:
        for node in nodes:
            for member in members_of(node):
                _remove(member)
    return nodes


def member_uri(parent_uri: str, path: str) -> str:
    """Return the URI of a document by its parent's and its path inside of it."""
    return parent_uri + MEMBER_MARK + path.replace("%", "%25").replace("!", "%21")


def members_of(node: Node) -> tuple[Member, ...]:
    """Return the documents embedded in a document."""
    return node.reading.extracted.members if node.reading.extracted is not None else ()


def is_pending(reading: Reading) -> bool:
    """Say whether a reading has pages or pictures to recognise."""
    found = reading.extracted
    return found is not None and (bool(found.pictures) or any(page.origin is Origin.PENDING for page in found.pages))


def with_failed_members(extracted: Extracted, failures: Sequence[tuple[str, ExtractionError]]) -> Extracted:
    """Return a document with a warning for each of its members (path, error) that is in quarantine.

    A row has MAX_NOTICES of them at most; the last one says how many more rows there are in quarantine.
    """
    if not failures:
        return extracted
    room = max(1, MAX_NOTICES - len(extracted.warnings))
    notices = [Notice(_code_of(error), path, str(error)) for path, error in failures[:room]]
    if len(failures) > room:
        more = f"({len(failures) - room} more embedded documents are in quarantine)"
        notices[-1] = replace(notices[-1], message=f"{notices[-1].message} {more}")
    return replace(extracted, warnings=(*extracted.warnings, *notices))


def _code_of(error: ExtractionError) -> WarningCode:
    is_unsupported = error.category is ErrorCategory.UNSUPPORTED_MEDIA_TYPE
    return WarningCode.ENTRY_UNSUPPORTED if is_unsupported else WarningCode.ENTRY_FAILED


def _within_budget(nodes: list[Node], place: int, budget: Budget) -> Sequence[Member]:
    """Return a node's members within the budget; those that are not are cut from the node, which says so."""
    members = members_of(nodes[place])
    kept = budget.take(members)
    if len(kept) < len(members):
        for member in members[len(kept) :]:
            _remove(member)
        extracted = nodes[place].reading.extracted
        assert extracted is not None
        code = WarningCode.ENTRY_LIMIT if budget.entries_left < 1 else WarningCode.BYTE_LIMIT
        left = members[len(kept)]
        message = f"this entry and {len(members) - len(kept) - 1} more are over what is left for the whole input"
        extracted = replace(
            extracted,
            members=tuple(kept),
            truncation=extracted.truncation or TruncationReason.CONTAINER_LIMIT,
            warnings=(*extracted.warnings, Notice(code, left.path, message)),
        )
        nodes[place] = replace(nodes[place], reading=replace(nodes[place].reading, extracted=extracted))
    return kept


def _groups(members: Sequence[Member], depth: int, budget: Budget) -> Iterator[list[Member]]:
    """Yield the members in groups to read together; what may unpack to more than itself is read alone."""
    group: list[Member] = []
    for member in members:
        if member.file is not None and _may_burst(member):
            if group:
                yield group
                group = []
            yield [member]
            continue
        group.append(member)
        if len(group) == READ_AHEAD:
            yield group
            group = []
    if group:
        yield group


def _may_burst(member: Member) -> bool:
    if member.size_bytes > UNPACKS_ALONE_BYTES:
        return True
    with open(member.file or "", "rb") as file:
        return file.read(8).startswith(CAN_UNPACK)


def _read_group(
    reader: Reader,
    group: Sequence[Member],
    place: int,
    parent: Node,
    budget: Budget,
    keep: Callable[[Node, Source], None] | None,
    passwords: Passwords,
) -> Iterator[Node]:
    depth = parent.depth + 1
    refusal = budget.refusal(depth)
    readable: list[tuple[Node, Source, str | None]] = []
    for member in group:
        error = ExtractionError(*member.problem) if member.problem else refusal
        reading = Reading(member.media_type or MediaType.UNKNOWN_BINARY, member.media_type, None, None, error)
        uri = member_uri(parent.uri, member.path)
        node = Node(parent=place, path=member.path, depth=depth, reading=reading, declared=member.media_type, uri=uri)
        if member.file is not None:
            node = _with_digests(node, member.file)
        if error is not None or member.file is None:
            yield node
        else:
            source = Source(path=member.file, name=os.path.basename(member.path), passwords=passwords.for_uri(uri))
            readable.append((node, source, member.damage))
    started = time.monotonic()
    readings = reader.read_many([source for _, source, _ in readable], None, budget.limits()) if readable else ()
    read: deque[tuple[Node, Source]] = deque()
    try:
        for (node, source, damage), reading in zip(readable, readings, strict=True):
            now = time.monotonic()
            reading = without_icon(_marked(reading, damage), parent.reading.media_type)
            read.append((replace(node, reading=reading, duration_ms=round((now - started) * 1000)), source))
            started = now
            budget.hold(reading)
        while read:  # only now: `keep` may ask the same reader, who gives one answer after the other
            node, source = read[0]
            if keep is not None and is_pending(node.reading):
                keep(node, source)
            read.popleft()
            yield node
    finally:
        for node, _ in read:
            for member in members_of(node):
                _remove(member)


def _marked(reading: Reading, damage: str | None) -> Reading:
    """Return a reading that says that its bytes are only a part of the document, if they are."""
    extracted = reading.extracted
    if damage is None or extracted is None:
        return reading
    notice = Notice(WarningCode.PART_DAMAGED, "document", damage)
    truncation = extracted.truncation or TruncationReason.DAMAGED
    return replace(reading, extracted=replace(extracted, truncation=truncation, warnings=(notice, *extracted.warnings)))


def _memory_bytes(text: str) -> int:
    """Return what a text takes in memory: its widest character makes all others as wide."""
    if text.isascii():
        return len(text)
    return len(text) * (4 if ASTRAL.search(text) else 2 if WIDE.search(text) else 1)


def _with_digests(node: Node, name: str) -> Node:
    sha256, md5, size = hashlib.sha256(), hashlib.md5(usedforsecurity=False), 0
    with open(name, "rb") as file:
        while chunk := file.read(1 << 20):
            sha256.update(chunk)
            md5.update(chunk)
            size += len(chunk)
    return replace(node, size_bytes=size, sha256=sha256.hexdigest(), md5=md5.hexdigest())


def drop_members(node: Node) -> None:
    """Remove the files of a document's members: nobody will read them."""
    for member in members_of(node):
        _remove(member)


def _remove(member: Member) -> None:
    if member.file is not None:
        with suppress(OSError):
            os.unlink(member.file)
