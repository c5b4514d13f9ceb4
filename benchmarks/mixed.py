"""A synthetic pile as offices have them: mixed types, sizes by a log-normal law, and a share of killers among them.

Each file is different; the words are drawn from one list. The killers are what stops other tools: a PDF that draws until
its deadline or its memory ends, a ZIP bomb, cut and garbled files, an empty file.
"""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from benchmarks.corpus import make_pdf, words_of_the_list

SHARES = {"pdf": 0.25, "html": 0.2, "txt": 0.2, "docx": 0.15, "eml": 0.1, "xlsx": 0.06, "pptx": 0.04}
MEDIAN_WORDS, SPREAD = 300, 0.9  # a page or so; one in twenty has more than four
MOST_WORDS = 20_000
FILES_PER_FOLDER = 1_000
ENDLESS_SHARE = 0.002  # of the killers; each costs its whole deadline
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def make_mixed(folder: Path, number: int, killers: float = 0.01) -> Path:
    """Write `number` files, the share `killers` of them killers; return their folder."""
    folder.mkdir(parents=True)
    chance, words = random.Random(3), words_of_the_list()
    for n in range(number):
        if n % FILES_PER_FOLDER == 0:
            place = folder / f"{n // FILES_PER_FOLDER:04d}"
            place.mkdir()
        if chance.random() < killers:
            name, data = _killer(chance, words)
        else:
            kind = chance.choices(list(SHARES), list(SHARES.values()))[0]
            name, data = kind, MAKERS[kind](_paragraphs(chance, words))
        (place / f"{n:08d}.{name}").write_bytes(data)
    return folder


def _paragraphs(chance: random.Random, words: list[str]) -> list[str]:
    wanted = min(int(chance.lognormvariate(0, SPREAD) * MEDIAN_WORDS) + 5, MOST_WORDS)
    drawn = chance.choices(words, k=wanted)
    return [" ".join(drawn[start : start + 60]) for start in range(0, wanted, 60)]


def _text(paragraphs: list[str]) -> bytes:
    return "\n\n".join(paragraphs).encode()


def _html(paragraphs: list[str]) -> bytes:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    menu = "".join(f'<li><a href="/{n}">Entry {n}</a></li>' for n in range(12))
    page = f"<title>{paragraphs[0][:40]}</title><nav><ul>{menu}</ul></nav><main>{body}</main>"
    return f"<!doctype html><html lang=en><meta charset=utf-8>{page}</html>".encode()


def _pdf(paragraphs: list[str]) -> bytes:
    lines = [line for text in paragraphs for line in (*_lines(text), "")]
    return make_pdf([_page(lines[start : start + 50]) for start in range(0, len(lines), 50)])


def _page(lines: list[str]) -> bytes:
    shown = "\n".join(f"({line}) Tj T*" for line in lines)
    return f"BT /F1 11 Tf 14 TL 60 780 Td\n{shown}\nET".encode("latin-1", "replace")


def _lines(text: str) -> Iterator[str]:
    parts = text.split()
    for start in range(0, len(parts), 11):
        yield " ".join(parts[start : start + 11])


def _eml(paragraphs: list[str]) -> bytes:
    head = (
        f"From: a@example.org\r\nTo: b@example.org\r\nSubject: {paragraphs[0][:50]}\r\nDate: Tue, 3 Mar 2026 10:00:00 +0000\r\n"
    )
    part = "--x\r\nContent-Type: {}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n{}\r\n{}\r\n"
    kinds = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
    attached = part.format("text/csv", "Content-Disposition: attachment; filename=figures.csv\r\n", "a,b\r\n1,2")
    return (head + kinds + part.format("text/plain", "", "\r\n\r\n".join(paragraphs)) + attached + "--x--\r\n").encode()


def _docx(paragraphs: list[str]) -> bytes:
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    main = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return _package("word/document.xml", {"word/document.xml": main})


def _xlsx(paragraphs: list[str]) -> bytes:
    rows = "".join(
        "<row>"
        + "".join(f'<c t="inlineStr"><is><t>{word}</t></is></c>' for word in text.split()[:8])
        + f"<c><v>{n}</v></c></row>"
        for n, text in enumerate(paragraphs)
    )
    book = f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>'
    sheet = f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData></worksheet>'
    parts = {"xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet}
    return _package("xl/workbook.xml", parts, {"xl/_rels/workbook.xml.rels": [("worksheet", "worksheets/sheet1.xml")]})


def _pptx(paragraphs: list[str]) -> bytes:
    slides = paragraphs[:20]
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="rId{n}"/>' for n in range(1, len(slides) + 1))
    parts = {
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>'
    }
    for n, text in enumerate(slides, 1):
        shape = f"<p:sp><p:nvSpPr/><p:spPr/><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        parts[f"ppt/slides/slide{n}.xml"] = (
            f'<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>'
        )
    links = [("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)]
    return _package("ppt/presentation.xml", parts, {"ppt/_rels/presentation.xml.rels": links})


def _package(main: str, parts: dict[str, str], rels: dict[str, list[tuple[str, str]]] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        package.writestr("[Content_Types].xml", "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>")
        for name, links in {"_rels/.rels": [("officeDocument", main)], **(rels or {})}.items():
            package.writestr(name, _rels(links))
        for name, text in parts.items():
            package.writestr(name, text)
    return out.getvalue()


def _rels(links: list[tuple[str, str]]) -> str:
    entries = "".join(f'<Relationship Id="rId{n}" Type="{R}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(links, 1))
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{entries}</Relationships>'


def _killer(chance: random.Random, words: list[str]) -> tuple[str, bytes]:
    text = _paragraphs(chance, words)
    if chance.random() < ENDLESS_SHARE:
        return "pdf", _endless()
    kind = chance.randrange(6)
    if kind == 0:
        return "docx", _bomb()
    if kind == 1:
        return "docx", _docx(text)[: chance.randrange(30, 200)]
    if kind == 2:
        return "pdf", b"%PDF-1.7\n" + chance.randbytes(2_000)
    if kind == 3:
        return "xlsx", b"PK\x03\x04" + chance.randbytes(3_000)
    if kind == 4:
        return "png", b"\x89PNG\r\n\x1a\n" + chance.randbytes(500)
    return "txt", b""


@cache
def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("_rels/.rels", _rels([("officeDocument", "word/document.xml")]))
        with package.open("word/document.xml", "w") as part:
            for _ in range(600):
                part.write(b" " * 1_000_000)
    return out.getvalue()


@cache
def _endless() -> bytes:
    """Return a page that PDFium needs longer for than any deadline, in few bytes."""
    content = zlib.compress(b"0 0 m 1 1 l S " * 12_000_000)
    return make_pdf([b""], extra=(b"/Filter /FlateDecode", content))


MAKERS: dict[str, Callable[[list[str]], bytes]] = {
    "pdf": _pdf,
    "html": _html,
    "txt": _text,
    "docx": _docx,
    "eml": _eml,
    "xlsx": _xlsx,
    "pptx": _pptx,
}
