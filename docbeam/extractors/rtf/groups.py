"""What a group of RTF inherits from the one around it and gives back at its end."""

from __future__ import annotations

from collections.abc import Callable

from docbeam.extractors.rtf.story import Story


class Group:
    """The state inside one pair of braces. `sink` takes its text, `on_end` is called at the closing brace."""

    __slots__ = (
        "associated", "font", "in_info", "in_note", "indent", "is_deleted", "is_heading", "is_hidden", "is_right_to_left",
        "on_end", "sink", "story", "table_level", "uc",
    )  # fmt: skip

    def __init__(self, story: Story) -> None:
        self.sink: list[str] = story.parts
        self.story: Story | None = story
        self.on_end: Callable[[], None] | None = None
        self.font = self.associated = -1
        self.uc = 1
        self.table_level = self.indent = 0
        self.is_right_to_left = self.is_deleted = self.is_hidden = self.is_heading = False
        self.in_info = self.in_note = False

    def inner(self) -> Group:
        """Return the state of a group that begins in this one."""
        group = Group.__new__(Group)
        group.sink, group.story, group.on_end = self.sink, self.story, None
        group.font, group.associated, group.is_right_to_left = self.font, self.associated, self.is_right_to_left
        group.uc, group.table_level, group.indent, group.is_heading = self.uc, self.table_level, self.indent, self.is_heading
        group.is_deleted, group.is_hidden = self.is_deleted, self.is_hidden
        group.in_info, group.in_note = self.in_info, self.in_note
        return group

    def reset_paragraph(self) -> None:
        r"""Take back the properties of paragraphs (\pard)."""
        self.table_level = self.indent = 0
        self.is_heading = False

    def reset_characters(self, font: int) -> None:
        r"""Take back the properties of characters (\plain)."""
        self.font = self.associated = font
        self.is_right_to_left = self.is_deleted = self.is_hidden = False

    def collect(self, sink: list[str], on_end: Callable[[], None]) -> None:
        """Let text go to a list instead of the story."""
        self.sink, self.story, self.on_end = sink, None, on_end

    def tell(self, story: Story, on_end: Callable[[], None]) -> None:
        """Let text go to a story of its own."""
        self.sink, self.story, self.on_end = story.parts, story, on_end
        self.reset_paragraph()
