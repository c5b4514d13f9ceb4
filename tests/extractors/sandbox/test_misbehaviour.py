"""What an extractor can do, and what becomes of its document, of the next one and of the processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docbeam.extractors.engine import Reading
from docbeam.extractors.sandbox import SandboxPool
from docbeam.schemas.vocabulary import ErrorCategory, TruncationReason, WarningCode
from tests.extractors.sandbox.conftest import children_of, die_soon, document, media_type, open_descriptors

FAULTS = [
    ("raises", ErrorCategory.CORRUPT, "byte 7 is wrong", None),
    ("errs", ErrorCategory.INTERNAL, "ArithmeticError", "misbehaving.py"),
    ("eats", ErrorCategory.MEMORY_LIMIT, "limit 536870912 bytes", "MemoryError"),
    ("overallocates", ErrorCategory.MEMORY_LIMIT, "MemoryError", "MemoryError"),
    ("segfaults", ErrorCategory.CRASHED, "SIGSEGV", "misbehaving.py"),
    ("aborts", ErrorCategory.CRASHED, "SIGABRT", "SIGABRT"),
    ("aborts_for_memory", ErrorCategory.MEMORY_LIMIT, "SIGABRT", "bad_alloc"),
    ("is_killed", None, "SIGKILL", "SIGKILL"),
    ("exits", ErrorCategory.CRASHED, "sys.exit(3)", "SystemExit"),
    ("exits_at_once", ErrorCategory.CRASHED, "exit code 3", "exit code 3"),
    ("interrupts", ErrorCategory.CRASHED, "KeyboardInterrupt", "misbehaving.py"),
    ("panics", ErrorCategory.CRASHED, "Panic: called … on a … value", "panicked at"),
    ("prints_and_dies", ErrorCategory.CRASHED, "exit code 9", "last line"),
    ("closes", ErrorCategory.CRASHED, "lives on", "SIGKILL"),
    ("closes_and_returns", ErrorCategory.CRASHED, "exit code 1", "Bad file descriptor"),
    ("returns_wrong", ErrorCategory.INTERNAL, "returned dict", None),
    ("returns_wrong_pages", ErrorCategory.INTERNAL, "from 0 to 99 in a text of 2", None),
    ("speaks_out_of_turn", ErrorCategory.CRASHED, "makes no sense", "killed"),
    ("forgets_flags", ErrorCategory.CRASHED, "makes no sense: is_fatal: missing", "killed"),
    ("promises_much", ErrorCategory.CRASHED, "1125899906842624 bytes", "killed"),
]


@pytest.mark.parametrize(("verb", "category", "message", "evidence"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_has_its_category_and_the_next_document_is_read(
    read: Callable[..., Reading], verb: str, category: ErrorCategory | None, message: str, evidence: str | None
) -> None:
    failed = read(verb)
    assert failed.extracted is None
    # who sent a SIGKILL is not known for sure: if the kernel ran out of memory meanwhile, that is taken for the cause
    assert failed.error.category in ([category] if category else [ErrorCategory.CRASHED, ErrorCategory.MEMORY_LIMIT])
    assert message in failed.error.message
    assert (failed.evidence is None) if evidence is None else (evidence in failed.evidence)
    assert len(failed.evidence or "") <= 2_000
    assert read("echoes", "after").extracted.content == "after"


@pytest.mark.parametrize("verb", ["segfaults", "closes", "exits"])
def test_a_crash_still_tells_media_type_and_extractor(read: Callable[..., Reading], verb: str) -> None:
    failed = read(verb)
    assert (failed.media_type, failed.extractor) == (media_type(verb), "misbehaving")


@pytest.mark.parametrize("verb", ["hangs", "hangs_in_c", "prints_for_ever", "bombs"])
def test_what_does_not_end_is_killed_at_the_hard_deadline(hasty_pool: SandboxPool, verb: str) -> None:
    with hasty_pool.worker() as worker:
        failed = worker.read(document("x"), media_type(verb))
        assert failed.error.category is ErrorCategory.TIMEOUT
        assert failed.error.message == "no answer within 1.2 s: extraction_timeout_seconds is 0.2, the grace 1"
        assert failed.evidence.startswith("killed at the hard deadline (SIGKILL)")
        if verb != "prints_for_ever":  # its own output drowns it
            assert f"in {verb}" in failed.evidence, "the child says where it hangs, also if it hangs in C"
        assert worker.read(document("after"), media_type("echoes")).extracted.content == "after"


@pytest.mark.parametrize("verb", ["spawns", "spawns_and_dies"])
def test_grandchildren_die_with_the_child(hasty_pool: SandboxPool, verb: str, tmp_path: Path) -> None:
    with hasty_pool.worker() as worker:
        failed = worker.read(document(f"{tmp_path}/pids"), media_type(verb))
    assert failed.error.category in (ErrorCategory.TIMEOUT, ErrorCategory.CRASHED)
    assert die_soon([int(pid) for pid in (tmp_path / "pids").read_text().split()])


def test_megabytes_of_output_block_nobody(read: Callable[..., Reading]) -> None:
    reading = read("prints")
    assert (reading.extracted.content, reading.evidence) == ("printed", None)


def test_a_forged_answer_stays_with_its_document(read: Callable[..., Reading]) -> None:
    assert read("echoes", "before").extracted.content == "before"
    assert (read("forges").error.message, read("echoes", "after").extracted.content) == ("forged", "after")


def test_dirty_strings_are_cleaned_and_pages_keep_their_text(read: Callable[..., Reading]) -> None:
    found = read("returns_dirt").extracted
    assert found.content == "ab\ufffdc\U0001f600d"
    assert [found.content[page.start : page.end] for page in found.pages] == ["ab", "\ufffdc\U0001f600d"]
    assert (found.title, dict(found.metadata)) == ("t", {"k": "v\ufffd"})
    assert [(notice.code, notice.part, notice.message) for notice in found.warnings] == [
        (WarningCode.PART_NOT_READ, "part", "x\ufffd"),
        (WarningCode.UNDECODABLE, "document", "1 lone surrogates were replaced"),
    ]
    assert found.created_at.isoformat() == "2020-01-02T00:00:00+00:00"


def test_text_past_the_cap_is_cut_also_for_extractors_without_textbuilder(read: Callable[..., Reading]) -> None:
    found = read("returns_too_much").extracted
    assert (len(found.content), found.pages[0].end) == (500_000, 500_000)
    assert found.truncation is TruncationReason.MAX_EXTRACTED_CHARS


def test_neighbours_in_one_message_are_untouched(hasty_pool: SandboxPool) -> None:
    verbs = [
        "echoes 0",
        "segfaults ",
        "echoes 2",
        "exits ",
        "exits_at_once 7",
        "echoes 5",
        "hangs ",
        "overallocates ",
        "echoes 8",
    ]
    with hasty_pool.worker() as worker:
        readings = list(worker.read_many([document(f"do:{verb}") for verb in verbs], media_type("echoes")))
    assert [reading.extracted.content if reading.extracted else str(reading.error.category) for reading in readings] == [
        "0", "crashed", "2", "crashed", "crashed", "5", "timeout", "memory_limit", "8",
    ]  # fmt: skip


def test_a_document_that_a_spoiled_child_could_not_read_is_read_in_a_fresh_one(read: Callable[..., Reading]) -> None:
    read("exits_at_once")
    words = [read("remembers", text).extracted.content.split() for text in ("first", "second", "poisoned", "last")]
    assert [(word, seen) for word, seen, _ in words] == [("first", "1"), ("second", "2"), ("poisoned", "1"), ("last", "2")]
    assert words[0][2] == words[1][2] != words[2][2] == words[3][2]


def test_crashes_leave_no_descriptors_no_processes_and_no_files(
    pool: SandboxPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    counts = []
    with pool.worker() as worker:
        for _ in range(6):
            assert worker.read(document("x"), media_type("exits_at_once")).error.category is ErrorCategory.CRASHED
            assert worker.read(document("x"), media_type("echoes")).extracted.content == "x"
            counts.append((open_descriptors(), len(children_of(os.getpid())), len(list(tmp_path.glob("*/*")))))
    assert len(set(counts)) == 1
    pool.close()
    assert list(tmp_path.iterdir()) == []


def test_a_child_that_is_killed_from_outside_costs_no_document(pool: SandboxPool, tmp_path: Path) -> None:
    with pool.worker() as worker:
        reading = worker.read(document(f"{tmp_path}/tries"), media_type("is_killed_twice"))
    assert reading.error is None
    assert (tmp_path / "tries").read_text() == "xxx"


def test_a_large_parent_makes_no_crash_a_want_of_memory(pool: SandboxPool) -> None:
    """A process starts with the peak of the one that started it: here more than the child's whole cap."""
    ballast = b"x" * (600 << 20)
    with pool.worker() as worker:
        failed = worker.read(document("x"), media_type("segfaults"))
    assert ballast and failed.error.category is ErrorCategory.CRASHED
