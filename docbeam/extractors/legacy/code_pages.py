"""The code page of text in legacy Office files, by its number, by a font's charset or by a language.

Source: [MS-UCODEREF] 2.2.1 (code pages); Windows' charset and language identifiers.
"""

from __future__ import annotations

import codecs
from functools import lru_cache

from docbeam.extractors.codepages import codec_of

UTF_16 = "utf-16-le"
DEFAULT = "cp1252"
_BY_PAGE = {
    1200: UTF_16, 1201: "utf-16-be", 10000: "mac_roman", 32768: "mac_roman", 32769: "cp1252", 10006: "mac_greek",
    10007: "mac_cyrillic", 10029: "mac_latin2", 10079: "mac_iceland", 10081: "mac_turkish", 10001: "cp932",
    10002: "big5hkscs", 10003: "cp949", 10008: "gb18030", 65001: "utf-8", 65000: "utf-7", 20127: "cp1252", 367: "cp1252",
    936: "gb18030", 950: "big5hkscs", 20866: "koi8_r", 21866: "koi8_u", 1361: "johab",
    28591: "cp1252", 54936: "gb18030", 0: "cp1252",
}  # fmt: skip
_BY_CHARSET = {
    128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 77: "mac_roman",
}  # fmt: skip
_BY_LANGUAGE = {
    0x01: "cp1256", 0x02: "cp1251", 0x05: "cp1250", 0x08: "cp1253", 0x0D: "cp1255", 0x0E: "cp1250", 0x11: "cp932",
    0x12: "cp949", 0x15: "cp1250", 0x18: "cp1250", 0x19: "cp1251", 0x1B: "cp1250", 0x1C: "cp1250", 0x1E: "cp874",
    0x1F: "cp1254", 0x22: "cp1251", 0x23: "cp1251", 0x24: "cp1250", 0x25: "cp1257", 0x26: "cp1257", 0x27: "cp1257",
    0x29: "cp1256", 0x2A: "cp1258", 0x2F: "cp1251",
}  # fmt: skip
_SERBIAN_CYRILLIC, _CHINESE, _SIMPLIFIED = 0x0C1A, 0x04, (0x0804, 0x1004)


@lru_cache(maxsize=64)
def codec_of_page(page: int) -> str:
    """Return the codec of a code page's number; Windows' Western one for a number that isn't known."""
    if page in _BY_PAGE:
        return _BY_PAGE[page]
    for name in (f"cp{page}", f"windows-{page}"):
        try:
            return codec_of(name) or codecs.lookup(name).name
        except LookupError:
            continue
    return DEFAULT


def codec_of_charset(charset: int) -> str | None:
    """Return the codec that a font's charset stands for, or None where the charset says nothing."""
    return _BY_CHARSET.get(charset)


def codec_of_language(language: int) -> str:
    """Return the codec that Windows uses for a language."""
    if language & 0x3FF == _CHINESE:
        return "gb18030" if language in _SIMPLIFIED else "big5hkscs"
    if language == _SERBIAN_CYRILLIC:
        return "cp1251"
    if language & 0x3FF == 0x1A:
        return "cp1250"
    return _BY_LANGUAGE.get(language & 0x3FF, DEFAULT)
