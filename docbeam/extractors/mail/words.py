"""Header values to text: encoded words, also cut inside a letter, raw 8-bit, parameters with their continuations.

Source: RFC 2047; RFC 2231; RFC 2045, 5.1; for the faults, what programs really send.
"""

from __future__ import annotations

import binascii
import re
import urllib.parse
from collections.abc import Iterator

from docbeam.extractors.charset import Decoded, decode, with_lf
from docbeam.extractors.codepages import codec_of, decoded, name_of

MAX_VALUE_BYTES = 1_000_000  # of one value that is decoded
MAX_PARAMETERS = 200
SEVEN_BIT = ("utf_7", "hz")

WORD = re.compile(
    r"=\?([A-Za-z0-9_.:+-]{1,60})(?:\*[A-Za-z0-9-]{0,40})?\?([bBqQ])\?(.*?)\?=(?![0-9A-Fa-f]{2}(?:(?!=\?)\S){0,80}\?=)"
)
CONTROLS = re.compile("[\x00-\x1f\x7f\u2028\u2029]+")
PARAMETER = re.compile(r'[;\s]\s*([^\s=;"]{1,100})\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)')
PARAMETER_NAME = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")
ONE_WORD = frozenset(
    ("charset", "format", "delsp", "boundary", "type", "smime-type", "access-type", "number", "total", "method")
)


def text_of(raw: bytes, charset: str | None = None) -> str:
    """Return the text of a header value on one line; `charset` is the label for bytes above 0x7F."""
    raw = raw[:MAX_VALUE_BYTES]
    text = raw.decode("ascii") if raw.isascii() and b"\x1b" not in raw else decode(raw, declared=charset).text
    return CONTROLS.sub(" ", _without_words(text) if "=?" in text else text).strip()


def text_in(data: bytes, label: str | None) -> Decoded:
    """Return text in a declared charset, also in one that is made of ASCII characters as UTF-7 is."""
    codec = codec_of(label)
    if codec not in SEVEN_BIT or not data.isascii():
        return decode(data, declared=label)
    text, replaced = decoded(data, codec or "")
    return Decoded(with_lf(text), name_of(codec or ""), "declared", replaced)


def parameters(raw: bytes, charset: str | None = None) -> tuple[str, dict[str, str]]:
    """Return the main value of a field such as Content-Type in lower case, and its parameters, decoded."""
    text = raw[:MAX_VALUE_BYTES].decode("latin-1")
    main = re.split(r"[;\s]", text.strip(), maxsplit=1)[0].strip("\"'<>").lower()
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for count, found in enumerate(PARAMETER.finditer(" " + text.strip())):
        name = PARAMETER_NAME.fullmatch(found[1].lower())
        if name is None or count >= MAX_PARAMETERS:
            continue
        value = found[2].strip()
        if value.startswith('"'):
            value = re.sub(r'\\(["\\])', r"\1", value[1:-1] if len(value) > 1 and value.endswith('"') else value[1:])
        elif name[1] in ONE_WORD:
            value = (value.split() or [""])[0]
        key = name[1] + ("*" if name[2] is not None or name[3] else "")
        pieces.setdefault(key, {}).setdefault(int(name[2] or 0), (value, bool(name[3])))
    values = {name: _joined(parts, charset) for name, parts in pieces.items()}
    return main, values | {name[:-1]: value for name, value in values.items() if name.endswith("*") and value}


def _joined(parts: dict[int, tuple[str, bool]], charset: str | None) -> str:
    data, is_extended, label = b"", False, charset
    for index in sorted(parts):
        value, is_encoded = parts[index]
        if is_encoded:
            if not is_extended and value.count("'") >= 2:
                label, _, value = value.split("'", 2)
            is_extended = True
            data += urllib.parse.unquote_to_bytes(value.encode("latin-1"))
        else:
            data += value.encode("latin-1")
    if is_extended:
        return CONTROLS.sub(" ", decode(data, declared=label).text).strip()
    return text_of(data, label)


def _without_words(text: str) -> str:
    """Replace encoded words; white space between two of them is no text, and one letter may be spread over both."""
    parts: list[str] = []
    run: list[tuple[str, str]] = []
    label, at = "", 0
    for word in WORD.finditer(text):
        between = text[at : word.start()]
        if run and (between.strip() or word[1].lower() != label):
            parts.append(_decoded_run(run, label))
            run = []
            between = between if between.strip() else ""
        elif run:
            between = ""
        parts.append(between)
        label = word[1].lower()
        run.append((word[2].lower(), word[3]))
        at = word.end()
    if run:
        parts.append(_decoded_run(run, label))
    return "".join((*parts, text[at:]))


def _decoded_run(run: list[tuple[str, str]], label: str) -> str:
    data = b"".join(_bytes_of(run))
    return text_in(data if label.startswith("utf-16") else data.replace(b"\0", b""), label).text


def _bytes_of(run: list[tuple[str, str]]) -> Iterator[bytes]:
    carried = ""  # base64 that was cut inside a group of four
    for place, (encoding, text) in enumerate(run):
        if encoding == "q":
            yield binascii.a2b_qp(re.sub(r"\s", "_", text).encode("utf-8", "replace"), header=True)
            continue
        carried += re.sub(r"[^A-Za-z0-9+/=]", "", text)
        is_last = place + 1 == len(run) or run[place + 1][0] == "q"
        if len(carried) % 4 == 0 or is_last or "=" in carried:
            yield base64_bytes(carried.encode("ascii"))
            carried = ""


def base64_bytes(clean: bytes) -> bytes:
    """Decode base64 of nothing but its alphabet, also with missing or misplaced padding."""
    parts = []
    for group in re.findall(rb"[A-Za-z0-9+/]+", clean):
        kept = group if len(group) % 4 != 1 else group[:-1]
        parts.append(binascii.a2b_base64(kept + b"=" * (-len(kept) % 4)))
    return b"".join(parts)
