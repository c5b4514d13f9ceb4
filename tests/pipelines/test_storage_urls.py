"""Inputs and outputs elsewhere: real S3, Google Cloud Storage and web servers, and memory."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fsspec
import gcp_storage_emulator.server as gcs
import gcsfs
import pyarrow.dataset as ds
import pytest
from gcp_storage_emulator.handlers import objects
from moto.server import ThreadedMotoServer

from docbeam.__main__ import main
from docbeam.transforms.storage import Folder
from tests.pipelines.harness import docbeam, rows


@pytest.fixture(scope="module")
def s3() -> Iterator[dict[str, object]]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options: dict[str, object] = {"endpoint_url": f"http://{host}:{port}", "key": "k", "secret": "s3cr3t-value"}
    fs = fsspec.filesystem("s3", **options)
    fs.mkdir("docs-in")
    fs.mkdir("docs-out")
    yield options
    server.stop()


def test_s3_in_and_out_and_again(s3: dict[str, object], samples: Path) -> None:
    fs = fsspec.filesystem("s3", **s3)
    for name in ("notes/MARKDOWN.md", "sheets/semicolon-delimited.csv", "contracts/PDFVarious.pdf", "broken/empty.txt"):
        fs.put_file(str(samples / name), f"docs-in/{name}")
    arguments = (
        "extract",
        "s3://docs-in",
        "--output",
        "s3://docs-out/data",
        "--storage-options",
        json.dumps(s3),
        "--progress",
        "lines",
    )
    done = docbeam(*arguments)
    assert done.returncode == 0, done.stderr
    fs.invalidate_cache()
    table = ds.dataset("docs-out/data/documents", filesystem=fs, format="parquet", partitioning="hive").to_table()
    assert sorted(uri.rsplit("/", 1)[1] for uri in table["uri"].to_pylist()) == [
        "MARKDOWN.md",
        "PDFVarious.pdf",
        "semicolon-delimited.csv",
    ]
    assert all(table["source_version"].to_pylist()), "the ETag is the version"
    (run_file,) = fs.ls("docs-out/data/runs")
    for text in (done.stderr, done.stdout, fs.cat_file(run_file).decode()):
        assert "s3cr3t-value" not in text
    assert not fs.find("docs-out/data/_docbeam")
    fs.pipe_file("docs-in/notes/new.txt", b"new\n")
    again = docbeam(*arguments)
    assert "listed     5 = 1 documents + 0 quarantined + 4 done before" in again.stdout, again.stderr


def test_of_many_that_create_a_file_on_s3_one_succeeds(s3: dict[str, object]) -> None:
    folders = [Folder("s3://docs-out/leases", s3) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda folder: folder.create("lease.json", b"{}"), folders))
    assert sum(made) == 1, "conditional writes are exact"  # of the servers that run here only this one has them


@pytest.fixture(scope="module")
def gs() -> Iterator[dict[str, object]]:
    """A server that speaks Cloud Storage's JSON interface; its lack of the newer call `moveTo` is made up for here."""
    names = r"b/(?P<bucket_name>[-.\w]+)/o/(?P<object_id>.*[^/]+)/moveTo/o/(?P<dest_object_id>.*[^/]+)$"

    def move(request: Any, response: Any, storage: Any, *rest: object) -> None:
        request.params["dest_bucket_name"] = request.params["bucket_name"]
        objects.copy(request, response, storage)
        storage.delete_file(request.params["bucket_name"], request.params["object_id"])

    before = gcs.HANDLERS
    gcs.HANDLERS = ((f"^/storage/v1/{names}", {gcs.POST: move}), *before)
    server = gcs.create_server("127.0.0.1", 0, in_memory=True, default_bucket="docs")
    server.start()
    fsspec.register_implementation("gs", gcsfs.core.GCSFileSystem, clobber=True)  # the newer class asks Google for the bucket
    yield {"endpoint_url": f"http://127.0.0.1:{server._api._httpd.server_port}", "token": "anon"}
    fsspec.register_implementation("gs", gcsfs.GCSFileSystem, clobber=True)
    server.stop()
    gcs.HANDLERS = before


