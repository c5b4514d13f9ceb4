"""Plain and lightly marked-up bodies: format=flowed, text/enriched, armoured PGP blocks.

Source: RFC 3676 (flowed); RFC 1896 (enriched); RFC 4880, 6.2 and 7 (armour, cleartext signatures).
"""

from __future__ import annotations

import re

QUOTES = re.compile(r">+")
ENRICHED_SILENT = re.compile(r"<param>[^<]*</param>", re.IGNORECASE)
ENRICHED_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,60}>")
PGP_MESSAGE = re.compile(
    r"^-----BEGIN PGP MESSAGE[^\n]*-----[ \t]*$.*?(?:^-----END PGP MESSAGE[^\n]*-----[ \t]*$|\Z)", re.M | re.S
)
PGP_SIGNATURE = re.compile(r"^-----BEGIN PGP SIGNATURE-----[ \t]*$.*?(?:^-----END PGP SIGNATURE-----[ \t]*\n?|\Z)", re.M | re.S)
PGP_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z]+:[^\n]*\n)*\n?", re.M)


def unflowed(text: str, is_space_deleted: bool) -> str:
    """Join the lines of format=flowed text to paragraphs; a quoted line keeps its marks."""
    lines: list[str] = []
    open_depth = -1  # of the paragraph that the last line leaves open; -1 if it leaves none
    for line in text.split("\n"):
        quotes = QUOTES.match(line)
        depth = quotes.end() if quotes else 0
        line = line[depth:].removeprefix(" ")
        is_signature = line == "-- "
        if open_depth == depth and not is_signature:
            lines.append(line)
        else:
            lines += ("\n" if open_depth >= 0 else "", f"{'>' * depth} " if depth else "", line)
        open_depth = depth if line.endswith(" ") and not is_signature else -1
        if open_depth < 0:
            lines.append("\n")
        elif is_space_deleted:
            lines[-1] = line[:-1]
    return "".join(lines)


def unenriched(text: str) -> str:
    """Return text/enriched without its commands: one line end is a space there, two are one."""
    text = ENRICHED_TAG.sub("", ENRICHED_SILENT.sub("", text.replace("<<", "\x00"))).replace("\x00", "<")
    return re.sub(r"\n+", lambda run: " " if len(run[0]) == 1 else "\n" * (len(run[0]) - 1), text)


def without_armour(text: str) -> tuple[str, int, bool]:
    """Return a text without PGP armour, the number of encrypted blocks in it, and whether it was signed."""
    if "-----BEGIN PGP " not in text:
        return text, 0, False
    text, encrypted = PGP_MESSAGE.subn("", text)
    text, signed = PGP_SIGNED.subn("", text)
    if signed:
        text = re.sub(r"^- (?=-)", "", PGP_SIGNATURE.sub("", text), flags=re.M)
    return text, encrypted, bool(signed)
