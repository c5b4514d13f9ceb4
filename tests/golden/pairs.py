"""Find the golden pairs: NAME.ext beside NAME.txt or NAME.ext.txt, or NAME.ext.expected where the document is a .txt."""

from __future__ import annotations

from pathlib import Path

from docbeam.extractors import extract_text
from docbeam.schemas.options import ExtractOptions

FOLDER = Path(__file__).parent
NO_DOCUMENT = (".expected", ".py", ".pyc")


def pairs() -> list[tuple[Path, Path]]:
    """Return (document, expected text) for every document that has one."""
    found = []
    for path in sorted(FOLDER.rglob("*")):
        if not path.is_file() or path.suffix in NO_DOCUMENT or path.name == "SOURCES.md":
            continue
        for expected in (path.with_name(path.name + ".expected"), path.with_name(path.name + ".txt"), path.with_suffix(".txt")):
            if expected.exists() and expected != path:
                found.append((path, expected))
                break
    return found


def text_of(document: Path) -> str:
    """Return a document's own text, without that of pictures inside of it, its line ends at the end left out."""
    return extract_text(document, options=ExtractOptions(ocr_embedded=False), isolated=False).content.rstrip("\n")
