"""Messages: fields and bodies decoded whatever the sender did to them, and every attachment a document of its own."""

from __future__ import annotations

import base64
import email.message
import email.policy
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from docbeam.extractors.mail.eml import EmlExtractor, date_of
from docbeam.extractors.protocol import Extractor
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import Confidence, ErrorCategory, TruncationReason
from tests.extractors.mail.reading import codes, read, rows

GOLDEN = Path(__file__).parents[2] / "golden" / "mail"
HEAD = "From: a@example.org\nTo: b@example.org\nSubject: s\n"


def body(text: str) -> str:
    """Return the content behind the fields."""
    return text.partition("\n\n")[2].rstrip("\n")


def multipart(kind: str, *parts: str, boundary: str = "zz", extra: str = "") -> str:
    lines = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'{HEAD}MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary="{boundary}"{extra}\n\n{lines}--{boundary}--\n'


@pytest.mark.parametrize("mail", sorted(GOLDEN.glob("*.eml")), ids=lambda path: path.stem)
def test_a_real_mail_reads_as_a_mail_program_shows_it(mail: Path) -> None:
    assert read(mail.read_bytes()).content == mail.with_suffix(".txt").read_text(encoding="utf-8")


def test_it_is_an_extractor_of_messages() -> None:
    assert isinstance(EmlExtractor(), Extractor)
    assert EmlExtractor().can_handle(MediaType.EML)
    assert not EmlExtractor().can_handle(MediaType.PLAIN)


def test_the_fields_a_reader_sees_stand_before_the_body_and_in_the_metadata() -> None:
    found = read(
        "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\nFrom: Keeper <k@example.org>\nTo: a@example.org,\n b@example.org\n"
        "Cc: c@example.org\nBcc: d@example.org\nDate: Thu, 14 Mar 2024 09:26:52 +0100\nMessage-ID: <1@x>\n\nHello\n"
    )
    assert found.content == (
        "From: Keeper <k@example.org>\nTo: a@example.org, b@example.org\nCc: c@example.org\nBcc: d@example.org\n"
        "Date: Thu, 14 Mar 2024 09:26:52 +0100\nSubject: Grüße\n\nHello\n"
    )
    assert (found.title, found.author) == ("Grüße", "Keeper <k@example.org>")
    assert found.created_at == datetime(2024, 3, 14, 9, 26, 52, tzinfo=timezone(timedelta(hours=1)))
    assert found.metadata["email.subject"] == "Grüße"
    assert found.metadata["email.to"] == "a@example.org, b@example.org"
    assert found.metadata["email.messageId"] == "<1@x>"
    assert found.metadata["email.attachmentCount"] == "0"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"=?utf-8?B?S8WrcA==?= =?utf-8?B?YQ==?=", "Kūpa"),
        (b"=?utf-8?B?xA==?= =?utf-8?B?lw==?=", "ė"),
        (b"=?utf-8?B?xJd4?=\n =?utf-8?B?eA==?= y", "ėxx y"),
        (b"=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        (b"=?utf-8?Q?a_b=C3=A4?=, =?utf-8?q?c?=", "a bä, c"),
        (b"=?utf-8?Q?a b?=", "a b"),
        (b"=?utf-8?Q?Was?=20denn??=", "Was? denn?"),
        (b"=?utf-8*de?Q?=C3=A4?=", "ä"),
        (b"=?x-unknown?Q?d=C3=A9j=C3=A0?=", "déjà"),
        (b'"=?utf-8?Q?=C3=A4?=" <x@example.org>', '"ä" <x@example.org>'),
        ("Zuständig für Öl".encode(), "Zuständig für Öl"),
        ("Счета за октябрь и ноябрь".encode("koi8-r"), "Счета за октябрь и ноябрь"),
        (b"=?utf-8?B?%%%?= x", "x"),
        (b"a =?= b", "a =?= b"),
        (b"=?us-ascii?Q?a?=\n =?us-ascii?Q?b=0A=00c?=", "ab c"),
    ],
)
def test_encoded_words_and_raw_letters_are_decoded(raw: bytes, expected: str) -> None:
    assert read(b"From: a@example.org\nSubject: " + raw + b"\n\nx").metadata["email.subject"] == expected


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("attachment; filename*0*=utf-8''%C5%A1ve; filename*1*=nt%C4%97.txt", "švente\u0307.txt".replace("e\u0307", "ė")),
        ("attachment; filename*=iso-8859-1'en'caf%E9.txt", "café.txt"),
        ('attachment; filename*0="long na"; filename*1="me.txt"', "long name.txt"),
        ('attachment; filename="=?utf-8?B?w6QudHh0?="', "ä.txt"),
        ("attachment; filename=two words.txt", "two words.txt"),
        ('attachment; filename="C:\\Users\\x\\plan.txt"', "Users/x/plan.txt"),
        ('attachment; filename="../../etc/passwd"', "etc/passwd"),
        ('attachment; filename="a\\"b.txt"', 'a"b.txt'),
        ("attachment; filename='it.txt", "'it.txt"),
        ("attachment", "part 1.txt"),
    ],
)
def test_attachments_have_the_name_that_a_person_sees(field: str, name: str) -> None:
    mail = multipart("mixed", f"Content-Type: text/plain\nContent-Disposition: {field}\n\ncontent")
    found = rows(mail.encode())
    assert [row.path for row in found[1:]] == [name]
    assert found[1].content.strip() == "content"


