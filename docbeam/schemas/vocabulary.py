"""The closed vocabularies: every word that a row can carry, each with its sentence."""

from __future__ import annotations

from enum import Enum


class Word(str, Enum):
    """A word of a closed vocabulary, with the sentence that explains it."""

    sentence: str

    def __new__(cls, value: str, sentence: str = "") -> Word:
        """Make a word of its value and sentence."""
        word = str.__new__(cls, value)
        word._value_ = value
        word.sentence = sentence
        return word

    def __str__(self) -> str:
        return str(self.value)


class Confidence(Word):
    """How the text came about, and so how far to trust it."""

    DETERMINISTIC = "deterministic", "Read from the file by a parser: equal bytes give equal text."
    HEURISTIC = "heuristic", "Guessed in part: OCR, a detected charset, a repaired file. Order or letters may be wrong."
    MODEL_GENERATED = "model_generated", "Written by a language model. Treat as untrusted."


class Branch(Word):
    """Which way through the pipeline gave the text."""

    NATIVE = "native", "All text was in the file as text."
    OCR = "ocr", "All text was recognised in pictures."
    MIXED = "mixed", "Some pages were read, others recognised."


class Origin(Word):
    """Where the text of one page came from."""

    NATIVE = "native", "The page's own text."
    OCR = "ocr", "Recognised in a picture of the page."
    PENDING = "pending", "Not recognised (yet); such a page is named in the warnings of a finished row."


class PageKind(Word):
    """What a format calls its pages; page markers begin with it."""

    PAGE = "Page", "A page of paper."
    SLIDE = "Slide", "A slide of a presentation."
    SHEET = "Sheet", "A sheet of a workbook; its marker has its name."
    CHAPTER = "Chapter", "A chapter of a book."
    FRAME = "Frame", "A frame of a picture."


class TruncationReason(Word):
    """Why text is missing at the end of `content`, or in the middle of it."""

    MAX_EXTRACTED_CHARS = "max_extracted_chars", "The text was cut at `max_extracted_chars`."
    DEADLINE = "deadline", "The soft deadline passed: the text up to then is kept."
    MAX_PAGES_TO_RASTERISE = "max_pages_to_rasterise", "More pages needed OCR than `max_pages_to_rasterise` allows."
    MAX_PAGE_PIXELS = "max_page_pixels", "A page was too large to rasterise within `max_page_pixels`."
    DAMAGED = "damaged", "Part of the file is broken: what could be read is kept."
    PAGE_FAILED = "page_failed", "Some pages could not be recognised; the warnings name them."
    PAGE_RANGE = "page_range", "Only some pages were wanted: `start_page`, `end_page`, `max_pages`."
    CONTAINER_LIMIT = "container_limit", "A container has more entries or bytes than its caps allow; the rest is left out."


class Stage(Word):
    """The step in which a document failed."""

    LIST = "list", "While listing the input."
    READ = "read", "While reading the bytes from storage."
    SNIFF = "sniff", "While finding the media type."
    EXTRACT = "extract", "While reading the text from the bytes."
    OCR = "ocr", "While recognising text in pictures."
    ASSEMBLE = "assemble", "While putting pages together to a document."


