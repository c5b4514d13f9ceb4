"""Running text: white space collapsed as CSS does, breaks between blocks, indented lists, preformatted stretches.

Source: CSS Text 3, 4.1 (white space); the innerText algorithm of the HTML Standard, 3.2.7 (required line breaks).
"""

from __future__ import annotations

import re
from collections.abc import Callable

SPACES = re.compile(r"[ \t\n\r\f]+")
# Between two wide letters, but for Hangul, a line end in the source is no space (CSS Text 3, 4.1.3).
WIDE = (
    "\u2e80-\u2fff\u3001-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003fffd"
)
BREAK_IN_CJK = re.compile(rf"(?<=[{WIDE}])[ \t\r\f]*\n[ \t\n\r\f]*(?=[{WIDE}])")
MAX_BREAKS = 2  # line ends in a row: one blank line, however many <br> there are
MAX_INDENT = 40  # columns; deeper lists go on there


class Flow:
    """Lays text out into `sink`. What is pending (a space, breaks, a list marker) is written before the next letter only."""

    def __init__(self, sink: Callable[[str], object]) -> None:
        self.indent = 0
        self._sink = sink
        self.is_empty = True
        self._has_space = False
        self._breaks = 0  # that blocks ask for
        self._ends = 0  # that <br> and preformatted text make
        self._marker = ""
        self._last = ""

    def text(self, text: str) -> None:
        """Add running text; runs of white space become one space, or nothing at the ends of a line."""
        if "\n" in text:
            text = BREAK_IN_CJK.sub("", text)
        text = SPACES.sub(" ", text)
        core = text.strip(" ")
        if not core:
            self.space() if text else None
            return
        if text[0] == " ":
            self.space()
        shown = core.replace("\xa0", " ").replace("\ufeff", "").rstrip(" ")
        if not shown:
            self.space()  # nothing but no-break spaces: room, and no text
            return
        self._write(shown)
        self._has_space = text[-1] in " \xa0"

    def word(self, text: str) -> None:
        """Add text that stands apart from its neighbours on the line: a picture's alternative, a field's value."""
        if text.strip():
            self.space()
            self.text(text)
            self.space()

    def anchor(self, anchor: str) -> None:
        """Add the anchor of a picture: it stands where the text so far ends, and changes nothing of what follows."""
        if anchor:
            self._sink(anchor)

    def raw(self, text: str) -> None:
        """Add preformatted text: every space and line end counts."""
        body = text.rstrip("\n")
        start = len(body) - len(body.lstrip("\n"))
        if body:
            self._ends += start
            self._write(body[start:].replace("\n", "\n" + " " * self.indent).replace("\xa0", " "))
        self._ends += len(text) - len(body)

    def space(self) -> None:
        """Ask for a space before the next text on this line."""
        self._has_space = not (self._breaks or self._ends)

    def line_end(self) -> None:
        """End the line, as <br> does."""
        self._ends = min(self._ends + 1, MAX_BREAKS)
        self._has_space = False

    def block(self, breaks: int) -> None:
        """Ask for the end of the line (1) or for a blank line (2) before the next text."""
        self._breaks = max(self._breaks, breaks)
        self._has_space = False

    def item(self, marker: str) -> None:
        """Begin a list item: its marker is written before its first text."""
        self.block(1)
        self._marker += marker

    def drop_marker(self) -> None:
        """Forget the marker of an item that had no text."""
        self._marker = ""

    def _write(self, text: str) -> None:
        ends = max(self._breaks, self._ends)
        if self.is_empty:
            self._sink(self._lead())
        elif ends:
            self._sink("\n" * ends + self._lead())
        elif self._marker:
            self._sink("\n" + self._lead())
        elif self._has_space and self._last not in (" ", "\t", "\n"):
            self._sink(" ")
        self.is_empty, self._has_space, self._breaks, self._ends = False, False, 0, 0
        self._last = text[-1:]
        self._sink(text)

    def _lead(self) -> str:
        marker, self._marker = self._marker, ""
        return " " * min(max(0, self.indent - len(marker)), MAX_INDENT) + marker
