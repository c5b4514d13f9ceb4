"""The PDF extractor: open, read page by page, say what is missing. The contract is in extractors/protocol.py."""

from __future__ import annotations

from collections.abc import Iterable

import pypdfium2 as pdfium
from PIL.Image import Image

from docbeam.extractors.bounded import PAGE_BREAK, TextBuilder
from docbeam.extractors.ladder import REPAIRED
from docbeam.extractors.pdf.attachments import hand_out_files
from docbeam.extractors.pdf.catalog import describe_catalog
from docbeam.extractors.pdf.damage import damaged_pages
from docbeam.extractors.pdf.details import attached_files, information, moment
from docbeam.extractors.pdf.letters import NOTHING
from docbeam.extractors.pdf.loading import open_bytes
from docbeam.extractors.pdf.mend import mended
from docbeam.extractors.pdf.opening import has_valid_table, how_opened, is_cut_short, is_put_together, opened
from docbeam.extractors.pdf.outline import describe_outline
from docbeam.extractors.pdf.page import OpenPage, PageFailed, open_page
from docbeam.extractors.pdf.pictures import Pictures, draw_picture
from docbeam.extractors.pdf.reading import PageText, Reader
from docbeam.extractors.pdf.rendering import render_page
from docbeam.extractors.pdf.scans import needs_ocr
from docbeam.extractors.pdf.system_fonts import without_system_fonts
from docbeam.extractors.pdf.xfa import dynamic_form
from docbeam.extractors.quality import FAULTS, Quality, text_quality
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, Origin, TruncationReason, WarningCode

GUESSED_SHARE = 0.3  # of letters without a map to Unicode before a short text needs words to be believed
MAX_FAILED_PAGES = 1_000  # in a row; behind that a page tree is only a claim
MAX_SPANS = 100  # of page numbers that one warning names


