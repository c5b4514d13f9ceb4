"""Text in pictures: recognise a page or a picture inside a document, and put what was recognised into the document.

recognise_page: a page or picture drawn by its extractor and read by the OCR engine ─► PageText
join_pages:     the native reading and its PageTexts ─► the finished document
unrecognised:   the finished document where nothing can be recognised
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from docbeam.extractors.boundary import guarded
from docbeam.extractors.bounded import MAX_NOTICES, PAGE_BREAK
from docbeam.extractors.choosing import Choice, choose, completed, garbage_notices
from docbeam.extractors.engine import plain_source
from docbeam.extractors.ladder import OCR
from docbeam.extractors.language import detected_language
from docbeam.extractors.ocr import OcrEngine, read_picture
from docbeam.extractors.picture_words import kept
from docbeam.extractors.pictures import is_icon, with_texts
from docbeam.extractors.protocol import PageRenderer, PictureRenderer
from docbeam.extractors.registry import extractor_for
from docbeam.extractors.same_picture import part_of, picture_digest
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted, Notice, Page, Target, Word
from docbeam.schemas.vocabulary import Branch, Confidence, ErrorCategory, Origin, PageKind, TruncationReason, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

UNSURE = 0.6  # below it a reader stumbles over most lines; print that is scanned well reaches 0.9
MARKER = re.compile(rf"\[(?:{'|'.join(PageKind)}) [^\n]*\](?:\n|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What became of one page: its text and how sure the engine is (0 to 1, None where nothing was found), or the error.

    Of a picture inside a document `picture` is the part, and `number` its place, from 1. `language` is the BCP 47 tag of
    the text's language, None where that is unsure. `words` are there if they are wanted. `digest` is that of the picture
    that was read: equal ones have equal texts.
    """

    number: int
    picture: str | None = None
    text: str = ""
    confidence: float | None = None
    language: str | None = None
    words: tuple[Word, ...] = ()
    digest: str | None = None
    notices: tuple[Notice, ...] = ()
    error: ExtractionError | None = None


def recognise_page(
    source: Source,
    media_type: str,
    target: Target,
    options: ExtractOptions,
    engine: OcrEngine,
    image: Image | None = None,
) -> PageText:
    """Draw a page or a picture, unless `image` is it, and return its text. Never raises; the error is in the PageText."""
    try:
        drawn = image if image is not None else guarded(lambda: draw_page(source, media_type, target, options))
        return guarded(lambda: _recognised(drawn, target, options, engine))
    except ExtractionError as error:
        return failed_page(target, error)


def failed_page(target: Target, error: ExtractionError) -> PageText:
    """Return the PageText of what could not be recognised."""
    return PageText(number=target.number, picture=target.picture, error=error)


def draw_page(source: Source, media_type: str, target: Target, options: ExtractOptions) -> Image:
    """Return a page or a picture as the engine gets it. Raises: ExtractionError."""
    extractor = extractor_for(media_type)
    if target.picture is not None:
        source = plain_source(source, media_type, options)
    if target.picture is None and isinstance(extractor, PageRenderer):
        return extractor.render(source, media_type, target.number, options)
    if target.picture is not None and isinstance(extractor, PictureRenderer):
        return extractor.picture(source, media_type, target.picture, options)
    what = "pages" if target.picture is None else "pictures"
    raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"no extractor draws {what} of {media_type}")


def _recognised(image: Image, target: Target, options: ExtractOptions, engine: OcrEngine) -> PageText:
    if target.picture is not None and is_icon(*image.size):
        return PageText(number=target.number, picture=target.picture)
    damage = image.info.get("damaged")
    is_part, seconds = target.picture is not None, options.ocr_page_timeout_seconds
    with_boxes = options.ocr_words and not is_part
    found = read_picture(engine, image, options.ocr_languages, seconds, with_boxes=with_boxes, is_part=is_part)
    if is_part:
        found = kept(found)
    if damage and not found.text:
        raise ExtractionError(ErrorCategory.CORRUPT, str(damage))
    part, notices = part_of(target), []
    if damage:
        notices.append(Notice(WarningCode.PART_DAMAGED, part, f"what could be decoded was recognised: {damage}"))
    if found.confidence is not None and not found.text:
        message = f"what was recognised as {options.ocr_languages} reads as noise and was left out"
        notices.append(Notice(WarningCode.LOW_CONFIDENCE, part, f"{message} (confidence {found.confidence:.2f})"))
    elif found.confidence is not None and found.confidence < UNSURE:
        notices.append(Notice(WarningCode.LOW_CONFIDENCE, part, f"confidence {found.confidence:.2f}"))
    return PageText(
        number=target.number,
        picture=target.picture,
        text=found.text,
        confidence=found.confidence if found.text else None,
        language=detected_language(found.text),
        words=found.words,
        digest=picture_digest(image, target),
        notices=tuple(notices),
    )


