"""Names of attachments as paths of members: as a person sees them, harmless, never empty."""

from __future__ import annotations

import re
from collections import Counter

from docbeam.extractors.member_names import harmless_path
from docbeam.schemas.media_types import BINARIES, OTHER_TEXTS, STRUCTURED_TEXTS

MAX_NAME_CHARS = 200
MAX_ENDING_CHARS = 10
MAX_LISTED = 1_000
BLANKS = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff]+")
MORE_EXTENSIONS = {"message/rfc822": "eml", "message/global": "eml", "application/ms-tnef": "dat", "image/jpg": "jpg"}


def safe_path(name: str) -> str:
    """Return a name without control characters, drive, leading slash and `..`; the rest of its folders stay visible."""
    path = harmless_path(BLANKS.sub(" ", name).strip())
    if len(path) <= MAX_NAME_CHARS:
        return path
    stem, dot, extension = path.rpartition(".")
    return f"{stem[: MAX_NAME_CHARS - 12]}.{extension}" if dot and len(extension) <= MAX_ENDING_CHARS else path[:MAX_NAME_CHARS]


class Names:
    """The names of one document's attachments, unique: of two that are called alike the second has (2) before its ending."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self._counts: Counter[str] = Counter()

    def add(self, path: str) -> str:
        """Return the path, or one like it that is not taken yet."""
        self._counts[path] += 1
        if self._counts[path] > 1:
            stem, dot, ending = path.rpartition(".")
            number = f" ({self._counts[path]})"
            path = f"{stem}{number}.{ending}" if dot and stem and len(ending) <= MAX_ENDING_CHARS else path + number
        self.taken.append(path)
        return path

    def listed(self) -> str:
        """Return the names in one line."""
        return "; ".join(self.taken[:MAX_LISTED])


def subject_name(subject: str, extension: str = "eml") -> str:
    """Return a file name for a message without one: its subject."""
    name = safe_path(re.sub(r"[\\/:]+", "_", subject))[:120].strip(" .")
    return f"{name or 'message'}.{extension}"


def made_up_name(media_type: str, number: str) -> str:
    """Return a name for a part that has none: its number and the extension of its type."""
    extension = MORE_EXTENSIONS.get(media_type)
    for table in (BINARIES, STRUCTURED_TEXTS, OTHER_TEXTS):
        extension = extension or table.get(media_type, "").split(" ")[0]
    stem = f"part {number}" if number else "part"
    return f"{stem}.{extension}" if extension else stem