@pytest.mark.parametrize(
    ("fields", "raw", "expected"),
    [
        ("Content-Transfer-Encoding: base64", b"R3LDvMOfZQ==", "Grüße"),
        ("Content-Transfer-Encoding: BASE64 ", b"R3LDv\n MOfZQ\n", "Grüße"),
        ("Content-Transfer-Encoding: base64", b"R3LDvA==\nw59l\n-- \nfooter of a list\n", "Grüße"),
        (
            "Content-Transfer-Encoding: base64",
            b"this is no base64 at all\nbut plain text",
            "this is no base64 at all\nbut plain text",
        ),
        ("Content-Transfer-Encoding: quoted-printable", b"Gr=C3=BC=C3=\n=9Fe=20x =\nand more", "Grüße x and more"),
        ("Content-Transfer-Encoding: x-what", "Grüße".encode(), "Grüße"),
        ("Content-Type: text/plain; charset=iso-8859-1", b"Gr\xfc\xdfe", "Grüße"),
        ("Content-Type: text/plain; charset=utf-8", b"Gr\xfc\xdfe an alle G\xe4ste", "Grüße an alle Gäste"),
        ("Content-Type: text/plain; charset=iso-2022-jp", b"\x1b$BF|K\\\x1b(B", "日本"),
        ("Content-Type: text/plain; charset=\"'windows-1251'\"", "Привет всем".encode("cp1251"), "Привет всем"),
        ("Content-Type: text", b"plain", "plain"),
        ("Content-Type: text/plain", b"<!DOCTYPE html><html><p>no <b>plain</b> text</html>\n", "no plain text"),
        ("Content-Type: text/plain", b"<html> is how a page begins", "<html> is how a page begins"),
        (
            "X-Y: z",
            b"From: quoted@example.org\nSubject: of the forwarded\n\ntext",
            "From: quoted@example.org\nSubject: of the forwarded\n\ntext",
        ),
        ("Content-Type: text/plain; charset=utf-7", b"Gr+APwA3w-e", "Grüße"),
        ("Content-Type: text/plain; charset=hz-gb-2312", b"~{Dc:C~}", "你好"),
        (
            "Content-Type: text/plain;charset=utf-8;format=flowed",
            b"one \ntwo\n> q1 \n> q2\n-- \nsig",
            "one two\n> q1 q2\n--\nsig",
        ),
        ("Content-Type: text/plain; format=flowed; delsp=yes", b"wo \nrd", "word"),
        ("Content-Type: text/enriched", b"<bold>A</bold>\nb <<c>\n\nd", "A b <c>\nd"),
        ("Content-Type: text/html; charset=utf-8", "<p>Grüße<br>x".encode(), "Grüße\nx"),
    ],
)
def test_bodies_are_decoded(fields: str, raw: bytes, expected: str) -> None:
    found = read(HEAD.encode() + fields.encode() + b"\n\n" + raw)
    assert body(found.content) == expected


