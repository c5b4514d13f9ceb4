"""Which legacy code page makes the likeliest letters of some bytes: a naive Bayes guess over code pages and languages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from docbeam.extractors.alphabets import EVERYDAY, LANGUAGE_PRIORS, PAGES, RANGES, Page
from docbeam.extractors.codepages import decoded

WESTERN = "cp1252"  # also where nothing speaks for anything: all but five of its bytes are characters
DASHES_AS_LETTERS = ("mac_roman", "cp850", "cp437")  # code pages with letters where Windows has its dashes

# Natural logarithms of how likely a character beyond ASCII is, beside the letters of its language.
COMMON_MARK, MARK, ODD, BROKEN = -4.6, -6.5, -9.0, -14.0
FOREIGN_LETTER = -8.0  # a letter of the script, but not of the language
CAPITAL = -1.5  # at the begin of a word
CAPITAL_LETTER = -0.3  # on top of the small letter
CASE_TURN = -5.0  # a small letter before a capital
SCRIPT_TURN = -5.0  # a letter of another script, or a mark, inside a word
ALONE = -3.0  # a letter that is a word by itself, but for those that are known as words
MARKS_IN_A_ROW = -3.0
LOOSE = frozenset("°•®©™£€½§±×µ²³¼¾†‰¢¥¶‡¿¡№¹ª")  # marks that have no mark beside them
AFTER_WORD, BEFORE_WORD = frozenset("®™©²³¹ªº†‡"), frozenset("©†‡§±µ")
NOT_IN_WORDS = frozenset("“”«»„•°¿¡№‘")
WORDS = frozenset("àáéèóíåöøæâîùиівскуояаеєйзАЕИОУЯВКСІÀÁÉÈÓÅÖ")
TWO_IN_A_ROW = -1.6  # Latin letters with diacritics are rarely neighbours

COMMON_MARKS = frozenset("¿¡’“”–—…«»°„‘№•\u00a0。、「」，．：（）！？・～《》『』【】；〜")
MARKS = frozenset("©®€£§±·½²³×™†‹›´¨¼¾¹µ¢¥￥＝／％＆＃＊＋－①②③④⑤⑥⑦⑧⑨⑩㈱→←↑↓○●◎□■△▲▽▼☆★※‐‥\u00ad\u3000")


EBCDIC_MARKS = frozenset(" .,;:'\"()-/\n\r\t\x85")


def likeliest_codec(data: bytes, sample: bytes, bonus: Mapping[str, float] | None = None) -> tuple[str, bool]:
    """Return the codec that makes the likeliest text of `data`, and whether it is likely at all.

    `sample` holds the words with bytes above 0x7F. `bonus` adds to the logarithms of the pages' priors, by codec. EBCDIC is
    told by its spaces, which no ASCII text has.
    """
    if codec := ebcdic_codec(data[:4096]):
        return codec, True
    ranked = _ranked(sample, bonus)
    if not ranked:
        return WESTERN, False
    score, codec = ranked[0]
    return codec, score > MARK * _high(sample)


def is_clearly_not_western(sample: bytes) -> bool:
    """Say whether text that claims to be Latin-1 is by far likelier in another script."""
    ranked = _ranked(sample)
    western = max((score for score, codec in ranked if _script(codec) == "latin"), default=None)
    if not ranked or western is None:
        return False
    return _script(ranked[0][1]) != "latin" and ranked[0][0] - western > 30 + 0.5 * _high(sample)


def _script(codec: str) -> str:
    return next(page.script for page in PAGES if page.codec == codec)


def _high(sample: bytes) -> int:
    return sum(1 for byte in sample if byte > 0x7F)


def _ranked(sample: bytes, bonus: Mapping[str, float] | None = None) -> list[tuple[float, str]]:
    """Return scores and codecs, the likeliest first; ties go to the code page that is met more often."""
    scores: list[tuple[float, int, str]] = []
    for page in PAGES:
        text, _ = decoded(sample, page.codec)
        counts = Counter(char for char in text if char > "\x7f")
        letters = max(_letters_score(counts, page, language) for language in page.languages)
        prior = page.prior + (bonus or {}).get(page.codec, 0.0)
        scores.append((letters + prior + _turns_score(text, page.script, page.codec), -len(scores), page.codec))
    return [(score, codec) for score, _, codec in sorted(scores, reverse=True)]


def _letters_score(counts: Counter[str], page: Page, language: str) -> float:
    weights = _weights(page.codec, language)
    return LANGUAGE_PRIORS.get(language, 0.0) + sum(
        count * (weights[char] if char in weights else _unlisted(char, page)) for char, count in counts.items()
    )


@lru_cache(maxsize=256)
def _weights(codec: str, language: str) -> dict[str, float]:
    """Return the logarithm of each listed letter's share, by Zipf's law over its rank."""
    page = next(page for page in PAGES if page.codec == codec)
    letters = page.languages[language]
    offset = 20 if page.script == "cjk" else 3
    total = sum(1 / (rank + offset) for rank in range(len(letters))) * (1.7 if page.script == "cjk" else 1.15)
    weights: dict[str, float] = {}
    for rank, char in enumerate(letters):
        weights.setdefault(char, math.log(1 / (rank + offset) / total))
        if (capital := char.upper()) != char and len(capital) == 1:
            weights.setdefault(capital, weights[char] + CAPITAL_LETTER)
    return weights


def _unlisted(char: str, page: Page) -> float:
    """Return the logarithm of the share of a character that is no listed letter of the language."""
    if char in COMMON_MARKS:
        return COMMON_MARK
    if char in MARKS:
        return MARK
    if char == "\ufffd" or "\x80" <= char <= "\x9f" or "\ue000" <= char <= "\uf8ff":
        return BROKEN
    if page.script == "cjk":
        return _cjk_unlisted(char, page.codec)
    low, high = RANGES.get(page.script, ("\u00c0", "\u024f"))
    return FOREIGN_LETTER if low <= char <= high else ODD


@lru_cache(maxsize=4096)
def _cjk_unlisted(char: str, codec: str) -> float:
    """Characters of the everyday rows, of the rare rows, and what only rare programs write: half-width kana, user areas."""
    try:
        code = char.encode(codec)
    except UnicodeEncodeError:
        return -10.0  # a vendor row
    if len(code) == 1:
        return -6.0 if "\uff61" <= char <= "\uff9f" else BROKEN
    low, high = EVERYDAY[codec]
    if low <= code[0] <= high and code[1] >= (0xA1 if codec in ("euc_jp", "gb18030", "cp949") else 0x40):
        return -8.2
    if "\uff01" <= char <= "\uff5e" or "\u3041" <= char <= "\u30ff":
        return -7.5
    return -12.0 if len(code) == 2 else -18.0


def _turns_score(text: str, script: str, codec: str) -> float:
    """Return what turns inside words cost: of case, of script, and between letters and marks."""
    if script == "cjk":
        return 0.0
    low, high = RANGES.get(script, ("A", "\u1eff"))
    has_case = script in ("latin", "cyrillic", "greek")
    score, before, was_letter, word_chars, mark = 0.0, "\n", False, 0, ""
    letters = lone = 0
    for char in text:
        is_letter = char.isalpha()
        if is_letter and (char > "\x7f" or before > "\x7f"):
            if was_letter:
                score += CASE_TURN if before.islower() and char.isupper() else 0.0
                score += _neighbours(before, char, script, low, high)
            elif has_case and char.isupper():
                score += CAPITAL
        elif char > "\x7f" and before > "\x7f" and not was_letter and char != before and (char in LOOSE or before in LOOSE):
            score += MARKS_IN_A_ROW
        if is_letter != was_letter and (_is_odd_mark(char, AFTER_WORD) if was_letter else _is_odd_mark(before, BEFORE_WORD)):
            score += SCRIPT_TURN
        elif is_letter and mark:
            score += SCRIPT_TURN  # a quotation mark between two letters
        mark = char if was_letter and char in NOT_IN_WORDS else ""
        letters += is_letter and char > "\x7f"
        if not is_letter and word_chars == 1 and before > "\x7f" and has_case:
            lone += before != "à"  # a word in French, Italian and Portuguese, often the only one with an accent
            score += ALONE if before not in WORDS else 0.0
        word_chars = word_chars + 1 if is_letter else 0
        before, was_letter = char, is_letter
    if codec in DASHES_AS_LETTERS and lone == letters > 1:
        score += ALONE * lone  # a language with such words has such letters in longer ones too
    return score


def _neighbours(before: str, char: str, script: str, low: str, high: str) -> float:
    if script == "latin":
        return TWO_IN_A_ROW if char > "\x7f" and before > "\x7f" else 0.0
    return SCRIPT_TURN if (low <= char <= high) != (low <= before <= high) else 0.0


def _is_odd_mark(char: str, usual: frozenset[str]) -> bool:
    """Say whether a character is no letter, and not usual right before or after one."""
    return (
        char > "\x7f"
        and char not in COMMON_MARKS
        and char not in usual
        and not "\u0300" <= char <= "\u036f"
        and not "\u0590" <= char <= "\u0e7f"
    )


def ebcdic_codec(look: bytes) -> str | None:
    """Return cp500 for EBCDIC text: spaces are 0x40, letters lie above 0x80, and ASCII's spaces are missing."""
    if len(look) < 16 or look.count(0x40) < len(look) / 20 or b" " in look:
        return None
    text = look.decode("cp500")
    plain = sum(1 for char in text if char in EBCDIC_MARKS or (char.isascii() and char.isalnum()))
    return "cp500" if plain > 0.9 * len(text) else None
