# ruff: noqa: E501  tables of snippets, one a line
"""Places of names in mail: eml, mbox, msg, winmail.dat."""

import base64
import quopri
import struct
from collections.abc import Callable, Mapping
from email.header import Header
from typing import Final
from urllib.parse import quote

from pseudonymizer.formats.mail.compound import Entry, write_compound
from pseudonymizer.formats.tree.packed_rtf import uncompressed_rtf
from tests.pseudonymizer.formats import made_winmail, samples
from tests.security.planting import office

Plant = Callable[[str], bytes]


def _mail(
    *,
    head: str = "",
    body: str | bytes | None = None,
    kind: str = "text/plain; charset=utf-8",
    coding: str = "8bit",
) -> Plant:
    """A mail with further lines of its head, or another body. NAME and the like are filled in."""

    def plant(name: str) -> bytes:
        content = (
            f"Toen belde {name} op.\r\n".encode()
            if body is None
            else body
            if isinstance(body, bytes)
            else _filled(body, name).encode()
        )
        lines = [
            "From: a@b.example", "To: c@d.example", "Subject: x", "MIME-Version: 1.0",
            *([_filled(head, name)] if head else []), f"Content-Type: {kind}", f"Content-Transfer-Encoding: {coding}", "", "",
        ]  # fmt: skip
        return "\r\n".join(lines).encode() + content

    return plant


def _filled(text: str, name: str) -> str:
    given, _, family = name.partition(" ")
    marks = {
        "NAME": name, "GIVEN": given, "FAMILY": family, "PERCENT": quote(name), "DOTTED": name.replace(" ", ".").lower(),
        "BWORD": Header(f"Zo\u00eb {name}", "utf-8").encode(),
        "QWORD": "=?utf-8?q?" + "".join(f"={ord(c):02X}" if c in " V" else c for c in name) + "?=",
        "BASE64": base64.encodebytes(f"Toen belde {name} op.".encode()).decode(),
    }  # fmt: skip
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text


def _coded(encoding: str, coding: str) -> Plant:
    def plant(name: str) -> bytes:
        raw = f"Toen belde {name} op.".encode(encoding)
        body = base64.encodebytes(raw) if coding == "base64" else quopri.encodestring(raw)
        return _mail(body=body, kind=f"text/plain; charset={encoding}", coding=coding)(name)

    return plant


def _parts(*parts: str | Callable[[str], str]) -> Plant:
    def plant(name: str) -> bytes:
        first = "Content-Type: text/plain\r\n\r\nToen belde NAME op.\r\n"
        texts = [first, *(part if isinstance(part, str) else part(name) for part in parts)]
        body = "".join(f"--grens\r\n{text}\r\n" for text in texts) + "--grens--\r\n"
        return _mail(body=body, kind='multipart/mixed; boundary="grens"', coding="7bit")(name)

    return plant


def _attached(raw: bytes, kind: str, file: str) -> str:
    return (
        f'Content-Type: {kind}; name="{file}"\r\nContent-Disposition: attachment; filename="{file}"\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{base64.encodebytes(raw).decode()}"
    )


def _head(lines: str) -> Plant:
    return _mail(head=lines)


