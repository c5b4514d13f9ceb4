"""Embedded documents: each is read for itself, under budgets that the whole tree shares."""

from __future__ import annotations

import email.message
import gzip
import io
import os
import tempfile
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docbeam.extractors import extract_text
from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.library import TextDocument
from docbeam.extractors.ocr import find_engine
from docbeam.extractors.recognition import PageText
from docbeam.extractors.source import Source
from docbeam.extractors.tree import Node, read_tree
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Target
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def nested(levels: int, data: bytes = b"the innermost note\n") -> bytes:
    name = "note.txt"
    for level in range(levels):
        data, name = zipped({name: data}), f"{level}.zip"
    return data


def read(data: bytes, name: str = "x.zip", isolated: bool = False, **options: int | float) -> TextDocument:
    return extract_text(data, name=name, options=ExtractOptions(ocr=False, **options), isolated=isolated)  # type: ignore[arg-type]


def texts(document: TextDocument) -> dict[str, str | None]:
    return {found.path: found.document.content if found.document else None for found in document.embedded}


@pytest.fixture(autouse=True)
def own_temp_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.mark.parametrize("isolated", [False, True])
def test_a_mail_with_an_archive_gives_each_document_for_itself(own_temp_folder: Path, isolated: bool) -> None:
    mail = email.message.EmailMessage()
    mail["Subject"] = "The lamps"
    mail.set_content("See attached.\n")
    archive = zipped({"a/one.txt": b"one\n", "two.csv": b"k,v\n1,2\n", "inner.zip": zipped({"deep.txt": b"deep\n"})})
    mail.add_attachment(archive, maintype="application", subtype="zip", filename="lamps.zip")
    found = read(mail.as_bytes(), "mail.eml", isolated)
    assert "The lamps" in found.content and "See attached." in found.content
    assert {path: text and text.strip() for path, text in texts(found).items()} | {
        "lamps.zip": "",
        "lamps.zip!/inner.zip": "",
    } == {
        "lamps.zip": "",
        "lamps.zip!/a/one.txt": "one",
        "lamps.zip!/two.csv": "k\tv\n1\t2",
        "lamps.zip!/inner.zip": "",
        "lamps.zip!/inner.zip!/deep.txt": "deep",
    }
    assert not list(own_temp_folder.rglob("member-*")), "no member's file is left behind"


def test_documents_deeper_than_max_depth_are_refused() -> None:
    found = read(nested(6), max_depth=3)
    assert [entry.path.count("!/") + 1 for entry in found.embedded] == [1, 2, 3, 4]
    last = found.embedded[-1]
    assert last.error is not None and last.error.category is ErrorCategory.TOO_DEEP
    parent = found.embedded[-2].document
    assert parent is not None
    assert [notice.code for notice in parent.warnings] == [WarningCode.ENTRY_FAILED]


def test_bytes_are_counted_over_the_whole_tree(own_temp_folder: Path) -> None:
    bomb = zipped({f"{n}.txt": bytes(200_000) for n in range(5)})  # a megabyte from a kilobyte
    found = read(zipped({f"{n}.zip": bomb for n in range(50)}), max_decompressed_bytes=3_000_000)
    documents = [found, *(entry.document for entry in found.embedded if entry.document)]
    unpacked = sum(entry.document.media_type != "application/zip" for entry in found.embedded if entry.document)
    unpacked += sum(entry.error is not None for entry in found.embedded)
    assert 10 <= unpacked <= 16, "about 15 of the 250 files fit"
    assert {d.truncation for d in documents} >= {TruncationReason.CONTAINER_LIMIT}
    assert not list(own_temp_folder.rglob("member-*"))


def test_entries_are_counted_over_the_whole_tree() -> None:
    inner = zipped({f"{n}.txt": b"x" for n in range(40)})
    found = read(zipped({f"{n}.zip": inner for n in range(10)}), max_zip_entries=100)
    assert len(found.embedded) == 100
    cut = [entry.document for entry in found.embedded if entry.document and entry.document.is_truncated]
    assert cut and all(document.truncation is TruncationReason.CONTAINER_LIMIT for document in cut)


def test_time_is_counted_over_the_whole_tree() -> None:
    found = read(zipped({f"{n}.txt": b"x" * 100 for n in range(200)}), container_timeout_seconds=0.1)
    assert len(found.embedded) == 200
    late = [entry.error for entry in found.embedded if entry.error]
    assert all(error.category is ErrorCategory.TIMEOUT for error in late)


def test_a_failed_member_is_named_by_its_parent_and_the_others_are_read() -> None:
    found = read(zipped({"good.txt": b"good\n", "empty.txt": b"", "song.mp3": b"ID3\x04\0\0\0\0\0\0" + bytes(500)}))
    assert {entry.path: entry.error.category if entry.error else None for entry in found.embedded} == {
        "good.txt": None,
        "empty.txt": ErrorCategory.EMPTY,
        "song.mp3": ErrorCategory.UNSUPPORTED_MEDIA_TYPE,
    }
    assert {(notice.code, notice.part) for notice in found.warnings} >= {
        (WarningCode.ENTRY_FAILED, "empty.txt"),
        (WarningCode.ENTRY_UNSUPPORTED, "song.mp3"),
    }


