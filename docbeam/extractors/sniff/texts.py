"""Text or binary, and which kind of text: markup, mail, data or code. Clear content decides, otherwise the extension.

Source: WHATWG MIME Sniffing, 7 (the idea of binary data bytes); RFC 5322 and RFC 4155 (mail); RFC 8259 (JSON).
"""

from __future__ import annotations

import re

from docbeam.extractors.letters import ebcdic_codec
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import IS_TEXT, ODF, MediaType

CONTROLS = bytes({*range(0x20)} - {*b"\t\n\x0b\f\r\x08\x1b\x1a"} | {0x7F})  # escapes and DOS ends are in honest text
MAX_CONTROL_SHARE = 0.005  # in text of a legacy code page; more is binary
MAX_CONTROL_SHARE_UTF8 = 0.05  # valid UTF-8 with this much junk is still a text
MAX_NUL_SHARE = 0.3  # in a file that says it is text: padding and lost blocks

LEAVES_CONTENT_OPEN = frozenset(
    (MediaType.PLAIN, MediaType.CSV, MediaType.TSV, MediaType.JSON, MediaType.JSON_LINES, MediaType.XML)
)
XML_PROLOG = re.compile(
    r"\s*(?:<\?xml[^>]{0,300}\?>)?(?:\s+|<!--.*?-->|<\?.*?\?>|<!doctype\s+[^>\[]*(?:\[.*?\]\s*)?>)*",
    re.DOTALL | re.IGNORECASE,
)
HTML_DOCTYPE = re.compile(r"<!doctype\s+html\b", re.IGNORECASE)
HTML_TAG = re.compile(
    r"<(html|head|body|title|meta|link|script|style|base|table|div|p|h[1-6]|a|ul|ol|br|center|font|iframe|form|b|i|span|img)(?=[\s/>])",
    re.IGNORECASE,
)
FLAT_ODF = re.compile(
    r"""office:mimetype\s*=\s*["']application/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)[a-z-]*["']"""
)
FLAT_ODF_CHARS = 8_000  # of the first tag: it declares some forty namespaces
XML_TAG = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(\s[^<>]*)?/?>")
XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"

HEADER_LINE = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,60}):(?:[ \t]|$)")
MAIL_ONLY = frozenset(
    ("received", "mime-version", "message-id", "return-path", "delivered-to", "dkim-signature", "x-mailer", "arc-seal",
     "x-originalarrivaltime", "in-reply-to", "content-transfer-encoding")
)  # fmt: skip
MAIL_HEADERS = MAIL_ONLY | {"from", "to", "cc", "subject", "date", "content-type", "reply-to", "sender", "references"}
MBOX_START = re.compile(r"From \S+.{0,80}\d\d:\d\d.{0,40}\d{4}.*\n>?[A-Za-z][A-Za-z0-9-]*:")

JSON_STRING = r'"(?:[^"\\\n]|\\.){0,300}"\s*'
JSON_START = re.compile(
    rf'\s*(?:\{{\s*(?:{JSON_STRING}:|\}}\s*$)|\[\s*(?:\{{\s*["}}]|\[|{JSON_STRING}[,\]]|-?\d+(?:\.\d+)?\s*[,\]]))'
)
JSON_LINE = re.compile(r"\s*\{.*\}\s*")
INTERPRETERS = (
    ("python", "text/x-python"),
    ("perl", "text/x-perl"),
    ("ruby", "text/x-ruby"),
    ("node", "text/javascript"),
    ("php", "text/x-php"),
)


def is_text(head: bytes, declared: str | None) -> bool:
    """Say whether the bytes are text in some charset. Bytes that only might be are text if the extension says so."""
    body = head.rstrip(b"\0") or head
    nuls = body.count(0)
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        return True
    if nuls and _is_wide(body):
        return True
    if nuls and (declared not in IS_TEXT or nuls > MAX_NUL_SHARE * len(body)):
        return False
    controls = len(body) - len(body.translate(None, CONTROLS)) - nuls
    if controls == 0 and (body.isascii() or declared in IS_TEXT):
        return True
    share = controls / (len(body) - nuls or 1)
    if _is_utf8(body.replace(b"\0", b"") if nuls else body):
        return share <= MAX_CONTROL_SHARE_UTF8
    return share <= MAX_CONTROL_SHARE or ebcdic_codec(body) is not None


