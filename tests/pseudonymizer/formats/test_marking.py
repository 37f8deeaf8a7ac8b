"""The mark in the metadata: written once, only where something was replaced, and undone with the rest."""

import base64
import email

import pytest

from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, ParsedFile

NAME, LABEL = "Jan Wiersma", "P1-7K3M9Q2XW4T8R5V0YB6C"
_PACKED = base64.b64encode(f"Beste {NAME}, tot morgen.".encode())
MAIL = (
    f"From: {NAME} <info@post.example>\nSubject: verslag van {NAME}\nMIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
).encode() + _PACKED + b"\n"  # fmt: skip
PAGE = (
    f"<!DOCTYPE html>\n<html lang='nl'><head><title>{NAME}</title></head><body>{NAME}!</body></html>\n"
).encode()
WITH_MARK = {"x.eml": MAIL, "crlf.eml": MAIL.replace(b"\n", b"\r\n"), "x.html": PAGE}


def _read(raw: bytes, name: str) -> ParsedFile:
    return formats.read(raw, name=name, options=FormatOptions(mark=True))


def _labels(parsed: ParsedFile) -> dict[str, dict[Span, str]]:
    made: dict[str, dict[Span, str]] = {}
    for part in parsed.parts:
        start = part.text.find(NAME)
        while start >= 0:
            made.setdefault(part.part_id, {})[Span(start, start + len(NAME))] = LABEL
            start = part.text.find(NAME, start + 1)
    return made


@pytest.mark.parametrize("name", WITH_MARK)
def test_mark_is_written_once_and_undone(name: str) -> None:
    raw = WITH_MARK[name]
    parsed = _read(raw, name)
    labels = _labels(parsed)
    assert sum(map(len, labels.values())) >= 2
    rendered = parsed.render(labels)
    assert rendered.raw.lower().count(b"nymlink") == 1
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    assert formats.format_of(rendered.raw) == parsed.format_name

    again = _read(rendered.raw, name)
    assert again.render({}).raw == rendered.raw
    part = next(part for part in again.parts if LABEL in part.text)
    start = part.text.index(LABEL)
    second = again.render({part.part_id: {Span(start, start + len(LABEL)): "anders"}})
    assert second.raw.lower().count(b"nymlink") == 1
    assert formats.undo(parsed.format_name, second.raw, second.edits) == rendered.raw


def test_mail_header_is_readable() -> None:
    parsed = _read(MAIL, "x.eml")
    message = email.message_from_bytes(parsed.render(_labels(parsed)).raw)
    assert message["X-Pseudonymized"] == "nymlink"
    assert LABEL in str(message["Subject"])


@pytest.mark.parametrize("name", WITH_MARK)
def test_no_mark_without_replacement_or_option(name: str) -> None:
    raw = WITH_MARK[name]
    assert _read(raw, name).render({}).raw == raw
    plain = formats.read(raw, name=name)
    assert b"nymlink" not in plain.render(_labels(plain)).raw.lower()


def test_page_without_head_and_late_charset_stay_unmarked() -> None:
    late = PAGE.replace(b"<title>", b"<!--" + b"x" * 1960 + b'--><meta charset="utf-8"><title>')
    for raw in (f"<p>{NAME}</p>".encode(), late):
        parsed = _read(raw, "x.html")
        rendered = parsed.render(_labels(parsed))
        assert LABEL.encode() in rendered.raw
        assert b"nymlink" not in rendered.raw
        assert formats.undo("html", rendered.raw, rendered.edits) == raw
