"""Rewrite the expected texts of the golden pairs: `make golden`."""

from __future__ import annotations

from tests.golden.pairs import FOLDER, pairs, text_of

if __name__ == "__main__":
    for document, expected in pairs():
        text = text_of(document)
        if expected.read_text(encoding="utf-8").rstrip("\n") != text:
            expected.write_text(text + "\n", encoding="utf-8")
            print(f"{expected.relative_to(FOLDER)}: rewritten")
