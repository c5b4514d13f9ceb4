"""Uneven paper made even: shadows, coloured cells and dark boxes become white, and what differs from them becomes dark.

Engines choose one threshold between ink and paper for a whole page. A shadow or a row of coloured cells falls on the
wrong side of it, and its text is left out without a trace in the confidence of the rest.
"""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter, ImageOps

GROUND_SIDE = 160  # pixels of a copy in which only the paper is left
WINDOW = 9  # pixels of that copy, some 17 mm of a page: wider than letters, narrower than table cells
GAP = 5  # pixels of that copy: within it even dense print has a gap between two lines
UNEVEN_RANGE = 40  # grey levels of 255 between the dark and the light parts of the paper
OUTLIERS = 0.02  # share of the paper at either end that does not count
CUT_PERCENT = (0.2, 30)  # of dots at the dark and the light end that become black and white: ink, and paper's grain


def evened(image: Image.Image) -> Image.Image | None:
    """Return the page with even paper, or None if its paper is even already."""
    grey = image if image.mode == "L" else image.convert("L")
    shrink = max(max(grey.size) / GROUND_SIDE, 1.0)
    size = max(int(grey.width / shrink), 1), max(int(grey.height / shrink), 1)
    small = grey.resize(size, Image.Resampling.BOX)
    if _range(small.filter(ImageFilter.MaxFilter(GAP)).filter(ImageFilter.MedianFilter(WINDOW))) < UNEVEN_RANGE:
        return None
    paper = small.filter(ImageFilter.MedianFilter(WINDOW)).resize(grey.size, Image.Resampling.BICUBIC)
    even = ImageOps.autocontrast(ImageChops.invert(ImageChops.difference(grey, paper)), cutoff=CUT_PERCENT)
    even.info = dict(image.info)
    return even


def _range(ground: Image.Image) -> int:
    histogram = ground.histogram()
    outliers = OUTLIERS * ground.width * ground.height

    def level(order: range) -> int:
        seen = 0
        for tone in order:
            seen += histogram[tone]
            if seen > outliers:
                return tone
        return order[-1]

    return level(range(255, -1, -1)) - level(range(256))
