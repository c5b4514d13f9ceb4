"""One place in the pool: documents in, readings out, whatever a document does to the child that reads it."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from docbeam.extractors.engine import Reading
from docbeam.extractors.members import MEMBER_PREFIX
from docbeam.extractors.recognition import PageText, failed_page
from docbeam.extractors.same_picture import Known, as_target
from docbeam.extractors.sandbox.conversation import Conversation
from docbeam.extractors.sandbox.fields import Fields
from docbeam.extractors.sandbox.frames import Malformed, packed
from docbeam.extractors.sandbox.process import Child
from docbeam.extractors.sandbox.verdict import Fault, Limit, evidence_of
from docbeam.extractors.sandbox.wire import page_text_from, password_table, reading_from, source_form
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Member, Target

GRACE_SECONDS = 2.0  # the import of a parser at its first document, and the way from the soft deadline to the answer
GRACE_SHARE = 0.2  # long deadlines belong to large files, whose last page or sheet takes longer
MAX_GROUP_DOCUMENTS = 64  # in one message
MAX_GROUP_BYTES = 1 << 20  # in one message: what a crash makes us send again


class Worker:
    """Reads documents in a child. Used by one thread at a time, through `SandboxPool.worker()`.

    No method raises for what a document does; all raise SandboxClosed if the pool is closed meanwhile.
    """

    def __init__(self, options: ExtractOptions, start: Callable[[], Child], closed: threading.Event) -> None:
        self._options = options
        self.conversation = Conversation(options, start, closed)
        grace = max(GRACE_SECONDS, GRACE_SHARE * options.extraction_timeout_seconds)
        explanation = f"extraction_timeout_seconds is {options.extraction_timeout_seconds:g}, the grace {grace:g}"
        self._limit = Limit(options.extraction_timeout_seconds + grace, explanation)
        self._page_limit = Limit(options.ocr_page_timeout_seconds, "ocr_page_timeout_seconds, for one page")

    def read(self, source: Source, media_type: str | None = None) -> Reading:
        """Return the native reading of one document. `media_type`, if given, takes the place of sniffing."""
        return next(self._readings([source], media_type))

    def read_many(
        self, sources: Iterable[Source], media_type: str | None = None, limits: Mapping[str, int] | None = None
    ) -> Iterator[Reading]:
        """Yield the readings of many documents in their order; small ones share a message.

        Each has the whole deadline for itself. A document that kills the child gets its own reading, the others go on
        in a fresh child. `limits` are options that take the place of the pool's for these documents.
        """
        for group in grouped(sources):
            yield from self._readings(group, media_type, limits)

    def recognise(self, source: Source, media_type: str, target: Target, known: Known | None = None) -> PageText:
        """Return the text of one page or picture, drawn and recognised, or the error in its place.

        `known` is asked once it is drawn; what was read from an equal picture is taken instead of reading it again.
        """
        if known is not None:
            drawn = self._page(source, media_type, target, is_drawing_only=True)
            if drawn.error is not None:
                return drawn
            if drawn.digest is not None and (same := known(drawn.digest)) is not None:
                return as_target(same, target)
        return self._page(source, media_type, target, is_drawing_only=False)

    def _page(self, source: Source, media_type: str, target: Target, *, is_drawing_only: bool) -> PageText:
        entry, body = source_form(source)
        asked = {"media_type": media_type, "page": target.number, "picture": target.picture, "limits": None, "keys": 0}
        asked["is_drawing_only"] = is_drawing_only
        header = {"documents": [{**entry, **asked}], "passwords": [source.passwords]}
        talk = self.conversation.answers(lambda _: packed(header, [body]), 1, self._page_limit, self._page_text)
        answer = next(talk)
        return failed_page(target, answer.error) if isinstance(answer, Fault) else answer

    def _readings(
        self, group: list[Source], media_type: str | None, limits: Mapping[str, int] | None = None
    ) -> Iterator[Reading]:
        forms = [source_form(source) for source in group]

        def request(first: int) -> list[memoryview]:
            asked = {"media_type": media_type, "page": None, "picture": None, "limits": limits}
            passwords, keys = password_table(group[first:])
            entries = [{**entry, **asked, "keys": key} for (entry, _), key in zip(forms[first:], keys, strict=True)]
            return packed({"documents": entries, "passwords": passwords}, [body for _, body in forms[first:]])

        for answer in self.conversation.answers(request, len(group), self._limit, self._reading):
            yield failed_reading(answer) if isinstance(answer, Fault) else self._with_last_words(answer)

    def _reading(self, header: dict[str, Any], body: bytearray) -> Reading:
        reading = reading_from(Fields(header).get("value"), body, self._options.max_extracted_chars)
        if reading.extracted is None or not reading.extracted.members:
            return reading
        members = tuple(claimed(member, self.conversation.directory) for member in reading.extracted.members)
        return replace(reading, extracted=replace(reading.extracted, members=members))

    def _page_text(self, header: dict[str, Any], body: bytearray) -> PageText:
        return page_text_from(Fields(header).get("value"), body, self._options.max_extracted_chars)

    def _with_last_words(self, reading: Reading) -> Reading:
        words = self.conversation.last_words
        return replace(reading, evidence=evidence_of(reading.evidence or "", words)) if words else reading


def claimed(member: Member, directory: str) -> Member:
    """Take a member's file out of the child's directory, to the pool's own; the caller removes it.

    Raises: Malformed if it is not a plain file of the size that the child says.
    """
    if member.file is None:
        return member
    name = os.path.join(directory, member.file)
    try:
        status = os.lstat(name)
        if not stat.S_ISREG(status.st_mode) or status.st_size != member.size_bytes:
            raise Malformed("member: not a plain file of its size")
        descriptor, own = tempfile.mkstemp(prefix=MEMBER_PREFIX, dir=os.path.dirname(directory))
        os.close(descriptor)
        os.replace(name, own)
    except OSError as error:
        raise Malformed(f"member: {error}") from error
    return replace(member, file=own)


def grouped(sources: Iterable[Source]) -> Iterator[list[Source]]:
    """Yield the sources in groups that fit a message: many small ones, or one large one."""
    group: list[Source] = []
    group_bytes = 0
    for source in sources:
        size = source.size_bytes if source.path is None else 0
        if source.passwords and (not group or source.passwords != group[-1].passwords):
            size += sum(map(len, source.passwords))
        if group and (len(group) == MAX_GROUP_DOCUMENTS or group_bytes + size > MAX_GROUP_BYTES):
            yield group
            group, group_bytes = [], 0
        group.append(source)
        group_bytes += size
    if group:
        yield group


def failed_reading(fault: Fault) -> Reading:
    """Return the reading of a document at which the child failed."""
    return Reading(fault.media_type, fault.declared_media_type, fault.extractor, None, fault.error, fault.evidence)
