"""Pseudonyms for the people of a result: what a style is told, in which styles and scopes, and literals."""

from collections.abc import Callable, Collection, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import MentionId
from pseudonymizer.errors import SettingsError, SurrogatesExhaustedError
from pseudonymizer.records import Pseudonym, Scope, Style
from pseudonymizer.styles.labels import LabelRequest
from pseudonymizer.vault import Vault
from pseudonymizer.vault.assigning.assignment import HowToAssign, assign, literal_label, one_person_a_key
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.engine.records_by_hand import mention

TEXT = "Jan Bos, Jan Bos, Els Kok"
RESULT = linkage_result({"d": TEXT}, [[("d", "Jan Bos"), ("d", "Jan Bos")], [("d", "Els Kok")]])


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        yield made


class Labels:
    """A style that gives the labels of the test, and remembers what it was told of people."""

    def __init__(self, style: Style, *labels: str) -> None:
        self.style = style
        self._labels = list(labels)
        self.asked: list[LabelRequest] = []

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]:
        self.asked += requests
        drawn = [self._labels.pop(0) for _ in requests]
        if taken(drawn):
            raise SurrogatesExhaustedError("given before")
        return drawn


def labels_of(found: dict[MentionId, Pseudonym]) -> list[str]:
    return [found[one.mention_id].label for one in RESULT.mentions]


@given(st.lists(st.tuples(st.sampled_from(["Jan", "Els", "Piet"]), st.integers(0, 2)), max_size=9))
def test_mentions_with_one_key_are_one_person(named: list[tuple[str, int]]) -> None:
    text = ",".join(name for name, _ in named)
    seen: dict[str, int] = {}
    mentions = []
    for name, _ in named:
        mentions.append(mention("d", text, name, seen.get(name, 0)))
        seen[name] = seen.get(name, 0) + 1
    key_of = dict(zip((one.mention_id for one in mentions), named, strict=True))
    result = one_person_a_key(mentions, lambda one: key_of[one.mention_id])
    assert set(result.mentions) == set(mentions)
    people = [{key_of[mention_id] for mention_id in one.mention_ids} for one in result.identities]
    assert all(len(keys) == 1 for keys in people)
    assert len(people) == len(set(named))


def test_a_style_is_told_of_each_person_once(vault: Vault) -> None:
    labels = Labels(Style.SURROGATE, "Roos Hovinga", "Pieter Bakker")
    found = dict(assign(RESULT, vault, HowToAssign(), project="p", labels=labels))
    assert labels_of(found) == ["Roos Hovinga", "Roos Hovinga", "Pieter Bakker"]
    assert [one.surfaces for one in labels.asked] == [("Jan Bos",), ("Els Kok",)]
    assert {one.material for one in labels.asked} == {None}
    again = dict(assign(RESULT, vault, HowToAssign(), project="p", labels=labels))
    assert again == found
    assert len(labels.asked) == 2


def test_a_label_that_stands_for_somebody_is_taken(vault: Vault) -> None:
    assign(RESULT, vault, HowToAssign(), project="p", labels=Labels(Style.TAG, "<A-1>", "<A-2>"))
    other = linkage_result({"e": "Wim Mol"}, [[("e", "Wim Mol")]])
    with pytest.raises(SurrogatesExhaustedError):
        assign(other, vault, HowToAssign(), project="p", labels=Labels(Style.TAG, "<A-2>"))
    assert assign(other, vault, HowToAssign(), project="q", labels=Labels(Style.TAG, "<A-2>"))


def test_one_person_may_have_a_label_in_each_style_and_scope(vault: Vault) -> None:
    how = [HowToAssign(), HowToAssign(Scope.DOCUMENT), HowToAssign(Scope.OCCURRENCE)]
    tokens = [assign(RESULT, vault, one, project="p") for one in how]
    tags = assign(RESULT, vault, HowToAssign(), project="p", labels=Labels(Style.TAG, "<A-1>", "<A-2>"))
    everything = {label for found in [*tokens, tags] for label in labels_of(dict(found))}
    assert len(everything) == 2 + 2 + 3 + 2
    assert len({one.entity_id for found in [*tokens, tags] for one in found.values()}) == 2


def test_in_deterministic_mode_a_style_gets_material_of_the_full_name_alone(vault: Vault) -> None:
    how = HowToAssign(deterministic=True)
    labels = Labels(Style.SURROGATE, "Roos Hovinga", "Pieter Bakker", "Guus Vlieg", "Kaat Zomer")
    assign(RESULT, vault, how, project="p", labels=labels)
    later = linkage_result({"e": "JAN BOS, Wim"}, [[("e", "JAN BOS")], [("e", "Wim")]])
    assign(later, vault, how, project="q", labels=labels)
    jan, els, also_jan, wim = [one.material for one in labels.asked]
    assert jan == also_jan
    assert len({jan, els, wim}) == 3
    assert None not in (jan, els, wim)


@pytest.mark.parametrize("style", [Style.TAG, Style.TOKEN])
def test_a_style_that_is_drawn_cannot_be_deterministic(vault: Vault, style: Style) -> None:
    with pytest.raises(SettingsError, match="cannot be deterministic"):
        assign(RESULT, vault, HowToAssign(deterministic=True), project="p", labels=Labels(style, "x", "y"))
    assert not vault.has_open_work()
    assert vault.projects() == ()


def test_a_text_that_only_looks_like_a_label_has_one_token_in_a_project(vault: Vault) -> None:
    first, again, other = (literal_label(vault, "p", text) for text in ("P1-X", "P1-X", "P1-Y"))
    assert first == again
    assert first.label != other.label
    assert literal_label(vault, "q", "P1-X").label != first.label
    assert vault.is_token("p", first.label)
    vault.commit()
    assert vault.known("p").people == ()  # it is nobody
    assert [event.subjects for event in vault.audit_events() if event.action == "literal"] == [
        (first.label,), (other.label,), (literal_label(vault, "q", "P1-X").label,),
    ]  # fmt: skip