@pytest.mark.parametrize(
    "damage",
    [
        lambda mail: b"\xef\xbb\xbf" + mail,
        lambda mail: mail.replace(b"\n", b"\r\n"),
        lambda mail: mail.replace(b"\n", b"\r"),
        lambda mail: mail.replace(b"\n", b"\r\r\n"),
        lambda mail: mail.decode().encode("utf-16"),
        lambda mail: mail.decode().encode("utf-16-be"),
        lambda mail: b"\n\n" + mail,
        lambda mail: b"From a@example.org Thu Mar 14 09:26:52 2024\n" + mail,
        lambda mail: mail.replace(b"To:", b"a stray line without a colon\nTo:"),
        lambda mail: mail.replace(b"--zz--\n", b""),
        lambda mail: mail.replace(b'; boundary="zz"', b""),
        lambda mail: mail.replace(b'boundary="zz"', b'boundary="yy"'),
        lambda mail: mail.replace(b'boundary="zz"', b"\n  BOUNDARY = zz (why)"),
        lambda mail: mail.replace(b"--zz\n", b"--zz  \n"),
        lambda mail: b"Received: by x\n\n" + mail,
        lambda mail: mail.replace(b"To:", b" \t\nTo:"),
        lambda mail: mail.replace(b'Content-Type: multipart/mixed; boundary="zz"\n', b""),
        lambda mail: mail.replace(b"Subject: s", b"Subject: s\nFrom: second@example.org\nbad header: x"),
    ],
)
def test_a_damaged_message_keeps_its_parts(damage: object) -> None:
    assert callable(damage)
    mail = multipart("mixed", "Content-Type: text/plain\n\nfirst text", "Content-Type: text/csv; name=t.csv\n\na,b,c\n1,2,3")
    found = rows(damage(mail.encode()))
    assert found[0].media_type == MediaType.EML
    assert found[0].content.startswith("From: a@example.org\n")
    assert "Subject: s" in found[0].content
    assert body(found[0].content) == "first text"
    assert [row.path for row in found[1:]] == ["t.csv"]


@pytest.mark.parametrize(
    ("plain", "rich", "expected"),
    [
        ("The lamp is lit.", "<p>The <b>lamp</b> is lit.", "The lamp is lit."),
        ("  \n\xa0\n", "<p>Only here", "Only here"),
        ("Your mail program does not display HTML.", "<p>" + "The keeper wrote a long letter. " * 9, ("The keeper wrote a long letter. " * 9).strip()),
        ("Short start", "<p>Short start and then all the rest of it", "Short start and then all the rest of it"),
        ("One thing entirely", "<p>quite another matter", "One thing entirely\n\nquite another matter"),
        ("灯塔的灯昨晚熄灭了\n我们今天去修理它", "<p>灯塔的灯昨晚熄灭了我们今天去修理它", "灯塔的灯昨晚熄灭了\n我们今天去修理它"),
        ("- oil\n- wick and other things", "<ol><li>oil<li>wick and other things</ol>", "- oil\n- wick and other things"),
        ("It costs 100 crowns, as we said last week.", "<p>It costs 900 crowns, as we said last week.",
         "It costs 100 crowns, as we said last week.\n\nIt costs 900 crowns, as we said last week."),
    ],
)  # fmt: skip
def test_of_two_alternatives_nothing_is_lost_and_nothing_said_twice(plain: str, rich: str, expected: str) -> None:
    mail = multipart("alternative", f"Content-Type: text/plain; charset=utf-8\n\n{plain}", f"Content-Type: text/html\n\n{rich}")
    assert body(read(mail).content) == expected


