"""Code pages by their labels: which codec reads a label, what the Encoding Standard calls a codec, and exact decoding.

Source: WHATWG Encoding Standard, 4.2 (labels); Microsoft code pages 932 and 51932 for the vendor rows of Japanese.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

# A label means the superset that its documents really use: Latin-1 is windows-1252, Shift_JIS has Microsoft's rows.
SUPERSETS = {
    "ascii": "cp1252", "us_ascii": "cp1252", "iso8859_1": "cp1252", "latin_1": "cp1252",
    "iso8859_9": "cp1254", "iso8859_11": "cp874", "tis_620": "cp874",
    "shift_jis": "cp932", "shift_jis_2004": "shift_jis_2004", "gb2312": "gb18030", "gbk": "gb18030",
    "big5": "big5hkscs", "cp950": "big5hkscs", "euc_kr": "cp949", "utf_16": "utf_16_le", "utf_32": "utf_32_le",
    "euc_jis_2004": "euc_jp", "euc_jisx0213": "euc_jp", "iso2022_jp": "iso2022_jp_ext", "iso2022_jp_1": "iso2022_jp_ext",
    "iso2022_jp_2": "iso2022_jp_ext", "iso2022_jp_3": "iso2022_jp_ext", "iso2022_jp_2004": "iso2022_jp_ext",
}  # fmt: skip

# Labels that Python does not know, or knows as something else.
LABELS = {
    "x-sjis": "cp932", "ms_kanji": "cp932", "windows-31j": "cp932", "sjis": "cp932", "x-ms-cp932": "cp932",
    "x-euc-jp": "euc_jp", "eucjp-ms": "euc_jp", "cp51932": "euc_jp",
    "x-gbk": "gb18030", "gb_2312": "gb18030", "gb_2312-80": "gb18030", "x-gb2312": "gb18030", "cp936": "gb18030",
    "ms936": "gb18030", "windows-936": "gb18030", "cn-gb": "gb18030", "iso-ir-58": "gb18030",
    "cn-big5": "big5hkscs", "x-x-big5": "big5hkscs", "big5-hkscs": "big5hkscs", "windows-950": "big5hkscs",
    "ks_c_5601-1987": "cp949", "ks_c_5601-1989": "cp949", "ksc5601": "cp949", "ksc_5601": "cp949", "korean": "cp949",
    "windows-949": "cp949", "x-windows-949": "cp949", "iso-ir-149": "cp949",
    "dos-874": "cp874", "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic", "x-mac-ukrainian": "mac_cyrillic",
    "x-mac-roman": "mac_roman", "macintosh": "mac_roman", "mac": "mac_roman", "x-mac-greek": "mac_greek",
    "x-mac-ce": "mac_latin2", "x-mac-turkish": "mac_turkish",
    "iso-8859-8-i": "iso8859_8", "iso-8859-8-e": "iso8859_8", "logical": "iso8859_8", "visual": "iso8859_8",
    "iso-8859-6-i": "iso8859_6", "iso-8859-6-e": "iso8859_6", "asmo-708": "iso8859_6",
    "koi": "koi8_r", "koi8": "koi8_r", "koi8-ru": "koi8_u", "x-ansi": "cp1252", "ansi": "cp1252", "x-cp1250": "cp1250",
    "x-cp1251": "cp1251", "x-cp1252": "cp1252", "win-1251": "cp1251", "win1251": "cp1251",
    "unicode": "utf_16_le", "ucs-2": "utf_16_le", "iso-10646-ucs-2": "utf_16_le", "unicodefffe": "utf_16_be",
    "unicode-1-1-utf-8": "utf_8", "x-unicode20utf8": "utf_8", "utf8mb4": "utf_8", "utf-8-sig": "utf_8",
    "unicode-1-1-utf-7": "utf_7", "x-unicode-2-0-utf-7": "utf_7", "ansi_x3.4-1968": "cp1252",
}  # fmt: skip

# How the Encoding Standard, or else IANA, writes the name of a codec.
NAMES = {
    "cp932": "shift_jis", "cp949": "euc-kr", "big5hkscs": "big5", "euc_jp": "euc-jp", "iso2022_jp_ext": "iso-2022-jp",
    "iso2022_kr": "iso-2022-kr", "cp866": "ibm866", "cp874": "windows-874", "mac_roman": "macintosh",
    "mac_cyrillic": "x-mac-cyrillic", "utf_16_le": "utf-16le", "utf_16_be": "utf-16be", "hz": "hz-gb-2312",
    "utf_32_le": "utf-32le", "utf_32_be": "utf-32be", "utf_8": "utf-8", "utf_7": "utf-7",
}  # fmt: skip

NOT_CHARSETS = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "palmos", "utf_8_sig")
)

ESCAPE = re.compile(rb"\x1b(\$[@B]|\$\(D|\([BJHI])")
JIS_TO_EUC = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))


@lru_cache(maxsize=512)
def codec_of(label: str | None) -> str | None:
    """Return the codec that reads a declared label, or None if nobody knows the label."""
    label = (label or "").strip().strip("\"'").lower()
    if not label or len(label) > 40 or not label.isascii():
        return None
    if label in LABELS:
        return LABELS[label]
    try:
        info = codecs.lookup(label)
    except (LookupError, ValueError):
        return None
    name = info.name.replace("-", "_")
    if name in NOT_CHARSETS or not getattr(info, "_is_text_encoding", True):
        return None
    return SUPERSETS.get(name, name)


def name_of(codec: str) -> str:
    """Return the name of a codec as it is written in rows: `windows-1252`, `shift_jis`, `koi8-r`."""
    if codec in NAMES:
        return NAMES[codec]
    name = codec.replace("_", "-").replace("iso8859", "iso-8859")
    return re.sub(r"^cp(?=125\d$)", "windows-", name)


def decoded(data: bytes, codec: str) -> tuple[str, int]:
    """Return the text and the number of byte sequences in it that became U+FFFD."""
    if codec == "iso2022_jp_ext":
        text = _decoded_jis(data)
    elif codec == "utf_8":
        return _decoded_utf8(data)
    else:
        text = data.decode(codec, "docbeam.jis" if codec == "euc_jp" else "replace")
    return text, text.count("\ufffd")


def _decoded_utf8(data: bytes) -> tuple[str, int]:
    """Decode UTF-8, also where a program wrote surrogate pairs as two characters of three bytes each (CESU-8)."""
    text = data.decode("utf-8", "replace")
    if b"\xed" in data and "\ufffd" in text:
        try:
            halves = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            pass
        else:
            text = halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text, text.count("\ufffd") - data.count(b"\xef\xbf\xbd")


def _decoded_jis(data: bytes) -> str:
    """Decode ISO-2022-JP with Microsoft's rows and half-width katakana, which Python's codec does not have."""
    parts, at, mode = [], 0, b"(B"
    for escape in [*ESCAPE.finditer(data), None]:
        segment = data[at : escape.start() if escape else None]
        if mode in (b"$@", b"$B"):
            parts.append(segment.translate(JIS_TO_EUC).decode("euc_jp", "docbeam.jis"))
        elif mode == b"(I":
            parts.append(segment.translate(JIS_TO_EUC).decode("cp932", "replace"))
        elif mode == b"$(D":
            wide = re.sub(rb"[\xa1-\xfe]{2}", lambda pair: b"\x8f" + pair[0], segment.translate(JIS_TO_EUC))
            parts.append(wide.decode("euc_jp", "replace"))
        else:
            parts.append(segment.decode("cp932" if not segment.isascii() else "ascii", "replace"))
        if escape:
            at, mode = escape.end(), escape[1]
    return "".join(parts)


def _vendor_rows(error: UnicodeError) -> tuple[str, int]:
    """Decode a pair that EUC-JP lacks (circled digits, company marks) by its place in code page 932."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and min(pair) >= 0xA1 and max(pair) <= 0xFE:
        row, cell = pair[0] - 0xA1, pair[1] - 0xA1
        lead = row // 2 + (0x81 if row < 62 else 0xC1)
        trail = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
        try:
            return bytes((lead, trail)).decode("cp932"), error.start + 2
        except UnicodeDecodeError:
            return "\ufffd", error.start + 2
    return "\ufffd", error.start + 1


codecs.register_error("docbeam.jis", _vendor_rows)
