"""One picture of a page, tried until it reads: blank pages cost nothing, crooked ones are levelled, lying ones turned.

| attempt | when | what |
|---|---|---|
| blank | nothing on it could be a letter | no text; the engine is not started |
| page | always | columns, paragraphs, lines; crooked lines are levelled first |
| even | the paper is uneven | shadows, coloured cells and dark boxes made white |
| sparse | nothing was found | words anywhere |
| sparse | poor, but upright | the same: words that stand loose, as in tables of contents with dotted lines |
| upright | unsure | turned by the engine's orientation, or by 90, 270 and 180 degrees in turn |
| as it lies | still unsure, and it was levelled | the page without levelling |

Crooked pages are levelled, and uneven ones read twice, whatever the confidence, because it does not show what was left
out: at 4 degrees Tesseract lost half of the text, of a table its coloured cells, and was sure of the rest (0.93).

Where the languages are left to docbeam (`auto`), the script that orientation detection names chooses the first one. If
the text so found is in another installed language, the page is read again with that. Where no script is found, or the
wrong one (Hebrew is taken for Thai), that is unsure or the reading poor: then one language of each likely script is
tried, all together.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from PIL import Image

from docbeam.extractors.language import detected_language
from docbeam.extractors.ocr.blank import is_blank
from docbeam.extractors.ocr.ground import evened
from docbeam.extractors.ocr.languages import AUTO, code_of, language_of_script, likely_languages
from docbeam.extractors.ocr.placing import Pose, placed
from docbeam.extractors.ocr.protocol import OcrEngine, Orientation, Recognised
from docbeam.extractors.ocr.skew import skew_degrees, straightened
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

POOR = 0.55  # so little is left of lines that end in dots, or of pages of loose words, if they are taken for paragraphs
SURE = 0.75  # print that lies right reaches 0.8 and more; the same pages crooked or on their side stay under 0.7
SURE_SCRIPT = 1.0  # of a script; Hebrew taken for Thai had 0.9, right ones 1.1 and more, but for Korean
TIME_SHARE = 0.9  # of the page's time: the rest is for drawing it, and for the answer before the sandbox's own deadline
SMALL_SIDE = 2_000  # pixels; enough for the orientation of a page of print
TURNS = (90, 270, 180)  # degrees clockwise, the likeliest first
TRANSPOSE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
NOISE_CONFIDENCE, NOISE_SOLID = 0.45, 0.3  # fur and leaves read as "a | =" at 0.40 and 0.0; poor scans are above one of them
NOTHING = Recognised("", None, 0.0)


def read_picture(
    engine: OcrEngine,
    image: Image.Image,
    languages: str,
    timeout_seconds: float,
    *,
    with_boxes: bool = False,
    is_part: bool = False,
) -> Recognised:
    """Return the text of one page's picture: the best of the attempts, all of them within the time.

    `is_part`: it is a picture inside a document, of which most have no words; fewer attempts are made, and its words come
    with their boxes. Noise comes back with its confidence, and without its text unless it is a part with words.
    Raises: ExtractionError TIMEOUT, MEMORY_LIMIT or CRASHED if no attempt came to an end.
    """
    if is_blank(image):
        return NOTHING
    page = _Page(engine, image, time.monotonic() + TIME_SHARE * timeout_seconds, with_boxes or is_part, is_part=is_part)
    found = page.best_of_languages() if languages == AUTO else page.best(languages)
    if not is_noise(found) or (is_part and found.words):
        return found
    return replace(found, text="", words=())


@dataclass
class _Page:
    """The picture of one page, and how it is read. `turn` is known once orientation detection was asked."""

    engine: OcrEngine
    image: Image.Image
    deadline: float
    with_boxes: bool
    orientation: Orientation | None = None
    is_orientation_known: bool = False
    is_part: bool = False

    def best(self, languages: str) -> Recognised:
        """Return the best reading with these languages."""
        best = NOTHING
        try:
            for is_sure_enough, attempt in self._attempts(languages):
                best = max(best, attempt, key=_worth) if best is not NOTHING else attempt
                if is_sure_enough and _is_sure(best):
                    break
        except ExtractionError as error:
            if error.category is not ErrorCategory.TIMEOUT or not best.text:
                raise
        return best

    def best_of_languages(self) -> Recognised:
        """Return the best reading with the languages that the page itself suggests."""
        installed = self.engine.languages
        orientation = self._orientation()
        first = language_of_script(orientation.script, installed) if orientation else None
        found = self.best(first or language_of_script("Latin", installed) or likely_languages(installed))
        is_script_sure = orientation is not None and orientation.script_confidence >= SURE_SCRIPT
        if not is_script_sure or (found.confidence or 0) < POOR:
            found = self._better(found, likely_languages(installed))
        return self._better(found, code_of(detected_language(found.text), installed))

    def _better(self, found: Recognised, languages: str | None) -> Recognised:
        if languages is None or languages == found.languages:
            return found
        return max(self._late(languages), found, key=_worth)

    def _late(self, languages: str) -> Recognised:
        """Return a reading that is given up if the time is over: there is another one."""
        try:
            return self.best(languages)
        except ExtractionError as error:
            if error.category is not ErrorCategory.TIMEOUT:
                raise
            return NOTHING

    def _attempts(self, languages: str) -> Iterator[tuple[bool, Recognised]]:
        """Yield attempts, each with whether it may be the last if it is sure."""
        image = self.image
        skew = skew_degrees(image)
        level = straightened(image, skew) if skew else image
        even = evened(level)
        first = self._read(level, languages, skew=skew)
        yield even is None, first
        if even is not None:
            yield True, self._read(even if first.text else _small(even), languages, skew=skew)
        if not first.text:
            image = _small(image)  # a photo's dots cost minutes, and what text it has is large
            sparse = self._read(image, languages, is_sparse=True)
            yield True, sparse
            if self.is_part and (not sparse.text or is_noise(sparse)):
                return  # a photo or a drawing: pictures that were put into a document stand upright
        orientation = self._orientation()
        for degrees in TURNS if orientation is None else (orientation.turn_degrees,):
            if degrees in TRANSPOSE:
                turned = _turned(image, degrees)
                skew_there = skew_degrees(turned)
                level = straightened(turned, skew_there) if skew_there else turned
                yield True, self._read(level, languages, turn=degrees, skew=skew_there)
        is_upright = orientation is not None and not orientation.turn_degrees
        if is_upright and first.confidence is not None and first.confidence < POOR and not is_noise(first):
            yield True, self._read(straightened(image, skew) if skew else image, languages, skew=skew, is_sparse=True)
        if skew:
            yield True, self._read(image, languages)

    def _read(
        self, image: Image.Image, languages: str, *, turn: int = 0, skew: float = 0.0, is_sparse: bool = False
    ) -> Recognised:
        asked = {"is_sparse": is_sparse, **({"with_boxes": True} if self.with_boxes else {})}
        found = self.engine.recognise(image, languages, self._left(), **asked)
        words = placed(found.words, Pose(self.image.size, turn, skew)) if found.words else ()
        return replace(found, turned_degrees=turn or (-skew if skew else 0), words=words, languages=languages)

    def _orientation(self) -> Orientation | None:
        if not self.is_orientation_known:
            self.orientation = self.engine.orientation(_small(self.image), self._left())
            self.is_orientation_known = True
        return self.orientation

    def _left(self) -> float:
        return max(self.deadline - time.monotonic(), 0.01)


def _small(image: Image.Image) -> Image.Image:
    if max(image.size) <= SMALL_SIDE:
        return image
    small = image.convert("L")
    small.thumbnail((SMALL_SIDE, SMALL_SIDE), Image.Resampling.BICUBIC)
    return small


def _turned(image: Image.Image, degrees: int) -> Image.Image:
    turned = image.transpose(TRANSPOSE[degrees])
    turned.info = dict(image.info)
    return turned


def _worth(found: Recognised) -> float:
    """Weigh an attempt: letters count as far as they are sure and stand in words."""
    return (found.confidence or 0.0) * found.solid * sum(map(str.isalnum, found.text))


def _is_sure(found: Recognised) -> bool:
    return found.confidence is not None and found.confidence >= SURE


def is_noise(found: Recognised) -> bool:
    """Say whether a reading is what engines make of fur and leaves."""
    return found.confidence is not None and found.confidence < NOISE_CONFIDENCE and found.solid < NOISE_SOLID