def test_two_bodies_in_a_mixed_multipart_that_say_the_same_are_shown_once() -> None:
    mail = multipart("mixed", "Content-Type: text/plain\n\nThe lamp", "Content-Type: text/html\n\n<p>The <b>lamp</b>")
    assert body(read(mail).content) == "The lamp"
    assert body(read(mail.replace("<b>lamp</b>", "bell rings")).content) == "The lamp\n\nThe bell rings"


def test_pictures_of_an_html_body_and_files_in_any_alternative_are_members() -> None:
    related = multipart(
        "related",
        "Content-Type: text/html\n\n<p>See <img src=cid:1>",
        "Content-Type: image/png\nContent-ID: <1>\n\nx",
        boundary="rr",
    )
    inner = related.partition("MIME-Version: 1.0\n")[2]
    mail = multipart("alternative", "Content-Type: text/plain\n\nSee", inner)
    found = rows(mail.encode())
    assert body(found[0].content) == "See"
    assert [row.path for row in found[1:]] == ["part 2.2.png"]
    assert found[0].extracted is not None
    assert found[0].extracted.metadata["email.attachmentNames"] == "part 2.2.png"


def test_attached_messages_are_documents_of_their_own_also_in_base64() -> None:
    inner = f"{HEAD.replace('Subject: s', 'Subject: Storm: lamp/oil')}\ninner text\n"
    encoded = base64.b64encode(inner.encode()).decode()
    mail = multipart(
        "mixed",
        "Content-Type: text/plain\n\nsee",
        f"Content-Type: message/rfc822\n\n{inner}",
        f"Content-Type: message/rfc822; name=fwd\nContent-Transfer-Encoding: base64\n\n{encoded}",
    )
    found = rows(mail.encode())
    assert [row.path for row in found] == ["mail.eml", "Storm_ lamp_oil.eml", "fwd.eml"]
    assert all("inner text" in row.content for row in found[1:])
    assert "inner text" not in found[0].content


def test_a_digest_holds_messages() -> None:
    found = rows(multipart("digest", "\nSubject: one\n\nfirst", "\nSubject: two\n\nsecond").encode())
    assert [row.path for row in found[1:]] == ["one.eml", "two.eml"]
    assert "second" in found[2].content


def test_a_delivery_report_is_read_with_its_status() -> None:
    mail = multipart(
        "report",
        "Content-Type: text/plain\n\nIt did not arrive.",
        "Content-Type: message/delivery-status\n\nStatus: 5.1.1\n\nFinal-Recipient: rfc822;b@example.org",
        "Content-Type: text/rfc822-headers\n\nSubject: lost",
        extra="; report-type=delivery-status",
    )
    assert body(read(mail).content) == (
        "It did not arrive.\n\nStatus: 5.1.1\n\nFinal-Recipient: rfc822;b@example.org\n\nSubject: lost"
    )


def test_an_invitation_is_read() -> None:
    event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tide\nDTSTART:20240314T090000Z\nEND:VEVENT\nEND:VCALENDAR"
    mail = multipart(
        "alternative", "Content-Type: text/plain\n\nCome", f"Content-Type: text/calendar; method=REQUEST\n\n{event}"
    )
    assert body(read(mail).content) == "Come\n\nEvent\nSummary: Tide\nStart: 2024-03-14 09:00 UTC"


def test_a_signature_is_noted_and_no_document() -> None:
    mail = multipart(
        "signed", "Content-Type: text/plain\n\nsigned text", "Content-Type: application/pgp-signature; name=s.asc\n\n-----BEGIN"
    )
    found = rows(mail.encode())
    assert len(found) == 1
    assert found[0].extracted is not None
    assert found[0].extracted.metadata["email.signature"] == "application/pgp-signature"


