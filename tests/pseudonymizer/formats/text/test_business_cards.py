"""Cards of people: the parts of a name are one person, whatever way a card is written in."""

from pseudonymizer import formats
from pseudonymizer.formats.text.business_cards import looks_like_cards
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Zo\u00eb van der Wielen"
CARD = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:van der Wielen;Zo\u00eb;;dr.;\r\nFN:Zo\u00eb van der Wie\r\n len\r\n"
    "NOTE:Zo\u00eb van der Wielen belde\\, en kwam\r\nORG:Gemeente Oostmeer;Zorg\r\n"
    "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD\r\nEND:VCARD\r\n"
).encode()
OLD_CARD = (
    b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:van der Wielen;Zo=C3=AB;;;\r\n"
    b"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zo=C3=AB van=\r\n der Wielen\r\nEND:VCARD\r\n"
)


def test_the_parts_of_a_name_are_one_person() -> None:
    for card in (CARD, OLD_CARD):
        part = formats.read(card, name="x.vcf").parts[0]
        assert [span.cut(part.text) for span in part.names] == [NAME, NAME]


def test_names_go_in_every_coding_and_come_back() -> None:
    for card in (CARD, OLD_CARD):
        parsed, rendered = rewrite(card, "x.vcf", [NAME])
        assert parsed.format_name == "vcf"
        assert b"Wie" not in rendered.raw
        assert b"Zo\xc3" not in rendered.raw
        assert b"Zo=C3" not in rendered.raw
        assert LABEL.encode() in rendered.raw
        assert formats.undo("vcf", rendered.raw, rendered.edits) == card


def test_a_picture_is_told_and_keywords_are_no_text() -> None:
    parsed = formats.read(CARD, name="x.vcf")
    assert [one.kind for one in parsed.unread] == ["media"]
    assert "VCARD" not in parsed.parts[0].text
    assert "Gemeente Oostmeer Zorg" in parsed.parts[0].text


def test_the_head_tells_a_card() -> None:
    assert looks_like_cards(CARD)
    assert formats.format_of(CARD, "txt") == "vcf"
