"""What stands in place of a mention, by style; who stays readable; which styles cannot be had together."""

from collections.abc import Callable, Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.records import (
    Correction,
    EntityId,
    Identity,
    IdentityId,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
)
from pseudonymizer.engine.following import SOMEBODY
from pseudonymizer.engine.records import Label
from pseudonymizer.engine.styling import MASK, Styled, Styling
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Pseudonym, Scope, Style
from pseudonymizer.settings import StyleSettings
from tests.fakes import linkage_result
from tests.pseudonymizer.engine.records_by_hand import FOREIGN_MAKER, StoringNothing, mention, token

TEXT = "Jan Tolsma, Tolsma en Els Wiersma"
JAN, TOLSMA, ELS = (mention("d", TEXT, *at) for at in (("Jan Tolsma",), ("Tolsma", 1), ("Els Wiersma",)))
ENTITIES = {JAN: "e1", TOLSMA: "e1", ELS: "e2"}


def result(*mentions: NormalizedMention, **identities: tuple[NormalizedMention, ...]) -> LinkageResult:
    groups = identities or {str(n): (one,) for n, one in enumerate(mentions)}
    return LinkageResult(
        tuple(one for group in groups.values() for one in group),
        tuple(
            Identity(IdentityId(name), frozenset(one.mention_id for one in group))
            for name, group in groups.items()
        ),
    )


RESULT = result(jan=(JAN, TOLSMA), els=(ELS,))


def pseudonyms(labels: Mapping[str, str], scope: Scope = Scope.PROJECT) -> dict[MentionId, Pseudonym]:
    """labels: by entity."""
    return {
        one.mention_id: Pseudonym(labels[entity], EntityId(entity), "p", scope)
        for one, entity in ENTITIES.items()
    }


def styled(
    settings: StyleSettings, labels: Mapping[Style, Mapping[str, str]], scope: Scope = Scope.PROJECT
) -> Styled:
    by_style = {style: pseudonyms(own, scope) for style, own in labels.items()}
    return Styled(settings, RESULT, by_style, scope)


TOKENS = {Style.TOKEN: {"e1": "P1-JAN", "e2": "P1-ELS"}}
INVENTED = {Style.SURROGATE: {"e1": "Pieter de Bakker", "e2": "Roos Hovinga"}}


def label(styled: Styled, one: NormalizedMention, kept: Collection[EntityId] = ()) -> Label:
    return styled.label("", one.mention.span, one.mention_id, kept)


def texts(styled: Styled) -> list[str | None]:
    return [label(styled, one).label for one in (JAN, TOLSMA, ELS)]


@pytest.mark.parametrize(
    ("style", "labels", "expected"),
    [
        (Style.TOKEN, TOKENS, ["P1-JAN", "P1-JAN", "P1-ELS"]),
        (Style.TAG, {Style.TAG: {"e1": "<PERSOON-1>", "e2": "<PERSOON-2>"}},
         ["<PERSOON-1>", "<PERSOON-1>", "<PERSOON-2>"]),
        (Style.MASK, {}, [MASK, MASK, MASK]),
        (Style.INITIALS, {}, ["J.T.", "T.", "E.W."]),
        (Style.SURROGATE, INVENTED, ["Pieter Bakker", "Bakker", "Roos Hovinga"]),
    ],
)  # fmt: skip
def test_each_style_writes_its_labels(
    style: Style, labels: Mapping[Style, Mapping[str, str]], expected: list[str]
) -> None:
    surname = mention("d", TEXT, "Tolsma", 1, PersonName(family="tolsma"))
    changed = result(jan=(JAN, surname), els=(ELS,))
    by_style = {style: pseudonyms(own) for style, own in labels.items()}
    assert texts(Styled(StyleSettings(style), changed, by_style, Scope.PROJECT)) == expected


def test_a_surrogate_comes_with_its_full_name() -> None:
    settings = StyleSettings(Style.SURROGATE)
    found = label(styled(settings, INVENTED), TOLSMA)
    # A given name, to these fakes.
    assert found == Label("", TOLSMA.mention.span, "Pieter", EntityId("e1"), "Pieter de Bakker")


def test_who_stays_readable_gets_no_text() -> None:
    keeping = styled(StyleSettings(keep_professionals=True), TOKENS)
    kept = keeping.readable([TOLSMA.mention_id])
    assert kept == {"e1"}
    found = [label(keeping, one, kept).label for one in (JAN, TOLSMA, ELS)]
    assert found == [None, None, "P1-ELS"]
    assert styled(StyleSettings(), TOKENS).readable([TOLSMA.mention_id]) == frozenset()


def test_a_mention_is_of_the_vaults_person_or_of_an_identity() -> None:
    assert styled(StyleSettings(), TOKENS).entity_of(TOLSMA.mention_id) == "e1"
    assert styled(StyleSettings(Style.MASK), {}).entity_of(TOLSMA.mention_id) == "jan"