def join_pages(
    extracted: Extracted, page_texts: Iterable[PageText], options: ExtractOptions
) -> tuple[Extracted, Branch, float | None]:
    """Return the finished document, the branch its text came by, and the mean confidence weighted by length.

    Raises: the ExtractionError of the first failed page, if there is no text at all and all pages failed.
    """
    recognised = list(page_texts)
    found = {page.number: page for page in recognised if page.picture is None}
    pictures = [page for page in recognised if page.picture is not None]
    has_native_text = bool(extracted.content.strip())
    extracted = with_texts(extracted, {picture.number: picture.text for picture in pictures})
    pieces, choices = [], []
    for piece in _pieces(extracted, has_markers=options.page_markers):
        choice = _choice(piece, found)
        pieces.append(_chosen(piece, choice, found) if choice is not None else piece)
        choices += [choice] if choice is not None else []
    failed = [page for page in recognised if page.error is not None]
    if found and failed and len(failed) == len(recognised) and not any(piece.text.strip() for piece in pieces):
        assert failed[0].error is not None
        raise failed[0].error
    content, pages, is_cut = _laid_out(pieces, options.max_extracted_chars)
    of_pages = (*_page_notices(pages, found), *garbage_notices(choices, named_pages))
    notices = (*extracted.warnings, *of_pages, *_picture_notices(extracted, pictures))
    if not any(piece.text.strip() for piece in pieces) and not any(notice.code is WarningCode.NO_TEXT for notice in notices):
        notices = (*notices, Notice(WarningCode.NO_TEXT, "document", "nothing to read was found"))
    if any(picture.text for picture in pictures):
        notices = tuple(notice for notice in notices if notice.code is not WarningCode.NO_TEXT)
    is_recognised = any(page.origin is Origin.OCR for page in pages) or any(picture.text for picture in pictures)
    joined = replace(
        extracted,
        content=content,
        pages=pages,
        confidence=_confidence(extracted, is_recognised),
        truncation=extracted.truncation or _truncation(is_cut, notices),
        language=_main_language(extracted.language, pieces, found),
        tiers=(*extracted.tiers, OCR) if recognised else extracted.tiers,
        warnings=notices[:MAX_NOTICES],
    )
    branch = _branch(pieces)
    if any(picture.text for picture in pictures):
        branch = Branch.MIXED if has_native_text else Branch.OCR
    return joined, branch, _mean_confidence(pages, pictures)


def unrecognised(extracted: Extracted, media_type: str, *, ocr_wanted: bool) -> Extracted:
    """Return a document whose pending pages stay so, with a warning that names them; OCR is off or has no engine.

    Raises: ExtractionError if there is no text at all: MISSING_TEXT_LAYER for a PDF if OCR is off, else NEEDS_OCR.
    """
    reason = "no OCR engine is installed" if ocr_wanted else "OCR is switched off"
    extracted = _with_pictures_named(extracted, reason)
    pending = [page.number for page in extracted.pages if page.origin is Origin.PENDING]
    if not pending:
        return extracted
    part = named_pages(pending)
    has_markers = all(MARKER.match(extracted.content, page.start, page.end) for page in extracted.pages)
    if not any(piece.text.strip() for piece in _pieces(extracted, has_markers=has_markers)):
        is_final = media_type == MediaType.PDF and not ocr_wanted
        category = ErrorCategory.MISSING_TEXT_LAYER if is_final else ErrorCategory.NEEDS_OCR
        raise ExtractionError(category, f"{part}: only pictures of text, {reason}")
    notice = Notice(WarningCode.NEEDS_OCR, part, f"not recognised: {reason}")
    return replace(extracted, warnings=(*extracted.warnings[: MAX_NOTICES - 1], notice))


def _with_pictures_named(extracted: Extracted, reason: str) -> Extracted:
    room = max(MAX_NOTICES - len(extracted.warnings), 0)
    message = f"a picture; text in it is not recognised: {reason}"
    notices = [Notice(WarningCode.NEEDS_OCR, picture.part, message) for picture in extracted.pictures[:room]]
    return replace(extracted, warnings=(*extracted.warnings, *notices)) if notices else extracted


