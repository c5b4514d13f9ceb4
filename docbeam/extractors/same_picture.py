"""Equal pictures have equal texts: what was read from one page is the text of every page that looks the same.

The digest is that of the pixels as they go to the engine, so that a scan counts as the same in another PDF, and a picture
in another document.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from docbeam.schemas.records import Target

if TYPE_CHECKING:
    from PIL.Image import Image

    from docbeam.extractors.recognition import PageText

Known = Callable[[str], "PageText | None"]  # what was read from the picture with a digest


def picture_digest(image: Image, target: Target) -> str:
    """Return the digest of all that decides what is read from a drawn page or picture."""
    kind = "page" if target.picture is None else "picture"
    head = repr((kind, image.mode, image.size, image.info.get("dpi"), image.info.get("damaged")))
    digest = hashlib.sha256(head.encode())
    digest.update(image.tobytes())
    return digest.hexdigest()


def as_target(page: PageText, target: Target) -> PageText:
    """Return what was read from one picture as what stands in another place."""
    before, now = part_of(Target(page.number, page.picture)), part_of(target)
    notices = tuple(replace(notice, part=now) if notice.part == before else notice for notice in page.notices)
    return replace(page, number=target.number, picture=target.picture, notices=notices)


def part_of(target: Target) -> str:
    """Return how warnings name a page or picture."""
    return target.picture or f"page {target.number}"
