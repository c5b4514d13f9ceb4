"""What all archives give: a line an entry, and the entries unpacked, but for links and the leavings of a Mac."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from docbeam.extractors.bounded import Full, TextBuilder
from docbeam.extractors.member_names import CONTROLS, harmless_path
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

APPLE_DOUBLE = b"\0\5\x16\x07"  # a resource fork and Finder's notes, beside the file that they belong to
FOLDER_SETTINGS = b"\0\0\0\1Bud1"
MAX_COMMENT_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Item:
    """One entry: its name as stored, its size if it is known, and how it is unpacked; `link` instead for what is none."""

    name: str
    size_bytes: int | None
    chunks: Callable[[], Iterator[bytes]]
    link: str | None = None
    comment: str = ""


def unpack(items: Sequence[Item], out: TextBuilder) -> None:
    """Write the listing and hand out the entries. What is left out is named in a warning."""
    listed = [item for item in items if not is_mac_leaving(item)]
    with out.until_full():
        for item in listed:
            out.line(_line(item))
    if len(listed) < len(items):
        count = len(items) - len(listed)
        out.warn(WarningCode.PART_NOT_READ, "archive", f"{count} resource forks and settings of the Finder left out")
    count = 0
    try:
        for item in listed:
            out.check_deadline()
            _hand_out(item, out)
            count += 1
    except Full:
        message = f"time is up here: up to {len(listed) - count} entries were not unpacked"
        out.warn(WarningCode.EMBEDDED_NOT_READ, harmless_path(listed[count].name), message)
    if not listed:
        out.warn(WarningCode.NO_TEXT, "document", "the archive has no entries")


def is_mac_leaving(item: Item) -> bool:
    """Say whether an entry is what macOS adds to every archive: no document, and nothing that a person has put there."""
    last = item.name.replace("\\", "/").rpartition("/")[2]
    if item.link is not None or not last.startswith(("._", ".DS_Store")):
        return False
    try:
        start = next(item.chunks(), b"")
    except ExtractionError:
        return "__MACOSX/" in item.name
    return start.startswith((APPLE_DOUBLE, FOLDER_SETTINGS)) or not start


def comment_line(text: str) -> str:
    """Return a comment as a line."""
    return " ".join(CONTROLS.sub(" ", text[:MAX_COMMENT_CHARS]).split())


def _hand_out(item: Item, out: TextBuilder) -> None:
    path = harmless_path(item.name) or "unnamed"
    if item.link is not None:
        out.warn(WarningCode.EMBEDDED_NOT_READ, path, item.link)
    else:
        out.member(path, _checked(item.chunks(), out))


def _checked(chunks: Iterator[bytes], out: TextBuilder) -> Iterator[bytes]:
    """Yield the chunks while there is time."""
    for chunk in chunks:
        out.check_deadline()
        yield chunk


def _line(item: Item) -> str:
    size = "" if item.size_bytes is None else f" ({item.size_bytes} bytes)"
    link = f" ({CONTROLS.sub(' ', item.link)})" if item.link is not None else ""
    comment = f": {comment_line(item.comment)}" if item.comment.strip() else ""
    name = CONTROLS.sub("\ufffd", item.name).removeprefix("./")
    return f"{name}{link or size}{comment}"


def mark_damaged(out: TextBuilder, part: str, message: str) -> None:
    """Say in the row that the archive is damaged and what was done."""
    out.cut(TruncationReason.DAMAGED)
    out.warn(WarningCode.PART_DAMAGED, part, message)
