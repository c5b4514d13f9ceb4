"""The Arrow schemas of the two datasets. Each field carries its description; docs/schema.md is generated from them."""

from __future__ import annotations

import pyarrow as pa

TIMESTAMP = pa.timestamp("us", tz="UTC")


def _field(name: str, kind: pa.DataType, description: str, *, nullable: bool = True) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"description": description})


WORD = pa.struct(
    [
        _field("text", pa.string(), "The word.", nullable=False),
        _field("confidence", pa.float32(), "0 to 1.", nullable=False),
        _field("left", pa.float32(), "Where its box begins: a share of the page's width, 0 at the left edge.", nullable=False),
        _field("top", pa.float32(), "A share of the page's height, 0 at the upper edge.", nullable=False),
        _field("width", pa.float32(), "A share of the page's width.", nullable=False),
        _field("height", pa.float32(), "A share of the page's height.", nullable=False),
    ]
)

PAGE = pa.struct(
    [
        _field("number", pa.int32(), "The page, slide, sheet or frame, from 1.", nullable=False),
        _field("start", pa.int32(), "Offset of its first character in content.", nullable=False),
        _field("end", pa.int32(), "Offset behind its last character.", nullable=False),
        _field("origin", pa.string(), "native, ocr, or pending for a page that was not recognised.", nullable=False),
        _field("ocr_confidence", pa.float32(), "0 to 1; null where nothing was recognised."),
        _field(
            "words",
            pa.list_(pa.field("item", WORD, nullable=False)),
            "With `ocr_words`, the words of a recognised page, where they stand on it as it is shown; else null.",
        ),
    ]
)

WARNING = pa.struct(
    [
        _field("code", pa.string(), "A word of the closed vocabulary of warnings.", nullable=False),
        _field("part", pa.string(), "The part of the document: `page 3`, `word/media/image1.png`.", nullable=False),
        _field("message", pa.string(), "One sentence for a person.", nullable=False),
    ]
)

IDENTITY_FIELDS = [
    _field(
        "uri", pa.string(), "Where the document is; for an embedded one its parent's URI, `!` and its path.", nullable=False
    ),
    _field("root_uri", pa.string(), "The input that it is, or that it is embedded in.", nullable=False),
    _field("parent_uri", pa.string(), "The document that it is embedded in; null for an input."),
    _field("member_path", pa.string(), "Its path inside the parent; null for an input."),
    _field("depth", pa.int32(), "0 for an input, 1 for a document embedded in one, and so on.", nullable=False),
    _field("source_version", pa.string(), "What storage calls the version: an ETag, or size and modification time."),
    _field("size_bytes", pa.int64(), "Size of the document's bytes."),
    _field("sha256", pa.string(), "SHA-256 of the bytes, in hex; null if they could not be read whole."),
    _field("md5", pa.string(), "MD5 of the bytes, in hex; null if they could not be read whole."),
    _field("media_type", pa.string(), "The media type found from the bytes."),
    _field("declared_media_type", pa.string(), "The media type that the name's extension claims."),
    _field(
        "duplicate_of",
        pa.string(),
        "With `dedupe`, the URI of the document with the same bytes that this row repeats: the smallest URI of the run.",
    ),
]

ENGINE_FIELDS = [
    _field("engine_version", pa.string(), "docbeam's version.", nullable=False),
    _field(
        "engine_fingerprint",
        pa.string(),
        "Digest of the versions of everything that can change the text, and of the options; spelt out in the run file.",
        nullable=False,
    ),
]

DOCUMENTS = pa.schema(
    [
        *IDENTITY_FIELDS,
        _field("content", pa.string(), "The text. Never an error message.", nullable=False),
        _field("char_count", pa.int64(), "Characters (code points) in content.", nullable=False),
        _field("is_truncated", pa.bool_(), "True if text that exists is not in content.", nullable=False),
        _field("truncation_reason", pa.string(), "Why it is truncated; null if it is not."),
        _field("confidence", pa.string(), "deterministic, heuristic or model_generated.", nullable=False),
        _field("ocr_confidence", pa.float32(), "0 to 1, over all recognised pages; null if none was."),
        _field("branch", pa.string(), "native, ocr or mixed.", nullable=False),
        _field("extractor", pa.string(), "The extractor that read it.", nullable=False),
        _field("tiers", pa.list_(pa.field("item", pa.string(), nullable=False)), "The steps taken, in order.", nullable=False),
        *ENGINE_FIELDS,
        _field("detected_language", pa.string(), "BCP 47 tag of the main language; null when unsure or not looked for."),
        _field("page_count", pa.int32(), "Pages, slides, sheets or frames that the document has; null for formats without."),
        _field("pages", pa.list_(pa.field("item", PAGE, nullable=False)), "Where each page's text stands.", nullable=False),
        _field("member_count", pa.int32(), "Documents embedded in this one; each has a row of its own.", nullable=False),
        _field("title", pa.string(), "The title that the document claims."),
        _field("author", pa.string(), "The author that the document claims."),
        _field("created_at", TIMESTAMP, "When the document says that it was created."),
        _field("modified_at", TIMESTAMP, "When the document says that it was last changed."),
        _field(
            "metadata",
            pa.map_(pa.string(), pa.string()),
            "What else the document claims, under keys by format.",
            nullable=False,
        ),
        _field(
            "warnings", pa.list_(pa.field("item", WARNING, nullable=False)), "Parts not read, guesses, damage.", nullable=False
        ),
        _field("extracted_at", TIMESTAMP, "When this row was made (clock column).", nullable=False),
        _field("duration_ms", pa.int64(), "Milliseconds spent on this document (clock column).", nullable=False),
    ]
)

QUARANTINE = pa.schema(
    [
        *IDENTITY_FIELDS,
        _field("error_category", pa.string(), "A word of the closed vocabulary of failures.", nullable=False),
        _field("error_message", pa.string(), "The thing, the limit and the value, for a person.", nullable=False),
        _field("stage", pa.string(), "The step that failed: list, read, sniff, extract, ocr, assemble.", nullable=False),
        _field("is_retryable", pa.bool_(), "True if another try can succeed.", nullable=False),
        _field("tiers", pa.list_(pa.field("item", pa.string(), nullable=False)), "The steps tried, in order.", nullable=False),
        _field("evidence", pa.string(), "Exit signal and the tail of the child's output, if it died."),
        *ENGINE_FIELDS,
        _field("quarantined_at", TIMESTAMP, "When this row was made (clock column).", nullable=False),
    ]
)

DATASETS: dict[str, pa.Schema] = {"documents": DOCUMENTS, "quarantine": QUARANTINE}
CLOCK_COLUMNS = frozenset({"extracted_at", "duration_ms", "quarantined_at"})
