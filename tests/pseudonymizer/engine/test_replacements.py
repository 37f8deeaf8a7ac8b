"""What is written where in a file: labels, identifiers that follow a person; and what cannot be undone."""

from pathlib import Path

from linkage.records import DocumentId, EntityId, KindId, PersonName, Span
from pseudonymizer import formats
from pseudonymizer.engine.following import Follower
from pseudonymizer.engine.records import Label, LabelledPerson, RenderTask, Replacement
from pseudonymizer.engine.replacements import OneWayPlaces, is_path_one_way, replacements_in
from pseudonymizer.engine.spelled import PATH_PART
from pseudonymizer.formats import Edit
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from tests.fakes import span_of

TEXT = "Els Wiersma mailt els.wiersma@post.nl en info@post.nl, tel. 06-12345678."
EMAIL, PHONE = KindId("EMAIL"), KindId("PHONE")
ELS = LabelledPerson(EntityId("e7"), "P1-ELS", (PersonName("Els", family="Wiersma"),))
PARSED = formats.read(TEXT.encode(), name="a.txt", options=formats.FormatOptions())
NAME = Label("", span_of(TEXT, "Els Wiersma"), "P1-ELS", EntityId("e7"))


def task(*labels: Label, styles: StyleSettings | None = None) -> RenderTask:
    return RenderTask(
        DocumentId("d"), Path("a.txt"), "a.txt", b"", labels, TEXT.encode(), styles or StyleSettings()
    )


def written(*labels: Label, styles: StyleSettings | None = None) -> str:
    """The text with what is written in it."""
    given = task(*labels, styles=styles)
    found = replacements_in(given, PARSED, Follower([ELS]).within(labels))
    text = TEXT
    for one in sorted(found, key=lambda one: one.span, reverse=True):
        text = text[: one.span.start] + one.text + text[one.span.end :]
    return text


def value(kind: KindId, surface: str, text: str | None, *, is_fallback: bool = False) -> Label:
    return Label("", span_of(TEXT, surface), text, None, kind=kind, is_fallback=is_fallback)


def test_an_address_follows_its_person_and_a_fallback_is_written_where_none_is_followed() -> None:
    fallback = [
        value(EMAIL, "els.wiersma@post.nl", "###", is_fallback=True),
        value(EMAIL, "info@post.nl", "+++", is_fallback=True),
    ]
    assert written(NAME, *fallback) == ("P1-ELS mailt P1-ELS@nymlink.example en +++, tel. 06-12345678.")


def test_the_label_of_a_value_goes_before_the_person_inside_and_before_following() -> None:
    inside = Label("", span_of(TEXT, "els.wiersma"), "P1-ELS", EntityId("e7"))
    assert written(NAME, inside, value(EMAIL, "els.wiersma@post.nl", "EMAIL-1")) == (
        "P1-ELS mailt EMAIL-1 en info@post.nl, tel. 06-12345678."
    )


def test_a_value_that_is_kept_keeps_the_names_in_it() -> None:
    inside = Label("", span_of(TEXT, "els.wiersma"), "P1-ELS", EntityId("e7"))
    assert written(NAME, inside, value(EMAIL, "els.wiersma@post.nl", None)) == (
        "P1-ELS mailt els.wiersma@post.nl en info@post.nl, tel. 06-12345678."
    )


def test_what_follows_a_person_in_a_one_way_style_has_no_way_back() -> None:
    styles = StyleSettings(kinds={"email": Style.MASK})
    found = replacements_in(task(NAME, styles=styles), PARSED, Follower([ELS]).within([NAME]))
    assert {one.kind: one.is_one_way for one in found} == {KindId("PERSON"): False, EMAIL: True}


def places(*spans: Span) -> OneWayPlaces:
    return OneWayPlaces.of([Replacement("", s, "#", None, PHONE, is_one_way=True) for s in spans], PARSED)


def test_edits_that_tell_a_lost_value_are_known_with_and_without_their_owner() -> None:
    phone = span_of(TEXT, "06-12345678")
    lost = places(phone)
    original = phone.cut(TEXT).encode()
    assert lost.are_told_by(Edit("", 0, 1, original, ("", phone)))
    assert lost.are_told_by(Edit("", 0, 1, b"tel. " + original + b"."))
    assert not lost.are_told_by(Edit("", 0, 1, b"Els Wiersma", ("", NAME.span)))
    assert not lost.are_told_by(Edit("", 0, 1, b"Els Wiersma"))
    assert not places().are_told_by(Edit("", 0, 1, original))


def test_a_path_is_lost_by_its_style_or_by_a_value_in_it() -> None:
    assert not is_path_one_way(task(NAME))
    assert is_path_one_way(task(NAME, styles=StyleSettings(Style.MASK)))
    assert not is_path_one_way(task(styles=StyleSettings(Style.MASK, {"path": Style.TOKEN})))
    lost = Label(PATH_PART, Span(0, 3), "###", None, kind=PHONE, is_one_way=True)
    assert is_path_one_way(task(lost))
