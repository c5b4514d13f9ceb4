"""Passwords on their way to a child: with the documents they belong to, and only with those."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.sandbox.wire import password_table, source_form, source_from
from docbeam.extractors.sandbox.worker import grouped
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions

GOLDEN = Path(__file__).parents[2] / "golden" / "encrypted"


def test_equal_lists_travel_once_in_a_message() -> None:
    lists: list[tuple[str, ...]] = [("a", "b"), (), ("a", "b"), ("c",)]
    sources = [Source(data=b"x", passwords=passwords) for passwords in lists]
    table, keys = password_table(sources)
    assert table == [("a", "b"), (), ("c",)] and keys == [0, 1, 0, 2]
    assert "b" not in repr(source_form(sources[0])[0]) and "passwords" not in repr(sources[0])
    assert source_from(*source_form(sources[0]), table[keys[0]]).passwords == ("a", "b")


def test_each_document_of_a_message_has_its_own_passwords() -> None:
    data = (GOLDEN / "rc4_40.doc").read_bytes()
    lists: list[tuple[str, ...]] = [("tika",), (), ("no", "tika"), ("nö",)]
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        found = list(worker.read_many([Source(data=data, name="a.doc", passwords=passwords) for passwords in lists]))
    assert [reading.extracted is not None for reading in found] == [True, False, True, False]
    assert [reading.error.message.rpartition(": ")[2] for reading in found if reading.error is not None] == [
        "no password was given for it",
        "the given password does not fit",
    ]


def test_large_lists_go_in_messages_of_their_own() -> None:
    lists = [tuple(f"{number} {'x' * 1_000}" for number in range(start, start + 400)) for start in range(5)]
    groups = list(grouped([Source(data=b"x", passwords=passwords) for passwords in [*lists, *[lists[-1]] * 10]]))
    assert [len(group) for group in groups] == [2, 2, 11]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc here")
def test_a_child_has_no_password_in_its_arguments_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCBEAM_PASSWORDS_FILE", "/secret/place")
    data = (GOLDEN / "rc4_40.doc").read_bytes()
    with SandboxPool(ExtractOptions(), size=1) as pool, pool.worker() as worker:
        assert worker.read(Source(data=data, name="a.doc", passwords=("Xq7", "tika"))).extracted is not None
        child = worker.conversation._child
        assert child is not None
        shown = b"".join(Path(f"/proc/{child.pid}/{name}").read_bytes() for name in ("cmdline", "environ"))
    assert b"Xq7" not in shown and b"tika" not in shown and b"/secret/place" not in shown