def test_a_gzipped_bomb_ends_at_the_cap(own_temp_folder: Path) -> None:
    with pytest.raises(ExtractionError) as caught:
        read(gzip.compress(bytes(50_000_000)), "bomb.gz", max_decompressed_bytes=1_000_000)
    assert caught.value.category is ErrorCategory.TOO_LARGE_DECOMPRESSED
    assert not list(own_temp_folder.rglob("member-*"))


def test_files_of_members_are_removed_when_their_parent_fails(own_temp_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from docbeam.extractors.archive import ZipExtractor

    whole = ZipExtractor.extract

    def failing(self: ZipExtractor, *arguments: object) -> object:
        whole(self, *arguments)  # type: ignore[arg-type]
        raise ValueError("broken after all")

    monkeypatch.setattr(ZipExtractor, "extract", failing)
    with pytest.raises(ExtractionError):
        read(zipped({"a.txt": b"x"}))
    assert len(list(own_temp_folder.rglob("member-*"))) <= 1, "at most what the value that was thrown away had taken"
    assert os.path.isdir(own_temp_folder)


def test_texts_that_wait_in_memory_together_are_held_to_the_limit_for_bytes() -> None:
    text = ("é" * 999 + "\U0001f600").encode()  # four times as large in memory as its number of characters
    found = read(zipped({f"{number:02}.txt": text + b"%d" % number for number in range(80)}), max_decompressed_bytes=200_000)
    failed = {embedded.path: embedded.error for embedded in found.embedded if embedded.error}
    assert "00.txt" not in failed and "79.txt" in failed
    assert {error.category for error in failed.values()} == {ErrorCategory.TOO_LARGE_DECOMPRESSED}
    assert {notice.part for notice in found.warnings} == set(failed)
    assert all(embedded.error is None for embedded in read(zipped({f"{n}.txt": text for n in range(80)})).embedded)


def test_the_names_in_an_archive_are_in_no_language() -> None:
    names = {f"the report about the weather of the year {year}.txt": b"Rain and wind.\n" for year in range(1990, 2000)}
    assert read(zipped(names)).extracted.language is None


def picture(text: str) -> bytes:
    image = Image.new("L", (600, 120), 255)
    ImageDraw.Draw(image).text((40, 40), text, fill=0, font=ImageFont.load_default(36))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


PICTURES = {"1.png": picture("The first lamp"), "2.png": picture("The second lamp"), "note.txt": b"a note\n"}


@pytest.mark.skipif(find_engine() is None, reason="no OCR engine is installed")
@pytest.mark.parametrize("isolated", [False, True])
def test_pictures_beside_other_members_are_recognised(isolated: bool) -> None:
    found = extract_text(zipped({**PICTURES, "inner.zip": zipped(PICTURES)}), name="x.zip", isolated=isolated)
    expected = {"1.png": "The first lamp", "2.png": "The second lamp", "note.txt": "a note"}
    read = {path: (text or "").strip() for path, text in texts(found).items()}
    assert {path: read[path] for path in expected} == expected
    assert {path: read[f"inner.zip!/{path}"] for path in expected} == expected


class OneAtATime:
    """A reader that, as a sandbox's worker does, refuses a request while answers to another are still owed."""

    def __init__(self) -> None:
        self.owed = 0
        self.pages: list[str] = []

    def read(self, source: Source) -> Reading:
        return read_document(source, ExtractOptions())

    def read_many(
        self, sources: Sequence[Source], media_type: str | None = None, limits: Mapping[str, int] | None = None
    ) -> Iterator[Reading]:
        self.owed = len(sources)
        for source in sources:
            reading = self.read(source)
            self.owed -= 1
            yield reading

    def recognise(self, source: Source, media_type: str, target: Target) -> PageText:
        assert not self.owed
        self.pages.append(source.name)
        return PageText(number=target.number)


@pytest.mark.parametrize("fails", [False, True])
def test_a_page_is_recognised_only_when_nothing_else_is_asked_of_the_reader(own_temp_folder: Path, fails: bool) -> None:
    reader = OneAtATime()

    def keep(node: Node, source: Source) -> None:
        reader.recognise(source, node.reading.media_type, Target(1))
        if fails:
            raise OSError("the disk is full")

    root = Node(reading=reader.read(Source(data=zipped({**PICTURES, "a.csv.gz": gzip.compress(b"k,v\n")}), name="x.zip")))
    if fails:
        with pytest.raises(OSError, match="disk"):
            read_tree(reader, root, ExtractOptions(), keep)
    else:
        read_tree(reader, root, ExtractOptions(), keep)
        assert reader.pages == ["1.png", "2.png"]
    assert not os.listdir(own_temp_folder)


def test_a_document_names_so_many_failed_members_as_a_row_has_warnings_and_counts_the_others() -> None:
    found = read(zipped({f"{number:03}": b"" for number in range(250)}))
    assert len(found.warnings) == 200
    assert found.warnings[0].part == "000"
    assert found.warnings[-1].message == "empty: 0 bytes (50 more embedded documents are in quarantine)"
    assert sum(embedded.error is not None for embedded in found.embedded) == 250


def test_a_second_member_of_a_name_keeps_its_ending_and_so_its_media_type() -> None:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore", UserWarning)  # zipfile's, about the name
        for data in (b"k,v\n1,2\n", b"k,v\n3,4\n"):
            archive.writestr("a.b/table.csv", data)
    found = {embedded.path: embedded.document and embedded.document.media_type for embedded in read(file.getvalue()).embedded}
    assert found == {"a.b/table.csv": "text/csv", "a.b/table (2).csv": "text/csv"}
