"""Caps on the text of one document, measured while it is collected: characters, seconds, pages, warnings."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime

from docbeam.extractors.hidden import hidden_notices
from docbeam.extractors.members import MemberFiles, TooMuch
from docbeam.extractors.pictures import anchor, is_icon, resolved
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Member, Notice, Page, Picture
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, PageKind, TruncationReason, WarningCode

CHECK_EVERY_ADDS = 16  # reading the clock costs more than a short add
MAX_NOTICES = 200  # a file can make millions; the last one says how many were left out
MAX_METADATA_CHARS = 4_000  # a title is a line, not a book
PAGE_BREAK = "\n\n"


class Full(Exception):
    """No more text is wanted: a cap is reached or the soft deadline has passed."""


class TextBuilder:
    """Collects the text of one document under its character cap and its soft deadline.

    with out.until_full():
        for part in parts:
            out.add(part)
    return out.extracted()
    """

    def __init__(self, options: ExtractOptions) -> None:
        self.options = options
        self.metadata: dict[str, str] = {}
        self.notices: list[Notice] = []
        self.truncation: TruncationReason | None = None
        self.omitted_tables = 0  # what TableWriter left out on demand
        self._parts: list[str] = []
        self._chars = 0
        self._pages: list[Page] = []
        self._last_seen_page = 0
        self._adds = 0
        self._notices_left_out = 0
        self._members = MemberFiles(options)
        self._pictures: dict[str, int] = {}  # parts, in their order
        self._pictures_left: dict[str, str] = {}  # why, by the part; named last, as there can be thousands
        self._deadline = time.monotonic() + options.extraction_timeout_seconds

    @contextmanager
    def until_full(self) -> Iterator[None]:
        """Run a block that adds text; it ends early, without an error, when the text is full."""
        with suppress(Full):
            yield

    def add(self, text: str) -> None:
        """Append text as it is. Raises Full at the character cap (the part that fits is kept) and at the deadline."""
        room = self.options.max_extracted_chars - self._chars
        if len(text) > room:
            self._parts.append(text[:room])
            self._chars += room
            self.stop(TruncationReason.MAX_EXTRACTED_CHARS)
        self._parts.append(text)
        self._chars += len(text)
        self._adds += 1
        if self._adds % CHECK_EVERY_ADDS == 0:
            self.check_deadline()

    def line(self, text: str) -> None:
        """Append a line and its end."""
        self.add(text + "\n")

    def check_deadline(self) -> None:
        """Raise Full when the soft deadline has passed; call it in loops that add little text."""
        if time.monotonic() > self._deadline:
            self.stop(TruncationReason.DEADLINE)

    def remaining_seconds(self) -> float:
        """Return the seconds until the soft deadline, 0 when it has passed; a document inside this one gets no more."""
        return max(0.0, self._deadline - time.monotonic())

    def stop(self, reason: TruncationReason) -> None:
        """Mark the text as truncated and raise Full."""
        self.truncation = self.truncation or reason
        raise Full(reason)

    def cut(self, reason: TruncationReason) -> None:
        """Mark the text as truncated and go on."""
        self.truncation = self.truncation or reason

    def wants(self, number: int) -> bool:
        """Say whether a page is within the range that the options ask for; the work for others can be spared."""
        self._last_seen_page = max(self._last_seen_page, number)
        last = self.options.last_page
        return number >= self.options.start_page and (last is None or number <= last)

    def wanted(self, page_count: int) -> range:
        """Return the numbers of the pages to read, of a document that has `page_count` of them."""
        self._last_seen_page = max(self._last_seen_page, page_count)
        last = self.options.last_page
        return range(self.options.start_page, min(page_count, last or page_count) + 1)

    def page(
        self,
        number: int,
        text: str,
        origin: Origin = Origin.NATIVE,
        *,
        kind: PageKind = PageKind.PAGE,
        label: str | None = None,
    ) -> None:
        """Append one page, set off from the page before by a blank line. Raises Full as add does, with the page recorded.

        A page that the options don't want is left out. `kind` and `label` (the page's number, if there is none) make the
        marker that stands above the text, and belongs to the page, if the options ask for markers.
        """
        if not self.wants(number):
            return
        if self.options.page_markers:
            marker = page_marker(kind, label or str(number))
            text = f"{marker}\n{text}" if text else marker
        if self._chars and text:
            self.add(PAGE_BREAK)
        start = self._chars
        try:
            self.add(text)
        finally:
            self._pages.append(Page(number, start, self._chars, origin))

    def warn(self, code: WarningCode, part: str, message: str) -> None:
        """Record a warning; past MAX_NOTICES they are counted only."""
        if len(self.notices) < MAX_NOTICES:
            self.notices.append(Notice(code, part, message))
        else:
            self._notices_left_out += 1

    def meta(self, key: str, value: object) -> None:
        """Record a metadata value as text; None and blank values are left out."""
        text = "" if value is None else str(value).strip()
        if text:
            self.metadata[key] = text[:MAX_METADATA_CHARS]

    def member(self, path: str, data: bytes | Iterable[bytes], media_type: str | None = None) -> None:
        """Unpack an embedded document to a file, under the caps of entries and bytes; it becomes a row of its own.

        Past a cap nothing is unpacked any more, the text is marked as truncated and a warning says so. An error while
        the data is produced becomes the member's own problem, CutShort its damage.
        """
        if not self._members.is_open:
            return
        try:
            self._members.add(path, [data] if isinstance(data, bytes) else data, media_type)
            self.check_deadline()
        except TooMuch as limit:
            self.cut(TruncationReason.CONTAINER_LIMIT)
            self.warn(limit.code, path, f"{limit}: this entry and all behind it were left out")

    def picture(self, part: str, *, width: int | None = None, height: int | None = None) -> str:
        """Hand a picture out to be recognised; return its anchor, to be put into the text where the picture stands.

        `part` is the name by which the extractor's `picture` finds it again. Icons (`width` and `height` in pixels) and
        pictures that were handed out before give no anchor; one past the cap or with the option off is named in a warning.
        """
        if is_icon(width, height) or part in self._pictures or part in self._pictures_left:
            return ""
        options, limit = self.options, self.options.max_ocr_images
        why = ""
        if not (options.ocr and options.ocr_embedded):
            why = f"{'ocr' if not options.ocr else 'ocr_embedded'} is switched off"
        elif len(self._pictures) >= limit:
            why = f"limit {limit} pictures (max_ocr_images)"
        if why:
            self._pictures_left[part] = f"a picture; text in it is not recognised: {why}"
            return ""
        self._pictures[part] = len(self._pictures)
        return anchor(self._pictures[part])

    def failed_member(self, path: str, category: ErrorCategory, message: str, media_type: str | None = None) -> None:
        """Record an embedded document that can't be unpacked (encrypted, damaged); it becomes a quarantine row."""
        self._members.add_failed(path, (category, message), media_type)

    def adopt_members(self, path: str, members: Iterable[Member]) -> None:
        """Take over what was embedded in a part at `path` that another extractor has read for this document."""
        self._members.adopt(path, members)

    def extracted(
        self,
        *,
        page_count: int | None = None,
        confidence: Confidence = Confidence.DETERMINISTIC,
        tiers: tuple[str, ...] = ("native",),
        title: str | None = None,
        author: str | None = None,
        created_at: datetime | None = None,
        modified_at: datetime | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Extracted:
        """Return what was collected."""
        self._name_what_was_not_wanted(page_count)
        for notice in hidden_notices(self.metadata):
            self.warn(notice.code, notice.part, notice.message)
        for part, message in self._pictures_left.items():
            self.warn(WarningCode.NEEDS_OCR, part, message)
        if self._notices_left_out:
            last = self.notices[-1]
            self.notices[-1] = Notice(last.code, last.part, f"{last.message} ({self._notices_left_out} more warnings left out)")
        content, pages, pictures = "".join(self._parts), tuple(self._pages), tuple[Picture, ...]()
        if self._pictures:
            content, pages, pictures = resolved(content, pages, list(self._pictures))
        return Extracted(
            content=content,
            pages=pages,
            page_count=page_count,
            confidence=confidence,
            truncation=self.truncation,
            tiers=tiers,
            title=title,
            author=author,
            created_at=created_at,
            modified_at=modified_at,
            metadata={**self.metadata, **(metadata or {})},
            warnings=tuple(self.notices),
            members=self._members.taken(),
            pictures=pictures,
        )

    def _name_what_was_not_wanted(self, page_count: int | None) -> None:
        if self.omitted_tables:
            count = f"{self.omitted_tables} table{'s' if self.omitted_tables > 1 else ''}"
            self.warn(WarningCode.PART_NOT_READ, "tables", f"{count} left out, as the option `tables` is omit")
        count_known, first, last = page_count or self._last_seen_page, self.options.start_page, self.options.last_page
        if count_known and first > count_known:
            self.warn(WarningCode.NO_TEXT, "document", f"start_page is {first}, and the last page is {count_known}")
        if (first > 1 and count_known) or (last is not None and count_known > last):
            self.cut(TruncationReason.PAGE_RANGE)


def page_marker(kind: PageKind, label: str) -> str:
    """Return the line that stands above a page's text: `[Slide 3]`."""
    return f"[{kind} {' '.join(label.split())}]"