class PdfExtractor:
    """Reads PDF files natively, and draws their pages for OCR."""

    name = "pdf"

    def can_handle(self, media_type: str) -> bool:
        """Say whether this is PDF."""
        return media_type == MediaType.PDF

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text of one document; pages whose text is only drawn come back as PENDING.

        Raises: ExtractionError ENCRYPTED_NO_KEY, MALFORMED_XREF or CORRUPT if the document can't be opened, and
        CORRUPT if none of its pages can be loaded.
        """
        out = TextBuilder(options)  # its deadline runs while passwords are tried
        with without_system_fonts(), opened(source, options) as (document, tiers):
            if (how := how_opened(document)) is not None:
                how.describe(out)
            reading = _Reading(source, document, out)
            try:
                with out.until_full():
                    reading.read_pages()
                reading.warn()
                describe_outline(document, out)
                describe_catalog(source, out)
                _name_damage(source, document, tiers, out)
            except ExtractionError as error:
                error.tiers = error.tiers or tiers
                raise
            finally:
                reading.close()
            about = information(document)
            return out.extracted(
                page_count=len(document),
                confidence=Confidence.HEURISTIC if REPAIRED in tiers or reading.has_garbage else Confidence.DETERMINISTIC,
                tiers=tiers,
                title=about.get("Title"),
                author=about.get("Author"),
                created_at=moment(about.get("CreationDate", "")),
                modified_at=moment(about.get("ModDate", "")),
                metadata={f"pdf.{name[0].lower()}{name[1:]}": value for name, value in about.items()},
            )

    def render(self, source: Source, media_type: str, number: int, options: ExtractOptions) -> Image:
        """Return page `number` (from 1) in grey, with form fields and annotations drawn.

        Raises: ExtractionError IMAGE_TOO_LARGE if it would break the pixel cap also at 72 dpi.
        """
        with opened(source, options) as (document, _):
            if not 1 <= number <= len(document):
                raise ExtractionError(ErrorCategory.CORRUPT, f"page {number} of {len(document)}")
            return render_page(document, number, options)

    def picture(self, source: Source, media_type: str, part: str, options: ExtractOptions) -> Image:
        """Return a picture (`page 3 picture 2`) as its page shows it. Raises: ExtractionError CORRUPT, IMAGE_TOO_LARGE."""
        with opened(source, options) as (document, _):
            return draw_picture(document, part, options)


class _Reading:
    """One pass over a document's pages, and what has to be said of them."""

    def __init__(self, source: Source, document: pdfium.PdfDocument, out: TextBuilder) -> None:
        self._source = source
        self._document = self._original = document
        self._out = out
        self._options = out.options
        self._wanted = out.wanted(len(document))
        self._reader = Reader()
        self._is_mended = False
        self._pending = 0
        self._beyond_cap: list[int] = []
        self._unknown: list[int] = []
        self._garbage: dict[int, str] = {}  # and what is wrong with its text
        self._outside: list[int] = []
        self._hidden: list[int] = []
        self._blank: list[int] = []
        self._failed: list[int] = []
        self._files: list[tuple[str, str]] = []
        self._pictures = Pictures(out)
        self._anchors = ""  # of the page that is being read

    def read_pages(self) -> None:
        """Read page after page into the text. Raises Full as TextBuilder does."""
        for number in self._wanted:
            self._out.check_deadline()
            self._anchors = ""
            try:
                page, origin = self._read(number)
            except PageFailed:
                self._failed.append(number)
                if len(self._failed) == MAX_FAILED_PAGES == number - self._wanted.start + 1:
                    break
                continue
            self._note(number, page)
            self._out.page(number, f"{page.text}\n{self._anchors}" if self._anchors else page.text, origin)
        form = "\n".join(dynamic_form(self._original))
        if form:
            self._out.add(PAGE_BREAK + form)
            self._out.warn(
                WarningCode.PART_NOT_READ, "XFA form", "its texts and values are given, its layout and scripts are not"
            )

    @property
    def has_garbage(self) -> bool:
        """Whether a page's own text is garbage."""
        return bool(self._garbage)

    def close(self) -> None:
        """Close the mended copy, if there is one."""
        if self._document is not self._original:
            self._document.close()

    def _read(self, number: int) -> tuple[PageText, Origin]:
        with open_page(self._document, number) as handle:
            page = self._reader.read(handle)
            if not page.has_lost_letters or not self._mend():
                return page, self._origin(number, handle, page)
        with open_page(self._document, number) as handle:
            page = self._reader.read(handle)
            return page, self._origin(number, handle, page)

    def _mend(self) -> bool:
        """Go on with a copy whose fonts are mended; once a document."""
        if self._is_mended:
            return False
        self._is_mended = True
        copy = mended(self._source)
        if copy is None:
            return False
        try:
            self._document = open_bytes(copy.data)
        except pdfium.PdfiumError:
            return False
        self._reader.use(copy.aliases)
        return True

    def _origin(self, number: int, handle: OpenPage, page: PageText) -> Origin:
        letters = len(page.text) - page.text.count(" ") - page.text.count("\n")
        quality = page_quality(page)
        if quality.is_garbage and letters:
            self._garbage[number] = quality.fault
        unreadable = letters if quality.is_garbage else page.text.count(NOTHING)
        if not needs_ocr(handle, letters - unreadable, unreadable, self._options.min_native_chars_per_page):
            self._anchors = self._pictures.anchors(handle)
            return Origin.NATIVE
        if self._pending >= self._options.max_pages_to_rasterise:
            self._beyond_cap.append(number)
            return Origin.NATIVE
        self._pending += 1
        return Origin.PENDING

    def _note(self, number: int, page: PageText) -> None:
        if page.unknown:
            self._unknown.append(number)
        if page.is_blank:
            self._blank.append(number)
        if page.hidden:
            self._hidden.append(number)
        if page.outside:
            self._outside.append(number)
        self._files += [(f"page {number}", name) for name in page.files]

    def warn(self) -> None:
        """Say what was not read. Raises CORRUPT if that is everything."""
        out = self._out
        count = len(self._wanted)
        if not len(self._original) or (count and len(self._failed) == count):
            raise ExtractionError(ErrorCategory.CORRUPT, f"none of {count} pages can be loaded")
        broken, partly = damaged_pages(self._source, self._blank, self._wanted)
        if count and len(broken) == count:
            raise ExtractionError(
                ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"the content of {count} pages is lost or can't be unpacked"
            )
        if broken:
            out.cut(TruncationReason.DAMAGED)
            out.warn(WarningCode.PAGE_FAILED, pages(broken), "the page's content is lost or can't be unpacked")
        if partly:
            out.cut(TruncationReason.DAMAGED)
            out.warn(WarningCode.PART_DAMAGED, pages(partly), "the page's content is damaged: what is left of it was read")
        if self._failed:
            out.cut(TruncationReason.DAMAGED)
            out.warn(WarningCode.PAGE_FAILED, pages(self._failed), "the page's objects are broken or missing")
        if self._beyond_cap:
            out.cut(TruncationReason.MAX_PAGES_TO_RASTERISE)
            limit = self._options.max_pages_to_rasterise
            out.warn(WarningCode.NEEDS_OCR, pages(self._beyond_cap), f"beyond the limit of {limit} pages to rasterise")
        if self._unknown:
            out.warn(WarningCode.GARBAGE_TEXT, pages(self._unknown), f"glyphs without a known letter, marked {NOTHING}")
        said = {number for number in self._unknown if self._garbage.get(number) == "unknown"}
        garbage = {number: fault for number, fault in self._garbage.items() if number not in said}
        for fault in sorted({*garbage.values()}):
            numbers = [number for number, found in garbage.items() if found == fault]
            out.warn(WarningCode.GARBAGE_TEXT, pages(numbers), f"the page's own text is garbage: {FAULTS[fault]}")
        if self._outside:
            out.warn(WarningCode.PART_NOT_READ, pages(self._outside), "text outside the visible page was left out")
        if self._hidden:
            out.warn(WarningCode.HIDDEN, pages(self._hidden), "hidden notes or form fields with text were left out")
        named = [*(("document", name) for name in attached_files(self._original)), *self._files]
        hand_out_files(self._source, named, out)


def page_quality(page: PageText) -> Quality:
    """Return how usable a page's own text is."""
    return text_quality(page.text, is_guessed=page.guessed > GUESSED_SHARE)


def _name_damage(source: Source, document: pdfium.PdfDocument, tiers: tuple[str, ...], out: TextBuilder) -> None:
    """Say that pages may be missing, where the file ends early or its page tree is lost."""
    if is_put_together(document):
        message = "the file's list of pages is lost: those that are left were put together, and some may be missing"
    elif (REPAIRED in tiers or not has_valid_table(document)) and is_cut_short(source):
        message = "the file ends early: pages may be missing"
    else:
        return
    out.cut(TruncationReason.DAMAGED)
    out.warn(WarningCode.PART_DAMAGED, "document", message)


def pages(numbers: Iterable[int]) -> str:
    """Return page numbers as a short list: `page 3` or `pages 1, 4-9`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans[:MAX_SPANS])
    text += f" and {len(spans) - MAX_SPANS} more spans" if len(spans) > MAX_SPANS else ""
    return f"page {text}" if text.isdigit() else f"pages {text}"
