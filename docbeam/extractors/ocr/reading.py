"""One picture of a page, tried until it reads: blank pages cost nothing, crooked ones are levelled, lying ones turned.

| attempt | when | what |
|---|---|---|
| blank | the picture is uniform | no text; the engine is not started |
| page | always | columns, paragraphs, lines; crooked lines are levelled first |
| even | the paper is uneven | shadows, coloured cells and dark boxes made white |
| sparse | nothing was found | words anywhere |
| upright | unsure | turned by the engine's orientation, or by 90, 270 and 180 degrees in turn |
| as it lies | still unsure, and it was levelled | the page without levelling |

Crooked pages are levelled, and uneven ones read twice, whatever the confidence, because it does not show what was left
out: at 4 degrees Tesseract lost half of the text, of a table its coloured cells, and was sure of the rest (0.93).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from PIL import Image

from docbeam.extractors.ocr.ground import evened
from docbeam.extractors.ocr.protocol import OcrEngine, Recognised
from docbeam.extractors.ocr.skew import skew_degrees, straightened
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

SURE = 0.75  # print that lies right reaches 0.8 and more; the same pages crooked or on their side stay under 0.7
BLANK_RANGE = 24  # grey levels of 255 between the darkest and the lightest dot: paper, shade and noise
SMALL_SIDE = 2_000  # pixels; enough for the orientation of a page of print
TURNS = (90, 270, 180)  # degrees clockwise, the likeliest first
TRANSPOSE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
NOISE_CONFIDENCE, NOISE_SOLID = 0.45, 0.3  # fur and leaves read as "a | =" at 0.40 and 0.0; poor scans are above one of them
NOTHING = Recognised("", None, 0.0)


def read_picture(engine: OcrEngine, image: Image.Image, languages: str, timeout_seconds: float) -> Recognised:
    """Return the text of one page's picture: the best of the attempts, all of them within the time.

    Noise comes back without its text and with its confidence.
    Raises: ExtractionError TIMEOUT, MEMORY_LIMIT or CRASHED if no attempt came to an end.
    """
    if is_blank(image):
        return NOTHING
    deadline = time.monotonic() + timeout_seconds
    best = NOTHING
    try:
        for is_sure_enough, attempt in _attempts(engine, image, languages, deadline):
            best = max(best, attempt, key=_worth) if best is not NOTHING else attempt
            if is_sure_enough and best.confidence is not None and best.confidence >= SURE:
                break
    except ExtractionError as error:
        if error.category is not ErrorCategory.TIMEOUT or not best.text:
            raise
    return replace(best, text="") if _is_noise(best) else best


def is_blank(image: Image.Image) -> bool:
    """Say whether a picture is nearly uniform."""
    low, high = (image if image.mode == "L" else image.convert("L")).getextrema()
    return float(high) - float(low) < BLANK_RANGE  # type: ignore[arg-type]


def _attempts(engine: OcrEngine, image: Image.Image, languages: str, deadline: float) -> Iterator[tuple[bool, Recognised]]:
    """Yield attempts, each with whether it may be the last if it is sure."""
    skew = skew_degrees(image)
    level = straightened(image, skew) if skew else image
    even = evened(level)
    first = engine.recognise(level, languages, _left(deadline))
    yield even is None, replace(first, turned_degrees=-skew if skew else 0)
    if even is not None:
        again = engine.recognise(even if first.text else _small(even), languages, _left(deadline))
        yield True, replace(again, turned_degrees=-skew if skew else 0)
    if not first.text:
        image = _small(image)  # a photo's dots cost minutes, and what text it has is large
        yield True, engine.recognise(image, languages, _left(deadline), is_sparse=True)
    turn = engine.needed_turn(_small(image), _left(deadline))
    for degrees in TURNS if turn is None else (turn,):
        if degrees in TRANSPOSE:
            turned = engine.recognise(_level(_turned(image, degrees)), languages, _left(deadline))
            yield True, replace(turned, turned_degrees=degrees)
    if skew:
        yield True, engine.recognise(image, languages, _left(deadline))


def _small(image: Image.Image) -> Image.Image:
    if max(image.size) <= SMALL_SIDE:
        return image
    small = image.convert("L")
    small.thumbnail((SMALL_SIDE, SMALL_SIDE), Image.Resampling.BICUBIC)
    return small


def _level(image: Image.Image) -> Image.Image:
    degrees = skew_degrees(image)
    return straightened(image, degrees) if degrees else image


def _turned(image: Image.Image, degrees: int) -> Image.Image:
    turned = image.transpose(TRANSPOSE[degrees])
    turned.info = dict(image.info)
    return turned


def _worth(found: Recognised) -> float:
    """Weigh an attempt: letters count as far as they are sure and stand in words."""
    return (found.confidence or 0.0) * found.solid * sum(map(str.isalnum, found.text))


def _is_noise(found: Recognised) -> bool:
    return found.confidence is not None and found.confidence < NOISE_CONFIDENCE and found.solid < NOISE_SOLID


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.01)