def test_google_cloud_storage_in_and_out_and_again(
    gs: dict[str, object], samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")  # else it asks Google by gRPC for the bucket's kind
    fs = gcsfs.core.GCSFileSystem(**gs)
    for name in ("notes/MARKDOWN.md", "contracts/PDFVarious.pdf", "broken/empty.txt"):
        fs.pipe_file(f"docs/in/{name}", (samples / name).read_bytes())
    fs.pipe_file("docs/in/ä b#c%20?.txt", b"odd name\n")
    arguments = ("extract", "gs://docs/in", "-o", "gs://docs/out", "--storage-options", json.dumps(gs), "--progress", "none")
    done = docbeam(*arguments)
    assert done.returncode == 0, done.stderr
    assert "listed     4 = 3 documents + 1 quarantined + 0 done before" in done.stdout
    fs.invalidate_cache()
    table = ds.dataset("docs/out/documents", filesystem=fs, format="parquet", partitioning="hive").to_table()
    texts = {uri: content for uri, content in zip(table["uri"].to_pylist(), table["content"].to_pylist(), strict=True)}
    assert texts["gs://docs/in/ä b#c%20?.txt"] == "odd name\n"
    assert all(table["source_version"].to_pylist()), "the generation or ETag is the version"
    assert not fs.find("docs/out/_docbeam")
    fs.pipe_file("docs/in/new.txt", b"new\n")
    again = docbeam(*arguments)
    assert "listed     5 = 1 documents + 0 quarantined + 4 done before" in again.stdout, again.stderr


def test_missing_bucket_is_one_line(s3: dict[str, object], tmp_path: Path) -> None:
    done = docbeam("extract", "s3://nothing-here", "--output", tmp_path / "out", "--storage-options", json.dumps(s3))
    assert done.returncode == 2
    assert "input 's3://nothing-here'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def web(samples: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(samples)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_single_files_over_http(web: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    urls = [f"{web}/notes/MARKDOWN.md", f"{web}/contracts/PDFVarious.pdf", f"{web}/no/such.pdf"]
    done = docbeam("extract", *urls, "--output", out, "--progress", "none")
    assert done.returncode == 0, done.stderr
    assert sorted(row["uri"] for row in rows(out, "documents")) == sorted(urls[:2])
    assert [(row["uri"], row["error_category"]) for row in rows(out, "quarantine")] == [(urls[2], "transient_io")]


def test_memory_in_and_out(capsys: pytest.CaptureFixture[str]) -> None:
    fs = fsspec.filesystem("memory")
    fs.pipe_file("/memory-in/a.txt", b"from memory\n")
    fs.pipe_file("/memory-in/b.txt", b"x" * 600_000)
    assert main(["extract", "memory://memory-in", "--output", "memory://memory-out", "--progress", "none"]) == 0
    table = ds.dataset("/memory-out/documents", filesystem=fs, format="parquet").to_table()
    texts = dict(zip(table["uri"].to_pylist(), table["content"].to_pylist(), strict=True))
    assert texts["memory:///memory-in/a.txt"] == "from memory\n"
    assert len(texts["memory:///memory-in/b.txt"]) == 500_000
    assert "2 documents" in capsys.readouterr().out


def test_a_dataset_on_s3_is_verified(s3: dict[str, object], samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fs = fsspec.filesystem("s3", **s3)
    fs.put_file(str(samples / "notes/MARKDOWN.md"), "docs-in/verified/MARKDOWN.md")
    options = ("--storage-options", json.dumps(s3), "--progress", "none")
    assert main(["extract", "s3://docs-in/verified", "--output", "s3://docs-out/verified", *options]) == 0
    verify = ["verify", "s3://docs-out/verified", "--against", "s3://docs-in/verified", *options]
    assert main(verify) == 0
    fs.invalidate_cache()
    (part,) = fs.find("docs-out/verified/documents")
    (run,) = fs.find("docs-out/verified/runs")
    for path, kind in ((part, "changed"), (run, "unreadable"), ("docs-in/verified/MARKDOWN.md", "changed")):
        data = fs.cat_file(path)
        fs.pipe_file(path, b"\0" + data[1:])
        capsys.readouterr()
        assert main(verify) == 1
        assert capsys.readouterr().out.startswith(kind)
        fs.pipe_file(path, data)
    fs.rm(part)
    assert main(verify) == 1
    assert "missing    documents/" in capsys.readouterr().out