def named_pages(numbers: Iterable[int]) -> str:
    """Return page numbers as a reader writes them: `page 3`, `pages 1-3, 7`."""
    ordered = sorted(set(numbers))
    runs = [[number for _, number in run] for _, run in groupby(enumerate(ordered), lambda pair: pair[1] - pair[0])]
    words = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"page {words}" if len(ordered) == 1 else f"pages {words}"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A page, or text between, before and after pages (`page` is None). `marker` is the line that stands above it."""

    text: str
    page: Page | None
    marker: str = ""

    @property
    def whole(self) -> str:
        """The text with its marker."""
        return f"{self.marker}\n{self.text}" if self.marker and self.text else self.marker or self.text


def _pieces(extracted: Extracted, *, has_markers: bool) -> list[_Piece]:
    """Cut the content at its pages; what lies outside of them (notes, attachments' names) keeps its place."""
    pieces, position = [], 0
    for page in extracted.pages:
        pieces.append(_Piece(extracted.content[position : page.start].strip("\n"), None))
        text, marker = extracted.content[page.start : page.end], ""
        if has_markers:
            marker, _, text = text.partition("\n")
        pieces.append(_Piece(text, page, marker))
        position = max(position, page.end)
    pieces.append(_Piece(extracted.content[position:].strip("\n") if extracted.pages else extracted.content, None))
    return [piece for piece in pieces if piece.text or piece.page]


def _choice(piece: _Piece, found: dict[int, PageText]) -> Choice | None:
    """Return which reading of a pending page is kept, None where there is nothing to choose."""
    page = piece.page
    if page is None or page.origin is not Origin.PENDING or page.number not in found:
        return None
    ocr = found[page.number]
    return None if ocr.error is not None else choose(page.number, piece.text, ocr.text)


def _chosen(piece: _Piece, choice: Choice, found: dict[int, PageText]) -> _Piece:
    """Put the recognised text in the place of the page's own, if it was chosen; own words that it lacks stay."""
    assert piece.page is not None
    if choice.keeps_own:
        return replace(piece, page=replace(piece.page, origin=Origin.NATIVE))
    ocr = found[choice.number]
    page = replace(piece.page, origin=Origin.OCR, ocr_confidence=ocr.confidence, words=ocr.words)
    return replace(piece, text=completed(choice, piece.text, ocr.text), page=page)


def _laid_out(pieces: Sequence[_Piece], max_chars: int) -> tuple[str, tuple[Page, ...], bool]:
    """Join the pieces with page breaks under the cap, set the pages' offsets, and say whether something was cut."""
    parts: list[str] = []
    pages, length, is_cut = [], 0, False
    for piece in pieces:
        text = piece.whole
        lead = PAGE_BREAK if length and text else ""
        parts.append((lead + text)[: max_chars - length])
        is_cut |= len(parts[-1]) < len(lead) + len(text)
        start = min(length + len(lead), max_chars)
        length += len(parts[-1])
        if piece.page is not None:
            pages.append(replace(piece.page, start=start if text else length, end=length))
    return "".join(parts), tuple(pages), is_cut


def _page_notices(pages: Sequence[Page], found: dict[int, PageText]) -> list[Notice]:
    notices = []
    for page in pages:
        result = found.get(page.number)
        if result is not None and result.error is not None:
            notices.append(Notice(WarningCode.PAGE_FAILED, f"page {page.number}", str(result.error)))
        elif result is not None and page.origin is Origin.OCR:
            notices.extend(result.notices)
    if left := [page.number for page in pages if page.origin is Origin.PENDING and page.number not in found]:
        notices.append(Notice(WarningCode.NEEDS_OCR, named_pages(left), "not recognised"))
    return notices


def _picture_notices(extracted: Extracted, pictures: Sequence[PageText]) -> Iterator[Notice]:
    for picture in pictures:
        if picture.error is not None:
            message = f"a picture; text in it is not recognised: {picture.error}"
            yield Notice(WarningCode.NEEDS_OCR, picture.picture or "picture", message)
        yield from picture.notices
    found = {picture.number for picture in pictures}
    for number, left in enumerate(extracted.pictures, 1):
        if number not in found:
            yield Notice(WarningCode.NEEDS_OCR, left.part, "a picture; text in it is not recognised")


def _main_language(native: str | None, pieces: Iterable[_Piece], found: dict[int, PageText]) -> str | None:
    """Return the language that at least half of all letters are in: those read natively count for the native one."""
    letters: Counter[str | None] = Counter()
    for piece in pieces:
        is_recognised = piece.page is not None and piece.page.origin is Origin.OCR
        language = found[piece.page.number].language if piece.page is not None and is_recognised else native
        letters[language] += _letters(piece.text)
    language, most = letters.most_common(1)[0] if letters else (None, 0)
    return language if 2 * most >= letters.total() else None


def _truncation(is_cut: bool, notices: Iterable[Notice]) -> TruncationReason | None:
    codes = {notice.code for notice in notices}
    if is_cut:
        return TruncationReason.MAX_EXTRACTED_CHARS
    if WarningCode.PAGE_FAILED in codes:
        return TruncationReason.PAGE_FAILED
    return TruncationReason.DAMAGED if WarningCode.PART_DAMAGED in codes else None


def _confidence(extracted: Extracted, is_recognised: bool) -> Confidence:
    is_exact = extracted.confidence is Confidence.DETERMINISTIC
    return Confidence.HEURISTIC if is_recognised and is_exact else extracted.confidence


def _branch(pieces: Sequence[_Piece]) -> Branch:
    recognised = [piece for piece in pieces if piece.page is not None and piece.page.origin is Origin.OCR]
    has_native = any(piece.text.strip() for piece in pieces if piece not in recognised)
    if not has_native:
        return Branch.OCR if recognised else Branch.NATIVE
    return Branch.MIXED if any(piece.text.strip() for piece in recognised) else Branch.NATIVE


def _mean_confidence(pages: Iterable[Page], pictures: Iterable[PageText]) -> float | None:
    weighed = [(page.ocr_confidence, page.end - page.start) for page in pages if page.ocr_confidence is not None]
    weighed += [(one.confidence, len(one.text)) for one in pictures if one.confidence is not None]
    chars = sum(weight for _, weight in weighed)
    return round(sum(confidence * weight for confidence, weight in weighed) / chars, 4) if chars else None


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
