"""Mail as it really comes: folded and encoded headers, odd line lengths, messages in messages."""

import base64
import email
import email.message
import email.policy
from email.headerregistry import AddressHeader
from typing import cast

import pytest

from linkage.errors import DamagedDocumentError, UnsupportedInputError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.tree.encoded_words import WordsPacking, encode_words, repack_words, unpack_words
from pseudonymizer.formats.tree.packing import Base64Packing, repack
from tests.pseudonymizer.formats.naming import LABEL, rewrite


def check(raw: bytes, names: list[str], *, gone: list[str]) -> email.message.EmailMessage:
    parsed, rendered = rewrite(raw, "x.eml", names)
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw
    text = "\n".join(part.text for part in formats.read(rendered.raw, name="x.eml").parts)
    for word in gone:
        assert word in "\n".join(part.text for part in parsed.parts)
        assert word not in text
        assert word.encode() not in rendered.raw
    return email.message_from_bytes(rendered.raw, policy=email.policy.default)


def test_a_header_folded_inside_a_name() -> None:
    raw = b"From: a@b.example\r\nSubject: Gesprek met Jan de\r\n Vries over de aanvraag\r\n\r\nhoi\r\n"
    message = check(raw, ["Jan de Vries"], gone=["Vries"])
    assert message["Subject"] == f"Gesprek met {LABEL} over de aanvraag"


def test_quoted_names_and_addresses_stay_a_list() -> None:
    raw = (
        b'From: "Vries, Jan de" <jan.de.vries@x.nl>\n'
        b'To: Els Wiersma <e@x.nl>, "Bas \\"B\\" Terpstra" <b@x.nl>\n\nx\n'
    )
    message = check(
        raw, ["Vries, Jan de", "Els Wiersma", 'Bas \\"B\\" Terpstra'], gone=["Vries", "Wiersma", "Terpstra"]
    )
    assert [a.display_name for a in cast("AddressHeader", message["To"]).addresses] == [LABEL, LABEL]
    assert cast("AddressHeader", message["From"]).addresses[0].display_name == LABEL


def test_a_label_with_signs_in_a_bare_phrase() -> None:
    raw = b"To: Els Wiersma <e@x.nl>, Ko Hoekema <k@x.nl>\n\nx\n"
    parsed = formats.read(raw, name="x.eml")
    start = parsed.parts[0].text.index("Els")
    rendered = parsed.render({"": {Span(start, start + 11): "<PERSOON-3>"}})
    message = email.message_from_bytes(rendered.raw, policy=email.policy.default)
    assert [a.display_name for a in cast("AddressHeader", message["To"]).addresses] == [
        "<PERSOON-3>",
        "Ko Hoekema",
    ]
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw


@pytest.mark.parametrize(
    "value",
    [
        b"=?utf-8?q?J=c3=bcrgen_Gro=c3=9f?=", b"=?UTF-8?B?SsO8cmdlbiBHcm/Dnw==?=",
        b"=?iso-8859-1?Q?J=FCrgen?= =?iso-8859-1?Q?_Gro=DF?=",
        b"=?utf-8?Q?J=C3?=\r\n =?utf-8?Q?=BCrgen_Gro=C3=9F?=",
        b"=?utf-8?Q?J=C3=BCrgen?= =?iso-8859-1?Q?_Gro=DF?=",
    ],
)  # fmt: skip
def test_encoded_words_of_all_sorts(value: bytes) -> None:
    assert unpack_words(value).decode() == "Jürgen Groß"
    assert repack_words(unpack_words(value), WordsPacking().layout(value)) == value
    raw = b"From: a@b.example\r\nSubject: Over " + value + b" en meer\r\n\r\nx\r\n"
    assert check(raw, ["Jürgen Groß"], gone=["Groß"])["Subject"] == f"Over {LABEL} en meer"


def test_long_labels_make_several_words_and_cut_no_letter() -> None:
    written = encode_words("Zoë" * 60)
    assert all(len(word) <= 75 for word in written.split(b" "))
    assert unpack_words(written).decode() == "Zoë" * 60


def test_raw_letters_in_a_header() -> None:
    for encoding in ("utf-8", "latin-1"):
        raw = "From: Zoë Köhler <z@x.nl>\nSubject: x\n\nhoi\n".encode(encoding)
        check(raw, ["Zoë Köhler"], gone=["Köhler"])


