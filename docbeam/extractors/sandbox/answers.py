"""What a child answers: the engine's value, cleaned and checked, or the error that says what the extractor did instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from docbeam.extractors.boundary import guarded
from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.same_picture import picture_digest
from docbeam.extractors.sandbox.clean import clean_extracted, clean_notices, clean_text
from docbeam.extractors.sandbox.frames import Malformed, packed
from docbeam.extractors.sandbox.wire import page_text_form, page_text_from, reading_form, reading_from
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Target
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_MESSAGE_CHARS = 2_000
BULKY = 100  # pages or metadata entries: fewer can't fill a frame's header
MAX_FRAMES = 12  # of a traceback in the evidence
OUR_FILES = tuple(f"docbeam/extractors/{name}.py" for name in ("engine", "boundary", "recognition", "sandbox/answers"))
QUOTED = re.compile(r"[`\"'][^`\"']*[`\"']")  # Rust panics quote the text that they stumbled over
BROKEN_CONTRACT = (TypeError, AttributeError, ValueError, KeyError, Malformed)


class Answer(NamedTuple):
    """A header and a body for the wire. `is_fatal`: this child can't be trusted with another document."""

    header: dict[str, Any]
    body: bytes
    is_fatal: bool


def answer_reading(
    source: Source, options: ExtractOptions, media_type: str | None, on_start: Callable[[str, str, str], None]
) -> Answer:
    """Return the reading of a document. `on_start` is told media type, declared type and extractor before it begins."""
    reading = Reading(media_type or MediaType.UNKNOWN_BINARY, None, None, None, None)

    def begun(media_type: str, declared: str | None, extractor: str) -> None:
        nonlocal reading
        reading = Reading(media_type, declared, extractor, None, None)
        on_start(media_type, declared or "", extractor)

    try:
        reading = read_document(source, options, media_type, begun)
        if reading.error is not None:
            evidence = where(reading.error.__cause__) if reading.error.__cause__ else None
            return _failed(reading, reading.error, evidence, is_out_of_memory(reading.error), options)
        return Answer(*_checked_form(reading, options), is_fatal=False)
    except BaseException as error:  # sys.exit, KeyboardInterrupt, a Rust panic: this child can't go on
        return _failed(reading, death(error), where(error), is_fatal(error), options)


class Drawing:
    """The page that was drawn last, kept until it is asked for: its digest went out, and its text may be known already."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] | None = None
        self._image: Image | None = None

    def keep(self, source: Source, target: Target, image: Image) -> None:
        """Keep a page for the next request."""
        self._key, self._image = (source.path, source.name, source.size_bytes, target), image

    def take(self, source: Source, target: Target) -> Image | None:
        """Return the page if it is this one, and let it go in any case."""
        is_it = self._key == (source.path, source.name, source.size_bytes, target)
        image, self._key, self._image = self._image, None, None
        return image if is_it else None


def answer_drawing(source: Source, options: ExtractOptions, media_type: str, target: Target, drawing: Drawing) -> Answer:
    """Draw a page or picture, keep it, and return its digest in an empty PageText, or why it can't be drawn."""
    from docbeam.extractors.recognition import PageText, draw_page, failed_page

    try:
        image = guarded(lambda: draw_page(source, media_type, target, options))
        drawing.keep(source, target, image)
        page = PageText(number=target.number, picture=target.picture, digest=picture_digest(image, target))
        return Answer(*page_text_form(page), is_fatal=False)
    except ExtractionError as error:
        return Answer(*page_text_form(failed_page(target, _explained(error, options))), is_out_of_memory(error))
    except BaseException as error:
        return Answer(*page_text_form(failed_page(target, death(error))), is_fatal=is_fatal(error))


