"""A run with passwords: what they open, and that none of them is left in a row, a file, a pipeline or a line of output."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import apache_beam as beam
import pikepdf
import pytest
from apache_beam.internal.cloudpickle import cloudpickle
from apache_beam.testing.test_pipeline import TestPipeline as BeamPipeline
from apache_beam.testing.util import assert_that

from docbeam.__main__ import main
from docbeam.runners.direct import pipeline_options
from docbeam.schemas.errors import UsageError
from docbeam.transforms import ExtractDocuments
from docbeam.transforms.password_file import PasswordFile
from tests.extractors.pdfs import Pdf, line
from tests.pipelines.harness import docbeam, extract, rows, run_files

SAMPLES = Path(__file__).parent.parent.parent / "samples"
SCAN, LETTER, NEVER = "Xq7-scan-sésame", 'Xq7, "letter" 42', "Xq7-never-fits"
TEXT = "A letter that is readable once it is open, with more than enough text of its own."


def letter(password: str) -> bytes:
    pdf = Pdf()
    pdf.page(line(TEXT))
    return pdf.bytes(encryption=pikepdf.Encryption(user=password, owner=password))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("passwords") / "in"
    folder.mkdir()
    with pikepdf.open(next(SAMPLES.rglob("OCR.pdf"))) as pdf:
        pdf.save(folder / "scan.pdf", encryption=pikepdf.Encryption(user=SCAN, owner=SCAN))
    (folder / "letter.pdf").write_bytes(letter(LETTER))
    (folder / "locked.pdf").write_bytes(letter("known to nobody"))
    with zipfile.ZipFile(folder / "box.zip", "w") as box:
        box.writestr("in/letter.pdf", (folder / "letter.pdf").read_bytes())
        box.writestr("out/letter 2.pdf", (folder / "letter.pdf").read_bytes())
        box.writestr("in/scan.pdf", (folder / "scan.pdf").read_bytes())
    quoted = LETTER.replace('"', '""')
    keys = f'uri,password\nscan.pdf,{SCAN}\n/*/letter.pdf,"{quoted}"\nlocked.pdf,{NEVER}\nlocked.pdf,{NEVER}-2\n'
    (folder / "keys.csv").write_text(keys, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def out(source: Path) -> Path:
    out = source.parent / "out"
    done = extract(source, out, "--passwords-file", str(source / "keys.csv"))
    assert done.returncode == 0, done.stderr
    (source.parent / "printed").write_text(done.stdout + done.stderr)
    return out


def test_each_document_is_opened_by_the_passwords_of_its_own_uri(source: Path, out: Path) -> None:
    found = {row["uri"].removeprefix(f"file://{source}/"): row for row in rows(out, "documents")}
    for name in ("letter.pdf", "box.zip!/in/letter.pdf"):
        assert TEXT in found[name]["content"]
        assert dict(found[name]["metadata"])["encryption.openedBy"] == "given password"
    locked = {row["uri"].removeprefix(f"file://{source}/"): row for row in rows(out, "quarantine")}
    assert {name: row["error_category"] for name, row in locked.items() if "scan" not in name} == {
        "locked.pdf": "encrypted_no_key",
        "box.zip!/out/letter 2.pdf": "encrypted_no_key",
        "keys.csv": "unsupported_media_type",
    }
    assert "none of 2 given passwords fits" in locked["locked.pdf"]["error_message"]
    assert "no password was given" in locked["box.zip!/out/letter 2.pdf"]["error_message"]


@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed here")
def test_pages_of_a_locked_scan_are_recognised(source: Path, out: Path) -> None:
    found = {row["uri"].removeprefix(f"file://{source}/"): row for row in rows(out, "documents")}
    for name in ("scan.pdf", "box.zip!/in/scan.pdf"):
        assert "Happy New Year 2003!" in found[name]["content"] and found[name]["branch"] == "ocr"


def test_no_password_is_left_anywhere(source: Path, out: Path) -> None:
    everything = repr(rows(out, "documents")) + repr(rows(out, "quarantine")) + repr(run_files(out))
    everything += (source.parent / "printed").read_text()
    raw = b"".join(path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file())
    assert raw.count(b"PAR1") >= 4
    for secret in (SCAN, LETTER, NEVER, "Xq7"):
        assert secret not in everything and secret.encode() not in raw


def test_the_pipeline_carries_the_url_of_the_file_and_no_password(source: Path) -> None:
    transform = ExtractDocuments(passwords=str(source / "keys.csv"))
    assert transform._job.passwords.load().count == 4
    pickled = cloudpickle.dumps(transform)
    assert b"keys.csv" in pickled and b"Xq7" not in pickled
    assert "Xq7" not in repr(transform._job) + repr(vars(transform._job.passwords))
    loaded: PasswordFile = cloudpickle.loads(pickled)._job.passwords
    assert loaded.load().for_uri("file:///x/scan.pdf") == (SCAN,)


def test_the_transform_reads_with_passwords(source: Path) -> None:
    def check(found: list[object]) -> None:
        assert [TEXT in document.extracted.content for document in found] == [True]  # type: ignore[attr-defined]

    with BeamPipeline(options=pipeline_options()) as pipeline:
        inputs = pipeline | beam.Create([f"file://{source}/letter.pdf"])
        assert_that((inputs | ExtractDocuments(passwords=str(source / "keys.csv"))).documents, check)


def test_a_copy_is_opened_by_the_password_of_any_of_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    data = letter(LETTER)
    for name in ("a.pdf", "b.pdf"):
        (folder / name).write_bytes(data)
    (tmp_path / "keys.csv").write_text('b.pdf,"Xq7, ""letter"" 42"\n')
    done = extract(folder, tmp_path / "out", "--dedupe", "--passwords-file", str(tmp_path / "keys.csv"))
    assert done.returncode == 0, done.stderr
    assert [TEXT in row["content"] for row in rows(tmp_path / "out", "documents")] == [True, True]


def test_a_replay_with_passwords_wins_what_was_locked(source: Path, tmp_path: Path) -> None:
    given = [source / "letter.pdf", source / "locked.pdf"]
    assert extract(given, tmp_path / "out").returncode == 0
    assert len(rows(tmp_path / "out", "quarantine")) == 2
    (tmp_path / "keys.txt").write_text(f"{NEVER}\n{LETTER}\n", encoding="utf-8")
    flags = ("--where", "category=encrypted_no_key", "--passwords-file", str(tmp_path / "keys.txt"), "--progress", "none")
    done = docbeam("replay", tmp_path / "out", *flags)
    assert done.returncode == 0 and "Xq7" not in done.stdout + done.stderr, done.stderr
    (won,) = rows(tmp_path / "out", "documents")
    (left,) = rows(tmp_path / "out", "quarantine")
    assert TEXT in won["content"] and "none of 2 given passwords fits" in left["error_message"]


@pytest.mark.parametrize("command", ["extract", "text", "inspect"])
def test_a_file_of_passwords_that_can_not_be_used_is_wrong_usage(
    command: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "keys.csv").write_text("a.pdf,Xq7,Xq7\n")
    flags = ["--output", str(tmp_path / "out"), "--progress", "none"] if command == "extract" else []
    for name, words in (("missing.csv", "No such file"), ("keys.csv", "line 1 has 3 fields")):
        monkeypatch.setenv("DOCBEAM_PASSWORDS_FILE", str(tmp_path / name))
        assert main([command, str(source / "letter.pdf"), *flags]) == 2
        printed = capfd.readouterr()
        assert words in printed.err and "Xq7" not in printed.out + printed.err and "Traceback" not in printed.err
    with pytest.raises(UsageError, match="missing"):
        ExtractDocuments(passwords=str(tmp_path / "missing.csv"))


def test_one_document_is_printed_with_its_password(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keys = ("--passwords-file", str(source / "keys.csv"))
    assert main(["text", *keys, str(source / "letter.pdf")]) == 0
    assert TEXT in capfd.readouterr().out
    assert main(["text", *keys, str(source / "locked.pdf")]) == 1
    refused = capfd.readouterr()
    assert "none of 2 given passwords fits" in refused.err and "Xq7" not in refused.err
    assert main(["inspect", *keys, str(source / "letter.pdf")]) == 0
    inspected = capfd.readouterr()
    assert '"encryption.openedBy": "given password"' in inspected.out and "Xq7" not in inspected.out + inspected.err


def test_a_pipe_in_the_place_of_the_file_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "keys")
    arguments = ["extract", str(SAMPLES / "broken"), "--output", str(tmp_path / "out"), "--progress", "none"]
    assert main([*arguments, "--passwords-file", str(tmp_path / "keys")]) == 2
    assert "it is no regular file, and a run reads it more than once" in capsys.readouterr().err