def test_clear_signed_text_loses_its_armour_only() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n- -- dashed\nwords\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n"
        "-----END PGP SIGNATURE-----\n"
    )
    assert body(read(f"{HEAD}\n{text}").content) == "-- dashed\nwords"


PGP = "-----BEGIN PGP MESSAGE-----\n\nhIwDY32h\n-----END PGP MESSAGE-----"


@pytest.mark.parametrize(
    "mail",
    [
        multipart("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1", f"Content-Type: application/octet-stream\n\n{PGP}"),
        f"{HEAD}\n{PGP}\n",
        f"{HEAD}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\n"
        + base64.b64encode(bytes.fromhex("3080 0609 2a864886f70d010703 a080 3080".replace(" ", ""))).decode(),
    ],
)  # fmt: skip
def test_a_message_of_which_nothing_is_readable_is_encrypted(mail: str) -> None:
    assert [row.category for row in rows(mail.encode())] == [ErrorCategory.ENCRYPTED_NO_KEY]


def test_an_encrypted_part_beside_text_is_named() -> None:
    found = read(f"{HEAD}\nPlease decrypt:\n{PGP}\n")
    assert body(found.content) == "Please decrypt:"
    assert codes(found) == ["content.partNotRead"]
    attached = rows(multipart("mixed", "Content-Type: text/plain\n\nsee", f"Content-Type: x/y; name=a.asc\n\n{PGP}").encode())
    assert [row.category for row in attached] == [None, ErrorCategory.ENCRYPTED_NO_KEY]


def test_the_content_of_signed_data_is_read() -> None:
    content = b"Content-Type: text/plain\n\nopaque but readable"
    octets = b"\x04" + bytes((len(content),)) + content
    inner = bytes.fromhex("06092a864886f70d010701") + b"\xa0" + bytes((len(octets),)) + octets
    signed = b"\x02\x01\x01\x31\x00\x30" + bytes((len(inner),)) + inner
    wrapped = b"\x30" + bytes((len(signed),)) + signed
    info = bytes.fromhex("06092a864886f70d010702") + b"\xa0" + bytes((len(wrapped),)) + wrapped
    data = base64.b64encode(b"\x30\x81" + bytes((len(info),)) + info).decode()
    mail = f"{HEAD}Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n{data}"
    assert body(read(mail).content) == "opaque but readable"


def test_uuencoded_files_in_a_text_are_members() -> None:
    found = rows(f"{HEAD}\nBefore\nbegin 644 note.txt\n+3&5T(&ET(&)E+@\n`\nend\nAfter\n".encode())
    assert body(found[0].content) == "Before\nAfter"
    assert [(row.path, row.content.strip()) for row in found[1:]] == [("note.txt", "Let it be.")]


def test_what_mail_programs_do_not_show_is_named() -> None:
    mail = (
        multipart("mixed", "Content-Type: text/plain\n\nx").replace("\n\n--zz", "\n\nWords before.\n--zz", 1)
        + "Words behind.\n"
    )
    found = read(mail)
    assert body(found.content) == "x"
    assert [notice.message.split(" ")[0] for notice in found.warnings] == ["13", "13"]


def test_a_part_that_is_elsewhere_is_named() -> None:
    partial = read(f'{HEAD}Content-Type: message/partial; id="1"; number=2; total=3\n\nmiddle piece\n')
    assert "middle piece" in partial.content
    assert codes(partial) == ["content.partNotRead"]
    external = read(f'{HEAD}Content-Type: message/external-body; access-type=url; url="http://x/"\n\nContent-Type: a/b\n\n')
    assert "container.entryMissing" in codes(external)


def test_a_guessed_charset_is_said_and_lowers_the_confidence() -> None:
    found = read(HEAD.encode() + b"\n" + "Уважаемые коллеги, совещание переносится".encode("cp1251"))
    assert "Уважаемые коллеги" in found.content
    assert found.confidence is Confidence.HEURISTIC
    assert codes(found) == ["content.charsetGuessed"]