def answer_page(
    source: Source, options: ExtractOptions, media_type: str, number: int, picture: str | None, image: Image | None = None
) -> Answer:
    """Return the recognised text of one page or picture, drawn anew unless `image` is it."""
    from docbeam.extractors.ocr import find_engine  # with Pillow: late, for most children only read
    from docbeam.extractors.recognition import PageText, recognise_page

    try:
        engine = find_engine()
        if engine is None:
            raise ExtractionError(ErrorCategory.NEEDS_OCR, "no OCR engine is installed")
        page = recognise_page(source, media_type, Target(number, picture), options, engine, image)
        text = clean_text(page.text)[: options.max_extracted_chars]
        error = None if page.error is None else _explained(page.error, options)
        words = tuple(replace(word, text=clean_text(word.text)) for word in page.words)
        cleaned = replace(page, text=text, words=words, notices=clean_notices(page.notices), error=error)
        header, body = page_text_form(cleaned)
        page_text_from(header, body, options.max_extracted_chars)
        return Answer(header, body, is_out_of_memory(page.error))
    except ExtractionError as error:
        return Answer(*page_text_form(PageText(number=number, picture=picture, error=error)), is_fatal=False)
    except BaseException as error:
        return Answer(*page_text_form(PageText(number=number, picture=picture, error=death(error))), is_fatal=is_fatal(error))


def is_out_of_memory(error: ExtractionError | None) -> bool:
    """Say whether a document failed for want of memory."""
    return error is not None and error.category is ErrorCategory.MEMORY_LIMIT


def is_fatal(error: BaseException) -> bool:
    """Say whether nothing may be read after this exception: it is no plain fault, or memory has run out."""
    return not isinstance(error, Exception) or isinstance(error, MemoryError)


def death(error: BaseException) -> ExtractionError:
    """Return the error for an exception that passed the boundary."""
    if isinstance(error, ExtractionError):
        return error
    if isinstance(error, SystemExit):
        return ExtractionError(ErrorCategory.CRASHED, f"the extractor called sys.exit({error.code if error.code else 0!r})")
    if isinstance(error, MemoryError):
        return ExtractionError(ErrorCategory.MEMORY_LIMIT, "MemoryError")
    category = ErrorCategory.INTERNAL if isinstance(error, Exception) else ErrorCategory.CRASHED
    return ExtractionError(category, described(error))


def described(error: BaseException) -> str:
    """Return an exception's class and message, without what the message quotes."""
    message = clean_text(QUOTED.sub("…", " ".join(str(error).split())))[:300]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def where(error: BaseException) -> str | None:
    """Return the lines of code that led to an exception, the last one last; None if they are all our own."""
    import traceback  # late, because few children need it

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.endswith(OUR_FILES)]
    places = [f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno} {frame.name}" for frame in frames[-MAX_FRAMES:]]
    return clean_text("\n".join((*places, type(error).__name__))) if places else None


def _checked_form(reading: Reading, options: ExtractOptions) -> tuple[dict[str, Any], bytes]:
    """Return the form of a reading that the parent will accept. Raises ExtractionError if the extractor broke its contract."""
    assert reading.extracted is not None
    try:
        extracted = clean_extracted(reading.extracted, options.max_extracted_chars)
        header, body = reading_form(replace(reading, extracted=extracted))
        reading_from(header, body, options.max_extracted_chars)
        if len(extracted.pages) > BULKY or len(extracted.metadata) > BULKY:
            packed(header)  # which raises Malformed if it is too long to send
        return header, body
    except BROKEN_CONTRACT as error:
        message = f"extractor {reading.extractor!r} breaks the contract: {described(error)}"
        raise ExtractionError(ErrorCategory.INTERNAL, message) from error


def _failed(reading: Reading, error: ExtractionError, evidence: str | None, is_fatal: bool, options: ExtractOptions) -> Answer:
    """Return a failed reading; evidence goes along where the fault is ours or the child's, not the document's."""
    is_ours = error.category in (ErrorCategory.INTERNAL, ErrorCategory.CRASHED, ErrorCategory.MEMORY_LIMIT)
    failed = replace(reading, extracted=None, error=_explained(error, options), evidence=evidence if is_ours else None)
    return Answer(*reading_form(failed), is_fatal=is_fatal)


def _explained(error: ExtractionError, options: ExtractOptions) -> ExtractionError:
    message = clean_text(error.message)[:MAX_MESSAGE_CHARS]
    limit = f" (limit {options.sandbox_memory_bytes} bytes)" if is_out_of_memory(error) else ""
    return ExtractionError(error.category, message + limit, error.tiers)
