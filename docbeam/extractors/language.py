"""The main language of a text, by CLD2 (docs/decisions/0009-language.md): a guess from its letters; none where it is unsure.

Source: CLD2's language codes, RFC 5646 (BCP 47 tags).
"""

from __future__ import annotations

import re

import pycld2

FIRST_LOOK = (3, 150)  # windows and their characters: enough for texts in one language without doubt, in 25 µs
SECOND_LOOK = (8, 1_000)  # for all others; windows this long are right for 99 of 100 samples, and take 0.6 ms
FIRST_LOOK_PERCENT = 90  # of the text in one language, before the first look is the last
MIN_LETTERS = 12  # a shorter text says too little
MIN_WIDE_LETTERS = 5  # of a script that writes a word in one or two letters
COUNTED_CHARS = 200  # a longer text with fewer letters than that is found to be in no language
MIN_PERCENT = 50  # of the text in one language before it is the main one
SURE_BYTES = 150  # of text in the language, that make up for pieces in others
MIN_EFFORT_BYTES, MIN_EFFORT_PERCENT = 100, 80  # before the detector's best guess counts, where it is sure of nothing

# CLD2 takes only what may be interchanged: no controls, surrogates or noncharacters.
UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)
LINK = re.compile(r"https?://\S+")  # in no language
LETTER = re.compile(r"[^\W\d_]")
WIDE_LETTER = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
KANA = re.compile("[\u3041-\u30ff\uff66-\uff9d]")
TAGS = {"iw": "he", "jw": "jv", "no": "nb", "mo": "ro", "zh": "zh", "zh-Hant": "zh", "sr-ME": "sr"}  # the others are BCP 47
NO_LANGUAGES = ("un", "xx", "zz", "tlh")  # scripts without a language, jokes

# Frequent characters that only one of the two ways to write Chinese has.
SIMPLIFIED = frozenset("这个们来说时国会过发对为还学开现样经动进实间问见关长么种当头无业话给让没车书东从众电门义务华听则几与")
TRADITIONAL = frozenset("這個們來說時國會過發對為還學開現樣經動進實間問見關長麼種當頭無業話給讓沒車書東從眾電門義務華聽則幾與")
CLEAR_SHARE = 0.8

Found = tuple[tuple[str, str, int, float], ...]  # name, code, percent of the text and score of the languages, largest first


def detected_language(text: str) -> str | None:
    """Return the BCP 47 tag of the language that most of a text is in, or None if it is too short or nothing is sure."""
    first = sampled(text, *FIRST_LOOK)
    if len(first) < len(text) and (tag := _language(first, FIRST_LOOK_PERCENT)) not in (None, "zh"):
        return tag
    return _language(sampled(text, *SECOND_LOOK), MIN_PERCENT)


def sampled(text: str, windows: int, chars: int) -> str:
    """Return a text, or windows of a longer one, evenly spread from its begin to its end."""
    if len(text) <= windows * chars:
        return text
    step = (len(text) - chars) / (windows - 1)
    starts = [round(number * step) for number in range(windows)]
    return "\n".join([text[start : start + chars] for start in starts])


def _language(text: str, least_percent: int) -> str | None:
    sample = LINK.sub(" ", text) if "://" in text else text
    if len(sample) < COUNTED_CHARS and _is_too_short(sample):
        return None
    try:
        code = _code(sample, least_percent)
    except (pycld2.error, UnicodeError):  # rare, and looking for the cause in every text takes as long as the detection
        try:
            code = _code(UNFIT.sub(" ", sample), least_percent)
        except (pycld2.error, UnicodeError):
            return None
    if code is None or code.startswith(NO_LANGUAGES):
        return None
    if code == "ja" and KANA.search(sample) is None:
        return None  # a few Chinese characters look like Japanese to the detector
    tag = TAGS.get(code, code)
    return _chinese(sample) if tag == "zh" else tag


def _is_too_short(text: str) -> bool:
    return len(LETTER.findall(text)) < MIN_LETTERS and len(WIDE_LETTER.findall(text)) < MIN_WIDE_LETTERS


def _code(text: str, least_percent: int) -> str | None:
    is_reliable, text_bytes, found = pycld2.detect(text)
    code = _sure_code(is_reliable, text_bytes, found, least_percent)
    if code is None and least_percent == MIN_PERCENT:
        code = _best_code(*pycld2.detect(text, bestEffort=True))
    return code


def _sure_code(is_reliable: bool, text_bytes: int, found: Found, least_percent: int) -> str | None:
    _, code, percent, _ = found[0]
    is_sure = is_reliable or percent * text_bytes >= 100 * SURE_BYTES
    return code if is_sure and percent >= least_percent else None


def _best_code(is_reliable: bool, text_bytes: int, found: Found) -> str | None:
    _, code, percent, _ = found[0]
    return code if is_reliable and text_bytes >= MIN_EFFORT_BYTES and percent >= MIN_EFFORT_PERCENT else None


def _chinese(text: str) -> str:
    simplified = sum(map(SIMPLIFIED.__contains__, text))
    traditional = sum(map(TRADITIONAL.__contains__, text))
    most = max(simplified, traditional)
    if not most or most < CLEAR_SHARE * (simplified + traditional):
        return "zh"
    return "zh-Hans" if most == simplified else "zh-Hant"
