"""Outlook items saved as files (MSG): fields, body and recipients; attachments and embedded items as members.

Source: [MS-OXMSG]; [MS-OXCMSG]; [MS-CFB].
"""

from __future__ import annotations

import struct

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_copy import storage_file
from docbeam.extractors.compound_file import STREAM, CompoundFile, Entry
from docbeam.extractors.legacy.embedded import add_object
from docbeam.extractors.mail import mapi
from docbeam.extractors.mail.alternative import better
from docbeam.extractors.mail.body import Body, clean, write_body
from docbeam.extractors.mail.mapi import Name
from docbeam.extractors.mail.mime import Parser
from docbeam.extractors.mail.names import Names, made_up_name, safe_path, subject_name
from docbeam.extractors.mail.outlook import Item, body_text, read_item, write_item, write_metadata
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

PROPERTIES = "__properties_version1.0"
NAME_IDS = "__nameid_version1.0"
EMBEDDED = "__substg1.0_3701000d"
RECIPIENT = "__recip_version1.0_#"
ATTACHMENT = "__attach_version1.0_#"
VARIABLE = (mapi.UNICODE, mapi.STRING_8, mapi.BINARY, mapi.OBJECT)
MAX_RECIPIENTS = 5_000  # more are a list; their names are in the display properties
MAX_NAMES = 50_000


class MsgExtractor:
    """Reads application/vnd.ms-outlook."""

    name = "msg"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is an Outlook item."""
        return media_type == MediaType.MSG

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the fields and the text of an Outlook item.

        Raises: ExtractionError(ENCRYPTED_NO_KEY) if all there is in its body is encrypted, CORRUPT if no property is left.
        """
        out = TextBuilder(options)
        with source.open() as file:
            return _extracted(MessageFile(file, options.max_decompressed_bytes), out)


class MessageFile(CompoundFile):
    """A compound file whose embedded items have the table of named properties that is only in the root."""

    def children(self, storage: Entry) -> dict[str, Entry]:
        """Return the entries right below a storage."""
        found = super().children(storage)
        if storage.key == EMBEDDED and PROPERTIES in found and NAME_IDS not in found and self.root is not None:
            names = super().children(self.root).get(NAME_IDS)
            return found | {NAME_IDS: names} if names is not None else found
        return found


class StorageBag:
    """The properties of one storage: small values in one stream, each other in a stream of its own."""

    def __init__(self, compound: CompoundFile, entries: dict[str, Entry], names: dict[Name, int] | None = None) -> None:
        self._compound, self._entries, self._names = compound, entries, names or {}
        self._fixed: dict[int, tuple[int, bytes]] = {}
        if (table := entries.get(PROPERTIES)) is not None:
            self._read_fixed(compound.read(table))
        self.code_page = self._code_page()

    @property
    def is_empty(self) -> bool:
        """Whether there is no property at all."""
        return not self._fixed and not any(key.startswith("__substg1.0_") for key in self._entries)

    def find(self, identifier: int) -> tuple[int, bytes] | None:
        """Return the type and the bytes of a property."""
        if identifier in self._fixed:
            return self._fixed[identifier]
        for kind in VARIABLE:
            entry = self.stream(identifier, kind)
            if entry is not None and entry.kind == STREAM:
                return kind, self._compound.read(entry)
        return None

    def named(self, name: Name) -> int | None:
        """Return the identifier that a named property has in this message."""
        return self._names.get(name)

    def texts(self, name: Name) -> list[str]:
        """Return a named property of several strings."""
        identifier = self.named(name)
        if identifier is None:
            return []
        prefix = f"__substg1.0_{identifier:04x}{mapi.UNICODE | mapi.MULTIPLE:04x}-"
        streams = [entry for key, entry in sorted(self._entries.items()) if key.startswith(prefix)]
        return [self._compound.read(entry).decode("utf-16-le", "replace").rstrip("\0") for entry in streams]

    def stream(self, identifier: int, kind: int) -> Entry | None:
        """Return the entry of a property that has one of its own."""
        return self._entries.get(f"__substg1.0_{identifier:04x}{kind:04x}")

    def _read_fixed(self, data: bytes) -> None:
        header = 8 if len(data) % 16 == 8 and not any(key.startswith((RECIPIENT, ATTACHMENT)) for key in self._entries) else 0
        header = header or (32 if len(data) % 16 == 0 else 24)
        for at in range(header, len(data) - 15, 16):
            kind, identifier = struct.unpack("<HH", data[at : at + 4])
            if kind not in VARIABLE and not kind & mapi.MULTIPLE:
                self._fixed.setdefault(identifier, (kind, data[at + 8 : at + 16]))

    def _code_page(self) -> int:
        """Return the code page of 8-bit strings: the one that is stated, that of the language, or that of the HTML body."""
        language = mapi.page_of_language(mapi.number_of_property(self, mapi.LOCALE) or 0)
        pages = (mapi.number_of_property(self, identifier) for identifier in (mapi.MESSAGE_CODE_PAGE, mapi.INTERNET_CODE_PAGE))
        stated, of_html = pages
        return stated or (language if language != mapi.WESTERN else of_html or mapi.WESTERN)