EML: Final[Mapping[str, Plant]] = {
    **{
        field: _head(f"{field}: {value}")
        for field, value in {
            "Cc": "NAME <x@y.example>", "Bcc": '"FAMILY, GIVEN" <x@y.example>', "Reply-To": "DOTTED@y.example", "Sender": "x@y.example (NAME)", "Message-ID": "<DOTTED.1@y.example>", "References": "<DOTTED.1@y.example>", "In-Reply-To": "<GIVEN.FAMILY@y.example>", "Received": "from pc-GIVEN-FAMILY (NAME) by x.example; Mon, 1 Jan 2024 00:00:00 +0000", "X-Klant": "NAME", "Thread-Topic": "over NAME", "Organization": "NAME", "List-Id": "NAME <x.example>", "Disposition-Notification-To": "NAME <x@y.example>", "DKIM-Signature": "v=1; i=DOTTED@y.example; b=xx", "Autocrypt": "addr=DOTTED@y.example; keydata=BASE64", "Resent-From": "NAME <x@y.example>", "Keywords": "NAME", "Comments": "NAME", "Return-Path": "<DOTTED@y.example>", "X-Originating-User": "GIVEN_FAMILY", "Content-Description": "NAME", "Archived-At": "<http://x.example/PERCENT>",
        }.items()
    },
    "encoded word B": _head("X-Over: BWORD"), "encoded word Q": _head("X-Over: QWORD"), "encoded name": _head("Cc: QWORD <x@y.example>"), "folded field": _head("X-Over: over GIVEN\r\n FAMILY en meer"),
    "quoted-printable": _coded("utf-8", "quoted-printable"), "base64": _coded("utf-8", "base64"), "UTF-16 in base64": _coded("utf-16", "base64"), "UTF-32 in base64": _coded("utf-32", "base64"),
    "page": _parts("Content-Type: text/html\r\n\r\n<p title='NAME'>GIVEN <b>FAMILY</b></p>"),
    "preamble": _mail(body="NAME\r\n--g\r\nContent-Type: text/plain\r\n\r\nToen belde NAME op.\r\n--g--\r\n", kind='multipart/mixed; boundary="g"', coding="7bit"),
    "epilogue": _mail(body="--g\r\nContent-Type: text/plain\r\n\r\nToen belde NAME op.\r\n--g--\r\nNAME\r\n", kind='multipart/mixed; boundary="g"', coding="7bit"),
    "boundary": _mail(body="--GIVEN_FAMILY\r\nContent-Type: text/plain\r\n\r\nToen belde NAME op.\r\n--GIVEN_FAMILY--\r\n".replace("GIVEN_FAMILY", "Quirinus_Vlasbloem"), kind='multipart/mixed; boundary="Quirinus_Vlasbloem"', coding="7bit"),
    "attached text": _parts(lambda name: _attached(f"Toen kwam {name}".encode(), "text/plain", "a.txt")),
    "file name": _parts('Content-Type: text/plain\r\nContent-Disposition: attachment; filename="NAME.txt"\r\n\r\nx'),
    "file name by RFC 2231": _parts("Content-Type: text/plain\r\nContent-Disposition: attachment; filename*=utf-8''PERCENT.txt\r\n\r\nx"),
    "file name in pieces": _parts('Content-Type: text/plain\r\nContent-Disposition: attachment;\r\n filename*0="GIVEN Vlas"; filename*1="bloem.txt"\r\n\r\nx'),
    "encoded file name": _parts('Content-Type: text/plain; name="QWORD"\r\nContent-Disposition: attachment; filename="BWORD"\r\n\r\nx'),
    "id of a part": _parts("Content-Type: text/plain\r\nContent-ID: <GIVEN.FAMILY@x>\r\n\r\nx"),
    "attached document": _parts(lambda name: _attached(office.DOCX["runs"](name), "application/octet-stream", "a.docx")),
    "attached page": _parts(lambda name: _attached(samples.pdf([name], [f"Toen belde {name}"]), "application/pdf", "a.pdf")),
    "attached archive": _parts(lambda name: _attached(office.DOCX["runs"](name), "application/zip", "a.zip")),
    "attached bytes": _parts(lambda name: _attached(b"\0\1\2" + name.encode(), "application/octet-stream", "a.bin")),
    "attached winmail": _parts(lambda name: _attached(made_winmail.tnef([name], [f"Toen belde {name}"]), "application/ms-tnef", "winmail.dat")),
    "signature": _parts(lambda name: _attached(b"0\x82" + name.encode(), "application/pkcs7-signature", "smime.p7s")),
    "calendar": _parts("Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nATTENDEE;CN=NAME:mailto:DOTTED@x.example\r\nSUMMARY:gesprek GIVEN\r\n  FAMILY\r\nEND:VEVENT\r\nEND:VCALENDAR"),
    "business card": _parts("Content-Type: text/vcard\r\n\r\nBEGIN:VCARD\r\nN:FAMILY;GIVEN;;;\r\nFN:NAME\r\nEND:VCARD"),
    "mail inside": _parts("Content-Type: message/rfc822\r\n\r\nFrom: NAME <x@y.example>\r\nSubject: over NAME\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nBASE64"),
    "delivery report": _parts("Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; DOTTED@x.example\r\nDiagnostic-Code: smtp; 550 NAME unknown"),
    "text of another kind": _parts("Content-Type: text/x-unknown\r\n\r\nToen kwam NAME"),
    "enriched text": _parts("Content-Type: text/enriched\r\n\r\n<bold>GIVEN</bold> FAMILY"),
    "data address": _parts(lambda name: f"Content-Type: text/html\r\n\r\n<img src='data:text/plain;base64,{base64.b64encode(name.encode() + b' belde op vrijdag').decode()}'>"),
}  # fmt: skip


