"""Elements of a large part, one at a time while it is unpacked, so that no part has to fit into memory.

Source: lxml's XMLPullParser; ECMA-376 parts have no DTD, and entities are never expanded here.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import FATAL, Package
from docbeam.extractors.ooxml.xml import Element
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_BYTES_BETWEEN = 16 << 20  # an honest row of 16 384 cells has some 2 MB; as a tree this much takes up to 0.5 GB


def elements(package: Package, part: str, tags: tuple[str, ...], out: TextBuilder) -> Iterator[Element]:
    """Yield the elements with these tags in order, each whole, and free it after use.

    What is missing, broken or cut short becomes a warning: a stray character costs itself, a cut the last element.
    Raises: Full at the deadline, ExtractionError at a cap of the whole file.
    """
    parser = etree.XMLPullParser(
        events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True,
        remove_pis=True, recover=True,
    )  # fmt: skip
    try:
        yield from _fed(package, part, parser, out)
        parser.close()
    except KeyError:
        out.warn(WarningCode.ENTRY_MISSING, part, "the document refers to this part, and it is not in the package")
        out.cut(TruncationReason.DAMAGED)
    except etree.XMLSyntaxError as error:
        _damaged(out, part, f"not well-formed: {error.msg}")
    except ExtractionError as error:
        if error.category in FATAL:
            raise
        _damaged(out, part, error.message)
    else:
        if fault := next((entry for entry in parser.feed_error_log if entry.level >= etree.ErrorLevels.FATAL), None):
            _damaged(out, part, f"not well-formed in line {fault.line}: {fault.message}")


def _fed(package: Package, part: str, parser: etree.XMLPullParser, out: TextBuilder) -> Iterator[Element]:
    waiting = 0
    for chunk in package.chunks(part):
        out.check_deadline()
        parser.feed(chunk)
        waiting += len(chunk)
        for _, element in parser.read_events():
            waiting = 0
            yield element
            _freed(element)
        if waiting > MAX_BYTES_BETWEEN:
            _damaged(out, part, f"one element has over {MAX_BYTES_BETWEEN} bytes")
            return


def _freed(element: Element) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and parent[0] is not element:
        del parent[0]


def _damaged(out: TextBuilder, part: str, message: str) -> None:
    out.warn(WarningCode.PART_DAMAGED, part, message)
    out.cut(TruncationReason.DAMAGED)
