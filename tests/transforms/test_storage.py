"""Files appear whole or not at all, on local disks and elsewhere."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docbeam.transforms.storage import Folder


@pytest.fixture(params=["local", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    return Folder(str(tmp_path / "out") if request.param == "local" else f"memory://storage-{tmp_path.name}/out")


def test_written_files_are_read_listed_moved_and_removed(folder: Folder) -> None:
    folder.write("a/b.bin", b"xyz")
    folder.write_json("a/c.json", {"k": ["v"]})
    assert folder.read("a/b.bin") == b"xyz"
    assert folder.read_json("a/c.json") == {"k": ["v"]}
    assert folder.names() == ["a/b.bin", "a/c.json"]
    assert folder.names("nothing") == []
    folder.move("a/b.bin", "d/e.bin")
    folder.move("a/b.bin", "d/e.bin")  # done before: no error
    assert folder.names() == ["a/c.json", "d/e.bin"]
    with pytest.raises(FileNotFoundError):
        folder.move("a/nothing", "d/nothing")
    folder.remove("a")
    folder.remove("a")
    assert folder.names() == ["d/e.bin"]


def test_of_many_that_create_a_file_one_succeeds(folder: Folder) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda number: folder.create("x/lease", b"%d" % number), range(16)))
    assert sum(made) == 1
    assert folder.read("x/lease") == b"%d" % made.index(True)
    assert folder.names() == ["x/lease"]


def test_a_disk_without_links_can_create_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    folder = Folder(str(tmp_path))
    assert [folder.create("lease", b"1"), folder.create("lease", b"2")] == [True, False]
    assert folder.read("lease") == b"1" and folder.names() == ["lease"]


def test_a_folder_travels_to_workers(folder: Folder) -> None:
    folder.write("a", b"1")
    assert pickle.loads(pickle.dumps(folder)).read("a") == b"1"


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/inside").write_text("x")
    with pytest.raises(OSError, match="taken"):
        folder.write("taken", b"x")
    assert folder.names() == ["taken/inside"]
