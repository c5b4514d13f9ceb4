"""What flows: a blob's reference, what an extractor returns, and the two kinds of rows.

BlobRef ─► Extracted ─► Document | Quarantined
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from docbeam.schemas.vocabulary import (
    Branch,
    Confidence,
    ErrorCategory,
    Origin,
    Stage,
    TruncationReason,
    WarningCode,
)


@dataclass(frozen=True, slots=True)
class Notice:
    """One warning of a row: its code, the part it is about (`page 3`, `word/media/x.bin`) and a sentence."""

    code: WarningCode
    part: str
    message: str


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word and the box around it, on the page as it is shown.

    `left`, `top`, `width` and `height` are shares of the page's width and height, from its upper left corner; all four,
    like `confidence`, are 0 to 1.
    """

    text: str
    confidence: float
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page, slide, sheet or frame. `start` and `end` are character offsets into the document's content.

    `number` counts from 1. `ocr_confidence` is 0 to 1, and None where nothing was recognised. `words` are those of a
    recognised page, if they are wanted.
    """

    number: int
    start: int
    end: int
    origin: Origin = Origin.NATIVE
    ocr_confidence: float | None = None
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside a document that may hold text. `part` is its name, by which its extractor finds it again.

    Its text belongs at the end of the line at `position`, a character offset into the document's content. `page` is the
    number of the page that shows it, None outside of pages.
    """

    part: str
    position: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be recognised: page `number`, or with `picture`, its part, the document's picture `number`; both from 1."""

    number: int
    picture: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A document embedded in another one, unpacked to a temporary file that whoever takes it removes.

    `path` is its path inside the parent, unique there, with `/` between folders. `file` is None where it could not be
    unpacked, for the reason in `problem`. `media_type` is what the container declares; the bytes decide. `damage` says why
    the file holds only a part of the document, if it does; its row says so too.
    """

    path: str
    file: str | None = None
    size_bytes: int = 0
    media_type: str | None = None
    problem: tuple[ErrorCategory, str] | None = None
    damage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What an extractor returns for one document.

    A page with origin PENDING has text only in pictures: the OCR branch recognises it and puts the text in its place.
    So it does with `pictures`, whose text is set into the content.
    `content` has LF line ends and no NUL; `created_at` and `modified_at` are aware datetimes or None. `language` is the
    BCP 47 tag of its main language; where an extractor leaves it out, the engine looks for it.
    """

    content: str
    pages: tuple[Page, ...] = ()
    page_count: int | None = None
    confidence: Confidence = Confidence.DETERMINISTIC
    truncation: TruncationReason | None = None
    language: str | None = None
    tiers: tuple[str, ...] = ("native",)
    title: str | None = None
    author: str | None = None
    created_at: datetime | None = None
    modified_at: datetime | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()
    members: tuple[Member, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobRef:
    """A document that is still in storage: its URI and what the listing says of it.

    `path` is what a local file system opens: a name need not be decodable. `problem` is set for an entry that can't be
    read at all (a FIFO, an unreadable folder). `duplicate_of` is the URI of another input with the same bytes.
    """

    uri: str
    size_bytes: int | None = None
    source_version: str | None = None
    path: bytes | None = None
    expected_sha256: str | None = None
    expected_md5: str | None = None
    expected_bytes: int | None = None
    problem: tuple[ErrorCategory, str] | None = None
    duplicate_of: str | None = None

    @property
    def has_expectation(self) -> bool:
        """Say whether a manifest names a digest or the size of its bytes."""
        return self.expected_sha256 is not None or self.expected_md5 is not None or self.expected_bytes is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The columns that both datasets share: which document, which bytes, and what they were taken for.

    `root_uri` is the input that an embedded document came in; None for an input itself. `duplicate_of` is the URI of the
    document with equal bytes whose reading this row repeats.
    """

    uri: str
    root_uri: str | None = None
    parent_uri: str | None = None
    member_path: str | None = None
    depth: int = 0
    source_version: str | None = None
    size_bytes: int | None = None
    sha256: str | None = None
    md5: str | None = None
    media_type: str | None = None
    declared_media_type: str | None = None
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A row of the documents dataset."""

    identity: Identity
    extracted: Extracted
    extractor: str
    branch: Branch
    ocr_confidence: float | None
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """A row of the quarantine dataset. `evidence` is the exit signal and the tail of the child's output, if there are any."""

    identity: Identity
    category: ErrorCategory
    message: str
    stage: Stage
    tiers: tuple[str, ...] = ()
    evidence: str | None = None


Row = Document | Quarantined
