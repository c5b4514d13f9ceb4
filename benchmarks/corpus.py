"""Files to measure on: PDFs of several pages with real text layout, and small text files, each different."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = Path(__file__).with_name("words.txt")
PAGES = 6
LINES = 48


def make_texts(folder: Path, number: int) -> Path:
    """Write text files of about a kilobyte; return their folder."""
    folder.mkdir()
    words, chance = words_of_the_list(), random.Random(1)
    for n in range(number):
        lines = (" ".join(chance.choices(words, k=11)) for _ in range(14))
        (folder / f"{n:06d}.txt").write_text(f"Note {n}\n" + "\n".join(lines) + "\n")
    return folder


def make_pdfs(folder: Path, number: int) -> Path:
    """Write PDFs of PAGES full pages; return their folder."""
    folder.mkdir()
    words, chance = words_of_the_list(), random.Random(2)
    for n in range(number):
        (folder / f"{n:06d}.pdf").write_bytes(make_pdf([_page(words, chance) for _ in range(PAGES)]))
    return folder


def _page(words: list[str], chance: random.Random) -> bytes:
    lines = (" ".join(chance.choices(words, k=11)) for _ in range(LINES))
    shown = "\n".join(f"({line}) Tj T*" for line in lines)
    return f"BT /F1 11 Tf 14 TL 60 780 Td\n{shown}\nET".encode("latin-1")


def make_pdf(pages: list[bytes], extra: tuple[bytes, bytes] = (b"", b"")) -> bytes:
    """Return a PDF of pages by their content; `extra` is an entry and bytes that replace the last page's content."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, content in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * n} 0 R"
            f" /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        entry, content = extra if extra[1] and n == len(pages) - 1 else (b"", content)
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), entry, content))
    body, offsets = b"%PDF-1.7\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return body + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        table,
        size,
        len(body),
    )


def words_of_the_list() -> list[str]:
    """Return the words that texts are drawn from."""
    return WORDS.read_text().split()
