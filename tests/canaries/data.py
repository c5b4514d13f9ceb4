"""Text, data, archives and pictures with a canary in each part."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile

from PIL import Image, PngImagePlugin

from tests.canaries.planting import Bed


def csv() -> Bed:
    """Return a table."""
    bed = Bed("table.csv")
    t = bed.plant
    bed.data = f'{t("header")},b\n{t("cell")},"{t("quoted cell")}\nx"\n1,2,{t("cell beyond the header")}\n'.encode()
    return bed


def json_file() -> Bed:
    """Return JSON."""
    bed = Bed("data.json")
    t = bed.plant
    bed.data = json.dumps({t("name"): [t("value"), {"a": {"b": t("deep value")}}]}).encode()
    return bed


def xml() -> Bed:
    """Return XML."""
    bed = Bed("data.xml")
    t = bed.plant
    bed.data = f"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "{t("entity", "document type")}">]><?pi {t("processing instruction")}?><!-- {t("comment")} -->
<{t("root name")} {t("attribute name")}="{t("attribute")}"><a>{t("text")}</a><b><![CDATA[{t("CDATA")}]]></b><{t("element name")}>x</{bed.canaries[-1].word}>
<m>mixed &e; <c/>{t("tail")}</m></{bed.canaries[3].word}>""".encode()
    return bed


def yaml() -> Bed:
    """Return YAML."""
    bed = Bed("data.yaml")
    t = bed.plant
    bed.data = (
        f"# {t('comment')}\n{t('key')}: &a {t('value')}\nb: *a\nc: |\n  {t('block')}\n---\nd: {t('second document')}\n".encode()
    )
    return bed


def markdown() -> Bed:
    """Return Markdown."""
    bed = Bed("text.md")
    t = bed.plant
    bed.data = f"---\ntitle: {t('front matter')}\n---\n# {t('heading')}\n\n{t('text')} [{t('link')}](x)\n\n<!-- {t('comment')} -->\n".encode()
    return bed


def notebook() -> Bed:
    """Return a notebook."""
    bed = Bed("book.ipynb")
    t = bed.plant
    code = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "source": [f"# {t('code')}\n"],
        "outputs": [
            {"output_type": "stream", "name": "stdout", "text": [t("printed output")]},
            {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": [t("result")]}},
            {"output_type": "display_data", "metadata": {}, "data": {"text/html": [f"<p>{t('HTML result')}</p>"]}},
            {"output_type": "error", "ename": "E", "evalue": t("error"), "traceback": [t("traceback")]},
        ],
    }
    attachments = {"a.txt": {"text/plain": [t("attachment", "attachment")]}}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [t("text")], "attachments": attachments},
        code,
        {"cell_type": "raw", "metadata": {}, "source": t("raw cell")},
    ]
    made = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"title": t("title"), "authors": [{"name": t("author")}]},
        "cells": cells,
    }
    bed.data = json.dumps(made).encode()
    return bed


def zip_file() -> Bed:
    """Return a ZIP archive."""
    bed = Bed("archive.zip")
    t = bed.plant
    inner, file = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("deep.txt", t("entry of an archive in the archive"))
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo(f"{t('folder')}/{t('entry name')}.txt")
        entry.comment = t("comment of an entry").encode()
        archive.writestr(entry, t("entry"))
        archive.writestr("inner.zip", inner.getvalue())
        archive.writestr(f"{t('name of an empty folder')}/", "")
        archive.comment = t("comment").encode()
    bed.data = file.getvalue()
    return bed


def tar() -> Bed:
    """Return a compressed TAR archive."""
    bed = Bed("archive.tar")
    t = bed.plant
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": t("comment")}) as archive:
        data = t("entry").encode()
        entry = tarfile.TarInfo(f"{t('entry name')}.txt")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
        link = tarfile.TarInfo(t("name of a link"))
        link.type, link.linkname = tarfile.SYMTYPE, t("target of a link")
        archive.addfile(link)
    bed.data = file.getvalue()
    return bed


def gzip_file() -> Bed:
    """Return a compressed file."""
    bed = Bed("file.gz")
    t = bed.plant
    file = io.BytesIO()
    with gzip.GzipFile(f"{t('original name')}.txt", "wb", fileobj=file, mtime=0) as packed:
        packed.write(t("file").encode())
    bed.data = file.getvalue()
    return bed


def jpeg() -> Bed:
    """Return a photograph with EXIF properties and a comment."""
    bed = Bed("photo.jpg")
    t = bed.plant
    exif = Image.Exif()
    for tag, place in (
        (0x010E, "description"),
        (0x010F, "make"),
        (0x0110, "model"),
        (0x0131, "software"),
        (0x013B, "artist"),
        (0x8298, "copyright"),
    ):
        exif[tag] = t(place)
    exif[0x9C9B] = t("Windows title").encode("utf-16-le")
    exif[0x9C9C] = t("Windows comment").encode("utf-16-le")
    exif[0x9C9E] = t("Windows keywords").encode("utf-16-le")
    exif.get_ifd(0x8769)[0x9286] = b"ASCII\0\0\0" + t("user comment").encode()
    xmp = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li>{t("XMP description")}</rdf:li></rdf:Alt></dc:description>'
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    file = io.BytesIO()
    Image.new("L", (64, 64), 255).save(file, "JPEG", exif=exif, comment=t("comment").encode(), xmp=xmp.encode())
    bed.data = file.getvalue()
    return bed


def png() -> Bed:
    """Return a picture with text chunks."""
    bed = Bed("picture.png")
    t = bed.plant
    chunks = PngImagePlugin.PngInfo()
    for key in ("Title", "Author", "Description", "Copyright", "Comment", "Software"):
        chunks.add_text(key, t(key))
    chunks.add_itxt("Caption", t("text of its own"))
    file = io.BytesIO()
    Image.new("L", (64, 64), 255).save(file, "PNG", pnginfo=chunks)
    bed.data = file.getvalue()
    return bed