def _stream(tag: str, raw: bytes) -> Entry:
    return Entry(f"__substg1.0_{tag}", raw)


def _msg(*more: Callable[[str], Entry]) -> Plant:
    def plant(name: str) -> bytes:
        body = f"Toen belde {name} op.".encode("utf-16-le")
        rows = struct.pack("<HHIII", 0x001F, 0x1000, 6, len(body) + 2, 0)
        children = [
            Entry("__properties_version1.0", bytes(32) + rows),
            _stream("1000001F", body),
            *(one(name) for one in more),
        ]
        children.sort(key=lambda child: (len(child.name), child.name.upper()))
        return write_compound(Entry("Root Entry", None, children))

    return plant


def _property(tag: str, *, coding: str = "utf-16-le", text: str = "NAME") -> Plant:
    return _msg(lambda name: _stream(tag, text.replace("NAME", name).encode(coding)))


def _attachment(raw: Callable[[str], bytes], file: str) -> Plant:
    def entry(name: str) -> Entry:
        return Entry("__attach_version1.0_#00000000", None, [
            Entry("__properties_version1.0", bytes(8)), _stream("3707001F", file.replace("NAME", name).encode("utf-16-le")),
            _stream("3703001F", ("." + file.rpartition(".")[2]).encode("utf-16-le")), _stream("37010102", raw(name)),
        ])  # fmt: skip

    return _msg(entry)


MSG: Final[Mapping[str, Plant]] = {
    "subject": _property("0037001F"), "subject in bytes": _property("0037001E", coding="latin-1"), "sender": _property("0C1A001F"), "shown recipients": _property("0E04001F"), "topic": _property("0070001F"), "transport head": _property("007D001F", text="From: NAME <x@y.example>\r\n"), "page": _property("10130102", coding="utf-8", text="<html><p>NAME</p></html>"), "address of the sender": _property("0C1F001F", text="/o=x/cn=Quirinus Vlasbloem"), "search key": _property("300B0102", coding="latin-1"), "named property": _property("8005001F"), "unknown property": _property("67FA001F"), "bytes": _property("67FB0102", coding="latin-1"),
    "recipient": _msg(lambda name: Entry("__recip_version1.0_#00000000", None, [Entry("__properties_version1.0", bytes(8)), _stream("3001001F", name.encode("utf-16-le")), _stream("39FE001F", b"q\0@\0y\0")])),
    "names of properties": _msg(lambda name: Entry("__nameid_version1.0", None, [_stream("00040102", name.encode("utf-16-le"))])),
    "attached text": _attachment(lambda name: f"Toen kwam {name}".encode(), "a.txt"),
    "name of an attachment": _attachment(lambda _: b"x", "NAME.txt"),
    "attached document": _attachment(lambda name: office.DOCX["runs"](name), "a.docx"),
    "attached bytes": _attachment(lambda name: b"\0\1" + name.encode(), "a.bin"),
}  # fmt: skip


def _winmail(*more: Callable[[str], bytes]) -> Plant:
    """The name in the body, and in what is added."""

    def plant(name: str) -> bytes:
        body = made_winmail.attribute(1, 0x2800C, f"Toen belde {name} op.".encode("cp1252"))
        return made_winmail.winmail(body, *(one(name) for one in more))

    return plant


def _winmail_property(tag: int, kind: int, *, coding: str = "utf-16-le", text: str = "NAME") -> Plant:
    return _winmail(lambda name: made_winmail.attribute(1, 0x69003, made_winmail.properties(
        made_winmail.value(tag, kind, text.replace("NAME", name).encode(coding) + (b"\0\0" if kind == made_winmail.WIDE else b"")),
    )))  # fmt: skip