def _extracted(compound: MessageFile, out: TextBuilder) -> Extracted:
    top = compound.streams
    names = _names(compound, top.get(NAME_IDS))
    bag = StorageBag(compound, top, names)
    if bag.is_empty:
        raise ExtractionError(ErrorCategory.CORRUPT, "the OLE2 file has no property of a message")
    item, members, text = Item(), _Attachments(compound, out), ""
    with out.until_full():
        recipients = [StorageBag(compound, compound.children(entry)) for entry in _numbered(top, RECIPIENT)[:MAX_RECIPIENTS]]
        for recipient in recipients:
            recipient.code_page = bag.code_page
        item = read_item(bag, recipients)
        text = clean(body_text(bag, out))
        wrapped = members.add_all(_numbered(top, ATTACHMENT), bag.code_page, "smime" in item.kind.lower())
        text = better([("text/plain", text), ("text/html", wrapped)])
    with out.until_full():  # behind the attachments: a full text is no end of them
        write_body(text, write_item(item, out), out)
    members.report(bool(text))
    write_metadata(item, "msg", bag, members.names, out)
    return out.extracted(title=item.subject or None, author=item.sender or None, created_at=item.date)


class _Attachments:
    """Unpacks the attachments of one item; an S/MIME wrapper is the item's own body and comes back as text."""

    def __init__(self, compound: MessageFile, out: TextBuilder) -> None:
        self.names = Names()
        self._compound, self._out = compound, out
        self._body = Body(out, Parser(out), self.names)

    def add_all(self, storages: list[Entry], code_page: int, is_smime: bool) -> str:
        """Unpack all attachments; return the text of an S/MIME wrapper."""
        texts = []
        for number, storage in enumerate(storages, 1):
            self._out.check_deadline()
            bag = StorageBag(self._compound, self._compound.children(storage))
            bag.code_page = code_page
            if is_smime and len(storages) == 1:
                texts.append(clean(self._unwrapped(mapi.data_of_property(bag, mapi.ATTACH_DATA))))
            else:
                self._add(bag, storage, number)
        return "\n\n".join(filter(None, texts))

    def report(self, has_text: bool) -> None:
        """Say what is encrypted, or that there is nothing to read."""
        if self._body.encrypted and not has_text:
            raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"the body is encrypted: {self._body.encrypted[0]}"[:200])
        for kind in self._body.encrypted:
            self._out.warn(WarningCode.PART_NOT_READ, "body", f"encrypted: {kind}"[:200])
        if not has_text and not self.names.taken:
            self._out.warn(WarningCode.NO_TEXT, "body", "the item has no text and no attachment")

    def _unwrapped(self, data: bytes) -> str:
        if data[:1] == b"\x30":
            data = b"Content-Type: application/pkcs7-mime\n\n" + data
        return self._body.text(Parser(self._out).message(data))

    def _add(self, bag: StorageBag, storage: Entry, number: int) -> None:
        method = mapi.number_of_property(bag, mapi.ATTACH_METHOD)
        media_type = mapi.text_of_property(bag, mapi.ATTACH_MEDIA_TYPE).strip().lower() or None
        name = next(filter(None, (safe_path(mapi.text_of_property(bag, prop).strip()) for prop in _NAMES)), "")
        embedded = self._compound.find(EMBEDDED, storage)
        if embedded is not None and embedded.kind != STREAM:
            self._add_storage(embedded, name, number)
            return
        if media_type == "application/pgp-encrypted":
            return  # says no more than that the next attachment is encrypted
        stream = bag.stream(mapi.ATTACH_DATA, mapi.BINARY) or embedded
        if stream is None:
            path = mapi.text_of_property(bag, mapi.ATTACH_LONG_PATH) or mapi.text_of_property(bag, mapi.ATTACH_PATH)
            said = f"the file is elsewhere: {path}" if method in mapi.BY_REFERENCE or path else "the attachment has no data"
            self._out.warn(WarningCode.ENTRY_MISSING, name or f"attachment {number}", said[:500])
            return
        name = self.names.add(name or made_up_name(media_type or "", str(number)))
        if self._compound.read(stream, 100).lstrip().startswith(b"-----BEGIN PGP MESSAGE-----"):
            self._out.failed_member(name, ErrorCategory.ENCRYPTED_NO_KEY, "a PGP message", media_type)
        else:
            self._out.member(name, self._compound.chunks(stream), media_type)

    def _add_storage(self, storage: Entry, name: str, number: int) -> None:
        entries = self._compound.children(storage)
        if PROPERTIES not in entries:
            name = self.names.add(name or f"object {number}")
            add_object(self._out, self._compound, storage, name)
            return
        inner = StorageBag(self._compound, entries)
        name = name or safe_path(mapi.text_of_property(inner, mapi.SUBJECT))
        name = name if name.lower().endswith(".msg") else subject_name(name, "msg")
        self._out.member(self.names.add(name), storage_file(self._compound, storage), MediaType.MSG)


