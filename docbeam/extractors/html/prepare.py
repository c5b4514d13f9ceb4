"""Before the parser: the declared charset, what XHTML writes differently, and nesting that no parser takes in good time.

Source: HTML Standard, 13.2.3.2 (prescan for an encoding); XML 1.0, 2.7 and 3.1 (CDATA, empty elements).
"""

from __future__ import annotations

import html
import re

PRESCAN_BYTES = 65_536  # the standard looks at 1 024 bytes only; real pages have longer preambles
MAX_DEPTH = 512  # of nested elements, as in browsers: past it, elements stand beside each other
MAX_MARKUP = 32  # characters of markup per character wanted; a tree takes 20 times the memory of its markup
INLINE_FILE_CHARS = 10_000  # of a data: address; its text is not the page's
MANY_TAGS = 4_000  # below it the parser is fast however deep they nest

COMMENT = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
META_CHARSET = re.compile(rb"""<meta\b[^>]{0,1000}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)

VOID = "area|base|basefont|bgsound|br|col|embed|frame|hr|img|input|keygen|link|meta|param|source|track|wbr"
SELF_CLOSED = re.compile(rf"<(?!(?:{VOID})\b)([A-Za-z][\w.-]*)(?=[\s/])([^<>]*)/>")
INLINE_FILE = re.compile(rf"data:[A-Za-z0-9/+.=;,%_-]{{{INLINE_FILE_CHARS},}}")
CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|$(?!\n))", re.DOTALL)
PREFIX = re.compile(r"""\sxmlns:([A-Za-z_][\w.-]*)\s*=\s*["']http://www\.w3\.org/1999/xhtml["']""")

TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*)(?=[\s/>])[^<>]*>|<!--(?:.*?-->|.*)", re.DOTALL)
# Elements that close themselves, or that another of their kind closes: they do not nest by being left open.
LEFT_OPEN = "p|li|td|th|tr|dt|dd|option|optgroup|tbody|thead|tfoot|colgroup|rt|rp"
UNCOUNTED = frozenset(f"{VOID}|{LEFT_OPEN}".split("|"))
INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr "
    "q s samp small span strike strong sub sup tt u var"
)
INLINE = frozenset(INLINE_NAMES.split())


def declared_charset(head: bytes) -> str | None:
    """Return the charset of the first <meta> that has one, else of the XML declaration."""
    head = head[:PRESCAN_BYTES]
    clean = COMMENT.sub(b"", head) if b"<!--" in head else head
    match = META_CHARSET.search(clean) or XML_ENCODING.match(clean.lstrip())
    return match[1].decode("ascii", "replace") if match else None


def shortened(text: str, max_chars: int) -> tuple[str, bool]:
    """Return the markup without large files in its attributes, and whether it is whole.

    It is cut, after a tag, at MAX_MARKUP characters for each character wanted.
    """
    if len(text) > INLINE_FILE_CHARS and "data:" in text:
        text = INLINE_FILE.sub("data:,", text)
    limit = MAX_MARKUP * max_chars
    if len(text) <= limit:
        return text, True
    return text[: text.rfind(">", 0, limit) + 1 or limit], False


def as_html(text: str) -> str:
    """Return XHTML in the way of HTML: no CDATA sections, no self-closed elements, no prefix before element names."""
    if prefix := PREFIX.search(text):
        text = re.sub(rf"<(/?){re.escape(prefix[1])}:", r"<\1", text)
    if "<![CDATA[" in text:
        text = CDATA.sub(lambda section: html.escape(section[1], quote=False), text)
    return SELF_CLOSED.sub(r"<\1\2></\1>", text)


def flattened(text: str) -> str:
    """Return the markup without the tags that nest deeper than MAX_DEPTH; their text stays, set apart as they set it apart."""
    if text.count("<") < MANY_TAGS:
        return text
    parts: list[str] = []
    depth = deepest = at = 0
    for tag in TAG.finditer(text):
        name = (tag[2] or "").lower()
        if not name or name in UNCOUNTED:
            continue
        depth = depth - 1 if tag[1] else depth + 1
        deepest = max(deepest, depth)
        if depth + (1 if tag[1] else 0) > MAX_DEPTH:
            parts += (text[at : tag.start()], "" if name in INLINE else "<br>")
            at = tag.end()
        depth = max(depth, 0)
    return "".join((*parts, text[at:])) if deepest > MAX_DEPTH else text
