"""The file of passwords: its two forms, which passwords a document gets, and that none of them is ever shown."""

from __future__ import annotations

import pickle

import pytest

from docbeam.schemas.errors import UsageError
from docbeam.schemas.passwords import MAX_FILE_BYTES, Passwords, Rule, parse_passwords

ANYWHERE = "file:///data/a.pdf"


def test_a_line_is_a_password_as_it_stands() -> None:
    text = 'plain\r\n  with spaces  \na,b\n"quoted"\n\n# no comment\npässwörd €\n*.pdf,secret\n'
    found = parse_passwords(text.encode(), "keys.txt").for_uri(ANYWHERE)
    assert found == ("plain", "  with spaces  ", "a,b", '"quoted"', "# no comment", "pässwörd €", "*.pdf,secret")


@pytest.mark.parametrize("name", ["keys.csv", "gs://bucket/KEYS.CSV", "https://host/keys.csv?sig=a.b"])
def test_the_ending_csv_makes_a_file_csv(name: str) -> None:
    assert parse_passwords(b'*.pdf,one\n*.doc,two\n"","a,""b"""\n', name).for_uri(ANYWHERE) == ("one", 'a,"b"')


def test_the_header_makes_a_file_csv_and_is_no_password() -> None:
    for header in ("uri,password", "URI,Password", '"uri","password"', "\ufeffuri,password"):
        for name in ("keys", "keys.csv"):
            assert parse_passwords(f"{header}\r\n*,one\r\n".encode(), name).for_uri(ANYWHERE) == ("one",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_utf_8_and_with_a_mark_in_utf_16(encoding: str) -> None:
    assert parse_passwords("пароль\n".encode(encoding), "k.txt").for_uri(ANYWHERE) == ("пароль",)


def test_passwords_of_matching_patterns_come_before_those_for_all() -> None:
    text = "*,for all\n*.pdf,pdf\n,also for all\na.pdf,exact\n*.doc,doc\n*,for all\n"
    assert parse_passwords(text.encode(), "k.csv").for_uri(ANYWHERE) == ("pdf", "exact", "for all", "also for all")


@pytest.mark.parametrize(
    ("pattern", "uri", "is_match"),
    [
        ("a.pdf", "file:///data/a.pdf", True),
        ("a.pdf", "file:///data/ba.pdf", False),
        ("data/a.pdf", "file:///data/a.pdf", True),
        ("/data/a.pdf", "file:///data/a.pdf", True),
        ("/a.pdf", "file:///data/a.pdf", False),
        ("file:///data/*.pdf", "file:///data/deep/a.pdf", True),
        ("gs://bucket/*", "gs://bucket/x/a.pdf", True),
        ("gs://bucket/*", "gs://bucket2/a.pdf", False),
        ("2024/*.pdf", "s3://b/2024/a.pdf", True),
        ("*.PDF", "file:///data/a.pdf", False),
        ("a[1].pdf", "file:///data/a1.pdf", True),
        ("a[[]1].pdf", "file:///data/a[1].pdf", True),
        ("a b.pdf", "https://host/a%20b.pdf", True),
        ("/data/a b.pdf", "file:///data/a%20b.pdf", True),
        ("a.zip", "file:///data/a.zip!/b.doc", False),
        ("a.zip!/*", "file:///data/a.zip!/x/b.doc", True),
        ("b.doc", "file:///data/a.zip!/b.doc", True),
        ("?.pdf", "file:///data/a.pdf", True),
    ],
)
def test_a_pattern_is_matched_against_the_whole_uri(pattern: str, uri: str, is_match: bool) -> None:
    assert Passwords([Rule(pattern, "x")]).for_uri(uri) == (("x",) if is_match else ())


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "k.txt", "no password in it"),
        (b"uri,password\n", "k.csv", "no password in it"),
        (b"a.pdf,sesame\nsesame\n", "k.csv", "line 2 has 1 fields"),
        (b"a.pdf,sesame,sesame\n", "k.csv", "line 1 has 3 fields"),
        (b'a.pdf,"sesame\n', "k.csv", "quotes"),
        (b"ok\nsesame\xff\n", "k.txt", "line 2 is not UTF-8"),
        (b"sesame\0\n", "k.txt", "NUL"),
        (b"sesame" * 200, "k.txt", "1200 characters, limit 1024"),
        (b"s" * (MAX_FILE_BYTES + 1), "k.txt", "limit"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_and_not_quoted(data: bytes, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        parse_passwords(data, name)
    chain: BaseException | None = caught.value
    while chain is not None:
        assert "sesame" not in str(chain)
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)


def test_passwords_show_in_no_repr_and_no_pickle() -> None:
    passwords = Passwords([Rule("*.pdf", "sesame"), Rule("", "sesame2")])
    assert repr(passwords) == "<2 passwords>" and "sesame" not in repr(Rule("a", "sesame"))
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(passwords)


def test_a_list_is_for_all_documents_and_a_single_text_is_refused() -> None:
    assert Passwords.of(["a", "b", "a"]).for_uri("x") == ("a", "b")
    assert not Passwords.of(()) and not Passwords.of(None)
    for given in ("sesame", b"sesame", [1]):
        with pytest.raises(UsageError) as caught:
            Passwords.of(given)  # type: ignore[arg-type]
        assert "sesame" not in str(caught.value)
