"""Names of embedded documents: bytes of unknown charset to text, and paths that can do no harm.

Source: PKWARE APPNOTE 6.3.10, 4.4.4 (bit 11), 4.6.9 and annex D; for what programs write instead, archives of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docbeam.extractors.charset import high_words
from docbeam.extractors.codepages import decoded
from docbeam.extractors.letters import likeliest_codec

DRIVE = re.compile(r"^[A-Za-z]:")
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# The code pages of DOS, that Windows' own archiver writes in Western and Eastern Europe; elsewhere both are the same.
DOS_PAGES = {
    "cp850": 9.0, "cp437": 9.5, "cp852": 8.0, "cp857": 8.0, "cp775": 8.0, "cp866": 2.0, "cp855": 0.0, "cp737": 6.0,
    "cp862": 6.0, "cp720": 6.0, "cp1252": -3.0, "cp1250": -2.0, "cp1251": -1.0,
}  # fmt: skip


def decoded_names(names: Sequence[bytes], *, is_dos: bool = False) -> tuple[list[str], str | None]:
    """Return names as text, and the codec that was guessed for those that are not UTF-8: the same one for all.

    `is_dos`: a program for DOS or Windows wrote them, so that its code pages are likelier than others.
    """
    odd = [name for name in names if not _is_utf8(name)]
    if not odd:
        return [name.decode("utf-8") for name in names], None
    data = b"\n".join(odd)
    codec, _ = likeliest_codec(data, high_words(data), DOS_PAGES if is_dos else None)
    if codec.startswith("cp037") or codec.startswith("cp500"):
        codec = "cp437"
    return [name.decode("utf-8") if _is_utf8(name) else decoded(name, codec)[0] for name in names], codec


def harmless_path(name: str) -> str:
    """Return a name as a relative path with `/`: without a root, a drive, `..` and characters that hide or break lines."""
    name = CONTROLS.sub("\ufffd", name.replace("\\", "/"))
    parts = DRIVE.sub("", name).split("/")
    return "/".join(part for part in parts if part.strip() not in ("", ".", ".."))


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
