"""A written file read again: names and values are found in whatever encoding and part they stand."""

import base64
import io
import json
import quopri
import zipfile
from collections.abc import Mapping
from urllib.parse import quote

import pytest

from linkage.errors import DocumentTooLargeError
from pseudonymizer.leaks import read_again
from tests.pseudonymizer.formats import made_winmail, samples

NAME, VALUE = "Zoë Tolsma", "NL91 ABNA 0417 1643 00"
SAID = f"van {NAME}, {VALUE} en meer"


IN_RTF = b"{\\rtf1 \\b van\\b0  " * 3 + b"van Zo\\u235? Tolsma, NL91 ABNA 0417 1643 00 en meer}"


def zipped(members: Mapping[str, bytes], comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.comment = comment
    return out.getvalue()


def mail(body: bytes, encoding: str, charset: str = "utf-8") -> bytes:
    head = f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset={charset}\r\n"
    return head.encode() + f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + body


def utf_8(text: str) -> bytes:
    return text.encode()


SPELLED = {
    "text": utf_8(SAID),
    "Latin-1": SAID.encode("latin-1"),
    "UTF-16": b"\xff\xfe" + SAID.encode("utf-16-le"),
    "UTF-16 in bytes": b"\0\1\2" + SAID.encode("utf-16-le") + b"\0\0",
    "references": utf_8("<p>" + "".join(f"&#{ord(c)};" for c in SAID) + "</p>"),
    "letters marked": utf_8("<p>" + "".join(f"<b>{c}</b>" for c in SAID) + "</p>"),
    "attribute": utf_8(f'<a title="{SAID}"/>'),
    "attribute in references": utf_8(f"<a title='{SAID.replace(' ', '&#32;')}'/>"),
    "comment": utf_8(f"<a><!-- {SAID} --></a>"),
    "instruction": utf_8(f"<?note {SAID}?><a/>"),
    "CDATA": utf_8(f"<a><![CDATA[{SAID}]]></a>"),
    "JSON": json.dumps({"a": SAID}).encode(),
    "JSON key": json.dumps({SAID: 1}).encode(),
    "all in escapes": utf_8('{"a": "' + "".join(f"\\u{ord(c):04x}" for c in SAID) + '"}'),
    "percent": utf_8(f"x?q={quote(SAID)}"),
    "base64 in JSON": json.dumps({"data": base64.b64encode(utf_8(SAID)).decode()}).encode(),
    "base64 in a page": b'<img src="data:a/b;base64,' + base64.b64encode(utf_8(SAID)) + b'">',
    "packed body of winmail.dat": made_winmail.winmail(
        made_winmail.attribute(
            1,
            0x69003,
            made_winmail.properties(
                made_winmail.value(0x1009, made_winmail.BYTES, made_winmail.packed_rtf(IN_RTF)),
            ),
        ),
    ),
    "mail in base64": mail(base64.encodebytes(utf_8(SAID)), "base64"),
    "mail in quoted-printable": mail(quopri.encodestring(utf_8(SAID)), "quoted-printable"),
    "mail in Latin-1": mail(base64.encodebytes(SAID.encode("latin-1")), "base64", "iso-8859-1"),
    "header": b"X-Note: =?utf-8?B?" + base64.b64encode(utf_8(SAID)) + b"?=\r\n" + mail(b"x", "7bit"),
    "member": zipped({"a/b.xml": utf_8(f"<a>{SAID}</a>")}),
    "name of a member": zipped({f"a/{SAID}.xml": b"<a/>"}),
    "comment of an archive": zipped({"a.xml": b"<a/>"}, utf_8(SAID)),
    "archive in an archive": zipped({"a.bin": zipped({"b.txt": utf_8(SAID)})}),
    "attached archive": mail(base64.encodebytes(zipped({"b.txt": utf_8(SAID)})), "base64"),
    "RTF": rb"{\rtf1\ansi\ansicpg1252 van Zo\'eb {\b Tolsma}, NL91 ABNA 0417 1643 00 en meer}",
    "RTF in Unicode": rb"{\rtf1\ansi van Zo\u235?\~{\b }Tolsma, NL91 ABNA 0417 1643 00}".replace(
        rb"\~", b" "
    ),
}


@pytest.mark.parametrize("how", SPELLED)
def test_a_name_and_a_value_are_found_in_every_spelling(how: str) -> None:
    found = read_again(SPELLED[how], [VALUE, "NL02"], most_bytes=1_000_000)
    assert [run for run, _ in found.runs if "Zoë Tolsma" in run.replace("_", " ")]
    assert [number for number, _ in found.values] == [0]


@pytest.mark.parametrize("suffix", samples.EVERY_FORMAT)
def test_everything_in_a_file_of_each_format_is_read(suffix: str) -> None:
    names = ["Jan Tolsma", "Els Wiersma"]
    sentences = [f"vandaag belde {name} over het weer." for name in names]
    raw = samples.EVERY_FORMAT[suffix](names, sentences)
    found = read_again(raw, ["over het weer", "NL02"], most_bytes=10_000_000)
    assert not [name for name in names if not any(name in run for run, _ in found.runs)]
    assert [number for number, _ in found.values] == [0]


@pytest.mark.parametrize(
    "text", ["XNL91 ABNA 0417 1643 00", "NL91 ABNA 0417 1643 001", "NL91 ABNA 0417 1643"]
)
def test_a_value_inside_a_longer_one_is_another(text: str) -> None:
    assert read_again(text.encode(), [VALUE], most_bytes=1_000).values == ()


def test_a_value_without_its_blanks_is_the_same() -> None:
    assert read_again(b"x NL91ABNA0417164300.", [VALUE], most_bytes=1_000).values == ((0, "its text"),)


def test_cells_beside_each_other_are_no_name() -> None:
    raw = b"<table><tr><td>Jan</td><td>Tolsma</td></tr></table>"
    assert read_again(raw, [], most_bytes=1_000).runs == ()


def test_what_is_told_as_unread_is_not_looked_into() -> None:
    raw = zipped({"word/document.xml": b"<a/>", "word/embeddings/o.bin": utf_8(SAID)})
    assert read_again(raw, [VALUE], most_bytes=1_000_000).values
    left = read_again(raw, [VALUE], {"embedded object"}, most_bytes=1_000_000)
    assert (left.values, [run for run, _ in left.runs if "Tolsma" in run]) == ((), [])


def test_no_more_is_unpacked_than_may_be() -> None:
    raw = zipped({"a.txt": b"x y " * 1_250, "b.txt": utf_8(SAID)})
    assert read_again(raw, [VALUE], most_bytes=len(raw) + 6_000).values
    with pytest.raises(DocumentTooLargeError):
        read_again(raw, [VALUE], most_bytes=len(raw) + 4_000)


def test_places_are_words_of_ours() -> None:
    raw = zipped({f"customXml/{NAME}.xml": utf_8(f"<a>{SAID}</a>"), "word/document.xml": utf_8(SAID)})
    found = read_again(raw, [VALUE], most_bytes=1_000_000)
    assert {place for _, place in found.runs} <= {"a name of a member", "member 1", "document.xml"}