def test_a_message_without_text_says_so() -> None:
    assert codes(read(f"{HEAD}\n")) == ["content.noText"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thu, 14 Mar 2024 09:26:52 -0500 (EST)", datetime(2024, 3, 14, 14, 26, 52, tzinfo=UTC)),
        ("14 Mar 24 09:26 GMT", datetime(2024, 3, 14, 9, 26, tzinfo=UTC)),
        ("2024-03-14T09:26:52.5Z", datetime(2024, 3, 14, 9, 26, 52, tzinfo=UTC)),
        ("Thu Mar 14 09:26:52 2024", datetime(2024, 3, 14, 9, 26, 52, tzinfo=UTC)),
        ("2024-99-14T09:26:52Z", None),
        ("yesterday", None),
        ("Thu, 14 Mar 99999 09:26:52 +9999", None),
    ],
)
def test_dates_are_read_in_many_forms(text: str, expected: datetime | None) -> None:
    assert date_of(text) == expected


def test_more_parts_than_the_cap_are_left_out_and_said() -> None:
    found = read(multipart("mixed", *["Content-Type: text/plain\n\nx"] * 20), options=ExtractOptions(max_zip_entries=5))
    assert found.truncation is TruncationReason.CONTAINER_LIMIT
    assert "container.entryLimit" in codes(found)


def test_multiparts_in_multiparts_without_end_are_bounded() -> None:
    mail = HEAD
    for depth in range(200):
        mail += f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"
    assert "content.partDamaged" in codes(read(mail + "Content-Type: text/plain\n\ndeep"))


def test_it_agrees_with_the_standard_library_on_a_regular_message() -> None:
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["Subject"], mail["From"] = "Öl für die Lampe " * 8, "Jürgen Müller <j@example.org>"
    mail.set_content("Größe: 5 — ok\n" * 3)
    mail.add_alternative("<p>" + "Größe: 5 — ok<br>" * 3, subtype="html")
    mail.add_attachment("Zeile ä\n", filename="Übersicht über alles und noch viel mehr für lange Namen.txt")
    found = rows(mail.as_bytes())
    assert found[0].extracted is not None
    assert found[0].extracted.title == str(mail["Subject"]).strip()
    assert body(found[0].content) == "\n".join(["Größe: 5 — ok"] * 3)
    assert (found[1].path, found[1].content) == ("Übersicht über alles und noch viel mehr für lange Namen.txt", "Zeile ä\n")


def test_the_shared_mails_hold_what_is_expected_of_them(shared: Path) -> None:
    lines = (shared / "corpus" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    samples = [sample for sample in map(json.loads, lines) if sample["path"].startswith(("eml/", "mbox/", "msg/"))]
    assert len(samples) > 15
    for sample in samples:
        path = shared / "corpus" / sample["path"]
        text = "".join("".join(row.content.split()) for row in rows(path.read_bytes(), path.name))
        for expected in sample["expect"]["contains"]:
            assert "".join(expected.split()) in text, sample["path"]


def test_a_message_with_parts_in_binary_is_a_message() -> None:
    mail = multipart(
        "mixed",
        "Content-Type: text/plain\n\nsee",
        "Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: binary\n\n@",
    )
    found = rows(mail.encode().replace(b"#BYTES#", bytes(range(256)) * 8))
    assert [row.path for row in found] == ["mail.eml", "a.png"]
    assert body(found[0].content) == "see"


def test_a_full_text_is_no_end_of_the_attachments() -> None:
    mail = multipart("mixed", "Content-Type: text/plain\n\nlong text", "Content-Type: text/csv; name=t.csv\n\na,b")
    found = rows(mail.encode(), options=ExtractOptions(max_extracted_chars=10))
    assert found[0].content == "From: a@ex"
    assert [row.path for row in found[1:]] == ["t.csv"]
