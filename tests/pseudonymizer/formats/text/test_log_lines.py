"""Logs: names in queries, codes and fields; lines stay lines."""

from linkage.records import Span
from pseudonymizer import formats
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Zo\u00eb K\u00f6hler"
LOG = (
    b'10.0.0.5 - - "GET /zoek?q=Zo%C3%AB+K%C3%B6hler&x=1 HTTP/1.1" 200\n'
    b'2024-05-03 DEBUG payload={"naam":"Zo\\u00eb K\\u00f6hler"}\n'
    b"2024-05-03 INFO achternaam=Hoekema voornaam='Bas' status=Open\n"
)


def test_names_go_in_every_coding_and_come_back() -> None:
    parsed, rendered = rewrite(LOG, "x.log", [NAME])
    text = rendered.raw.decode()
    assert parsed.format_name == "log"
    assert f"?q={LABEL}&x=1 HTTP/1.1" in text
    assert f'"naam":"{LABEL}"' in text
    assert formats.undo("log", rendered.raw, rendered.edits) == LOG


def test_the_value_of_a_field_that_says_so_is_a_name() -> None:
    part = formats.read(LOG, name="x.log").parts[0]
    assert [span.cut(part.text) for span in part.names] == ["Hoekema", "Bas"]


def test_a_plus_sign_outside_queries_is_a_plus_sign() -> None:
    assert (
        formats.read(b"1 + 1 = 2, +31612345678\n", name="x.log").parts[0].text == "1 + 1 = 2, +31612345678\n"
    )


def test_packed_content_is_told_and_no_words() -> None:
    blob = b"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v"
    parsed = formats.read(b"token=" + blob + b" klaar\n", name="x.log")
    assert parsed.parts[0].text == "token=  klaar\n"
    assert [one.kind for one in parsed.unread] == ["encoded content"]


def test_moments_and_sources_of_messages_are_no_words() -> None:
    raw = b"x [03/May/2024:10:00:01 +0200] y\n2024 ERROR [main] Hibernate: Bas kwam\nINFO o.h.Jan - x\n"
    parsed = formats.read(raw, name="x.log")
    rendered = parsed.render({"": {Span(0, len(parsed.parts[0].text)): "L"}, "technical": {}})
    assert b"03/May/2024" in rendered.raw
    assert b"Hibernate" in rendered.raw
    assert b"Bas" not in rendered.raw
    assert parsed.parts[1].text == "Hibernate\no.h.Jan"