_NAMES = (mapi.ATTACH_LONG_NAME, mapi.ATTACH_SHORT_NAME, mapi.DISPLAY_NAME)


def _numbered(entries: dict[str, Entry], prefix: str) -> list[Entry]:
    return [entries[key] for key in sorted(entries) if key.startswith(prefix) and entries[key].kind != STREAM]


def _names(compound: CompoundFile, storage: Entry | None) -> dict[Name, int]:
    """Return the identifiers of named properties by property set and number or name."""
    if storage is None or storage.kind == STREAM:
        return {}
    entries = compound.children(storage)
    guids, table, strings = (_stream(compound, entries, f"__substg1.0_000{number}0102") for number in (2, 3, 4))
    names: dict[Name, int] = {}
    for at in range(0, min(len(table) - 7, MAX_NAMES * 8), 8):
        number, kind, index = struct.unpack("<IHH", table[at : at + 8])
        guid_index = kind >> 1
        guid = mapi.PUBLIC_STRINGS if guid_index == 2 else guids[(guid_index - 3) * 16 :][:16] if guid_index >= 3 else b""
        if kind & 1:
            size = int.from_bytes(strings[number : number + 4], "little")
            names[guid, strings[number + 4 : number + 4 + min(size, 512)].decode("utf-16-le", "replace")] = 0x8000 + index
        else:
            names[guid, number] = 0x8000 + index
    return names


def _stream(compound: CompoundFile, entries: dict[str, Entry], key: str) -> bytes:
    entry = entries.get(key)
    return compound.read(entry) if entry is not None else b""
