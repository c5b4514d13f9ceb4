"""Unique words for the places of a document, and the document that they are planted in."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Canary:
    """A word at a place. Where the word need not be read, a warning must name `part`."""

    place: str
    word: str
    part: str = ""


@dataclass
class Bed:
    """One document: its file name, its bytes and its canaries."""

    name: str
    data: bytes = b""
    canaries: list[Canary] = field(default_factory=list)

    def plant(self, place: str, part: str = "") -> str:
        """Return a word for a place: letters only, so that no layout tears it, and none is a part of another one."""
        number = len(self.canaries)
        kind = "".join(letter for letter in self.name.rpartition(".")[2] if letter.isalpha())
        word = f"canary{kind}{chr(97 + number // 26)}{chr(97 + number % 26)}bird"
        self.canaries.append(Canary(place, word, part))
        return word

    def known(self, place: str, word: str) -> None:
        """Note a word that a finished document has at a place."""
        self.canaries.append(Canary(place, word))
