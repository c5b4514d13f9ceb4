"""The state machine: tokens in, the text of stories out. Iterative, so that no nesting can exhaust it.

Source: RTF 1.9.1, "Conventions of an RTF reader".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.symbols import symbol, symbol_text
from docbeam.extractors.rtf.fonts import Fonts
from docbeam.extractors.rtf.groups import Group
from docbeam.extractors.rtf.story import Story
from docbeam.extractors.rtf.tokens import BRACE, HEX, NUMBER, SYMBOL, TEXT, TOKEN, WORD, group_end
from docbeam.extractors.rtf.words import CHARACTERS, MATH_PROPERTIES, READ_WHEN_STARRED, SKIPPED, SYMBOLS
from docbeam.schemas.vocabulary import WarningCode

MAX_DEPTH = 5_000  # of groups; the state of deeper ones is that of the last one counted
CHECK_EVERY_TOKENS = 8_192  # for the deadline
MAX_RESTARTS = 5  # behind groups that never end; each costs a search through the rest of the file
MAX_UC = 32  # characters that stand for one Unicode character; honest files have at most 4
_RESTART = re.compile(rb"\\(?:pard|sectd|trowd)(?![a-z])")
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])
_SKIPPED = frozenset(word.encode() for word in SKIPPED | MATH_PROPERTIES)
_READ = frozenset(word.encode() for word in READ_WHEN_STARRED)
_CHARACTERS = {word.encode(): text for word, text in CHARACTERS.items()}
_SYMBOLS = {text.encode(): shown for text, shown in SYMBOLS.items()}


class Reader:
    """Reads one document into a TextBuilder. A subclass knows the destinations: notes, fields, headers, properties."""

    def __init__(self, data: bytes, out: TextBuilder, words: Mapping[bytes, Callable[..., None]]) -> None:
        self.data = data
        self._words = words
        self.out = out
        self.at = 0
        self.fonts = Fonts()
        self.body = Story(out, self.emit)
        self.group = Group(self.body)
        self.replaced = 0  # byte sequences that are not in their code page
        self.hidden_chars = self.deleted_chars = 0
        self.texts = 0  # pieces of text so far
        self.is_header_row = False
        self.has_junk = False  # text behind the end of the document
        self.was_cut = False  # inside a group
        self._stack: list[Group] = []
        self._too_deep = 0
        self._restarts = 0
        self._raw = bytearray()
        self._skip = 0  # characters that follow a Unicode character for readers that don't know it
        self._is_starred = False
        self._was_blank = True

    def emit(self, line: str) -> None:
        """Add a line to the document's text; blank lines never follow each other."""
        if line.strip():
            self._was_blank = False
            self.out.line(line)
        elif not self._was_blank:
            self._was_blank = True
            self.out.line("")

    def read(self) -> None:
        """Read all tokens. Raises Full."""
        data, size = self.data, len(self.data)
        match_token, words = TOKEN.match, self._words
        tokens = 0
        while self.at < size:
            token = match_token(data, self.at)
            if token is None:
                self.at += 1
                continue
            self.at = token.end()
            tokens += 1
            if tokens % CHECK_EVERY_TOKENS == 0:
                self.out.check_deadline()
            kind = token.lastindex
            if kind == TEXT:
                self._is_starred = False
                if self._skip:
                    self._raw += self._unskipped(token[TEXT], 1)
                else:
                    self._raw += token[TEXT]
            elif kind in (WORD, NUMBER):
                word = token[WORD]
                found = words.get(word)
                if word in _SKIPPED and not self._is_starred and not self._begins_group(token.start()):
                    continue  # a property by the same name
                if found is not None or self._is_starred or word in _SKIPPED or word in _CHARACTERS:
                    self._word(word, int(token[NUMBER]) if kind == NUMBER else None, found)
            elif kind == BRACE:
                self._is_starred = False
                self._skip = 0
                if token[BRACE] == b"{":
                    self._begin_group()
                else:
                    self._end_group()
            elif kind == HEX:
                escapes = self._unskipped(token[HEX], 4) if self._skip else token[HEX]
                self._raw += bytes.fromhex(escapes.decode("ascii").replace("\\'", ""))
            elif kind == SYMBOL:
                self._symbol(token[SYMBOL], token.start())
        self._flush()
        self.was_cut = bool(self._stack) or self._restarts > 0
        self._too_deep = 0
        while self._stack:
            self._end_group()

    def add(self, text: str) -> None:
        """Add a piece of text where the group's text goes."""
        group = self.group
        if group.is_deleted or not text:
            self.deleted_chars += len(text)
            return
        if group.is_hidden:
            self.hidden_chars += len(text)
        self.texts += 1
        group.sink.append(text)

    def skip_group(self, end: int | None = None) -> None:
        """Go to the end of the group; of one that never ends, to the next place where text can begin."""
        if not self._stack:
            return
        self.out.check_deadline()
        start, self.at = self.at, group_end(self.data, self.at) if end is None else end
        if self.at < len(self.data) or self._restarts >= MAX_RESTARTS:
            return
        restart = _RESTART.search(self.data, start)
        if restart is not None:
            self._restarts += 1
            self.at = restart.start()
            del self._stack[1:]
            self.group = Group(self.body)
            self.group.font = self.fonts.default

    def flush(self) -> None:
        """Decode the bytes that wait, in the font that they are set in."""
        if self._raw:
            self._flush()

    def unicode(self, number: int) -> None:
        """Add a Unicode character; what follows it for other readers is to be skipped."""
        self.flush()
        code = number & 0xFFFF if number < 0x10000 else min(number, 0x10FFFF)
        name = self.fonts.symbol_font(self.group.font) if 0xF020 <= code <= 0xF0FF else ""
        if code >= 32 or code == 9:
            self.add(symbol(name, code) if name else chr(code))
        self._skip = self.group.uc

    def _flush(self) -> None:
        data, group = bytes(self._raw), self.group
        self._raw.clear()
        if not data:
            return
        font = group.font
        name = self.fonts.symbol_font(font)
        if name:
            text = symbol_text(name, data.decode("latin-1"))
        elif data.isascii():
            text = data.decode("ascii")
        else:
            if group.is_right_to_left and self.fonts.is_eastern(group.associated):
                font = group.associated
            text = self._decoded(data, self.fonts.codec(font))
        self.add(text if text.isprintable() else text.translate(_CONTROLS))

    def _decoded(self, data: bytes, codec: str) -> str:
        text = data.decode(codec, "replace")
        if "\ufffd" in text:
            if codec != self.fonts.document and sum(byte > 0x7F for byte in data) == 1:  # no letter of two bytes
                plain = data.decode(self.fonts.document, "replace")
                text = text if "\ufffd" in plain else plain
            self.replaced += text.count("\ufffd")
        return text

    def _unskipped(self, data: bytes, width: int) -> bytes:
        """Return what is left when the characters to skip are taken away; each is `width` bytes long."""
        count = min(self._skip, len(data) // width)
        self._skip -= count
        return data[count * width :]

    def _word(self, word: bytes, number: int | None, found: Callable[..., None] | None) -> None:
        is_starred, self._is_starred = self._is_starred, False
        if word in _CHARACTERS:
            if self._skip:
                self._skip -= 1
            else:
                self.flush()
                self.add(_CHARACTERS[word])
        elif word in _SKIPPED or (is_starred and word not in _READ):
            self.flush()
            if found is not None:
                found(self, number)  # tells of what is skipped
            self.skip_group()
        elif found is not None:
            self._skip = 0
            found(self, number)

    def _symbol(self, char: bytes, at: int) -> None:
        if char == b"*":  # marks a destination at the beginning of a group only
            self._is_starred = self._begins_group(at)
        elif char in b"\r\n":
            self.flush()
            self.end_paragraph()
        elif char in _SYMBOLS:
            if self._skip:
                self._skip -= 1
            elif char in b"\\{}":
                self._raw += char  # can be the second byte of a letter
            else:
                self.flush()
                self.add(_SYMBOLS[char])

    def _begins_group(self, at: int) -> bool:
        return self.data[max(0, at - 20) : at].rstrip(b"\r\n \0")[-1:] == b"{"

    def end_paragraph(self) -> None:
        """End a paragraph where the text goes."""
        group = self.group
        if group.story is not None:
            group.story.end_paragraph(group.table_level, group.indent, is_heading=group.is_heading)
        else:
            group.sink.append("\n")

    def _begin_group(self) -> None:
        self.flush()
        if len(self._stack) >= MAX_DEPTH:
            self._too_deep += 1
            return
        self._stack.append(self.group)
        self.group = self.group.inner()

    def _end_group(self) -> None:
        self.flush()
        if self._too_deep:
            self._too_deep -= 1
            return
        if not self._stack:
            return
        ended, self.group = self.group, self._stack.pop()
        if ended.on_end is not None:
            ended.on_end()
        if not self._stack and self.at < len(self.data):
            self._after_document()

    def _after_document(self) -> None:
        """Stop at the end of the outermost group, unless more of the document stands behind it."""
        rest = self.data[self.at :].strip(b"\0 \t\r\n}")
        if b"\\par" in rest or b"\\rtf" in rest or b"\\cell" in rest:
            if not self.has_junk:
                self.has_junk = True
                self.out.warn(WarningCode.PART_DAMAGED, "document", "a closing brace too many: text behind it is kept")
        else:
            if rest:
                message = f"{len(rest)} bytes behind the end of the document"
                self.out.warn(WarningCode.PART_NOT_READ, "document", message)
            self.at = len(self.data)
