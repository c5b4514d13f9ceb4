"""Which languages to read a page with when that is left to docbeam: from its script, then from the words first read.

Source: Tesseract's language files (tesseract(1), LANGUAGES AND SCRIPTS) and the scripts of its osd.traineddata.
"""

from __future__ import annotations

from collections.abc import Sequence

AUTO = "auto"
MOST_TOGETHER = 10  # languages that one attempt joins where not even the script is known; each costs a reading
# Scripts as orientation detection names them, and the languages that stand for them, the likeliest first.
SCRIPT_LANGUAGES = {
    "Latin": ("eng", "deu", "fra", "spa", "ita", "por", "nld", "pol", "script/Latin", "Latin"),
    "Fraktur": ("frk", "deu_latf", "script/Fraktur", "deu"),
    "Cyrillic": ("rus", "ukr", "bul", "srp", "bel", "mkd", "script/Cyrillic", "Cyrillic"),
    "Greek": ("ell", "script/Greek", "Greek", "grc"),
    "Arabic": ("ara", "fas", "urd", "script/Arabic", "Arabic"),
    "Hebrew": ("heb", "script/Hebrew", "Hebrew", "yid"),
    "Han": ("chi_sim", "chi_tra", "script/HanS", "script/HanT", "HanS", "HanT", "jpn"),
    "Japanese": ("jpn", "script/Japanese", "Japanese"),
    "Hiragana": ("jpn", "script/Japanese", "Japanese"),
    "Katakana": ("jpn", "script/Japanese", "Japanese"),
    "Korean": ("kor", "script/Hangul", "Hangul"),
    "Hangul": ("kor", "script/Hangul", "Hangul"),
    "Devanagari": ("hin", "mar", "nep", "san", "script/Devanagari", "Devanagari"),
    "Bengali": ("ben", "asm", "script/Bengali"),
    "Gujarati": ("guj", "script/Gujarati"),
    "Gurmukhi": ("pan", "script/Gurmukhi"),
    "Kannada": ("kan", "script/Kannada"),
    "Malayalam": ("mal", "script/Malayalam"),
    "Oriya": ("ori", "script/Oriya"),
    "Sinhala": ("sin", "script/Sinhala"),
    "Tamil": ("tam", "script/Tamil"),
    "Telugu": ("tel", "script/Telugu"),
    "Thai": ("tha", "script/Thai"),
    "Lao": ("lao", "script/Lao"),
    "Khmer": ("khm", "script/Khmer"),
    "Myanmar": ("mya", "script/Myanmar"),
    "Tibetan": ("bod", "script/Tibetan"),
    "Georgian": ("kat", "script/Georgian"),
    "Armenian": ("hye", "script/Armenian"),
    "Ethiopic": ("amh", "tir", "script/Ethiopic"),
    "Cherokee": ("chr", "script/Cherokee"),
    "Canadian_Aboriginal": ("iku", "script/Canadian_Aboriginal"),
}
LIKELIEST = ("Latin", "Han", "Cyrillic", "Arabic", "Japanese", "Korean", "Devanagari", "Greek", "Hebrew", "Thai")
# Languages as they are detected in a text (BCP 47), and Tesseract's codes for them.
CODES = {
    "af": "afr", "am": "amh", "ar": "ara", "az": "aze", "be": "bel", "bg": "bul", "bn": "ben", "bs": "bos", "ca": "cat",
    "cs": "ces", "cy": "cym", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "eo": "epo", "es": "spa", "et": "est",
    "eu": "eus", "fa": "fas", "fi": "fin", "fr": "fra", "ga": "gle", "gl": "glg", "gu": "guj", "he": "heb", "hi": "hin",
    "hr": "hrv", "ht": "hat", "hu": "hun", "hy": "hye", "id": "ind", "is": "isl", "it": "ita", "ja": "jpn", "ka": "kat",
    "kk": "kaz", "km": "khm", "kn": "kan", "ko": "kor", "ky": "kir", "la": "lat", "lo": "lao", "lt": "lit", "lv": "lav",
    "mk": "mkd", "ml": "mal", "mn": "mon", "mr": "mar", "ms": "msa", "mt": "mlt", "my": "mya", "nb": "nor", "ne": "nep",
    "nl": "nld", "nn": "nor", "no": "nor", "pa": "pan", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sa": "san",
    "si": "sin", "sk": "slk", "sl": "slv", "sq": "sqi", "sr": "srp", "sv": "swe", "sw": "swa", "ta": "tam", "te": "tel",
    "tg": "tgk", "th": "tha", "tl": "fil", "tr": "tur", "tt": "tat", "ug": "uig", "uk": "ukr", "ur": "urd", "uz": "uzb",
    "vi": "vie", "yi": "yid", "zh": "chi_sim", "zh-Hans": "chi_sim", "zh-Hant": "chi_tra",
}  # fmt: skip


def language_of_script(script: str, installed: Sequence[str]) -> str | None:
    """Return the language to read a script with first, or None if none of it is installed."""
    return next((code for code in SCRIPT_LANGUAGES.get(script, ()) if code in installed), None)


def code_of(tag: str | None, installed: Sequence[str]) -> str | None:
    """Return the code of a detected language, or None if it is not installed."""
    code = CODES.get(tag or "")
    return code if code in installed else None


def likely_languages(installed: Sequence[str]) -> str:
    """Return one installed language for each of the likeliest scripts, joined by +; any at all if there is none of them."""
    codes = [code for script in LIKELIEST if (code := language_of_script(script, installed))]
    rest = [code for code in installed if code != "osd"]
    return "+".join(codes[:MOST_TOGETHER] or rest[:1])
