"""Calendars: names over folds, in parameters and in pages; what is no text of anybody stays."""

import pytest

from pseudonymizer import formats
from pseudonymizer.formats.text.calendar import looks_like_calendar
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Quirine Hoekzema"
CALENDAR = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART:20240503T100000Z\r\n"
    b'ORGANIZER;CN="Hoekzema, Quirine":mailto:balie@zorg.example\r\n'
    b"ATTENDEE;ROLE=REQ-PARTICIPANT;CN=Quirine Hoekz\r\n ema:mailto:quirine.hoekzema@zorg.example\r\n"
    b"SUMMARY:MDO\\, kamer 12\\; met Quirine Hoekz\r\n ema\r\n"
    b"DESCRIPTION:Beste allen\\,\\n\\nGroet\\, Quirine Hoekzema\r\n"
    b"X-ALT-DESC;FMTTYPE=text/html:<p>Quirine <b>Hoekzema</b> belt</p>\r\n"
    b"ATTACH;ENCODING=BASE64;VALUE=BINARY:AAECAwQ=\r\n"
    b"END:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_names_go_over_folds_and_in_pages_and_come_back() -> None:
    parsed, rendered = rewrite(CALENDAR, "agenda.ics", [NAME, "Hoekzema, Quirine"])
    text = rendered.raw.decode()
    assert parsed.format_name == "ics"
    assert "oekz" not in text.replace("\r\n ", "")
    assert "uirine" not in text
    assert text.count(LABEL) >= 5
    assert "kamer 12" in text
    assert formats.undo("ics", rendered.raw, rendered.edits) == CALENDAR


def test_keywords_and_rules_are_no_text() -> None:
    parsed = formats.read(CALENDAR, name="agenda.ics")
    whole = "\n".join(part.text for part in parsed.parts)
    for word in ("VEVENT", "VCALENDAR", "DTSTART", "REQ-PARTICIPANT", "SUMMARY", "mailto"):
        assert word not in whole
    assert "Beste allen,\n\nGroet, Quirine Hoekzema" in parsed.parts[0].text
    assert [one.kind for one in parsed.unread] == ["attachment"]


def test_the_name_of_a_guest_is_a_name() -> None:
    part = formats.read(CALENDAR, name="agenda.ics").parts[0]
    assert [span.cut(part.text) for span in part.names] == ["Hoekzema, Quirine", NAME]


def test_a_label_is_written_as_its_place_asks() -> None:
    parsed = formats.read(CALENDAR, name="agenda.ics")
    part = parsed.parts[0]
    labels = dict.fromkeys(part.names, 'a;b,"c"')
    text = parsed.render({part.part_id: labels}).raw.decode().replace("\r\n ", "")
    assert 'CN="a b  c":mailto' in text
    assert "CN=a b  c:mailto" in text


@pytest.mark.parametrize("suffix", ["", "txt", "ics", "xyz"])
def test_the_head_tells_a_calendar(suffix: str) -> None:
    assert formats.format_of(CALENDAR, suffix) == "ics"
    assert looks_like_calendar(b"\xef\xbb\xbfBEGIN:VCALENDAR\r\n")
    assert not looks_like_calendar(b"Beste BEGIN:VCALENDAR")
