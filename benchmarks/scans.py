"""Scans with known text: pages of real PDFs, drawn, spoilt as scanners spoil them, and put into PDFs as pictures.

The text is what docbeam reads natively from the same page: it is right but for the order of some blocks, which counts
against all engines alike.
"""

from __future__ import annotations

import io
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageFilter

from docbeam.extractors.engine import read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

PAGES = (  # file below ../shared, page, Tesseract's language
    ("truth/docs/0457.pdf", 1, "eng"),
    ("truth/docs/0481.pdf", 1, "eng"),
    ("truth/docs/0459.pdf", 1, "eng"),
    ("truth/docs/0487.pdf", 1, "eng"),
    ("truth/docs/0595.pdf", 1, "eng"),
    ("truth/docs/0460.pdf", 1, "eng"),
    ("truth/docs/0456.pdf", 1, "fra"),
    ("corpus/pdf/pdfminer__dmca.pdf", 3, "eng"),
    ("corpus/pdf/tika__testJournalParser.pdf", 2, "eng"),
    ("corpus/pdf/pdfplumber__federal-register-2020-17221.pdf", 2, "eng"),
    ("corpus/pdf/pdfminer__f1040nr.pdf", 1, "eng"),
    ("corpus/pdf/pdfplumber__issue-848.pdf", 1, "eng"),
    ("corpus/pdf/unstructured__multi-column-2p.pdf", 1, "eng"),
    ("corpus/pdf/markitdown__SPARSE-2024-INV-1234_borderless_table.pdf", 1, "eng"),
    ("corpus/pdf/pypdf-samples__GeoTopo-komprimiert.pdf", 4, "deu"),
    ("corpus/pdf/pypdf-samples__GeoTopo-komprimiert.pdf", 6, "deu"),
    ("corpus/pdf/pdfplumber__issue-67-example.pdf", 7, "chi_sim"),
    ("corpus/pdf/unstructured__korean-text-with-tables.pdf", 1, "kor"),
    ("corpus/pdf/unstructured__DA-619p.pdf", 8, "eng"),
    ("corpus/pdf/unstructured__failure-after-repair.pdf", 2, "eng"),
)
SPECKS = 42  # grain of which 0.3 % falls below a threshold of 140 on white paper
Spoilt = tuple[Image.Image, int, bytes | None]  # the picture, its dots per inch, its JPEG if it is one


@dataclass(frozen=True)
class Scan:
    """One page of a scanned PDF: what it shows, how it was spoilt, and its text."""

    pdf: bytes
    languages: str
    text: str
    kind: str
    name: str