def test_people_come_with_all_their_names_and_with_labels_of_kinds() -> None:
    settings = StyleSettings(Style.SURROGATE, kinds={"email": Style.TOKEN, "url": Style.SURROGATE})
    people = styled(settings, INVENTED | TOKENS).people()
    assert list(people) == ["e1", "e2"]
    assert people[EntityId("e1")].label == "Pieter de Bakker"
    assert people[EntityId("e1")].names == (JAN.name, TOLSMA.name)
    assert people[EntityId("e1")].kinds == {"email": "P1-JAN"}


def test_a_typing_error_is_looked_for_in_addresses_as_well() -> None:
    name = PersonName(given="jan", family="tolsma")
    typed = NormalizedMention(JAN.mention, name, (Correction("family", "tolmsa", "tolsma", 1),))
    labels = {Style.TOKEN: {typed.mention_id: Pseudonym("P1-JAN", EntityId("e1"), "p", Scope.PROJECT)}}
    people = Styled(StyleSettings(), result(typed), labels, Scope.PROJECT).people()
    assert people[EntityId("e1")].names == (name, PersonName(given="jan", family="tolmsa"))


def test_a_mention_of_several_people_is_nobody() -> None:
    unclear = linkage_result(
        {"d": "Jan, Jan Bos, Jan Kok"}, [[("d", "Jan")], [("d", "Jan Bos")], [("d", "Jan Kok")]],
        candidates={0: (1, 2)},
    )  # fmt: skip
    masked = Styled(StyleSettings(Style.MASK), unclear, {}, Scope.PROJECT)
    assert list(masked.people()) == ["i1", "i2"]


@pytest.mark.parametrize("scope", [Scope.DOCUMENT, Scope.OCCURRENCE])
def test_labels_of_a_smaller_scope_do_not_reach_the_corpus(scope: Scope) -> None:
    people = styled(StyleSettings(kinds={"email": Style.MASK}), TOKENS, scope).people()
    assert {(person.label, len(person.kinds)) for person in people.values()} == {(SOMEBODY, 0)}
    masked = Styled(StyleSettings(Style.MASK), RESULT, {}, scope).people()
    assert {person.label for person in masked.values()} == {MASK}


def test_who_bears_a_partners_name_gets_a_partners_name() -> None:
    text = "Els Wiersma-Tolsma en Els Tolsma"
    both = PersonName(given="els", family="wiersma", partner_family="tolsma")
    whole = mention("d", text, "Els Wiersma-Tolsma", name=both)
    later = mention("d", text, "Els Tolsma", name=PersonName(given="els", family="tolsma"))
    labels = {
        one.mention_id: Pseudonym("Roos Hovinga-Kramer", EntityId("e1"), "p", Scope.PROJECT)
        for one in (whole, later)
    }
    drawn = Styled(
        StyleSettings(Style.SURROGATE), result(els=(whole, later)), {Style.SURROGATE: labels}, Scope.PROJECT
    )
    assert label(drawn, whole).label == "Roos Hovinga-Kramer"
    assert label(drawn, later).label == "Roos Kramer"


# -- drawing -------------------------------------------------------------------------------------------------


def styling(settings: StyleSettings, scope: Scope = Scope.PROJECT, *, deterministic: bool = False) -> Styling:
    return Styling(settings, scope=scope, deterministic=deterministic, lists=Gazetteer.load)


REFUSED: list[tuple[Callable[[], Styling], str]] = [
    (lambda: styling(StyleSettings(kinds={"email": Style.SURROGATE}), Scope.DOCUMENT), "scope project"),
    (lambda: styling(StyleSettings(Style.TAG), deterministic=True), "tags are counted"),
    (lambda: styling(StyleSettings(kinds={"url": Style.TAG}), deterministic=True), "tags are counted"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_styles_that_cannot_be_had_together_are_refused(make: Callable[[], Styling], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        make()


def test_one_way_styles_of_kinds_go_with_any_scope() -> None:
    made = styling(StyleSettings(kinds={"email": Style.MASK}), Scope.DOCUMENT)
    assert not made.settings.is_one_way, "names come back"
    assert styling(StyleSettings(Style.MASK, {"email": Style.INITIALS}), Scope.DOCUMENT).settings.is_one_way


looks = st.lists(
    st.sampled_from([token(1), token(2), token(1, FOREIGN_MAKER), "<PERSOON-1>", "<PERSOON-2>", "<ZAAK-9>"])
)


@given(looks, st.booleans())
def test_looks_that_are_no_label_of_the_project_are_foreign(texts: list[str], has_tags: bool) -> None:
    vault = StoringNothing({Style.TAG: ["<PERSOON-1>"]}).as_vault()
    settings = StyleSettings(Style.TAG if has_tags else Style.TOKEN)
    # Where no tags are in use, text in their form is left alone: it has no check letters.
    foreign = {token(1, FOREIGN_MAKER)} | ({"<PERSOON-2>", "<ZAAK-9>"} if has_tags else set())
    assert styling(settings).foreign_looks(vault, "p", texts) == [one for one in texts if one in foreign]
