"""The body of a message: which parts are its text, how each becomes text, and which are documents of their own.

Source: RFC 2046, 5.1 (mixed, alternative, digest); RFC 2387 (related); RFC 1847 (signed, encrypted); RFC 6522 (report).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import with_lf
from docbeam.extractors.html.prepare import PRESCAN_BYTES, declared_charset
from docbeam.extractors.mail.alternative import better
from docbeam.extractors.mail.calendar import calendar_text
from docbeam.extractors.mail.headers import read_headers
from docbeam.extractors.mail.inner import inner_text
from docbeam.extractors.mail.mime import Parser, Part
from docbeam.extractors.mail.names import Names, made_up_name, safe_path, subject_name
from docbeam.extractors.mail.plain import unenriched, unflowed, without_armour
from docbeam.extractors.mail.smime import wrapped_content
from docbeam.extractors.mail.transfer import without_uuencode
from docbeam.extractors.mail.words import text_in, text_of
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason, WarningCode

MESSAGES = frozenset(("message/rfc822", "message/global", "message/news"))
SHOWN = frozenset(
    ("text/plain", "text/html", "text/enriched", "text/richtext", "text/calendar", "text/rfc822-headers", "text/rfc822-header",
     "message/delivery-status", "message/global-delivery-status", "message/disposition-notification", "message/feedback-report",
     "message/global-disposition-notification", "message/global-headers", "text/x-amp-html", "text/watch-html",
     "application/xhtml+xml")
)  # fmt: skip  # shown as text of the message unless they are attached
SIGNATURES = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys")
)
CMS = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
REPEATS = frozenset(("text/x-amp-html", "text/watch-html"))  # say in an alternative what HTML says already
HTML = frozenset(("text/html", "application/xhtml+xml", "text/x-amp-html", "text/watch-html"))
HTML_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)  # also where a part says that it is plain text
HTML_END_CHARS = 1_000
MARGIN_CHARS = 10_000  # of blanks and marks that are taken away again
MAX_UNWRAPS = 5  # signed in signed


class Body:
    """Walks the parts of one message; text comes back, attachments go to `out` as members."""

    def __init__(self, out: TextBuilder, parser: Parser, names: Names | None = None) -> None:
        self.out = out
        self.names = names or Names()
        self.encrypted: list[str] = []
        self.signed = ""
        self.confidence = Confidence.DETERMINISTIC
        self._parser = parser
        self._unwraps = 0

    def text(self, part: Part) -> str:
        """Return the text of a part and all parts in it."""
        self.out.check_deadline()
        kind = part.media_type
        if kind in CMS or (kind == "application/octet-stream" and part.filename.lower().endswith(".p7m")):
            return self._unwrapped(part)
        if not part.children:
            return self._leaf(part)
        if kind == "multipart/alternative" or _says_twice(part):
            return self._alternative(part)
        if kind == "multipart/related":
            return self._related(part)
        if kind == "multipart/encrypted":
            self.encrypted.append(part.parameters.get("protocol", kind))
            return ""
        if kind == "multipart/signed":
            self.signed = part.parameters.get("protocol") or part.children[-1].media_type
        return _joined(self.text(child) for child in part.children)

    def _leaf(self, part: Part) -> str:
        kind = part.media_type
        if kind in SIGNATURES:
            self.signed = self.signed or kind
            return ""
        if kind == "application/pgp-encrypted":
            return ""
        if kind == "application/applefile":
            self.out.warn(WarningCode.EMBEDDED_NOT_READ, _where(part), "a Macintosh resource fork")
            return ""
        if kind == "message/external-body":
            place = ", ".join(f"{key}={value}" for key, value in sorted(part.parameters.items()))
            self.out.warn(WarningCode.ENTRY_MISSING, _where(part), f"the content is elsewhere: {place}"[:500])
            return ""
        if kind == "message/partial":
            return self._fragment(part)
        if kind not in SHOWN or part.disposition == "attachment" or (part.filename and part.number not in ("", "1", "1.1")):
            self._member(part)
            return ""
        return self.shown(part)

    def shown(self, part: Part) -> str:
        """Return the text of a part that is shown in the message."""
        data, kind, where = part.body(), part.media_type, _where(part)
        label = part.charset
        if kind in HTML and not label:
            label = declared_charset(data[:PRESCAN_BYTES])
        found = text_in(data, label)
        if found.is_guessed:
            self.confidence = Confidence.HEURISTIC
            said = f"the charset {label!r} does not fit" if label else "no charset is declared"
            self.out.warn(WarningCode.CHARSET_GUESSED, where, f"{said}, {found.charset} fits best")
        if found.replaced:
            self.out.warn(WarningCode.UNDECODABLE, where, f"{found.replaced} byte sequences are not {found.charset}")
        return self._as_text(found.text, part, where)

    def _as_text(self, text: str, part: Part, where: str) -> str:
        kind = part.media_type
        if kind in HTML or (kind == "text/plain" and HTML_PAGE.match(text) and "</html>" in text[-HTML_END_CHARS:].lower()):
            return inner_text(self.out, MediaType.HTML, text, where)
        if kind == "text/calendar":
            return self._cut(calendar_text(text, self.out, where))
        if kind in ("text/enriched", "text/richtext"):
            return unenriched(self._cut(text))
        if kind == "text/plain":
            return self._plain(text, part)
        return self._cut(text)

    def _plain(self, text: str, part: Part) -> str:
        text, files = without_uuencode(text)
        for name, data in files:
            self._add(safe_path(text_of(name.encode("utf-8", "replace"))) or "unnamed", data, None)
        text, encrypted, is_signed = without_armour(self._cut(text))
        if encrypted:
            self.encrypted.append("PGP message in the text")
        if is_signed:
            self.signed = self.signed or "application/pgp-signature"
        if part.parameters.get("format", "").lower() == "flowed":
            text = unflowed(text, part.parameters.get("delsp", "").lower() == "yes")
        return text

    def _cut(self, text: str) -> str:
        """Return what of a text can matter under the character cap."""
        limit = self.out.options.max_extracted_chars + MARGIN_CHARS
        if len(text) > limit:
            self.out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
        return text[:limit]

    def _alternative(self, part: Part) -> str:
        """Return the alternative that says most; attachments of all of them are members."""
        texts: list[tuple[str, str]] = []
        extras: list[str] = []
        for child in part.children:
            if child.media_type in REPEATS and len(part.children) > 1:
                continue
            text = self._inline(child).strip("\n")
            if child.media_type == "text/calendar":
                extras.append(text)
            elif text.strip():
                texts.append((child.media_type, text))
        return _joined((better(texts), *extras))

    def _inline(self, part: Part) -> str:
        """Return the text of a part that is shown whatever its name is, unless it is attached."""
        is_shown = not part.children and part.media_type in SHOWN and part.disposition != "attachment"
        return self.shown(part) if is_shown else self.text(part)

    def _related(self, part: Part) -> str:
        start = part.parameters.get("start", "").strip("<> ")
        root = next((child for child in part.children if start and child.text("content-id").strip("<> ") == start), None)
        root = root or next((child for child in part.children if child.media_type in SHOWN or child.children), part.children[0])
        text = self._inline(root)
        for child in part.children:
            if child is root:
                continue
            if child.children or child.media_type in SIGNATURES or child.media_type in CMS:
                text = _joined((text, self.text(child)))
            else:
                self._member(child)
        return text

    def _unwrapped(self, part: Part) -> str:
        """Return the text of an S/MIME wrapper whose content is not encrypted."""
        self._unwraps += 1
        kind, content = wrapped_content(part.body(), self.out.options.max_decompressed_bytes)
        if kind == "enveloped" or (kind == "unknown" and part.parameters.get("smime-type") == "enveloped-data"):
            self.encrypted.append("S/MIME enveloped data")
        elif content and self._unwraps <= MAX_UNWRAPS:
            self.signed = self.signed or part.media_type
            return self.text(self._parser.message(content, part.number))
        else:
            self.out.warn(WarningCode.PART_DAMAGED, _where(part), f"no content found in the S/MIME wrapper ({kind})")
        return ""

    def _fragment(self, part: Part) -> str:
        """Return the text of one piece of a message that was sent in pieces."""
        number, total = part.parameters.get("number", "?"), part.parameters.get("total", "?")
        self.out.warn(
            WarningCode.PART_NOT_READ, _where(part), f"piece {number} of {total} of a message; the others are elsewhere"
        )
        if number == "1":
            self._unwraps += 1
            if self._unwraps <= MAX_UNWRAPS:
                return self.text(self._parser.message(part.body(), part.number))
        return self._cut(text_in(part.body(), part.charset).text)

    def _member(self, part: Part) -> None:
        path = safe_path(part.filename)
        if part.media_type in MESSAGES:
            data = part.body()
            inner, _ = read_headers(data, 0, len(data))
            path = path or subject_name(text_of(inner.raw("subject")))
            path = path if path.lower().endswith((".eml", ".msg", ".mht")) else f"{path}.eml"
            self._add(path, data, part.media_type)
            return
        path = path or safe_path(part.text("content-location").split("?")[0].rpartition("/")[2])
        path = path or made_up_name(part.media_type, part.number)
        self._add(path, part.body(), part.media_type)

    def _add(self, path: str, data: bytes, media_type: str | None) -> None:
        add_attachment(self.out, self.names.add(path), data, media_type)


def add_attachment(out: TextBuilder, path: str, data: bytes, media_type: str | None) -> None:
    """Unpack an attachment; one that is a PGP message is recorded as encrypted."""
    if data[:100].lstrip().startswith(b"-----BEGIN PGP MESSAGE-----"):
        out.failed_member(path, ErrorCategory.ENCRYPTED_NO_KEY, "a PGP message", media_type)
    else:
        out.member(path, data, media_type)


def write_body(text: str, has_fields: bool, out: TextBuilder) -> None:
    """Write a body, set off from the fields before it by a blank line. Raises Full."""
    if text.strip():
        if has_fields:
            out.line("")
        out.line(text)


def clean(text: str) -> str:
    """Return a body without blank lines at its ends and blanks at its line ends."""
    return re.sub(r"[ \t\xa0]+$", "", with_lf(text), flags=re.M).strip("\n")


def _says_twice(part: Part) -> bool:
    """Say whether a multipart of another kind has a plain and an HTML body and nothing else, as alternatives have."""
    kinds = [child.media_type for child in part.children if not (child.disposition or child.filename)]
    return kinds == ["text/plain", "text/html"] and len(part.children) == 2


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in (clean(text) for text in texts) if text.strip())


def _where(part: Part) -> str:
    return f"part {part.number}" if part.number else "body"