class ErrorCategory(Word):
    """Why a document is in quarantine. `is_retryable`: the same bytes can succeed later or with other resources."""

    is_retryable: bool

    def __new__(cls, value: str, sentence: str = "", is_retryable: bool = False) -> ErrorCategory:
        """Make a category of its value, sentence and whether a retry can help."""
        word = str.__new__(cls, value)
        word._value_ = value
        word.sentence = sentence
        word.is_retryable = is_retryable
        return word

    EMPTY = "empty", "The file has no bytes."
    NOT_A_REGULAR_FILE = "not_a_regular_file", "A FIFO, socket, device, or a link that leads nowhere or in a circle."
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", "No extractor reads this media type."
    BINARY_AS_TEXT = "binary_as_text", "Said to be text, but the bytes are binary."
    INPUT_TOO_LARGE = "input_too_large", "More bytes than `max_body_bytes`."
    TOO_MANY_ENTRIES = "too_many_entries", "A container with more entries than `max_zip_entries`."
    TOO_LARGE_DECOMPRESSED = "too_large_decompressed", "A container that unpacks to more than `max_decompressed_bytes`."
    TOO_DEEP = "too_deep", "Embedded deeper than `max_depth`, as recursive archives are."
    LIMIT_EXCEEDED = "limit_exceeded", "A structure is nested or repeated past what an honest document needs."
    IMAGE_TOO_LARGE = "image_too_large", "A picture with more pixels than `max_image_pixels`."
    ENCRYPTED_NO_KEY = "encrypted_no_key", "Encrypted, and no password that is known opens it."
    MALFORMED_XREF = "malformed_xref", "A PDF whose cross-reference table is broken beyond repair."
    CORRUPT = "corrupt", "The bytes break the rules of their format."
    STREAM_DECOMPRESSION_FAIL = "stream_decompression_fail", "Compressed data inside the file cannot be unpacked."
    MISSING_TEXT_LAYER = "missing_text_layer", "Only pictures of text, and OCR is switched off or found impossible."
    NEEDS_OCR = "needs_ocr", "Only pictures of text: no OCR engine is installed, or a picture was met with OCR off.", True
    TIMEOUT = "timeout", "Extraction did not end before the hard deadline.", True
    MEMORY_LIMIT = "memory_limit", "Extraction wanted more memory than `sandbox_memory_bytes`.", True
    CRASHED = "crashed", "The parser died; `evidence` has its signal and last output."
    TRANSIENT_IO = "transient_io", "The bytes could not be read from storage, also not after retries.", True
    INTEGRITY_MISMATCH = "integrity_mismatch", "The bytes do not have the digest that the manifest gives."
    INTERNAL = "internal", "A fault of docbeam's own; please report it."


class WarningCode(Word):
    """What a row's `warnings` can say. A part that exists and was not read is named here."""

    TYPE_MISMATCH = "content.typeMismatch", "The name's extension says another media type than the bytes."
    UNDECODABLE = "content.undecodable", "Bytes that the charset does not have were replaced."
    CHARSET_GUESSED = "content.charsetGuessed", "No charset was declared and the bytes allow several."
    NEEDS_OCR = "content.needsOcr", "A page or picture whose text was not recognised."
    NO_TEXT = "content.noText", "Nothing to read was found."
    GARBAGE_TEXT = "content.garbageText", "Glyphs without a known letter: text is missing or wrong there."
    FORMULA_WITHOUT_VALUE = "content.formulaWithoutValue", "A formula was never calculated; its source is shown."
    PART_NOT_READ = "content.partNotRead", "A part of the document that was not read."
    HIDDEN = "content.hidden", "Sheets, rows, columns, slides or text that a reader does not see; read like the others."
    MACROS = "content.macros", "The document holds macros; they are not read and never run."
    EXTERNAL_LINK = "content.externalLink", "The document points to files outside of it, which are not fetched."
    PART_DAMAGED = "content.partDamaged", "A part of the document is broken and was left out."
    MALFORMED = "content.malformed", "The text breaks the rules of its format; it is kept as it is written."
    PAGE_FAILED = "content.pageFailed", "A page could not be read or recognised."
    EMBEDDED_NOT_READ = "container.entryNotRead", "An embedded file or attachment that was not read."
    ENTRY_FAILED = "container.entryFailed", "An embedded document that is in quarantine; the message has its category."
    ENTRY_UNSUPPORTED = "container.unsupportedEntry", "An embedded document of a media type that no extractor reads."
    ENTRY_MISSING = "container.entryMissing", "A part that the document refers to is missing."
    ENTRY_LIMIT = "container.entryLimit", "More entries than `max_zip_entries`: the rest is left out."
    BYTE_LIMIT = "container.byteLimit", "More unpacked bytes than `max_decompressed_bytes`: the rest is left out."
    LOW_CONFIDENCE = "ocr.lowConfidence", "The OCR engine is unsure of this page."
