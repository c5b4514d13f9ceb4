"""Web archives, built record by record."""

from __future__ import annotations

import gzip

from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import TruncationReason, WarningCode
from tests.extractors.archive.builders import members, problem, read


def record(kind: str, address: str, block: bytes) -> bytes:
    return (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\nContent-Length: {len(block)}\r\n\r\n".encode()
        + block
        + b"\r\n\r\n"
    )


def answer(body: bytes, *fields: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode() + body


PAGE = b"<p>A page about harbour cranes</p>"
CHUNKED = b"10\r\n" + PAGE[:16] + b"\r\n" + b"%x;x=y\r\n" % len(PAGE[16:]) + PAGE[16:] + b"\r\n0\r\n\r\n"
WHOLE = b"".join(
    (
        record("warcinfo", "", b"software: x\r\n"),
        record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n"),
        record("response", "http://a.example/", answer(PAGE, "Content-Type: text/html")),
        record("response", "http://a.example/gz?x=1", answer(gzip.compress(PAGE), "Content-Encoding: gzip")),
        record("response", "http://a.example/chunked", answer(CHUNKED, "Transfer-Encoding: chunked")),
        record("response", "http://a.example/../b", answer(PAGE, "Content-Encoding: br")),
        record("response", "http://a.example/gone", answer(b"gone", status="404 Not Found")),
        record("resource", "file:///home/me/notes.txt", b"notes"),
    )
)


def test_answers_are_members_under_their_addresses() -> None:
    found = read(WHOLE)
    assert members(found) == {
        "a.example/index.html": PAGE,
        "a.example/gz?x=1": PAGE,
        "a.example/chunked": PAGE,
        "a.example/b": "stream_decompression_fail",
        "home/me/notes.txt": b"notes",
    }
    assert [(notice.code, notice.message) for notice in found.warnings] == [
        (WarningCode.PART_NOT_READ, "1 answers that are no success were left out")
    ]
    assert found.metadata["warc.recordCount"] == "8"


def test_a_body_that_only_claims_to_be_chunked_is_kept() -> None:
    found = read(record("response", "http://a.example/x", answer(PAGE, "Transfer-Encoding: chunked")))
    assert members(found) == {"a.example/x": PAGE}


def test_a_cut_web_archive_gives_what_is_there_and_says_so() -> None:
    found = read(record("resource", "file:a.txt", b"some notes")[:-8])
    assert found.members[0].damage == "the web archive ends 6 bytes into it, 10 declared"
    assert members(found) == {"a.txt": b"some n"}
    found = read(WHOLE + b"rubbish\r\n")
    members(found)
    assert found.truncation is TruncationReason.DAMAGED


def test_the_caps_hold_and_rubbish_is_corrupt() -> None:
    assert problem(WHOLE, options=ExtractOptions(max_zip_entries=2)) == "too_many_entries"
    assert problem(b"WARC/1.0\r\nContent-Length: x\r\n\r\n") == "corrupt"