def make_scans(shared: Path, pages: int = len(PAGES), kinds_each: int = 2) -> list[Scan]:
    """Return scans of the first `pages` pages, each in some of the kinds, in turn."""
    names = list(KINDS)
    found = []
    for index, (file, number, languages) in enumerate(PAGES[:pages]):
        data = (shared / file).read_bytes()
        text = native_text(data, number)
        for step in range(kinds_each):
            kind = names[(index + step * (len(names) // kinds_each)) % len(names)]
            picture, dpi, jpeg = KINDS[kind](Drawing(data, number), random.Random(index))
            found.append(Scan(scanned_pdf(picture, dpi, jpeg), languages, text, kind, f"{Path(file).stem} {number}"))
    return found


def native_text(data: bytes, number: int) -> str:
    """Return a page's own text."""
    reading = read_document(Source(data=data), ExtractOptions(start_page=number, end_page=number, ocr=False))
    if reading.extracted is None:
        raise SystemExit(f"no text: {reading.error}")
    page = reading.extracted.pages[0]
    return reading.extracted.content[page.start : page.end]


@dataclass(frozen=True)
class Drawing:
    """A page of a PDF that can be drawn at any resolution."""

    data: bytes
    number: int

    def at(self, dpi: int) -> Image.Image:
        """Return the page in grey."""
        document = pdfium.PdfDocument(self.data)
        image: Image.Image = document[self.number - 1].render(scale=dpi / 72, grayscale=True).to_pil().convert("L")
        return image.copy()


def clean(drawing: Drawing, chance: random.Random) -> Spoilt:
    """A good scanner: 300 dpi in grey."""
    return grained(drawing.at(300).filter(ImageFilter.GaussianBlur(0.7)), 4), 300, None


def office(drawing: Drawing, chance: random.Random) -> Spoilt:
    """A copier that mails JPEGs: 200 dpi."""
    image = grained(drawing.at(200).filter(ImageFilter.GaussianBlur(0.6)), 8)
    return image, 200, jpeg_of(image, 60)


def coarse(drawing: Drawing, chance: random.Random) -> Spoilt:
    """A thrifty scanner: 150 dpi, JPEG."""
    image = grained(drawing.at(150).filter(ImageFilter.GaussianBlur(0.4)), 6)
    return image, 150, jpeg_of(image, 50)


def black_and_white(drawing: Drawing, chance: random.Random) -> Spoilt:
    """An archive's 300 dpi in one bit."""
    return grained(drawing.at(300), 20).point(lambda level: 255 * (level > 150)).convert("1"), 300, None


def fax(drawing: Drawing, chance: random.Random) -> Spoilt:
    """A fax: 200 dpi in one bit, with specks."""
    return grained(drawing.at(200), SPECKS).point(lambda level: 255 * (level > 140)).convert("1"), 200, None


def crooked(drawing: Drawing, chance: random.Random) -> Spoilt:
    """A sheet that was laid on the glass by hand: 300 dpi in grey, turned by up to 4 degrees, slightly yellow."""
    turned = drawing.at(300).rotate(chance.choice((-3.6, -2.2, 1.4, 2.7)), Image.Resampling.BICUBIC, fillcolor=255)
    return grained(turned.point(lambda level: level * 230 // 255), 6), 300, None


KINDS: dict[str, Callable[[Drawing, random.Random], Spoilt]] = {
    "clean": clean,
    "office": office,
    "coarse": coarse,
    "bw": black_and_white,
    "fax": fax,
    "crooked": crooked,
}


def grained(image: Image.Image, sigma: float) -> Image.Image:
    """Add a scanner's grain; the same each time."""
    tile = random.Random(7)
    noise = Image.frombytes("L", (509, 503), bytes(min(max(round(tile.gauss(128, sigma)), 0), 255) for _ in range(509 * 503)))
    field = Image.new("L", image.size)
    for left in range(0, image.width, noise.width):
        for top in range(0, image.height, noise.height):
            field.paste(noise, (left, top))
    return ImageChops.add(image, field, offset=-128)


def jpeg_of(image: Image.Image, quality: int) -> bytes:
    """Return a picture as JPEG."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality)
    return file.getvalue()


def scanned_pdf(image: Image.Image, dpi: int, jpeg: bytes | None = None) -> bytes:
    """Return a PDF whose one page is the picture."""
    pdf = pikepdf.new()
    add_page(pdf, image, dpi, jpeg)
    file = io.BytesIO()
    pdf.save(file)
    return file.getvalue()


def add_page(pdf: pikepdf.Pdf, image: Image.Image, dpi: int, jpeg: bytes | None) -> None:
    """Add a page that shows nothing but the picture."""
    width, height = image.width * 72 / dpi, image.height * 72 / dpi
    data, kind = (jpeg, "/DCTDecode") if jpeg else (zlib.compress(image.tobytes(), 6), "/FlateDecode")
    picture = pdf.make_stream(data)
    picture.update(
        pikepdf.Dictionary(
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Image,
            Width=image.width,
            Height=image.height,
            ColorSpace=pikepdf.Name.DeviceGray,
            BitsPerComponent=1 if image.mode == "1" else 8,
            Filter=pikepdf.Name(kind),
        )
    )
    pdf.add_blank_page(page_size=(width, height))
    page = pdf.pages[-1]
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im0=picture))
    page.Contents = pdf.make_stream(f"q {width:.3f} 0 0 {height:.3f} 0 0 cm /Im0 Do Q".encode())


def joined_pdfs(scans: list[Scan]) -> Iterator[tuple[str, bytes, list[Scan]]]:
    """Yield (languages, PDF, scans) with all scans of the same languages as its pages."""
    for languages in sorted({scan.languages for scan in scans}):
        mine = [scan for scan in scans if scan.languages == languages]
        pdf = pikepdf.new()
        for scan in mine:
            with pikepdf.open(io.BytesIO(scan.pdf)) as one:
                pdf.pages.extend(one.pages)
        file = io.BytesIO()
        pdf.save(file)
        yield languages, file.getvalue(), mine
