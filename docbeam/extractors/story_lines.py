"""The lines of a text document as a walk over its tree gives them: single blank lines, and a deadline that is looked at."""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder

CHECK_EVERY_PULSES = 64  # reading the clock costs more than a short paragraph


class StoryLines:
    """Base of the books in which a walk over a word processor's tree keeps what it needs."""

    def __init__(self, out: TextBuilder) -> None:
        self.out = out
        self._pulses = 0
        self._was_blank = True

    def emit(self, line: str) -> None:
        """Add a line to the document's text; blank lines never follow each other."""
        if line.strip():
            self._was_blank = False
            self.out.line(line)
        elif not self._was_blank:
            self._was_blank = True
            self.out.line("")

    def pulse(self) -> None:
        """Check the deadline now and then. Raises Full when it has passed."""
        self._pulses += 1
        if self._pulses % CHECK_EVERY_PULSES == 0:
            self.out.check_deadline()
