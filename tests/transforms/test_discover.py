"""Every entry below an input is listed once, whatever it is."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from docbeam.schemas.errors import UsageError
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.discover import check_apart, check_inputs, list_blobs
from docbeam.transforms.places import local_bytes_of, local_uri


def uris(*inputs: str, manifest: str | None = None, without: str | None = None) -> list[str]:
    return [ref.uri for ref in list_blobs(inputs, manifest, {}, without=without)]


def test_folder_is_walked_whole_with_hidden_names(tmp_path: Path) -> None:
    for name in ("a.txt", ".hidden", "_under", "deep/er/b.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert sorted(uris(str(tmp_path))) == sorted(
        f"file://{tmp_path}/{n}" for n in (".hidden", "_under", "a.txt", "deep/er/b.txt")
    )


def test_overlapping_inputs_list_each_document_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    assert uris(str(tmp_path), str(tmp_path / "a.txt"), f"file://{tmp_path}/*.txt") == [f"file://{tmp_path}/a.txt"]


def test_output_inside_the_input_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "out/documents").mkdir(parents=True)
    (tmp_path / "out/documents/part.parquet").write_text("x")
    assert uris(str(tmp_path), without=str(tmp_path / "out")) == [f"file://{tmp_path}/a.txt"]


def test_special_files_are_listed_with_their_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    os.symlink("nowhere", tmp_path / "dangling")
    os.symlink("circle", tmp_path / "circle")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        found = {os.path.basename(ref.uri): ref.problem for ref in list_blobs([str(tmp_path)], None, {})}
    assert {name: problem and problem[0] for name, problem in found.items()} == dict.fromkeys(
        ("fifo", "dangling", "circle", "socket"), ErrorCategory.NOT_A_REGULAR_FILE
    )


def test_link_to_a_parent_folder_ends_and_is_accounted_for(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.txt").write_text("x")
    os.symlink(tmp_path, tmp_path / "sub/up")
    refs = {ref.uri: ref.problem for ref in list_blobs([str(tmp_path)], None, {})}
    assert set(refs) == {f"file://{tmp_path}/sub/a.txt", f"file://{tmp_path}/sub/up"}
    assert refs[f"file://{tmp_path}/sub/up"] is not None


def test_link_to_a_folder_elsewhere_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.txt").write_text("x")
    (tmp_path / "in").mkdir()
    os.symlink(tmp_path / "real", tmp_path / "in/link")
    assert uris(str(tmp_path / "in")) == [f"file://{tmp_path}/in/link/a.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't allow names that are no UTF-8")
def test_names_that_are_no_utf8_can_be_listed_and_opened_again(tmp_path: Path) -> None:
    odd = [b"\xff%41.txt", "日本語 \u202e\n.txt".encode(), b"100%.txt", b"#?!.txt"]
    for name in odd:
        with open(os.fsencode(tmp_path) + b"/" + name, "wb") as file:
            file.write(name)
    refs = list(list_blobs([str(tmp_path)], None, {}))
    assert len({ref.uri for ref in refs}) == len(odd)
    for ref in refs:
        ref.uri.encode("utf-8")
        path = ref.path or local_bytes_of(ref.uri)
        assert path is not None
        with open(path, "rb") as file:
            assert file.read() in odd
    assert local_bytes_of(local_uri(os.fsencode(tmp_path) + b"/" + odd[0])) == os.fsencode(tmp_path) + b"/" + odd[0]


def test_memory_urls_are_listed_with_size_and_version() -> None:
    fs = fsspec.filesystem("memory")
    fs.pipe_file("/listing/a.txt", b"abc")
    (ref,) = list_blobs(["memory://listing"], None, {})
    assert (ref.uri, ref.size_bytes) == ("memory:///listing/a.txt", 3)
    assert ref.source_version


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_manifest_lists_its_uris_with_their_digests(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.txt").write_text("x")
    rows = [{"uri": "a.txt", "sha256": "AB" * 32}, {"uri": f"file://{tmp_path}/missing.txt", "sha256": None}]
    manifest = tmp_path / f"m.{kind}"
    if kind == "csv":
        manifest.write_text("uri,sha256\n" + "\n".join(f"{row['uri']},{row['sha256'] or ''}" for row in rows))
    elif kind == "jsonl":
        manifest.write_text("\n".join(json.dumps(row) for row in rows))
    else:
        pq.write_table(pa.Table.from_pylist(rows), manifest)
    refs = list(list_blobs([], str(manifest), {}))
    assert [(ref.uri, ref.expected_sha256) for ref in refs] == [
        (f"file://{tmp_path}/a.txt", "ab" * 32),
        (f"file://{tmp_path}/missing.txt", None),
    ]


@pytest.mark.parametrize(
    ("text", "words"), [("path\nx\n", "no `uri`"), ("", ""), ("uri\n\n", "")], ids=["no column", "empty file", "blank line"]
)
def test_manifest_faults_are_named(tmp_path: Path, text: str, words: str) -> None:
    manifest = tmp_path / "m.csv"
    manifest.write_text(text)
    if words:
        with pytest.raises(UsageError, match=words):
            check_inputs([], str(manifest), {})
    else:
        check_inputs([], str(manifest), {})


@pytest.mark.parametrize("given", ["/no/such/place", "/no/such/*.pdf", "memory://no/such", "nosuchprotocol://x"])
def test_missing_inputs_are_usage_errors(given: str) -> None:
    with pytest.raises(UsageError, match="input"):
        check_inputs([given], None, {})


def test_a_folder_of_many_files_is_listed_in_bounded_memory(tmp_path: Path) -> None:
    import tracemalloc

    for number in range(20_000):  # a fifth of it: the walk holds one folder's entries, nothing more
        os.mknod(tmp_path / f"{number}.txt")
    tracemalloc.start()
    listed = sum(1 for _ in list_blobs([str(tmp_path)], None, {}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert listed == 20_000
    assert peak < 20_000 * 600


def test_names_never_share_a_uri(tmp_path: Path) -> None:
    names = [b"a\xff", b"a%FF", b"a%25FF", b"a%2525FF", b"%41", b"A", b"a\xff%FF", b"a%FF%FF", "é%C3".encode(), b"100%"]
    for name in names:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb"):
            pass
    refs = list(list_blobs([str(tmp_path)], None, {}))
    assert len({ref.uri for ref in refs}) == len(names)
    assert {os.path.basename(ref.path or local_bytes_of(ref.uri) or b"") for ref in refs} == set(names)


def test_a_file_whose_name_looks_like_a_chained_url_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "std::vector.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    check_inputs(["std::vector.txt"], None, {})
    assert uris("std::vector.txt") == [f"file://{tmp_path}/std::vector.txt"]


@pytest.mark.parametrize("given", ["", "out", "out/documents", "link", "link/documents", "memory://pile/out/x"])
def test_inputs_in_the_output_are_usage_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    (tmp_path / "out/documents").mkdir(parents=True)
    (tmp_path / "link").symlink_to("out")
    monkeypatch.chdir(tmp_path)
    output = "memory://pile/out" if "://" in given else "out"
    with pytest.raises(UsageError, match="lies in the output" if given else "is empty"):
        check_inputs([given] if "://" not in given else [], None, {})
        check_apart([given], output, {})
    check_apart([".", "outside", "memory://pile/outside"], output, {})


def test_output_reached_by_a_link_is_no_input_either(tmp_path: Path) -> None:
    (tmp_path / "pile/out/documents").mkdir(parents=True)
    (tmp_path / "pile/a.txt").write_text("x")
    (tmp_path / "pile/out/documents/part.parquet").write_text("x")
    (tmp_path / "link").symlink_to("pile")
    assert uris(str(tmp_path / "pile"), without=str(tmp_path / "link/out")) == [f"file://{tmp_path}/pile/a.txt"]
    assert uris(str(tmp_path / "link"), without=str(tmp_path / "pile/out")) == [f"file://{tmp_path}/link/a.txt"]


def test_manifest_entries_that_can_not_be_are_listed_all_the_same(tmp_path: Path) -> None:
    entries = ["nul\0.txt", "half\ud800.txt", "x" * 5_000, "nosuchprotocol://x", "a.txt"]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps({"uri": entry}) + "\n" for entry in entries))
    (tmp_path / "a.txt").write_text("x")
    refs = list(list_blobs([], str(tmp_path / "m.jsonl"), {}))
    assert [ref.uri.rsplit("/", 1)[1][:9] for ref in refs] == ["nul\0.txt", "half?.txt", "x" * 9, "x", "a.txt"]
    assert [ref.size_bytes for ref in refs] == [None, None, None, None, 1]


def test_manifest_with_blanks_in_its_header_keeps_its_digests(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(f"uri, sha256\na.txt, {'AB' * 32}\n")
    assert [ref.expected_sha256 for ref in list_blobs([], str(tmp_path / "m.csv"), {})] == ["ab" * 32]


@pytest.mark.parametrize(
    ("text", "words"),
    [('{"uri": "a"}\n{oops\n', "line 2: no JSON"), ("[" * 500_000, "line 1: no JSON"), ('["a"]\n', "entry 1: no `uri`")],
    ids=["cut", "deep", "no object"],
)
def test_manifest_lines_that_are_no_json_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "m.jsonl").write_text(text)
    with pytest.raises(UsageError, match=words):
        check_inputs([], str(tmp_path / "m.jsonl"), {})


def test_manifest_without_the_column_names_what_it_has(tmp_path: Path) -> None:
    pq.write_table(pa.table({"path": ["x"]}), tmp_path / "m.parquet")
    with pytest.raises(UsageError, match="no `uri` column; there are: path"):
        check_inputs([], str(tmp_path / "m.parquet"), {})


def test_storage_that_fails_in_its_own_way_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoCredentials(Exception):
        pass

    def exists(*_: object) -> bool:
        raise NoCredentials("no credentials\nand a hint")

    monkeypatch.setattr(fsspec.get_filesystem_class("memory"), "exists", exists)
    with pytest.raises(UsageError, match=r"input .memory://x.: no credentials$"):
        check_inputs(["memory://x"], None, {})


def test_a_manifest_gives_digests_and_sizes_under_names_as_people_write_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "m.csv").write_text(f"URI,SHA-256,MD5,Size\na.txt, {'AB' * 32} ,{'CD' * 16},1\na.txt,,,\n")
    (ref,) = list_blobs([], str(tmp_path / "m.csv"), {})
    assert (ref.expected_sha256, ref.expected_md5, ref.expected_bytes) == ("ab" * 32, "cd" * 16, 1)
    assert ref.has_expectation
    (tmp_path / "m.jsonl").write_text('{"uri": "a.txt", "size_bytes": "many"}\n')
    with pytest.raises(UsageError, match="entry 1: size 'many' is not a number of bytes"):
        check_inputs([], str(tmp_path / "m.jsonl"), {})


def test_what_is_in_the_manifest_and_in_an_input_is_checked(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / f"in/{name}.txt").write_text(name)
    (tmp_path / "m.csv").write_text(f"uri,md5\nin/b.txt,{'0' * 32}\n")
    found = {ref.uri[-5:]: ref.expected_md5 for ref in list_blobs([str(tmp_path / "in")], str(tmp_path / "m.csv"), {})}
    assert found == {"a.txt": None, "b.txt": "0" * 32}


def test_a_quote_that_does_not_close_swallows_no_lines_of_a_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "m.csv"
    manifest.write_text('uri,sha256\n"a.txt,1\nb.txt,2\n')
    with pytest.raises(UsageError, match="unexpected end of data"):
        check_inputs((), str(manifest), {})
