"""Labels of a linkage result: one for every mention, none for who stays readable, tokens for look-alikes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.records import EntityId, Identity, IdentityId, LinkageResult, MentionId, NormalizedMention, Span
from linkage.texts import KindId
from pseudonymizer.engine.labelling import (
    ATTEMPTS,
    FileLabels,
    Labelling,
    label_result,
    linked_and_labelled,
    own_outputs,
)
from pseudonymizer.engine.records import Label, PartPlaces, PlacedValue
from pseudonymizer.engine.styling import Styled, Styling
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.records import Linked, Pseudonym, Scope, Style
from pseudonymizer.settings import StyleSettings
from tests.fakes import linkage_result
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.engine.records_by_hand import FOREIGN_MAKER, StoringNothing, mention, token

WORDS = ["Jan Tolsma", "Els Wiersma", "Piet Bos"]
TEXT = ", ".join(WORDS * 4)
MENTIONS = [mention("d", TEXT, word, number) for number in range(4) for word in WORDS]
LITERAL = Pseudonym("P1-LITERAL", EntityId("e99"), "p", Scope.PROJECT)


def styling(style: Style = Style.TOKEN) -> Styling:
    return Styling(StyleSettings(style), lists=Gazetteer.load)


def labelled(people: list[int], settings: StyleSettings | None = None) -> Labelling:
    """people: for each mention the number of its person."""
    groups: dict[int, list[NormalizedMention]] = {}
    for one, number in zip(MENTIONS, people, strict=True):
        groups.setdefault(number, []).append(one)
    result = LinkageResult(
        tuple(MENTIONS),
        tuple(
            Identity(IdentityId(f"i{number}"), frozenset(one.mention_id for one in members))
            for number, members in groups.items()
        ),
    )
    pseudonyms = {
        one.mention_id: Pseudonym(f"P1-{number}", EntityId(f"e{number}"), "p", Scope.PROJECT)
        for number, members in groups.items()
        for one in members
    }
    styled = Styled(settings or StyleSettings(), result, {Style.TOKEN: pseudonyms}, Scope.PROJECT)
    return Labelling(styled, {"P1-FOREIGN": LITERAL})


def place(one: NormalizedMention) -> tuple[int, int, MentionId]:
    return one.mention.span.start, one.mention.span.end, one.mention_id


numbers = st.lists(st.integers(0, 4), min_size=len(MENTIONS), max_size=len(MENTIONS))


@given(numbers, st.lists(st.integers(0, 2), min_size=len(MENTIONS), max_size=len(MENTIONS)))
def test_every_mention_gets_one_label_and_it_is_its_persons(people: list[int], parts: list[int]) -> None:
    by_part = [[place(one) for one, at in zip(MENTIONS, parts, strict=True) if at == n] for n in range(3)]
    file = labelled(people).of(PartPlaces(str(n), places) for n, places in enumerate(by_part))
    number_of = dict(zip((one.mention.span for one in MENTIONS), people, strict=True))
    assert len(file.labels) == len(MENTIONS)
    assert {(label.part_id, label.span) for label in file.labels} == {
        (str(n), Span(start, end)) for n, places in enumerate(by_part) for start, end, _ in places
    }
    assert all(label.label == f"P1-{number_of[label.span]}" for label in file.labels)
    assert all(label.entity_id == f"e{number_of[label.span]}" for label in file.labels)
    assert (file.people, file.people_readable) == (len(set(people)), 0)


@given(numbers, st.sets(st.integers(0, len(MENTIONS) - 1)))
def test_who_acts_by_profession_anywhere_in_the_file_keeps_the_name_everywhere(
    people: list[int], professional: set[int]
) -> None:
    labelling = labelled(people, StyleSettings(keep_professionals=True))
    ids = [MENTIONS[number].mention_id for number in professional]
    file = labelling.of([PartPlaces("", [place(one) for one in MENTIONS])], ids)
    kept = {people[number] for number in professional}
    assert [label.label for label in file.labels] == [
        None if number in kept else f"P1-{number}" for number in people
    ]
    assert (file.people, file.people_readable) == (len(set(people)), len(kept))


def test_text_that_only_looks_like_a_label_gets_a_token_and_a_label_of_the_project_stays() -> None:
    looks = [(0, 10, "P1-FOREIGN"), (12, 16, "P1-1"), (20, 30, "P1-FOREIGN")]
    assert labelled([0] * len(MENTIONS)).of([PartPlaces("2", [], looks)]) == FileLabels(
        (
            Label("2", Span(0, 10), "P1-LITERAL", EntityId("e99")),
            Label("2", Span(20, 30), "P1-LITERAL", EntityId("e99")),
        ),
        people=0, people_readable=0, tokens_kept=1, tokens_escaped=2,
    )  # fmt: skip


def test_another_form_of_a_pseudonym_comes_with_the_whole() -> None:
    invented = {
        one.mention_id: Pseudonym("Pieter Bakker", EntityId("e1"), "p", Scope.PROJECT) for one in MENTIONS
    }
    result = LinkageResult(
        tuple(MENTIONS), (Identity(IdentityId("i1"), frozenset(one.mention_id for one in MENTIONS)),)
    )
    styled = Styled(StyleSettings(Style.SURROGATE), result, {Style.SURROGATE: invented}, Scope.PROJECT)
    (label, *_) = Labelling(styled, {}).of([PartPlaces("", [place(MENTIONS[0])])]).labels
    assert (label.label, label.person) == ("Pieter Bakker", None)
    (plain, *_) = labelled([1] * len(MENTIONS)).of([PartPlaces("", [place(MENTIONS[0])])]).labels
    assert plain.person is None


def test_nothing_has_no_labels_and_no_people() -> None:
    nothing = Labelling.of_nothing(styling())
    assert (nothing.people(), nothing.clashes) == ((), 0)
    assert nothing.of([PartPlaces("", [], [(0, 4, "P1-1")])]) == FileLabels((), 0, 0, 1, 0)


@pytest.mark.parametrize("outdated", range(ATTEMPTS + 1))
def test_a_result_that_an_erasure_outdates_is_linked_again_and_not_for_ever(outdated: int) -> None:
    vault = StoringNothing()
    results = [Linked(LinkageResult((), ()), number) for number in range(ATTEMPTS)]
    waiting = iter(results)
    done = Labelling.of_nothing(styling())

    def label(linked: Linked) -> Labelling:
        if results.index(linked) < outdated:
            raise LinkageOutdatedError("somebody was erased")
        return done

    if outdated < ATTEMPTS:
        found = linked_and_labelled(vault.as_vault(), lambda: next(waiting), label)
        assert found == (results[outdated].result, done)
        assert vault.rolled_back == outdated
    else:
        with pytest.raises(LinkageOutdatedError):
            linked_and_labelled(vault.as_vault(), lambda: next(waiting), label)


@pytest.mark.parametrize("style", list(Style))
def test_outputs_are_looked_up_only_where_a_label_looks_like_a_name(style: Style) -> None:
    vault = StoringNothing(outputs=[b"ours"])
    known = own_outputs(vault.as_vault(), "p", [b"ours", b"other"], styling(style))
    if style in (Style.TOKEN, Style.TAG, Style.CODE):
        assert (known, vault.asked, vault.rolled_back) == (frozenset(), [], 0)
    else:
        assert (known, vault.rolled_back) == (frozenset({b"ours"}), 1)
        assert own_outputs(vault.as_vault(), "p", [], styling(style)) == frozenset()
        assert len(vault.asked) == 1


def test_labels_are_stored_in_the_unit_of_work_and_the_caller_commits(tmp_path: Path) -> None:
    result = linkage_result(
        {"d": "Jan Tolsma en Els Wiersma"}, [[("d", "Jan Tolsma")], [("d", "Els Wiersma")]]
    )
    foreign = token(1, FOREIGN_MAKER)
    open_vault = make_vault(tmp_path)
    with open_vault() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
        own = vault.literal_label(PROJECT, "P1-?").label
        vault.commit()
        labelling = label_result(vault, PROJECT, Linked(result), [own, foreign], styling())
        places = [PartPlaces("", [place(one) for one in result.mentions], [(0, 1, own), (1, 2, foreign)])]
        file = labelling.of(places)
        assert vault.has_open_work()
        assert (file.people, file.tokens_kept, file.tokens_escaped) == (2, 1, 1)
        labels = [label.label or "" for label in file.labels]
        assert len(set(labels)) == 3
        assert all(vault.is_token(PROJECT, label) for label in labels)
        assert {person.label for person in labelling.people()} == set(labels[:2])
        vault.rollback()
        assert vault.known_identities(PROJECT) == ()


def test_a_code_of_the_project_stays_and_values_in_it_do_not_count() -> None:
    text = "PERSOON-7KQM3 PERSOON-7KQM4"
    looks = [(0, 13, text[:13]), (14, 27, text[14:])]
    values = [PlacedValue(start, end, KindId("NUMBER"), found, found, False) for start, end, found in looks]
    one = PartPlaces("", [(3, 9, MentionId("m"))], looks, values)
    assert one.clear_of([]) is one
    clear = one.clear_of([looks[0][:2]])
    assert (list(clear.mentions), [value.start for value in clear.values]) == ([], [14])
    labelling = Labelling(
        Styled(StyleSettings(), LinkageResult((), ()), {}, Scope.PROJECT), {}, frozenset({text[:13]})
    )
    file = labelling.of([PartPlaces("", [], looks)])
    assert (file.labels, file.tokens_kept, file.tokens_escaped) == ((), 1, 0)
