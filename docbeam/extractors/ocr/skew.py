"""How crooked a page lies: the turn at which its rows of dots are most unlike each other, lines of text against gaps.

Source: projection profiles, as in Postl, "Detection of linear oblique structures and skew scan" (1986).
"""

from __future__ import annotations

from itertools import pairwise

from PIL import Image

PROBE_SIDE = 600  # pixels: letters are gone, lines are not
ROUGH_SIDE = 300  # pixels, for the first look: a quarter of the work
COARSE_DEGREES = tuple(range(-16, 17, 2))  # a sheet in a feeder or under a hand lies no worse
FINE_STEPS = tuple(step * 0.5 for step in range(-3, 4))
LEAST_DEGREES = 1.0  # engines level less than this by themselves
LEAST_GAIN = 1.15  # how much steeper the profile has to be than that of the page as it lies


def skew_degrees(image: Image.Image) -> float:
    """Return the turn counter-clockwise, in degrees, that levels the lines; 0 if they are level or there are none."""
    probe = _probe(image)
    rough = probe.copy()
    rough.thumbnail((ROUGH_SIDE, ROUGH_SIDE), Image.Resampling.BOX)
    flat = _steepness(probe, 0.0)
    coarse = max(COARSE_DEGREES, key=lambda degrees: (_steepness(rough, degrees), -abs(degrees)))
    fine = {coarse + step: _steepness(probe, coarse + step) for step in FINE_STEPS}
    best = max(fine, key=lambda degrees: (fine[degrees], -abs(degrees)))
    is_worth_it = abs(best) >= LEAST_DEGREES and fine[best] > LEAST_GAIN * flat
    return float(best) if is_worth_it else 0.0


def straightened(image: Image.Image, degrees: float) -> Image.Image:
    """Return the image turned counter-clockwise on a larger white sheet."""
    grey = image if image.mode == "L" else image.convert("L")
    turned = grey.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    turned.info = dict(image.info)
    return turned


def _probe(image: Image.Image) -> Image.Image:
    small = image.convert("L")
    small.thumbnail((PROBE_SIDE, PROBE_SIDE), Image.Resampling.BOX)
    return small.point(lambda level: 255 - level)


def _steepness(probe: Image.Image, degrees: float) -> int:
    turned = probe.rotate(degrees, Image.Resampling.BILINEAR) if degrees else probe
    rows = turned.resize((1, turned.height), Image.Resampling.BOX).tobytes()
    return sum((upper - lower) ** 2 for upper, lower in pairwise(rows))