def text_type(text: str, source: Source, declared: str | None) -> str:
    """Return the kind of text, `text` being the decoded head of the source."""
    is_open = declared is None or declared not in IS_TEXT or declared in LEAVES_CONTENT_OPEN
    start = text.lstrip()[:1]
    if start == "<" and (found := _markup_type(text, source, declared, is_open)):
        return found
    if start and start in "{[" and (found := _json_type(text, source, declared)):
        return found
    if is_open and declared not in (MediaType.CSV, MediaType.TSV, MediaType.XML) and (found := _mail_type(text, declared)):
        return found
    if is_open and text.startswith(("BEGIN:VCALENDAR", "BEGIN:VCARD")):
        return MediaType.CALENDAR if text.startswith("BEGIN:VCAL") else MediaType.VCARD
    if declared in IS_TEXT and declared is not None:
        return declared
    if text.startswith("#!"):
        line = text[:200].split("\n", 1)[0]
        return next((media_type for name, media_type in INTERPRETERS if name in line), "text/x-sh")
    return _table_type(text) if declared is None else MediaType.PLAIN


def _markup_type(text: str, source: Source, declared: str | None, is_open: bool) -> str | None:
    prolog = XML_PROLOG.match(text)
    at = prolog.end() if prolog else 0
    has_declaration = text.lstrip()[:6].lower() == "<?xml "
    root = XML_TAG.match(text, at)
    if HTML_DOCTYPE.search(text, 0, at + 200) or (root and root[2].lower() == "html"):
        if not (is_open or declared in (MediaType.HTML, MediaType.XHTML, MediaType.SVG)):
            return None
        is_xml = has_declaration and XHTML_NAMESPACE in text[: at + 500]
        return MediaType.XHTML if declared == MediaType.XHTML or (is_xml and declared != MediaType.HTML) else MediaType.HTML
    if declared in (MediaType.HTML, MediaType.XHTML):
        return declared
    if root and root[2] == "svg" and (has_declaration or is_open or declared == MediaType.SVG):
        return MediaType.SVG
    if root and root[2] == "document" and (found := FLAT_ODF.search(text, at, at + FLAT_ODF_CHARS)):
        return f"{ODF}{found[1]}-flat-xml"
    if has_declaration and is_open:
        return MediaType.XML
    if declared not in IS_TEXT and HTML_TAG.match(text, at):
        return MediaType.HTML
    if is_open and declared != MediaType.PLAIN and root and _closes(source, root):
        return MediaType.XML
    return None


def _closes(source: Source, root: re.Match[str]) -> bool:
    """Say whether the file ends with the end tag of its first element."""
    with source.open() as file:
        file.seek(max(0, source.size_bytes - 1024))
        tail = file.read().replace(b"\0", b"").decode("utf-8", "replace").rstrip()
    return tail.endswith((f"</{root[1] or ''}{root[2]}>", "/>", "-->"))


def _json_type(text: str, source: Source, declared: str | None) -> str | None:
    if declared in IS_TEXT and declared not in (MediaType.PLAIN, MediaType.JSON, MediaType.JSON_LINES, MediaType.NOTEBOOK):
        return None
    if not JSON_START.match(text):
        return declared if declared in IS_TEXT else None
    if declared in (MediaType.JSON_LINES, MediaType.NOTEBOOK):
        return declared
    if '"cells"' in text and ('"cell_type"' in text or '"nbformat"' in text):
        return MediaType.NOTEBOOK
    lines = [line for line in text.split("\n", 40) if line.strip()][:3]
    if len(lines) >= 2 and all(JSON_LINE.fullmatch(line) for line in lines[:2]):
        return MediaType.JSON_LINES
    return MediaType.JSON


def _mail_type(text: str, declared: str | None) -> str | None:
    text = text[:8192]
    if text.startswith("From ") and MBOX_START.match(text):
        return MediaType.MBOX
    names = set()
    for line in text.lstrip("\n").split("\n", 60)[:60]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        header = HEADER_LINE.match(line)
        if header is None:
            break
        names.add(header[1].lower())
    known = len(names & MAIL_HEADERS)
    least = 3 if declared == MediaType.PLAIN else 2
    if known >= least and (names & MAIL_ONLY or (declared != MediaType.PLAIN and {"from", "subject"} <= names)):
        return MediaType.EML
    return None


def _table_type(text: str) -> str:
    """Return CSV or TSV for text without an extension whose lines have equally many separators, otherwise plain text."""
    lines = text.split("\n")[:-1][:20]
    if len(lines) < 4:
        return MediaType.PLAIN
    for separator, media_type in (("\t", MediaType.TSV), (",", MediaType.CSV), (";", MediaType.CSV)):
        counts = {re.sub(r'"[^"]*"', "", line).count(separator) for line in lines}
        if len(counts) == 1 and min(counts) >= 2:
            return media_type
    return MediaType.PLAIN


def _is_utf8(body: bytes) -> bool:
    """Say whether the bytes are UTF-8, but for a last letter that the end of the head cuts."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 3 and error.start > 0
    return True


def _is_wide(body: bytes) -> bool:
    from docbeam.extractors.charset import wide_codec

    return wide_codec(body) is not None