def _winmail_rtf(name: str) -> bytes:
    given, _, family = name.partition(" ")
    body = uncompressed_rtf(f"{{\\rtf1 {given} \\b {family[:3]}\\b0 {family[3:]}}}".encode("ascii"))
    return made_winmail.attribute(
        1, 0x69003, made_winmail.properties(made_winmail.value(0x1009, made_winmail.BYTES, body))
    )


def _winmail_inside(name: str) -> bytes:
    inside = made_winmail.winmail(made_winmail.attribute(1, 0x18004, name.encode("cp1252") + b"\0"))
    held = made_winmail.value(
        0x3701, made_winmail.OBJECT, bytes.fromhex("0703020000000000c000000000000046") + inside
    )
    return made_winmail.attached("x", b"", made_winmail.attribute(2, 0x69005, made_winmail.properties(held)))


TNEF: Final[Mapping[str, Plant]] = {
    "sender": _winmail(lambda name: made_winmail.attribute(1, 0x8000, made_winmail.sender(name, "SMTP:x@y.example"))),
    "address of the sender": _winmail(lambda name: made_winmail.attribute(1, 0x8000, made_winmail.sender("x", f"SMTP:{name.replace(' ', '.').lower()}@y.example"))),
    "owner": _winmail(lambda name: made_winmail.attribute(1, 0x60000, struct.pack("<H", len(name) + 1) + name.encode() + b"\0")),
    "subject": _winmail(lambda name: made_winmail.attribute(1, 0x18004, name.encode("cp1252") + b"\0")),
    "id of a message": _winmail(lambda name: made_winmail.attribute(1, 0x18009, name.replace(" ", ".").encode() + b"\0")),
    "recipient": _winmail(lambda name: made_winmail.attribute(1, 0x69004, struct.pack("<I", 1) + made_winmail.properties(made_winmail.value(0x3001, made_winmail.WIDE, made_winmail.wide(name))))),
    "subject as a property": _winmail_property(0x0037, made_winmail.WIDE), "in one byte a letter": _winmail_property(0x0C1A, made_winmail.NARROW, coding="cp1252"),
    "page": _winmail_property(0x1013, made_winmail.BYTES, coding="utf-8", text="<html><p>NAME</p></html>"), "page as text": _winmail_property(0x1013, made_winmail.WIDE, text="<html><p>NAME</p></html>"),
    "bytes": _winmail_property(0x67FB, made_winmail.BYTES, coding="latin-1"), "wide bytes": _winmail_property(0x0C19, made_winmail.BYTES), "own property": _winmail_property(0x67FA, made_winmail.WIDE),
    "name of a property": _winmail(lambda name: made_winmail.attribute(1, 0x69003, made_winmail.properties(made_winmail.value(0x8005, made_winmail.WIDE, made_winmail.wide("x"), name=name)))),
    "rich text": _winmail(_winmail_rtf), "message inside": _winmail(_winmail_inside),
    "attached text": _winmail(lambda name: made_winmail.attached("a.txt", f"Toen kwam {name}".encode())),
    "attached document": _winmail(lambda name: made_winmail.attached("a.docx", office.DOCX["runs"](name))),
    "name of an attachment": _winmail(lambda name: made_winmail.attached(f"{name}.txt", b"x")),
    "picture of an attachment": _winmail(lambda name: made_winmail.attached("a.txt", b"x", made_winmail.attribute(2, 0x68011, b"\1\0" + name.encode()))),
    "unknown attribute": _winmail(lambda name: made_winmail.attribute(1, 0x6FFFF, b"\1\2" + name.encode() + b"\0")),
}  # fmt: skip


def _in_box(mail: Plant, *, sender: str = "a@b.example") -> Plant:
    def plant(name: str) -> bytes:
        first = f"From {sender.replace('DOTTED', name.replace(' ', '.').lower())} Fri May  3 10:00:00 2024\n".encode()
        return b"".join((first, mail(name).replace(b"\r\n", b"\n"), b"\n\n")) * 2

    return plant


MBOX: Final[Mapping[str, Plant]] = {
    "separator": _in_box(_mail(), sender="DOTTED@b.example"),
    "status": _in_box(_mail(head="X-Mozilla-Keys: NAME")),
    "base64": _in_box(_coded("utf-8", "base64")),
    "quoted line": _in_box(_mail(body="Toen belde NAME op.\n>From NAME\n")),
}