@pytest.mark.parametrize("width", [60, 76, 4, 1000])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_base64_lines_of_any_length_come_back(width: int, line_end: bytes) -> None:
    body = base64.b64encode("Beste Zoë Köhler, tot morgen. ".encode() * 9)
    lines = line_end.join(body[at : at + width] for at in range(0, len(body), width))
    head = (
        b"From: a@b.example\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    )
    message = check(head.replace(b"\n", line_end) + lines + line_end * 2, ["Zoë Köhler"], gone=[])
    assert "Köhler" not in str(message.get_content())


def test_base64_that_means_the_same_in_two_ways_is_refused() -> None:
    with pytest.raises(DamagedDocumentError):
        Base64Packing.unpack(b"QR==")  # the last bits mean nothing and would be lost
    raw = b"QUJD\r\nREVG\r\n"
    assert repack("base64", Base64Packing.unpack(raw), Base64Packing(raw).layout(raw)) == raw


def test_quoted_printable_lines_stay_short_enough() -> None:
    raw = (
        b"From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"In het gesprek van gisteren middag was aanwezig mevrouw Els Wiersma en nog i=\r\nemand.\r\n"
    )
    _, rendered = rewrite(raw, "x.eml", ["Els Wiersma"])
    assert all(len(line) <= 78 for line in rendered.raw.split(b"\r\n"))
    assert LABEL in str(email.message_from_bytes(rendered.raw, policy=email.policy.default).get_content())


def test_a_message_in_a_message_and_text_outside_all_parts() -> None:
    raw = (
        b'From: a@b.example\nContent-Type: multipart/mixed; boundary="x"\n\nvoor Els Wiersma\n--x\n'
        b"Content-Type: message/rfc822\n\nFrom: Bas Terpstra <b@x.nl>\n"
        b"Subject: Over Els Wiersma\n\nHoi Els Wiersma\n--x--\n"
        b"na Bas Terpstra\n"
    )
    check(raw, ["Els Wiersma", "Bas Terpstra"], gone=["Wiersma", "Terpstra"])


def test_file_names_in_parts_and_their_description() -> None:
    raw = (
        b'From: a@b.example\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain;\n'
        b' name="=?utf-8?Q?CV_Zo=C3=AB_K=C3=B6hler.txt?="\nContent-Disposition: attachment;\n'
        b" filename*0*=utf-8''CV%20Zo%C3%AB;\n filename*1*=%20K%C3%B6hler.txt\n"
        b"Content-Description: CV van Bas Terpstra\n\nx\n--x--\n"
    )
    message = check(raw, ["Zoë Köhler", "Bas Terpstra"], gone=["Köhler", "Terpstra"])
    (part,) = [p for p in message.walk() if not p.is_multipart()]
    assert part.get_filename() == f"CV {LABEL}.txt"


def test_a_mailbox_gives_a_document_for_each_message() -> None:
    one = (
        b"From x@y.example Fri May  3 10:00:00 2024\n"
        b"From: Els Wiersma <e@x.nl>\nSubject: a\n\n>From hier\nHoi Els Wiersma\n\n"
    )
    raw = one + one.replace(b"Els Wiersma", b"Bas Terpstra") + one
    parsed, rendered = rewrite(raw, "x.mbox", ["Els Wiersma", "Bas Terpstra"])
    assert [part.part_id for part in parsed.parts if part.role.value == "prose"] == ["0", "1", "2"]
    assert b"erpstra" not in rendered.raw
    assert formats.undo("mbox", rendered.raw, rendered.edits) == raw
    only = parsed.render({"1": {Span(6, 18): "X"}})
    assert only.raw[: len(one)] == one
    assert only.raw[-len(one) :] == one


@pytest.mark.parametrize("transfer", ["base64", "quoted-printable"])
def test_a_mail_saved_as_text_is_read_as_mail(transfer: str) -> None:
    message = email.message.EmailMessage()
    message["From"], message["Subject"] = "a@voorbeeld.example", "verslag"
    message.set_content("Gisteren belde Zoë Köhler terug, en dat was na lang wachten.", cte=transfer)
    parsed = formats.read(message.as_bytes(), name="mail.txt")
    assert parsed.format_name == "eml"
    assert "Zoë Köhler" in parsed.parts[0].text
    plain = b"From: a@voorbeeld.example\nSubject: verslag\n\nZo ging het.\n"
    assert formats.read(plain, name="mail.txt").format_name == "txt"


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_bodies_of_two_bytes_a_letter_that_nothing_packs(charset: str, kind: str) -> None:
    head = f"From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: text/{kind}; charset={charset}\r\n"
    raw = f"{head}Content-Transfer-Encoding: binary\r\n\r\n".encode() + "Toen belde Zoë Köhler.".encode(
        charset
    )
    _, rendered = rewrite(raw, "x.eml", ["Zoë Köhler"])
    assert "Köhler" not in rendered.raw.partition(b"\r\n\r\n")[2].decode(charset)
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw


def test_a_charset_that_is_not_that_of_the_body() -> None:
    raw = b"From: a@b.example\r\nContent-Type: text/plain; charset=utf-16\r\n\r\nToen belde Els Wiersma.\r\n"
    assert "Els Wiersma" in formats.read(raw, name="x.eml").parts[0].text


def test_such_a_body_in_quoted_printable_is_told() -> None:
    head = b"From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-16\r\n"
    raw = head + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=FF=FEJ=00a=00n=00\r\n"
    with pytest.raises(UnsupportedInputError, match="packed as quoted-printable"):
        formats.read(raw, name="x.eml")
    left = formats.read(raw, name="x.eml", options=FormatOptions(keep_unread=True)).unread
    assert [one.kind for one in left] == ["attachment"]
