"""Letters that were read in a wrong encoding are read as they were meant, and written back as they stood."""

import io
import time

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer import formats
from pseudonymizer.formats.tree.mojibake import broken, is_broken, mended
from tests.pseudonymizer.formats.naming import LABEL, rewrite

MEANT = st.text(
    st.sampled_from("abc XYZ àáâäçèéêëíïñóôöøúüßčćđęłńőřşšťůžŁŠŽÖÜ’“”–€\xa0"), min_size=1, max_size=30
)


def wrong(text: str, encoding: str = "cp1252", times: int = 1) -> str:
    for _ in range(times):
        text = "".join(_read(byte, encoding) for byte in text.encode())
    return text


def _read(byte: int, encoding: str) -> str:
    try:
        return bytes([byte]).decode(encoding)
    except UnicodeDecodeError:
        return chr(byte)


@pytest.mark.parametrize(
    ("stands", "meant"),
    [
        ("van â€™t Hoff", "van ’t Hoff"),
        ("van Ã¢â\u201a¬â„¢t Hoff", "van ’t Hoff"),
        ("ZoÃ« KÃ¶hler", "Zoë Köhler"),
        ("ZoÃƒÂ« KÃƒÂ¶hler", "Zoë Köhler"),
        ("KovaÄ\x8d", "Kovač"),
        ("PaweÅ\u201a ErdÅ‘", "Paweł Erdő"),
        ("â€œZoÃ«â€\x9d", "“Zoë”"),
    ],
)
def test_broken_letters_are_the_ones_that_were_meant(stands: str, meant: str) -> None:
    assert mended(stands) == meant
    places = list(broken(stands))
    assert "".join(one.letter for one in places) == "".join(c for c in meant if not c.isascii())


@given(MEANT, st.sampled_from(["cp1252", "latin-1"]), st.sampled_from([1, 2]))
def test_what_was_read_wrongly_once_or_twice_is_mended(text: str, encoding: str, times: int) -> None:
    stands = wrong(text + "a", encoding, times)
    assert mended(stands) == text + "a"


@given(MEANT)
def test_text_that_was_read_rightly_stays(text: str) -> None:
    assert mended(text) == text
    assert not is_broken(text)


@pytest.mark.parametrize("text", ["„KAFÄ“, zei zij", "SÃO PAULO", "Ångström", "Citroën – café", "Â"])
def test_letters_of_languages_are_not_broken(text: str) -> None:
    assert mended(text) == text


def _docx(text: str) -> bytes:
    buffer, document = io.BytesIO(), docx.Document()
    document.add_paragraph(text)
    document.save(buffer)
    return buffer.getvalue()


TEMPLATES = {
    "x.txt": "Gebeld met {}, vandaag.",
    "x.md": "Gebeld met *{}*, vandaag.",
    "x.csv": "naam;plaats\r\n{};Breda\r\nEls Mol;Ede\r\n",
    "x.json": '{{"naam": "{}", "tekst": "met een ander"}}',
    "x.html": "<p>Met {} gebeld.</p>",
    "x.xml": "<a><naam>{}</naam></a>",
    "x.eml": "From: a@b.test\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nMet {}\r\n",
    "x.vcf": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:{}\r\nEND:VCARD\r\n",
    "chat.txt": "".join(f"03-05-2024 10:0{n} - {{}}: hoi, met {{}} hier\n" for n in range(5)),
    "x.docx": "Gebeld met {}, vandaag.",
}


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", TEMPLATES)
def test_names_in_it_are_found_in_every_format_and_come_back_as_they_stood(name: str, times: int) -> None:
    meant = "Zoë van ’t Hoff"
    text = TEMPLATES[name].format(*[wrong(meant, times=times)] * 10)
    content = _docx(text) if name == "x.docx" else text.encode()
    parsed, rendered = rewrite(content, name, [meant])
    (part, *_) = parsed.parts
    assert meant in part.text
    assert {span.cut(part.text) for span in part.names} <= {meant, "Els Mol"}
    again = formats.read(rendered.raw, name=name)
    assert LABEL in again.parts[0].text
    assert not any("Hoff" in part.text for part in again.parts)
    back = formats.undo(parsed.format_name, rendered.raw, rendered.edits)
    if name == "x.docx":
        assert any(meant in part.text for part in formats.read(back, name=name).parts)
    else:
        assert back == content


def test_a_long_text_is_looked_through_in_no_time() -> None:
    text = "Zoë Köhler sprak met Bâle en Ålesund. " * 20_000
    started = time.process_time()
    assert not is_broken(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("suffix", ["html", "md", "txt", "xml", "json"])
def test_letters_in_signs_of_percent_are_those_of_a_name(suffix: str) -> None:
    address = "https://x.example/?q=J%C3%BCrgen%20K%c3%b6hler&c=100%25"
    texts = {
        "html": f"<html><body><p>Jürgen Köhler</p><a href='{address}'>x</a></body></html>",
        "md": f"Jürgen Köhler [x]({address})", "txt": f"Jürgen Köhler, {address}",
        "xml": f"<a><b>Jürgen Köhler</b><c u='{address.replace('&', '&amp;')}'/></a>",
        "json": f'{{"naam": "Jürgen Köhler", "u": "{address}"}}',
    }  # fmt: skip
    raw = texts[suffix].encode()
    parsed, rendered = rewrite(raw, f"x.{suffix}", ["Jürgen Köhler"])
    assert b"hler" not in rendered.raw
    assert b"c=100%25" in rendered.raw
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
